"""Mistakes in a pack, as data: where, what code, what was found, what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

import attrs

from broomservice.core.errors import BroomserviceError


@attrs.frozen(order=True)
class Place:
    """A spot in a file; lines and columns count from 1."""

    file: str = ""
    line: int = 1
    column: int = 1

    def moved(self, columns: int) -> Place:
        """Return the spot some columns further on in the same line."""
        return Place(self.file, self.line, self.column + columns)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@attrs.frozen(order=True)
class Problem:
    """One mistake.

    `code` is stable; `got` is what was found, `expected` what would have been right (either may be
    empty), `hint` the likely spelling, if there is one. `severity` is "error", or "warning" for
    what a pack can be used with.
    """

    place: Place
    code: str
    message: str
    got: str = ""
    expected: str = ""
    hint: str = ""
    severity: str = "error"

    def __str__(self) -> str:
        hint = f" (did you mean '{self.hint}'?)" if self.hint else ""
        place = f"{self.place}: " if self.place.file else ""
        warning = "" if self.is_error else "warning: "
        return f"{place}{self.code}: {warning}{self.message}{hint}"

    @property
    def is_error(self) -> bool:
        """Whether the pack cannot be used with it."""
        return self.severity == "error"

    def shown(self) -> str:
        """Return the message with the line of the file and a caret below the spot."""
        try:
            text = Path(self.place.file).read_text(encoding="utf-8", errors="replace")
            line = text.split("\n")[self.place.line - 1]
        except (OSError, IndexError):
            return str(self)
        return f"{self}\n    {line}\n    {' ' * (self.place.column - 1)}^"


def a(thing: object) -> str:
    """Return a thing with its article.

    >>> a("event"), a("region")
    ('an event', 'a region')
    """
    return f"{'an' if str(thing)[:1] in 'aeiou' else 'a'} {thing}"


class PackError(BroomserviceError):
    """A pack cannot be used; `problems` holds all its mistakes and warnings, sorted by place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


MOST_HINTS = 500
LONGEST_NAME = 80
SPOILING = frozenset({"ambiguous-value", "yaml-tag", "too-large"})


class Reported(Exception):
    """A mistake was noted; whatever depends on the part concerned is left out."""


@attrs.define
class Problems:
    """Collects the mistakes of a pack, and warnings.

    `dropped` holds names whose definitions were left out because of another mistake, so that
    their absence is not reported once more.
    """

    found: list[Problem] = attrs.field(factory=list)
    dropped: set[str] = attrs.field(factory=set)
    spoiled: set[Place] = attrs.field(factory=set)

    def add(
        self,
        place: Place,
        code: str,
        message: str,
        *,
        got: str = "",
        expected: str = "",
        hint: str = "",
    ) -> Reported:
        """Note a mistake; return an exception to raise where the part cannot be used.

        Where a value could not even be read, nothing else is said of it.
        """
        if place in self.spoiled:
            return Reported()
        if code in SPOILING:
            self.spoiled.add(place)
        self.found.append(Problem(place, code, message, got, expected, hint))
        return Reported()

    def warn(
        self, place: Place, code: str, message: str, *, got: str = "", expected: str = ""
    ) -> None:
        """Note something that a pack can be used with."""
        self.found.append(Problem(place, code, message, got, expected, severity="warning"))

    @property
    def errors(self) -> list[Problem]:
        """What the pack cannot be used with."""
        return [problem for problem in self.found if problem.is_error]

    def unknown(
        self, place: Place, code: str, message: str, name: str, known: Iterable[str]
    ) -> Reported:
        """Note an unknown name with the likely spelling."""
        if name in self.dropped:
            return Reported()
        hint = likely(name, known) if len(self.found) < MOST_HINTS else ""
        return self.add(place, code, message, got=name, hint=hint)

    def raise_if_any(self) -> None:
        """Raise `PackError` if there are mistakes; warnings alone are none.

        Raises:
            PackError: with all of them.
        """
        if self.errors:
            raise PackError(self.found)


def likely(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, or an empty string.

    >>> likely("lanscape", ["landscape", "castle"])
    'landscape'
    """
    if len(name) > LONGEST_NAME:
        return ""
    close = difflib.get_close_matches(name, sorted(set(known) - {name}), n=1, cutoff=0.6)
    return close[0] if close else ""
