"""Checks of a pack beyond its schema and its names: boards, and what is defined and never used.

What a variant makes idle is no mistake (a house rule may well take out the only card that scores
by a table), so with variants only the names that they add themselves must be used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from broomservice.compile.compiler import Compiler
from broomservice.compile.names import Names
from broomservice.compile.things import PieceKind, Site, SiteKind
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems, likely

TOKEN = re.compile(r"[a-z][a-z0-9_]*")


def lint(compiler: Compiler) -> None:
    """Note the mistakes of a pack that neither its schema nor its names show.

    The compiler must have checked the pack before, so that it knows which names are used.
    """
    names, problems = compiler.names, compiler.problems
    Board(names, problems).check()
    Needs(names, problems).check()
    check_variant_names(names, problems)
    check_silent_announcements(names, problems)
    Unused(compiler).check()


# --- boards ---------------------------------------------------------------------------------------


@attrs.frozen
class Board:
    """Checks the board that is played on: it is whole, and has as many sites as the box."""

    names: Names
    problems: Problems

    def check(self) -> None:
        """Note every mistake of the board."""
        self.check_counts()
        for kind in self.names.site_kinds.values():
            self.check_connected(kind)

    def check_counts(self) -> None:
        """Each sort of site occurs as often as `counts` says."""
        counts = self.names.board.get("counts")
        if not isinstance(counts, Map):
            return
        for name, wanted in counts.items():
            kind = self.names.site_kinds.get(name)
            if kind is None:
                self.problems.unknown(
                    counts.key_at(name),
                    "unknown-site",
                    f"there is no sort of site '{name}'",
                    name,
                    self.names.site_kinds,
                )
            elif len(kind.sites) != wanted and not dropped_sites(kind, self.problems):
                self.problems.add(
                    counts.at(name),
                    "wrong-count",
                    f"the board has {len(kind.sites)} x {name}, not {wanted}",
                    got=str(len(kind.sites)),
                    expected=str(wanted),
                )
        for name, kind in self.names.site_kinds.items():
            if kind.sites and name not in counts:
                self.problems.add(
                    self.names.board.at("counts"),
                    "missing-key",
                    f"'counts' does not say how many {name} there are",
                    expected=name,
                )

    def check_connected(self, kind: SiteKind) -> None:
        """All sites of a sort hang together over the relation that `connected` names."""
        relation = kind.node.get("connected")
        if relation is None or relation in self.names.faulty_relations:
            return
        if self.names.relation_to(kind.name, relation) != kind.name:
            own = [one.name for one in kind.relations.values() if one.to == kind.name]
            self.problems.unknown(
                kind.node.at("connected"),
                "unknown-attribute",
                f"'{relation}' is no relation from {kind.name} to {kind.name}",
                relation,
                own,
            )
            return
        cut_off = [site for site in kind.sites if site.number not in reached(kind, relation)]
        for site in cut_off:
            self.problems.add(
                site.place,
                "cut-off",
                f"no way leads from '{kind.sites[0].id}' to '{site.id}' over '{relation}'",
                got=site.id,
            )


def dropped_sites(kind: SiteKind, problems: Problems) -> bool:
    """Whether sites of a sort may be missing because of other mistakes."""
    return kind.name in problems.dropped


def reached(kind: SiteKind, relation: str) -> set[int]:
    """Return the sites that can be reached from the first one, in either direction."""
    ways: dict[int, set[int]] = {site.number: set() for site in kind.sites}
    for site in kind.sites:
        for other in site.related.get(relation, []):
            ways[site.number].add(other)
            ways[other].add(site.number)
    waiting = [kind.sites[0].number] if kind.sites else []
    found: set[int] = set(waiting)
    while waiting:
        for other in ways[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


@attrs.frozen
class Needs:
    """Checks that sites and pieces have what their sort or family says they need."""

    names: Names
    problems: Problems

    def check(self) -> None:
        """Note every attribute and relation that is needed and not given."""
        for kind in self.names.site_kinds.values():
            known = {*kind.attributes, *kind.relations, *self.inverses(kind)}
            for name in self.needed(kind.node, known, kind.name):
                for site in kind.sites:
                    self.check_thing(site, name, site.related)
            self.check_coordinates(kind)
        for family in self.names.families.values():
            for name in self.needed(family.node, set(family.attributes), family.name):
                for piece in family.kinds:
                    self.check_thing(piece, name, {})

    def check_coordinates(self, kind: SiteKind) -> None:
        """Either all sites of a sort say where they stand in pictures, or none."""
        lacking = [site for site in kind.sites if "at" not in site.node]
        if "at" in self.problems.dropped or len(lacking) == len(kind.sites):
            return
        for site in lacking:
            self.problems.add(
                site.place,
                "missing-need",
                f"'{site.id}' needs 'at', as other sites of the sort '{kind.name}' have it",
                got=site.id,
                expected="at: [x, y]",
            )

    def inverses(self, kind: SiteKind) -> set[str]:
        """Return the relations of a sort of site that others declare."""
        return {name for site in kind.sites for name in site.related}

    def needed(self, node: Map, known: set[str], owner: str) -> Iterator[str]:
        """Return what a sort or a family needs; names of nothing are noted."""
        needs = node.get("needs", Seq(node.place))
        for i, name in enumerate(needs):
            if name in known:
                yield name
            else:
                self.problems.unknown(
                    needs.at(i),
                    "unknown-attribute",
                    f"a {owner} has no attribute '{name}'",
                    name,
                    known,
                )

    def check_thing(
        self, thing: Site | PieceKind, name: str, related: Mapping[str, list[int]]
    ) -> None:
        """Note that a site or a piece lacks what it needs."""
        if related.get(name) or name in self.problems.dropped | self.names.faulty_relations:
            return
        written = name in thing.values and (
            name in thing.node or (isinstance(thing, PieceKind) and name in thing.series)
        )
        if not written:
            self.problems.add(
                thing.place,
                "missing-need",
                f"'{thing.id}' needs '{name}'",
                got=thing.id,
                expected=f"{name}: ...",
            )


def check_variant_names(names: Names, problems: Problems) -> None:
    """The variants that single rules belong to, or that others and boards mention, are there."""
    documents = names.documents
    for node in (*documents.variants.values(), *documents.boards.values()):
        for key in ("needs", "excludes", "follows"):
            others = node.get(key, Seq(node.place))
            for i, other in enumerate(others):
                if other not in documents.variants:
                    problems.unknown(
                        others.at(i),
                        "unknown-variant",
                        f"there is no variant '{other}'",
                        other,
                        documents.variants,
                    )
    if documents.rules is None or not documents.variants:
        return
    for node in documents.rules.get("statements", {}).values():
        variant = node.get("variant")
        if variant is not None and variant not in documents.variants:
            problems.unknown(
                node.at("variant"),
                "unknown-variant",
                f"there is no variant '{variant}'",
                variant,
                documents.variants,
            )


# --- announcements --------------------------------------------------------------------------------


def check_silent_announcements(names: Names, problems: Problems) -> None:
    """A trigger that waits for what nothing announces would never run."""
    announced = announced_in(names.documents.game)
    for document in names.documents.cards:
        announced |= announced_in(document)
    nodes = [kind.node for kind in names.pieces.values()]
    for node in [*nodes, *names.section("rules").values()]:
        for trigger in node.get("triggers", ()):
            name = str(trigger["after"])
            if name in names.announcements and name not in announced:
                problems.add(
                    trigger.at("after"),
                    "never-announced",
                    f"no step announces '{name}', so this never happens",
                    got=name,
                    expected=f"announce: {name}",
                    hint=likely(name, announced),
                )


def announced_in(node: Any) -> set[str]:
    """Return the announcements that steps inside a part of a pack make."""
    if isinstance(node, list):
        return {name for value in node for name in announced_in(value)}
    if not isinstance(node, dict):
        return set()
    found = {name for value in node.values() for name in announced_in(value)}
    content = node.get("announce")
    if isinstance(content, str):
        found.add(content)
    elif isinstance(content, dict):
        found.update(content)
    return found


# --- unused ---------------------------------------------------------------------------------------


@attrs.define
class Unused:
    """Finds what a pack defines and never uses."""

    compiler: Compiler
    counted: Counter[str] = attrs.field(factory=Counter)
    hinted: set[str] = attrs.field(factory=set)
    added_in: set[str] = attrs.field(factory=set)

    @property
    def names(self) -> Names:
        return self.compiler.names

    def check(self) -> None:
        """Note everything that is defined and never used."""
        documents, problems = self.names.documents, self.compiler.problems
        if problems.errors:
            self.counted = words_of([documents.game, *documents.cards, self.names.board])
            self.hinted = {problem.hint for problem in problems.errors if problem.hint}
        self.added_in = {documents.variants[name].place.file for name in documents.patched}
        for what, name, place in [*self.bindings(), *self.definitions(), *self.words()]:
            if self.is_certain(name, place):
                problems.add(place, "unused", f"the {what} '{name}' is never used", got=name)

    def is_certain(self, name: str, place: Place) -> bool:
        """Whether a name is surely unused, and not for another mistake's or a variant's sake."""
        problems = self.compiler.problems
        if self.added_in and place.file not in self.added_in:
            return False
        if name in problems.dropped or name in self.hinted:
            return False
        return not self.counted or self.counted[name] <= 1

    def bindings(self) -> Iterator[tuple[str, str, Place]]:
        """Return the bound names and parameters that nothing reads."""
        for what, name, place, scope in self.compiler.bound:
            if name not in scope.used:
                yield what, name, place

    def definitions(self) -> Iterator[tuple[str, str, Place]]:
        """Return the verbs, places, counters and so on that nothing mentions."""
        names = self.names
        game = names.documents.game
        score = game.get("score")
        for what, section in (
            ("verb", "verbs"),
            ("requirement", "requirements"),
            ("definition", "definitions"),
            ("value", "values"),
            ("option", "options"),
            ("counter", "counters"),
            ("place", "places"),
            ("announcement", "announcements"),
        ):
            nodes = names.section(section)
            for key in nodes:
                name = key.split("(")[0]
                heard = section == "announcements" and f"trigger {name}" in names.used
                if name not in names.used and not heard and name != score:
                    yield what, name, nodes.key_at(key)
        yield from self.families()

    def families(self) -> Iterator[tuple[str, str, Place]]:
        """Return families without pieces, sorts without sites, parts that nothing performs."""
        names = self.names
        for family in names.families.values():
            if not family.kinds:
                yield "family", family.name, family.place
            parts = family.node.get("parts", Map(family.place))
            for part in family.parts:
                if part not in names.used:
                    yield "part", part, parts.key_at(part)

    def words(self) -> Iterator[tuple[str, str, Place]]:
        """Return the words that no piece, site or expression mentions."""
        names = self.names
        sets = names.section("words")
        for set_name, words in names.word_sets.items():
            if set_name in names.searched:
                continue
            for word in words:
                if word not in names.used:
                    yield "word", word, sets[set_name].key_at(word)


def words_of(node: Any) -> Counter[str]:
    """Return how often each word stands in a part of a pack, in keys and in texts."""
    if isinstance(node, str):
        return Counter(TOKEN.findall(node))
    found: Counter[str] = Counter()
    if isinstance(node, dict):
        for key, value in node.items():
            found.update(TOKEN.findall(key))
            found.update(words_of(value))
    elif isinstance(node, list):
        for value in node:
            found.update(words_of(value))
    return found
