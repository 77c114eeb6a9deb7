"""Compiling the steps that ask: choices, alternatives, draws and windows for responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.code import Alternative, Question, Reason, Template
from broomservice.compile.context import NUMBERS, Context
from broomservice.compile.hoist import hoisted
from broomservice.compile.reasons import Reasons
from broomservice.compile.scope import Scope
from broomservice.compile.texts import compile_template
from broomservice.compile.types import NUMBER, PLAYER, Type, Typed, TypedDomain, joined
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core import questions as q
from broomservice.core.domains import Domain, Pickable, Span, Stacked
from broomservice.core.table import Effect
from broomservice.pack.load import Map
from broomservice.pack.problems import Place, Reported, a

if TYPE_CHECKING:
    from broomservice.compile.steps import Steps


Ways = tuple[Effect, Effect, Effect]
Fields = tuple[
    int, int, Domain, e.Expression, int, bool, bool, q.Bans, list[int], Effect, Effect, Effect
]


@attrs.define
class Asking:
    """The asking half of the step compiler."""

    steps: Steps

    @property
    def why(self) -> Reasons:
        """What compiles requirements."""
        return Reasons(self.steps)

    # --- common parts -------------------------------------------------------------------------

    def as_player(
        self, step: Map, context: Context, after: Effect
    ) -> tuple[Effect, f.Let | None, Effect]:
        """Return where to go on, so that `by` makes another player answer and then ends."""
        if "by" not in step:
            return after, None, after
        slot = context.scope.slot(PLAYER)
        back = self.steps.emit(f.Let(0, e.ME, e.Bound(slot), after), context)
        return back, f.Let(0, slot, e.Bound(e.ME), after), back

    def enter(self, step: Map, context: Context, save: f.Let | None, ask: Effect) -> Effect:
        """Put the change of player before a question."""
        if save is None:
            return ask
        player = self.steps.expression(step, "by", context, PLAYER)
        change = self.steps.emit(f.Let(0, e.ME, player.expression, ask), context)
        save.next = change
        return self.steps.emit(save, context)

    def prompt(self, step: Map, context: Context, fallback: str) -> Template:
        text = step.get("prompt", fallback)
        try:
            return compile_template(
                self.steps.expressions, text, step.at("prompt"), context.scope, fallback
            )
        except Reported:
            return Template({}, ())

    def point(self, step: Map) -> str:
        return str(step.get("point", ""))

    def bans(self, point: str) -> q.Bans:
        """The hooks that take options away at a point; unnamed points have none."""
        return q.Bans(self.steps.code.bans.setdefault(point, []) if point else [])

    def fault(self, context: Context) -> Effect:
        """The step that follows if there is nothing to choose from, but must be."""
        return self.steps.emit(f.Fault(0), context)

    # --- choose -------------------------------------------------------------------------------

    def choose(self, step: Map, context: Context, after: Effect) -> Effect:
        """Ask a player to pick one thing, or several in rising order (`times`)."""
        back, save, _ = self.as_player(step, context, after)
        name, content, key_place, value_place = self.steps.one_binding(step, "choose")
        domain = self.domain(content, value_place, context.scope)
        may = bool(step.get("may", False))
        repeated = "times" in step
        if repeated and "alike" in step:
            raise self.steps.problems.add(
                step.key_at("alike"), "misplaced-step", "'alike' does not go with 'times'"
            )
        if (may or repeated or "else" in step) and "then" not in step:
            self.steps.demand(step, "then", "choose")
        inner = context.inner() if "then" in step else context
        slot = self.steps.bind(name, domain.type, inner, key_place)
        reasons = self.why.all(step, "where", inner)
        declared = self.declare(step, context, name, domain, slot, reasons, inner)
        if repeated:
            return self.enter(
                step, context, save, self.several(step, inner, back, domain, declared)
            )
        otherwise = self.steps.block(step.get("else"), context, back)
        then = self.steps.block(step["then"], inner, back) if "then" in step else back
        empty = otherwise if "then" in step else self.fault(inner)
        ask = self.ask(step, inner, domain, declared, (then, otherwise, empty))
        return self.enter(step, context, save, ask)

    def domain(self, content: Any, place: Place, scope: Scope) -> TypedDomain:
        return self.steps.expressions.compile_domain(content, place, scope)

    def declare(
        self,
        step: Map,
        context: Context,
        name: str,
        domain: TypedDomain,
        slot: int,
        reasons: list[Reason],
        inner: Context,
    ) -> Question:
        """Return what is known about a choice."""
        self.steps.points_add(self.point(step), name, domain.type, step)
        base = self.steps.bases.get(domain.type.kind)
        if base is None:
            raise self.steps.problems.add(
                step.at("choose"),
                "type-mismatch",
                f"{a(domain.type)} cannot be chosen",
                got=str(domain.type),
            )
        self.check_numbers(domain, step)
        reasons = [*self.why.domain(name, domain, inner), *reasons]
        return Question(
            "choose",
            context.verb,
            self.point(step),
            name,
            domain.type,
            slot,
            base,
            self.prompt(step, context, name),
            tuple(reasons),
            (),
            bool(step.get("may", False)),
            context.provenance,
        )

    def check_numbers(self, domain: TypedDomain, step: Map) -> None:
        """The numbers that can be chosen are few, because each is an option of its own."""
        span = domain.domain
        if not isinstance(span, Span):
            return
        for end in (span.low, span.high):
            if isinstance(end, e.Constant) and not 0 <= end.number < NUMBERS:
                self.steps.problems.add(
                    step["choose"].at(next(iter(step["choose"]))),
                    "wrong-value",
                    f"{end.number} cannot be chosen, only 0 to {NUMBERS - 1}",
                    got=str(end.number),
                    expected=f"0 to {NUMBERS - 1}",
                )

    def narrowed(
        self, domain: TypedDomain, question: Question, scope: Scope
    ) -> tuple[Domain, Typed]:
        """Return a smaller domain, and the condition left to try on it."""
        first = 1 if question.reasons and question.reasons[0].name.startswith("in ") else 0
        conditions: list[Typed] = []
        for reason in question.reasons[first:]:
            conditions.extend(reason.condition.conjuncts or (reason.condition,))
        narrow, rest = scope.narrowed(domain, conditions, question.slot)
        if domain.type == NUMBER:
            return Pickable(narrow.domain, NUMBERS), joined(rest)
        return narrow.domain, joined(rest)

    def question_fields(
        self, step: Map, context: Context, domain: TypedDomain, question: Question, ways: Ways
    ) -> Fields:
        """Return what every sort of choice is made of."""
        narrow, condition = self.narrowed(domain, question, context.scope)
        once: list[int] = []
        tried = hoisted(
            condition.expression, question.slot, lambda: context.scope.slot(NUMBER), once
        )
        always = step.get("ask") == "always"
        bans = self.bans(question.point)
        base, may = question.base, question.may
        return (0, question.slot, narrow, tried, base, may, always, bans, once, *ways)

    def emit_question(self, effect: q.Choose, question: Question, context: Context) -> Effect:
        """Emit a choice, and keep what is known about it."""
        label = self.steps.emit(effect, context)
        self.steps.code.questions[effect.number] = question
        return label

    def ask(
        self, step: Map, context: Context, domain: TypedDomain, question: Question, ways: Ways
    ) -> Effect:
        """Emit the question itself; `ways` lead on after an answer, a pass, and nothing."""
        fields = self.question_fields(step, context, domain, question, ways)
        if "alike" in step:
            likeness = self.steps.expression(step, "alike", context).expression
            return self.emit_question(q.ChooseAmong(*fields, likeness), question, context)
        return self.emit_question(q.Choose(*fields), question, context)

    def several(
        self, step: Map, inner: Context, after: Effect, domain: TypedDomain, question: Question
    ) -> Effect:
        """Emit several picks in rising order."""
        times = self.steps.expression(step, "times", inner, NUMBER)
        last, left = inner.scope.slot(NUMBER), inner.scope.slot(NUMBER)
        head = self.steps.code.label()
        then = self.steps.block(step["then"], inner, head)
        otherwise = self.steps.block(step.get("else"), inner, after)
        ways = (then, otherwise, otherwise)
        fields = self.question_fields(step, inner, domain, question, ways)
        ask = self.emit_question(q.ChooseRising(*fields, last, left), question, inner)
        count = self.steps.emit(f.Countdown(0, left, ask, after), inner)
        head.target = count
        start = self.steps.emit(f.Let(0, last, e.Constant(-1), count), inner)
        return self.steps.emit(f.Let(0, left, times.expression, start), inner)

    # --- either and any_order -----------------------------------------------------------------

    def either(self, step: Map, context: Context, after: Effect) -> Effect:
        """Ask between labelled lists of steps."""
        back, save, _ = self.as_player(step, context, after)
        point = self.point(step)
        self.steps.points_add(point, "", Type("label"), step)
        labels, alternatives, targets = self.alternatives(step, "either", context, back)
        effect = q.Either(
            0,
            labels,
            [joined([r.condition for r in one.reasons]).expression for one in alternatives],
            targets,
            bool(step.get("may", False)),
            step.get("ask") == "always",
            self.bans(point),
            self.steps.code.offers.setdefault(point, []) if point else [],
            -1,
            back,
            back,
        )
        ask = self.finish_either(effect, step, context, alternatives)
        return self.enter(step, context, save, ask)

    def finish_either(
        self, effect: q.Either, step: Map, context: Context, alternatives: list[Alternative]
    ) -> Effect:
        label = self.steps.emit(effect, context)
        self.steps.code.questions[effect.number] = Question(
            "either",
            context.verb,
            self.point(step),
            "",
            Type("label"),
            -1,
            0,
            self.prompt(step, context, context.verb),
            (),
            tuple(alternatives),
            effect.may,
            context.provenance,
        )
        return label

    def alternatives(
        self, step: Map, keyword: str, context: Context, after: Effect
    ) -> tuple[list[int], list[Alternative], list[Effect]]:
        """Compile the labelled ways of a step."""
        content: Map = step[keyword]
        texts: Map = step.get("names", Map(step.place))
        for label in texts:
            if label not in content:
                self.steps.problems.unknown(
                    texts.key_at(label),
                    "unknown-label",
                    f"there is no alternative '{label}'",
                    label,
                    content,
                )
        labels: list[int] = []
        alternatives: list[Alternative] = []
        targets: list[Effect] = []
        for label, body in content.items():
            number = self.steps.label_number(label, texts.get(label), content.key_at(label))
            reasons: list[Reason] = []
            if isinstance(body, Map):
                reasons = self.why.all(body, "if", context)
                body = body.get("do")
            labels.append(number)
            alternatives.append(Alternative(number, tuple(reasons)))
            targets.append(self.steps.block(body, context, after))
        return labels, alternatives, targets

    def any_order(self, step: Map, context: Context, after: Effect) -> Effect:
        """Ask again and again between labelled lists of steps, each done once at most."""
        back, save, _ = self.as_player(step, context, after)
        done = context.scope.slot(NUMBER)
        head = self.steps.code.label()
        point = self.point(step)
        self.steps.points_add(point, "", Type("label"), step)
        labels, alternatives, targets = self.alternatives(step, "any_order", context, head)
        content: Map = step["any_order"]
        required = 0
        conditions: list[e.Expression] = []
        for i, (body, one) in enumerate(zip(content.values(), alternatives, strict=True)):
            if not (isinstance(body, Map) and body.get("may")):
                required += 1 << i
            undone = e.EqualTo(
                e.Remainder(e.Quotient(e.Bound(done), e.Constant(1 << i)), e.Constant(2)), 0
            )
            conditions.append(e.AllOf([undone, *[r.condition.expression for r in one.reasons]]))
        effect = q.AnyOrder(
            0,
            labels,
            conditions,
            targets,
            False,
            False,
            self.bans(point),
            self.steps.code.offers.setdefault(point, []) if point else [],
            done,
            back,
            back,
            required,
        )
        ask = self.finish_either(effect, step, context, alternatives)
        head.target = ask
        start = self.steps.emit(f.Let(0, done, e.Constant(0), ask), context)
        return self.enter(step, context, save, start)

    # --- draw ---------------------------------------------------------------------------------

    def draw(self, step: Map, context: Context, after: Effect) -> Effect:
        """Chance picks one thing, each copy equally likely."""
        name, content, key_place, value_place = self.steps.one_binding(step, "draw")
        domain = self.domain(content, value_place, context.scope)
        inner = context.inner() if "then" in step else context
        slot = self.steps.bind(name, domain.type, inner, key_place)
        conditions = self.steps.condition(step, "where", inner)
        narrow, rest = inner.scope.narrowed(domain, conditions, slot)
        otherwise = self.steps.block(step.get("else"), context, after)
        then = self.steps.block(step["then"], inner, after) if "then" in step else after
        base = self.steps.bases.get(domain.type.kind)
        if base is None:
            raise self.steps.problems.add(
                value_place,
                "type-mismatch",
                f"{a(domain.type)} cannot be drawn",
                got=str(domain.type),
            )
        effect = q.Draw(
            0,
            slot,
            narrow.domain,
            joined(rest).expression,
            weight(narrow.domain, slot),
            base,
            then,
            otherwise if "then" in step else self.fault(inner),
        )
        label = self.steps.emit(effect, inner)
        prompt = Template({"en": ("chance",), "de": ("Zufall",)}, ())
        self.steps.code.questions[effect.number] = Question(
            "draw",
            context.verb,
            "",
            name,
            domain.type,
            slot,
            base,
            prompt,
            provenance=context.provenance,
        )
        return label

    # --- window -------------------------------------------------------------------------------

    def window(self, step: Map, context: Context, after: Effect) -> Effect:
        """Ask the players in turn order to respond, until all have passed in a row."""
        self.steps.demand(step, "then", "window")
        self.steps.demand(step, "from", "window")
        name, content, key_place, value_place = self.steps.one_binding(step, "window")
        first = self.steps.expression(step, "from", context, PLAYER)
        inner = context.inner()
        before, passes = inner.scope.slot(PLAYER), inner.scope.slot(NUMBER)
        plan = self.steps.expressions.plan
        domain = self.domain(content, value_place, inner.scope)
        slot = self.steps.bind(name, domain.type, inner, key_place)
        reasons = self.why.all(step, "where", inner)
        question = attrs.evolve(
            self.declare_window(step, inner, name, domain, slot, reasons), may=True
        )
        code, emit = self.steps.code, self.steps.emit
        head = code.label()
        one = e.Constant(1)
        on = emit(
            f.Let(0, e.ME, e.NextSeat(e.Bound(e.ME), one, plan.players, plan.seats), head), inner
        )
        anew = emit(f.Let(0, passes, e.Constant(0), on), inner)
        passed = emit(f.Let(0, passes, e.Plus(e.Bound(passes), one), on), inner)
        then = self.steps.block(step["then"], inner, anew)
        ask = self.ask(step, inner, domain, question, (then, passed, passed))
        back = emit(f.Let(0, e.ME, e.Bound(before), after), inner)
        test = emit(
            f.Branch(0, e.Less(e.Bound(passes), e.Constant(plan.players)), ask, back), inner
        )
        head.target = test
        start = emit(f.Let(0, e.ME, first.expression, test), inner)
        start = emit(f.Let(0, passes, e.Constant(0), start), inner)
        return emit(f.Let(0, before, e.Bound(e.ME), start), inner)

    def declare_window(
        self,
        step: Map,
        context: Context,
        name: str,
        domain: TypedDomain,
        slot: int,
        reasons: list[Reason],
    ) -> Question:
        """Return what is known about the question of a window."""
        base = self.steps.bases.get(domain.type.kind)
        if base is None:
            raise Reported
        self.steps.points_add(self.point(step), name, domain.type, step)
        reasons = [*self.why.domain(name, domain, context), *reasons]
        return Question(
            "choose",
            context.verb,
            self.point(step),
            name,
            domain.type,
            slot,
            base,
            self.prompt(step, context, name),
            tuple(reasons),
            (),
            True,
            context.provenance,
        )


def weight(domain: Domain, slot: int) -> e.Expression:
    """How many copies of a thing can be drawn: what the place holds of it, or one."""
    if isinstance(domain, Stacked):
        shifted = e.Plus(domain.cell, e.Minus(e.Bound(slot), e.Constant(domain.first)))
        return e.CellAt(shifted)
    return e.Constant(1)
