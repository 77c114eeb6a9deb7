"""Domains: the things that can be looked through or chosen from, and the questions about them."""

from __future__ import annotations

import attr

from broomservice.core.expressions import NOTHING, Expression


@attr.s(auto_attribs=True, eq=False)
class Domain:
    """Things in rising order of their numbers."""

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        """Return the things there are now; the caller does not change the list."""
        raise NotImplementedError


@attr.s(auto_attribs=True, eq=False)
class Fixed(Domain):
    """Always the same things: all towers, all players."""

    members: list[int]

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        return self.members


@attr.s(auto_attribs=True, eq=False)
class Related(Domain):
    """The things that a table relates to one thing; the last row answers for nothing (-1)."""

    rows: list[list[int]]
    key: Expression

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        return self.rows[self.key.value(cells, frame)]


@attr.s(auto_attribs=True, eq=False)
class Lying(Domain):
    """The unique pieces `first` and following that lie in a place, one cell telling where each is."""

    first: int
    count: int
    cell: int
    place: Expression

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        place = self.place.value(cells, frame)
        result: list[int] = []
        shift = self.first - self.cell
        for cell in range(self.cell, self.cell + self.count):
            if cells[cell] == place:
                result.append(cell + shift)
        return result


@attr.s(auto_attribs=True, eq=False)
class Stacked(Domain):
    """The kinds of pieces of which a place holds at least one, one cell counting each kind."""

    first: int
    count: int
    cell: Expression

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        start = self.cell.value(cells, frame)
        result: list[int] = []
        for i in range(self.count):
            if cells[start + i] > 0:
                result.append(self.first + i)
        return result


@attr.s(auto_attribs=True, eq=False)
class Occupant(Domain):
    """The one piece in a place that holds one at most, if it is of these kinds."""

    first: int
    count: int
    cell: Expression

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        piece = cells[self.cell.value(cells, frame)]
        if piece < self.first or piece >= self.first + self.count:
            return []
        return [piece]


@attr.s(auto_attribs=True, eq=False)
class Span(Domain):
    """The whole numbers from one to another, both included."""

    low: Expression
    high: Expression

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        return list(range(self.low.value(cells, frame), self.high.value(cells, frame) + 1))


@attr.s(auto_attribs=True, eq=False)
class Joined(Domain):
    """Several domains, one after the other."""

    parts: list[Domain]

    def values(self, cells: list[int], frame: list[int]) -> list[int]:
        result: list[int] = []
        for part in self.parts:
            result.extend(part.values(cells, frame))
        return result


@attr.s(auto_attribs=True, eq=False)
class Address(Expression):
    """Where a place's cells begin: a base, and a stretch for each owner or site."""

    base: int
    stride: int
    owner: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
        return self.base + self.stride * self.owner.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class IsIn(Expression):
    """Whether a thing is in a domain."""

    item: Expression
    domain: Domain

    def value(self, cells: list[int], frame: list[int]) -> int:
        return 1 if self.item.value(cells, frame) in self.domain.values(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class Exists(Expression):
    """Whether the condition holds for something in the domain."""

    slot: int
    domain: Domain
    condition: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
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

    slot: int
    domain: Domain
    condition: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
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

    slot: int
    domain: Domain
    condition: Expression
    amount: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
        slot = self.slot
        result = 0
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                result += self.amount.value(cells, frame)
        return result


@attr.s(auto_attribs=True, eq=False)
class Extreme(Expression):
    """The largest (`sign` 1) or smallest (-1) amount in the domain; 0 if there is nothing."""

    slot: int
    domain: Domain
    condition: Expression
    amount: Expression
    sign: int

    def value(self, cells: list[int], frame: list[int]) -> int:
        slot = self.slot
        result = 0
        found = False
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                amount = self.amount.value(cells, frame) * self.sign
                if not found or amount > result:
                    result = amount
                    found = True
        return result * self.sign


@attr.s(auto_attribs=True, eq=False)
class Best(Expression):
    """The thing with the largest amount, the first of several such; -1 if there is nothing."""

    slot: int
    domain: Domain
    condition: Expression
    amount: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
        slot = self.slot
        best = NOTHING
        most = 0
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                amount = self.amount.value(cells, frame)
                if best == NOTHING or amount > most:
                    best = thing
                    most = amount
        return best


@attr.s(auto_attribs=True, eq=False)
class First(Expression):
    """The first thing for which the condition holds; -1 if there is none."""

    slot: int
    domain: Domain
    condition: Expression

    def value(self, cells: list[int], frame: list[int]) -> int:
        slot = self.slot
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                return thing
        return NOTHING
