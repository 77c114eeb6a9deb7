"""The expressions of the card language: a small part of Python's, checked and compiled.

Strings are parsed with the standard `ast` module, checked node by node against what the language
has, typed, and turned into expression objects. Nothing is ever executed.
"""

from __future__ import annotations

import ast
import re

import attrs

from broomservice.compile.calls import QUANTIFIERS
from broomservice.compile.domains import Domains
from broomservice.compile.layout import Plan
from broomservice.compile.names import Names
from broomservice.compile.places import PlaceReference, Places
from broomservice.compile.scope import Scope
from broomservice.compile.things import Formula
from broomservice.compile.types import (
    NUMBER,
    TRUTH,
    Tabulator,
    Type,
    Typed,
    TypedDomain,
    Universe,
    constant,
)
from broomservice.compile.visitor import Visitor
from broomservice.core import expressions as e
from broomservice.pack.load import Block
from broomservice.pack.problems import Place, Problems, a

ONE_EQUALS = re.compile(r"(?<![=!<>:])=(?!=)")
MAX_LENGTH = 2000
MAX_NESTING = 60
MAX_PARTS = 5_000
MAX_ALL_PARTS = 500_000


@attrs.define
class Expressions:
    """Compiles expressions for one pack and one number of players."""

    names: Names
    plan: Plan
    universe: Universe
    problems: Problems
    places: Places = attrs.field(init=False)
    tables: dict[str, Typed | None] = attrs.field(factory=dict)
    open_formulas: list[str] = attrs.field(factory=list)
    outermost: Place = Place()
    parts: int = 0
    all_parts: int = 0
    most_effort: int = 1

    def __attrs_post_init__(self) -> None:
        self.places = Places(self.names, self.plan)

    # --- the front door -----------------------------------------------------------------------

    def compile(
        self, text: object, place: Place, scope: Scope, wanted: Type | None = None
    ) -> Typed:
        """Return the compiled expression of a value in a pack: a text, a number or a truth."""
        if isinstance(text, bool):
            result = constant(int(text), TRUTH)
        elif isinstance(text, int):
            result = constant(text, NUMBER)
        elif isinstance(text, str):
            tree = self.parse(text, place)
            result = Visitor(self, scope, place, isinstance(text, Block)).value(tree)
        else:
            raise self.problems.add(
                place, "wrong-type", "an expression is wanted here", got=str(text)[:40]
            )
        if wanted is not None:
            self.want(result, wanted, place, str(text))
        return result

    def compile_domain(self, text: object, place: Place, scope: Scope) -> TypedDomain:
        """Return the compiled domain: a type, a place, a relation, a span of numbers."""
        tree = self.parse(str(text), place)
        return Domains(Visitor(self, scope, place, isinstance(text, Block))).domain(tree)

    def compile_place(self, text: object, place: Place, scope: Scope) -> PlaceReference:
        """Return the compiled place."""
        tree = self.parse(str(text), place)
        visitor = Visitor(self, scope, place, isinstance(text, Block))
        return Domains(visitor).place_reference(tree)

    def counter(
        self, node: ast.expr, name: str, owner: ast.expr | None, place: Place, scope: Scope
    ) -> Typed:
        """Return a counter that is to be changed."""
        return Visitor(self, scope, place, False).counter(node, name, owner)

    def parse(self, text: str, place: Place) -> ast.expr:
        """Return the syntax tree of an expression."""
        if len(text) > MAX_LENGTH:
            raise self.problems.add(place, "too-large", f"longer than {MAX_LENGTH} characters")
        if not self.open_formulas:
            self.parts, self.outermost = 0, place
        line = text.replace("\n", " ")
        spaces = len(line) - len(line.lstrip())
        if spaces and not isinstance(text, Block):
            place = place.moved(spaces)
        try:
            tree = ast.parse(line.strip(), mode="eval").body
        except SyntaxError as error:
            column = (error.offset or len(line.strip()) + 1) - 1
            reason = error.msg if error.offset else "it ends too early"
            equals = ONE_EQUALS.search(line.strip())
            if equals is not None:
                column, reason = equals.start(), "things are compared with '==', not with '='"
            spot = place if isinstance(text, Block) else place.moved(column)
            raise self.problems.add(
                spot, "expression-syntax", f"not an expression: {reason}", got=text[:60]
            ) from None
        except (RecursionError, MemoryError, ValueError):
            tree = None
        if tree is None or is_deep(tree, MAX_NESTING):
            raise self.problems.add(
                place, "too-large", f"nested deeper than {MAX_NESTING} levels", got=text[:60]
            )
        return tree

    def count_part(self) -> None:
        """Insist that an expression stays small, with all definitions that it uses."""
        self.parts += 1
        self.all_parts += 1
        if self.parts > MAX_PARTS or self.all_parts > MAX_ALL_PARTS:
            self.parts = 0
            raise self.problems.add(
                self.outermost,
                "too-large",
                f"the definitions in it make this longer than {MAX_PARTS} parts",
            )

    def want(self, typed: Typed, wanted: Type, place: Place, text: str) -> None:
        """Report an expression of the wrong type."""
        if not wanted.accepts(typed.type):
            raise self.problems.add(
                place,
                "type-mismatch",
                f"'{text}' is {a(typed.type)}, not {a(wanted)}",
                got=str(typed.type),
                expected=str(wanted),
            )

    def formula_table(self, formula: Formula) -> Typed | None:
        """Return a formula over one or two things as a table, if only fixed data decide it."""
        if formula.name not in self.tables:
            self.tables[formula.name] = self.tabulated(formula)
        return self.tables[formula.name]

    def tabulated(self, formula: Formula) -> Typed | None:
        if not 1 <= len(formula.parameters) <= 2:
            return None
        scope = Scope(Tabulator(self.universe))
        for parameter, type_ in formula.parameters.items():
            scope.bind(parameter, type_)
        typed = self.body(formula, scope)
        if not typed.static or any(slot == e.ME for slot in typed.slots):
            return None
        linked_or_looked = isinstance(typed.expression, e.Linked | e.LookedBound | e.Constant)
        return typed if linked_or_looked else None

    def body(self, formula: Formula, scope: Scope) -> Typed:
        """Compile the expression of a requirement or definition in a scope with its parameters."""
        if formula.name in self.open_formulas:
            raise self.problems.add(
                formula.place,
                "endless-definition",
                f"'{formula.name}' is defined by itself",
                got=formula.name,
            )
        self.open_formulas.append(formula.name)
        try:
            wanted = TRUTH if formula.name in self.names.requirements else None
            return self.compile(formula.expression, formula.expression_place, scope, wanted)
        finally:
            self.open_formulas.pop()

    def known_names(self, scope: Scope) -> list[str]:
        """Return all names that may stand in an expression."""
        names = self.names
        return [
            *scope.names,
            *names.words,
            *names.pieces,
            *names.sites,
            *names.options,
            *names.values,
            *names.counters,
            *names.places,
            *names.definitions,
            *names.requirements,
            *QUANTIFIERS,
            "me",
            "none",
            "size",
            "next",
            "player",
            "player_count",
            *names.families,
            *names.site_kinds,
            *names.word_sets,
        ]


def is_deep(tree: ast.AST, levels: int) -> bool:
    """Whether a syntax tree has more levels than that."""
    layer: list[ast.AST] = [tree]
    for _ in range(levels):
        layer = [part for node in layer for part in ast.iter_child_nodes(node)]
        if not layer:
            return False
    return True
