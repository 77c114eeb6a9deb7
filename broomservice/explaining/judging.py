"""Judging an option by the very requirement objects that list the options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from broomservice.compile.code import Question, Reason, Template
from broomservice.core import questions as q
from broomservice.core.expressions import UNKNOWN
from broomservice.core.table import NOBODY, PASS, Effect, Hook
from broomservice.explaining.verdict import Check, Verdict
from broomservice.explaining.words import kind_name, listed, said
from broomservice.option import Option
from broomservice.pack.load import Map
from broomservice.pack.provenance import Fact, Provenance
from broomservice.render import Speaker, in_language

if TYPE_CHECKING:
    from broomservice.state import State

NAME = re.compile(r"[a-z_][a-z0-9_]*")


def explain(state: State, option: Option, language: str = "en") -> Verdict:
    """Return whether an option is open now, and why."""
    table = state._table
    if not table.options:
        check = Check("game_is_over", False, said("over", language), ending(state))
        name = state.speaker(language).option(option)
        return Verdict(option, False, (check,), NOBODY, "", name)
    judge = Judge.of(state, option, language)
    legal = option.id in table.options
    checks = tuple(judge.checks())
    if not legal and all(check.holds for check in checks):
        checks += (judge.stood_for(),)
    return Verdict(option, legal, checks, table.decider, judge.prompt, judge.thing)


def ending(state: State) -> Provenance:
    """Return what the end of the game rests on: who wins, as the pack says it."""
    game = state.game.documents.game
    winners = game.get("winners")
    place = game.key_at("winners") if "winners" in game else game.place
    return state.game.sources.rests(winners if isinstance(winners, Map) else Map(place), place)


@attrs.define
class Judge:
    """One option before the open question. `frame` is a copy in which things are tried."""

    state: State
    option: Option
    language: str
    question: Question
    effect: Effect
    frame: list[int]
    speaker: Speaker

    @classmethod
    def of(cls, state: State, option: Option, language: str) -> Judge:
        """Return the judge of an option; somebody must be asked something."""
        table = state._table
        frame = table.stack[-1][:]
        return cls(
            state,
            option,
            language,
            state._compiled.questions[frame[0]],
            table.code[frame[0]],
            frame,
            state.speaker(language),
        )

    # --- what is said -------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """What is asked."""
        table = self.state._table
        return self.speaker.fill(self.question.prompt, table.cells, table.stack[-1])

    @property
    def who(self) -> str:
        """Who is asked."""
        return self.speaker.player(self.state._table.decider)

    @property
    def thing(self) -> str:
        """What the option is called."""
        return self.speaker.option(self.option)

    def own(self, name: str, holds: bool, key: str, **parts: str) -> Check:
        """Return a check of the engine's own, which rests on what the question rests on."""
        sentence = said(
            key, self.language, who=self.who, prompt=self.prompt, thing=self.thing, **parts
        )
        title = said("open", self.language, thing=self.thing)
        return Check(name, holds, sentence, self.question.provenance, title=title)

    # --- the checks ---------------------------------------------------------------------------

    def checks(self) -> Iterator[Check]:
        """Return every requirement that concerns the option."""
        if self.option.kind == "pass":
            yield self.may_pass()
            return
        if self.option.kind == "player" and self.option.number >= self.state.players:
            yield self.own("plays", False, "not_playing")
            return
        if self.option.kind == "piece" and self.owner_of(self.option.number) >= self.state.players:
            yield self.own("plays", False, "not_playing")
            return
        if self.question.kind == "either":
            yield from self.alternative()
        elif not self.fits():
            kind = kind_name(self.state._compiled.names, self.question.type, self.language)
            yield self.own("kind_of_answer", False, "wrong_kind", kind=kind)
            return
        else:
            self.frame[self.question.slot] = self.option.number
            for reason in self.question.reasons:
                yield self.judged(reason)
        yield from self.bans()

    def owner_of(self, piece: int) -> int:
        """Return for which player a piece is made; -1 if for nobody in particular."""
        return list(self.state._compiled.names.pieces.values())[piece].owner

    def may_pass(self) -> Check:
        """Whether one may pass; where things must be done first, which."""
        holds = self.option.id in self.state.option_ids
        if isinstance(self.effect, q.AnyOrder):
            done = self.frame[self.effect.picked]
            left = [
                label
                for i, label in enumerate(self.effect.labels)
                if self.effect.required >> i & 1 and not done >> i & 1
            ]
            return self.own("may_pass", holds, "not_yet_done", open=self.called(left))
        return self.own("may_pass", holds, "no_pass")

    def fits(self) -> bool:
        """Whether the option is of the sort that is asked for."""
        type_ = self.question.type
        return self.option.kind == type_.kind and (
            type_.kind == "number" or self.option.number in self.state._compiled.universe.of(type_)
        )

    def judged(self, reason: Reason) -> Check:
        """Judge one requirement."""
        holds = reason.condition.expression.value(self.state._table.cells, self.frame) != 0
        return self.check(reason, self.frame, holds)

    def check(self, reason: Reason, frame: list[int], holds: bool) -> Check:
        """Return a requirement in words, its gaps filled from a frame."""
        return Check(
            reason.name,
            holds,
            self.speaker.fill(reason.sentence, self.state._table.cells, frame),
            reason.provenance,
            self.facts(reason, frame),
            reason.kind,
            in_language(reason.title, self.language) or reason.name,
        )

    def alternative(self) -> Iterator[Check]:
        """Judge one of several ways, or something that a piece offers."""
        assert isinstance(self.effect, q.Either)
        for i, one in enumerate(self.question.alternatives):
            if one.label == self.option.id:
                yield from (self.judged(reason) for reason in one.reasons)
                if isinstance(self.effect, q.AnyOrder):
                    done = self.frame[self.effect.picked] >> i & 1
                    yield self.own("not_done_before", not done, "done_before")
                return
        for hook in self.effect.offers:
            if hook.option == self.option.id:
                yield from self.offered(self.effect, hook)
                return
        ways = [one.label for one in self.question.alternatives]
        ways += [
            hook.option
            for hook in self.effect.offers
            if self.effect.stands(self.state._table, hook, self.state._table.decider) is not None
        ]
        ways = list(dict.fromkeys(ways))
        passing = PASS in self.state.option_ids
        key = "one_or_pass" if passing else "not_the_one"
        if len(ways) > 1:
            key, ways = "not_offered", [*ways, PASS] if passing else ways
        yield self.own("offered", False, key, open=self.called(ways))

    def offered(self, effect: q.Either, hook: Hook) -> Iterator[Check]:
        """Judge what a piece or a rule offers beside the alternatives."""
        table = self.state._table
        fact = self.fact_of("piece", hook.kind) if hook.kind >= 0 else None
        places = hook.lying(table)
        owners = [table.layout.owners[place] if place >= 0 else NOBODY for place in places]
        mine = [
            place
            for place, owner in zip(places, owners, strict=True)
            if owner in (NOBODY, table.decider)
        ]
        if not mine:
            whose = next((self.speaker.names[owner] for owner in owners if owner >= 0), "")
            check = self.own("in_play", False, "not_yours" if whose else "not_in_play", whose=whose)
            facts = (fact,) if fact else ()
            source = fact.provenance if fact else check.provenance
            yield attrs.evolve(check, provenance=source, facts=facts, kind="place")
            return
        frame = hook.frame_at(mine[0], table.decider, table.decider, [])
        for reason in self.state._compiled.hook_reasons[id(hook)]:
            holds = reason.condition.expression.value(table.cells, frame) != 0
            check = self.check(reason, frame, holds)
            if reason.kind == "condition":
                sentence = said("not_ripe", self.language, thing=self.thing)
                check = attrs.evolve(check, sentence=sentence)
            yield check
        if effect.stands(table, hook, table.decider) is not None:
            yield self.own("in_play", True, "not_in_play")

    def bans(self) -> Iterator[Check]:
        """Judge the hooks that take the option away."""
        if not isinstance(self.effect, q.Choose | q.Either):
            return
        table, me = self.state._table, self.state._table.decider
        value = -1 if self.question.kind == "either" else self.option.number
        for hook in self.effect.bans.hooks:
            if hook.option not in (-1, self.option.id):
                continue
            places = hook.lying(table)
            if not places:
                continue
            holds = not self.effect.bans.bites(table, hook, me, value)
            for reason in self.state._compiled.hook_reasons[id(hook)]:
                yield self.check(reason, hook.frame_at(places[0], me, me, [value]), holds)

    def stood_for(self) -> Check:
        """Return why something is not open though it meets every requirement."""
        if isinstance(self.effect, q.ChooseAmong):
            return self.own("alike", False, "alike", other=self.alike(self.effect))
        if isinstance(self.effect, q.ChooseRising):
            because = said("one_spelling", self.language)
            source = Provenance("deduced", because=because)
            return attrs.evolve(self.in_order(self.effect), provenance=source)
        kind = kind_name(self.state._compiled.names, self.question.type, self.language)
        key = "not_drawn" if self.question.kind == "draw" else "not_open"
        return self.own("open_options", False, key, kind=kind)

    def in_order(self, effect: q.ChooseRising) -> Check:
        """Return why a thing is not the next one of a set: sets are named in the list's order."""
        frame = self.state._table.stack[-1]
        last, left = frame[effect.last], frame[effect.left]
        if self.option.number > last:
            return self.own("rising_order", False, "named_later", count=str(left))
        other = self.speaker.thing(self.question.type, last)
        key = "picked_already" if self.option.number == last else "named_before"
        return self.own("rising_order", False, key, other=other)

    def alike(self, effect: q.ChooseAmong) -> str:
        """Return what stands for the option, as it comes to the same."""
        for slot in effect.once:
            self.frame[slot] = UNKNOWN
        wanted = self.likeness(effect, self.option.number)
        for option in self.state.option_ids:
            thing = option - effect.base
            if option != 0 and self.likeness(effect, thing) == wanted:
                return self.speaker.thing(self.question.type, thing)
        return self.prompt

    def likeness(self, effect: q.ChooseAmong, thing: int) -> int:
        """Return the number by which things are told apart."""
        self.frame[effect.slot] = thing
        return effect.likeness.value(self.state._table.cells, self.frame)

    def called(self, options: Iterable[int]) -> str:
        """Return what options are called, as a list."""
        every = self.state.game.options
        return listed([self.speaker.option(every[i]) for i in options], self.language)

    # --- facts --------------------------------------------------------------------------------

    def facts(self, reason: Reason, frame: list[int]) -> tuple[Fact, ...]:
        """Return what a requirement depends on: the option, what its sentence names, values."""
        found = [self.fact_of(self.option.kind, self.option.number)]
        found += self.named_facts(reason.sentence, frame)
        found += self.value_facts(reason.name)
        return tuple(dict.fromkeys(fact for fact in found if fact is not None))

    def named_facts(self, sentence: Template, frame: list[int]) -> Iterator[Fact | None]:
        """Return the facts about the pieces and sites that a sentence names."""
        for gap in sentence.gaps:
            if gap.type.kind in ("piece", "site"):
                number = gap.expression.value(self.state._table.cells, frame)
                yield self.fact_of(gap.type.kind, number)

    def value_facts(self, requirement: str) -> Iterator[Fact | None]:
        """Return the facts about the pack's numbers that a requirement mentions."""
        names = self.state._compiled.names
        formula = names.requirements.get(requirement)
        if formula is None:
            return
        for name in NAME.findall(formula.expression):
            if name in names.values:
                yield self.state.game.sources.fact(names.values[name].place)

    def fact_of(self, kind: str, number: int) -> Fact | None:
        """Return the fact about a piece or a site; None for other things, and for nothing."""
        names = self.state._compiled.names
        if number < 0 or kind not in ("piece", "site"):
            return None
        places = (
            [one.place for one in names.pieces.values()]
            if kind == "piece"
            else [one.place for one in names.sites.values()]
        )
        return self.state.game.sources.fact(places[number])
