"""Compiling a pack for one number of players: from its documents to a program."""

from __future__ import annotations

from typing import Any

import attrs

from broomservice.compile.code import Code, Question, Reason, StepInfo, Template, step_of
from broomservice.compile.context import NUMBERS, Context
from broomservice.compile.expressions import Expressions
from broomservice.compile.fuse import fuse
from broomservice.compile.hooks import Hooks
from broomservice.compile.layout import Plan, Starts
from broomservice.compile.names import Names
from broomservice.compile.scope import Scope
from broomservice.compile.steps import Steps
from broomservice.compile.texts import compile_template
from broomservice.compile.things import PieceKind, text_of
from broomservice.compile.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    Tabulator,
    Type,
    Typed,
    Universe,
    constant,
)
from broomservice.core import domains as d
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core.program import Program
from broomservice.core.table import Effect, Hook
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems, Reported, a
from broomservice.pack.provenance import Provenance, Sources

BUDGET = 200_000
LEAST_BUDGET = 10_000
EFFORT = 2_000_000_000


@attrs.frozen
class Invariant:
    """What must hold at every decision, of each of some things.

    Either `number` is a truth that must hold, or, with `never_falls`, a number that never becomes
    smaller. `slot` is where the thing is bound (-1: it is said once, of the whole position).
    `sentence` says in English what is wrong where it does not hold.
    """

    name: str
    number: e.Expression
    never_falls: bool
    slot: int
    things: tuple[int, ...]
    size: int
    sentence: str

    def values(self, cells: list[int]) -> tuple[int, ...]:
        """Return the number for each thing."""
        frame = [0, -1] + [0] * self.size
        result: list[int] = []
        for thing in self.things:
            if self.slot >= 0:
                frame[self.slot] = thing
            result.append(self.number.value(cells, frame))
        return tuple(result)


@attrs.define
class Compiled:
    """A program, and all that is known about it beyond what running needs."""

    names: Names
    universe: Universe
    plan: Plan
    program: Program
    bases: dict[str, int]
    action_count: int
    questions: dict[int, Question]
    sentences: dict[int, Template]
    info: list[StepInfo]
    hook_reasons: dict[int, tuple[Reason, ...]]
    duties: dict[int, tuple[Reason, ...]]
    winners: tuple[tuple[str, tuple[Typed, ...]], ...]
    winners_size: int
    invariants: tuple[Invariant, ...]
    verbs: dict[str, tuple[int, int]]
    finish: int
    replacements: dict[str, list[Hook]]


def action_bases(names: Names) -> tuple[dict[str, int], int]:
    """Number everything that can ever be picked: the fixed action space.

    0 is to pass; then players, pieces, sites, words, labels, and the numbers 0 to 99.
    """
    bases: dict[str, int] = {}
    next_free = 1
    for kind, count in (
        ("player", names.most_players),
        ("piece", len(names.pieces)),
        ("site", len(names.sites)),
        ("word", len(names.words)),
        ("label", len(names.labels)),
        ("number", NUMBERS),
    ):
        bases[kind] = next_free
        next_free += count
    return bases, next_free


@attrs.define
class Compiler:
    """Compiles one pack for one number of players."""

    names: Names
    problems: Problems
    sources: Sources
    players: int
    bases: dict[str, int] = attrs.field(init=False)
    action_count: int = attrs.field(init=False)
    universe: Universe = attrs.field(init=False)
    plan: Plan = attrs.field(init=False)
    code: Code = attrs.field(factory=Code)
    expressions: Expressions = attrs.field(init=False)
    steps: Steps = attrs.field(init=False)
    main: Effect = attrs.field(init=False)
    main_scope: Scope = attrs.field(init=False)
    winners: tuple[tuple[str, tuple[Typed, ...]], ...] = attrs.field(init=False)
    winners_scope: Scope = attrs.field(init=False)
    invariants: tuple[Invariant, ...] = attrs.field(init=False)
    entries: dict[str, tuple[Effect, Scope]] = attrs.field(factory=dict)
    parts: dict[tuple[str, int], tuple[Effect, Scope]] = attrs.field(factory=dict)
    bound: list[tuple[str, str, Place, Scope]] = attrs.field(factory=list)
    finish: int = -1

    # --- the whole ----------------------------------------------------------------------------

    def compile(self) -> Compiled:
        """Compile everything.

        Raises:
            PackError: if the pack has mistakes; it lists all of them.
        """
        self.check()
        self.problems.raise_if_any()
        return self.link()

    def check(self) -> None:
        """Compile all parts of the pack; mistakes go to the problems."""
        self.bases, self.action_count = action_bases(self.names)
        self.universe = self.make_universe()
        self.plan = Plan(self.names, self.players)
        self.expressions = Expressions(self.names, self.plan, self.universe, self.problems)
        self.plan.build(self.starts(), self.seats_move())
        self.start_counters()
        self.steps = Steps(
            self.names, self.expressions, self.code, self.problems, self.sources, self.bases
        )
        self.check_formulas()
        self.compile_verbs()
        self.compile_parts()
        self.main, self.main_scope = self.compile_play()
        self.compile_hooks()
        self.winners, self.winners_scope = self.compile_winners()
        self.invariants = self.compile_invariants()

    def link(self) -> Compiled:
        """Put the checked parts together."""
        self.spread_secrets()
        self.code.finish()
        self.patch_calls()
        fuse(self.code.effects, self.all_hooks())
        points = self.names.documents.game.get("score")
        program = Program(
            self.players,
            self.code.effects,
            self.plan.layout,
            self.plan.cells,
            step_of(self.main).number,
            self.main_scope.frame.size + 1,
            self.plan.counters[points].base if points else 0,
            self.budget(),
        )
        return Compiled(
            self.names,
            self.universe,
            self.plan,
            program,
            self.bases,
            self.action_count,
            self.code.questions,
            self.code.sentences,
            self.code.info,
            self.code.hook_reasons,
            self.code.duties,
            self.winners,
            self.winners_scope.frame.size + 1,
            self.invariants,
            {
                name: (step_of(entry).number, scope.frame.size)
                for name, (entry, scope) in self.entries.items()
            },
            self.finish,
            self.code.replacements,
        )

    def budget(self) -> int:
        """Return how many steps one answer may take: fewer where a step may look at a lot."""
        return max(LEAST_BUDGET, min(BUDGET, EFFORT // self.expressions.most_effort))

    def make_universe(self) -> Universe:
        """Number the things of every type."""
        names = self.names
        members: dict[Type, tuple[int, ...]] = {
            PLAYER: tuple(range(self.players)),
            TRUTH: (0, 1),
            Type("piece"): tuple(range(len(names.pieces))),
        }
        for family in names.families.values():
            members[Type("piece", family.name)] = tuple(kind.number for kind in family.kinds)
        for site_kind in names.site_kinds.values():
            members[Type("site", site_kind.name)] = tuple(s.number for s in site_kind.sites)
        for set_name, words in names.word_sets.items():
            members[Type("word", set_name)] = tuple(names.words[word][0] for word in words)
        sizes = {
            "player": self.players,
            "piece": len(names.pieces),
            "site": len(names.sites),
            "word": len(names.words),
            "truth": 2,
        }
        return Universe(self.players, sizes, members)

    def scope(self) -> Scope:
        return Scope(Tabulator(self.universe), taken=self.steps.taken_names())

    # --- where pieces and counters begin ------------------------------------------------------

    def starts(self) -> Starts:
        """Work out where every piece lies at first."""
        self.plan.number_places()
        result: Starts = {}
        for kind in self.names.pieces.values():
            try:
                result[kind.number] = self.starts_of(kind)
            except Reported:
                result[kind.number] = {}
        self.plan.place_names.clear()
        self.plan.place_sees.clear()
        self.plan.held.clear()
        return result

    def starts_of(self, kind: PieceKind) -> dict[int, int]:
        family = self.names.families[kind.family]
        node = kind.node if "start" in kind.node else family.node
        start = node.get("start")
        owner = kind.values.get("owner", -1)
        if owner >= self.players and family.attributes["owner"].type == PLAYER:
            return {}
        if start is None:
            self.problems.add(
                kind.place,
                "missing-key",
                f"'{kind.id}' does not say where it lies at first",
                expected="start",
            )
            return {}
        scope = Scope(Tabulator(self.universe))
        for name, (number, type_) in kind.series.items():
            scope.names[name] = constant(number, type_)
        if not isinstance(start, Map):
            reference = self.expressions.compile_place(start, node.at("start"), scope)
            return self.spread(reference, kind, 1, node.at("start"))
        result: dict[int, int] = {}
        for place in start:
            copies = self.expressions.compile(start[place], start.at(place), scope, NUMBER)
            reference = self.expressions.compile_place(place, start.key_at(place), scope)
            if copies.constant is None:
                raise self.problems.add(
                    start.at(place), "type-mismatch", "the number of copies must be fixed"
                )
            result.update(self.spread(reference, kind, copies.constant, start.key_at(place)))
        return result

    def spread(self, reference: Any, kind: PieceKind, copies: int, place: Place) -> dict[int, int]:
        """Return the copies for each player's place, or for the one place meant."""
        self.steps_check_holds(reference, kind, place)
        owner = reference.owner
        if reference.number_base >= 0 and owner.constant is None:
            if isinstance(owner.expression, e.Bound):
                return {reference.number_base + i: copies for i in range(self.players)}
        number = max(0, reference.number_base) + (owner.constant or 0)
        if owner.constant is None or owner.constant < 0:
            raise self.problems.add(
                place,
                "type-mismatch",
                f"'{kind.id}' must lie in a fixed place at first",
                got=reference.text,
            )
        return {number: copies} if copies else {}

    def steps_check_holds(self, reference: Any, kind: PieceKind, place: Place) -> None:
        if kind.family not in reference.families:
            raise self.problems.add(
                place,
                "not-held",
                f"{reference.text} never holds {a(kind.family)}",
                got=kind.family,
                expected=", ".join(reference.families),
            )

    def seats_move(self) -> bool:
        """Whether any step of the pack changes the seating order."""
        documents = self.names.documents
        return any(mentions(node, "swap_seats") for node in [documents.game, *documents.cards])

    def start_counters(self) -> None:
        """Set every counter to its first number."""
        for counter in self.names.counters.values():
            if "start" not in counter.node:
                continue
            scope = Scope(Tabulator(self.universe))
            try:
                typed = self.expressions.compile(
                    counter.node["start"], counter.node.at("start"), scope, counter.type
                )
            except Reported:
                continue
            if typed.constant is None:
                self.problems.add(
                    counter.node.at("start"), "type-mismatch", "the first number must be fixed"
                )
                continue
            cells = self.plan.counters[counter.name]
            for i in range(cells.count):
                self.plan.cells[cells.base + i] = typed.constant

    # --- verbs, parts, play -------------------------------------------------------------------

    def check_formulas(self) -> None:
        """Compile every requirement and definition once, used or not."""
        for formula in [*self.names.requirements.values(), *self.names.definitions.values()]:
            scope = self.scope()
            for parameter, type_ in formula.parameters.items():
                scope.bind(parameter, type_)
            try:
                self.expressions.body(formula, scope)
                if formula.sentence is not None:
                    compile_template(
                        self.expressions, formula.node["else"], formula.node.at("else"), scope
                    )
            except Reported:
                continue
            for parameter in formula.parameters:
                types = formula.node.get("types", Map(formula.place))
                spot = types.key_at(parameter) if parameter in types else formula.place
                self.bound.append(("parameter", parameter, spot, scope))

    def compile_verbs(self) -> None:
        for verb in self.names.verbs.values():
            scope = self.scope()
            for parameter, type_ in verb.parameters.items():
                self.bind_parameter(parameter, type_, scope, verb.place)
            rests = self.sources.rests(verb.node, verb.place)
            context = Context(scope, verb.name, rests, verb.place, verb.name)
            before = len(self.code.effects)
            entry = self.compile_body(verb.steps, context)
            self.code.bodies["", verb.name] = range(before, len(self.code.effects))
            self.entries[verb.name] = (entry, scope)
            for parameter in verb.parameters:
                self.bound.append(
                    ("parameter", parameter, verb.node["parameters"].key_at(parameter), scope)
                )

    def bind_parameter(self, name: str, type_: Type, scope: Scope, place: Place) -> None:
        if name in scope.taken:
            self.problems.add(
                place, "name-taken", f"'{name}' already means something else", got=name
            )
        scope.bind(name, type_)

    def compile_body(self, steps: Any, context: Context) -> Effect:
        """Compile a body that ends with a return; note which names it binds."""
        end = self.steps.emit(f.Return(0), context)
        entry = self.steps.block(steps, context, end)
        self.note_bindings(context)
        return entry

    def note_bindings(self, context: Context) -> None:
        for name, place in context.bindings:
            self.bound.append(("name", name, place, context.scope))

    def compile_parts(self) -> None:
        """Compile the named parts of pieces, such as the brave part of a role."""
        for family in self.names.families.values():
            for kind in family.kinds:
                provenance = self.piece_provenance(kind)
                for part, parameters in family.parts.items():
                    if part not in kind.node:
                        continue
                    if not isinstance(kind.node[part], Seq):
                        self.problems.add(
                            kind.node.at(part), "wrong-type", f"'{part}' is a list of steps"
                        )
                        continue
                    scope = self.scope()
                    scope.bind("this", Type("piece", family.name))
                    for parameter, type_ in parameters.items():
                        self.bind_parameter(parameter, type_, scope, kind.place)
                    context = Context(scope, kind.id, provenance, kind.node.key_at(part), part)
                    before = len(self.code.effects)
                    entry = self.compile_body(kind.node[part], context)
                    self.code.bodies[part, kind.id] = range(before, len(self.code.effects))
                    self.parts[part, kind.number] = (entry, scope)

    def piece_provenance(self, kind: PieceKind) -> Provenance:
        fact = self.sources.fact(kind.place)
        return fact.provenance if fact else self.sources.rests(kind.node, kind.place)

    def compile_play(self) -> tuple[Effect, Scope]:
        """Compile the course of play; the game is over at its end."""
        game = self.names.documents.game
        scope = self.scope()
        place = game.key_at("play")
        context = Context(scope, "play", self.sources.rests(Map(place), place), place, "play")
        end = self.steps.emit(f.Finish(0), context)
        self.finish = end.number
        entry = self.steps.block(game.get("play"), context, end)
        self.note_bindings(context)
        return entry, scope

    def compile_hooks(self) -> None:
        hooks = Hooks(self.steps)
        rules = self.names.section("rules")
        for name, node in rules.items():
            hooks.compile(node, -1, name, self.sources.rests(node, rules.key_at(name)))
        for family in self.names.families.values():
            for kind in family.kinds:
                hooks.compile(kind.node, kind.number, kind.id, self.piece_provenance(kind))
        for context in hooks.contexts:
            self.note_bindings(context)

    def all_hooks(self) -> list[Hook]:
        """Return every hook of the pack."""
        code = self.code
        tables = (code.triggers, code.offers, code.replacements, code.bans)
        return [hook for table in tables for hooks in table.values() for hook in hooks]

    def patch_calls(self) -> None:
        """Tell calls where their verbs begin, and performances where the parts do."""
        for call, name, rank in self.code.calls:
            call.blank = blank_frame(*self.entries[name])
            if rank >= 0:
                later = self.code.replacements.get(name, [])
                call.replacements = [hook for hook in later if hook.rank > rank]
        count = len(self.names.pieces) + 1
        for perform, part in self.code.performs:
            perform.blanks = [[] for _ in range(count)]
            for (name, kind), (entry, scope) in self.parts.items():
                if name == part:
                    perform.blanks[kind] = blank_frame(entry, scope)

    # --- the end ------------------------------------------------------------------------------

    def compile_winners(self) -> tuple[tuple[tuple[str, tuple[Typed, ...]], ...], Scope]:
        """Compile who wins: the most (or least) of one number, then of the next."""
        scope = self.scope()
        node = self.names.section("winners")
        result: list[tuple[str, tuple[Typed, ...]]] = []
        for order in ("most", "least"):
            numbers: Seq = node.get(order, Seq(node.place))
            typed: list[Typed] = []
            for i, text in enumerate(numbers):
                try:
                    typed.append(self.expressions.compile(text, numbers.at(i), scope, NUMBER))
                except Reported:
                    continue
            if typed:
                result.append((order, tuple(typed)))
        return tuple(result), scope

    def compile_invariants(self) -> tuple[Invariant, ...]:
        result: list[Invariant] = []
        nodes = self.names.section("invariants")
        for name, node in nodes.items():
            try:
                result.append(self.invariant(name, node, nodes.key_at(name)))
            except Reported:
                continue
        return tuple(result)

    def invariant(self, name: str, node: Map, place: Place) -> Invariant:
        """Compile one invariant."""
        scope = self.scope()
        slot = -1
        things: tuple[int, ...] = (0,)
        if "each" in node:
            each: Map = node["each"]
            bound = next(iter(each))
            domain = self.expressions.compile_domain(each[bound], each.at(bound), scope)
            if not isinstance(domain.domain, d.Fixed):
                raise self.problems.add(
                    each.at(bound), "type-mismatch", "the things must be fixed, such as all sites"
                )
            slot, things = scope.bind(bound, domain.type), tuple(domain.domain.members)
        key = "never_falls" if "never_falls" in node else "holds"
        if key not in node:
            raise self.problems.add(
                place, "missing-key", f"'{name}' says nothing", expected="holds"
            )
        wanted = NUMBER if key == "never_falls" else TRUTH
        typed = self.expressions.compile(node[key], node.at(key), scope, wanted)
        size = scope.frame.size + 1
        sentence = text_of(node.get("else"), "").get("en", "")
        return Invariant(name, typed.expression, key == "never_falls", slot, things, size, sentence)

    def spread_secrets(self) -> None:
        """Steps that run inside a secret block are secret too: verbs called, parts performed."""
        code = self.code
        calls = {id(call): name for call, name, _ in code.calls}
        parts = {id(perform): part for perform, part in code.performs}
        waiting = [i for i, info in enumerate(code.info) if info.secret >= 0]
        while waiting:
            number = waiting.pop()
            effect, block = code.effects[number], code.info[number].secret
            bodies = []
            if id(effect) in calls:
                bodies = [code.bodies.get(("", calls[id(effect)]), range(0))]
            elif id(effect) in parts:
                bodies = [
                    body for (part, _), body in code.bodies.items() if part == parts[id(effect)]
                ]
            for body in bodies:
                for i in body:
                    if code.info[i].secret < 0:
                        code.info[i] = attrs.evolve(code.info[i], secret=block)
                        waiting.append(i)


def blank_frame(entry: Effect, scope: Scope) -> list[int]:
    """Return a new frame of a verb or part."""
    return [step_of(entry).number] + [0] * (scope.frame.size - 1)


def mentions(node: Any, key: str) -> bool:
    """Whether a key stands anywhere inside a part of a pack."""
    if isinstance(node, dict):
        return key in node or any(mentions(value, key) for value in node.values())
    return isinstance(node, list) and any(mentions(value, key) for value in node)
