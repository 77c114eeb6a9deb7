"""Finding rules by words: the beginnings of words in the text, whole words first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from broomservice.rulebook.statements import Statement, headings, statements
from broomservice.rulebook.texts import begins, same, words_in

if TYPE_CHECKING:
    from broomservice.game import Game


def found_statements(game: Game, words: str, language: str = "en") -> tuple[Statement, ...]:
    """Return the statements in which all these words occur, best first.

    A number such as 5.3 finds the statement of that number. Words are sought in texts and remarks;
    only if they occur in none, in the headings of the sections too, and at last in the ids.
    """
    every = statements(game, language)
    numbered = tuple(one for one in every if one.number == words.strip())
    wanted = words_in(words)
    if numbered or not wanted:
        return numbered
    names = headings(game.sources, language)
    places: tuple[Callable[[Statement], str], ...] = (
        lambda one: f"{one.text} {one.note}",
        lambda one: f"{one.text} {one.note} {names.get(one.section, '')}",
        lambda one: one.id,
    )
    for said in places:
        found = [one for one in every if has_all(said(one), wanted)]
        if found:
            return tuple(sorted(found, key=lambda one: rank(one, wanted)))
    return ()


def has_all(text: str, wanted: Iterable[str]) -> bool:
    """Whether for each of some words a word of the text begins so."""
    words = words_in(text)
    return all(any(begins(word, one) for word in words) for one in wanted)


def rank(one: Statement, wanted: Iterable[str]) -> tuple[int, int]:
    """Return what is smaller for statements that fit better: whole words, and in the text."""
    words = words_in(one.text)
    whole = sum(any(same(word, sought) for word in words) for sought in wanted)
    return -whole, -int(has_all(one.text, wanted))
