"""A game being replayed: like a position, and it notices answers that need no asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.core.chance import Chance
from broomservice.core.errors import RuleError
from broomservice.core.expressions import ME, NOTHING
from broomservice.core.questions import Choose, Draw, Either
from broomservice.core.table import CHANCE, NOBODY, Effect, Table
from broomservice.state import State

if TYPE_CHECKING:
    from broomservice.game import Game


@attrs.frozen
class Answer:
    """An answer that the game took: who gave it, the option, and the move of the record."""

    player: int
    option: int
    move: int


@attrs.define
class Run:
    """A position with the way to it.

    `answers` are all answers that the game asked for, `forced` those that it took by itself since
    the last one, because nothing else was possible, and draws made by a seed.
    """

    state: State
    answers: list[Answer] = attrs.field(factory=list)
    forced: list[tuple[int, int]] = attrs.field(factory=list)

    @classmethod
    def begin(cls, game: Game, names: tuple[str, ...], seed: int, *, chance_asks: bool) -> Run:
        """Return a new game at its first question."""
        compiled = game.compiled(len(names))
        program = compiled.program
        frame = [program.entry, NOBODY] + [0] * (program.size - 2)
        table = Table(
            program.code, program.layout, program.cells[:], [frame], [], NOBODY,
            Chance.seeded(seed), chance_asks, program.budget, [],
        )
        run = cls(State(game, compiled, table, names))
        run.go_on(program.code[program.entry])
        return run

    def copy(self) -> Run:
        """Return a run that goes on independently of this one."""
        return Run(self.state.copy(), self.answers[:], self.forced[:])

    # --- what is asked --------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table of the position."""
        return self.state._table

    @property
    def effect(self) -> Effect | None:
        """The step that asks, None when the game is over."""
        table = self.table
        return table.code[table.stack[-1][0]] if table.options else None

    @property
    def owner(self) -> int:
        """Whom the open question is about: who answers it, or for whom chance draws."""
        table = self.table
        return table.stack[-1][ME] if table.decider == CHANCE else table.decider

    @property
    def secret(self) -> int:
        """The secret block in which somebody is asked, or -1."""
        table = self.table
        return self.state._compiled.info[table.stack[-1][0]].secret if table.options else -1

    # --- answering ------------------------------------------------------------------------------

    def answer(self, option: int, move: int) -> None:
        """Give an open answer.

        Raises:
            RuleError: if the rules of the pack cannot be carried out.
        """
        table = self.table
        frame = table.stack[-1]
        effect = table.code[frame[0]]
        assert table.log is not None
        table.log.append([effect.number, table.decider, option])
        self.answers.append(Answer(table.decider, option, move))
        self.forced = []
        try:
            self.go_on(effect.take(table, frame, option))
        except RuleError as fault:
            raise self.state.located(fault) from None

    def go_on(self, effect: Effect | None) -> None:
        """Carry out steps until somebody is asked, as the table does, and note what is forced."""
        table = self.table
        table.options, table.decider = [], NOBODY
        left = table.budget
        while effect is not None:
            left -= 1
            if left < 0:
                table.complain_of_circle(effect)
            frame = table.stack[-1]
            following = effect.run(table, frame)
            if following is not None:
                self.note(effect, frame, following)
            effect = following

    def note(self, effect: Effect, frame: list[int], following: Effect) -> None:
        """Note an answer that a step took without asking."""
        if isinstance(effect, Choose | Draw):
            if frame[effect.slot] != NOTHING:
                player = CHANCE if isinstance(effect, Draw) else frame[ME]
                self.forced.append((player, effect.base + frame[effect.slot]))
        elif isinstance(effect, Either):
            for label, target in zip(effect.labels, effect.targets, strict=True):
                if target is following and following is not effect.empty:
                    self.forced.append((frame[ME], label))
