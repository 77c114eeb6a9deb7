"""Domains: the things that can be looked through or chosen from, and the questions about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attr

from broomservice.core.chance import Chance
from broomservice.core.errors import RuleError
from broomservice.core.expressions import NOTHING, Always, Expression

if TYPE_CHECKING:
    from mypy_extensions import i64


LONGEST_SPAN: Final = 1000


@attr.s(auto_attribs=True, eq=False)
class Domain:
    """Things in rising order of their numbers."""

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        """Return the things there are now; the caller does not change the list."""
        raise NotImplementedError

    def drawn(self, cells: list[i64], frame: list[i64], chance: Chance) -> i64:
        """Return one of the things there are now, each equally likely; -1 if there is none."""
        things = self.values(cells, frame)
        count: i64 = len(things)
        if count == 0:
            return NOTHING
        return things[0] if count == 1 else things[chance.below(count)]


@attr.s(auto_attribs=True, eq=False)
class Fixed(Domain):
    """Always the same things: all towers, all players."""

    members: list[i64]

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        return self.members


@attr.s(auto_attribs=True, eq=False)
class Related(Domain):
    """The things that a table relates to one thing; the last row answers for nothing (-1)."""

    rows: list[list[i64]]
    key: Expression

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        return self.rows[self.key.value(cells, frame)]


@attr.s(auto_attribs=True, eq=False)
class Lying(Domain):
    """The unique pieces `first` and following that lie in a place, one cell telling where each is.

    `sizes` names for every place the cell that counts its pieces, so that looking can stop early.
    `alone` says that the place holds no other family, so that the cell counts just these.
    """

    first: i64
    count: i64
    cell: i64
    place: Expression
    sizes: list[i64]
    alone: bool

    def drawn(self, cells: list[i64], frame: list[i64], chance: Chance) -> i64:
        place = self.place.value(cells, frame)
        size_cell = self.sizes[place]
        if not self.alone or size_cell < 0:
            return Domain.drawn(self, cells, frame, chance)
        left = cells[size_cell]
        if left == 0:
            return NOTHING
        left = 0 if left == 1 else chance.below(left)
        cell = self.cell
        while cells[cell] != place or left > 0:
            if cells[cell] == place:
                left -= 1
            cell += 1
        return cell + self.first - self.cell

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        place = self.place.value(cells, frame)
        result: list[i64] = []
        size_cell = self.sizes[place]
        left = self.count if size_cell < 0 else cells[size_cell]
        cell = self.cell
        last = cell + self.count
        shift = self.first - cell
        while left > 0 and cell < last:
            if cells[cell] == place:
                result.append(cell + shift)
                left -= 1
            cell += 1
        return result


@attr.s(auto_attribs=True, eq=False)
class Stacked(Domain):
    """The kinds of pieces of which a place holds at least one, one cell counting each kind."""

    first: i64
    count: i64
    cell: Expression

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        start = self.cell.value(cells, frame)
        result: list[i64] = []
        for i in range(self.count):
            if cells[start + i] > 0:
                result.append(self.first + i)
        return result


@attr.s(auto_attribs=True, eq=False)
class Occupant(Domain):
    """The one piece in a place that holds one at most, if it is of these kinds."""

    first: i64
    count: i64
    cell: Expression

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        piece = cells[self.cell.value(cells, frame)]
        if piece < self.first or piece >= self.first + self.count:
            return []
        return [piece]


@attr.s(auto_attribs=True, eq=False)
class Span(Domain):
    """The whole numbers from one to another, both included."""

    low: Expression
    high: Expression

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        low = self.low.value(cells, frame)
        high = self.high.value(cells, frame)
        if high - low > LONGEST_SPAN:
            raise RuleError("too many numbers to look through", [])
        return list(range(low, high + 1))


@attr.s(auto_attribs=True, eq=False)
class Pickable(Domain):
    """Numbers that can be picked: those that the action space has, from 0 to one below `bound`."""

    numbers: Domain
    bound: i64

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        numbers = self.numbers.values(cells, frame)
        for number in numbers:
            if number < 0 or number >= self.bound:
                raise RuleError("a number is offered that cannot be picked", [])
        return numbers


@attr.s(auto_attribs=True, eq=False)
class Joined(Domain):
    """Several domains, one after the other."""

    parts: list[Domain]

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        result: list[i64] = []
        for part in self.parts:
            result.extend(part.values(cells, frame))
        return result


@attr.s(auto_attribs=True, eq=False)
class Gathered(Domain):
    """What is related to any of several things, such as the towers around either pawn."""

    slot: i64
    things: Domain
    condition: Expression
    around: Domain

    def values(self, cells: list[i64], frame: list[i64]) -> list[i64]:
        result: list[i64] = []
        for thing in self.things.values(cells, frame):
            frame[self.slot] = thing
            if self.condition.value(cells, frame) != 0:
                for other in self.around.values(cells, frame):
                    if other not in result:
                        result.append(other)
        result.sort()
        return result


@attr.s(auto_attribs=True, eq=False)
class Address(Expression):
    """Where a place's cells begin: a base, and a stretch for each owner or site."""

    base: i64
    stride: i64
    owner: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = self.owner.value(cells, frame)
        if owner < 0:
            raise RuleError("asked for the place of nobody", [])
        return self.base + self.stride * owner


@attr.s(auto_attribs=True, eq=False)
class IsIn(Expression):
    """Whether a thing is in a domain."""

    item: Expression
    domain: Domain

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.item.value(cells, frame) in self.domain.values(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class Exists(Expression):
    """Whether the condition holds for something in the domain."""

    slot: i64
    domain: Domain
    condition: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        condition = self.condition
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if condition.value(cells, frame) != 0:
                return 1
        return 0


@attr.s(auto_attribs=True, eq=False)
class ForAll(Expression):
    """Whether the condition holds for everything in the domain."""

    slot: i64
    domain: Domain
    condition: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        condition = self.condition
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if condition.value(cells, frame) == 0:
                return 0
        return 1


@attr.s(auto_attribs=True, eq=False)
class Total(Expression):
    """The sum of an amount over those things in the domain for which the condition holds."""

    slot: i64
    domain: Domain
    condition: Expression
    amount: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        condition = self.condition
        free = isinstance(condition, Always)
        result = 0
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if free or condition.value(cells, frame) != 0:
                result += self.amount.value(cells, frame)
        return result


@attr.s(auto_attribs=True, eq=False)
class Extreme(Expression):
    """The largest (`sign` 1) or smallest (-1) amount in the domain; 0 if there is nothing."""

    slot: i64
    domain: Domain
    condition: Expression
    amount: Expression
    sign: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        result = 0
        found = False
        condition = self.condition
        free = isinstance(condition, Always)
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if free or condition.value(cells, frame) != 0:
                amount = self.amount.value(cells, frame) * self.sign
                if not found or amount > result:
                    result = amount
                    found = True
        return result * self.sign


@attr.s(auto_attribs=True, eq=False)
class Best(Expression):
    """The thing with the largest amount, the first of several such; -1 if there is nothing."""

    slot: i64
    domain: Domain
    condition: Expression
    amount: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        best = NOTHING
        most = 0
        condition = self.condition
        free = isinstance(condition, Always)
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if free or condition.value(cells, frame) != 0:
                amount = self.amount.value(cells, frame)
                if best == NOTHING or amount > most:
                    best = thing
                    most = amount
        return best


@attr.s(auto_attribs=True, eq=False)
class First(Expression):
    """The first thing for which the condition holds; -1 if there is none."""

    slot: i64
    domain: Domain
    condition: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        slot = self.slot
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                return thing
        return NOTHING
