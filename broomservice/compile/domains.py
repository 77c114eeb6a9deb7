"""Domains and places in expressions: what one can look through, and where pieces lie."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.places import PlaceReference
from broomservice.compile.types import (
    NUMBER,
    PLACE,
    PLAYER,
    Typed,
    TypedDomain,
    constant,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e
from broomservice.pack.problems import a

if TYPE_CHECKING:
    from broomservice.compile.visitor import Visitor
MAX_SPAN = 1_000


@attrs.define
class Domains:
    """Compiles the domains and places of one expression."""

    visitor: Visitor

    def domain(self, node: ast.expr) -> TypedDomain:
        """Compile what one can look through: a type, a place, a relation, a list, a span."""
        text = ast.unparse(node)
        places = self.visitor.owner.places
        if isinstance(node, ast.Name) and node.id not in self.visitor.scope.names:
            type_ = places.type_named(node.id)
            if type_ is not None:
                self.visitor.names.used.add(node.id)
                self.visitor.names.searched.add(node.id)
                members = list(self.visitor.owner.universe.of(type_))
                return TypedDomain(d.Fixed(members), type_, text=text)
        if isinstance(node, ast.Tuple):
            return self.listed(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "numbers":
                return self.span(node)
        if isinstance(node, ast.Attribute):
            key = self.visitor.value(node.value)
            relation = places.relation(key.type, node.attr)
            if relation is not None:
                return places.related(relation, key, text)
            if key.type.kind == "site" and places.attribute_table(key.type, node.attr) is None:
                raise self.visitor.owner.problems.unknown(
                    self.visitor.at(node),
                    "unknown-attribute",
                    f"{a(key.type)} has no attribute '{node.attr}'",
                    node.attr,
                    [*places.attribute_names(key.type), *places.relation_names(key.type)],
                )
        self.visitor.begun(node)
        return places.contents(self.place_reference(node), text)

    def listed(self, node: ast.Tuple) -> TypedDomain:
        """A list of fixed things: (forest, hill)."""
        parts = [self.visitor.value(part) for part in node.elts]
        numbers: list[int] = []
        for part, typed in zip(node.elts, parts, strict=True):
            if typed.constant is None or not typed.type.meets(parts[0].type):
                raise self.visitor.error(
                    part,
                    "type-mismatch",
                    "a list holds fixed things of one type",
                    got=ast.unparse(part),
                )
            numbers.append(typed.constant)
        return TypedDomain(d.Fixed(sorted(set(numbers))), parts[0].type, text=ast.unparse(node))

    def span(self, node: ast.Call) -> TypedDomain:
        """The whole numbers from one to another."""
        self.visitor.check_count(node, "numbers", node.args, 2)
        low, high = (self.visitor.typed_as(part, NUMBER) for part in node.args)
        if low.constant is not None and high.constant is not None and low.constant > high.constant:
            raise self.visitor.error(
                node,
                "wrong-value",
                f"there are no numbers from {low.constant} to {high.constant}",
                got=ast.unparse(node),
                expected="the lower number first",
            )
        if (high.constant or 0) - (low.constant or 0) > MAX_SPAN:
            raise self.visitor.error(
                node,
                "too-large",
                f"more than {MAX_SPAN} numbers to look through",
                got=ast.unparse(node),
            )
        slots = low.slots | high.slots
        return TypedDomain(
            d.Span(low.expression, high.expression),
            NUMBER,
            slots,
            low.static and high.static,
            ast.unparse(node),
        )

    def place_reference(self, node: ast.expr) -> PlaceReference:
        """Compile a place: `hand`, `hand(p)`, a site, or where a piece lies."""
        places = self.visitor.owner.places
        if isinstance(node, ast.Name) and node.id in self.visitor.names.places:
            self.visitor.names.used.add(node.id)
            return places.named(node.id, Typed(e.Bound(e.ME), PLAYER, frozenset([e.ME])))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in self.visitor.names.places:
                self.visitor.names.used.add(name)
                kind = self.visitor.names.places[name]
                self.visitor.check_count(node, name, node.args, 1 if kind.per_player else 0)
                owner = (
                    self.visitor.typed_as(node.args[0], PLAYER)
                    if kind.per_player
                    else constant(0, PLAYER)
                )
                return places.named(name, owner)
            if (
                name not in self.visitor.names.counters
                and name not in self.visitor.names.definitions
                and (name not in ("next", "owner", "piece_in", "first", "best"))
            ):
                raise self.visitor.owner.problems.unknown(
                    self.visitor.at(node),
                    "unknown-place",
                    f"there is no place '{name}'",
                    name,
                    self.visitor.names.places,
                )
        if isinstance(node, ast.IfExp):
            return places.of_value(self.visitor.value(node), ast.unparse(node))
        if (
            isinstance(node, ast.Name)
            and self.visitor.fixed_name(node.id) is None
            and (
                node.id not in self.visitor.names.counters
                and node.id not in self.visitor.scope.bound_elsewhere
                and node.id not in self.visitor.names.definitions
            )
        ):
            raise self.visitor.owner.problems.unknown(
                self.visitor.at(node),
                "unknown-place",
                f"there is no place '{node.id}'",
                node.id,
                [*self.visitor.names.places, *self.visitor.names.sites, *self.visitor.scope.names],
            )
        typed = self.visitor.value(node)
        if not PLACE.accepts(typed.type):
            raise self.visitor.error(
                node,
                "type-mismatch",
                f"'{ast.unparse(node)}' is {a(typed.type)}, not a place",
                got=str(typed.type),
                expected="place",
            )
        return places.of_value(typed, ast.unparse(node))
