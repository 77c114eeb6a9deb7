"""Looking for hidden choices and draws that make a record legal.

The first guess is what players show later. Where a move then fails, one hidden choice is changed
so that the record gets further, and so on. What a move has taught is kept, with the move.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

import attrs

from broomservice.records.hidden import Block, Key, Plan, World
from broomservice.records.matching import Cursor, Failure

MOST_TRIES = 2500
RECENT = 8
LINES = 24
FAR = 60
AT_ONCE = 12
AT_A_TIME = 30
PENALTY = 3

Signature = frozenset[tuple[Key, frozenset[int], frozenset[int]]]


@attrs.frozen
class Missed:
    """A contradiction: an owner was passed over at a move, and later shows an option held then."""

    owner: int
    option: int
    passed: int
    shown: int


def signature(world: World) -> Signature:
    """Return what makes worlds the same."""
    return frozenset(
        (key, frozenset(one for one, _ in plan.has), frozenset(one for one, _ in plan.lacks))
        for key, plan in world.items()
    )


@attrs.define
class Search:
    """A record with one completion: how far it goes, and what may be changed in it."""

    cursor: Cursor
    failure: Failure | None
    world: World = attrs.field(factory=dict)
    missed: Missed | None = None
    left: Iterator[tuple[Block, Plan]] | None = None
    visits: int = 0
    tries: int = 0
    is_exhausted: bool = False

    @classmethod
    def of(cls, start: Cursor) -> Search:
        """Return a record completed as far as possible: the furthest first, then its changes."""
        cursor = start.copy()
        first = best = cls(cursor, cursor.advance({}))
        seen = {signature(first.world)}
        heap: list[tuple[int, int, int, Search]] = []
        count = itertools.count()

        def add(node: Search) -> None:
            size = sum(len(plan.has) + len(plan.lacks) for plan in node.world.values())
            rank = PENALTY * node.visits - node.at()
            heapq.heappush(heap, (rank, size, next(count), node))

        add(first)
        tries = 0
        while heap and best.failure is not None and tries < MOST_TRIES:
            node = heapq.heappop(heap)[-1]
            for child in itertools.islice(node.children(seen), AT_A_TIME):
                tries += 1
                if child.failure is None:
                    return child
                if child.at() < node.at():
                    continue
                add(child)
                best = max(best, child, key=cls.worth)
                if child.at() > node.at():
                    break
            else:
                if node.is_exhausted:
                    continue
            node.visits += 1
            add(node)
        best.tries = tries
        return best

    def at(self) -> int:
        """Return the move that fails; 0 if none does."""
        return self.failure.at if self.failure is not None else 0

    def worth(self) -> tuple[int, bool]:
        """Return how good a completion is: how far it goes, and that the right player is asked."""
        return self.at(), self.failure is not None and self.failure.code != "passed-over"

    def children(self, seen: set[Signature]) -> Iterator[Search]:
        """Return completions in which one hidden choice is changed, those not tried yet."""
        assert self.failure is not None
        if self.left is None:
            self.left = self.changes(self.failure)
        for block, plan in self.left:
            world = {**self.world, block.key: plan}
            if (mark := signature(world)) in seen:
                continue
            seen.add(mark)
            cursor = block.before.copy()
            yield Search(cursor, cursor.advance(world), world)
        self.is_exhausted = True

    # --- what may be changed ----------------------------------------------------------------------

    def changes(self, failure: Failure) -> Iterator[tuple[Block, Plan]]:
        """Return changes of hidden choices, the likeliest first."""
        cursor = self.cursor
        for doubt in reversed(cursor.doubts):
            if failure.at - doubt.key[0] <= FAR:
                yield doubt, Plan()
        mover = cursor.script.players[cursor.order[failure.at]]
        asked = failure.run.state.player
        recent = self.recent(failure)
        own = [
            block
            for player in (mover, asked)
            if player >= 0 and (block := self.latest(player)) is not None and block.is_piece
        ]
        theirs = [block for block in own if block.owner == asked]
        mine = [block for block in own if block.owner == mover][:1]
        rounds = [self.removals(block, failure, recent, later=False) for block in theirs[:1]]
        rounds += [self.additions(block, failure, recent) for block in mine]
        if failure.code != "passed-over":
            rounds.reverse()
        for changes in rounds:
            yield from itertools.islice(changes, AT_ONCE)
        rounds += [self.removals(block, failure, recent, later=True) for block in theirs[:1]]
        rounds += [self.replacements(block, failure, recent) for block in mine]
        for changes in rounds:
            yield from changes
        laid = self.just_moved(failure)
        for player in range(failure.run.state.players):
            block = self.latest(player)
            if player not in (asked, mover) and block is not None and block.is_piece:
                for option in held_options(cursor, block):
                    if option in laid:
                        plan = self.world.get(block.key, Plan())
                        yield block, plan.without(option).lacking(option, failure.at)
        for block in reversed(cursor.blocks[-3 * failure.run.state.players :]):
            if not block.is_piece or block.owner < 0:
                for option in block.possible:
                    if option not in block.target[:1]:
                        yield block, Plan().holding(option, failure.at)

    def replacements(
        self, block: Block, failure: Failure, recent: list[int]
    ) -> Iterator[tuple[Block, Plan]]:
        """Return plans with one more piece in the place of one that was thought to be there."""
        plan = self.world.get(block.key, Plan())
        known = {option for option, _ in (*plan.has, *plan.lacks)}
        named = self.named(block, failure)
        added = [
            one for one in [*recent, *block.possible] if one in block.possible and one not in known
        ]
        for old, _ in reversed(plan.has):
            if old not in named:
                for option in dict.fromkeys(added):
                    yield block, plan.without(old).holding(option, failure.at)

    def latest(self, player: int) -> Block | None:
        """Return the last hidden choice about a player."""
        return next((one for one in reversed(self.cursor.blocks) if one.owner == player), None)

    def recent(self, failure: Failure) -> list[int]:
        """Return what was mentioned last, the move that fails first."""
        cursor = self.cursor
        script = cursor.script
        result: list[int] = []
        for number in reversed(cursor.order[max(0, failure.at - RECENT) : failure.at + 1]):
            result += script.spellings.options(script.record.moves[number].text)
        result += [option for _, option, _ in reversed(failure.run.forced)]
        taken = [one.option for one in reversed(failure.run.answers[-RECENT:])]
        return list(dict.fromkeys(result + taken))

    def just_moved(self, failure: Failure) -> set[int]:
        """Return the options of the pieces that moved last."""
        run = failure.run
        return {run.first_piece + line[1] for line in (run.table.log or ())[-LINES:] if line[0] < 0}

    def additions(
        self, block: Block, failure: Failure, recent: list[int]
    ) -> Iterator[tuple[Block, Plan]]:
        """Return plans with one more piece in a player's choice; note what contradicts it."""
        plan = self.world.get(block.key, Plan())
        lacks = dict(plan.lacks)
        have = {option for option, _ in plan.has}
        for option in [*recent, *(one for one in block.possible if one not in recent)]:
            if option not in block.possible or option in have:
                continue
            if option not in lacks:
                yield block, plan.holding(option, failure.at)
            elif self.missed is None and option in recent:
                self.missed = Missed(block.owner, option, lacks[option], failure.at)

    def removals(
        self, block: Block, failure: Failure, recent: list[int], *, later: bool
    ) -> Iterator[tuple[Block, Plan]]:
        """Return plans with one piece less in a player's choice: one it shows later, or not."""
        plan = self.world.get(block.key, Plan())
        named = self.named(block, failure)
        held = [one for one in held_options(self.cursor, block) if one not in named]
        shown = [one for one in held if (block.key, one) in self.cursor.shown]
        unshown = [one for one in held if one not in shown]
        ranked = [*(one for one in recent if one in held), *unshown, *shown]
        for option in dict.fromkeys(ranked):
            if (option in block.guess) != later:
                continue
            yield block, plan.without(option).lacking(option, failure.at)

    def named(self, block: Block, failure: Failure) -> set[int]:
        """Return the options that their owner has named since a hidden choice."""
        cursor = self.cursor
        return {
            option
            for i, player, option in cursor.script.later(cursor.order, block.key[0])
            if player == block.owner and i < failure.at
        }


def held_options(cursor: Cursor, block: Block) -> list[int]:
    """Return what a hidden choice was filled with, also without being asked at last."""
    return list(dict.fromkeys(cursor.held.get(block.key, ())))
