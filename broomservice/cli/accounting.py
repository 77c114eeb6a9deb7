"""Every point of a player, line by line, with what each line rests on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import attrs

from broomservice.cli.texts import said
from broomservice.compile.code import StepInfo
from broomservice.errors import EngineError
from broomservice.log import LogEntry, entries
from broomservice.option import Option
from broomservice.pack.load import Map
from broomservice.pack.problems import Place
from broomservice.pack.provenance import Fact, Provenance
from broomservice.state import State

NAME = re.compile(r"[a-z_][a-z0-9_]*")
THINGS = ("piece", "site")


@attrs.frozen
class Entry:
    """A line of an account: the section of the game, what the points are for, and how many.

    `source` is the passage of the rulebook that the rule for it rests on (with several, semicolons
    between them), `because` what else it rests on, and `certainty` how surely it is known.
    `assumed` names the numbers, sites and pieces that the points depend on and that no rulebook
    says. `things` are the pieces and sites that are named, by their labels.
    """

    section: str
    reason: str
    points: int
    source: str = ""
    certainty: str = ""
    because: str = ""
    assumed: tuple[str, ...] = ()
    things: tuple[str, ...] = ()

    def grounds(self, language: str) -> str:
        """Return what the rule for it rests on, in words."""
        head = self.source or said(self.certainty, language)
        return f"{head}. {self.because}" if self.because else head


def account(state: State, player: int, language: str) -> tuple[Entry, ...]:
    """Return every point of a player, in the order of the game; they add up.

    What the log does not tell was there at the start: of the game, or of what was put together.
    """
    return Accountant(state, language).account(player)


def accounts(state: State, language: str) -> tuple[tuple[Entry, ...], ...]:
    """Return the account of each player of a game that was played from its start.

    Raises:
        EngineError: if the log does not tell every point since then.
    """
    accountant, program = Accountant(state, language), state._compiled.program
    for player, name in enumerate(state.names):
        if accountant.before_the_log(player) != program.cells[program.points + player]:
            raise EngineError(f"the points of {name} do not add up")
    return tuple(accountant.account(player) for player in range(state.players))


@attrs.define(slots=False)
class Accountant:
    """Takes the points of a position apart."""

    state: State
    language: str

    def account(self, player: int) -> tuple[Entry, ...]:
        """Return every point of a player, with what was there at the start before all else."""
        lines, rest = tuple(self.scored(player)), self.before_the_log(player)
        return (self.at_start(rest), *lines) if rest else lines

    def before_the_log(self, player: int) -> int:
        """Return how many points a player had before the first line of the log."""
        told = sum(one.amount for one in self.log if one.kind == "score" and one.player == player)
        return self.state.points[player] - told

    @cached_property
    def log(self) -> tuple[LogEntry, ...]:
        """What happened, in words."""
        return entries(self.state, self.language)

    def scored(self, player: int) -> Iterator[Entry]:
        """Return what the log tells."""
        section = ""
        raw = self.state._table.log or []
        for line, entry in zip(raw, self.log, strict=True):
            if entry.kind == "tell" and entry.text.startswith("---"):
                section = entry.text.strip("- ")
            elif entry.kind == "score" and entry.player == player and entry.amount:
                things = self.named(line)
                alike = [option.label for option in things if self.is_alike(option)]
                assert entry.step is not None
                yield Entry(
                    section,
                    ", ".join([entry.text.partition(": ")[2], *alike]),
                    entry.amount,
                    self.titles(entry.provenance),
                    entry.provenance.certainty,
                    entry.provenance.because,
                    self.assumed(self.amount_of(entry.step), things),
                    tuple(option.label for option in things),
                )

    def at_start(self, points: int) -> Entry:
        """Return what a player had at first, and the rule for it."""
        counter = self.state.game.names.counters[self.state.game.documents.game["score"]]
        amount = str(counter.node.get("start", ""))
        facts = list(self.facts(amount))
        sources = self.state.game.sources
        rests = facts[0].provenance if facts else sources.rests(counter.node, counter.place)
        return Entry(
            "",
            said("at_start", self.language),
            points,
            self.titles(rests),
            rests.certainty,
            rests.because,
            self.assumed(amount, ()),
        )

    # --- what it rests on -----------------------------------------------------------------------

    def titles(self, provenance: Provenance) -> str:
        """Return the passages that a rule rests on."""
        title = self.state.game.sources.title
        return "; ".join(title(citation) for citation in provenance.citations)

    def named(self, line: list[int]) -> tuple[Option, ...]:
        """Return the pieces and sites that a sentence of the log names."""
        template = self.state._compiled.sentences.get(line[0])
        gaps = zip(template.gaps, line[3:], strict=False) if template else ()
        found = [
            self.things[gap.type.kind, number]
            for gap, number in gaps
            if gap.type.kind in THINGS and number >= 0
        ]
        return tuple(dict.fromkeys(found))

    @cached_property
    def things(self) -> dict[tuple[str, int], Option]:
        """The pieces and sites by their numbers."""
        options = self.state.game.options
        return {(one.kind, one.number): one for one in options if one.kind in THINGS}

    @cached_property
    def called(self) -> Counter[str]:
        """How many things are called by each name."""
        return Counter(one.shown(self.language) for one in self.things.values())

    def is_alike(self, thing: Option) -> bool:
        """Whether another thing is called the same."""
        return self.called[thing.shown(self.language)] > 1

    @cached_property
    def amounts(self) -> dict[Place, str]:
        """The expressions of all steps that score, by their places."""
        documents = self.state.game.documents
        return dict(scores([documents.game, *documents.cards]))

    def amount_of(self, step: StepInfo) -> str:
        """Return the expression of a step that scores."""
        return self.amounts.get(step.place, "")

    def assumed(self, amount: str, things: tuple[Option, ...]) -> tuple[str, ...]:
        """Return what no rulebook says of the numbers in an expression and of these things."""
        read = things if "." in amount else ()  # only attributes make points depend on a thing
        found = [*self.facts(amount), *filter(None, map(self.fact_of, read))]
        names = [fact.name for fact in found if fact.provenance.certainty == "assumed"]
        return tuple(dict.fromkeys(names))

    def facts(self, expression: str) -> Iterator[Fact]:
        """Return the pack's numbers in an expression, those in its definitions too."""
        definitions = self.state.game.names.definitions
        waiting, seen = NAME.findall(expression), set[str]()
        while waiting:
            name = waiting.pop(0)
            if name not in seen:
                seen.add(name)
                if name in self.numbers:
                    yield self.numbers[name]
                if name in definitions:
                    waiting += NAME.findall(definitions[name].expression)

    @cached_property
    def numbers(self) -> Mapping[str, Fact]:
        """The facts about the numbers and options of the pack."""
        facts = self.state.game.sources.facts
        return {fact.name: fact for fact in facts if fact.what in ("value", "option")}

    def fact_of(self, thing: Option) -> Fact | None:
        """Return the fact about a piece or a site."""
        names = self.state.game.names
        places = [one.place for one in names.pieces.values()]
        if thing.kind == "site":
            places = [one.place for one in names.sites.values()]
        return self.state.game.sources.fact(places[thing.number])


def scores(part: Any) -> Iterator[tuple[Place, str]]:
    """Return the places and expressions of the steps that score, anywhere in a document."""
    if isinstance(part, Map):
        if "score" in part:
            yield part.key_at("score"), str(part["score"])
        for inner in part.values():
            yield from scores(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from scores(inner)
