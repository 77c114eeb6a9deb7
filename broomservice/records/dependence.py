"""What a record depends on: hidden answers that no move shows, changed one by one."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from broomservice.records.changes import held_options
from broomservice.records.hidden import Block, Plan
from broomservice.records.search import Completion

MOST_TESTS = 1500


@attrs.frozen
class Dependence:
    """A hidden choice or draw, and what must be true of it for the record to be legal.

    `shown` are the answers that later moves show, `needed` those that no move shows and that must
    be there, `excluded` those that must not be there, each with the place of the move that shows
    it or would fail. `filled` are answers that do not matter. `is_tested` is False if there were
    too many to try; all that was filled in then counts as needed.
    """

    block: Block
    shown: tuple[tuple[int, int], ...]
    needed: tuple[tuple[int, int], ...] = ()
    excluded: tuple[tuple[int, int], ...] = ()
    filled: tuple[int, ...] = ()
    is_tested: bool = True

    @property
    def matters(self) -> bool:
        """Whether the record is illegal for some hidden answers."""
        return bool(self.needed or self.excluded)


@attrs.define
class Tester:
    """A legal completion of a record, whose hidden answers are changed one by one."""

    found: Completion
    tests: int = 0

    def dependences(self) -> Iterator[Dependence]:
        """Return what the record depends on, for each hidden choice or draw."""
        for block in self.found.cursor.blocks:
            yield self.tested(block)

    def tested(self, block: Block) -> Dependence:
        """Change the answers of one hidden choice that no move shows."""
        held = held_options(self.found.cursor, block)
        moves = self.found.cursor.shown
        shown = tuple((one, moves[block.key, one]) for one in held if (block.key, one) in moves)
        unshown = [one for one in held if (block.key, one) not in moves]
        if not unshown:
            return Dependence(block, shown)
        others = self.others(block, held)
        if self.tests + len(others) + len(unshown) > MOST_TESTS:
            needed = tuple((one, -1) for one in unshown)
            return Dependence(block, shown, needed, is_tested=False)
        swaps = {other: self.swaps(block, unshown, other) for other in others}
        excluded = tuple(
            (other.option, max(at for _, at in tried))
            for other, tried in swaps.items()
            if all(at >= 0 for _, at in tried)
        )
        bad = {option for option, _ in excluded}
        instead = [other for other in others if other.option not in bad]
        needed = tuple(self.needed(block, unshown, instead or others))
        if len(needed) == len(unshown):
            excluded = ()
        known = {option for option, _ in needed}
        filled = tuple(one for one in unshown if one not in known)
        return Dependence(block, shown, needed, excluded, filled)

    def others(self, block: Block, held: list[int]) -> list[Other]:
        """Return what could have been answered instead, as far as no move shows where it was."""
        cursor = self.found.cursor
        source: dict[int, Block] = {}
        known: set[int] = set()
        if block.is_draw:
            known = {option for at, _, option in cursor.told if at >= block.key[0]}
            for other in cursor.blocks:
                if other.effect == block.effect and other.key != block.key:
                    for option in held_options(cursor, other):
                        source[option] = other
                        if (other.key, option) in cursor.shown:
                            known.add(option)
        return [
            Other(option, source.get(option))
            for option in dict.fromkeys([*block.possible, *source])
            if option not in held and option not in known
        ]

    def swaps(self, block: Block, unshown: list[int], other: Other) -> list[tuple[int, int]]:
        """Put something in the place of each hidden answer, until the record is legal with it.

        Returns the answers given away, each with the move that fails then, -1 if none does.
        """
        result: list[tuple[int, int]] = []
        for filler in unshown:
            at = self.failing(block, filler, other)
            result.append((filler, at))
            if at < 0:
                unshown.remove(filler)
                unshown.insert(0, filler)
                break
        return result

    def needed(
        self, block: Block, unshown: list[int], instead: list[Other]
    ) -> Iterator[tuple[int, int]]:
        """Return the answers without which some move fails."""
        for option in unshown:
            worst = -1
            for other in instead:
                at = self.failing(block, option, other)
                if at < 0:
                    break
                worst = max(worst, at)
            else:
                if instead:
                    yield option, worst

    def failing(self, block: Block, given: int, other: Other) -> int:
        """Return the move that fails if one answer is exchanged for another; -1 if none does."""
        self.tests += 1
        cursor = self.found.cursor
        changed = {block.key: exchanged(held_options(cursor, block), given, other.option)}
        start = block
        if other.source is not None:
            kept = held_options(cursor, other.source)
            changed[other.source.key] = exchanged(kept, other.option, given)
            start = min(block, other.source, key=lambda one: len(one.before.run.answers))
        failure = start.before.copy().advance({**self.found.world, **changed})
        return -1 if failure is None else failure.at


@attrs.frozen
class Other:
    """Something that could have been answered; `source` is where it was filled in instead."""

    option: int
    source: Block | None = attrs.field(default=None, eq=False)


def exchanged(held: list[int], out: int, new: int) -> Plan:
    """Return a hidden choice with one answer in the place of another."""
    return Plan((*(one for one in held if one != out), new), frozenset({out}))
