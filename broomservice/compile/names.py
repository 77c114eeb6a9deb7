"""The names of a pack: every word, piece, site, place, counter and verb, numbered once."""

from __future__ import annotations

from typing import Any

import attrs

from broomservice.compile.gather_pieces import Pieces
from broomservice.compile.gather_rules import Rules
from broomservice.compile.gather_sites import Sites
from broomservice.compile.things import (
    BUILT_IN_TYPES,
    MAX_CELLS,
    MAX_PIECES,
    MAX_SITES,
    RESERVED,
    Attribute,
    Counter,
    Family,
    Formula,
    PieceKind,
    PlaceKind,
    Relation,
    Site,
    SiteKind,
    Text,
    ValueTable,
    Verb,
    text_of,
)
from broomservice.compile.types import Type
from broomservice.pack.documents import Documents
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems, Reported, a


@attrs.define
class Names:
    """All names of a pack. One name means one thing, wherever it stands."""

    documents: Documents
    problems: Problems
    option_values: dict[str, int]
    board: Map = attrs.field(init=False)
    least_players: int = 2
    most_players: int = 2
    words: dict[str, tuple[int, Type]] = attrs.field(factory=dict)
    word_texts: dict[str, Text] = attrs.field(factory=dict)
    word_sets: dict[str, list[str]] = attrs.field(factory=dict)
    families: dict[str, Family] = attrs.field(factory=dict)
    pieces: dict[str, PieceKind] = attrs.field(factory=dict)
    site_kinds: dict[str, SiteKind] = attrs.field(factory=dict)
    sites: dict[str, Site] = attrs.field(factory=dict)
    places: dict[str, PlaceKind] = attrs.field(factory=dict)
    counters: dict[str, Counter] = attrs.field(factory=dict)
    verbs: dict[str, Verb] = attrs.field(factory=dict)
    requirements: dict[str, Formula] = attrs.field(factory=dict)
    definitions: dict[str, Formula] = attrs.field(factory=dict)
    announcements: dict[str, dict[str, Type]] = attrs.field(factory=dict)
    options: dict[str, int] = attrs.field(factory=dict)
    values: dict[str, ValueTable] = attrs.field(factory=dict)
    labels: dict[str, Text] = attrs.field(factory=dict)
    mentions: dict[str, int] = attrs.field(factory=dict)
    heard: set[str] = attrs.field(factory=set)
    replaced: set[str] = attrs.field(factory=set)
    taken: dict[str, Place] = attrs.field(factory=dict)
    used: set[str] = attrs.field(factory=set)
    searched: set[str] = attrs.field(factory=set)
    faulty_relations: set[str] = attrs.field(factory=set)

    def gather(self) -> None:
        """Read all names; mistakes go to the problems."""
        game = self.documents.game
        players: Map = game["players"]
        self.least_players, self.most_players = players["min"], players["max"]
        if self.least_players > self.most_players:
            self.problems.add(players.at("max"), "wrong-value", "max is below min")
        self.board = self.find_board()
        self.gather_words()
        self.gather_options()
        self.gather_families()
        self.gather_site_kinds()
        self.gather_places()
        Sites(self).gather_sites()
        Pieces(self).gather_pieces()
        Sites(self).fill_sites()
        Rules(self).gather_values()
        Rules(self).gather_counters()
        Rules(self).gather_formulas()
        Rules(self).gather_verbs()
        Rules(self).gather_labels()
        for document in [self.documents.game, *self.documents.cards]:
            mentions_in(document, self.mentions)
            hooked_names(document, "after", self.heard)
            hooked_names(document, "verb", self.replaced)
        self.check_size()

    def check_size(self) -> None:
        """Insist that the position of the game stays small."""
        places = len(self.sites) + len(self.places) * self.most_players
        if len(self.sites) > MAX_SITES or places * len(self.pieces) > MAX_CELLS:
            self.problems.add(
                self.documents.game.place,
                "too-large",
                f"{len(self.pieces)} kinds of pieces, {len(self.sites)} sites and "
                f"{len(self.places)} places are too many",
                expected=f"{MAX_PIECES} kinds of pieces and {MAX_SITES} sites at most",
            )

    def section(self, name: str) -> Map:
        """Return a section of the game document, empty if there is none."""
        section = self.documents.game.get(name)
        return section if isinstance(section, Map) else Map(self.documents.game.place)

    def claim(self, name: str, place: Place) -> bool:
        """Note that a name is taken; report it if it was taken before."""
        if name in RESERVED:
            self.problems.add(place, "name-taken", f"'{name}' is a word of the language", got=name)
            self.problems.dropped.add(name)
            return False
        if name in self.taken:
            first = self.taken[name]
            self.problems.add(
                place,
                "name-taken",
                f"'{name}' already means something: {first.file.rsplit('/', 1)[-1]}:{first.line}",
                got=name,
            )
            self.problems.dropped.add(name)
            return False
        self.taken[name] = place
        return True

    def kind_of(self, name: str) -> str:
        """Return what a name means that is no value, in words; empty if it means nothing."""
        for known, kind in (
            (self.families, "a family of pieces"),
            (self.site_kinds, "a sort of site"),
            (self.word_sets, "a set of words"),
            (self.verbs, "a verb"),
            (self.announcements, "an announcement"),
            (self.labels, "a label"),
            (self.values, "a table of numbers"),
        ):
            if name in known:
                return kind
        return "a type" if name in BUILT_IN_TYPES else ""

    def find_board(self) -> Map:
        """Return the board that is played on, empty if the game has none."""
        game = self.documents.game
        name = game.get("board")
        if name is None:
            return Map(game.place)
        if name not in self.documents.boards:
            self.problems.unknown(
                game.at("board"),
                "unknown-board",
                f"there is no board '{name}'",
                str(name),
                self.documents.boards,
            )
            for board in self.documents.boards.values():
                for sites in board.get("sites", Map(board.place)).values():
                    self.problems.dropped.update(sites)
            return Map(game.place)
        return self.documents.boards[str(name)]

    def gather_words(self) -> None:
        sets = self.section("words")
        for set_name, members in sets.items():
            self.claim(set_name, sets.key_at(set_name))
            self.word_sets[set_name] = []
            for word, text in members.items():
                if self.claim(word, members.key_at(word)):
                    self.words[word] = (len(self.words), Type("word", set_name))
                    self.word_texts[word] = text_of(text, word)
                    self.word_sets[set_name].append(word)

    def gather_options(self) -> None:
        options = self.section("options")
        for name, node in options.items():
            self.claim(name, options.key_at(name))
            amount = self.option_values.get(name, node.get("default", 0))
            low, high = node.get("range", [0, 0])
            if not low <= amount <= high:
                self.problems.add(
                    node.at("default"),
                    "wrong-value",
                    f"option {name} is {amount}, outside {low} to {high}",
                    got=str(amount),
                    expected=f"{low} to {high}",
                )
            self.options[name] = amount
        for name in self.option_values:
            if name not in options:
                self.problems.unknown(
                    Place(), "unknown-option", f"there is no option '{name}'", name, options
                )

    def type_named(self, name: Any, place: Place) -> Type:
        """Return the type of a name: a family, a sort of site, a set of words, or built in."""
        if name in BUILT_IN_TYPES:
            return BUILT_IN_TYPES[name]
        self.used.add(str(name))
        if name in self.section("families"):
            return Type("piece", name)
        if name in self.section("sites"):
            return Type("site", name)
        if name in self.word_sets:
            return Type("word", name)
        if name == "piece":
            return Type("piece")
        if name == "place":
            return Type("place")
        known = [
            *BUILT_IN_TYPES,
            *self.section("families"),
            *self.section("sites"),
            *self.word_sets,
            "piece",
            "place",
        ]
        self.problems.unknown(place, "unknown-type", f"there is no type '{name}'", str(name), known)
        raise Reported

    def is_type(self, name: str) -> bool:
        """Whether a name is that of a type."""
        return (
            name in BUILT_IN_TYPES
            or name in self.word_sets
            or name in self.section("families")
            or name in self.section("sites")
        )

    def attributes(self, node: Map) -> dict[str, Attribute]:
        """Return the attributes that a family or a sort of site declares."""
        result: dict[str, Attribute] = {}
        declared: Map = node.get("attributes", Map(node.place))
        for name, spec in declared.items():
            inverse = str(spec.get("inverse", "")) if isinstance(spec, Map) else ""
            if inverse and node in self.section("families").values():
                self.problems.add(
                    spec.key_at("inverse"),
                    "unknown-key",
                    "only sites are found from the other end",
                    got="inverse",
                )
            wanted = spec["to"] if isinstance(spec, Map) else spec
            try:
                result[name] = Attribute(name, self.type_named(wanted, declared.at(name)), inverse)
            except Reported:
                self.problems.dropped.add(name)
        return result

    def typed_parameters(self, node: Map) -> dict[str, Type]:
        """Return parameters with their types."""
        result: dict[str, Type] = {}
        for name, wanted in node.items():
            try:
                result[name] = self.type_named(wanted, node.at(name))
            except Reported:
                self.problems.dropped.add(name)
        return result

    def gather_families(self) -> None:
        families = self.section("families")
        for name, node in families.items():
            self.claim(name, families.key_at(name))
            parts: Map = node.get("parts", Map(node.place))
            self.families[name] = Family(
                name,
                text_of(node.get("name"), name),
                self.attributes(node),
                {part: self.typed_parameters(spec) for part, spec in parts.items()},
                bool(node.get("personal", False)),
                node.get("start"),
                families.key_at(name),
                node,
            )

    def gather_site_kinds(self) -> None:
        kinds = self.section("sites")
        for name, node in kinds.items():
            self.claim(name, kinds.key_at(name))
            relations: dict[str, Relation] = {}
            declared: Map = node.get("relations", Map(node.place))
            for relation, spec in declared.items():
                self.known_site_kind(spec["to"], spec.at("to"))
                relations[relation] = Relation(
                    relation,
                    spec["to"],
                    str(spec.get("inverse", "")),
                    bool(spec.get("symmetric", False)),
                )
            self.site_kinds[name] = SiteKind(
                name,
                text_of(node.get("name"), name),
                self.attributes(node),
                relations,
                self.held(node),
                int(node.get("limit", -1)),
                str(node.get("sees", "all")),
                bool(node.get("active", False)),
                node,
            )

    def known_site_kind(self, name: str, place: Place) -> None:
        if name not in self.section("sites"):
            self.problems.unknown(
                place,
                "unknown-site",
                f"there is no sort of site '{name}'",
                name,
                self.section("sites"),
            )

    def held(self, node: Map) -> tuple[str, ...]:
        """Return the families that a place holds."""
        holds: Seq = node.get("holds", Seq(node.place))
        for i, family in enumerate(holds):
            self.used.add(family)
            if family not in self.families:
                self.problems.unknown(
                    holds.at(i),
                    "unknown-family",
                    f"there is no family '{family}'",
                    family,
                    self.families,
                )
        if any(family not in self.families for family in holds):
            return tuple(self.families)
        return tuple(holds)

    def gather_places(self) -> None:
        places = self.section("places")
        for name, node in places.items():
            self.claim(name, places.key_at(name))
            self.places[name] = PlaceKind(
                name,
                text_of(node.get("name"), name),
                self.held(node),
                int(node.get("limit", -1)),
                str(node.get("sees", "all")),
                bool(node.get("active", False)),
                node.get("per") == "player",
                node,
                places.key_at(name),
            )

    def site_named(self, name: Any, kind: str, place: Place) -> int | None:
        """Return the number of a site of a sort."""
        site = self.sites.get(str(name))
        if site is None or site.kind != kind:
            known = (
                [one.id for one in self.site_kinds[kind].sites] if kind in self.site_kinds else []
            )
            self.problems.unknown(
                place, "unknown-site", f"there is no {kind} '{name}'", str(name), known
            )
            return None
        return site.number

    def relation_to(self, kind: str, name: str) -> str | None:
        """Return the sort of site that a relation leads to, also one read backwards."""
        own = self.site_kinds[kind]
        if name in own.relations:
            return own.relations[name].to
        for other in self.site_kinds.values():
            for relation in other.relations.values():
                if relation.inverse == name and relation.to == kind:
                    return other.name
            for attribute in other.attributes.values():
                if attribute.inverse == name and attribute.type == Type("site", kind):
                    return other.name
        return None

    def attribute_value(self, node: Map, attribute: Attribute, place: Place) -> int:
        """Return an attribute's value as a number; nothing (or 0) if it is not given."""
        if attribute.name not in node:
            return 0 if attribute.type.kind in ("number", "truth") else -1
        return self.value_number(node[attribute.name], attribute.type, node.at(attribute.name))

    def value_number(self, value: Any, type_: Type, place: Place) -> int:
        """Return the number of a value written in a pack."""
        if type_.kind == "number" and isinstance(value, int) and not isinstance(value, bool):
            return value
        if type_.kind == "truth" and isinstance(value, bool):
            return int(value)
        if type_.kind == "word" and isinstance(value, str):
            if value in self.words and self.words[value][1] == type_:
                self.used.add(value)
                return self.words[value][0]
            self.problems.unknown(
                place,
                "unknown-word",
                f"'{value}' is no {type_.of}",
                value,
                self.word_sets[type_.of],
            )
            return -1
        if type_.kind == "site" and isinstance(value, str):
            number = self.site_named(value, type_.of, place)
            return -1 if number is None else number
        if type_.kind == "piece" and isinstance(value, str):
            if value in self.pieces:
                return self.pieces[value].number
            self.problems.unknown(
                place, "unknown-piece", f"there is no piece '{value}'", value, self.pieces
            )
            return -1
        self.problems.add(
            place,
            "type-mismatch",
            f"'{value}' stands where {a(type_)} is wanted",
            got=str(value),
            expected=str(type_),
        )
        return 0


def mentions_in(node: Any, found: dict[str, int]) -> None:
    """Count how often each key or plain step stands inside a part of a pack."""
    if isinstance(node, dict):
        for key, value in node.items():
            found[key] = found.get(key, 0) + 1
            mentions_in(value, found)
    elif isinstance(node, list):
        for value in node:
            if isinstance(value, str):
                found[value] = found.get(value, 0) + 1
            mentions_in(value, found)


def hooked_names(node: Any, key: str, found: set[str]) -> None:
    """Collect the names that hooks give under a key: `after` an announcement, `verb`."""
    if isinstance(node, dict):
        if isinstance(node.get(key), str):
            found.add(node[key])
        for value in node.values():
            hooked_names(value, key, found)
    elif isinstance(node, list):
        for value in node:
            hooked_names(value, key, found)
