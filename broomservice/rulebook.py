"""A game's rules and rulings to be read: by section, by name, and as a page of questions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.core.errors import BroomserviceError
from broomservice.pack.load import Map
from broomservice.pack.problems import Place, likely
from broomservice.pack.provenance import Provenance, Sources
from broomservice.render import in_language

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.rulings import Case

TOKEN = re.compile(r"[a-z_][a-z0-9_]*")
KINDS = (
    ("requirements", "requirement"),
    ("verbs", "verb"),
    ("definitions", "definition"),
    ("places", "place"),
    ("counters", "counter"),
    ("options", "option"),
    ("values", "value"),
    ("rules", "rule"),
    ("invariants", "invariant"),
    ("families", "family"),
    ("sites", "site"),
)


class UnknownRule(BroomserviceError):
    """A name that means no rule or part of this game; `hint` is the likely spelling."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        self.hint = hint
        super().__init__(
            f"no rule or part of the game is called '{name}'"
            + (f" (did you mean '{hint}'?)" if hint else "")
        )


@attrs.frozen
class Statement:
    """One sentence of the rules: its number in the rulebook, its text, and what it rests on.

    `section` is the id of the section that it is listed under; `variant` the variant that it
    belongs to, empty if it always holds; `rulings` the ids of the cases that hold the game to it.
    """

    id: str
    number: str
    text: str
    note: str
    section: str
    provenance: Provenance
    variant: str
    rulings: tuple[str, ...]


@attrs.frozen
class Section:
    """A section of the rules: its number, its heading, and the statements in it.

    `requirements` are the sentences with which the game refuses what this section forbids, by id.
    """

    number: int
    id: str
    heading: str
    statements: tuple[Statement, ...]
    requirements: Mapping[str, str]


@attrs.frozen
class Rule:
    """A rule or a part of a game in words.

    `kind` is "statement", "requirement", "verb", "piece", "site", "counter" and so on. `titles`
    are the passages that it rests on, as people write them; `statements` the sentences of the
    rules from the same passages; `rulings` the cases that cite or use it; `changed_by`, for a
    counter, the verbs that change it; then the passages are theirs.
    """

    id: str
    kind: str
    name: str
    text: str
    provenance: Provenance
    titles: tuple[str, ...]
    statements: tuple[str, ...]
    rulings: tuple[str, ...]
    changed_by: tuple[str, ...] = ()


# --- statements ----------------------------------------------------------------------------------


def sections(game: Game, language: str = "en") -> tuple[Section, ...]:
    """Return the rules by section, in the order of the rulebook, with the game's variants.

    Statements that rest on no passage come last, under the heading of what they rest on.
    """
    groups: dict[str, list[tuple[str, Map]]] = {}
    for name, node in played(game):
        groups.setdefault(section_of(game.sources.read(node)), []).append((name, node))
    refusals = refusals_by_section(game, language)
    known = headings(game.sources, language)
    order = [name for name in known if name in groups or name in refusals]
    order += [name for name in (*groups, *refusals) if name not in known]
    uses = uses_of_statements(game)
    result: list[Section] = []
    for number, name in enumerate(dict.fromkeys(order), 1):
        statements = tuple(
            statement(game, node, f"{number}.{i}", one, language, uses.get(one, ()))
            for i, (one, node) in enumerate(groups.get(name, ()), 1)
        )
        heading = known.get(name) or name
        result.append(Section(number, name, heading, statements, refusals.get(name, {})))
    return tuple(result)


def statements(game: Game, language: str = "en") -> tuple[Statement, ...]:
    """Return every sentence of the rules that holds in this game, numbered, as data."""
    return tuple(one for section in sections(game, language) for one in section.statements)


def statement(
    game: Game, node: Map, number: str, name: str, language: str, rulings: Sequence[str]
) -> Statement:
    """Return one sentence of the rules."""
    provenance = game.sources.read(node)
    return Statement(
        name,
        number,
        in_words(node, language),
        in_words(node.get("note", ""), language),
        section_of(provenance),
        provenance,
        str(node.get("variant", "")),
        tuple(rulings),
    )


def played(game: Game) -> Iterator[tuple[str, Map]]:
    """Return the statements that hold: those of a variant only if it is played."""
    rules = game.documents.rules
    if rules is None:
        return
    for name, node in rules["statements"].items():
        if node.get("variant") in (None, *game.variants):
            yield name, node


def section_of(provenance: Provenance) -> str:
    """Return the section of the first passage, or how surely it is known without one."""
    return provenance.citations[0].section if provenance.citations else provenance.certainty


def headings(sources: Sources, language: str) -> dict[str, str]:
    """Return the headings of all sections, in the order of the documents.

    A section that several documents have is listed once, in the language that is read.
    """
    result: dict[str, str] = {}
    document = sources.documents.sources
    for node in document["documents"].values() if document is not None else ():
        for name, heading in node["sections"].items():
            if name not in result or node["language"] == language:
                result[name] = str(heading)
    return result


def refusals_by_section(game: Game, language: str) -> dict[str, dict[str, str]]:
    """Return the sentences of the requirements, by section."""
    result: dict[str, dict[str, str]] = {}
    for formula in game.names.requirements.values():
        sentence = in_language(formula.sentence or {}, language)
        section = section_of(game.sources.rests(formula.node, formula.place))
        if sentence:
            result.setdefault(section, {})[formula.name] = sentence
    return result


def found_statements(game: Game, words: str, language: str = "en") -> tuple[Statement, ...]:
    """Return the statements that have all these words in their text, section or id."""
    wanted = words.casefold().split()
    names = headings(game.sources, language)
    return tuple(
        one
        for one in statements(game, language)
        if wanted
        and all(
            word in f"{one.id} {one.text} {names.get(one.section, '')}".casefold()
            for word in wanted
        )
    )


def in_words(text: Any, language: str) -> str:
    """Return a text of a pack in a language."""
    if isinstance(text, Mapping):
        return str(text.get(language) or text.get("en") or next(iter(text.values()), ""))
    return str(text)


# --- one rule ------------------------------------------------------------------------------------


def explain_rule(game: Game, name: str, language: str = "en") -> Rule:
    """Return a statement, a requirement, a verb, a piece or another part of a game in words.

    Statements are known also if their variant is not played.

    Raises:
        UnknownRule: if nothing is called so; it names the likely spelling.
    """
    everything = {entry[0]: entry for entry in nameable(game, language)}
    wanted = name.strip().casefold().replace(" ", "_").replace("-", "_")
    found = everything.get(wanted) or next(
        (entry for entry in everything.values() if entry[2].casefold().replace(" ", "_") == wanted),
        None,
    )
    if found is None:
        texts = [entry[2] for entry in everything.values()]
        raise UnknownRule(name, likely(wanted, everything) or likely(name, texts))
    id_, kind, called, text, node, place = found
    rests = game.sources.rests(node, place)
    fact = game.sources.fact(place)
    provenance = fact.provenance if fact is not None else rests
    changed_by = changers(game, id_) if kind == "counter" else ()
    if changed_by:
        verbs = [game.names.verbs[verb] for verb in changed_by]
        citations = [
            one for verb in verbs for one in game.sources.rests(verb.node, verb.place).citations
        ]
        provenance = attrs.evolve(provenance, citations=tuple(dict.fromkeys(citations)))
    return Rule(
        id_,
        kind,
        called,
        text,
        provenance,
        tuple(game.sources.title(citation) for citation in provenance.citations),
        () if kind == "statement" else alike(game, provenance),
        cases_about(game, id_, kind),
        changed_by,
    )


Entry = tuple[str, str, str, str, Map, Place]


def nameable(game: Game, language: str) -> Iterator[Entry]:
    """Return everything with a name: id, kind, name, text, node and place."""
    names = game.names
    for piece in names.pieces.values():
        text = in_words(piece.node.get("text", ""), language)
        name = in_language(piece.text, language)
        yield piece.id, piece.family, name, text, piece.node, piece.place
    for site in names.sites.values():
        yield site.id, site.kind, in_language(site.text, language), "", site.node, site.place
    for section, kind in KINDS:
        nodes = names.section(section)
        for key, node in nodes.items():
            id_ = key.partition("(")[0].strip()
            if isinstance(node, Map):
                yield (
                    id_,
                    kind,
                    called(id_, node, language),
                    wording(key, node, language),
                    node,
                    nodes.key_at(key),
                )
    rules = game.documents.rules
    nodes = rules["statements"] if rules is not None else Map(Place())
    for id_, node in nodes.items():
        name = id_.replace("_", " ")
        yield id_, "statement", name, in_words(node, language), node, nodes.key_at(id_)


def called(id_: str, node: Map, language: str) -> str:
    """Return what a part of a pack is called."""
    return in_words(node["name"], language) if "name" in node else id_.replace("_", " ")


def wording(key: str, node: Map, language: str) -> str:
    """Return what a part of a pack says of itself: its text, its refusal, or its parameters."""
    for said in ("text", "else"):
        if said in node:
            return in_words(node[said], language)
    parameters = node.get("parameters", ())
    return f"{key}({', '.join(parameters)})" if parameters else ""


def alike(game: Game, provenance: Provenance) -> tuple[str, ...]:
    """Return the statements from the same passages."""
    passages = set(provenance.citations)
    return tuple(
        name for name, node in played(game) if passages & set(game.sources.read(node).citations)
    )


def changers(game: Game, counter: str) -> tuple[str, ...]:
    """Return the verbs that change a counter."""
    return tuple(
        name for name, node in game.names.section("verbs").items() if changes(node, counter)
    )


def changes(steps: Any, counter: str) -> bool:
    """Whether a counter is set or added to anywhere in these steps."""
    if isinstance(steps, Mapping):
        for key in ("set", "add"):
            targets = steps.get(key)
            if isinstance(targets, Mapping) and any(
                target.partition("(")[0] == counter for target in targets
            ):
                return True
        return any(changes(part, counter) for part in steps.values())
    return isinstance(steps, list) and any(changes(part, counter) for part in steps)


# --- rulings -------------------------------------------------------------------------------------


def cases_of(game: Game) -> tuple[Case, ...]:
    """Return the rulings that come with a pack."""
    return cases_in(game.documents.folder / "rulings")


@lru_cache(maxsize=16)
def cases_in(folder: Path) -> tuple[Case, ...]:
    """Return the rulings in a folder, none if there is no such folder."""
    from broomservice.rulings import load_cases

    return load_cases(folder) if folder.is_dir() else ()


def uses_of_statements(game: Game) -> dict[str, list[str]]:
    """Return the ids of the rulings that cite each statement."""
    result: dict[str, list[str]] = {}
    for case in cases_of(game):
        for name in case.rules:
            result.setdefault(name, []).append(case.id)
    return result


def cases_about(game: Game, name: str, kind: str) -> tuple[str, ...]:
    """Return the ids of the rulings that cite a statement, or that use a part of the game."""
    return tuple(
        case.id
        for case in cases_of(game)
        if (name in case.rules if kind == "statement" else name in mentioned(case))
    )


def mentioned(case: Case) -> set[str]:
    """Return the names that a case uses in its position, its answers and what then holds."""
    parts = [case.node.get(key) for key in ("given", "when", "then", "readings")]
    return {name for part in parts for text in texts_in(part) for name in TOKEN.findall(text)}


def texts_in(node: Any) -> Iterator[str]:
    """Return all keys and texts in a part of a document."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from texts_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts_in(value)
    elif isinstance(node, str):
        yield node


# --- citations -----------------------------------------------------------------------------------


def uncited(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the sections (document, section) that neither the pack nor its rulings cite."""
    documents = game.documents
    used: set[tuple[str, str]] = set()
    for part in (
        documents.game,
        *documents.cards,
        *documents.boards.values(),
        *documents.variants.values(),
        documents.rules,
        *(case.node for case in cases_of(game)),
    ):
        used.update(citations_in(part))
    return tuple(
        (doc, section)
        for doc, known in game.sources.sections().items()
        for section in known
        if (doc, section) not in used
    )


def citations_in(node: Any) -> Iterator[tuple[str, str]]:
    """Return every passage that is cited in a part of a document."""
    if isinstance(node, Mapping):
        if set(node) == {"doc", "section"}:
            yield str(node["doc"]), str(node["section"])
        for value in node.values():
            yield from citations_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from citations_in(value)
