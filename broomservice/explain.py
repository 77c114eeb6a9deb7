"""Why an option is open, or why not: the same requirement objects that list the options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.compile.code import Question, Reason
from broomservice.core import questions as q
from broomservice.pack.provenance import Provenance

if TYPE_CHECKING:
    from broomservice.option import Option
    from broomservice.state import State


@attrs.frozen
class Check:
    """One requirement: its name, whether it holds, its sentence when it fails, its source."""

    name: str
    holds: bool
    sentence: str
    provenance: Provenance

    def __str__(self) -> str:
        return f"{self.sentence} ({self.provenance})"


@attrs.frozen
class Verdict:
    """Whether an option is open now, and the requirements that decide it."""

    option: Option
    legal: bool
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """The requirements that do not hold."""
        return tuple(check for check in self.checks if not check.holds)

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        answer = "yes" if self.legal else "no"
        return f"{self.option.label}: {answer}" + "".join(
            f"\n  - {check}" for check in self.failed
        )


def explain(state: State, option: Option, language: str = "en") -> Verdict:
    """Return whether an option is open now, and why."""
    table = state._table
    legal = option.id in table.options
    if not table.options:
        check = Check("game_is_over", False, said("over", language), Provenance("deduced"))
        return Verdict(option, False, (check,))
    frame = table.stack[-1][:]
    question = state._compiled.questions[frame[0]]
    checks = tuple(checks_of(state, option, question, frame, language))
    if not legal and all(check.holds for check in checks):
        checks += (Check("open_options", False, said("not_open", language), question_source(question)),)
    return Verdict(option, legal, checks)


def checks_of(
    state: State, option: Option, question: Question, frame: list[int], language: str
) -> list[Check]:
    """Return the requirements that concern an option at this question."""
    if option.kind == "pass":
        sentence = said("no_pass", language)
        return [Check("may_pass", option.id in state.option_ids, sentence, Provenance("deduced"))]
    if question.kind == "either":
        checks = alternative_checks(state, option, question, frame, language)
    else:
        fits = option.kind == question.type.kind and (
            question.type.kind == "number"
            or option.number in state._compiled.universe.of(question.type)
        )
        if not fits:
            sentence = said("wrong_kind", language).format(str(question.type).replace("_", " "))
            return [Check("kind_of_answer", False, sentence, Provenance("deduced"))]
        frame[question.slot] = option.number
        checks = [check(state, reason, frame, language) for reason in question.reasons]
    return checks + ban_checks(state, option, question, frame, language)


def alternative_checks(
    state: State, option: Option, question: Question, frame: list[int], language: str
) -> list[Check]:
    """Return the requirements of one alternative, or that there is no such alternative."""
    for one in question.alternatives:
        if one.label == option.id:
            return [check(state, reason, frame, language) for reason in one.reasons]
    open_ = option.id in state.option_ids
    return [Check("offered", open_, said("not_offered", language), Provenance("deduced"))]


def check(state: State, reason: Reason, frame: list[int], language: str) -> Check:
    """Judge one requirement."""
    cells = state._table.cells
    holds = reason.condition.expression.value(cells, frame) != 0
    sentence = state.speaker(language).fill(reason.sentence, cells, frame)
    return Check(reason.name, holds, sentence, reason.provenance)


def ban_checks(
    state: State, option: Option, question: Question, frame: list[int], language: str
) -> list[Check]:
    """Return the bans that concern an option."""
    table = state._table
    effect = table.code[frame[0]]
    if not isinstance(effect, q.Choose | q.Either):
        return []
    result: list[Check] = []
    me = table.decider
    value = -1 if question.kind == "either" else option.number
    for hook in effect.bans.hooks:
        if hook.option not in (-1, option.id):
            continue
        reason = state._compiled.hook_reasons[id(hook)]
        place = (hook.lying(table) or [-1])[0]
        judged = hook.frame_at(place, me, me, [value])
        sentence = state.speaker(language).fill(reason.sentence, table.cells, judged)
        holds = not effect.bans.bites(table, hook, me, value)
        result.append(Check(reason.name, holds, sentence, reason.provenance))
    return result


def question_source(question: Question) -> Provenance:
    """Return what a question itself rests on."""
    for reason in question.reasons:
        return reason.provenance
    return Provenance("deduced")


SENTENCES = {
    "over": {"en": "the game is over", "de": "das Spiel ist zu Ende"},
    "no_pass": {"en": "one may not pass here", "de": "hier darf man nicht verzichten"},
    "wrong_kind": {"en": "this decision asks for a {}", "de": "hier ist etwas anderes gefragt: {}"},
    "not_offered": {
        "en": "this is not among the alternatives",
        "de": "das gehört nicht zu den Möglichkeiten",
    },
    "not_open": {
        "en": "this is not open now (something alike stands for it, or the picks rise in order)",
        "de": "das ist jetzt nicht offen (Gleiches steht dafür, oder man wählt in steigender Folge)",
    },
}


def said(key: str, language: str) -> str:
    """Return a sentence of the engine itself."""
    return SENTENCES[key].get(language, SENTENCES[key]["en"])

