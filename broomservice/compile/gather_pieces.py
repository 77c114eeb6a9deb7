"""Reads the pieces: those of the game document, of the cards documents, and whole series."""

from __future__ import annotations

import itertools
from math import prod
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.things import (
    GAP,
    MAX_PIECES,
    MAX_SERIES,
    PIECE_KEYS,
    SPAN,
    Family,
    PieceKind,
    text_of,
)
from broomservice.compile.types import NUMBER, PLAYER, Type
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place

if TYPE_CHECKING:
    from broomservice.compile.names import Names


@attrs.define
class Pieces:
    """Reads the pieces: those of the game document, of the cards documents, and whole series."""

    names: Names

    def gather_pieces(self) -> None:
        by_family: dict[str, list[tuple[str, Map, Place]]] = {
            name: [] for name in self.names.families
        }
        pieces = self.names.section("pieces")
        for name, node in pieces.items():
            family = str(node.get("family"))
            if family in by_family:
                by_family[family].append((name, node, pieces.key_at(name)))
            else:
                self.names.problems.unknown(
                    node.at("family"),
                    "unknown-family",
                    f"there is no family '{family}'",
                    family,
                    self.names.families,
                )
        for document in self.names.documents.cards:
            family = str(document["cards"])
            if family not in by_family:
                self.names.problems.unknown(
                    document.at("cards"),
                    "unknown-family",
                    f"there is no family '{family}'",
                    family,
                    self.names.families,
                )
                continue
            entries: Map = document.get("entries", Map(document.place))
            for name, node in entries.items():
                by_family[family].append((name, node, entries.key_at(name)))
        for name, family_ in self.names.families.items():
            family_.first = len(self.names.pieces)
            for piece_name, node, place in by_family[name]:
                self.add_pieces(family_, piece_name, node, place)
        for kind in self.names.pieces.values():
            for attribute in self.names.families[kind.family].attributes.values():
                if attribute.name not in kind.series:
                    kind.values[attribute.name] = self.names.attribute_value(
                        kind.node, attribute, kind.place
                    )

    def add_pieces(self, family: Family, name: str, node: Map, place: Place) -> None:
        """Add one piece, or a series of pieces."""
        known = {*PIECE_KEYS, *family.attributes, *family.parts}
        for key in node:
            if key not in known:
                self.names.problems.unknown(
                    node.key_at(key),
                    "unknown-attribute",
                    f"pieces of the family '{family.name}' have no '{key}'",
                    key,
                    known,
                )
        series: Map = node.get("each", Map(place))
        ranges = []
        for key, spec in series.items():
            if key not in family.attributes:
                self.names.problems.unknown(
                    series.key_at(key),
                    "unknown-attribute",
                    f"pieces of the family '{family.name}' have no attribute '{key}'",
                    key,
                    family.attributes,
                )
                return
            ranges.append(self.series_values(spec, family.attributes[key].type, series.at(key)))
        if not self.fills_gaps(node, series):
            return
        if prod(len(values) for values in ranges) + len(self.names.pieces) > MAX_PIECES:
            self.names.problems.add(place, "too-large", f"more than {MAX_PIECES} kinds of pieces")
            return
        for combination in itertools.product(*ranges):
            chosen = dict(zip(series, combination, strict=True))
            self.add_piece(family, name, node, place, chosen)

    def fills_gaps(self, node: Map, series: Map) -> bool:
        """The gaps in the id and the name of a series are filled with what it runs through."""
        texts = [(node.get("id", ""), node.at("id"))]
        name = node.get("name", "")
        if isinstance(name, Map):
            texts += [(text, name.at(language)) for language, text in name.items()]
        else:
            texts.append((name, node.at("name")))
        faultless = True
        for text, place in texts if series else []:
            for gap in GAP.finditer(text):
                if gap[1] not in series and gap[1] not in node:
                    self.names.problems.unknown(
                        place.moved(gap.start(1)),
                        "unknown-attribute",
                        f"'each' does not run through '{gap[1]}'",
                        gap[1],
                        series,
                    )
                    faultless = False
        return faultless

    def add_piece(
        self,
        family: Family,
        name: str,
        node: Map,
        place: Place,
        chosen: dict[str, tuple[int, str]],
    ) -> None:
        shown = {key: text for key, (_, text) in chosen.items()}
        piece_id = filled(str(node["id"]), shown) if chosen and "id" in node else name
        if not self.names.claim(piece_id, place):
            return
        given = {
            key: str(node[key]) for key in family.attributes if isinstance(node.get(key), int | str)
        }
        text = {
            language: filled(sentence, self.series_texts({**given, **shown}, language))
            for language, sentence in text_of(node.get("name"), piece_id).items()
        }
        values = {key: number for key, (number, _) in chosen.items()}
        series = {key: (number, family.attributes[key].type) for key, (number, _) in chosen.items()}
        kind = PieceKind(
            len(self.names.pieces), piece_id, text, family.name, values, series, node, place
        )
        kind.owner = next((number for number, type_ in series.values() if type_ == PLAYER), -1)
        self.names.pieces[piece_id] = kind
        family.kinds.append(kind)

    def series_texts(self, shown: dict[str, str], language: str) -> dict[str, str]:
        """Return what the values of a series are called in a language."""
        return {
            key: self.names.word_texts.get(value, {}).get(language, value)
            for key, value in shown.items()
        }

    def series_values(self, spec: Any, type_: Type, place: Place) -> list[tuple[int, str]]:
        """Return the values that one attribute of a series runs through."""
        if type_ == PLAYER:
            return [(i, f"p{i + 1}") for i in range(self.names.most_players)]
        if isinstance(spec, str):
            span = SPAN.match(spec)
            if span and type_ == NUMBER:
                low, high = int(span[1]), int(span[2])
                if high - low >= MAX_SERIES:
                    self.names.problems.add(
                        place,
                        "too-large",
                        f"more than {MAX_SERIES} pieces in one series",
                        got=spec,
                    )
                    return []
                return [(i, str(i)) for i in range(low, high + 1)]
            if type_.kind == "word" and spec == type_.of:
                self.names.searched.add(spec)
                return [(self.names.words[word][0], word) for word in self.names.word_sets[spec]]
        if isinstance(spec, Seq):
            return [
                (self.names.value_number(value, type_, spec.at(i)), str(value))
                for i, value in enumerate(spec)
            ]
        self.names.problems.add(
            place,
            "type-mismatch",
            f"'{spec}' is no series of {type_}",
            got=str(spec),
            expected="a list, the name of a set of words, player, or a span like 1..15",
        )
        return []


def filled(template: str, values: dict[str, str]) -> str:
    """Return a template with its gaps filled.

    >>> filled("{suit}_{value}", {"suit": "red", "value": "7"})
    'red_7'
    """
    for key, value in values.items():
        template = template.replace("{" + key + "}", value)
    return template
