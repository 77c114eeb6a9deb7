"""The expressions of the card language: a small part of Python's, checked and compiled.

Strings are parsed with the standard `ast` module, checked node by node against what the language
has, typed, and turned into expression objects. Nothing is ever executed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

import attrs

from broomservice.compile.layout import Plan
from broomservice.compile.names import Formula, Names, ValueTable
from broomservice.compile.places import PlaceReference, Places
from broomservice.compile.scope import Scope
from broomservice.compile.types import (
    NOTHING_TYPE,
    NUMBER,
    PLACE,
    PLAYER,
    TRUTH,
    Tabulator,
    Type,
    Typed,
    TypedDomain,
    Universe,
    combined,
    constant,
    linked,
    looked_up,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e
from broomservice.core.errors import RuleError
from broomservice.pack.load import Block
from broomservice.pack.problems import Place, Problems, Reported, a

ONE_EQUALS = re.compile(r"(?<![=!<>:])=(?!=)")
MAX_LENGTH = 2000
MAX_NESTING = 60
MAX_PARTS = 5_000
MAX_ALL_PARTS = 500_000
MAX_EFFORT = 200_000
MAX_SPAN = 1_000
QUANTIFIERS = frozenset("any all sum count min max best first".split())


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
        return Visitor(self, scope, place, isinstance(text, Block)).domain(tree)

    def compile_place(self, text: object, place: Place, scope: Scope) -> PlaceReference:
        """Return the compiled place."""
        tree = self.parse(str(text), place)
        return Visitor(self, scope, place, isinstance(text, Block)).place_reference(tree)

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
                self.outermost, "too-large",
                f"the definitions in it make this longer than {MAX_PARTS} parts",
            )

    def want(self, typed: Typed, wanted: Type, place: Place, text: str) -> None:
        """Report an expression of the wrong type."""
        if not wanted.accepts(typed.type):
            raise self.problems.add(
                place, "type-mismatch", f"'{text}' is {a(typed.type)}, not {a(wanted)}",
                got=str(typed.type), expected=str(wanted),
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
                formula.place, "endless-definition",
                f"'{formula.name}' is defined by itself", got=formula.name,
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
            *scope.names, *names.words, *names.pieces, *names.sites, *names.options,
            *names.values, *names.counters, *names.places, *names.definitions,
            *names.requirements, *QUANTIFIERS, "me", "none", "size", "next", "player",
            "player_count", *names.families, *names.site_kinds, *names.word_sets,
        ]


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
        self, node: ast.AST, code: str, message: str, *, got: str = "", expected: str = "",
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
                node, "type-mismatch", f"'{ast.unparse(node)}' is {a(typed.type)}, not {a(wanted)}",
                got=str(typed.type), expected=str(wanted),
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
                node, "type-mismatch",
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
            ast.Call: self.call,
            ast.Compare: self.comparison,
            ast.BoolOp: self.junction,
            ast.UnaryOp: self.unary,
            ast.BinOp: self.arithmetic,
            ast.IfExp: self.conditional,
        }
        handler = handlers.get(type(node))
        if handler is None:
            raise self.error(
                node, "expression-syntax",
                f"'{ast.unparse(node)[:40]}' is not part of the language",
                got=type(node).__name__,
            )
        self.owner.count_part()
        try:
            return self.simplified(handler(node))
        except RuleError as fault:
            raise self.error(
                node, "wrong-value", f"'{ast.unparse(node)[:40]}': {fault.message}",
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
                node, "expression-syntax", "names stand without quotation marks here",
                got=ast.unparse(node)[:40], expected=value[:40],
            )
        raise self.error(
            node, "expression-syntax", f"'{ast.unparse(node)[:40]}' is not part of the language",
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
            return self.owner.places.as_value(self.place_reference(node))
        if name in names.definitions or name in names.requirements:
            return self.formula(node, name, [])
        if name in self.scope.bound_elsewhere:
            raise self.error(node, "unbound-name", f"'{name}' is not bound here", got=name)
        kind = names.kind_of(name)
        if kind and name not in self.owner.problems.dropped:
            raise self.error(
                node, "unknown-name", f"'{name}' is {kind}, and no single thing", got=name,
                expected="a bound name",
            )
        raise self.owner.problems.unknown(
            self.at(node), "unknown-name", f"there is no '{name}'", name,
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
                    node, "argument-count", f"'{name}' needs a {counter.per}", got=name,
                    expected=f"{name}({counter.per})",
                )
            return Typed(
                e.CellOfMine(cells.base, 1), counter.type, frozenset([e.ME]), static=False
            )
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
                self.at(node).moved(len(ast.unparse(node.value)) + 1) if not self.block
                else self.start,
                "unknown-attribute", f"{a(thing.type)} has no attribute '{name}'", name,
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
                node, "type-mismatch",
                f"there are several of each {piece.type}, so '.at' has no meaning",
                got=ast.unparse(node),
            )
        type_ = self.owner.places.home_of(piece.type.of)
        number = piece.constant
        if number is not None:
            return Typed(e.Cell(base + number), type_, static=False)
        return combined(e.CellOf(base, 1, piece.expression), type_, [piece], static=False)

    def subscript(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Subscript)
        if isinstance(node.value, ast.Name):
            table = self.names.values.get(node.value.id)
            if table is not None and table.numbers is not None:
                self.names.used.add(table.name)
                return self.table_entry(node, table)
        self.begun(node)
        reference = self.place_reference(node.value)
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
                node, "type-mismatch", f"'{ast.unparse(node)}' is {a(kind.type)}, not a piece",
                got=str(kind.type), expected="piece",
            )
        if kind.type.of and kind.type.of not in reference.families:
            raise self.error(
                node, "not-held", f"{reference.text} never holds {a(kind.type)}",
                got=str(kind.type), expected=", ".join(reference.families),
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
        one, two = self.value(left), self.value(right)
        if isinstance(operator, ast.Eq | ast.NotEq):
            if not one.type.meets(two.type):
                raise self.error(
                    right, "type-mismatch",
                    f"{a(one.type)} is compared with {a(two.type)}",
                    got=str(two.type), expected=str(one.type),
                )
            if isinstance(operator, ast.NotEq):
                return combined(e.Unequal(one.expression, two.expression), TRUTH, [one, two])
            return self.owner.places.equal(one, two)
        for part, typed in ((left, one), (right, two)):
            if not NUMBER.accepts(typed.type):
                raise self.error(
                    part, "type-mismatch", f"'{ast.unparse(part)}' is {a(typed.type)}, "
                    "and only numbers are larger or smaller" + self.size_advice(part, typed),
                    got=str(typed.type), expected="number",
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
            reference = self.place_reference(right)
            self.check_held(left, item, reference)
            return places.contains(reference, item)
        domain = self.domain(right)
        self.check_meets(left, item.type, domain.type)
        return combined(e_is_in(item, domain), TRUTH, [item, domain])

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

    def check_meets(self, node: ast.expr, found: Type, wanted: Type) -> None:
        if not wanted.meets(found):
            raise self.error(
                node, "type-mismatch", f"'{ast.unparse(node)}' is {a(found)}, not {a(wanted)}",
                got=str(found), expected=str(wanted),
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
            ast.Add: e.Plus, ast.Sub: e.Minus, ast.Mult: e.Times, ast.FloorDiv: e.Quotient,
            ast.Mod: e.Remainder,
        }
        make = makers.get(type(node.op))
        if make is None:
            raise self.error(
                node, "expression-syntax",
                "only + - * // % are part of the language", got=type(node.op).__name__,
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
                node.orelse, "type-mismatch",
                f"one branch is {a(then.type)}, the other {a(otherwise.type)}",
                got=str(otherwise.type), expected=str(then.type),
            )
        type_ = wider(then.type, otherwise.type)
        if condition.constant is not None:
            chosen = then if condition.constant else otherwise
            return attrs.evolve(chosen, type=type_)
        return combined(
            e.IfElse(condition.expression, then.expression, otherwise.expression), type_,
            [condition, then, otherwise],
        )

    # --- calls --------------------------------------------------------------------------------

    def call(self, node: ast.expr) -> Typed:
        assert isinstance(node, ast.Call)
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise self.error(
                node, "expression-syntax",
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
        self.names.used.add(name)
        if name in self.names.counters:
            self.check_count(node, name, arguments, 1)
            return self.counter(node, name, arguments[0])
        if name in self.names.places:
            return self.owner.places.as_value(self.place_reference(node))
        if name in self.names.definitions or name in self.names.requirements:
            return self.formula(node, name, arguments)
        known = [*QUANTIFIERS, "size", "piece_in", "next", "owner", *self.names.counters,
                 *self.names.places, *self.names.definitions, *self.names.requirements]
        raise self.owner.problems.unknown(
            self.at(node), "unknown-requirement",
            f"there is no requirement, definition, place or counter '{name}'", name, known,
        )

    def check_count(
        self, node: ast.AST, name: str, arguments: list[ast.expr], wanted: int
    ) -> None:
        if len(arguments) != wanted:
            raise self.error(
                node, "argument-count",
                f"'{name}' takes {wanted} argument{'s' * (wanted != 1)}, not {len(arguments)}",
                got=str(len(arguments)), expected=str(wanted),
            )

    def built_in(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Typed | None:
        """The few functions of the language itself."""
        places = self.owner.places
        if name in ("size", "piece_in", "owner"):
            self.begun(node)
        if name == "size":
            self.check_count(node, name, arguments, 1)
            return places.size(self.place_reference(arguments[0]))
        if name == "piece_in":
            self.check_count(node, name, arguments, 1)
            reference = self.place_reference(arguments[0])
            if reference.limit != 1:
                raise self.error(
                    node, "type-mismatch",
                    f"{reference.text} may hold several pieces", got=reference.text,
                    expected="a place with limit 1",
                )
            return places.piece_in(reference)
        if name == "owner":
            self.check_count(node, name, arguments, 1)
            place = places.as_value(self.place_reference(arguments[0]))
            owners = [*self.owner.plan.layout.owners, -1]
            return combined(e.Looked(owners, place.expression), PLAYER, [place])
        if name == "next":
            if len(arguments) not in (1, 2):
                self.check_count(node, name, arguments, 1)
            player = self.typed_as(arguments[0], PLAYER)
            steps = (
                self.typed_as(arguments[1], NUMBER) if len(arguments) > 1
                else constant(1, NUMBER)
            )
            plan = self.owner.plan
            seat = e.NextSeat(player.expression, steps.expression, plan.players, plan.seats)
            return combined(seat, PLAYER, [player, steps], static=plan.seats < 0)
        return None

    def extreme(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Typed:
        if not arguments:
            self.check_count(node, name, arguments, 2)
        parts = [self.typed_as(part, NUMBER) for part in arguments]
        expressions = [part.expression for part in parts]
        make = e.Lowest(expressions) if name == "min" else e.Highest(expressions)
        return combined(make, NUMBER, list(parts))

    def formula(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> Typed:
        """Call a requirement or definition."""
        names = self.names
        formula = names.requirements.get(name) or names.definitions[name]
        self.check_count(node, name, arguments, len(formula.parameters))
        values = self.all_typed(zip(arguments, formula.parameters.values(), strict=True))
        return self.owner_apply(formula, values)

    def owner_apply(self, formula: Formula, values: list[Typed]) -> Typed:
        """Return a formula applied to arguments: by its table, or with them put in its place."""
        table = self.owner.formula_table(formula)
        if table is not None:
            applied = self.by_table(table, values)
            if applied is not None:
                return self.simplified(applied)
        inner = self.scope.inlined(dict(zip(formula.parameters, values, strict=True)))
        return self.owner.body(formula, inner)

    def by_table(self, table: Typed, values: list[Typed]) -> Typed | None:
        """Apply a formula that is a table to its arguments."""
        expression = table.expression
        universe = self.owner.universe
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
            raise self.error(node, "expression-syntax", "one 'for' at a time")
        clause = generator.generators[0]
        if not isinstance(clause.target, ast.Name):
            raise self.error(node, "expression-syntax", "'for' binds one name")
        domain = self.domain(clause.iter)
        inner = self.scope.child()
        slot = inner.bind_local(clause.target.id, domain.type, self, clause.target)
        visitor = attrs.evolve(self, scope=inner)
        conditions: list[Typed] = []
        for condition in clause.ifs:
            typed = visitor.typed_as(condition, TRUTH)
            conditions.extend(typed.conjuncts or (typed,))
        body = visitor.value(generator.elt)
        if name in ("any", "all"):
            visitor.check_meets(generator.elt, body.type, TRUTH)
        elif name in ("sum", "min", "max", "best"):
            visitor.check_meets(generator.elt, body.type, NUMBER)
        result = self.quantifier(name, slot, domain, conditions, body)
        self.owner.most_effort = max(self.owner.most_effort, result.effort)
        if result.effort > MAX_EFFORT:
            raise self.error(
                node, "too-large",
                f"this looks at about {result.effort} numbers, more than {MAX_EFFORT}",
            )
        return result

    def quantifier(
        self, name: str, slot: int, domain: TypedDomain, conditions: list[Typed], body: Typed
    ) -> Typed:
        if name == "any":
            conditions = [*conditions, *(body.conjuncts or (body,))]
        narrow, rest = self.scope.narrowed(domain, conditions, slot)
        condition = joined(rest)
        parts: list[Typed | TypedDomain] = [narrow, condition]
        makers: dict[str, Callable[[], e.Expression]] = {
            "any": lambda: d.Exists(slot, narrow.domain, condition.expression),
            "all": lambda: d.ForAll(slot, narrow.domain, implied(condition, body)),
            "sum": lambda: d.Total(slot, narrow.domain, condition.expression, body.expression),
            "count": lambda: d.Total(
                slot, narrow.domain, condition.expression, e.Constant(1)
            ),
            "min": lambda: d.Extreme(
                slot, narrow.domain, condition.expression, body.expression, -1
            ),
            "max": lambda: d.Extreme(
                slot, narrow.domain, condition.expression, body.expression, 1
            ),
            "best": lambda: d.Best(slot, narrow.domain, condition.expression, body.expression),
            "first": lambda: d.First(slot, narrow.domain, condition.expression),
        }
        types = {"any": TRUTH, "all": TRUTH, "best": domain.type, "first": domain.type}
        if name not in ("any", "count", "first"):
            parts.append(body)
        result = combined(makers[name](), types.get(name, NUMBER), parts, bound=slot)
        result = attrs.evolve(result, effort=result.effort * self.extent(narrow))
        if name == "any":
            gathered = self.scope.gathered(narrow, rest, slot)
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
        return len(self.owner.universe.of(domain.type)) or 100

    # --- domains and places -------------------------------------------------------------------

    def domain(self, node: ast.expr) -> TypedDomain:
        """Compile what one can look through: a type, a place, a relation, a list, a span."""
        text = ast.unparse(node)
        places = self.owner.places
        if isinstance(node, ast.Name) and node.id not in self.scope.names:
            type_ = places.type_named(node.id)
            if type_ is not None:
                self.names.used.add(node.id)
                self.names.searched.add(node.id)
                members = list(self.owner.universe.of(type_))
                return TypedDomain(d.Fixed(members), type_, text=text)
        if isinstance(node, ast.Tuple):
            return self.listed(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "numbers":
                return self.span(node)
        if isinstance(node, ast.Attribute):
            key = self.value(node.value)
            relation = places.relation(key.type, node.attr)
            if relation is not None:
                return places.related(relation, key, text)
            if key.type.kind == "site" and places.attribute_table(key.type, node.attr) is None:
                raise self.owner.problems.unknown(
                    self.at(node), "unknown-attribute",
                    f"{a(key.type)} has no attribute '{node.attr}'", node.attr,
                    [*places.attribute_names(key.type), *places.relation_names(key.type)],
                )
        self.begun(node)
        return places.contents(self.place_reference(node), text)

    def listed(self, node: ast.Tuple) -> TypedDomain:
        """A list of fixed things: (forest, hill)."""
        parts = [self.value(part) for part in node.elts]
        numbers: list[int] = []
        for part, typed in zip(node.elts, parts, strict=True):
            if typed.constant is None or not typed.type.meets(parts[0].type):
                raise self.error(
                    part, "type-mismatch", "a list holds fixed things of one type",
                    got=ast.unparse(part),
                )
            numbers.append(typed.constant)
        return TypedDomain(d.Fixed(sorted(set(numbers))), parts[0].type, text=ast.unparse(node))

    def span(self, node: ast.Call) -> TypedDomain:
        """The whole numbers from one to another."""
        self.check_count(node, "numbers", node.args, 2)
        low, high = (self.typed_as(part, NUMBER) for part in node.args)
        if low.constant is not None and high.constant is not None and low.constant > high.constant:
            raise self.error(
                node, "wrong-value", f"there are no numbers from {low.constant} to {high.constant}",
                got=ast.unparse(node), expected="the lower number first",
            )
        if (high.constant or 0) - (low.constant or 0) > MAX_SPAN:
            raise self.error(
                node, "too-large", f"more than {MAX_SPAN} numbers to look through",
                got=ast.unparse(node),
            )
        slots = low.slots | high.slots
        return TypedDomain(
            d.Span(low.expression, high.expression), NUMBER, slots, low.static and high.static,
            ast.unparse(node),
        )

    def place_reference(self, node: ast.expr) -> PlaceReference:
        """Compile a place: `hand`, `hand(p)`, a site, or where a piece lies."""
        places = self.owner.places
        if isinstance(node, ast.Name) and node.id in self.names.places:
            self.names.used.add(node.id)
            return places.named(node.id, Typed(e.Bound(e.ME), PLAYER, frozenset([e.ME])))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in self.names.places:
                self.names.used.add(name)
                kind = self.names.places[name]
                self.check_count(node, name, node.args, 1 if kind.per_player else 0)
                owner = (
                    self.typed_as(node.args[0], PLAYER) if kind.per_player
                    else constant(0, PLAYER)
                )
                return places.named(name, owner)
            if name not in self.names.counters and name not in self.names.definitions and (
                name not in ("next", "owner", "piece_in", "first", "best")
            ):
                raise self.owner.problems.unknown(
                    self.at(node), "unknown-place", f"there is no place '{name}'", name,
                    self.names.places,
                )
        if isinstance(node, ast.IfExp):
            return places.of_value(self.value(node), ast.unparse(node))
        if isinstance(node, ast.Name) and self.fixed_name(node.id) is None and (
            node.id not in self.names.counters
            and node.id not in self.scope.bound_elsewhere
            and node.id not in self.names.definitions
        ):
            raise self.owner.problems.unknown(
                self.at(node), "unknown-place", f"there is no place '{node.id}'", node.id,
                [*self.names.places, *self.names.sites, *self.scope.names],
            )
        typed = self.value(node)
        if not PLACE.accepts(typed.type):
            raise self.error(
                node, "type-mismatch", f"'{ast.unparse(node)}' is {a(typed.type)}, not a place",
                got=str(typed.type), expected="place",
            )
        return places.of_value(typed, ast.unparse(node))


def is_deep(tree: ast.AST, levels: int) -> bool:
    """Whether a syntax tree has more levels than that."""
    layer: list[ast.AST] = [tree]
    for _ in range(levels):
        layer = [part for node in layer for part in ast.iter_child_nodes(node)]
        if not layer:
            return False
    return True


def e_is_in(item: Typed, domain: TypedDomain) -> e.Expression:
    """Whether a thing is in a domain."""
    return d.IsIn(item.expression, domain.domain)


def wider(one: Type, two: Type) -> Type:
    """Return the type that covers both."""
    if one.kind in ("site", "place") and two.kind in ("site", "place") and one != two:
        return PLACE
    return one if one.accepts(two) and one.kind != "nothing" else two


def joined(parts: list[Typed]) -> Typed:
    """Return one condition for several."""
    if not parts:
        return Typed(e.Always(), TRUTH)
    if len(parts) == 1:
        return parts[0]
    return combined(e.AllOf([part.expression for part in parts]), TRUTH, list(parts))


def implied(condition: Typed, body: Typed) -> e.Expression:
    """The body, where the condition holds."""
    if isinstance(condition.expression, e.Always):
        return body.expression
    return e.AnyOf([e.Not(condition.expression), body.expression])
