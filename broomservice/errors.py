"""The errors that this package raises on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from broomservice.core.errors import BroomserviceError, EngineError, RuleError
from broomservice.pack.problems import PackError, Place, Problem

if TYPE_CHECKING:
    from broomservice.explain import Check

__all__ = [
    "AmbiguousMove",
    "BroomserviceError",
    "EngineError",
    "IllegalMove",
    "PackError",
    "Place",
    "Problem",
    "RuleError",
    "UnknownMove",
]


class IllegalMove(BroomserviceError):
    """An option that is not open now.

    `option` is what was tried, `reasons` the requirements that fail (each with its sentence and
    source), `position` the position in short.
    """

    def __init__(self, option: str, reasons: tuple[Check, ...], position: str) -> None:
        self.option = option
        self.reasons = reasons
        self.position = position
        why = "; ".join(str(reason) for reason in reasons)
        super().__init__(f"{option}: {why} [{position}]")


class UnknownMove(BroomserviceError):
    """A name that means no option of this game; `hint` is the likely spelling."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        self.hint = hint
        super().__init__(
            f"no option is called '{name}'" + (f" (did you mean '{hint}'?)" if hint else "")
        )


class AmbiguousMove(BroomserviceError):
    """A name that means several options; `candidates` are their labels."""

    def __init__(self, name: str, candidates: tuple[str, ...]) -> None:
        self.name = name
        self.candidates = candidates
        super().__init__(f"'{name}' may mean {', '.join(candidates)}")
