"""The questions of a game, found by the words that they are about: 'deliver', 'flies', 'play'."""

from __future__ import annotations

from broomservice.cli.grammar import GRAMMAR
from broomservice.cli.hearing import alike, words_of
from broomservice.compile.code import Question
from broomservice.state import State

LEAST_VERB = 3
LONGEST_ENDING = 4


def question_of(state: State) -> Question | None:
    """Return what is known about the open question; None if nobody is asked."""
    if not state.option_ids:
        return None
    return state._compiled.questions.get(state._table.stack[-1][0])


def is_secret(state: State) -> bool:
    """Whether the open question is one of several that all answer at once, in secret."""
    info = state._compiled.info
    return any(
        0 <= frame[0] < len(info) and info[frame[0]].secret >= 0 for frame in state._table.stack
    )


def question_words(state: State, question: Question) -> frozenset[str]:
    """Return the words that a question is about: of its verb, its prompt and its answers."""
    parts = [question.verb, question.point]
    for texts in question.prompt.parts.values():
        parts += [part for part in texts if isinstance(part, str)]
    for one in question.alternatives:
        option = state.game.options[one.label]
        parts += [option.label, *option.text.values()]
    return frozenset(word for part in parts for word in words_of(part)) - GRAMMAR


def is_about(state: State, question: Question, word: str) -> bool:
    """Whether a question is about a word, or one like it."""
    return any(same_verb(word, other) for other in question_words(state, question))


def known_verbs(state: State, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some words that any question of the game is about."""
    known = {
        word for one in state._compiled.questions.values() for word in question_words(state, one)
    }
    return tuple(word for word in words if any(same_verb(word, other) for other in known))


def same_verb(word: str, other: str) -> bool:
    """Whether two words are forms of one: 'flying' and 'fly', 'delivers' and 'deliver'.

    >>> same_verb("flying", "fly"), same_verb("liefert", "liefern"), same_verb("five", "fly")
    (True, True, False)
    """
    short, long = sorted((word, other), key=len)
    begins = len(short) >= LEAST_VERB and long.startswith(short)
    return alike(word, other) or (begins and len(long) - len(short) <= LONGEST_ENDING)
