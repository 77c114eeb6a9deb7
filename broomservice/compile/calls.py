"""Calls in expressions: functions of the language, formulas of the pack, `any(... for ...)`."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.domains import Domains
from broomservice.compile.things import Formula
from broomservice.compile.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    Typed,
    TypedDomain,
    combined,
    constant,
    joined,
    linked,
    looked_up,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e

if TYPE_CHECKING:
    from broomservice.compile.visitor import Visitor
MAX_EFFORT = 200_000
QUANTIFIERS = frozenset(("any", "all", "sum", "count", "min", "max", "best", "first"))


@attrs.define
class Calls:
    """Compiles the calls of one expression."""

    visitor: Visitor

    def call(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Call)
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.visitor.error(
                node,
                "expression-syntax",
                f"'{ast.unparse(node)[:40]}' is not part of the language",
            )
        name, arguments = node.func.id, node.args
        generator = len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp)
        if name in QUANTIFIERS and generator:
            assert isinstance(arguments[0], ast.GeneratorExp)
            return self.quantified(node, name, arguments[0])
        if name in ("min", "max"):
            return self.extreme(node, name, arguments)
        built_in = self.built_in(node, name, arguments)
        if built_in is not None:
            return built_in
        self.visitor.names.used.add(name)
        if name in self.visitor.names.counters:
            self.visitor.check_count(node, name, arguments, 1)
            return self.visitor.counter(node, name, arguments[0])
        if name in self.visitor.names.places:
            return self.visitor.owner.places.as_value(Domains(self.visitor).place_reference(node))
        if name in self.visitor.names.definitions or name in self.visitor.names.requirements:
            return self.formula(node, name, arguments)
        known = [
            *QUANTIFIERS,
            "size",
            "piece_in",
            "next",
            "owner",
            *self.visitor.names.counters,
            *self.visitor.names.places,
            *self.visitor.names.definitions,
            *self.visitor.names.requirements,
        ]
        raise self.visitor.owner.problems.unknown(
            self.visitor.at(node),
            "unknown-requirement",
            f"there is no requirement, definition, place or counter '{name}'",
            name,
            known,
        )

    def built_in(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Typed | None:
        """The few functions of the language itself."""
        places = self.visitor.owner.places
        if name in ("size", "piece_in", "owner"):
            self.visitor.begun(node)
        if name == "size":
            self.visitor.check_count(node, name, arguments, 1)
            return places.size(Domains(self.visitor).place_reference(arguments[0]))
        if name == "piece_in":
            self.visitor.check_count(node, name, arguments, 1)
            reference = Domains(self.visitor).place_reference(arguments[0])
            if reference.limit != 1:
                raise self.visitor.error(
                    node,
                    "type-mismatch",
                    f"{reference.text} may hold several pieces",
                    got=reference.text,
                    expected="a place with limit 1",
                )
            return places.piece_in(reference)
        if name == "owner":
            self.visitor.check_count(node, name, arguments, 1)
            place = places.as_value(Domains(self.visitor).place_reference(arguments[0]))
            owners = [*self.visitor.owner.plan.layout.owners, -1]
            return combined(e.Looked(owners, place.expression), PLAYER, [place])
        if name == "next":
            if len(arguments) not in (1, 2):
                self.visitor.check_count(node, name, arguments, 1)
            player = self.visitor.typed_as(arguments[0], PLAYER)
            steps = (
                self.visitor.typed_as(arguments[1], NUMBER)
                if len(arguments) > 1
                else constant(1, NUMBER)
            )
            plan = self.visitor.owner.plan
            seat = e.NextSeat(player.expression, steps.expression, plan.players, plan.seats)
            return combined(seat, PLAYER, [player, steps], static=plan.seats < 0)
        return None

    def extreme(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Typed:
        if not arguments:
            self.visitor.check_count(node, name, arguments, 2)
        parts = [self.visitor.typed_as(part, NUMBER) for part in arguments]
        expressions = [part.expression for part in parts]
        make = e.Lowest(expressions) if name == "min" else e.Highest(expressions)
        return combined(make, NUMBER, list(parts))

    def formula(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Typed:
        """Call a requirement or definition."""
        names = self.visitor.names
        formula = names.requirements.get(name) or names.definitions[name]
        self.visitor.check_count(node, name, arguments, len(formula.parameters))
        values = self.visitor.all_typed(zip(arguments, formula.parameters.values(), strict=True))
        return self.owner_apply(formula, values)

    def owner_apply(self, formula: Formula, values: list[Typed]) -> Typed:
        """Return a formula applied to arguments: by its table, or with them put in its place."""
        table = self.visitor.owner.formula_table(formula)
        if table is not None:
            applied = self.by_table(table, values)
            if applied is not None:
                return self.visitor.simplified(applied)
        inner = self.visitor.scope.inlined(dict(zip(formula.parameters, values, strict=True)))
        return self.visitor.owner.body(formula, inner)

    def by_table(self, table: Typed, values: list[Typed]) -> Typed | None:
        """Apply a formula that is a table to its arguments."""
        expression = table.expression
        universe = self.visitor.owner.universe
        if isinstance(expression, e.Constant):
            return table
        if isinstance(expression, e.LookedBound):
            key = values[expression.slot - 2]
            return looked_up(expression.table, key, table.type, universe)
        if isinstance(expression, e.Linked):
            one, two = expression.first, expression.second
            if isinstance(one, e.Bound) and isinstance(two, e.Bound):
                return linked(
                    expression.table, values[one.slot - 2], values[two.slot - 2], universe
                )
        return None

    def quantified(self, node: ast.Call, name: str, generator: ast.GeneratorExp) -> Typed:
        """any, all, sum, count, min, max, best, first over a domain."""
        if len(generator.generators) != 1 or generator.generators[0].is_async:
            raise self.visitor.error(node, "expression-syntax", "one 'for' at a time")
        clause = generator.generators[0]
        if not isinstance(clause.target, ast.Name):
            raise self.visitor.error(node, "expression-syntax", "'for' binds one name")
        domain = Domains(self.visitor).domain(clause.iter)
        inner = self.visitor.scope.child()
        slot = inner.bind_local(clause.target.id, domain.type, self.visitor, clause.target)
        visitor = attrs.evolve(self.visitor, scope=inner)
        conditions: list[Typed] = []
        for condition in clause.ifs:
            typed = visitor.typed_as(condition, TRUTH)
            conditions.extend(typed.conjuncts or (typed,))
        name_itself = isinstance(generator.elt, ast.Name) and (generator.elt.id == clause.target.id)
        if name in ("count", "first") and not name_itself:
            raise self.visitor.error(
                generator.elt,
                "expression-syntax",
                f"'{name}' takes the name itself; conditions stand after 'if'",
                got=ast.unparse(generator.elt),
                expected=clause.target.id,
            )
        body = visitor.value(generator.elt)
        if name in ("any", "all"):
            visitor.check_meets(generator.elt, body.type, TRUTH)
        elif name in ("sum", "min", "max", "best"):
            visitor.check_meets(generator.elt, body.type, NUMBER)
        result = self.quantifier(name, slot, domain, conditions, body)
        self.visitor.owner.most_effort = max(self.visitor.owner.most_effort, result.effort)
        if result.effort > MAX_EFFORT:
            raise self.visitor.error(
                node,
                "too-large",
                f"this looks at about {result.effort} numbers, more than {MAX_EFFORT}",
            )
        return result

    def quantifier(
        self, name: str, slot: int, domain: TypedDomain, conditions: list[Typed], body: Typed
    ) -> Typed:
        if name == "any":
            conditions = [*conditions, *(body.conjuncts or (body,))]
        narrow, rest = self.visitor.scope.narrowed(domain, conditions, slot)
        condition = joined(rest)
        parts: list[Typed | TypedDomain] = [narrow, condition]
        makers: dict[str, Callable[[], e.Expression]] = {
            "any": lambda: d.Exists(slot, narrow.domain, condition.expression),
            "all": lambda: d.ForAll(slot, narrow.domain, implied(condition, body)),
            "sum": lambda: d.Total(slot, narrow.domain, condition.expression, body.expression),
            "count": lambda: d.Total(slot, narrow.domain, condition.expression, e.Constant(1)),
            "min": lambda: d.Extreme(
                slot, narrow.domain, condition.expression, body.expression, -1
            ),
            "max": lambda: d.Extreme(slot, narrow.domain, condition.expression, body.expression, 1),
            "best": lambda: d.Best(slot, narrow.domain, condition.expression, body.expression),
            "first": lambda: d.First(slot, narrow.domain, condition.expression),
        }
        types = {"any": TRUTH, "all": TRUTH, "best": domain.type, "first": domain.type}
        if name not in ("any", "count", "first"):
            parts.append(body)
        result = combined(makers[name](), types.get(name, NUMBER), parts, bound=slot)
        result = attrs.evolve(result, effort=result.effort * self.extent(narrow))
        if name == "any":
            gathered = self.visitor.scope.gathered(narrow, rest, slot)
            result = attrs.evolve(result, selects=gathered)
        return result

    def extent(self, domain: TypedDomain) -> int:
        """Return about how many things there are to look through."""
        core = domain.domain
        if isinstance(core, d.Fixed):
            return len(core.members) + 1
        if isinstance(core, d.Related):
            return max(len(row) for row in core.rows) + 1
        if isinstance(core, d.Span):
            low, high = core.low, core.high
            if isinstance(low, e.Constant) and isinstance(high, e.Constant):
                return int(high.number - low.number) + 1
        return len(self.visitor.owner.universe.of(domain.type)) or 100


def implied(condition: Typed, body: Typed) -> e.Expression:
    """The body, where the condition holds."""
    if isinstance(condition.expression, e.Always):
        return body.expression
    return e.AnyOf([e.Not(condition.expression), body.expression])
