"""Looking for hidden choices and draws that make a record legal.

The first guess is what players show later. Where a move then fails, one hidden choice is changed
so that the record gets further, and so on. What a move has taught is kept, with the move.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from broomservice.records.hidden import Block, Plan, World
from broomservice.records.matching import Cursor, Failure

MOST_TRIES = 3000
TRIES_FOR_ONE = 150
RECENT = 8


@attrs.frozen
class Missed:
    """A contradiction: an owner was passed over at a move, and later shows an option held then."""

    owner: int
    option: int
    passed: int
    shown: int


@attrs.define
class Search:
    """A record with its best completion so far."""

    cursor: Cursor
    failure: Failure | None
    world: World = attrs.field(factory=dict)
    missed: Missed | None = None
    tries: int = 0
    seen: set[tuple[int, int]] = attrs.field(factory=set)

    @classmethod
    def of(cls, start: Cursor) -> Search:
        """Return a record completed as far as possible."""
        cursor = start.copy()
        search = cls(cursor, cursor.advance({}))
        while search.failure is not None and search.tries < MOST_TRIES and search.improve():
            pass
        return search

    def improve(self) -> bool:
        """Change one hidden choice so that the record gets further; return whether one does."""
        failure = self.failure
        assert failure is not None
        self.missed = None
        self.seen.add((failure.at, failure.run.state.player))
        for i, (block, plan) in enumerate(self.changes(failure)):
            if i == TRIES_FOR_ONE:
                break
            self.tries += 1
            world = {**self.world, block.key: plan}
            cursor = block.before.copy()
            found = cursor.advance(world)
            if self.is_further(failure, found):
                self.cursor, self.failure, self.world = cursor, found, world
                return True
        return False

    def is_further(self, old: Failure, new: Failure | None) -> bool:
        """Whether a record got further, or at the same move to another player not met before."""
        if new is None or new.at > old.at:
            return True
        return new.at == old.at and (new.at, new.run.state.player) not in self.seen

    # --- what may be changed ----------------------------------------------------------------------

    def changes(self, failure: Failure) -> Iterator[tuple[Block, Plan]]:
        """Return changes of hidden choices, the likeliest first."""
        cursor = self.cursor
        mover = cursor.script.players[cursor.order[failure.at]]
        asked = failure.run.state.player
        recent = self.recent(failure)
        if mover >= 0 and (block := self.latest(mover)) is not None and block.is_piece:
            yield from self.additions(block, failure, recent)
        for player in dict.fromkeys((asked, mover)):
            block = self.latest(player)
            if player >= 0 and block is not None and block.is_piece:
                yield from self.removals(block, failure, recent)
        for block in reversed(cursor.blocks[-6:]):
            if not block.is_piece or block.owner < 0:
                for option in block.possible:
                    if option not in block.target[:1]:
                        yield block, Plan().holding(option, failure.at)

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
        result += [option for _, option in reversed(failure.run.forced)]
        taken = [one.option for one in reversed(failure.run.answers[-RECENT:])]
        return list(dict.fromkeys(result + taken))

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
            if option in lacks:
                if self.missed is None and option in recent:
                    self.missed = Missed(block.owner, option, lacks[option], failure.at)
            else:
                yield block, plan.holding(option, failure.at)

    def removals(
        self, block: Block, failure: Failure, recent: list[int]
    ) -> Iterator[tuple[Block, Plan]]:
        """Return plans with one piece less in a player's choice."""
        plan = self.world.get(block.key, Plan())
        known = {option for option, _ in (*plan.has, *plan.lacks)}
        known |= {option for key, option in self.cursor.shown if key == block.key}
        held = held_options(self.cursor, block)
        for option in [*(one for one in recent if one in held), *held]:
            if option not in known:
                yield block, plan.lacking(option, failure.at)


def held_options(cursor: Cursor, block: Block) -> list[int]:
    """Return what a hidden choice was filled with, also without being asked at last."""
    index = next(i for i, one in enumerate(cursor.blocks) if one.key == block.key)
    first = len(block.before.run.answers)
    after = cursor.blocks[index + 1 :]
    last = len(after[0].before.run.answers) if after else len(cursor.run.answers)
    return [
        answer.option for answer in cursor.run.answers[first:last]
        if answer.move == block.key[0] and answer.option in block.possible
    ]
