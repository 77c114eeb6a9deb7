"""One syntax tree of the expression language: names, attributes and operators."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.calls import Calls
from broomservice.compile.domains import Domains
from broomservice.compile.names import Names
from broomservice.compile.places import PlaceReference
from broomservice.compile.scope import Scope
from broomservice.compile.things import ValueTable
from broomservice.compile.types import (
    NOTHING_TYPE,
    NUMBER,
    PLACE,
    PLAYER,
    TRUTH,
    Type,
    Typed,
    combined,
    constant,
    linked,
    looked_up,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e
from broomservice.core.errors import RuleError
from broomservice.pack.problems import Place, Reported, a

if TYPE_CHECKING:
    from broomservice.compile.expressions import Expressions


@attrs.define
class Visitor:
    """Compiles one syntax tree."""

    owner: Expressions
    scope: Scope
    start: Place
    block: bool

    # --- helpers ------------------------------------------------------------------------------

    @property
    def names(self) -> Names:
        return self.owner.names

    def at(self, node: ast.AST) -> Place:
        """Return the spot of a node, inside the string."""
        if self.block:
            return self.start
        return self.start.moved(getattr(node, "col_offset", 0))

    def error(
        self,
        node: ast.AST,
        code: str,
        message: str,
        *,
        got: str = "",
        expected: str = "",
        hint: str = "",
    ) -> Reported:
        return self.owner.problems.add(
            self.at(node), code, message, got=got, expected=expected, hint=hint
        )

    def simplified(self, typed: Typed) -> Typed:
        return self.scope.tabulator.simplified(typed)

    def typed_as(self, node: ast.expr, wanted: Type) -> Typed:
        """Compile a part and insist on its type."""
        typed = self.value(node)
        if not wanted.accepts(typed.type):
            raise self.error(
                node,
                "type-mismatch",
                f"'{ast.unparse(node)}' is {a(typed.type)}, not {a(wanted)}",
                got=str(typed.type),
                expected=str(wanted),
            )
        return typed

    def all_typed(self, parts: Iterable[tuple[ast.expr, Type]]) -> list[Typed]:
        """Compile several parts; the mistakes of all of them are noted."""
        result: list[Typed | None] = []
        for node, wanted in parts:
            try:
                result.append(self.typed_as(node, wanted))
            except Reported:
                result.append(None)
        if None in result:
            raise Reported
        return [typed for typed in result if typed is not None]

    def begun(self, node: ast.AST) -> None:
        """Insist that pieces and counters are laid out: where they begin cannot depend on them."""
        if not self.owner.plan.built:
            raise self.error(
                node,
                "type-mismatch",
                f"'{ast.unparse(node)}' changes in play, and the beginning must be fixed",
                got=ast.unparse(node),
            )

    # --- values -------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Typed:
        """Compile a node to an expression."""
        handlers: dict[type[ast.expr], Callable[[ast.expr], Typed]] = {
            ast.Constant: self.literal,
            ast.Name: self.name,
            ast.Attribute: self.attribute,
            ast.Subscript: self.subscript,
            ast.Call: Calls(self).call,
            ast.Compare: self.comparison,
            ast.BoolOp: self.junction,
            ast.UnaryOp: self.unary,
            ast.BinOp: self.arithmetic,
            ast.IfExp: self.conditional,
        }
        handler = handlers.get(type(node))
        if handler is None:
            raise self.error(
                node,
                "expression-syntax",
                f"'{ast.unparse(node)[:40]}' is not part of the language",
                got=type(node).__name__,
            )
        self.owner.count_part()
        try:
            return self.simplified(handler(node))
        except RuleError as fault:
            raise self.error(
                node,
                "wrong-value",
                f"'{ast.unparse(node)[:40]}': {fault.message}",
                got=ast.unparse(node)[:40],
            ) from None

    def literal(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Constant)
        value = node.value
        if isinstance(value, bool):
            return constant(int(value), TRUTH)
        if isinstance(value, int) and abs(value) <= 1_000_000:
            return constant(value, NUMBER)
        if isinstance(value, str):
            raise self.error(
                node,
                "expression-syntax",
                "names stand without quotation marks here",
                got=ast.unparse(node)[:40],
                expected=value[:40],
            )
        raise self.error(
            node,
            "expression-syntax",
            f"'{ast.unparse(node)[:40]}' is not part of the language",
            got=str(value)[:40],
        )

    def name(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Name)
        name = node.id
        found = self.fixed_name(name)
        if found is not None:
            return found
        names = self.names
        names.used.add(name)
        if name in names.counters:
            return self.counter(node, name, None)
        if name in names.places:
            return self.owner.places.as_value(Domains(self).place_reference(node))
        if name in names.definitions or name in names.requirements:
            return Calls(self).formula(node, name, [])
        if name in self.scope.bound_elsewhere:
            raise self.error(node, "unbound-name", f"'{name}' is not bound here", got=name)
        kind = names.kind_of(name)
        if kind and name not in self.owner.problems.dropped:
            raise self.error(
                node,
                "unknown-name",
                f"'{name}' is {kind}, and no single thing",
                got=name,
                expected="a bound name",
            )
        raise self.owner.problems.unknown(
            self.at(node),
            "unknown-name",
            f"there is no '{name}'",
            name,
            self.owner.known_names(self.scope),
        )

    def fixed_name(self, name: str) -> Typed | None:
        """Return a bound name, or one whose number is known beforehand."""
        names = self.names
        if name in self.scope.names:
            self.scope.used.add(name)
            return self.scope.names[name]
        if name == "me":
            return Typed(e.Bound(e.ME), PLAYER, frozenset([e.ME]))
        if name in ("none", "true", "false"):
            return {
                "none": constant(-1, NOTHING_TYPE),
                "true": constant(1, TRUTH),
                "false": constant(0, TRUTH),
            }[name]
        if name == "player_count":
            return constant(self.owner.plan.players, NUMBER)
        names.used.add(name)
        if name in names.words:
            return constant(*names.words[name])
        if name in names.pieces:
            return constant(names.pieces[name].number, Type("piece", names.pieces[name].family))
        if name in names.sites:
            return constant(names.sites[name].number, Type("site", names.sites[name].kind))
        if name in names.options:
            return constant(names.options[name], NUMBER)
        if name in names.values and names.values[name].amount is not None:
            return constant(names.values[name].amount or 0, NUMBER)
        return None

    def counter(self, node: ast.expr, name: str, owner: ast.expr | None) -> Typed:
        """A counter: of the game, one's own, or that of a given owner."""
        self.begun(node)
        counter = self.names.counters[name]
        cells = self.owner.plan.counters[name]
        if counter.per is None:
            if owner is not None:
                raise self.error(node, "argument-count", f"'{name}' is one for all", got=name)
            return Typed(e.Cell(cells.base), counter.type, static=False)
        if owner is None:
            if counter.per != PLAYER:
                raise self.error(
                    node,
                    "argument-count",
                    f"'{name}' needs a {counter.per}",
                    got=name,
                    expected=f"{name}({counter.per})",
                )
            return Typed(e.CellOfMine(cells.base, 1), counter.type, frozenset([e.ME]), static=False)
        key = self.typed_as(owner, counter.per)
        first = self.owner.places.first_of(counter.per)
        return combined(
            e.CellOf(cells.base - first, 1, key.expression), counter.type, [key], static=False
        )

    def attribute(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Attribute)
        thing = self.value(node.value)
        name = node.attr
        if thing.type.kind == "piece" and name == "at":
            return self.whereabouts(node, thing)
        table = self.owner.places.attribute_table(thing.type, name)
        if table is None:
            raise self.owner.problems.unknown(
                self.at(node).moved(len(ast.unparse(node.value)) + 1)
                if not self.block
                else self.start,
                "unknown-attribute",
                f"{a(thing.type)} has no attribute '{name}'",
                name,
                self.owner.places.attribute_names(thing.type),
            )
        numbers, type_ = table
        return looked_up(numbers, thing, type_, self.owner.universe)

    def whereabouts(self, node: ast.expr, piece: Typed) -> Typed:
        """Where a unique piece lies."""
        self.begun(node)
        base = self.owner.places.whereabouts_base(piece.type)
        if base is None:
            raise self.error(
                node,
                "type-mismatch",
                f"there are several of each {piece.type}, so '.at' has no meaning",
                got=ast.unparse(node),
            )
        type_ = self.owner.places.home_of(piece.type.of)
        number = piece.constant
        if number is not None:
            return Typed(e.Cell(base + number), type_, static=False)
        cell = combined(e.CellOf(base, 1, piece.expression), type_, [piece], static=False)
        return attrs.evolve(cell, lies=piece.type.of)

    def subscript(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Subscript)
        if isinstance(node.value, ast.Name):
            table = self.names.values.get(node.value.id)
            if table is not None and table.numbers is not None:
                self.names.used.add(table.name)
                return self.table_entry(node, table)
        self.begun(node)
        reference = Domains(self).place_reference(node.value)
        kind = self.value(node.slice)
        self.check_held(node.slice, kind, reference)
        return self.owner.places.count(reference, kind)

    def table_entry(self, node: ast.Subscript, table: ValueTable) -> Typed:
        """An entry of a table of the pack; beyond a list's end its last entry counts."""
        numbers = table.numbers or [0]
        if table.by_word is not None:
            key = self.typed_as(node.slice, table.by_word)
            return looked_up(numbers, key, NUMBER, self.owner.universe)
        key = self.typed_as(node.slice, NUMBER)
        last = constant(len(numbers) - 1, NUMBER)
        zero = constant(0, NUMBER)
        inside = e.Highest([e.Lowest([key.expression, last.expression]), zero.expression])
        return combined(e.Looked([*numbers, 0], inside), NUMBER, [key])

    def check_held(self, node: ast.expr, kind: Typed, reference: PlaceReference) -> None:
        """A place can only be asked for pieces that it may hold."""
        if kind.type.kind != "piece":
            raise self.error(
                node,
                "type-mismatch",
                f"'{ast.unparse(node)}' is {a(kind.type)}, not a piece",
                got=str(kind.type),
                expected="piece",
            )
        if kind.type.of and kind.type.of not in reference.families:
            raise self.error(
                node,
                "not-held",
                f"{reference.text} never holds {a(kind.type)}",
                got=str(kind.type),
                expected=", ".join(reference.families),
            )

    # --- operators ----------------------------------------------------------------------------

    def comparison(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Compare)
        parts: list[Typed] = []
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self.simplified(self.compared(left, operator, right)))
            left = right
        return parts[0] if len(parts) == 1 else self.all_of(parts)

    def compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Typed:
        if isinstance(operator, ast.In):
            return self.membership(left, right)
        if isinstance(operator, ast.NotIn):
            inside = self.membership(left, right)
            return combined(e.Not(inside.expression), TRUTH, [inside])
        if not isinstance(operator, ast.Eq | ast.NotEq | ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            raise self.error(
                right, "expression-syntax", "things are compared with '==', not with 'is'"
            )
        one, two = self.value(left), self.value(right)
        if isinstance(operator, ast.Eq | ast.NotEq):
            if not one.type.meets(two.type):
                raise self.error(
                    right,
                    "type-mismatch",
                    f"{a(one.type)} is compared with {a(two.type)}",
                    got=str(two.type),
                    expected=str(one.type),
                )
            if isinstance(operator, ast.NotEq):
                return combined(e.Unequal(one.expression, two.expression), TRUTH, [one, two])
            return self.owner.places.equal(one, two)
        for part, typed in ((left, one), (right, two)):
            if not NUMBER.accepts(typed.type):
                raise self.error(
                    part,
                    "type-mismatch",
                    f"'{ast.unparse(part)}' is {a(typed.type)}, "
                    "and only numbers are larger or smaller" + self.size_advice(part, typed),
                    got=str(typed.type),
                    expected="number",
                )
        if isinstance(operator, ast.Gt | ast.GtE):
            one, two = two, one
        strict = isinstance(operator, ast.Gt | ast.Lt)
        make = e.Less if strict else e.AtMost
        return combined(make(one.expression, two.expression), TRUTH, [one, two])

    def size_advice(self, part: ast.expr, typed: Typed) -> str:
        """Return how to count what lies in a place, where a place stands for a number."""
        if not self.owner.places.is_place(typed.type):
            return ""
        return f"; size({ast.unparse(part)}) counts what lies there"

    def membership(self, left: ast.expr, right: ast.expr) -> Typed:
        """Whether a thing is in a place, in a relation, or in a list."""
        item = self.value(left)
        places = self.owner.places
        if isinstance(right, ast.Attribute):
            key = self.value(right.value)
            relation = places.relation(key.type, right.attr)
            if relation is not None:
                rows, type_ = relation
                self.check_meets(left, item.type, type_)
                return linked(rows, key, item, self.owner.universe)
        if not isinstance(right, ast.Tuple) and places.is_place(self.peek(right)):
            self.begun(right)
            reference = Domains(self).place_reference(right)
            self.check_held(left, item, reference)
            return places.contains(reference, item)
        domain = Domains(self).domain(right)
        self.check_meets(left, item.type, domain.type)
        return combined(d.IsIn(item.expression, domain.domain), TRUTH, [item, domain])

    def peek(self, node: ast.expr) -> Type | None:
        """Return the type of a node that may be a place, without complaint."""
        if isinstance(node, ast.Name) and node.id in self.names.places:
            return PLACE
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return PLACE if node.func.id in self.names.places else None
        if isinstance(node, ast.Name) and node.id in self.scope.names:
            return self.scope.names[node.id].type
        if isinstance(node, ast.Name) and node.id in self.names.sites:
            return Type("site", self.names.sites[node.id].kind)
        if isinstance(node, ast.Attribute):
            return self.value(node).type
        return None

    def check_count(self, node: ast.AST, name: str, arguments: list[ast.expr], wanted: int) -> None:
        if len(arguments) != wanted:
            raise self.error(
                node,
                "argument-count",
                f"'{name}' takes {wanted} argument{'s' * (wanted != 1)}, not {len(arguments)}",
                got=str(len(arguments)),
                expected=str(wanted),
            )

    def check_meets(self, node: ast.expr, found: Type, wanted: Type) -> None:
        if not wanted.meets(found):
            raise self.error(
                node,
                "type-mismatch",
                f"'{ast.unparse(node)}' is {a(found)}, not {a(wanted)}",
                got=str(found),
                expected=str(wanted),
            )

    def junction(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.BoolOp)
        parts = self.all_typed((part, TRUTH) for part in node.values)
        if isinstance(node.op, ast.And):
            return self.all_of(parts)
        return combined(e.AnyOf([part.expression for part in parts]), TRUTH, list(parts))

    def all_of(self, parts: list[Typed]) -> Typed:
        """A condition that every part must meet; it remembers its parts."""
        flat: list[Typed] = []
        for part in parts:
            flat.extend(part.conjuncts or (part,))
        result = combined(e.AllOf([part.expression for part in flat]), TRUTH, list(flat))
        return attrs.evolve(result, conjuncts=tuple(flat))

    def unary(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.UnaryOp)
        if isinstance(node.op, ast.Not):
            part = self.typed_as(node.operand, TRUTH)
            return combined(e.Not(part.expression), TRUTH, [part])
        if isinstance(node.op, ast.USub):
            part = self.typed_as(node.operand, NUMBER)
            return combined(e.Minus(e.Constant(0), part.expression), NUMBER, [part])
        raise self.error(node, "expression-syntax", "this sign is not part of the language")

    def arithmetic(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.BinOp)
        makers: dict[type[ast.operator], Callable[[e.Expression, e.Expression], e.Expression]] = {
            ast.Add: e.Plus,
            ast.Sub: e.Minus,
            ast.Mult: e.Times,
            ast.FloorDiv: e.Quotient,
            ast.Mod: e.Remainder,
        }
        make = makers.get(type(node.op))
        if make is None:
            raise self.error(
                node,
                "expression-syntax",
                "only + - * // % are part of the language",
                got=type(node.op).__name__,
            )
        left, right = self.typed_as(node.left, NUMBER), self.typed_as(node.right, NUMBER)
        if make in (e.Quotient, e.Remainder) and right.constant == 0:
            raise self.error(node.right, "wrong-value", "a division by zero", got="0")
        return combined(make(left.expression, right.expression), NUMBER, [left, right])

    def conditional(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.IfExp)
        condition = self.typed_as(node.test, TRUTH)
        then, otherwise = self.value(node.body), self.value(node.orelse)
        if not then.type.meets(otherwise.type):
            raise self.error(
                node.orelse,
                "type-mismatch",
                f"one branch is {a(then.type)}, the other {a(otherwise.type)}",
                got=str(otherwise.type),
                expected=str(then.type),
            )
        type_ = wider(then.type, otherwise.type)
        if condition.constant is not None:
            chosen = then if condition.constant else otherwise
            return attrs.evolve(chosen, type=type_)
        return combined(
            e.IfElse(condition.expression, then.expression, otherwise.expression),
            type_,
            [condition, then, otherwise],
        )


def wider(one: Type, two: Type) -> Type:
    """Return the type that covers both."""
    if one.kind in ("site", "place") and two.kind in ("site", "place") and one != two:
        return PLACE
    return one if one.accepts(two) and one.kind != "nothing" else two
