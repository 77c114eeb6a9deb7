"""Looking for hidden choices and draws that make a record legal.

The first completion gives to players what they show later. Where a move then fails, one hidden
choice is changed so that the record gets further, or is read differently, and so on.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

import attrs

from broomservice.records.changes import Change, Changes
from broomservice.records.hidden import Block, Key, World
from broomservice.records.matching import Cursor, Failure

MOST_TRIES = 3000
AT_A_TIME = 30
PENALTY = 3
DETOUR = 12

MEANINGLESS = ("unknown-move", "unknown-player", "rules-fail")

Signature = frozenset[tuple[Key, frozenset[int], frozenset[int]]]


def signature(world: World) -> Signature:
    """Return what makes worlds the same."""
    return frozenset((key, frozenset(plan.has), plan.lacks) for key, plan in world.items())


@attrs.define
class Completion:
    """A record with its hidden answers filled in, as far as it goes."""

    cursor: Cursor
    failure: Failure | None
    world: World = attrs.field(factory=dict)
    visits: int = 0
    goal: int = 0
    left: Iterator[Change] = iter(())

    @classmethod
    def of(cls, cursor: Cursor, world: World, *, goal: int = 0) -> Completion:
        """Return a record completed from a position on; `goal` is how far it should get."""
        failure = cursor.advance(world)
        made = cls(cursor, failure, world, goal=goal)
        if failure is not None:
            made.left = iter(Changes(cursor, failure, world))
            if failure.at < goal:
                made.left = itertools.islice(made.left, DETOUR)
        return made

    @property
    def at(self) -> int:
        """The move that fails; behind all moves if none does."""
        return self.failure.at if self.failure is not None else len(self.cursor.order)

    @property
    def worth(self) -> tuple[int, bool]:
        """How good it is: how far it goes, and that the right player is asked."""
        return self.at, self.failure is not None and self.failure.code != "passed-over"

    @property
    def reading(self) -> tuple[object, ...]:
        """How the record was read, and what fails: changes that leave it alone lead nowhere."""
        assert self.failure is not None
        run = self.failure.run
        asks = run.effect.number if run.effect is not None else -1
        return self.at, self.failure.code, run.table.decider, asks, tuple(self.cursor.told)

    def changed(self, change: Change) -> World:
        """Return other hidden answers."""
        return {**self.world, **change}

    def earliest(self, change: Change) -> Block:
        """Return the first of the hidden choices that are changed."""
        known = [*self.cursor.blocks, *self.cursor.doubts]
        return min(
            (block for block in known if block.key in change),
            key=lambda block: len(block.before.run.answers),
        )


@attrs.define
class Search:
    """The best completion of a record, how many were tried, and whether there are no others.

    `is_exhausted` tells that no change of one hidden answer gets further, or is read differently.
    """

    best: Completion
    tries: int = 0
    is_exhausted: bool = False

    @classmethod
    def of(cls, start: Cursor) -> Search:
        """Return the completion of a record that goes furthest.

        Pieces that nobody saw before are written when they come down, also where nothing else was
        possible: so it is tried first. Only if that leads nowhere may they be left out as well.
        """
        strict = start.copy()
        strict.is_strict = True
        search = cls(Completion.of(strict, {})).run()
        if search.best.failure is None or not search.best.cursor.blocks:
            return search
        lenient = cls(Completion.of(start.copy(), {})).run()
        lenient.tries += search.tries
        lenient.is_exhausted &= search.is_exhausted
        return lenient

    def run(self) -> Search:
        """Try changes: those of the completion that goes furthest first."""
        heap: list[tuple[int, int, int, Completion]] = []
        count = itertools.count()
        seen = {signature(self.best.world)}
        readings: set[tuple[object, ...]] = set()

        def add(node: Completion) -> None:
            rank = PENALTY * node.visits - node.at
            heapq.heappush(heap, (rank, len(node.world), next(count), node))

        if self.best.failure is not None and self.best.failure.code not in MEANINGLESS:
            add(self.best)
        while heap and self.tries < MOST_TRIES:
            node = heapq.heappop(heap)[-1]
            is_left = False
            for change in itertools.islice(node.left, AT_A_TIME):
                is_left = True
                world = node.changed(change)
                if (mark := signature(world)) in seen:
                    continue
                seen.add(mark)
                self.tries += 1
                goal = max(node.at, node.goal)
                start = node.earliest(change).before.copy()
                child = Completion.of(start, world, goal=goal)
                if child.failure is None:
                    self.best = child
                    return self
                if child.at < goal and node.at < goal and child.at <= node.at:
                    continue
                if child.reading in readings:
                    continue
                readings.add(child.reading)
                add(child)
                self.best = max(self.best, child, key=lambda one: one.worth)
                if child.at > node.at:
                    break
            if is_left:
                node.visits += 1
                add(node)
        self.is_exhausted = not heap
        return self
