"""Questions that take something for granted: why not asked, why must I, why did she lose that."""

from __future__ import annotations

from broomservice.cli.asking import choices, history
from broomservice.cli.asking.referee import Referee
from broomservice.cli.grammar import (
    ASKING,
    FORCING,
    GAINING,
    LOSING,
    MODALS,
    NEGATIONS,
    SKIPPING,
    a_set,
)
from broomservice.cli.hearing import words_of

TELLING = a_set(
    "did do does have has had was were is am are",
    "habe hat haben hatte wurde ist bin sind",
    "verlor verliert verliere bekam bekommt bekomme nahm nimmt zahlte zahlt erhielt erhält",
    "führt führe spielt spiele",
)
REASONS = ("and why", "und warum", "und wieso", "und weshalb")


def why(referee: Referee, text: str) -> None:
    """Say why something happened, or why something may or may not be done."""
    words = words_of(text)
    said = set(words)
    tells = bool(words) and words[0] in TELLING
    if said & SKIPPING or (said & ASKING and said & (NEGATIONS | {"t"})):
        history.why_not_asked(referee, text)
    elif said & FORCING or have_to(words):
        history.why_forced(referee, text)
    elif tells and said & (LOSING | GAINING) and not said & NEGATIONS:
        history.why_moved(referee, text)
    elif words and words[0] not in MODALS - TELLING and (about := counters_of(referee, text)):
        history.why_counter(referee, about)
    else:
        choices.ask_about(referee, text)


def have_to(words: tuple[str, ...]) -> bool:
    """Whether words say that somebody had to do something."""
    return bool({"have", "has", "had"} & set(words)) and "to" in words


def counters_of(referee: Referee, text: str) -> list[str]:
    """Return the counters that hold a player or a thing, and that a sentence is about."""
    counters = referee.game.names.counters
    found = referee.ear().counters(text)
    return [name for name in found if counters[name].type.kind != "number"]


def without_reason(text: str) -> tuple[str, bool]:
    """Return a question without the `and why` at its end, and whether it had one.

    >>> without_reason("leads and why"), without_reason("leads")
    (('leads', True), ('leads', False))
    """
    for end in REASONS:
        if text.casefold().endswith(f" {end}"):
            return text[: -len(end)].strip(), True
    return text, False
