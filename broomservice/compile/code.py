"""The code being compiled: effects with labels, and what is known about each of them."""

from __future__ import annotations

import attrs

from broomservice.compile.types import Type, Typed
from broomservice.core.effects import Call, Perform
from broomservice.core.questions import Either
from broomservice.core.table import FAULT, Effect, Hook
from broomservice.pack.problems import Place
from broomservice.pack.provenance import Provenance

LABELS_FROM = 10_000_000
JUMPS = ("next", "then", "otherwise", "body", "done", "declined", "empty")


@attrs.frozen
class Template:
    """A sentence with gaps, in every language that the pack has it in.

    A language's parts are texts and numbers; a number is the index of the expression in `gaps`.
    """

    parts: dict[str, tuple[str | int, ...]]
    gaps: tuple[Typed, ...]


@attrs.frozen
class Reason:
    """One requirement of an option: its condition, its sentence, and what it rests on."""

    name: str
    condition: Typed
    sentence: Template
    provenance: Provenance


@attrs.frozen
class Alternative:
    """One labelled way of an `either`, with its requirements."""

    label: int
    reasons: tuple[Reason, ...]


@attrs.frozen
class Question:
    """What is known about a step that asks."""

    kind: str
    verb: str
    point: str
    name: str
    type: Type
    slot: int
    base: int
    prompt: Template
    reasons: tuple[Reason, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    may: bool = False


@attrs.frozen
class StepInfo:
    """Where a compiled step comes from; `secret` numbers the secret block that it is part of."""

    place: Place
    keyword: str
    verb: str
    secret: int = -1


@attrs.define
class Code:
    """Collects effects. Jumps are labels until `finish` turns them into numbers of steps."""

    effects: list[Effect] = attrs.field(factory=list)
    info: list[StepInfo] = attrs.field(factory=list)
    targets: list[int] = attrs.field(factory=list)
    questions: dict[int, Question] = attrs.field(factory=dict)
    sentences: dict[int, Template] = attrs.field(factory=dict)
    triggers: dict[str, list[Hook]] = attrs.field(factory=dict)
    bans: dict[str, list[Hook]] = attrs.field(factory=dict)
    offers: dict[str, list[Hook]] = attrs.field(factory=dict)
    replacements: dict[str, list[Hook]] = attrs.field(factory=dict)
    hook_reasons: dict[int, Reason] = attrs.field(factory=dict)
    calls: list[tuple[Call, str, int]] = attrs.field(factory=list)
    performs: list[tuple[Perform, str]] = attrs.field(factory=list)

    def label(self) -> int:
        """Return a new label, not yet placed."""
        self.targets.append(-1)
        return LABELS_FROM + len(self.targets) - 1

    def link(self, label: int, target: int) -> None:
        """Make a label mean another label."""
        self.targets[label - LABELS_FROM] = target

    def emit(self, effect: Effect, info: StepInfo) -> int:
        """Add an effect and return a label for it."""
        effect.number = len(self.effects)
        self.effects.append(effect)
        self.info.append(info)
        label = self.label()
        self.link(label, effect.number)
        return label

    def number(self, label: int) -> int:
        """Return the number of the step that a label leads to."""
        while label >= LABELS_FROM:
            label = self.targets[label - LABELS_FROM]
        return label

    def finish(self) -> None:
        """Turn all labels into numbers."""
        for effect in self.effects:
            for field in JUMPS:
                if hasattr(effect, field):
                    target = getattr(effect, field)
                    setattr(effect, field, target if target == FAULT else self.number(target))
            if isinstance(effect, Either):
                effect.targets = [self.number(target) for target in effect.targets]
