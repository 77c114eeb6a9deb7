"""Questions that begin with who, when, how, is: about a counter, whose turn it is, or the rules."""

from __future__ import annotations

from broomservice.cli.asking import acting, choices, facts, history, leading
from broomservice.cli.asking.referee import Referee
from broomservice.cli.grammar import OPENNESS, PERMITTING, TURNS
from broomservice.cli.hearing import words_of


def wonder(referee: Referee, text: str) -> None:
    """Answer a question, given from its first word on: what it is about is found by its words."""
    rest, reasons = leading.without_reason(text)
    words, ear = words_of(rest), referee.ear()
    content = set(ear.content(words))
    if len(words) > 1 and words[1] in PERMITTING and not content & TURNS:
        choices.may(referee, " ".join(words[1:]))
    elif content and content <= TURNS:
        referee.show_open_question()
    elif content & OPENNESS and ear.hear(rest).options:
        choices.ask_about(referee, " ".join(word for word in words if word not in OPENNESS))
    elif content and content <= OPENNESS:
        acting.show_options(referee, "")
    elif reasons and (about := list(ear.counters(rest))):
        history.why_counter(referee, about)
    elif not facts.show_counters(referee, rest):
        facts.show_nearest(referee, " ".join(ear.content(words)) or text)
