"""Picking a set: several things, in whatever order they are named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from broomservice.core.questions import ChooseRising
from broomservice.core.table import PASS
from broomservice.errors import IllegalMove
from broomservice.explain import Check, explain
from broomservice.explaining.words import said
from broomservice.option import Option

if TYPE_CHECKING:
    from broomservice.state import State

IN_ORDER = "rising_order"


def rising(state: State) -> ChooseRising | None:
    """Return the open question if it is about a set."""
    table = state._table
    effect = table.code[table.stack[-1][0]] if table.options else None
    return effect if isinstance(effect, ChooseRising) else None


def picks_left(state: State) -> int:
    """Return how many things are picked one after the other, the open one included."""
    effect = rising(state)
    return 1 if effect is None else int(state._table.stack[-1][effect.left]) + 1


def possible(state: State) -> tuple[Option, ...]:
    """Return what can be part of the set that is being picked; else what is open."""
    effect, table = rising(state), state._table
    if effect is None:
        return tuple(state.game.options[i] for i in table.options)
    frame = table.stack[-1][:]
    frame[effect.left] = 0
    things = effect.candidates(table, frame)
    return tuple(state.game.options[effect.base + thing] for thing in things)


def is_part(state: State, option: Option) -> bool:
    """Whether an option is not open now, but may be part of the set that is being picked."""
    return option.id not in state.option_ids and picks_left(state) > 1 and option in possible(state)


def play_set(state: State, options: Iterable[str | int | Option], language: str = "en") -> State:
    """Return the position after all picks of a set; see `State.play_set`.

    The language is that of the reasons if it is refused.
    """
    chosen = sorted({state.option(one).id for one in options})
    check_set(state, chosen, language)
    asked, step, picks = state.player, rising(state), picks_left(state)
    result = state.copy()
    for done, number in enumerate([*chosen, PASS] if len(chosen) < picks else chosen):
        if (result.player, rising(result), picks_left(result)) == (asked, step, picks - done):
            result.play_in_place(number)
    return result


def check_set(state: State, chosen: list[int], language: str = "en") -> None:
    """Refuse things that cannot be part of the set, too many of them, or too few.

    Raises:
        IllegalMove: if so; the reasons say why.
    """
    for number in chosen:
        failed = explain(state, state.game.option(number), language).failed
        wrong = tuple(check for check in failed if check.name != IN_ORDER)
        if wrong:
            raise IllegalMove(state.game.option(number).label, wrong, state.short())
    effect, picks = rising(state), picks_left(state)
    if len(chosen) > picks or (len(chosen) < picks and not (effect and effect.may)):
        question = state._compiled.questions[state._table.stack[-1][0]]
        sentence = said("set_size", language, count=str(picks), number=str(len(chosen)))
        check = Check("set_size", False, sentence, question.provenance)
        names = ", ".join(state.game.option(number).label for number in chosen)
        raise IllegalMove(names, (check,), state.short())
