"""What a check of a record finds, as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.records.running import Answer, Run

if TYPE_CHECKING:
    from broomservice.state import State


@attrs.frozen
class Finding:
    """One thing found in a record.

    `level` is "error", "warning" or "note"; `move` counts the written moves from 1; `hint` is the
    likely spelling, `source` the passage of the rulebook, either may be empty.
    """

    level: str
    code: str
    message: str
    move: int = 0
    line: int = 0
    column: int = 0
    hint: str = ""
    source: str = ""
    file: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line and self.file else ""
        hint = f" (did you mean '{self.hint}'?)" if self.hint else ""
        source = f" [{self.source}]" if self.source else ""
        return f"{place}{self.code}: {self.message}{hint}{source}"


@attrs.frozen
class Assumption:
    """A hidden choice or draw that a record leaves out, and what must be true of it.

    `shown` are the answers that later moves show, each with the number of the move; `needed` those
    that no move shows and that must be there, `excluded` those that must not be there, each with
    the move that fails otherwise; `filled` those that do not matter: others would do as well.
    """

    owner: int
    asked: str
    move: int
    shown: tuple[tuple[str, int], ...]
    needed: tuple[tuple[str, int], ...]
    excluded: tuple[tuple[str, int], ...]
    filled: tuple[str, ...]
    text: str

    @property
    def matters(self) -> bool:
        """Whether the record is illegal for some hidden answers."""
        return bool(self.needed or self.excluded)

    def __str__(self) -> str:
        return self.text


@attrs.frozen
class Report:
    """What a check says.

    `verdict` is "legal" (whatever it was that nobody saw), "illegal", "depends" (legal if
    `assumptions` hold), or "undecided": the search for a way of filling in what nobody saw was
    given up. `exact` is "exact", "differs", or "unknown" where the record pins nothing down.
    `answers` are all answers that the game took, those filled in too, as far as the record is
    legal; `state` is the position then.
    """

    verdict: str
    exact: str
    findings: tuple[Finding, ...]
    assumptions: tuple[Assumption, ...]
    answers: tuple[Answer, ...]
    state: State
    run: Run = attrs.field(repr=False)
    first: Run = attrs.field(repr=False)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the record illegal."""
        return tuple(finding for finding in self.findings if finding.level == "error")

    def beginning(self) -> State:
        """Return the first position, with its log."""
        return self.first.state.copy()

    def __bool__(self) -> bool:
        return self.verdict in ("legal", "depends")

    def __str__(self) -> str:
        return "\n".join([self.verdict, *map(str, self.findings)])
