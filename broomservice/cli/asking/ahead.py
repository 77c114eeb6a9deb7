"""Looking ahead: what one player could do within the next few answers in a row."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

import attrs

from broomservice.cli.asking.questions import is_secret
from broomservice.core.errors import RuleError
from broomservice.core.table import Table
from broomservice.log import LogEntry, entries
from broomservice.option import PASS, Option
from broomservice.state import State

ANSWERS = 3
BREADTH = 12
MOST = 80
FORCED_LINE = 4


@attrs.frozen
class Way:
    """Answers of one player in a row, what happens by them, and the position behind them."""

    answers: tuple[Option, ...]
    state: State
    entries: tuple[LogEntry, ...] = ()

    def after(self, option: int, language: str) -> Way | None:
        """Return the way with one more answer; None if the rules of the pack cannot do it."""
        try:
            return self.step(option, language)
        except RuleError:
            return None

    def step(self, option: int, language: str) -> Way:
        """Return the way with one more answer.

        Raises:
            IllegalMove: if it is not open there.
            RuleError: if the rules of the pack cannot be carried out.
        """
        state = unlogged(self.state)
        state.play_in_place(option)
        answers = (*self.answers, state.game.options[option])
        return Way(answers, state, self.entries + entries(state, language)[1:])


@attrs.frozen
class Stop:
    """A question on a way of one player, also one that answers itself as a single thing is open.

    `answers` are those that the player gave so far, `taken` also what was taken by itself.
    """

    answers: tuple[int, ...]
    taken: frozenset[int]
    state: State
    is_forced: bool = False

    def after(self, option: int) -> Stop | None:
        """Return the next question after an answer; None if the rules cannot be carried out."""
        try:
            state, is_forced = stopped(self.state, option)
        except RuleError:
            return None
        answers = self.answers if self.is_forced else (*self.answers, option)
        return Stop(answers, self.taken | {option}, state, is_forced)


def unlogged(state: State) -> State:
    """Return a position with an empty log in which chance asks, to try something."""
    tried = state.copy()
    tried._table.log, tried._table.chance_asks = [], True
    return tried


def stopped(state: State, option: int) -> tuple[State, bool]:
    """Return the next question after an answer, and whether it would answer itself.

    Raises:
        RuleError: if the rules of the pack cannot be carried out.
    """
    tried = unlogged(state)
    table, questions = tried._table, tried._compiled.questions
    frame = table.stack[-1]
    following = table.code[frame[0]].take(table, frame, option)
    for _ in range(table.budget):
        if following is None:
            return tried, False
        number = following.number
        before = table.copy() if number in questions else None
        length = len(table.log or ())
        following = following.run(table, table.stack[-1])
        if before is not None and (forced := (table.log or [])[length:]):
            if len(forced[0]) == FORCED_LINE and forced[0][0] == number and forced[0][2] >= 0:
                return asking(state, before, forced[0]), True
    raise RuleError("the rules run in circles", [])


def asking(state: State, table: Table, line: list[int]) -> State:
    """Return the position in which the question of a line of the log is put."""
    number, player, option, _ = line
    table.stack[-1][0] = number
    table.decider, table.options = player, [option]
    return State(state.game, state._compiled, table, state.names)


def stops(state: State) -> Iterator[Stop]:
    """Return the questions of the player who is asked, nearer ones first; at first this one.

    What all choose in secret is not looked into.
    """
    player, left = state.player, MOST
    waiting = deque([Stop((), frozenset(), state)])
    while waiting:
        stop = waiting.popleft()
        yield stop
        if len(stop.answers) >= ANSWERS or stop.state.player != player or is_secret(stop.state):
            continue
        for option in stop.state.option_ids[:BREADTH]:
            further = stop.after(option) if left else None
            left -= left > 0
            if further is not None:
                (waiting.appendleft if further.is_forced else waiting.append)(further)


def way_to(state: State, wanted: Collection[int], language: str) -> Way | None:
    """Return the shortest way on which all wanted options are taken, None if there is none."""
    for stop in stops(state):
        left = set(wanted) - stop.taken
        if not left and stop.answers:
            return way_of(state, stop.answers, language)
        own = stop.state.player == state.player
        if len(left) == 1 and own and left <= set(stop.state.option_ids):
            last = () if stop.is_forced else (left.pop(),)
            return way_of(state, (*stop.answers, *last), language)
    return None


def way_of(state: State, answers: Collection[int], language: str) -> Way | None:
    """Return the way of some answers."""
    way: Way | None = Way((), state)
    for option in answers:
        way = way.after(option, language) if way is not None else None
    return way


def is_reachable(state: State, option: int) -> bool:
    """Whether an option, other than to pass, is open soon on some way of the player."""
    own = (stop for stop in stops(state) if stop.state.player == state.player)
    return option != PASS and any(option in stop.state.option_ids for stop in own)
