"""Types of the card language, and compiled expressions that know theirs."""

from __future__ import annotations

from math import prod

import attrs

from broomservice.core.domains import Domain, Fixed, Related
from broomservice.core.errors import RuleError
from broomservice.core.expressions import (
    AllOf,
    Always,
    Bound,
    Constant,
    Expression,
    Linked,
    Looked,
    LookedBound,
)

TABLE_LIMIT = 40_000
TABLE_EFFORT = 2_000_000


@attrs.frozen
class Type:
    """What a number stands for: `kind` is the sort of thing, `of` narrows it down."""

    kind: str
    of: str = ""

    def accepts(self, other: Type) -> bool:
        """Whether a value of the other type may stand where this one is wanted."""
        if self == other:
            return True
        if other.kind == "nothing":
            return self.kind in ("player", "piece", "site", "word", "place")
        if self.kind == "number":
            return other.kind == "truth"
        if self.kind == "place":
            return other.kind in ("site", "place")
        return self.kind == other.kind == "piece" and not self.of

    def meets(self, other: Type) -> bool:
        """Whether values of the two types can be compared."""
        return self.accepts(other) or other.accepts(self)

    def __str__(self) -> str:
        if self.kind in ("piece", "site", "word") and self.of:
            return self.of
        return self.kind


NUMBER = Type("number")
TRUTH = Type("truth")
PLAYER = Type("player")
PLACE = Type("place")
NOTHING_TYPE = Type("nothing")


@attrs.frozen
class Universe:
    """The things of every type, as numbers: what finite tables run over."""

    players: int
    sizes: dict[str, int]
    members: dict[Type, tuple[int, ...]]

    def of(self, type_: Type) -> tuple[int, ...]:
        """Return all things of a type, in rising order; nothing for numbers."""
        return self.members.get(type_, ())

    def size(self, type_: Type) -> int:
        """Return the length of a table indexed by this type's things."""
        return self.sizes[type_.kind]


@attrs.frozen
class Selection:
    """The things of one bound name for which a condition holds, found without trying each.

    `length` is about how many there are. Where the domain may hold more than those, it is not
    `exact`, and the condition is still to be tried.
    """

    domain: Domain
    length: int
    exact: bool = True


@attrs.frozen
class Typed:
    """A compiled expression with its type.

    `slots` are the bound names it reads; `static` says that it reads nothing else that changes.
    `selects` tells for a bound name which things make a condition true. `effort` says about how
    many numbers are looked at to compute it.
    """

    expression: Expression
    type: Type
    slots: frozenset[int] = frozenset()
    static: bool = True
    selects: dict[int, Selection] = attrs.field(factory=dict, eq=False)
    conjuncts: tuple[Typed, ...] = ()
    effort: int = 1
    lies: str = ""

    @property
    def constant(self) -> int | None:
        """The number, if it is known when the pack is compiled."""
        expression = self.expression
        return expression.number if isinstance(expression, Constant) else None


@attrs.frozen
class TypedDomain:
    """A compiled domain with the type of its things, and what it depends on."""

    domain: Domain
    type: Type
    slots: frozenset[int] = frozenset()
    static: bool = True
    text: str = ""


def constant(number: int, type_: Type) -> Typed:
    """Return an expression that is always the same number."""
    return Typed(Constant(number), type_)


def combined(
    expression: Expression,
    type_: Type,
    parts: list[Typed | TypedDomain],
    *,
    bound: int | None = None,
    static: bool = True,
) -> Typed:
    """Return an expression made of parts; `bound` is a name that the expression itself binds."""
    slots = frozenset(slot for part in parts for slot in part.slots) - {bound}
    return Typed(
        expression,
        type_,
        frozenset(slot for slot in slots if slot is not None),
        static and all(part.static for part in parts),
        effort=1 + sum(part.effort for part in parts if isinstance(part, Typed)),
    )


@attrs.define
class Tabulator:
    """Replaces expressions over fixed data by tables: `tower.colour == purple` needs no thinking.

    `slot_types` tells what each bound name stands for.
    """

    universe: Universe
    slot_types: dict[int, Type] = attrs.field(factory=dict)
    depth: int = 64

    def simplified(self, typed: Typed) -> Typed:
        """Return the same expression as a constant or a table where that is possible."""
        if not typed.static:
            return typed
        try:
            return self.tabulated(typed)
        except RuleError:
            if not typed.slots:
                raise
            return typed

    def tabulated(self, typed: Typed) -> Typed:
        """Return the constant or the table for an expression over fixed data."""
        if not typed.slots:
            if isinstance(typed.expression, Constant):
                return typed
            return constant(self.evaluate(typed.expression, {}), typed.type)
        if any(self.slot_types[slot] not in self.universe.members for slot in typed.slots):
            return typed
        entries = prod(len(self.universe.of(self.slot_types[slot])) for slot in typed.slots)
        if typed.effort * entries > TABLE_EFFORT:
            return typed
        if len(typed.slots) == 1 and not isinstance(typed.expression, Bound | LookedBound):
            return self.row(typed, next(iter(typed.slots)))
        if len(typed.slots) == 2 and typed.type.kind == "truth":
            return self.square(typed)
        return typed

    def evaluate(self, expression: Expression, values: dict[int, int]) -> int:
        """Return the number of a fixed expression for these bound names."""
        frame = [0] * self.depth
        for slot, number in values.items():
            frame[slot] = number
        return expression.value([], frame)

    def row(self, typed: Typed, slot: int) -> Typed:
        """Return the expression as a table over one bound name."""
        type_ = self.slot_types[slot]
        table = [0] * (self.universe.size(type_) + 1)
        for thing in self.universe.of(type_):
            table[thing] = self.evaluate(typed.expression, {slot: thing})
        table[-1] = self.evaluate(typed.expression, {slot: -1})
        return looked_up(table, Typed(Bound(slot), type_, typed.slots), typed.type, self.universe)

    def square(self, typed: Typed) -> Typed:
        """Return a condition as a table over two bound names."""
        one, two = sorted(typed.slots)
        if isinstance(typed.expression, Linked):
            return typed
        type_one, type_two = self.slot_types[one], self.slot_types[two]
        size_two = self.universe.size(type_two)
        if (self.universe.size(type_one) + 1) * (size_two + 1) > TABLE_LIMIT:
            return typed
        rows = [[0] * (size_two + 1) for _ in range(self.universe.size(type_one) + 1)]
        for first in (*self.universe.of(type_one), -1):
            for second in (*self.universe.of(type_two), -1):
                rows[first][second] = self.evaluate(typed.expression, {one: first, two: second})
        return linked(
            rows,
            Typed(Bound(one), type_one, frozenset([one])),
            Typed(Bound(two), type_two, frozenset([two])),
            self.universe,
        )


def missing(type_: Type) -> int:
    """Return what a table answers for nothing: 0 for numbers and truth, else nothing."""
    return 0 if type_.kind in ("number", "truth") else -1


def looked_up(table: list[int], key: Typed, type_: Type, universe: Universe) -> Typed:
    """Return a lookup of a key in a table; conditions also know which keys make them true."""
    selects: dict[int, Selection] = {}
    if isinstance(key.expression, Bound):
        slot = key.expression.slot
        expression: Expression = LookedBound(table, slot)
        if type_.kind == "truth":
            chosen = [thing for thing in universe.of(key.type) if table[thing]]
            selects[slot] = Selection(Fixed(chosen), len(chosen))
    else:
        expression = Looked(table, key.expression)
    return Typed(expression, type_, key.slots, key.static, selects)


def rows_of(table: list[list[int]]) -> list[list[int]]:
    """Return for every row of a square table the things that are set; the last is of nothing."""
    return [[i for i, cell in enumerate(row[:-1]) if cell] for row in table]


def composed(rows: list[list[int]], table: list[int]) -> list[list[int]]:
    """Return for every row the things whose entry in a table is in the row."""
    things: dict[int, list[int]] = {}
    for thing, entry in enumerate(table[:-1]):
        things.setdefault(entry, []).append(thing)
    return [sorted(one for entry in row for one in things.get(entry, [])) for row in rows]


def linked(rows: list[list[int]], first: Typed, second: Typed, universe: Universe) -> Typed:
    """Return a condition on two things as a square table, searchable from either side."""
    selects: dict[int, Selection] = {}
    for key, item, table in (
        (first, second, rows),
        (second, first, [list(column) for column in zip(*rows, strict=True)]),
    ):
        expression = item.expression
        if not isinstance(expression, Bound | LookedBound) or expression.slot in key.slots:
            continue
        lists = rows_of(table)
        if isinstance(expression, LookedBound):
            lists = composed(lists, expression.table)
        typical = max(1, sum(len(one) for one in lists) // max(1, len(universe.of(key.type))))
        selects[expression.slot] = Selection(Related(lists, key.expression), typical)
    return Typed(
        Linked(rows, first.expression, second.expression),
        TRUTH,
        first.slots | second.slots,
        first.static and second.static,
        selects,
    )


def joined(parts: list[Typed]) -> Typed:
    """Return one condition for several."""
    if not parts:
        return Typed(Always(), TRUTH)
    if len(parts) == 1:
        return parts[0]
    return combined(AllOf([part.expression for part in parts]), TRUTH, list(parts))
