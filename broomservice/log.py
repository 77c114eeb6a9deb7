"""The log: what happened, in sentences, with who scored how much for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.compile.code import StepInfo
from broomservice.explaining.verdict import Check
from broomservice.pack.provenance import Provenance
from broomservice.render import Speaker, in_language

if TYPE_CHECKING:
    from broomservice.state import State

TAKEN = {
    "en": "{}: {}, as nothing else is open ({})",
    "de": "{}: {}, denn nichts anderes ist möglich ({})",
}
SKIPPED = {
    "en": "{} is not asked, as nothing is open ({})",
    "de": "{} wird nicht gefragt, denn nichts ist möglich ({})",
}
PASSED_OVER = {"en": "{} is not asked: {}", "de": "{} wird nicht gefragt: {}"}


@attrs.frozen
class LogEntry:
    """One thing that happened.

    `kind` is "answer" (somebody, or chance, picked `option`), "forced" (`option` was taken by
    itself, as nothing else was open), "skipped" (nothing was open, so nobody was asked), "draw",
    "score" (`player` scored `amount`), "tell" (a sentence of the pack), "hook" (a trigger fired)
    or "move" (`amount` of a `piece` went from place to place). `step` is the pack's step that did
    it. `checks` are what closed all other options, where that was asked for. Whoever plays a log
    again gives its answers alone: what was forced happens by itself.
    """

    kind: str
    player: int
    text: str
    amount: int = 0
    option: int = -1
    piece: int = -1
    source: int = -1
    target: int = -1
    step: StepInfo | None = None
    checks: tuple[Check, ...] = ()

    @property
    def provenance(self) -> Provenance:
        """What the rule that did it rests on; unknown for a mere move of pieces."""
        return self.step.provenance if self.step is not None else Provenance()


def entries(state: State, language: str = "en") -> tuple[LogEntry, ...]:
    """Return the log of a position in a language."""
    raw = state._table.log or []
    speaker = state.speaker(language)
    return tuple(entry(state, line, speaker) for line in raw)


def entry(state: State, line: list[int], speaker: Speaker) -> LogEntry:
    """Return one line of the log in words."""
    compiled = state._compiled
    number, who, *rest = line
    if number < 0:
        source, target, amount = rest
        way = f"{speaker.place(source)} -> {speaker.place(target)}"
        text = f"{amount} x {speaker.piece(who)}: {way}"
        return LogEntry("move", -1, text, amount, -1, who, source, target)
    info = compiled.info[number]
    if info.keyword == "score":
        return scored(state, line, speaker, info)
    if info.keyword == "tell":
        return LogEntry("tell", who, speaker.sentence(compiled.sentences[number], rest), step=info)
    if number in compiled.duties:
        return passed_over(state, line, speaker, info)
    if number in compiled.questions and len(rest) > 1:
        return unasked(state, line, speaker, info)
    if number in compiled.questions:
        option = state.game.options[rest[0]]
        name = speaker.player(who)
        kind = "draw" if info.keyword == "draw" else "answer"
        return LogEntry(kind, who, f"{name}: {speaker.option(option)}", option=option.id, step=info)
    return LogEntry("hook", who, info.verb, piece=rest[0], step=info)


def unasked(state: State, line: list[int], speaker: Speaker, info: StepInfo) -> LogEntry:
    """Return the line for a question that was not put: one thing was open, or nothing."""
    number, who, taken, _ = line
    name = speaker.names[who] if who >= 0 else "-"
    prompt = speaker.gapless(state._compiled.questions[number].prompt)
    if taken < 0:
        text = skipped_text(name, prompt, "", speaker.language)
        return LogEntry("skipped", who, text, step=info)
    option = state.game.options[taken]
    text = taken_text(name, speaker.option(option), prompt, "", speaker.language)
    return LogEntry("forced", who, text, option=taken, step=info)


def taken_text(name: str, taken: str, prompt: str, why: str, language: str) -> str:
    """Return in words that the only thing open was taken."""
    text = in_language(TAKEN, language).format(name, taken, prompt)
    return f"{text}: {why}" if why else text


def skipped_text(name: str, prompt: str, why: str, language: str) -> str:
    """Return in words that nobody was asked, as nothing was open."""
    text = in_language(SKIPPED, language).format(name, prompt)
    return f"{text}: {why}" if why else text


def passed_over(state: State, line: list[int], speaker: Speaker, info: StepInfo) -> LogEntry:
    """Return the line for a player whom a loop left out, for want of a requirement."""
    number, who, _, _, which, *values = line
    reason = state._compiled.duties[number][which]
    sentence = speaker.sentence(reason.sentence, values)
    text = in_language(PASSED_OVER, speaker.language).format(speaker.names[who], sentence)
    title = in_language(reason.title, speaker.language)
    check = Check(reason.name, False, sentence, reason.provenance, (), reason.kind, title)
    return LogEntry("skipped", who, text, step=info, checks=(check,))


def scored(state: State, line: list[int], speaker: Speaker, info: StepInfo) -> LogEntry:
    """Return the line for points scored, with what they are for."""
    number, who, amount, *values = line
    template = state._compiled.sentences.get(number)
    reason = speaker.sentence(template, values) if template else info.verb.replace("_", " ")
    sign = "+" if amount >= 0 else ""
    return LogEntry(
        "score", who, f"{speaker.names[who]} {sign}{amount}: {reason}", amount, step=info
    )
