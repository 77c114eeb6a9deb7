"""Texts of a pack in one language, and their words, without what people do not care about."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

WORD = re.compile(r"\w+")
SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def in_words(text: Any, language: str) -> str:
    """Return a text of a pack in a language, or in English, or in whatever there is."""
    if isinstance(text, Mapping):
        return str(text.get(language) or text.get("en") or next(iter(text.values()), ""))
    return str(text)


def spellings(text: str) -> frozenset[str]:
    """Return how a word may be typed: in small letters, its umlauts spelt out or left out.

    >>> sorted(spellings("Tränke")), sorted(spellings("Straße"))
    (['traenke', 'tranke'], ['strasse'])
    """
    small = unicodedata.normalize("NFC", text.casefold())
    bare = unicodedata.normalize("NFD", small)
    bare = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return frozenset((small.translate(SPELT_OUT), bare))


def words_in(text: str) -> list[str]:
    """Return the words of a text, as they stand."""
    return WORD.findall(text.replace("_", " "))


def begins(word: str, wanted: str) -> bool:
    """Whether a word begins with another, as compounds and inflected words do.

    Numbers are alike only as a whole.

    >>> begins("Trankwolke", "trank"), begins("Tränke", "Trank"), begins("50", "5")
    (True, True, False)
    """
    if wanted.isdecimal():
        return word == wanted
    return any(one.startswith(tuple(spellings(wanted))) for one in spellings(word))


def same(word: str, other: str) -> bool:
    """Whether two words are spelt alike.

    >>> same("hugel", "Hügel"), same("Huegel", "Hügel"), same("Hügel", "Hügels")
    (True, True, False)
    """
    return bool(spellings(word) & spellings(other))


def spelt(name: str) -> frozenset[str]:
    """Return how a name of several words may be typed, without caring how they are joined.

    >>> spelt("Forest-Witch") == spelt("forest_witch ")
    True
    """
    return spellings("_".join(WORD.findall(name.replace("_", " "))))


def all_texts(text: Any) -> Iterator[str]:
    """Return a text of a pack in every language that it has."""
    if isinstance(text, Mapping):
        yield from map(str, text.values())
    else:
        yield str(text)
