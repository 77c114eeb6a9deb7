"""Expressions: small final objects that compute one whole number from a position.

Everything is an int: players, sites, pieces and words are numbered by the compiler, truth is 0 or
1, and -1 is nobody or nothing. `cells` is the flat position; `frame` holds the names bound by the
verb that runs: index 0 is the next step, index 1 is `me`, the bound names follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attr

from broomservice.core.errors import RuleError

if TYPE_CHECKING:
    from mypy_extensions import i64

NOTHING: Final = -1
ME: Final = 1
LARGEST_NUMBER: Final = 1_000_000_000
UNKNOWN: Final = -1_000_000_007


@attr.s(auto_attribs=True, eq=False)
class Expression:
    """One whole number, computed anew each time it is asked for."""

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        """Return the number for this position and these bound names."""
        raise NotImplementedError


@attr.s(auto_attribs=True, eq=False)
class Constant(Expression):
    """Always the same number."""

    number: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.number


@attr.s(auto_attribs=True, eq=False)
class Always(Expression):
    """A condition that everything meets; loops look for it and ask nothing."""

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1


@attr.s(auto_attribs=True, eq=False)
class Bound(Expression):
    """A bound name: a slot of the frame."""

    slot: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return frame[self.slot]


@attr.s(auto_attribs=True, eq=False)
class Cell(Expression):
    """A cell of the position that is known when the pack is compiled."""

    cell: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return cells[self.cell]


@attr.s(auto_attribs=True, eq=False)
class CellOfMine(Expression):
    """The cell that belongs to `me`, in a row of one stretch of cells for each player."""

    base: i64
    stride: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        me = frame[1]
        if me < 0:
            raise RuleError("asked for what belongs to nobody", [])
        return cells[self.base + me * self.stride]


@attr.s(auto_attribs=True, eq=False)
class CellOf(Expression):
    """The cell of a computed owner, in a row of one stretch of cells for each owner."""

    base: i64
    stride: i64
    owner: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = self.owner.value(cells, frame)
        if owner < 0:
            raise RuleError("asked for what belongs to nobody", [])
        return cells[self.base + owner * self.stride]


@attr.s(auto_attribs=True, eq=False)
class CellOfPair(Expression):
    """The cell of a computed owner and a computed kind of piece: `stock(p)[piece]`."""

    base: i64
    stride: i64
    owner: Expression
    kind: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = self.owner.value(cells, frame)
        kind = self.kind.value(cells, frame)
        if owner < 0 or kind < 0:
            raise RuleError("asked for what belongs to nobody", [])
        return cells[self.base + owner * self.stride + kind]


@attr.s(auto_attribs=True, eq=False)
class PlaceOf(Expression):
    """The number of the place of a computed owner, among those of all owners."""

    base: i64
    owner: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = self.owner.value(cells, frame)
        if owner < 0:
            raise RuleError("asked for the place of nobody", [])
        return self.base + owner


@attr.s(auto_attribs=True, eq=False)
class CellAt(Expression):
    """The cell at a computed address."""

    address: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        address = self.address.value(cells, frame)
        if address < 0:
            raise RuleError("asked for what is nowhere", [])
        return cells[address]


@attr.s(auto_attribs=True, eq=False)
class Looked(Expression):
    """A number looked up in a fixed table; the last entry answers for nothing (-1)."""

    table: list[i64]
    key: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.table[self.key.value(cells, frame)]


@attr.s(auto_attribs=True, eq=False)
class LookedBound(Expression):
    """A number looked up in a fixed table by a bound name."""

    table: list[i64]
    slot: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.table[frame[self.slot]]


@attr.s(auto_attribs=True, eq=False)
class Linked(Expression):
    """Whether two things are related: a square table of 0 and 1."""

    table: list[list[i64]]
    first: Expression
    second: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.table[self.first.value(cells, frame)][self.second.value(cells, frame)]


@attr.s(auto_attribs=True, eq=False)
class Equal(Expression):
    """Whether two numbers are the same."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) == self.right.value(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class EqualTo(Expression):
    """Whether a number is the one known beforehand."""

    left: Expression
    number: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) == self.number else 0


@attr.s(auto_attribs=True, eq=False)
class Unequal(Expression):
    """Whether two numbers differ."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) != self.right.value(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class Less(Expression):
    """Whether the left number is the smaller one."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) < self.right.value(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class AtMost(Expression):
    """Whether the left number is not the larger one."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) <= self.right.value(cells, frame) else 0


@attr.s(auto_attribs=True, eq=False)
class AllOf(Expression):
    """Whether every part holds; the first that fails ends the search."""

    parts: list[Expression]

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        for part in self.parts:
            if part.value(cells, frame) == 0:
                return 0
        return 1


@attr.s(auto_attribs=True, eq=False)
class AnyOf(Expression):
    """Whether some part holds; the first that does ends the search."""

    parts: list[Expression]

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        for part in self.parts:
            if part.value(cells, frame) != 0:
                return 1
        return 0


@attr.s(auto_attribs=True, eq=False)
class Not(Expression):
    """Whether the part does not hold."""

    part: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.part.value(cells, frame) == 0 else 0


@attr.s(auto_attribs=True, eq=False)
class IfElse(Expression):
    """One number if the condition holds, else another."""

    condition: Expression
    then: Expression
    otherwise: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        if self.condition.value(cells, frame) != 0:
            return self.then.value(cells, frame)
        return self.otherwise.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class Plus(Expression):
    """The sum of two numbers."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.left.value(cells, frame) + self.right.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class Minus(Expression):
    """The difference of two numbers."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.left.value(cells, frame) - self.right.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class Times(Expression):
    """The product of two numbers, which may not grow beyond `LARGEST_NUMBER`."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        product = self.left.value(cells, frame) * self.right.value(cells, frame)
        if product > LARGEST_NUMBER or product < -LARGEST_NUMBER:
            raise RuleError("a number grew beyond all measure", [])
        return product


@attr.s(auto_attribs=True, eq=False)
class Quotient(Expression):
    """The whole part of a division, rounded down."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        divisor = self.right.value(cells, frame)
        if divisor == 0:
            raise RuleError("a division by zero", [])
        return self.left.value(cells, frame) // divisor


@attr.s(auto_attribs=True, eq=False)
class Remainder(Expression):
    """What a division leaves over."""

    left: Expression
    right: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        divisor = self.right.value(cells, frame)
        if divisor == 0:
            raise RuleError("a division by zero", [])
        return self.left.value(cells, frame) % divisor


@attr.s(auto_attribs=True, eq=False)
class Lowest(Expression):
    """The smallest of several numbers."""

    parts: list[Expression]

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        result = self.parts[0].value(cells, frame)
        for part in self.parts:
            number = part.value(cells, frame)
            if number < result:
                result = number
        return result


@attr.s(auto_attribs=True, eq=False)
class Highest(Expression):
    """The largest of several numbers."""

    parts: list[Expression]

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        result = self.parts[0].value(cells, frame)
        for part in self.parts:
            number = part.value(cells, frame)
            if number > result:
                result = number
        return result


@attr.s(auto_attribs=True, eq=False)
class NextSeat(Expression):
    """The clockwise neighbour, `steps` seats on; `seats` is the first cell of the seating order.

    The seating order is two rows of cells: the seat of each player, then the player of each seat.
    Where nobody ever changes seats there are no such cells, and `seats` is -1.
    """

    player: Expression
    steps: Expression
    players: i64
    seats: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        player = self.player.value(cells, frame)
        steps = self.steps.value(cells, frame)
        if self.seats < 0:
            return (player + steps) % self.players
        seat = (cells[self.seats + player] + steps) % self.players
        return cells[self.seats + self.players + seat]


# --- the same in fewer steps: `broomservice.compile.fuse` puts these in the place of the ab


@attr.s(auto_attribs=True, eq=False)
class PlaceOfBound(Expression):
    """The number of the place of a bound owner."""

    base: i64
    slot: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = frame[self.slot]
        if owner < 0:
            raise RuleError("asked for the place of nobody", [])
        return self.base + owner


@attr.s(auto_attribs=True, eq=False)
class CellOfBound(Expression):
    """The cell of a bound owner."""

    base: i64
    stride: i64
    slot: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        owner = frame[self.slot]
        if owner < 0:
            raise RuleError("asked for what belongs to nobody", [])
        return cells[self.base + owner * self.stride]


@attr.s(auto_attribs=True, eq=False)
class MoreThan(Expression):
    """Whether a number is larger than the one known beforehand."""

    left: Expression
    number: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) > self.number else 0


@attr.s(auto_attribs=True, eq=False)
class EqualToBound(Expression):
    """Whether a number is that of a bound name."""

    left: Expression
    slot: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return 1 if self.left.value(cells, frame) == frame[self.slot] else 0


@attr.s(auto_attribs=True, eq=False)
class LinkedBound(Expression):
    """Whether two bound names are related."""

    table: list[list[i64]]
    first: i64
    second: i64

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        return self.table[frame[self.first]][frame[self.second]]


@attr.s(auto_attribs=True, eq=False)
class Both(Expression):
    """Whether two parts hold."""

    one: Expression
    two: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        if self.one.value(cells, frame) == 0:
            return 0
        return self.two.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class OneOfTwo(Expression):
    """Whether one of two parts holds."""

    one: Expression
    two: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        if self.one.value(cells, frame) != 0:
            return 1
        return self.two.value(cells, frame)


@attr.s(auto_attribs=True, eq=False)
class Once(Expression):
    """A number worked out when it is first asked for, and kept in a slot until that is cleared."""

    slot: i64
    part: Expression

    def value(self, cells: list[i64], frame: list[i64]) -> i64:
        known = frame[self.slot]
        if known == UNKNOWN:
            known = self.part.value(cells, frame)
            frame[self.slot] = known
        return known
