"""A game being replayed: like a position, and it notices answers that need no asking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.code import Question
from broomservice.compile.compiler import action_bases
from broomservice.core.expressions import ME
from broomservice.core.table import CHANCE, Effect, Table
from broomservice.state import State

if TYPE_CHECKING:
    from broomservice.game import Game


@attrs.frozen
class Answer:
    """An answer that the game took: who gave it, the option, and the move of the record.

    `move` counts from 0; `hidden` if the record leaves the answer out, and it was filled in before
    that move.
    """

    player: int
    option: int
    move: int
    hidden: bool = False


@attrs.define
class Run:
    """A position with the way to it.

    `answers` are all answers that the game asked for, `forced` those that it took by itself since
    the last one, because nothing else was possible, and draws made by a seed: who, the option, and
    the step. `moved` are the pieces that the rules have moved since then from places of players
    who were not asked, as in following suit by duty: whose, and the option. `skipped` are players
    for whom nothing was open, or whom the rules passed over.
    """

    state: State
    answers: list[Answer] = attrs.field(factory=list)
    forced: list[tuple[int, int, int]] = attrs.field(factory=list)
    moved: list[tuple[int, int]] = attrs.field(factory=list)
    skipped: list[int] = attrs.field(factory=list)

    @classmethod
    def begin(cls, game: Game, names: tuple[str, ...], seed: int, *, chance_asks: bool) -> Run:
        """Return a new game at its first question."""
        state = game.start(len(names), seed=seed, names=names, chance_asks=chance_asks)
        run = cls(state)
        run.note_forced(0)
        return run

    def copy(self) -> Run:
        """Return a run that goes on independently of this one."""
        return Run(
            self.state.copy(), self.answers[:], self.forced[:], self.moved[:], self.skipped[:]
        )

    # --- what is asked --------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table of the position."""
        return self.state._table

    @property
    def first_piece(self) -> int:
        """The id of the option of the first piece."""
        return action_bases(self.state.game.names)[0]["piece"]

    def is_piece(self, option: int) -> bool:
        """Whether an option is a piece."""
        return bool(self.state.game.options[option].kind == "piece")

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

    def answer(self, option: int, move: int, *, hidden: bool = False) -> None:
        """Give an open answer.

        Raises:
            RuleError: if the rules of the pack cannot be carried out.
        """
        log = self.table.log
        assert log is not None
        known = len(log)
        self.answers.append(Answer(self.state.player, option, move, hidden))
        self.state.play_in_place(option)
        self.note_forced(known + 1)

    def note_forced(self, first: int) -> None:
        """Note what the log tells from a line on of answers that nobody was asked for."""
        log, questions = self.table.log, self.state._compiled.questions
        assert log is not None
        self.forced = []
        self.moved = self.moved_from(log[first:])
        duties = self.state._compiled.duties
        self.skipped = [line[1] for line in log[first:] if is_skip(line, questions, duties)]
        for line in log[first:]:
            if line[0] >= 0 and is_answer(line, questions) and line[2] >= 0:
                self.forced.append((line[1], line[2], line[0]))
            elif line[0] < 0:
                self.forced.append((CHANCE, self.first_piece + line[1], -1))

    def moved_from(self, log: list[list[int]]) -> list[tuple[int, int]]:
        """Return whose pieces a part of the log moves, but for the player who answered last."""
        owners, last = self.table.layout.owners, self.answers[-1].player if self.answers else -1
        return [
            (owners[line[2]], self.first_piece + line[1])
            for line in log
            if line[0] < 0 and owners[line[2]] >= 0 and owners[line[2]] != last
        ]


def is_answer(line: list[int], questions: Mapping[int, Question]) -> bool:
    """Whether a line of the log is an answer or a draw, asked for or not."""
    return line[0] in questions


def is_skip(
    line: list[int], questions: Mapping[int, Question], duties: Mapping[int, object]
) -> bool:
    """Whether a line of the log says that nothing was open, or that a player was passed over."""
    return line[0] in duties or (line[0] in questions and line[2] < 0)


def was_asked(line: list[int], questions: Mapping[int, Question]) -> bool:
    """Whether a line of the log is an answer that somebody, or chance, was asked for."""
    return line[0] in questions and len(line) == 3
