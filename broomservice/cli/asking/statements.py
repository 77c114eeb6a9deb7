"""The statements of the rules that a sentence is about, those with most of its words first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from broomservice.cli.asking.questions import is_about, same_verb
from broomservice.cli.asking.referee import Referee
from broomservice.cli.grammar import GRAMMAR
from broomservice.cli.hearing import words_of
from broomservice.cli.rules import print_statement
from broomservice.game import Game
from broomservice.rulebook import Statement, explain_rule, found_statements
from broomservice.state import State

LEAST_SHARE = 0.4


def nearest(game: Game, text: str, language: str) -> tuple[Statement, ...]:
    """Return the statements with all words of a text, or else those with most, best first.

    Words that few statements have weigh more.
    """
    words = tuple(word for word in dict.fromkeys(words_of(text)) if word not in GRAMMAR)
    if not words:
        return ()
    if found := found_statements(game, " ".join(words), language):
        return found
    every = game.statements(language)
    having = {word: [one for one in every if has(one, word)] for word in words}
    weights = {
        word: math.log(1 + len(every) / len(found)) for word, found in having.items() if found
    }
    scores: dict[str, float] = {}
    for word, weight in weights.items():
        for one in having[word]:
            scores[one.id] = scores.get(one.id, 0) + weight
    least = LEAST_SHARE * sum(weights.values())
    fitting = [one for one in every if scores.get(one.id, 0) >= least > 0]
    return tuple(sorted(fitting, key=lambda one: -scores[one.id]))


def about_verbs(state: State, words: Sequence[str], language: str) -> tuple[Statement, ...]:
    """Return the statements that some words are about, those of the verbs named so first."""
    game = state.game
    near = nearest(game, " ".join(words), language)
    every = {one.id: one for one in game.statements(language)}
    verbs = dict.fromkeys(
        verb
        for verb in game.names.verbs
        if any(same_verb(word, part) for word in words for part in words_of(verb))
    ) or dict.fromkeys(
        question.verb
        for question in state._compiled.questions.values()
        if question.verb in game.names.verbs
        and any(is_about(state, question, word) for word in words)
    )
    passages = [
        every[name]
        for verb in verbs
        for name in explain_rule(game, verb, language).statements
        if name in every
    ]
    both = [one for one in near if one in passages]
    return tuple(dict.fromkeys((*both, *passages))) or near


def speak_of(game: Game, words: Iterable[str], language: str) -> tuple[str, ...]:
    """Return those of some words that statements speak of."""
    every = game.statements(language)
    return tuple(word for word in words if any(has(one, word) for one in every))


def has(statement: Statement, word: str) -> bool:
    """Whether a statement has a word, or one like it."""
    return any(alike_words(word, other) for other in words_in(statement.text))


@lru_cache(maxsize=2000)
def words_in(text: str) -> frozenset[str]:
    """Return the words of a text that are more than grammar."""
    return frozenset(words_of(text)) - GRAMMAR


@lru_cache(maxsize=50_000)
def alike_words(word: str, other: str) -> bool:
    """Whether two words are forms of one."""
    return same_verb(word, other)


def print_statements(referee: Referee, found: Sequence[Statement]) -> None:
    """Print statements with their numbers and what they rest on."""
    for one in found:
        print_statement(referee.out, referee.game, one, referee.language)
