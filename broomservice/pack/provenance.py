"""Where facts come from: cited from a rulebook, deduced from it, or assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs

from broomservice.pack.documents import Documents
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Problems


@attrs.frozen
class Citation:
    """A passage of a rulebook: the document's id and the section's id in it."""

    doc: str
    section: str

    def __str__(self) -> str:
        return f"{self.doc}, {self.section}"


@attrs.frozen
class Provenance:
    """How surely something is known.

    `certainty` is "cited" (then `citations` name the passages), "deduced" or "assumed" (then
    `because` says from what, or what it is modelled on), or "unknown".
    """

    certainty: str = "unknown"
    citations: tuple[Citation, ...] = ()
    because: str = ""

    def __str__(self) -> str:
        if self.certainty == "cited":
            return "; ".join(str(citation) for citation in self.citations)
        return f"{self.certainty}: {self.because}" if self.because else self.certainty


@attrs.frozen
class Fact:
    """One thing of a pack that carries a source: what it is, where it stands, what it rests on."""

    what: str
    name: str
    place: Place
    provenance: Provenance


@attrs.define
class Sources:
    """The documents that a pack cites, and the facts of the pack with their sources."""

    documents: Documents
    problems: Problems
    facts: list[Fact] = attrs.field(factory=list)
    cited: set[tuple[str, str]] = attrs.field(factory=set)
    by_place: dict[Place, Fact] = attrs.field(factory=dict)

    def sections(self) -> dict[str, dict[str, str]]:
        """Return the sections of every document, by id."""
        sources = self.documents.sources
        if sources is None:
            return {}
        documents: Map = sources.get("documents", Map(sources.place))
        return {name: dict(node.get("sections", {})) for name, node in documents.items()}

    def background(self) -> set[tuple[str, str]]:
        """Return the sections that nothing has to cite, as (document, section)."""
        sources = self.documents.sources
        documents: Map = Map(Place()) if sources is None else sources.get("documents", Map(Place()))
        found: set[tuple[str, str]] = set()
        for doc, node in documents.items():
            names: Seq = node.get("background", Seq(node.place))
            for i, name in enumerate(names):
                if name in node["sections"]:
                    found.add((doc, name))
                else:
                    self.unknown_section(names.at(i), doc, name, node["sections"])
        return found

    def unknown_section(self, place: Place, doc: str, section: str, known: Iterable[str]) -> None:
        """Note that a document has no such section."""
        message = f"the document '{doc}' has no section '{section}'"
        self.problems.unknown(place, "unknown-source", message, section, known)

    def title(self, citation: Citation) -> str:
        """Return a citation as people write it: the document's title and the heading."""
        sources = self.documents.sources
        if sources is None or citation.doc not in sources["documents"]:
            return str(citation)
        document = sources["documents"][citation.doc]
        heading = document["sections"].get(citation.section, citation.section)
        return f"{document['title']} ({document['language']}), “{heading}”"

    def read(self, node: Map, default: Provenance | None = None) -> Provenance:
        """Return what a part of a pack rests on."""
        source: Any = node.get("source")
        because = str(node.get("because", "")).strip()
        if source is None:
            return default or Provenance()
        if isinstance(source, str):
            if not because and not (default and default.because):
                self.problems.add(
                    node.at("source"),
                    "missing-because",
                    f"'{source}' needs a 'because' that says from what",
                    got=source,
                    expected="because: ...",
                )
            return Provenance(source, (), because)
        nodes = source if isinstance(source, Seq) else [source]
        return Provenance("cited", tuple(self.citations(nodes)), because)

    def citations(self, nodes: list[Any]) -> Iterator[Citation]:
        """Return the citations of a source, each checked."""
        known = self.sections()
        for node in nodes:
            doc, section = str(node["doc"]), str(node["section"])
            if doc not in known:
                self.problems.unknown(
                    node.at("doc"), "unknown-source", f"there is no document '{doc}'", doc, known
                )
            elif section not in known[doc]:
                self.unknown_section(node.at("section"), doc, section, known[doc])
            self.cited.add((doc, section))
            yield Citation(doc, section)

    def add(self, what: str, name: str, node: Map, place: Place, default: Provenance) -> None:
        """Note a fact; without a source of its own it rests on what its document rests on."""
        provenance = self.read(node, self.origin(place) or default)
        if provenance.certainty == "unknown":
            self.problems.add(
                place,
                "missing-source",
                f"{what} '{name}' does not say where it comes from; add 'source'",
                got=name,
                expected="source: ...",
            )
        self.facts.append(Fact(what, name, place, provenance))

    def origin(self, place: Place) -> Provenance | None:
        """Return what a part rests on that a variant added: a house rule is its own source."""
        for name in self.documents.patched:
            variant = self.documents.variants[name]
            if variant.place.file == place.file:
                own = self.documents.folder in Path(place.file).parents
                house_rule = Provenance("assumed", (), f"house rule '{name}'")
                is_said = own or "source" in variant
                return self.read(variant, None if is_said else house_rule)
        return None

    def rests(self, node: Map, place: Place) -> Provenance:
        """Return what a part rests on; without a source of its own, what its document rests on.

        Never unknown: a pack that names no source at all is its own.
        """
        own = self.read(node, self.origin(place))
        if own.certainty == "unknown":
            own = self.read(self.documents.game)
        if own.certainty == "unknown":
            return Provenance("assumed", (), f"the pack '{self.documents.game.get('game')}' itself")
        return own

    def fact(self, place: Place) -> Fact | None:
        """Return the fact that stands in a place of the pack, if there is one."""
        return self.by_place.get(place)

    def collect(self) -> None:
        """Note all facts of the pack."""
        self.background()
        game = self.documents.game
        common = self.read(game)
        for section, what in (
            ("options", "option"),
            ("values", "value"),
            ("pieces", "piece"),
            ("requirements", "requirement"),
            ("verbs", "verb"),
            ("places", "place"),
            ("rules", "rule"),
            ("invariants", "invariant"),
        ):
            nodes: Map = game.get(section, Map(game.place))
            default = common if section in ("places", "pieces", "verbs") else Provenance()
            for name, node in nodes.items():
                self.add(what, name, node, nodes.key_at(name), default)
        families = game.get("families", Map(game.place))
        for document in self.documents.cards:
            if document["cards"] not in families:
                continue
            default = self.read(document)
            entries: Map = document.get("entries", Map(document.place))
            for name, node in entries.items():
                self.add(str(document["cards"]), name, node, entries.key_at(name), default)
        board = self.documents.boards.get(str(game.get("board")))
        if board is not None:
            default = self.read(board)
            for kind, sites in board.get("sites", Map(board.place)).items():
                for name, node in sites.items():
                    self.add(kind, name, node, sites.key_at(name), default)
        if self.documents.rules is not None:
            statements: Map = self.documents.rules["statements"]
            for name, node in statements.items():
                self.add("statement", name, node, statements.key_at(name), Provenance())
        self.by_place = {fact.place: fact for fact in self.facts}
