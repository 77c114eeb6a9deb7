"""Finding names in a sentence: of options, players, counters and places. No grammar, no guesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

import attrs

from broomservice.cli.grammar import ENDINGS, GRAMMAR, SYNONYMS
from broomservice.core.table import NOBODY
from broomservice.option import Option
from broomservice.state import State

WORD = re.compile(r"\w+")
LEAST_STEM = 4
LEAST_ROOT = 3
LIKENESS = 0.75
LANGUAGES = ("en", "de")
INFLECTED = ("piece", "site", "word")

Key = tuple[str, ...]


def words_of(text: str) -> Key:
    """Return the words of a text, in small letters.

    >>> words_of("May Carla deliver at p1_pawn_1?")
    ('may', 'carla', 'deliver', 'at', 'p1', 'pawn', '1')
    """
    return tuple(WORD.findall(text.casefold().replace("_", " ")))


def stem(word: str) -> str:
    """Return a word without the endings that German gives it, or the English plural.

    >>> stem("roten"), stem("rote"), stem("witches"), stem("see")
    ('rot', 'rot', 'witch', 'see')
    """
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= LEAST_ROOT:
            return stem(word[: -len(ending)])
    return word


@attrs.frozen
class Heard:
    """What a sentence names: options (in its order), players, and the words left over."""

    options: tuple[Option, ...]
    players: tuple[int, ...]
    rest: tuple[str, ...]


@attrs.frozen
class Ear:
    """Knows the names of a position, in all languages, and finds them in sentences.

    `stems` are the names without endings, `owned` those of a player's pieces without the player.
    """

    state: State
    names: dict[Key, list[Option]]
    stems: dict[Key, list[Option]]
    owned: dict[Key, list[Option]]
    players: dict[Key, int]
    longest: int

    @classmethod
    def of(cls, state: State) -> Ear:
        """Return an ear for the names of a position."""
        names: dict[Key, list[Option]] = {}
        stems: dict[Key, list[Option]] = {}
        owned: dict[Key, list[Option]] = {}
        numbers = any(state.game.options[i].kind == "number" for i in state.option_ids)
        for option in state.game.options:
            if option.kind == "player" or (option.kind == "number" and not numbers):
                continue
            for key in keys_of(state, option):
                names.setdefault(key, []).append(option)
                if option.kind in INFLECTED:
                    stems.setdefault(tuple(map(stem, key)), []).append(option)
            for key in ownerless_keys(state, option):
                owned.setdefault(key, []).append(option)
        players = player_keys(state.names)
        return cls(state, names, stems, owned, players, max(map(len, (*names, *players))))

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
                if key in self.players:
                    players.append(self.players[key])
                found = self.things(key, players)
                if found or key in self.players:
                    options += found
                    i += length
                    break
            else:
                rest.append(words[i])
                i += 1
        return Heard(tuple(dict.fromkeys(options)), tuple(dict.fromkeys(players)), tuple(rest))

    def things(self, key: Key, players: list[int]) -> list[Option]:
        """Return the options of a name; what belongs to somebody only if it is theirs.

        Without a name of a player, the one who is asked is meant.
        """
        if key in self.names:
            return self.names[key]
        if key[0] not in GRAMMAR and (found := self.stems.get(tuple(map(stem, key)))):
            return found
        owners = players or [int(self.state.player)]
        pieces = list(self.state.game.names.pieces.values())
        return [one for one in self.owned.get(key, []) if pieces[one.number].owner in owners]

    def hint(self, text: str) -> str:
        """Return the name that was probably meant where a sentence names nothing, or is misspelt.

        Longer names go before shorter ones; only words that are no names are doubted, and nothing
        is proposed that the sentence says already.
        """
        words, doubtful = words_of(text), set(self.hear(text).rest) - GRAMMAR
        known = [" ".join(key) for key in (*self.names, *self.players) if not set(key) <= GRAMMAR]
        for length in range(min(self.longest, len(words)), 0, -1):
            for i in range(len(words) - length + 1):
                part = words[i : i + length]
                close = get_close_matches(" ".join(part), known, n=1, cutoff=LIKENESS)
                if close and doubtful & set(part) and not set(close[0].split()) <= set(words):
                    return close[0]
        return ""

    def player_hint(self, word: str) -> str:
        """Return the player whose name is like a word."""
        called = {name.casefold(): name for name in self.state.names}
        close = get_close_matches(word, list(called), n=1)
        return called[close[0]] if close else ""

    def player(self, text: str) -> str:
        """Return a player's label such as p2, given a name; other texts stay as they are."""
        key = words_of(text)
        return f"p{self.players[key] + 1}" if key in self.players else text.strip()

    def label(self, text: str) -> str:
        """Return the label of a thing or a player, given a name; other texts stay as they are."""
        key = words_of(text)
        if found := self.things(key, []) if key else []:
            return found[0].label
        heard = self.hear(text)
        alone = len(heard.options) == 1 and not heard.rest
        return heard.options[0].label if alone else self.player(text)

    def place(self, text: str) -> str:
        """Return a place as scenarios write it: a site, supply, stock(p1)."""
        head, bracket, owner = text.partition("(")
        names = self.state.game.names
        for name, kind in names.places.items():
            if words_of(head) in {words_of(name), *map(words_of, kind.text.values())}:
                return f"{name}({self.player(owner.rstrip(') '))})" if bracket else name
        return self.label(text)

    # --- counters -------------------------------------------------------------------------------

    def counters(self, text: str) -> Iterator[str]:
        """Return the counters that a sentence is about, and about little else.

        The whole name is said, or of a name of one word the like: 'who leads' is about the leader.
        """
        words = words_of(text)
        exact, similar = [], []
        for name in self.state.game.names.counters:
            forms = self.counter_forms(name)
            about = [form for form in forms if self.is_about(words, form)]
            if any(len(form) > 1 or form == self.content(words) for form in about):
                exact.append(name)
            elif about:
                similar.append(name)
        yield from exact or similar

    def counter_forms(self, name: str) -> set[Key]:
        """Return what a counter is called, in all languages."""
        counter = self.state.game.names.counters[name]
        return {words_of(name), *map(words_of, counter.text.values())} - {()}

    def is_about(self, words: Key, form: Key) -> bool:
        """Whether words are just the name of a counter, but for grammar and players."""
        if len(form) > 1:
            for i in range(len(words) - len(form) + 1):
                if words[i : i + len(form)] == form:
                    return not self.content(words[:i] + words[i + len(form) :])
            return False
        content = self.content(words) or (words if len(words) == 1 else ())
        return len(content) == 1 and any(
            alike(word, form[0]) for word in (content[0], *SYNONYMS.get(content[0], ()))
        )

    def content(self, words: Key) -> Key:
        """Return the words that are neither grammar nor players."""
        return tuple(word for word in words if word not in GRAMMAR and (word,) not in self.players)


def keys_of(state: State, option: Option) -> set[Key]:
    """Return the names of an option, in all languages and with players' own names."""
    speakers = [state.speaker(language) for language in LANGUAGES]
    texts = {option.label, *option.text.values(), *(one.option(option) for one in speakers)}
    return {key for text in texts if (key := words_of(text)) and not set(key) <= GRAMMAR}


def ownerless_keys(state: State, option: Option) -> set[Key]:
    """Return the names of a piece made for a player, without the player."""
    if option.kind != "piece":
        return set()
    owner = list(state.game.names.pieces.values())[option.number].owner
    if not NOBODY < owner < state.players:
        return set()
    called = {f"p{owner + 1}", f"p{owner + 1}s", "s", "of", "von"}
    texts = (option.label, *option.text.values())
    return {tuple(word for word in words_of(text) if word not in called) for text in texts} - {()}


def player_keys(names: tuple[str, ...]) -> dict[Key, int]:
    """Return what players are called: by name, also in the genitive, and by number."""
    players = {words_of(name): i for i, name in enumerate(names)}
    for i, name in enumerate(names):
        players.setdefault((f"p{i + 1}",), i)
        players.setdefault(words_of(f"{name}s"), i)
    return players


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


def same_form(word: str, other: str) -> bool:
    """Whether two words are the same but for their endings.

    >>> same_form("witches", "witch"), same_form("grünen", "grüner"), same_form("which", "witch")
    (True, True, False)
    """
    return stem(word) == stem(other)
