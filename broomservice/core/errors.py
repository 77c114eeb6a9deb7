"""What can go wrong while rules run."""

from __future__ import annotations


class BroomserviceError(Exception):
    """The base of every error that this package raises on purpose."""


class EngineError(BroomserviceError):
    """An invariant of the engine broke: our bug, never the caller's."""


class RuleError(BroomserviceError):
    """A rule of a pack cannot be carried out as it is written.

    For example it moves more pieces than there are, or runs in circles. `steps` holds the
    numbers of the compiled steps concerned, so that the pack's lines can be named.
    """

    def __init__(self, message: str, steps: list[int]) -> None:
        super().__init__(message)
        self.message = message
        self.steps = steps
