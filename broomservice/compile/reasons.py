"""Compiling requirements: the condition of each with its sentence and its source."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.code import Reason, Template
from broomservice.compile.context import Context
from broomservice.compile.texts import compile_template
from broomservice.compile.things import PlaceKind, text_of
from broomservice.compile.types import NUMBER, PLAYER, TRUTH, Typed, TypedDomain
from broomservice.core import expressions as e
from broomservice.core.domains import Fixed, IsIn, Span
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Reported

if TYPE_CHECKING:
    from broomservice.compile.steps import Steps

ME = Typed(e.Bound(e.ME), PLAYER)


@attrs.define
class Reasons:
    """Compiles why something is open or not."""

    steps: Steps

    def all(self, node: Map, key: str, context: Context) -> list[Reason]:
        """Compile requirements: each with its condition, its sentence and its source."""
        if key not in node:
            return []
        content = node[key]
        parts = content if isinstance(content, Seq) else [content]
        result: list[Reason] = []
        for i, part in enumerate(parts):
            spot = content.at(i) if isinstance(content, Seq) else node.at(key)
            try:
                condition = self.steps.expressions.compile(part, spot, context.scope, TRUTH)
                result.append(self.reason(part, spot, condition, context))
            except Reported:
                continue
        return result

    def reason(self, text: Any, place: Place, condition: Typed, context: Context) -> Reason:
        """Return why a condition is asked for."""
        names, expressions = self.steps.names, self.steps.expressions
        tree = expressions.parse(str(text), place)
        called = tree.func if isinstance(tree, ast.Call) else tree
        if isinstance(called, ast.Name) and called.id in names.requirements:
            formula = names.requirements[called.id]
            arguments = tree.args if isinstance(tree, ast.Call) else []
            bound = {
                parameter: expressions.compile(ast.unparse(argument), place, context.scope)
                for parameter, argument in zip(formula.parameters, arguments, strict=True)
            }
            sentence = compile_template(
                expressions,
                formula.node.get("else"),
                formula.node.at("else"),
                context.scope.inlined(bound),
                formula.name,
            )
            source = self.steps.sources.rests(formula.node, formula.place)
            title = text_of(formula.node.get("name"), formula.name.replace("_", " "))
            return Reason(formula.name, condition, sentence, source, "requirement", title)
        return self.plain(tree, condition, context)

    def plain(self, tree: ast.expr, condition: Typed, context: Context) -> Reason:
        """Return the reason of a condition that is no named requirement."""
        text = ast.unparse(tree)
        place = self.place_in(tree)
        if isinstance(tree, ast.Compare) and place is not None:
            item = self.steps.expressions.compile(
                ast.unparse(tree.left), context.place, context.scope
            )
            source = self.steps.sources.read(place.node, context.provenance)
            sentence = Template(lies_elsewhere(place), (item, ME))
            return Reason(f"in_{place.name}", condition, sentence, source, "place", lies_in(place))
        sentence = Template(
            {"en": (f"this must hold: {text}",), "de": (f"es muss gelten: {text}",)}, ()
        )
        return Reason(text, condition, sentence, context.provenance, title={"en": text})

    def place_in(self, tree: ast.expr) -> PlaceKind | None:
        """Return the place in which a thing must lie, if a condition says just that."""
        if isinstance(tree, ast.Compare) and isinstance(tree.ops[0], ast.In):
            place = tree.comparators[0]
            if isinstance(place, ast.Name):
                return self.steps.names.places.get(place.id)
        return None

    def domain(self, name: str, domain: TypedDomain, context: Context) -> list[Reason]:
        """Return the reason for a thing that is of the right type but not in the domain at all."""
        everything = self.steps.expressions.universe.of(domain.type)
        if isinstance(domain.domain, Fixed) and tuple(domain.domain.members) == everything:
            return []
        item = context.scope.names[name]
        condition = Typed(IsIn(item.expression, domain.domain), TRUTH, item.slots, False)
        place = self.steps.names.places.get(domain.text)
        gaps: tuple[Typed, ...] = (item, ME)
        title = {"en": "among what is offered", "de": "steht zur Wahl"}
        parts: dict[str, tuple[str | int, ...]] = {
            "en": (0, " is not to be chosen here"),
            "de": (0, " steht hier nicht zur Wahl"),
        }
        if place is not None:
            parts, title = lies_elsewhere(place), lies_in(place)
        elif isinstance(domain.domain, Span):
            ends = (domain.domain.low, domain.domain.high)
            gaps = (item, *(Typed(end, NUMBER) for end in ends))
            parts = {
                "en": (0, " is not a number from ", 1, " to ", 2),
                "de": (0, " ist keine Zahl von ", 1, " bis ", 2),
            }
        sentence = Template(parts, gaps)
        return [
            Reason(f"in {domain.text}", condition, sentence, context.provenance, "place", title)
        ]


def lies_in(place: PlaceKind) -> dict[str, str]:
    """Return in words what is asked for where a thing must lie in a place."""
    return {
        "en": f"in {place.text.get('en', place.name)}",
        "de": f"dabei: {place.text.get('de', place.name)}",
    }


def lies_elsewhere(place: PlaceKind) -> dict[str, tuple[str | int, ...]]:
    """Return the sentence about a thing (gap 0) that must lie in a place of somebody (gap 1)."""
    called = {language: place.text.get(language, place.name) for language in ("en", "de")}
    if place.per_player:
        return {
            "en": (0, " is not in ", 1, f"'s {called['en']}"),
            "de": (0, " liegt nicht bei ", 1, f" ({called['de']})"),
        }
    return {
        "en": (0, f" is not in the {called['en']}"),
        "de": (0, f" liegt nicht dort: {called['de']}"),
    }
