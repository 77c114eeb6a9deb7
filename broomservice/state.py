"""A position of a game, as a value."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.compiler import Compiled
from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.core.position import Position
from broomservice.core.table import CHANCE, Table
from broomservice.errors import IllegalMove, UnknownMove
from broomservice.explain import Outlook, Verdict, explain, what_if, without_question
from broomservice.log import LogEntry, entries
from broomservice.option import Option
from broomservice.pack.problems import likely
from broomservice.picking import picks_left, play_set
from broomservice.render import Speaker

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.records import Record
    from broomservice.view import View


@attrs.frozen
class Decision:
    """The engine's question: who is asked (an index from 0; -2 is chance), what, the options.

    `picks` is how many things are picked one after the other, with this one: they make a set, so
    each is asked for behind the one before it in the list, and `State.play_set` takes them in any
    order.
    """

    player: int
    prompt: str
    options: tuple[Option, ...]
    point: str
    picks: int = 1

    def __iter__(self) -> Any:
        return iter(self.options)


class State(Position):
    """A position of a game.

    A value: equal positions are equal and hash equal, and `play` returns a new one. For millions
    of steps there are `copy` and `play_in_place`, which changes the position itself.
    """

    __slots__ = ("_compiled", "_names", "_seed", "game")

    def __init__(
        self,
        game: Game,
        compiled: Compiled,
        table: Table,
        names: tuple[str, ...],
        seed: int | None = None,
    ) -> None:
        super().__init__(table)
        self.game = game
        self._compiled = compiled
        self._names = names
        self._seed = seed

    # --- what is asked ------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """The open question, None when the game is over."""
        return self.decision_in("en")

    def decision_in(self, language: str) -> Decision | None:
        """Return the open question in a language."""
        table = self._table
        if not table.options:
            return None
        frame = table.stack[-1]
        question = self._compiled.questions[frame[0]]
        prompt = self.speaker(language).fill(question.prompt, table.cells, frame)
        options = tuple(self.game.options[i] for i in table.options)
        return Decision(table.decider, prompt, options, question.point, picks_left(self))

    # --- playing ------------------------------------------------------------------------------

    def play(self, option: str | int | Option) -> State:
        """Return the position after an answer.

        Args:
            option: a label, an id, or an option.

        Raises:
            IllegalMove: if it is not open now; the error says why.
            UnknownMove, AmbiguousMove: if the label means nothing, or several things.

        >>> import broomservice as bs
        >>> state = bs.load("broom_service").start(players=2, seed=1)
        >>> state.play("forest witch") == state
        False
        """
        result = self.copy()
        result.play_in_place(option)
        return result

    def play_set(self, options: Iterable[str | int | Option]) -> State:
        """Return the position after all picks of a set, in whatever order they are named.

        Args:
            options: labels, ids or options: as many as `Decision.picks`, or fewer where one may
                stop.

        Raises:
            IllegalMove: if one of them cannot be part of the set, or they are too many or too few.
            UnknownMove, AmbiguousMove: if a label means nothing, or several things.

        >>> import broomservice as bs
        >>> state = bs.load("broom_service").start(players=2, seed=1)
        >>> hand = ["weather fairy", "forest witch", "valley druid", "hill witch"]
        >>> state.play_set(hand).player
        1
        """
        return play_set(self, options)

    def play_named(self, option: object) -> None:
        """Give an answer by label or option, or raise the error that says why it is none."""
        if not isinstance(option, str | int | Option):
            raise UnknownMove(str(option), "")
        number = self.option(option).id
        try:
            if not self._table.answer(number):
                raise self.refusal(number)
        except RuleError as fault:
            raise self.located(fault) from None

    def refusal(self, number: int) -> IllegalMove:
        """Return the error for an option that is not open."""
        verdict = explain(self, self.game.option(number))
        return IllegalMove(verdict.option.label, verdict.failed, self.short())

    def located(self, fault: RuleError) -> RuleError:
        """Return the fault with the lines of the pack that are concerned, and the position."""
        where = lines_of(fault, self._compiled)
        return RuleError(f"{fault.message}: {where} [{self.short()}]", fault.steps)

    def copy(self) -> State:
        """Return a position that can be changed without changing this one."""
        return State(self.game, self._compiled, self._table.copy(), self._names, self._seed)

    # --- explaining ---------------------------------------------------------------------------

    def explain(self, option: str | int | Option, language: str = "en") -> Verdict:
        """Return whether an option is open now, with every requirement and what it rests on.

        Raises:
            UnknownMove, AmbiguousMove: if the label means nothing, or several things.
        """
        return explain(self, self.option(option), language)

    def why_not(self, option: str | int | Option, language: str = "en") -> tuple[str, ...]:
        """Return why an option is not open, a sentence for each reason; none if it is open.

        Raises:
            UnknownMove, AmbiguousMove: as `explain`.

        >>> import broomservice as bs
        >>> state = bs.load("broom_service").start(players=2, seed=1, names=["Ann", "Bob"])
        >>> state.why_not("Bob")
        ('Ann is asked “Choose a role for this round”; this decision asks for a role, not for Bob',)
        """
        return tuple(check.sentence for check in self.explain(option, language).failed)

    def what_if(
        self, option: str | int | Option, viewer: int | None = None, language: str = "en"
    ) -> Outlook:
        """Return what an answer leads to until the next decision; this position stays as it is.

        Chance is not foretold: where it draws, the outlook ends.

        Args:
            option: a label, an id, or an option.
            viewer: tell only what this player may know (an index from 0); everything if None.
            language: the language of the sentences.

        Raises:
            IllegalMove: if it is not open now; the error says why.
            UnknownMove, AmbiguousMove: if the label means nothing, or several things.

        >>> import broomservice as bs
        >>> state = bs.load("broom_service").start(players=2, seed=1)
        >>> state.what_if("forest witch").player
        0
        """
        return what_if(self, self.option(option), viewer, language)

    def explain_forced(self, language: str = "en") -> tuple[LogEntry, ...]:
        """Return what was taken by itself since the last answer, and who was not asked, and why.

        Needs the log. Each entry says what was open (one thing, or nothing) and at which question.
        """
        return without_question(self, language)

    def option(self, name: str | int | Option) -> Option:
        """Return the option of a label, an id, or a player's name, open or not.

        Raises:
            UnknownMove, AmbiguousMove: if the label means nothing, or several things.
        """
        if isinstance(name, str):
            called = [one.casefold() for one in self._names]
            if name.casefold() in called:
                return self.game.option(f"p{called.index(name.casefold()) + 1}")
        try:
            return self.game.option(name)
        except UnknownMove as error:
            raise UnknownMove(error.name, error.hint or likely(error.name, self._names)) from None

    def called(self, name: str, language: str) -> str:
        """Return what the option of a name is called; the name itself if it means no option."""
        try:
            return self.speaker(language).option(self.option(name))
        except BroomserviceError:
            return name

    # --- what one sees ------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many play."""
        return self._compiled.program.players

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return self._names

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each player."""
        program = self._compiled.program
        return tuple(self._table.cells[program.points : program.points + program.players])

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won; empty while the game runs. Several share a tied victory."""
        if not self.over:
            return ()
        left = list(range(self.players))
        for order, numbers in self._compiled.winners:
            sign = 1 if order == "most" else -1
            for typed in numbers:
                values = {player: sign * self.evaluate(typed.expression, player) for player in left}
                best = max(values.values())
                left = [player for player in left if values[player] == best]
        return tuple(left)

    def evaluate(self, expression: Any, player: int) -> int:
        """Return the number of a compiled expression as one player."""
        frame = [0, player] + [0] * self._compiled.winners_size
        return int(expression.value(self._table.cells, frame))

    def counter(self, name: str, player: int | None = None) -> int:
        """Return the number in a counter of the pack, as the engine keeps it."""
        cells = self._compiled.plan.counters.get(name)
        if cells is None:
            raise BroomserviceError(f"there is no counter '{name}'")
        return self._table.cells[cells.base + (player or 0)]

    def pieces(self, place: str, player: int | None = None) -> dict[str, int]:
        """Return the pieces in a place of the pack or on a site, with their numbers.

        >>> import broomservice as bs
        >>> bs.load("broom_service").start(players=2, seed=1).pieces("stock", 0)["wand"]
        1
        """
        plan, names = self._compiled.plan, self._compiled.names
        if place in names.sites:
            number = names.sites[place].number
        elif place in plan.place_base:
            number = plan.place_base[place] + (player or 0)
        else:
            raise BroomserviceError(f"there is no place '{place}'")
        held = plan.held[number]
        return {
            kind.id: count
            for kind in names.pieces.values()
            if kind.family in held and (count := self._table.holding(number, kind.number))
        }

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """What has happened, with reasons; empty if the game keeps no log."""
        return entries(self)

    def log_in(self, language: str) -> tuple[LogEntry, ...]:
        """Return what has happened in a language."""
        return entries(self, language)

    def view(self, player: int) -> View:
        """Return what one player may know."""
        from broomservice.view import View

        return View.of(self, player)

    def resampled(self, player: int, seed: int) -> State:
        """Return a position that looks the same to a player, all that is hidden mixed anew.

        What bots may search in without seeing hidden things; equal seeds give equal positions.
        """
        from broomservice.view import resampled

        return resampled(self, player, seed)

    def record(self, *, draws: bool = False) -> Record:
        """Return the record of the game so far; see `Record.from_state`.

        Raises:
            RecordError: if the log is off, or the position was not reached by playing.
        """
        from broomservice.records import Record

        return Record.from_state(self, draws=draws)

    def speaker(self, language: str) -> Speaker:
        """Return what turns numbers into names in a language."""
        return Speaker(self._compiled, language, self._names)

    # --- saving -------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Return the position as JSON: any position, also in the middle of an effect."""
        table = self._table
        return json.dumps(
            {
                "game": self.game.id,
                "digest": self.game.digest,
                "players": self.players,
                "names": list(self._names),
                "cells": table.cells,
                "stack": table.stack,
                "chance": [table.chance.a, table.chance.b],
                "chance_asks": table.chance_asks,
                "log": table.log,
                "moments": table.moments,
            }
        )

    @classmethod
    def from_json(cls, game: Game, text: str) -> State:
        """Return the position that `to_json` wrote; see `Game.from_json`."""
        from broomservice.saving import restored

        return restored(game, text)

    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits of what lies where, what is asked, and the random stream.

        They stay the same as long as the pack does, whatever changes inside the engine.
        """
        table = self._table
        chance = table.chance
        key = json.dumps([table.cells, table.decider, table.options, chance.a, chance.b])
        return hashlib.blake2b(key.encode(), digest_size=8).hexdigest()

    def short(self) -> str:
        """Return the position in one line, for errors and tests."""
        table = self._table
        if not table.options:
            return f"{self.game.id} {self.fingerprint()}: over"
        who = "chance" if table.decider == CHANCE else self._names[table.decider]
        question = self._compiled.questions.get(table.stack[-1][0])
        doing = f"{who} to answer {question.verb}" if question else "in the middle of a step"
        return f"{self.game.id} {self.fingerprint()}: {doing}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        one, two = self._table, other._table
        return (
            self.game.digest == other.game.digest
            and one.cells == two.cells
            and one.stack == two.stack
            and one.chance.a == two.chance.a
            and one.chance.b == two.chance.b
        )

    def __hash__(self) -> int:
        table = self._table
        return hash((tuple(table.cells), table.chance.a, tuple(map(tuple, table.stack))))

    def __repr__(self) -> str:
        return f"<State {self.short()}>"


def lines_of(fault: RuleError, compiled: Compiled) -> str:
    """Return the lines of the pack whose steps a fault names."""
    info = compiled.info
    return ", ".join(
        sorted({f"{info[i].place} ({info[i].keyword})" for i in fault.steps if i >= 0})
    )
