"""The names of a pack: every word, piece, site, place, counter and verb, numbered once."""

from __future__ import annotations

import itertools
import re
from math import prod
from typing import Any

import attrs

from broomservice.compile.types import NUMBER, PLAYER, TRUTH, Type
from broomservice.pack.documents import Documents
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems, Reported, a

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

    # --- gathering ----------------------------------------------------------------------------

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
        self.gather_sites()
        self.gather_pieces()
        self.fill_sites()
        self.gather_values()
        self.gather_counters()
        self.gather_formulas()
        self.gather_verbs()
        self.gather_labels()
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
                self.documents.game.place, "too-large",
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
                place, "name-taken",
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
            (self.families, "a family of pieces"), (self.site_kinds, "a sort of site"),
            (self.word_sets, "a set of words"), (self.verbs, "a verb"),
            (self.announcements, "an announcement"), (self.labels, "a label"),
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
                game.at("board"), "unknown-board", f"there is no board '{name}'", str(name),
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
                    node.at("default"), "wrong-value",
                    f"option {name} is {amount}, outside {low} to {high}",
                    got=str(amount), expected=f"{low} to {high}",
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
        known = [*BUILT_IN_TYPES, *self.section("families"), *self.section("sites"),
                 *self.word_sets, "piece", "place"]
        self.problems.unknown(place, "unknown-type", f"there is no type '{name}'", str(name), known)
        raise Reported

    def is_type(self, name: str) -> bool:
        """Whether a name is that of a type."""
        return (
            name in BUILT_IN_TYPES or name in self.word_sets or name in self.section("families")
            or name in self.section("sites")
        )

    def attributes(self, node: Map) -> dict[str, Attribute]:
        """Return the attributes that a family or a sort of site declares."""
        result: dict[str, Attribute] = {}
        declared: Map = node.get("attributes", Map(node.place))
        for name, spec in declared.items():
            inverse = str(spec.get("inverse", "")) if isinstance(spec, Map) else ""
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
                name, text_of(node.get("name"), name), self.attributes(node),
                {part: self.typed_parameters(spec) for part, spec in parts.items()},
                bool(node.get("personal", False)), node.get("start"), families.key_at(name), node,
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
                    relation, spec["to"], str(spec.get("inverse", "")),
                    bool(spec.get("symmetric", False)),
                )
            self.site_kinds[name] = SiteKind(
                name, text_of(node.get("name"), name), self.attributes(node), relations,
                self.held(node), int(node.get("limit", -1)), str(node.get("sees", "all")),
                bool(node.get("active", False)), node,
            )

    def known_site_kind(self, name: str, place: Place) -> None:
        if name not in self.section("sites"):
            self.problems.unknown(
                place, "unknown-site", f"there is no sort of site '{name}'", name,
                self.section("sites"),
            )

    def held(self, node: Map) -> tuple[str, ...]:
        """Return the families that a place holds."""
        holds: Seq = node.get("holds", Seq(node.place))
        for i, family in enumerate(holds):
            self.used.add(family)
            if family not in self.families:
                self.problems.unknown(
                    holds.at(i), "unknown-family", f"there is no family '{family}'", family,
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
                name, text_of(node.get("name"), name), self.held(node),
                int(node.get("limit", -1)), str(node.get("sees", "all")),
                bool(node.get("active", False)), node.get("per") == "player", node,
                places.key_at(name),
            )

    # --- sites --------------------------------------------------------------------------------

    def gather_sites(self) -> None:
        groups: Map = self.board.get("sites", Map(self.board.place))
        for kind_name in groups:
            if kind_name not in self.site_kinds:
                self.problems.unknown(
                    groups.key_at(kind_name), "unknown-site",
                    f"there is no sort of site '{kind_name}'", kind_name, self.site_kinds,
                )
        for kind_name, kind in self.site_kinds.items():
            kind.first = len(self.sites)
            group: Map = groups.get(kind_name, Map(self.board.place))
            for name, node in group.items():
                if self.claim(name, group.key_at(name)):
                    site = Site(
                        len(self.sites), name, text_of(node.get("name"), name), kind_name,
                        {}, {}, node, group.key_at(name),
                    )
                    self.sites[name] = site
                    kind.sites.append(site)

    def fill_sites(self) -> None:
        """Read what is said of the sites, which may mention any piece or site."""
        for site in self.sites.values():
            self.fill_site(site, self.site_kinds[site.kind])
        self.fill_inverses()

    def fill_site(self, site: Site, kind: SiteKind) -> None:
        """Read a site's attributes and relations."""
        common = {"name", "at", "source", "because"}
        known = {*kind.attributes, *kind.relations, *common}
        for key in site.node:
            if key not in known:
                self.problems.unknown(
                    site.node.key_at(key), "unknown-attribute",
                    f"sites of the sort '{kind.name}' have no attribute '{key}'", key, known,
                )
        for attribute in kind.attributes.values():
            site.values[attribute.name] = self.attribute_value(site.node, attribute, site.place)
        for relation in kind.relations.values():
            members: Any = site.node.get(relation.name, Seq(site.place))
            site.related[relation.name] = []
            if not isinstance(members, Seq):
                self.faulty_relations.add(relation.name)
                self.problems.add(
                    site.node.at(relation.name), "wrong-type",
                    f"'{members}' stands where a list of sites is expected", got=str(members),
                    expected=f"[{members}]",
                )
                continue
            for i, member in enumerate(members):
                other = self.site_named(member, relation.to, members.at(i))
                if other is None:
                    self.faulty_relations.add(relation.name)
                else:
                    site.related[relation.name].append(other)

    def site_named(self, name: Any, kind: str, place: Place) -> int | None:
        """Return the number of a site of a sort."""
        site = self.sites.get(str(name))
        if site is None or site.kind != kind:
            known = [one.id for one in self.site_kinds[kind].sites] if kind in self.site_kinds else []
            self.problems.unknown(
                place, "unknown-site", f"there is no {kind} '{name}'", str(name), known
            )
            return None
        return site.number

    def fill_inverses(self) -> None:
        """Complete symmetric relations and those that are read from the other end."""
        for kind in self.site_kinds.values():
            for relation in kind.relations.values():
                if relation.symmetric:
                    self.mirror(kind, relation)
                elif relation.inverse:
                    for site in kind.sites:
                        for other in site.related[relation.name]:
                            self.add_inverse(other, relation.inverse, site.number)
            for attribute in kind.attributes.values():
                if attribute.inverse:
                    for site in kind.sites:
                        if site.values[attribute.name] >= 0:
                            self.add_inverse(
                                site.values[attribute.name], attribute.inverse, site.number
                            )
        for site in self.sites.values():
            for name in site.related:
                site.related[name] = sorted(set(site.related[name]))

    def mirror(self, kind: SiteKind, relation: Relation) -> None:
        """Each link of a symmetric relation is written once and holds both ways."""
        sites = list(self.sites.values())
        written: set[tuple[int, int]] = set()
        for site in kind.sites:
            for other in list(site.related[relation.name]):
                if other == site.number or (other, site.number) in written:
                    members = site.node[relation.name]
                    self.problems.add(
                        members.at(members.index(sites[other].id)), "asymmetric-relation",
                        f"{site.id} and {sites[other].id}: write a link of '{relation.name}' "
                        "once, between two sites",
                        got=sites[other].id,
                    )
                written.add((site.number, other))
        for one, two in written:
            sites[two].related[relation.name].append(one)

    def add_inverse(self, site_number: int, name: str, other: int) -> None:
        site = list(self.sites.values())[site_number]
        site.related.setdefault(name, []).append(other)

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
                place, "unknown-word", f"'{value}' is no {type_.of}", value,
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
            place, "type-mismatch", f"'{value}' stands where {a(type_)} is wanted",
            got=str(value), expected=str(type_),
        )
        return 0

    # --- pieces -------------------------------------------------------------------------------

    def gather_pieces(self) -> None:
        by_family: dict[str, list[tuple[str, Map, Place]]] = {name: [] for name in self.families}
        pieces = self.section("pieces")
        for name, node in pieces.items():
            family = str(node.get("family"))
            if family in by_family:
                by_family[family].append((name, node, pieces.key_at(name)))
            else:
                self.problems.unknown(
                    node.at("family"), "unknown-family", f"there is no family '{family}'", family,
                    self.families,
                )
        for document in self.documents.cards:
            family = str(document["cards"])
            if family not in by_family:
                self.problems.unknown(
                    document.at("cards"), "unknown-family", f"there is no family '{family}'",
                    family, self.families,
                )
                continue
            entries: Map = document.get("entries", Map(document.place))
            for name, node in entries.items():
                by_family[family].append((name, node, entries.key_at(name)))
        for name, family_ in self.families.items():
            family_.first = len(self.pieces)
            for piece_name, node, place in by_family[name]:
                self.add_pieces(family_, piece_name, node, place)
        for kind in self.pieces.values():
            for attribute in self.families[kind.family].attributes.values():
                if attribute.name not in kind.series:
                    kind.values[attribute.name] = self.attribute_value(
                        kind.node, attribute, kind.place
                    )

    def add_pieces(self, family: Family, name: str, node: Map, place: Place) -> None:
        """Add one piece, or a series of pieces."""
        known = {*PIECE_KEYS, *family.attributes, *family.parts}
        for key in node:
            if key not in known:
                self.problems.unknown(
                    node.key_at(key), "unknown-attribute",
                    f"pieces of the family '{family.name}' have no '{key}'", key, known,
                )
        series: Map = node.get("each", Map(place))
        ranges = []
        for key, spec in series.items():
            if key not in family.attributes:
                self.problems.unknown(
                    series.key_at(key), "unknown-attribute",
                    f"pieces of the family '{family.name}' have no attribute '{key}'", key,
                    family.attributes,
                )
                return
            ranges.append(self.series_values(spec, family.attributes[key].type, series.at(key)))
        if not self.fills_gaps(node, series):
            return
        if prod(len(values) for values in ranges) + len(self.pieces) > MAX_PIECES:
            self.problems.add(place, "too-large", f"more than {MAX_PIECES} kinds of pieces")
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
                if gap[1] not in series:
                    self.problems.unknown(
                        place.moved(gap.start(1)), "unknown-attribute",
                        f"'each' does not run through '{gap[1]}'", gap[1], series,
                    )
                    faultless = False
        return faultless

    def add_piece(
        self, family: Family, name: str, node: Map, place: Place,
        chosen: dict[str, tuple[int, str]],
    ) -> None:
        shown = {key: text for key, (_, text) in chosen.items()}
        piece_id = filled(str(node["id"]), shown) if chosen and "id" in node else name
        if not self.claim(piece_id, place):
            return
        text = {
            language: filled(sentence, self.series_texts(shown, language))
            for language, sentence in text_of(node.get("name"), piece_id).items()
        }
        values = {key: number for key, (number, _) in chosen.items()}
        series = {
            key: (number, family.attributes[key].type) for key, (number, _) in chosen.items()
        }
        kind = PieceKind(
            len(self.pieces), piece_id, text, family.name, values, series, node, place
        )
        kind.owner = next(
            (number for number, type_ in series.values() if type_ == PLAYER), -1
        )
        self.pieces[piece_id] = kind
        family.kinds.append(kind)

    def series_texts(self, shown: dict[str, str], language: str) -> dict[str, str]:
        """Return what the values of a series are called in a language."""
        return {
            key: self.word_texts.get(value, {}).get(language, value)
            for key, value in shown.items()
        }

    def series_values(self, spec: Any, type_: Type, place: Place) -> list[tuple[int, str]]:
        """Return the values that one attribute of a series runs through."""
        if type_ == PLAYER:
            return [(i, f"p{i + 1}") for i in range(self.most_players)]
        if isinstance(spec, str):
            span = SPAN.match(spec)
            if span and type_ == NUMBER:
                low, high = int(span[1]), int(span[2])
                if high - low >= MAX_SERIES:
                    self.problems.add(
                        place, "too-large", f"more than {MAX_SERIES} pieces in one series",
                        got=spec,
                    )
                    return []
                return [(i, str(i)) for i in range(low, high + 1)]
            if type_.kind == "word" and spec == type_.of:
                self.searched.add(spec)
                return [(self.words[word][0], word) for word in self.word_sets[spec]]
        if isinstance(spec, Seq):
            return [
                (self.value_number(value, type_, spec.at(i)), str(value))
                for i, value in enumerate(spec)
            ]
        self.problems.add(
            place, "type-mismatch", f"'{spec}' is no series of {type_}", got=str(spec),
            expected="a list, the name of a set of words, player, or a span like 1..15",
        )
        return []

    # --- the rest -----------------------------------------------------------------------------

    def gather_values(self) -> None:
        values = self.section("values")
        for name, node in values.items():
            self.claim(name, values.key_at(name))
            content = node.get("is")
            table = ValueTable(name, None, None, None, values.key_at(name))
            if isinstance(content, Map):
                self.fill_word_table(table, content)
            elif isinstance(content, Seq):
                table.numbers = list(content)
            else:
                table.amount = int(content or 0)
            self.values[name] = table

    def fill_word_table(self, table: ValueTable, content: Map) -> None:
        """Read a table with a number for each word of one set."""
        numbers = [0] * (len(self.words) + 1)
        for word, amount in content.items():
            if word not in self.words:
                self.problems.unknown(
                    content.key_at(word), "unknown-word", f"there is no word '{word}'", word,
                    self.words,
                )
                continue
            number, type_ = self.words[word]
            if table.by_word not in (None, type_):
                self.problems.add(
                    content.key_at(word), "type-mismatch",
                    f"'{word}' is a {type_.of}, the words before it are not", got=word,
                )
            table.by_word = type_
            numbers[number] = amount
        table.numbers = numbers

    def gather_counters(self) -> None:
        counters = self.section("counters")
        for name, node in counters.items():
            self.claim(name, counters.key_at(name))
            try:
                type_ = self.type_named(node.get("holds", "number"), node.at("holds"))
                per = self.type_named(node["per"], node.at("per")) if "per" in node else None
            except Reported:
                self.problems.dropped.add(name)
                continue
            self.counters[name] = Counter(
                name, text_of(node.get("name"), name), type_, per, str(node.get("sees", "all")),
                node, counters.key_at(name),
            )
        self.check_score()

    def check_score(self) -> None:
        """The counter that is scored is a number for each player."""
        game = self.documents.game
        score = game.get("score")
        if score is None:
            return
        counter = self.counters.get(score)
        if counter is None:
            self.problems.unknown(
                game.at("score"), "unknown-counter", f"there is no counter '{score}'", score,
                self.counters,
            )
        elif counter.type != NUMBER or counter.per != PLAYER:
            self.problems.add(
                game.at("score"), "type-mismatch", f"'{score}' is not a number for each player",
                got=score, expected="a counter with 'per: player'",
            )

    def gather_formulas(self) -> None:
        for section, key, target in (
            ("requirements", "holds", self.requirements),
            ("definitions", "is", self.definitions),
        ):
            nodes = self.section(section)
            for signature, node in nodes.items():
                formula = self.formula(signature, node, key, nodes.key_at(signature))
                if formula is not None and self.claim(formula.name, formula.place):
                    target[formula.name] = formula

    def formula(self, signature: str, node: Map, key: str, place: Place) -> Formula | None:
        """Return a requirement or definition: its name and parameters stand in its key."""
        match = SIGNATURE.match(signature)
        if match is None:
            self.problems.add(
                place, "bad-name", f"'{signature}' is not written like name(one, two)",
                got=signature, expected="name(one, two)",
            )
            return None
        written = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
        types = self.typed_parameters(node.get("types", Map(node.place)))
        for parameter in written:
            if parameter not in types and self.is_type(parameter):
                types[parameter] = self.type_named(parameter, place)
        for parameter in written:
            if parameter not in types and parameter not in self.problems.dropped:
                self.problems.add(
                    place, "missing-key", f"'types' does not say what '{parameter}' is",
                    got=parameter, expected=f"types: {{{parameter}: ...}}",
                )
                return None
        for parameter in types:
            if parameter not in written:
                self.problems.unknown(
                    node["types"].key_at(parameter), "unknown-parameter",
                    f"'{match[1]}' has no parameter '{parameter}'", parameter, written,
                )
        if any(parameter not in types for parameter in written):
            self.problems.dropped.add(match[1])
            return None
        sentence = text_of(node["else"], match[1]) if "else" in node else None
        return Formula(
            match[1], {parameter: types[parameter] for parameter in written},
            str(node.get(key, "false")), node.at(key), sentence, node, place,
        )

    def gather_verbs(self) -> None:
        declared = self.section("announcements")
        for name, node in declared.items():
            self.claim(name, declared.key_at(name))
            self.announcements[name] = self.typed_parameters(node)
        self.gather_rules()
        verbs = self.section("verbs")
        for name, node in verbs.items():
            self.claim(name, verbs.key_at(name))
            parameters = self.typed_parameters(node.get("parameters", Map(node.place)))
            self.verbs[name] = Verb(
                name, parameters, node.get("do", Seq(node.place)), node, verbs.key_at(name)
            )

    def gather_rules(self) -> None:
        """House rules have hooks that are always active; one that offers something is a label."""
        rules = self.section("rules")
        for name in rules:
            self.claim(name, rules.key_at(name))

    def gather_labels(self) -> None:
        """Number the labels of all alternatives, whatever their order in the files."""
        found = labels_in(self.documents.game)
        for document in self.documents.cards:
            found |= labels_in(document)
        rules = self.section("rules")
        found |= {name for name, node in rules.items() if "offer" in node}
        for label in sorted(found):
            text = rules[label].get("name") if label in rules else None
            self.labels[label] = text_of(text, label) if text is not None else {}


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


def labels_in(node: Any) -> set[str]:
    """Return the labels of all alternatives inside a part of a pack."""
    found: set[str] = set()
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("either", "any_order") and isinstance(value, dict):
                found |= set(value)
            found |= labels_in(value)
    elif isinstance(node, list):
        for value in node:
            found |= labels_in(value)
    return found


def filled(template: str, values: dict[str, str]) -> str:
    """Return a template with its gaps filled.

    >>> filled("{suit}_{value}", {"suit": "red", "value": "7"})
    'red_7'
    """
    for key, value in values.items():
        template = template.replace("{" + key + "}", value)
    return template
