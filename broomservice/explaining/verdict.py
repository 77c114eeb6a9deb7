"""Verdicts: whether an option is open, and the requirements that decide it, as values."""

from __future__ import annotations

import attrs

from broomservice.core.table import NOBODY
from broomservice.option import Option
from broomservice.pack.provenance import Fact, Provenance


@attrs.frozen
class Check:
    """One requirement: its name, whether it holds, its sentence when it fails, its source.

    `facts` are the pieces, sites and numbers of the pack that it depends on, with their sources.
    `kind` is "requirement" (one that the pack names), "place" (where a thing must lie), "ban",
    "condition", or "engine" (what the engine itself says of a question); `title` says in few words
    what is asked for.
    """

    name: str
    holds: bool
    sentence: str
    provenance: Provenance
    facts: tuple[Fact, ...] = ()
    kind: str = "engine"
    title: str = ""

    @property
    def assumed(self) -> bool:
        """Whether it rests on something that no rulebook says."""
        return self.provenance.certainty == "assumed" or bool(self.assumed_facts)

    @property
    def assumed_facts(self) -> tuple[Fact, ...]:
        """The facts that it depends on and that no rulebook says."""
        return tuple(fact for fact in self.facts if fact.provenance.certainty == "assumed")

    def __str__(self) -> str:
        return f"{self.sentence} ({self.provenance})"


@attrs.frozen
class Verdict:
    """Whether an option is open now, and the requirements that decide it.

    `player` is who is asked (an index from 0; -2 is chance, -1 nobody), `prompt` what; `name` is
    what the option is called among these players.
    """

    option: Option
    legal: bool
    checks: tuple[Check, ...]
    player: int = NOBODY
    prompt: str = ""
    name: str = ""

    @property
    def failed(self) -> tuple[Check, ...]:
        """The requirements that do not hold."""
        return tuple(check for check in self.checks if not check.holds)

    @property
    def is_an_answer(self) -> bool:
        """Whether the option is of the sort that is asked for, open or not."""
        return all(check.holds or check.name not in BESIDE for check in self.checks)

    @property
    def assumed(self) -> bool:
        """Whether what decides it rests on something that no rulebook says."""
        return any(check.assumed for check in self.failed or self.checks)

    @property
    def assumed_facts(self) -> tuple[Fact, ...]:
        """The facts that decide it and that no rulebook says."""
        deciding = self.failed or self.checks
        return tuple(dict.fromkeys(fact for check in deciding for fact in check.assumed_facts))

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        answer = "yes" if self.legal else "no"
        return f"{self.option.label}: {answer}" + "".join(f"\n  - {check}" for check in self.failed)


BESIDE = frozenset({"kind_of_answer", "offered", "may_pass", "game_is_over"})
