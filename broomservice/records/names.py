"""What a written move means: leniently, by any name that people use for an option."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from broomservice.core.errors import RuleError
from broomservice.game import plain
from broomservice.pack.problems import likely
from broomservice.render import in_language

if TYPE_CHECKING:
    from broomservice.option import Option
    from broomservice.state import State

LIKE, SHORTEST = 0.8, 5
NO_ANSWER = ("next", "no", "nein", "passe", "verzichten", "verzichtet", "-", "–", "—")
BESIDE = re.compile(r"\s*\([^()]*\)\s*\Z")
NUMBER = re.compile(r"\d+")
LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
BEFORE_NUMBER = re.compile(r"(?<=[^\W\d_])_(?=\d)")


@attrs.frozen
class Meaning:
    """What a text means: an option (-1: none), whether it was misspelt, or what it may mean."""

    option: int = -1
    misspelt: bool = False
    hint: str = ""
    candidates: tuple[str, ...] = ()


def key_of(text: str) -> str:
    """Return a name without the differences that people do not care about.

    >>> key_of("Cloud 03"), key_of("cloud_3"), key_of("T07"), key_of("t 7")
    ('cloud3', 'cloud3', 't7', 't7')
    """
    key = LEADING_ZEROS.sub("", plain(text))
    return BEFORE_NUMBER.sub("", key) or text.strip()


def keys_of(text: str) -> Iterator[str]:
    """Return a name as a key, and without what is printed behind it in parentheses."""
    yield key_of(text)
    yield key_of(BESIDE.sub("", text))


def open_number(text: str) -> int | None:
    """Return the number in `#3`, the third of the open options; None for other texts."""
    return int(text[1:]) if text.startswith("#") and text[1:].isdecimal() else None


@attrs.define(slots=False)
class Spellings:
    """The names of all options of a game among these players."""

    state: State
    languages: tuple[str, ...] = ("en", "de")

    @cached_property
    def of(self) -> dict[int, frozenset[str]]:
        """The spellings of each option, without the differences that people do not care about."""
        result = {
            option.id: frozenset(key for text in self.texts(option) for key in keys_of(text))
            for option in self.state.game.options
            if option.kind != "player" or option.number < self.state.players
        }
        known = {key for keys in result.values() for key in keys}
        for option in self.state.game.options:
            if option.id in result:
                more = map(key_of, self.more_texts(option))
                result[option.id] |= frozenset(key for key in more if key not in known)
        return result

    def texts(self, option: Option) -> set[str]:
        """Return what an option is called."""
        speakers = [self.state.speaker(language) for language in self.languages]
        own = {option.label, *option.text.values()}
        return own | {speaker.option(option) for speaker in speakers}

    def more_texts(self, option: Option) -> Iterator[str]:
        """Return what people say too where nothing else is called so.

        Passing has several words; a site that is called t25 is the tower 25.
        """
        if option.kind == "pass":
            yield from NO_ANSWER
        elif option.kind == "site":
            sort = self.state.game.names.site_kinds[self.kinds[option.number]]
            numbers = NUMBER.findall(option.label)
            if len(numbers) == 1:
                yield from (f"{name} {numbers[0]}" for name in {sort.name, *sort.text.values()})

    @cached_property
    def kinds(self) -> list[str]:
        """The sort of each site."""
        return [site.kind for site in self.state.game.names.sites.values()]

    @cached_property
    def meant(self) -> dict[str, list[int]]:
        """The options of each spelling."""
        result: dict[str, list[int]] = {}
        for option, spellings in self.of.items():
            for spelling in sorted(spellings):
                result.setdefault(spelling, []).append(option)
        return result

    def means(self, text: str, option: int) -> bool:
        """Whether a text names an option."""
        return key_of(text) in self.of.get(option, ())

    def options(self, text: str) -> list[int]:
        """Return all options that a text may mean."""
        return self.meant.get(key_of(text), [])

    def read(self, state: State, text: str) -> Meaning:
        """Return what a text means where these options are open."""
        exact = state.game.labels.get(text)
        if exact is not None and exact.id in state.option_ids:
            return Meaning(exact.id)
        number = open_number(text)
        if number is not None:
            open_ = state.option_ids
            return Meaning(open_[number - 1]) if 1 <= number <= len(open_) else Meaning()
        found = self.options(text)
        best = [option for option in found if option in state.option_ids]
        kinds = {state.game.options[option].kind for option in state.option_ids}
        best = best or [one for one in found if state.game.options[one].kind in kinds] or found
        if len(best) == 1 or exact is not None:
            return Meaning(exact.id if exact is not None and exact.id in best else best[0])
        if best:
            return Meaning(candidates=tuple(state.game.options[one].label for one in best))
        return self.guessed(state, text)

    def guessed(self, state: State, text: str) -> Meaning:
        """Return what a misspelt text probably means; numbers are taken as they are."""
        wanted = key_of(text)
        open_ = [spelling for one in state.option_ids for spelling in self.of.get(one, ())]
        for known in (open_, list(self.meant)):
            hint = near(wanted, known)
            if hint:
                option = next(
                    (one for one in state.option_ids if hint in self.of.get(one, ())),
                    self.meant[hint][0],
                )
                label = state.game.options[option].label
                close = difflib.SequenceMatcher(None, wanted, hint).ratio() >= LIKE
                sure = close and len(hint) >= SHORTEST
                return Meaning(option if sure else -1, sure, label)
        return Meaning()

    def suggestion(self, state: State, text: str, option: int) -> str:
        """Return what was probably meant by the name of an option that is not open.

        The one open option whose name has these words in it, or the one alternative that comes
        first, with the name behind it; an empty text if there is no such one.
        """
        words = f"_{plain(text)}_"
        longer = {
            one: name
            for one in reversed(state.option_ids)
            for language in reversed(self.languages)
            if words in f"_{plain(name := in_language(state.game.options[one].text, language))}_"
        }
        if longer:
            return next(iter(longer.values())) if len(longer) == 1 else ""
        first = [one for one in state.option_ids if self.opens(state, one, option)]
        if len(first) != 1:
            return ""
        return f"{in_language(state.game.options[first[0]].text, self.languages[0])}, {text}"

    def opens(self, state: State, first: int, option: int) -> bool:
        """Whether an option is open to the same player after one of the alternatives."""
        if state.game.options[first].kind != "label" or state.player < 0:
            return False
        after = state.copy()
        try:
            after.play_in_place(first)
        except RuleError:
            return False
        return after.player == state.player and option in after.option_ids


def near(text: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant; it has the same numbers in it.

    >>> near("valey_druid", ["valley_druid"]), near("t99", ["t09", "t19", "99"])
    ('valley_druid', '')
    """
    pattern = numbers_in(text)
    return likely(text, [name for name in known if numbers_in(name) == pattern])


def numbers_in(text: str) -> tuple[list[str], bool]:
    """Return the numbers in a text, and whether there is anything else in it."""
    return NUMBER.findall(text), text.strip().isdecimal()


def player_named(text: str, names: tuple[str, ...]) -> tuple[int, str]:
    """Return the index of a player (-2 for chance, -1 for nobody), and the name if misspelt."""
    wanted = text.strip().casefold()
    known = {f"p{i + 1}": i for i in range(len(names))}
    known |= {name.strip().casefold(): i for i, name in enumerate(names)}
    known |= {"chance": -2, "zufall": -2}
    if wanted in known:
        return known[wanted], ""
    hint = near(wanted, known)
    index = known.get(hint, -1)
    return index, "chance" if index == -2 else names[index] if index >= 0 else ""
