"""A sentence to the referee taken apart: about whom it is, what it names, what is left."""

from __future__ import annotations

import attrs

from broomservice.cli.asking.questions import known_verbs, question_of
from broomservice.cli.asking.referee import Referee
from broomservice.cli.grammar import GRAMMAR, MODALS, NEGATIONS, STARTS
from broomservice.cli.hearing import Ear, words_of
from broomservice.core.table import NOBODY
from broomservice.option import Option


@attrs.frozen
class Sentence:
    """What a sentence says.

    `subject` is the player it is about (-1: nobody is named), `players` are all who are named,
    `options` what else is named, `rest` the words that are neither names nor grammar, `stranger`
    the word that stands where a player should.
    """

    text: str
    subject: int
    players: tuple[int, ...]
    options: tuple[Option, ...]
    rest: tuple[str, ...]
    stranger: str = ""

    @classmethod
    def of(cls, referee: Referee, text: str, *, modal: bool = False) -> Sentence:
        """Return a sentence taken apart.

        Args:
            referee: who is asked.
            text: the sentence without its first word, such as `may`.
            modal: whether that word was one that a subject follows.
        """
        ear = referee.ear()
        words = words_of(text)
        while words and words[0] in MODALS | {"t", "not", "nicht"}:
            modal, words = modal or words[0] in MODALS, words[1:]
        found = ear.hear(" ".join(words))
        rest = tuple(word for word in found.rest if is_content(word))
        subject = subject_of(referee, ear, words, modal=modal)
        stranger = words[0] if modal and is_stranger(referee, words, found.rest) else ""
        return cls(" ".join(words), subject, found.players, found.options, rest, stranger)

    @property
    def others(self) -> tuple[int, ...]:
        """The players who are named beside the one that it is about."""
        return tuple(player for player in self.players if player != self.subject)

    def without_options(self, referee: Referee) -> Sentence:
        """Return the sentence when what looks like names of options are just words."""
        rest = referee.ear().content(words_of(self.text))
        return attrs.evolve(self, options=(), rest=rest)


def is_content(word: str) -> bool:
    """Whether a word means something beside grammar."""
    return word not in GRAMMAR or word in NEGATIONS


def subject_of(referee: Referee, ear: Ear, words: tuple[str, ...], *, modal: bool) -> int:
    """Return the player a sentence is about: a player alone may be the answer instead."""
    heard = ear.hear(" ".join(words))
    if not heard.players:
        return NOBODY
    begins = any(words[: len(key)] == key for key in ear.players)
    if modal and begins:
        return heard.players[0]
    alone = len(heard.players) == 1 and not heard.options and not ear.content(heard.rest)
    return NOBODY if alone and asks_player(referee) else heard.players[0]


def asks_player(referee: Referee) -> bool:
    """Whether the open question is answered with a player."""
    question = question_of(referee.state)
    return question is not None and question.type.kind == "player"


def is_stranger(referee: Referee, words: tuple[str, ...], unheard: tuple[str, ...]) -> bool:
    """Whether the first of several words stands where a player should, and names nothing."""
    if len(words) < 2 or words[0] not in unheard[:1] or not words[0].isalpha():
        return False
    first = words[0]
    return not (first in GRAMMAR | STARTS | NEGATIONS or known_verbs(referee.state, (first,)))
