"""The log: what happened, in sentences, with who scored how much for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.compile.code import StepInfo
from broomservice.core.table import CHANCE
from broomservice.render import Speaker

if TYPE_CHECKING:
    from broomservice.state import State


@attrs.frozen
class LogEntry:
    """One thing that happened.

    `kind` is "answer" (somebody, or chance, picked `option`), "draw", "score" (`player` scored
    `amount`), "tell" (a sentence of the pack), "hook" (a trigger fired) or "move" (`amount` of a
    `piece` went from place to place). `step` is the pack's step that did it.
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
        text = f"{amount} x {speaker.piece(who)}: {speaker.place(source)} -> {speaker.place(target)}"
        return LogEntry("move", -1, text, amount, -1, who, source, target)
    info = compiled.info[number]
    if info.keyword == "score":
        return scored(state, line, speaker, info)
    if info.keyword == "tell":
        return LogEntry("tell", who, speaker.sentence(compiled.sentences[number], rest), step=info)
    if number in compiled.questions:
        option = state.game.options[rest[0]]
        name = "chance" if who == CHANCE else speaker.names[who]
        kind = "draw" if info.keyword == "draw" else "answer"
        return LogEntry(
            kind, who, f"{name}: {speaker.option(option)}", option=option.id, step=info
        )
    return LogEntry("hook", who, info.verb, piece=rest[0], step=info)


def scored(state: State, line: list[int], speaker: Speaker, info: StepInfo) -> LogEntry:
    """Return the line for points scored, with what they are for."""
    number, who, amount, *values = line
    template = state._compiled.sentences.get(number)
    reason = speaker.sentence(template, values) if template else info.verb.replace("_", " ")
    sign = "+" if amount >= 0 else ""
    return LogEntry("score", who, f"{speaker.names[who]} {sign}{amount}: {reason}", amount,
                    step=info)
