"""The referee: the position that is asked about, and how things are said of it."""

from __future__ import annotations

from collections.abc import Iterable

import attrs
from rich.console import Console
from rich.text import Text

from broomservice.cli.asking.texts import said
from broomservice.cli.hearing import Ear
from broomservice.cli.rulings import grounds
from broomservice.core.table import CHANCE
from broomservice.game import Game
from broomservice.log import LogEntry
from broomservice.option import Option
from broomservice.pack.provenance import Provenance
from broomservice.render import Speaker
from broomservice.state import State

UNTOLD = frozenset({"move", "skipped", "hook"})


@attrs.define
class Referee:
    """Who answers sentences about a position. `past` is what can be taken back.

    `laid` remembers what was put where by hand, so that later pieces are taken from elsewhere.
    """

    out: Console
    state: State
    language: str
    past: list[tuple[State, set[tuple[int, int]]]] = attrs.field(factory=list)
    laid: set[tuple[int, int]] = attrs.field(factory=set)
    last_ear: Ear | None = attrs.field(default=None, repr=False)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    # --- the position ---------------------------------------------------------------------------

    def go_to(self, state: State, laid: set[tuple[int, int]]) -> None:
        """Go on at another position."""
        self.past.append((self.state, self.laid))
        self.state, self.laid = state, laid

    def go_back(self) -> None:
        """Go on at the position before."""
        self.state, self.laid = self.past.pop()

    # --- names ----------------------------------------------------------------------------------

    def ear(self) -> Ear:
        """Return what finds the names of the position in sentences."""
        if self.last_ear is None or self.last_ear.state is not self.state:
            self.last_ear = Ear.of(self.state)
        return self.last_ear

    def speaker(self) -> Speaker:
        """Return what knows how things are called."""
        return self.state.speaker(self.language)

    def shown(self, option: Option) -> str:
        """Return what an option is called."""
        return self.speaker().option(option)

    def called(self, player: int) -> str:
        """Return who is asked."""
        return self.said("chance") if player == CHANCE else self.state.names[player]

    # --- sentences ------------------------------------------------------------------------------

    def said(self, key: str, *parts: object) -> str:
        """Return a sentence of the command line."""
        return said(key, self.language, *parts)

    def meant(self, hint: str) -> str:
        """Return, to follow a sentence, the question whether a name was meant; or nothing."""
        called = self.state.called(hint, self.language)
        return f" {self.said('meant', called)}" if called else ""

    def say(self, key: str, *parts: object) -> None:
        """Print a sentence of the command line."""
        self.out.print(self.said(key, *parts))

    def add(self, text: str, *, indent: int = 0) -> None:
        """Print what belongs to the line before, less brightly."""
        self.out.print(Text(" " * indent + text, style="dim"))

    def add_source(self, provenance: Provenance, *, indent: int = 8) -> None:
        """Print what the line before rests on."""
        self.add(grounds(self.game, provenance, self.language), indent=indent)

    def tell(self, entries: Iterable[LogEntry]) -> None:
        """Tell lines of the log, with what points rest on; moves of pieces only if alone."""
        every = list(entries)
        lines = [entry for entry in every if entry.kind not in UNTOLD]
        for entry in lines or every:
            self.out.print(f"  {entry.text}")
            if entry.kind == "score":
                self.add_source(entry.provenance)
        if not every:
            self.say("nothing_happens")

    def tell_from(self, line: int) -> None:
        """Tell the log from one of its lines on."""
        self.tell(self.state.log_in(self.language)[line:])

    def show_question(self) -> None:
        """Show who is asked what."""
        decision = self.state.decision_in(self.language)
        if decision is None:
            self.say("nobody_asked")
        else:
            self.say("now_asked", self.called(decision.player), decision.prompt)

    def show_open_question(self) -> None:
        """Show who is asked what, and which rule asks it."""
        self.show_question()
        if self.state.option_ids:
            question = self.state._compiled.questions.get(self.state._table.stack[-1][0])
            if question is not None:
                self.add_source(question.provenance, indent=4)
