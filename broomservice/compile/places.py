"""Places, attributes and relations in expressions: what lies where, and which cell tells."""

from __future__ import annotations

import attrs

from broomservice.compile.layout import Plan
from broomservice.compile.names import Names
from broomservice.compile.things import BUILT_IN_TYPES
from broomservice.compile.types import (
    NUMBER,
    PLACE,
    TRUTH,
    Selection,
    Type,
    Typed,
    TypedDomain,
    combined,
    constant,
    missing,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e

Table = tuple[list[int], Type]
Rows = tuple[list[list[int]], Type]


@attrs.frozen
class PlaceReference:
    """A place in an expression.

    Its cells are those of the place `sample` for the owner `shift`, and `stride` apart from owner
    to owner. Where only the running game knows which place is meant, `stride` is -1.
    `number_base` is the number of the first owner's place; -1 where the owner is itself the place.
    """

    text: str
    families: tuple[str, ...]
    limit: int
    owner: Typed
    number_base: int
    shift: int
    sample: int
    stride: int


@attrs.define
class Places:
    """Answers what expressions ask of places, attributes and relations."""

    names: Names
    plan: Plan
    tables: dict[tuple[Type, str], Table | None] = attrs.field(factory=dict)
    relations: dict[tuple[Type, str], Rows] = attrs.field(factory=dict)

    # --- references ---------------------------------------------------------------------------

    def named(self, name: str, owner: Typed) -> PlaceReference:
        """A place of the pack, `hand` or `hand(p)`."""
        kind = self.names.places[name]
        base = self.plan.place_base[name]
        if not kind.per_player:
            owner = constant(0, NUMBER)
        stride = self.plan.stride(kind)
        return PlaceReference(name, kind.holds, kind.limit, owner, base, 0, base, stride)

    def of_value(self, typed: Typed, text: str) -> PlaceReference:
        """A site, or whatever place an expression means."""
        if typed.type.kind == "site":
            kind = self.names.site_kinds[typed.type.of]
            stride = 0
            if len(kind.sites) > 1 and kind.holds:
                one, two = (self.plan.first_cell(kind.first + i) for i in range(2))
                stride = two - one
            return PlaceReference(
                text, kind.holds, kind.limit, typed, -1, kind.first, kind.first, stride
            )
        families = tuple(self.names.families)
        return PlaceReference(text, families, -2, typed, -1, 0, 0, -1)

    def is_place(self, type_: Type | None) -> bool:
        return type_ is not None and type_.kind in ("place", "site")

    def as_value(self, reference: PlaceReference) -> Typed:
        """The number of a place."""
        if reference.number_base < 0:
            return reference.owner
        if reference.owner.constant is not None:
            return constant(reference.number_base + reference.owner.constant, PLACE)
        shifted = e.PlaceOf(reference.number_base, reference.owner.expression)
        return combined(shifted, PLACE, [reference.owner])

    def cell(self, reference: PlaceReference, table: list[int], offset: int = 0) -> Typed:
        """The cell that a table of the layout names for a place."""
        owner = reference.owner
        if reference.stride < 0:
            return combined(
                e.CellAt(e.Looked([*table, -1], owner.expression)), NUMBER, [owner], static=False
            )
        base = table[reference.sample] + offset
        number = owner.constant
        if number is not None:
            cell = base + (number - reference.shift) * reference.stride
            return Typed(e.Cell(cell), NUMBER, static=False)
        start = base - reference.shift * reference.stride
        if isinstance(owner.expression, e.Bound) and owner.expression.slot == e.ME:
            mine = e.CellOfMine(start, reference.stride)
            return Typed(mine, NUMBER, owner.slots, static=False)
        return combined(
            e.CellOf(start, reference.stride, owner.expression), NUMBER, [owner], static=False
        )

    def address(self, reference: PlaceReference, base: int) -> Typed:
        """Where the cells of a place begin, given where those of its first owner do."""
        owner = reference.owner
        if owner.constant is not None:
            return constant(base + (owner.constant - reference.shift) * reference.stride, NUMBER)
        start = base - reference.shift * reference.stride
        return combined(d.Address(start, reference.stride, owner.expression), NUMBER, [owner])

    # --- what lies in a place -----------------------------------------------------------------

    def size(self, reference: PlaceReference) -> Typed:
        """How many pieces lie in a place."""
        layout = self.plan.layout
        if reference.limit == 1:
            occupant = self.cell(reference, layout.occupants)
            return combined(
                e.Not(e.EqualTo(occupant.expression, -1)), NUMBER, [occupant], static=False
            )
        return self.cell(reference, layout.sizes)

    def piece_in(self, reference: PlaceReference) -> Typed:
        """The one piece in a place that holds one at most."""
        cell = self.cell(reference, self.plan.layout.occupants)
        return attrs.evolve(cell, type=piece_type(reference.families))

    def count(self, reference: PlaceReference, kind: Typed) -> Typed:
        """How many pieces of a kind lie in a place."""
        family = kind.type.of
        if family in self.plan.unique:
            return attrs.evolve(self.lies_in(reference, kind), type=NUMBER)
        if reference.limit == 1:
            occupant = self.cell(reference, self.plan.layout.occupants)
            same = e.Equal(occupant.expression, kind.expression)
            return combined(same, NUMBER, [occupant, kind], static=False)
        if not family or reference.stride < 0:
            place = self.as_value(reference)
            tally = e.Looked(
                [*self.plan.layout.tallies, -1],
                e.Plus(
                    e.Times(place.expression, e.Constant(self.plan.layout.kinds)),
                    kind.expression,
                ),
            )
            return combined(e.CellAt(tally), NUMBER, [place, kind], static=False)
        return self.tally(reference, kind, family)

    def tally(self, reference: PlaceReference, kind: Typed, family: str) -> Typed:
        """The cell that counts a kind in a place."""
        layout = self.plan.layout
        first = self.names.families[family].first
        base = layout.tallies[reference.sample * layout.kinds + first]
        number, owner = kind.constant, reference.owner
        if number is not None:
            table = [-1] * layout.places
            table[reference.sample] = base + number - first
            return self.cell(reference, table)
        if owner.constant is not None:
            start = base - first + (owner.constant - reference.shift) * reference.stride
            return combined(e.CellOf(start, 1, kind.expression), NUMBER, [kind], static=False)
        start = base - first - reference.shift * reference.stride
        return combined(
            e.CellOfPair(start, reference.stride, owner.expression, kind.expression),
            NUMBER,
            [owner, kind],
            static=False,
        )

    def lies_in(self, reference: PlaceReference, piece: Typed) -> Typed:
        """Whether a unique piece lies in a place."""
        base = self.whereabouts_base(piece.type)
        assert base is not None
        number = piece.constant
        cell = e.Cell(base + number) if number is not None else e.CellOf(base, 1, piece.expression)
        place = self.as_value(reference)
        test = (
            e.EqualTo(cell, place.constant)
            if place.constant is not None
            else e.Equal(cell, place.expression)
        )
        return combined(test, TRUTH, [piece, place], static=False)

    def contains(self, reference: PlaceReference, piece: Typed) -> Typed:
        """Whether a place holds a kind of piece, searchable for which."""
        if piece.type.of in self.plan.unique:
            test = self.lies_in(reference, piece)
        else:
            number = self.count(reference, piece)
            test = combined(e.Less(e.Constant(0), number.expression), TRUTH, [number], static=False)
        slot = piece.expression.slot if isinstance(piece.expression, e.Bound) else None
        if slot is None or slot in reference.owner.slots or not piece.type.of:
            return test
        family = self.names.families[piece.type.of]
        domain = self.part(reference, piece.type.of)
        return attrs.evolve(test, selects={slot: Selection(domain, len(family.kinds) // 4)})

    def contents(self, reference: PlaceReference, text: str) -> TypedDomain:
        """The kinds of pieces that lie in a place."""
        parts = [self.part(reference, family) for family in reference.families]
        domain = parts[0] if len(parts) == 1 else d.Joined(parts)
        place = self.as_value(reference)
        return TypedDomain(domain, piece_type(reference.families), place.slots, False, text)

    def part(self, reference: PlaceReference, name: str) -> d.Domain:
        """The kinds of one family that lie in a place."""
        family = self.names.families[name]
        count = len(family.kinds)
        layout = self.plan.layout
        if reference.limit == 1:
            base = layout.occupants[reference.sample]
            return d.Occupant(family.first, count, self.address(reference, base).expression)
        if name in self.plan.unique:
            place = self.as_value(reference)
            cell, sizes = self.plan.unique[name], self.plan.sizes
            alone = len(reference.families) == 1
            return d.Lying(family.first, count, cell, place.expression, sizes, alone)
        base = layout.tallies[reference.sample * layout.kinds + family.first]
        return d.Stacked(family.first, count, self.address(reference, base).expression)

    # --- types, attributes, relations ---------------------------------------------------------

    def type_named(self, name: str) -> Type | None:
        """The type that a name stands for, as a domain of all its things."""
        if name in BUILT_IN_TYPES:
            return BUILT_IN_TYPES[name] if name == "player" else None
        for known, kind in (
            (self.names.families, "piece"),
            (self.names.site_kinds, "site"),
            (self.names.word_sets, "word"),
        ):
            if name in known:
                return Type(kind, name)
        return None

    def first_of(self, type_: Type) -> int:
        """The number of the first thing of a type."""
        if type_.kind == "piece":
            return self.names.families[type_.of].first
        if type_.kind == "site":
            return self.names.site_kinds[type_.of].first
        if type_.kind == "word":
            return self.names.words[self.names.word_sets[type_.of][0]][0]
        return 0

    def whereabouts_base(self, type_: Type) -> int | None:
        """The cell of piece number 0's whereabouts, were it of this family; None if not unique."""
        if type_.of not in self.plan.unique:
            return None
        return self.plan.unique[type_.of] - self.names.families[type_.of].first

    def home_of(self, family: str) -> Type:
        """The type of the places where a family's pieces lie: a sort of site, if only there."""
        kinds = [kind.name for kind in self.names.site_kinds.values() if family in kind.holds]
        elsewhere = any(family in place.holds for place in self.names.places.values())
        return Type("site", kinds[0]) if len(kinds) == 1 and not elsewhere else PLACE

    def attribute_table(self, type_: Type, name: str) -> Table | None:
        """The values of an attribute for every thing of a type."""
        key = (type_, name)
        if key not in self.tables:
            self.tables[key] = self.made_table(type_, name)
        return self.tables[key]

    def made_table(self, type_: Type, name: str) -> Table | None:
        things: list[tuple[int, dict[str, int]]] = []
        wanted: Type | None = None
        if type_.kind == "piece":
            for family in self.names.families.values():
                if type_.of in ("", family.name) and name in family.attributes:
                    wanted = wanted or family.attributes[name].type
                    things += [(kind.number, kind.values) for kind in family.kinds]
            length = len(self.names.pieces)
        elif type_.kind == "site":
            kind_ = self.names.site_kinds[type_.of]
            if name in kind_.attributes:
                wanted = kind_.attributes[name].type
                things = [(site.number, site.values) for site in kind_.sites]
            length = len(self.names.sites)
        if wanted is None:
            return None
        numbers = [missing(wanted)] * (length + 1)
        for number, values in things:
            numbers[number] = values[name]
        return numbers, wanted

    def attribute_names(self, type_: Type) -> list[str]:
        if type_.kind == "piece":
            return ["at"] + [
                name
                for family in self.names.families.values()
                if type_.of in ("", family.name)
                for name in family.attributes
            ]
        if type_.kind == "site":
            kind = self.names.site_kinds[type_.of]
            return [*kind.attributes, *self.relation_names(type_)]
        return []

    def relation_names(self, type_: Type) -> list[str]:
        kind = self.names.site_kinds[type_.of]
        result = list(kind.relations)
        for other in self.names.site_kinds.values():
            result += [
                one.inverse
                for one in other.relations.values()
                if one.inverse and one.to == type_.of
            ]
            result += [
                one.inverse
                for one in other.attributes.values()
                if one.inverse and one.type == type_
            ]
        return result

    def relation(self, type_: Type, name: str) -> Rows | None:
        """A relation of sites as a square table."""
        if type_.kind != "site":
            return None
        target = self.names.relation_to(type_.of, name)
        if target is None:
            return None
        key = (type_, name)
        if key not in self.relations:
            size = len(self.names.sites) + 1
            rows = [[0] * size for _ in range(size)]
            for site in self.names.site_kinds[type_.of].sites:
                for other in site.related.get(name, []):
                    rows[site.number][other] = 1
            self.relations[key] = (rows, Type("site", target))
        return self.relations[key]

    def related(self, relation: Rows, key: Typed, text: str) -> TypedDomain:
        """The sites related to one site."""
        rows, type_ = relation
        lists = [[i for i, cell in enumerate(row[:-1]) if cell] for row in rows[:-1]] + [[]]
        if key.constant is not None:
            return TypedDomain(d.Fixed(lists[key.constant]), type_, text=text)
        return TypedDomain(d.Related(lists, key.expression), type_, key.slots, key.static, text)

    def equal(self, one: Typed, two: Typed) -> Typed:
        """Whether two things are the same; where a unique piece lies is searchable."""
        for left, right in ((one, two), (two, one)):
            if right.constant is not None and left.constant is None:
                test: e.Expression = e.EqualTo(left.expression, right.constant)
                return attrs.evolve(
                    combined(test, TRUTH, [left]), selects=self.lying_selection(left, right)
                )
        selects = {**self.lying_selection(one, two), **self.lying_selection(two, one)}
        test = e.Equal(one.expression, two.expression)
        return attrs.evolve(combined(test, TRUTH, [one, two]), selects=selects)

    def lying_selection(self, left: Typed, right: Typed) -> dict[int, Selection]:
        """`piece.at == place` selects the pieces that lie there."""
        expression = left.expression
        if not isinstance(expression, e.CellOf) or expression.stride != 1:
            return {}
        if not isinstance(expression.owner, e.Bound):
            return {}
        slot = expression.owner.slot
        if slot in right.slots:
            return {}
        if not left.lies:
            return {}
        family, cell = self.names.families[left.lies], self.plan.unique[left.lies]
        lying = d.Lying(
            family.first, len(family.kinds), cell, right.expression, self.plan.sizes, False
        )
        return {slot: Selection(lying, max(1, len(family.kinds) // 4))}


def piece_type(families: tuple[str, ...]) -> Type:
    """The type of the pieces that a place holds."""
    return Type("piece", families[0] if len(families) == 1 else "")
