"""What a written move means: leniently, by any name that people use for an option."""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from broomservice.game import plain
from broomservice.pack.problems import likely

if TYPE_CHECKING:
    from broomservice.state import State

LIKE, SHORTEST = 0.8, 5


@attrs.frozen
class Meaning:
    """What a text means: an option (-1: none), whether it was misspelt, or what it may mean."""

    option: int = -1
    misspelt: bool = False
    hint: str = ""
    candidates: tuple[str, ...] = ()


@attrs.define(slots=False)
class Spellings:
    """The names of all options of a game among these players."""

    state: State
    languages: tuple[str, ...] = ("en", "de")

    @cached_property
    def of(self) -> dict[int, frozenset[str]]:
        """The spellings of each option, without the differences that people do not care about."""
        speakers = [self.state.speaker(language) for language in self.languages]
        result: dict[int, frozenset[str]] = {}
        for option in self.state.game.options:
            if option.kind == "player" and option.number >= self.state.players:
                continue
            texts = {option.label, *option.text.values()}
            texts |= {speaker.option(option) for speaker in speakers}
            result[option.id] = frozenset(map(plain, texts))
        return result

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
        return plain(text) in self.of.get(option, ())

    def options(self, text: str) -> list[int]:
        """Return all options that a text may mean."""
        return self.meant.get(plain(text), [])

    def read(self, state: State, text: str) -> Meaning:
        """Return what a text means where these options are open."""
        exact = state.game.labels.get(text)
        if exact is not None and exact.id in state.option_ids:
            return Meaning(exact.id)
        if text.startswith("#") and text[1:].isdecimal():
            number = int(text[1:])
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
        """Return what a misspelt text probably means."""
        open_ = [spelling for one in state.option_ids for spelling in self.of.get(one, ())]
        for known in (open_, list(self.meant)):
            hint = likely(plain(text), known)
            if hint:
                option = next(
                    (one for one in state.option_ids if hint in self.of.get(one, ())),
                    self.meant[hint][0],
                )
                label = state.game.options[option].label
                close = difflib.SequenceMatcher(None, plain(text), hint).ratio() >= LIKE
                sure = close and len(hint) >= SHORTEST
                return Meaning(option if sure else -1, sure, label)
        return Meaning()


def player_named(text: str, names: tuple[str, ...]) -> tuple[int, str]:
    """Return the index of a player (-2 for chance, -1 for nobody), and the name if misspelt."""
    wanted = text.strip().casefold()
    known = {f"p{i + 1}": i for i in range(len(names))}
    known |= {name.strip().casefold(): i for i, name in enumerate(names)}
    known |= {"chance": -2, "zufall": -2}
    if wanted in known:
        return known[wanted], ""
    hint = likely(wanted, known)
    index = known.get(hint, -1)
    return index, "chance" if index == -2 else names[index] if index >= 0 else ""
