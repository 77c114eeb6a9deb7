"""The things that names stand for: families, pieces, sites, places, counters, verbs, formulas."""

from __future__ import annotations

import re
from typing import Any

import attrs

from broomservice.compile.types import NUMBER, PLAYER, TRUTH, Type
from broomservice.pack.load import Map
from broomservice.pack.problems import Place

BUILT_IN_TYPES = {"number": NUMBER, "truth": TRUTH, "player": PLAYER}
RESERVED = frozenset(
    "me this here actor none true false player_count player number truth "
    "any all sum count min max best first size piece_in next numbers owner "
    "and or not if else in for is".split()
)
PIECE_KEYS = frozenset(
    "name text family each id start triggers ban offer replace source because".split()
)
MAX_SERIES = 1_000
MAX_PIECES = 2_000
MAX_SITES = 500
MAX_CELLS = 2_000_000
GAP = re.compile(r"\{([^{}]*)\}")
SPAN = re.compile(r"(-?\d+)\.\.(-?\d+)\Z")

Text = dict[str, str]


def text_of(value: Any, fallback: str) -> Text:
    """Return a text by language; a plain string is English."""
    if isinstance(value, dict):
        return {str(key): str(part) for key, part in value.items()}
    return {"en": str(value) if value is not None else fallback}


@attrs.frozen
class Attribute:
    """A property of pieces or sites: its type, and the name by which it is found from the other."""

    name: str
    type: Type
    inverse: str = ""


@attrs.frozen
class Relation:
    """A property with several values, between sites."""

    name: str
    to: str
    inverse: str
    symmetric: bool


@attrs.define
class Family:
    """A named group of pieces; its kinds are numbered without a gap."""

    name: str
    text: Text
    attributes: dict[str, Attribute]
    parts: dict[str, dict[str, Type]]
    personal: bool
    start: Any
    place: Place
    node: Map
    first: int = 0
    kinds: list[PieceKind] = attrs.field(factory=list)


@attrs.define
class PieceKind:
    """A kind of piece: its number, its attributes, and what the pack says of it."""

    number: int
    id: str
    text: Text
    family: str
    values: dict[str, int]
    series: dict[str, tuple[int, Type]]
    node: Map
    place: Place
    owner: int = -1


@attrs.define
class SiteKind:
    """A sort of site; its sites are numbered without a gap."""

    name: str
    text: Text
    attributes: dict[str, Attribute]
    relations: dict[str, Relation]
    holds: tuple[str, ...]
    limit: int
    sees: str
    active: bool
    node: Map
    first: int = 0
    sites: list[Site] = attrs.field(factory=list)


@attrs.define
class Site:
    """A spot of the board."""

    number: int
    id: str
    text: Text
    kind: str
    values: dict[str, int]
    related: dict[str, list[int]]
    node: Map
    place: Place


@attrs.define
class PlaceKind:
    """A place, one for all or one for each player."""

    name: str
    text: Text
    holds: tuple[str, ...]
    limit: int
    sees: str
    active: bool
    per_player: bool
    node: Map
    place: Place


@attrs.define
class Counter:
    """A whole number, or a player, site or piece, for the game or for each of something."""

    name: str
    text: Text
    type: Type
    per: Type | None
    sees: str
    node: Map
    place: Place


@attrs.define
class Verb:
    """A named list of steps with parameters."""

    name: str
    parameters: dict[str, Type]
    steps: Any
    node: Map
    place: Place


@attrs.define
class Formula:
    """A requirement or a definition: a named expression, perhaps with a sentence."""

    name: str
    parameters: dict[str, Type]
    expression: str
    expression_place: Place
    sentence: Text | None
    node: Map
    place: Place


@attrs.define
class ValueTable:
    """A fixed number, a list of numbers, or a number for each word of a set."""

    name: str
    amount: int | None
    numbers: list[int] | None
    by_word: Type | None
    place: Place


SIGNATURE = re.compile(r"([a-z][a-z0-9_]*)(?:\(([a-z0-9_, ]*)\))?\Z")
