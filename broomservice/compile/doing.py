"""Compiling the steps that move pieces and change counters."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.context import Context
from broomservice.compile.places import PlaceReference
from broomservice.compile.texts import compile_template
from broomservice.compile.types import NUMBER, PLAYER, Type, Typed, constant, joined
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core.table import Effect
from broomservice.pack.load import Map
from broomservice.pack.problems import Place, Reported, a

if TYPE_CHECKING:
    from broomservice.compile.steps import Steps


@attrs.define
class Doing:
    """The half of the step compiler that is about pieces and counters."""

    steps: Steps

    def move(self, step: Map, context: Context, after: Effect) -> Effect:
        self.steps.demand(step, "to", "move")
        content = step["move"]
        if not isinstance(content, Map):
            piece = self.steps.expressions.compile(
                content, step.at("move"), context.scope, Type("piece")
            )
            amount = (
                self.steps.expression(step, "count", context, NUMBER)
                if "count" in step
                else constant(1, NUMBER)
            )
            return self.move_one(step, piece, amount, context, after)
        entry = after
        for name in reversed(list(content)):
            piece = self.steps.expressions.compile(
                name, content.key_at(name), context.scope, Type("piece")
            )
            amount = self.steps.expressions.compile(
                content[name], content.at(name), context.scope, NUMBER
            )
            entry = self.move_one(step, piece, amount, context, entry)
        return entry

    def move_one(
        self, step: Map, piece: Typed, amount: Typed, context: Context, after: Effect
    ) -> Effect:
        target = self.steps.place(step, "to", context)
        self.check_holds(target, piece.type, step.at("to"))
        source: e.Expression = e.Constant(-1)
        if "from" in step:
            origin = self.steps.place(step, "from", context)
            self.check_holds(origin, piece.type, step.at("from"))
            source = self.steps.place_number(origin)
        elif piece.type.of not in self.steps.expressions.plan.unique:
            self.steps.demand(step, "from", "move")
        move = f.MovePieces(
            0, piece.expression, amount.expression, source, self.steps.place_number(target), after
        )
        return self.steps.emit(move, context)

    def check_holds(self, reference: PlaceReference, type_: Type, place: Place) -> None:
        """Pieces only go where they may lie."""
        if type_.of and type_.of not in reference.families:
            raise self.steps.problems.add(
                place,
                "not-held",
                f"{reference.text} never holds {a(type_)}",
                got=str(type_),
                expected=", ".join(reference.families),
            )

    def move_all(self, step: Map, context: Context, after: Effect) -> Effect:
        self.steps.demand(step, "to", "move_all")
        self.steps.demand(step, "from", "move_all")
        name, content, key_place, value_place = self.steps.one_binding(step, "move_all")
        domain = self.steps.expressions.compile_domain(content, value_place, context.scope)
        origin = self.steps.place(step, "from", context)
        inner = context.inner()
        slot = self.steps.bind(name, domain.type, inner, key_place)
        inner.scope.used.add(name)
        conditions = self.steps.condition(step, "where", inner)
        target = self.steps.place(step, "to", inner)
        self.check_holds(target, domain.type, step.at("to"))
        self.check_holds(origin, domain.type, step.at("from"))
        move = f.MoveAll(
            0,
            slot,
            domain.domain,
            joined(conditions).expression,
            self.steps.place_number(origin),
            self.steps.place_number(target),
            after,
        )
        return self.steps.emit(move, context)

    def score(self, step: Map, context: Context, after: Effect) -> Effect:
        game = self.steps.names.documents.game
        points = game.get("score")
        if points is None:
            raise self.steps.problems.add(
                context.place,
                "unknown-counter",
                "the game does not say which counter is scored",
                expected="score: <counter>",
            )
        if points not in self.steps.names.counters:
            raise Reported
        amount = self.steps.expression(step, "score", context, NUMBER)
        owner = (
            self.steps.expression(step, "for", context, PLAYER)
            if "for" in step
            else Typed(e.Bound(e.ME), PLAYER, frozenset([e.ME]))
        )
        self.steps.names.used.add(points)
        base = self.steps.expressions.plan.counters[points].base
        effect = f.Score(0, base, owner.expression, amount.expression, [], after)
        label = self.steps.emit(effect, context)
        if "because" in step:
            template = compile_template(
                self.steps.expressions, step["because"], step.at("because"), context.scope
            )
            effect.about = [gap.expression for gap in template.gaps]
            self.steps.code.sentences[effect.number] = template
        return label

    def set_(self, step: Map, context: Context, after: Effect) -> Effect:
        return self.change(step, "set", context, after)

    def add(self, step: Map, context: Context, after: Effect) -> Effect:
        return self.change(step, "add", context, after)

    def change(self, step: Map, keyword: str, context: Context, after: Effect) -> Effect:
        content: Map = step[keyword]
        entry = after
        for target in reversed(list(content)):
            entry = self.change_one(content, target, keyword, context, entry)
        return entry

    def change_one(
        self, content: Map, target: str, keyword: str, context: Context, after: Effect
    ) -> Effect:
        """Set a counter, or add to it: `leader`, or `passes(p)`."""
        tree = self.steps.expressions.parse(target, content.key_at(target))
        name = (
            tree.id
            if isinstance(tree, ast.Name)
            else (
                tree.func.id
                if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)
                else ""
            )
        )
        counter = self.steps.names.counters.get(name)
        if counter is None:
            raise self.steps.problems.unknown(
                content.key_at(target),
                "unknown-counter",
                f"there is no counter '{name}'",
                name,
                self.steps.names.counters,
            )
        self.steps.names.used.add(name)
        wanted = counter.type if keyword == "set" else NUMBER
        amount = self.steps.expressions.compile(
            content[target], content.at(target), context.scope, wanted
        )
        owners = tree.args if isinstance(tree, ast.Call) else [None]
        current = self.steps.expressions.counter(
            tree, name, owners[0] if owners else None, content.key_at(target), context.scope
        )
        base, stride, owner = counter_address(current)
        effect = f.SetCounter(0, base, stride, owner, amount.expression, keyword == "add", after)
        return self.steps.emit(effect, context)


def counter_address(typed: Typed) -> tuple[int, int, e.Expression]:
    """Return base, stride and owner of the cell that an expression reads."""
    expression = typed.expression
    if isinstance(expression, e.CellOfMine):
        return expression.base, expression.stride, e.Bound(e.ME)
    if isinstance(expression, e.CellOf):
        return expression.base, expression.stride, expression.owner
    assert isinstance(expression, e.Cell)
    return expression.cell, 0, e.Constant(0)
