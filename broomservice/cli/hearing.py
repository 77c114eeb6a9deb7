"""Finding names in a sentence: of options, players, counters and places. No grammar, no guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

import attrs

from broomservice.option import Option
from broomservice.render import in_language
from broomservice.state import State

WORD = re.compile(r"\w+")
LEAST_STEM = 4
LIKENESS = 0.75
NO_NAMES = frozenset({"a", "an", "the", "at", "in", "on", "to", "of", "der", "die", "das", "und"})


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, in small letters.

    >>> words_of("May Carla deliver at p1_pawn_1?")
    ('may', 'carla', 'deliver', 'at', 'p1', 'pawn', '1')
    """
    return tuple(WORD.findall(text.casefold().replace("_", " ")))


@attrs.frozen
class Heard:
    """What a sentence names: options (in its order), players, and the words left over."""

    options: tuple[Option, ...]
    players: tuple[int, ...]
    rest: tuple[str, ...]


@attrs.frozen
class Ear:
    """Knows the names of a position, in all languages, and finds them in sentences."""

    state: State
    names: dict[tuple[str, ...], list[Option]]
    players: dict[tuple[str, ...], int]
    longest: int

    @classmethod
    def of(cls, state: State) -> Ear:
        """Return an ear for the names of a position."""
        names: dict[tuple[str, ...], list[Option]] = {}
        numbers = any(state.game.options[i].kind == "number" for i in state.option_ids)
        speakers = [state.speaker(language) for language in ("en", "de")]
        for option in state.game.options:
            if option.kind == "player" or (option.kind == "number" and not numbers):
                continue
            texts = {option.label, *option.text.values(), *(one.option(option) for one in speakers)}
            for key in {words_of(text) for text in texts} - {(), *((word,) for word in NO_NAMES)}:
                names.setdefault(key, []).append(option)
        players = {words_of(name): i for i, name in enumerate(state.names)}
        players |= {(f"p{i + 1}",): i for i in range(state.players)}
        return cls(state, names, players, max(map(len, (*names, *players))))

    def hear(self, text: str) -> Heard:
        """Return what a sentence names; longer names go before shorter ones."""
        words = words_of(text)
        options: list[Option] = []
        players: list[int] = []
        rest: list[str] = []
        i = 0
        while i < len(words):
            for length in range(min(self.longest, len(words) - i), 0, -1):
                key = words[i : i + length]
                if key in self.players or key in self.names:
                    players += [self.players[key]] if key in self.players else []
                    options += self.names.get(key, [])
                    i += length
                    break
            else:
                rest.append(words[i])
                i += 1
        return Heard(tuple(dict.fromkeys(options)), tuple(dict.fromkeys(players)), tuple(rest))

    def hint(self, text: str) -> str:
        """Return the name that was probably meant where a sentence names nothing, or is misspelt.

        Longer names go before shorter ones; only words that are no names are doubted.
        """
        words, doubtful = words_of(text), set(self.hear(text).rest)
        known = [" ".join(key) for key in (*self.names, *self.players)]
        for length in range(min(self.longest, len(words)), 0, -1):
            for i in range(len(words) - length + 1):
                part = words[i : i + length]
                close = get_close_matches(" ".join(part), known, n=1, cutoff=LIKENESS)
                if close and doubtful & set(part):
                    return close[0]
        return ""

    def player(self, text: str) -> str:
        """Return a player's label such as p2, given a name; other texts stay as they are."""
        key = words_of(text)
        return f"p{self.players[key] + 1}" if key in self.players else text.strip()

    def label(self, text: str) -> str:
        """Return the label of a thing or a player, given a name; other texts stay as they are."""
        found = self.names.get(words_of(text), [])
        return found[0].label if found else self.player(text)

    def place(self, text: str) -> str:
        """Return a place as scenarios write it: a site, supply, stock(p1)."""
        head, bracket, owner = text.partition("(")
        names = self.state.game.names
        for name, kind in names.places.items():
            if words_of(head) in {words_of(name), *map(words_of, kind.text.values())}:
                return f"{name}({self.player(owner.rstrip(') '))})" if bracket else name
        return self.label(text)

    def is_counter(self, text: str, language: str) -> bool:
        """Whether a text is just the name of a counter."""
        return any(
            words_of(text) in (words_of(name), words_of(in_language(counter.text, language)))
            for name, counter in self.state.game.names.counters.items()
        )

    def counters(self, text: str, language: str) -> Iterator[str]:
        """Return the counters that a sentence is about: 'who leads' is about the leader."""
        names = self.state.game.names.counters
        for name, counter in names.items():
            stems = {*words_of(name), *words_of(in_language(counter.text, language))}
            if any(alike(word, stem) for word in words_of(text) for stem in stems):
                yield name


def alike(word: str, other: str) -> bool:
    """Whether a word begins like another, or like a part of it, as 'leads' and 'leader' do.

    >>> alike("leads", "leader"), alike("spielt", "ausspieler"), alike("points", "pawn")
    (True, True, False)
    """
    same = 0
    while same < min(len(word), len(other)) and word[same] == other[same]:
        same += 1
    within = len(word) > LEAST_STEM and word[: LEAST_STEM + 1] in other
    return word == other or same >= LEAST_STEM or within
