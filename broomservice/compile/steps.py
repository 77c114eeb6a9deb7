"""Compiling steps: each keyword of the card language to the effects that carry it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from broomservice.compile.asking import Asking
from broomservice.compile.code import Code, StepInfo
from broomservice.compile.context import MODIFIERS, Context
from broomservice.compile.doing import Doing
from broomservice.compile.expressions import Expressions
from broomservice.compile.names import Names
from broomservice.compile.places import PlaceReference
from broomservice.compile.texts import compile_template
from broomservice.compile.things import Verb, text_of
from broomservice.compile.types import NUMBER, PLAYER, TRUTH, Type, Typed, constant, joined
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core.effects import Label
from broomservice.core.table import Effect
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems, Reported, a, likely
from broomservice.pack.provenance import Sources

DEEPEST_INLINE = 6
MOST_CALLS_INLINE = 8

Handler = Callable[[Map, Context, Effect], Effect]


@attrs.define
class Steps:
    """Compiles lists of steps. Every method takes the label of what follows, returns its own."""

    names: Names
    expressions: Expressions
    code: Code
    problems: Problems
    sources: Sources
    bases: dict[str, int]
    handlers: dict[str, Handler] = attrs.field(init=False)
    asking: Asking = attrs.field(init=False)
    doing: Doing = attrs.field(init=False)
    secret_blocks: int = 0
    points: dict[str, tuple[str, Type]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.asking = Asking(self)
        self.doing = Doing(self)
        self.handlers = {
            "move": self.doing.move,
            "move_all": self.doing.move_all,
            "score": self.doing.score,
            "set": self.doing.set_,
            "add": self.doing.add,
            "let": self.let,
            "when": self.when,
            "while": self.while_,
            "repeat": self.repeat,
            "each": self.each,
            "each_player": self.each_player,
            "as": self.as_,
            "perform": self.perform,
            "announce": self.announce,
            "tell": self.tell,
            "swap_seats": self.swap_seats,
            "as_usual": self.as_usual,
            "choose": self.asking.choose,
            "either": self.asking.either,
            "any_order": self.asking.any_order,
            "draw": self.asking.draw,
            "window": self.asking.window,
        }

    # --- lists of steps -----------------------------------------------------------------------

    def block(self, steps: Any, context: Context, after: Effect) -> Effect:
        """Compile a list of steps in a scope of its own; return the label of its beginning."""
        return self.sequence(steps, context.inner(), after)

    def sequence(self, steps: Any, context: Context, after: Effect) -> Effect:
        """Compile a list of steps; what they bind holds to the end of the list."""
        if not isinstance(steps, Seq):
            return after
        first = after
        waiting: Label | None = None
        for i, step in enumerate(steps):
            following = self.code.label()
            following.target = after
            entry = self.step(step, steps.at(i), context, following)
            if waiting is None:
                first = entry
            else:
                waiting.target = entry
            waiting = following
        return first

    def step(self, step: Any, place: Place, context: Context, after: Effect) -> Effect:
        """Compile one step; a faulty one is left out."""
        try:
            if isinstance(step, str):
                node = Map(place)
                node.put(step, Map(place), place, place)
                return self.call_verb(step, node, context.at(place, step), after)
            keyword = self.keyword(step)
            context = context.at(step.key_at(keyword), keyword)
            handler = self.handlers.get(keyword)
            if handler is None:
                return self.call_verb(keyword, step, context, after)
            return handler(step, context, after)
        except Reported:
            self.drop_bindings(step)
            self.check_rest(step, context)
            return after

    def drop_bindings(self, step: Any) -> None:
        """A faulty step's names are not missed afterwards."""
        if isinstance(step, Map):
            for key in ("choose", "let", "draw", "window", "each", "move_all"):
                if isinstance(step.get(key), Map):
                    self.problems.dropped.update(step[key])
            if isinstance(step.get("each_player"), str):
                self.problems.dropped.add(step["each_player"])

    def check_rest(self, step: Any, context: Context) -> None:
        """Compile the steps inside a faulty step too, for the mistakes that they may hold."""
        if not isinstance(step, Map):
            return
        blocks = [step.get(key) for key in ("then", "else", "do")]
        for key in ("either", "any_order"):
            if isinstance(step.get(key), Map):
                blocks += [
                    one.get("do") if isinstance(one, Map) else one for one in step[key].values()
                ]
        for block in blocks:
            self.block(block, context, Label(-1, None))

    def keyword(self, step: Map) -> str:
        """Return the keyword of a step, and check the keys beside it."""
        known = [key for key in step if key in MODIFIERS]
        known += [key for key in step if key in self.names.verbs and key not in MODIFIERS]
        modifiers = {key for keys in MODIFIERS.values() for key in keys}
        others = [key for key in step if key not in modifiers]
        if not known and not others:
            raise self.problems.add(
                step.place,
                "unknown-verb",
                f"this step has no keyword, only {', '.join(step)}",
                got=", ".join(step),
            )
        if not known:
            raise self.unknown_step(step, others[0])
        keyword = known[0]
        allowed = MODIFIERS.get(keyword, frozenset())
        for key in step:
            if key != keyword and key not in allowed:
                self.problems.unknown(
                    step.key_at(key),
                    "unknown-key",
                    f"the step '{keyword}' has no '{key}'",
                    key,
                    allowed,
                )
                self.problems.dropped.add(likely(key, allowed))
        return keyword

    def unknown_step(self, step: Map, name: str) -> Reported:
        """Report a keyword that is neither a step of the language nor a verb of the pack."""
        return self.problems.unknown(
            step.key_at(name),
            "unknown-verb",
            f"there is no step or verb '{name}'",
            name,
            [*MODIFIERS, *self.names.verbs],
        )

    def info(self, context: Context) -> StepInfo:
        return StepInfo(
            context.place, context.keyword, context.verb, context.secret, context.provenance
        )

    def emit(self, effect: Effect, context: Context) -> Effect:
        return self.code.emit(effect, self.info(context))

    def taken_names(self) -> frozenset[str]:
        """Return the names that a binding may not hide: all but those of types and verbs."""
        names = self.names
        hidden = {*names.families, *names.site_kinds, *names.word_sets}
        return frozenset(
            name
            for name in {*names.taken, "me", "none"}
            if name not in hidden and name not in names.verbs and name not in names.announcements
        )

    def points_add(self, point: str, name: str, type_: Type, step: Map) -> None:
        """Note a named point; every point asks for one type of thing."""
        known = self.points.setdefault(point, (name, type_))[1] if point else type_
        if known != type_:
            self.problems.add(
                step.at("point"),
                "type-mismatch",
                f"the point '{point}' asks for {a(type_)} here, elsewhere for {a(known)}",
                got=str(type_),
                expected=str(known),
            )

    def label_number(self, label: str, text: Any, place: Place) -> int:
        """Return the option number of a label."""
        if label in self.names.pieces or label in self.names.sites or label in self.names.words:
            raise self.problems.add(
                place, "name-taken", f"'{label}' already means something else", got=label
            )
        if text is not None:
            self.names.labels[label] = text_of(text, label)
        elif not self.names.labels[label]:
            self.names.labels[label] = {"en": label.replace("_", " ")}
        return self.bases["label"] + list(self.names.labels).index(label)

    # --- parts of steps -----------------------------------------------------------------------

    def expression(
        self, node: Map, key: str, context: Context, wanted: Type | None = None
    ) -> Typed:
        """Compile the expression under a key."""
        return self.expressions.compile(node[key], node.at(key), context.scope, wanted)

    def condition(self, node: Map, key: str, context: Context) -> list[Typed]:
        """Compile a condition, or a list of conditions that must all hold."""
        if key not in node:
            return []
        content = node[key]
        parts = content if isinstance(content, Seq) else [content]
        result: list[Typed] = []
        for i, part in enumerate(parts):
            spot = content.at(i) if isinstance(content, Seq) else node.at(key)
            try:
                typed = self.expressions.compile(part, spot, context.scope, TRUTH)
            except Reported:
                continue
            result.extend(typed.conjuncts or (typed,))
        return result

    def place(self, node: Map, key: str, context: Context) -> PlaceReference:
        return self.expressions.compile_place(node[key], node.at(key), context.scope)

    def place_number(self, reference: PlaceReference) -> e.Expression:
        return self.expressions.places.as_value(reference).expression

    def demand(self, node: Map, key: str, keyword: str) -> None:
        """Insist on a key beside a keyword."""
        if key not in node and key in self.problems.dropped:
            raise Reported
        if key not in node:
            raise self.problems.add(
                node.key_at(keyword),
                "missing-key",
                f"the step '{keyword}' needs '{key}'",
                expected=key,
            )

    def bind(self, name: str, type_: Type, context: Context, place: Place) -> int:
        """Bind a name; it may not hide what means something else."""
        if name in context.scope.taken:
            raise self.problems.add(
                place, "name-taken", f"'{name}' already means something else", got=name
            )
        context.binds(name, place)
        return context.scope.bind(name, type_)

    def one_binding(self, node: Map, keyword: str) -> tuple[str, Any, Place, Place]:
        """Return the name and the content of `choose: {name: content}`."""
        content: Map = node[keyword]
        if len(content) != 1:
            raise self.problems.add(
                content.place, "wrong-value", f"'{keyword}' binds one name", got=str(len(content))
            )
        name = next(iter(content))
        return name, content[name], content.key_at(name), content.at(name)

    def let(self, step: Map, context: Context, after: Effect) -> Effect:
        content: Map = step["let"]
        entries: list[f.Let] = []
        for name in content:
            typed = self.expressions.compile(content[name], content.at(name), context.scope)
            slot = self.bind(name, typed.type, context, content.key_at(name))
            entries.append(f.Let(0, slot, typed.expression, after))
        entry = after
        for effect in reversed(entries):
            effect.next = entry
            entry = self.emit(effect, context)
        return entry

    # --- flow ---------------------------------------------------------------------------------

    def when(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "then", "when")
        condition = joined(self.condition(step, "when", context))
        then = self.block(step["then"], context, after)
        otherwise = self.block(step.get("else"), context, after)
        if condition.constant is not None:
            return then if condition.constant else otherwise
        return self.emit(f.Branch(0, condition.expression, then, otherwise), context)

    def while_(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "do", "while")
        condition = joined(self.condition(step, "while", context))
        head = self.code.label()
        body = self.block(step["do"], context, head)
        entry = self.emit(f.Branch(0, condition.expression, body, after), context)
        head.target = entry
        return entry

    def repeat(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "do", "repeat")
        times = self.expression(step, "repeat", context, NUMBER)
        slot = context.scope.slot(NUMBER)
        head = self.code.label()
        body = self.block(step["do"], context, head)
        count = self.emit(f.Countdown(0, slot, body, after), context)
        head.target = count
        return self.emit(f.Let(0, slot, times.expression, count), context)

    def each(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "do", "each")
        name, content, key_place, value_place = self.one_binding(step, "each")
        domain = self.expressions.compile_domain(content, value_place, context.scope)
        inner = context.inner()
        slot = self.bind(name, domain.type, inner, key_place)
        narrow, rest = inner.scope.narrowed(domain, self.condition(step, "where", inner), slot)
        head = self.code.label()
        body = self.block(step["do"], inner, head)
        turn = self.emit(
            f.NextThing(0, slot, narrow.domain, joined(rest).expression, body, after), context
        )
        head.target = turn
        return self.emit(f.Let(0, slot, e.Constant(-1_000_000_000), turn), context)

    def each_player(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "do", "each_player")
        first = (
            self.expression(step, "from", context, PLAYER)
            if "from" in step
            else constant(0, PLAYER)
        )
        if step.get("secretly"):
            context = attrs.evolve(context, secret=self.secret_blocks)
            self.secret_blocks += 1
        inner = context.inner()
        turn, start, before = (inner.scope.slot(NUMBER) for _ in range(3))
        name = self.bind(str(step["each_player"]), PLAYER, inner, step.at("each_player"))
        inner.scope.used.add(str(step["each_player"]))
        reasons = self.asking.why.all(step, "where", inner)
        duties = tuple(one for one in reasons if one.kind == "requirement")
        plan = self.expressions.plan
        head = self.code.label()
        body = self.block(step["do"], inner, head)
        loop = f.NextPlayer(
            0,
            turn,
            start,
            before,
            name,
            plan.players,
            plan.seats,
            joined([one.condition for one in reasons]).expression,
            joined([one.condition for one in reasons if one not in duties]).expression,
            [one.condition.expression for one in duties],
            [[gap.expression for gap in one.sentence.gaps] for one in duties],
            body,
            after,
        )
        head.target = entry = self.emit(loop, inner)
        self.code.duties[loop.number] = duties
        entry = self.emit(f.Let(0, before, e.Bound(e.ME), entry), inner)
        entry = self.emit(f.Let(0, turn, e.Constant(0), entry), inner)
        return self.emit(f.Let(0, start, first.expression, entry), inner)

    def as_(self, step: Map, context: Context, after: Effect) -> Effect:
        self.demand(step, "do", "as")
        player = self.expression(step, "as", context, PLAYER)
        inner = context.inner()
        before = inner.scope.slot(PLAYER)
        back = self.emit(f.Let(0, e.ME, e.Bound(before), after), context)
        body = self.block(step["do"], inner, back)
        change = self.emit(f.Let(0, e.ME, player.expression, body), context)
        return self.emit(f.Let(0, before, e.Bound(e.ME), change), context)

    # --- calls --------------------------------------------------------------------------------

    def call_verb(self, name: str, step: Map, context: Context, after: Effect) -> Effect:
        verb = self.names.verbs.get(name)
        if verb is None:
            raise self.unknown_step(step, name)
        self.names.used.add(name)
        arguments = self.arguments(step[name], verb.parameters, name, context, step.key_at(name))
        if self.fits_in(verb, context):
            return self.put_in(verb, arguments, context, after)
        replacements = self.code.replacements.setdefault(name, [])
        call = f.Call(0, [], [one.expression for one in arguments], replacements, after)
        self.code.calls.append((call, name, -1))
        return self.emit(call, context)

    def fits_in(self, verb: Verb, context: Context) -> bool:
        """Whether a verb's steps go in the place of its call: it is called once or twice only."""
        return (
            verb.name not in self.names.replaced
            and verb.name not in context.within
            and len(context.within) < DEEPEST_INLINE
            and self.names.mentions.get(verb.name, 0) <= MOST_CALLS_INLINE + 1
        )

    def put_in(self, verb: Verb, arguments: list[Typed], context: Context, after: Effect) -> Effect:
        """Compile a verb's steps in the place of its call, its parameters bound in this frame."""
        scope = context.scope.inlined({})
        lets: list[f.Let] = []
        for (name, type_), typed in zip(verb.parameters.items(), arguments, strict=True):
            expression = typed.expression
            fixed = isinstance(expression, e.Constant) or (
                isinstance(expression, e.Bound) and expression.slot != e.ME
            )
            if fixed:
                scope.names[name] = attrs.evolve(typed, type=type_)
            else:
                lets.append(f.Let(0, scope.bind(name, type_), expression, after))
        inner = attrs.evolve(
            context,
            scope=scope,
            verb=verb.name,
            provenance=self.sources.rests(verb.node, verb.place),
            within=(*context.within, verb.name),
            bindings=[],
        )
        entry = self.block(verb.steps, inner, after)
        for let in reversed(lets):
            let.next = entry
            entry = self.emit(let, context)
        return entry

    def arguments(
        self, given: Any, parameters: dict[str, Type], name: str, context: Context, place: Place
    ) -> list[Typed]:
        """Compile the arguments of a call, in the order of the parameters."""
        content = given if isinstance(given, Map) else Map(place)
        if given is not None and not isinstance(given, Map):
            raise self.problems.add(
                place,
                "argument-count",
                f"the arguments of '{name}' are given by name",
                got=str(given),
                expected=", ".join(parameters) or "none",
            )
        faulty = False
        for key in content:
            if key not in parameters:
                faulty = True
                self.problems.unknown(
                    content.key_at(key),
                    "unknown-parameter",
                    f"'{name}' has no parameter '{key}', but {', '.join(parameters) or 'none'}",
                    key,
                    parameters,
                )
        result: list[Typed] = []
        for parameter, type_ in parameters.items():
            if parameter not in content:
                if not faulty:
                    self.problems.add(
                        place,
                        "argument-count",
                        f"'{name}' needs '{parameter}'",
                        expected=parameter,
                    )
                faulty = True
                continue
            try:
                typed = self.expressions.compile(
                    content[parameter], content.at(parameter), context.scope, type_
                )
                result.append(typed)
            except Reported:
                faulty = True
        if faulty:
            raise Reported
        return result

    def as_usual(self, step: Map, context: Context, after: Effect) -> Effect:
        """Inside a replacement: the verb as it would run without this hook."""
        if context.replaced is None:
            raise self.problems.add(
                context.place, "misplaced-step", "'as_usual' stands only in a 'replace'"
            )
        name, rank = context.replaced
        verb = self.names.verbs[name]
        arguments = self.arguments(
            step["as_usual"], verb.parameters, name, context, step.key_at("as_usual")
        )
        call = f.Call(0, [], [one.expression for one in arguments], [], after)
        self.code.calls.append((call, name, rank))
        return self.emit(call, context)

    def perform(self, step: Map, context: Context, after: Effect) -> Effect:
        part, content, key_place, value_place = self.one_binding(step, "perform")
        families = [one for one in self.names.families.values() if part in one.parts]
        if not families:
            known = [key for one in self.names.families.values() for key in one.parts]
            raise self.problems.unknown(
                key_place, "unknown-part", f"no family of pieces has a part '{part}'", part, known
            )
        piece = self.expressions.compile(content, value_place, context.scope, Type("piece"))
        if piece.type.of and piece.type.of not in [one.name for one in families]:
            raise self.problems.add(
                value_place,
                "type-mismatch",
                f"{a(piece.type)} has no part '{part}'",
                got=str(piece.type),
                expected=", ".join(one.name for one in families),
            )
        family = self.names.families[piece.type.of] if piece.type.of else families[0]
        given = step.get("with", Map(step.place))
        arguments = self.arguments(given, family.parts[part], part, context, key_place)
        effect = f.Perform(0, piece.expression, [], [one.expression for one in arguments], after)
        self.code.performs.append((effect, part))
        self.names.used.add(part)
        return self.emit(effect, context)

    def announce(self, step: Map, context: Context, after: Effect) -> Effect:
        content = step["announce"]
        if isinstance(content, Map):
            name, given, place, _ = self.one_binding(step, "announce")
        else:
            name, given, place = str(content), None, step.at("announce")
        if name not in self.names.announcements:
            raise self.problems.unknown(
                place,
                "unknown-announcement",
                f"there is no announcement '{name}'",
                name,
                self.names.announcements,
            )
        self.names.used.add(name)
        arguments = self.arguments(given, self.names.announcements[name], name, context, place)
        plan = self.expressions.plan
        if name not in self.names.heard:
            return after
        effect = f.Announce(
            0,
            [one.expression for one in arguments],
            self.code.triggers.setdefault(name, []),
            plan.players,
            plan.seats,
            after,
        )
        return self.emit(effect, context)

    def tell(self, step: Map, context: Context, after: Effect) -> Effect:
        template = compile_template(self.expressions, step["tell"], step.at("tell"), context.scope)
        effect = f.Tell(0, [gap.expression for gap in template.gaps], after)
        label = self.emit(effect, context)
        self.code.sentences[effect.number] = template
        return label

    def swap_seats(self, step: Map, context: Context, after: Effect) -> Effect:
        content: Seq = step["swap_seats"]
        one, two = (
            self.expressions.compile(part, content.at(i), context.scope, PLAYER)
            for i, part in enumerate(content)
        )
        plan = self.expressions.plan
        effect = f.SwapSeats(0, one.expression, two.expression, plan.players, plan.seats, after)
        return self.emit(effect, context)
