"""The rules of a game as sentences, by section of the rulebook, as they are played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from broomservice.pack.load import Map
from broomservice.pack.provenance import Provenance, Sources
from broomservice.rulebook.cases import uses_of_statements
from broomservice.rulebook.general import Generally
from broomservice.rulebook.house import house_sections
from broomservice.rulebook.numbers import GAP, Change, Numbers, changes_of, numbers_of
from broomservice.rulebook.texts import in_words

if TYPE_CHECKING:
    from broomservice.game import Game


@attrs.frozen
class Statement:
    """One sentence of the rules: its number in the rulebook, its text, and what it rests on.

    `section` is the id of the section that it is listed under; `variant` the variant that it
    belongs to, empty if it always holds; `rulings` the ids of the cases that hold the game to it;
    `changes` what variants or choices have changed in it.
    """

    id: str
    number: str
    text: str
    note: str
    section: str
    provenance: Provenance
    variant: str
    rulings: tuple[str, ...]
    changes: tuple[Change, ...] = ()


@attrs.frozen
class Section:
    """A section of the rules: its number, its heading, and the statements in it.

    `requirements` are the sentences with which the game refuses what this section forbids, by id.
    Those that say it of particular things only are left out if there are statements.
    """

    number: int
    id: str
    heading: str
    statements: tuple[Statement, ...]
    requirements: Mapping[str, str]


def sections(game: Game, language: str = "en") -> tuple[Section, ...]:
    """Return the rules by section, in the order of the rulebook, with the numbers that are played.

    Statements that rest on no passage come after the others, under the heading of what they rest
    on; then come the variants, with all that they add and change, and the options that were chosen.
    """
    groups: dict[str, list[tuple[str, Map]]] = {}
    for name, node in played(game):
        groups.setdefault(section_of(game.sources.read(node)), []).append((name, node))
    refusals = refusals_by_section(game, language, set(groups))
    known = headings(game.sources, language)
    order = [name for name in known if name in groups or name in refusals]
    order += [name for name in (*groups, *refusals) if name not in known]
    writer = Writer.of(game, language)
    result: list[Section] = []
    for number, name in enumerate(dict.fromkeys(order), 1):
        statements = tuple(
            writer.statement(f"{number}.{i}", one, node)
            for i, (one, node) in enumerate(groups.get(name, ()), 1)
        )
        heading = known.get(name) or name
        result.append(Section(number, name, heading, statements, refusals.get(name, {})))
    return (*result, *writer.house(len(result)))


def statements(game: Game, language: str = "en") -> tuple[Statement, ...]:
    """Return every sentence of the rules that holds in this game, numbered, as data."""
    return tuple(one for section in sections(game, language) for one in section.statements)


@attrs.frozen
class Writer:
    """Writes the statements of a game in a language."""

    game: Game
    language: str
    numbers: Numbers
    changes: Mapping[str, Change]
    uses: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, game: Game, language: str) -> Writer:
        """Return what writes the statements of a game."""
        changes = {one.name: one for one in changes_of(game, language)}
        return cls(game, language, numbers_of(game), changes, uses_of_statements(game))

    def statement(self, number: str, name: str, node: Map) -> Statement:
        """Return one sentence of the rulebook."""
        provenance = self.game.sources.read(node)
        text = in_words(node, self.language)
        note = in_words(node.get("note", ""), self.language)
        mentioned = self.numbers.mentioned(f"{text} {note}")
        return Statement(
            name,
            number,
            self.numbers.filled(text, self.language),
            self.numbers.filled(note, self.language),
            section_of(provenance),
            provenance,
            str(node.get("variant", "")),
            tuple(self.uses.get(name, ())),
            tuple(change for name, change in self.changes.items() if name in mentioned),
        )

    def house(self, count: int) -> Iterator[Section]:
        """Return the sections of variants and of chosen options, after so many others."""
        found = house_sections(self.game, self.language, tuple(self.changes.values()))
        for number, section in enumerate(found, count + 1):
            lines = tuple(
                Statement(
                    line.id,
                    f"{number}.{i}",
                    line.text,
                    line.note,
                    section.id,
                    line.provenance,
                    section.variant,
                    (),
                )
                for i, line in enumerate(section.lines, 1)
            )
            yield Section(number, section.id, section.heading, lines, {})


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


def refusals_by_section(game: Game, language: str, told: set[str]) -> dict[str, dict[str, str]]:
    """Return the sentences of the requirements, by section.

    A sentence with gaps is left out where statements say the rule: it speaks of one case.
    """
    result: dict[str, dict[str, str]] = {}
    generally = Generally.of(game, language)
    for formula in game.names.requirements.values():
        sentence = in_words(formula.sentence or "", language)
        section = section_of(game.sources.rests(formula.node, formula.place))
        if sentence and not (GAP.search(sentence) and section in told):
            result.setdefault(section, {})[formula.name] = generally.refusal(formula)
    return result
