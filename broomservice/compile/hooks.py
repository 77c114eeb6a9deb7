"""Compiling hooks: the triggers, bans, offers and replacements that pieces and rules add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from broomservice.compile.code import Reason
from broomservice.compile.context import Context
from broomservice.compile.scope import Scope
from broomservice.compile.steps import Steps
from broomservice.compile.texts import compile_template
from broomservice.compile.things import text_of
from broomservice.compile.types import PLACE, PLAYER, Tabulator, Type, Typed, joined
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core.table import Hook
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Reported, a, likely
from broomservice.pack.provenance import Provenance

HOOK_KEYS = ("triggers", "ban", "offer", "replace")


@attrs.define
class Hooks:
    """Compiles the hooks of one pack, in the order of their declaration."""

    steps: Steps
    rank: int = 0
    hooks: list[Hook] = attrs.field(factory=list)
    scopes: list[tuple[Hook, Scope]] = attrs.field(factory=list)
    contexts: list[Context] = attrs.field(factory=list)
    title: Mapping[str, str] = attrs.field(factory=dict)

    def compile(self, node: Map, kind: int, name: str, provenance: Provenance) -> None:
        """Compile all hooks of one piece (`kind` is its number) or rule (-1)."""
        handlers = {
            "triggers": self.trigger,
            "ban": self.ban,
            "offer": self.offer,
            "replace": self.replace,
        }
        pieces = list(self.steps.names.pieces.values())
        called = text_of(node.get("name"), name.replace("_", " "))
        self.title = called if kind < 0 else pieces[kind].text
        for key in HOOK_KEYS:
            entries = node.get(key)
            if not isinstance(entries, Seq):
                continue
            for entry in entries:
                context = Context(self.scope(kind), name, provenance, entry.place, key)
                self.contexts.append(context)
                try:
                    handlers[key](entry, kind, context)
                except Reported:
                    continue
                finally:
                    self.rank += 1

    def scope(self, kind: int) -> Scope:
        """Return a scope with `this`, `here` and `actor`, as hooks see them."""
        steps = self.steps
        scope = Scope(Tabulator(steps.expressions.universe), taken=steps.taken_names())
        family = ""
        for one in steps.names.families.values():
            if any(piece.number == kind for piece in one.kinds):
                family = one.name
        scope.bind("this", Type("piece", family))
        scope.bind("here", self.home(family))
        scope.bind("actor", PLAYER)
        scope.used |= {"this", "here", "actor"}
        return scope

    def home(self, family: str) -> Type:
        """The type of the active places in which a family's hooks work."""
        names = self.steps.names
        kinds = [
            one.name for one in names.site_kinds.values() if family in one.holds and one.active
        ]
        elsewhere = any(family in one.holds and one.active for one in names.places.values())
        return Type("site", kinds[0]) if len(kinds) == 1 and not elsewhere else PLACE

    def active_places(self, kind: int) -> list[int]:
        """Return the active places in which a piece may lie."""
        layout = self.steps.expressions.plan.layout
        return [
            place
            for place in range(layout.places)
            if layout.active[place]
            and kind >= 0
            and (layout.tallies[place * layout.kinds + kind] >= 0 or layout.occupants[place] >= 0)
        ]

    def hook(self, kind: int, when: Typed, option: int) -> Hook:
        return Hook(kind, self.rank, self.active_places(kind), when.expression, 0, 0, option)

    def when(self, entry: Map, context: Context) -> Typed:
        return joined(self.steps.condition(entry, "when", context))

    def register(
        self, table: dict[str, list[Hook]], name: str, hook: Hook, context: Context
    ) -> None:
        table.setdefault(name, []).append(hook)
        self.hooks.append(hook)
        self.scopes.append((hook, context.scope))
        hook.size = context.scope.frame.size

    def body(self, entry: Map, hook: Hook, context: Context) -> None:
        """Compile the steps of a hook; its first step looks whether it still applies."""
        end = self.steps.emit(f.Return(0), context)
        body = self.steps.block(entry.get("do"), context, end)
        hook.entry = self.steps.emit(f.Guard(0, hook.kind, hook.when, body), context).number
        hook.size = context.scope.frame.size

    def named(self, entry: Map, key: str, known: dict[str, Any], code: str, what: str) -> str:
        """Return the name that a hook waits at."""
        name = str(entry[key])
        if name not in known:
            reported = self.steps.problems.unknown(
                entry.at(key), code, f"there is no {what} '{name}'", name, known
            )
            name = likely(name, known)  # the rest is checked as if it were well spelt
            if not name:
                raise reported
        return name

    def trigger(self, entry: Map, kind: int, context: Context) -> None:
        announcements = self.steps.names.announcements
        name = self.named(entry, "after", announcements, "unknown-announcement", "announcement")
        self.steps.names.used.add(f"trigger {name}")
        for parameter, type_ in announcements[name].items():
            context.scope.bind(parameter, type_)
            context.scope.used.add(parameter)
        hook = self.hook(kind, self.when(entry, context), -1)
        self.body(entry, hook, context)
        self.register(self.steps.code.triggers, name, hook, context)

    def ban(self, entry: Map, kind: int, context: Context) -> None:
        points = self.steps.points
        point = self.named(entry, "at", points, "unknown-point", "point")
        name, type_ = points[point]
        context.scope.slot(type_)
        if name:
            context.scope.names[name] = Typed(
                e.Bound(context.scope.frame.size - 1),
                type_,
                frozenset([context.scope.frame.size - 1]),
            )
        option = -1
        if "option" in entry:
            option = self.option(entry, point)
            self.check_asked(entry, point)
        hook = self.hook(kind, self.when(entry, context), option)
        sentence = compile_template(
            self.steps.expressions,
            entry.get("else"),
            entry.at("else"),
            context.scope,
            context.verb,
        )
        self.register(self.steps.code.bans, point, hook, context)
        condition = self.when(entry, context)
        self.steps.code.hook_reasons[id(hook)] = (
            Reason(context.verb, condition, sentence, context.provenance, "ban", self.title),
        )

    def check_asked(self, entry: Map, point: str) -> None:
        """The option that is taken away is of the sort that the point asks for."""
        label, names = str(entry["option"]), self.steps.names
        type_ = self.steps.points[point][1]
        found = Type("label")
        if label in names.pieces and type_.kind != "label":
            found = Type("piece", names.pieces[label].family)
        elif label in names.sites:
            found = Type("site", names.sites[label].kind)
        elif label in names.words:
            found = names.words[label][1]
        if not type_.accepts(found):
            self.steps.problems.add(
                entry.at("option"),
                "type-mismatch",
                f"the point '{point}' asks for {a(type_)}, and '{label}' is {a(found)}",
                got=str(found),
                expected=str(type_),
            )

    def option(self, entry: Map, point: str) -> int:
        """Return the number of the option that a ban takes away."""
        label = str(entry["option"])
        names = self.steps.names
        labels = names.labels
        if label in labels:
            return self.steps.bases["label"] + list(labels).index(label)
        for known, kind in ((names.pieces, "piece"), (names.sites, "site")):
            if label in known:
                return self.steps.bases[kind] + known[label].number
        if label in names.words:
            return self.steps.bases["word"] + names.words[label][0]
        raise self.steps.problems.unknown(
            entry.at("option"),
            "unknown-label",
            f"no option is called '{label}'",
            label,
            [*labels, *names.pieces, *names.sites, *names.words],
        )

    def offer(self, entry: Map, kind: int, context: Context) -> None:
        points = self.steps.points
        point = self.named(entry, "at", points, "unknown-point", "point")
        if points[point][1].kind != "label":
            raise self.steps.problems.add(
                entry.at("at"),
                "type-mismatch",
                f"'{point}' asks for {a(points[point][1])}; only alternatives can be offered",
                got=point,
            )
        bases = self.steps.bases
        option = bases["piece"] + kind
        if kind < 0:
            option = bases["label"] + list(self.steps.names.labels).index(context.verb)
        hook = self.hook(kind, self.when(entry, context), option)
        self.steps.code.hook_reasons[id(hook)] = tuple(
            self.steps.asking.why.all(entry, "when", context)
        )
        self.body(entry, hook, context)
        self.register(self.steps.code.offers, point, hook, context)

    def replace(self, entry: Map, kind: int, context: Context) -> None:
        verbs = self.steps.names.verbs
        name = self.named(entry, "verb", verbs, "unknown-verb", "verb")
        for parameter, type_ in verbs[name].parameters.items():
            context.scope.bind(parameter, type_)
            context.scope.used.add(parameter)
        hook = self.hook(kind, self.when(entry, context), -1)
        inner = attrs.evolve(context, replaced=(name, self.rank))
        self.body(entry, hook, inner)
        self.register(self.steps.code.replacements, name, hook, context)
