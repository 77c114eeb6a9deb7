"""The part of a position that is asked and answered millions of times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from broomservice.core.chance import Chance
from broomservice.core.errors import RuleError
from broomservice.core.native import mypyc_attr
from broomservice.core.questions import any_option
from broomservice.core.table import Table

if TYPE_CHECKING:
    from mypy_extensions import i64

LARGEST_OPTION = 1_000_000


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """A table, what is open on it, and the quick way to answer."""

    def __init__(self, table: Table) -> None:
        self._table = table

    @property
    def option_ids(self) -> list[i64]:
        """The ids of the open options; empty when the game is over. Not to be changed."""
        return self._table.options

    @property
    def player(self) -> i64:
        """Who is asked: an index from 0, -2 for chance, -1 when the game is over."""
        return self._table.decider

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self._table.options

    def any_option(self, picker: Chance) -> i64:
        """Return the id of an open option at random, each equally likely.

        Of several picks of a set, which are asked in rising order, each set is equally likely.
        """
        return any_option(self._table, picker)

    def play_in_place(self, option: object) -> None:
        """Give an answer, changing this position itself: for speed.

        Args:
            option: a label, an id, or an option.

        Raises:
            IllegalMove, UnknownMove, AmbiguousMove: as `play`; the position stays as it was.
            RuleError: if the rules of the pack cannot be carried out; the position is then spoilt.
        """
        try:
            if isinstance(option, int) and 0 <= option < LARGEST_OPTION:
                if self._table.answer(option):
                    return
        except RuleError as fault:
            raise self.located(fault) from None
        self.play_named(option)

    def play_named(self, option: object) -> None:
        """Give an answer by name, or say why it is none."""
        raise NotImplementedError

    def located(self, fault: RuleError) -> RuleError:
        """Return a fault with the lines of the pack that are concerned."""
        return fault
