"""The code being compiled: effects with labels, and what is known about each of them."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from broomservice.compile.types import Type, Typed
from broomservice.core.effects import Call, Label, Perform
from broomservice.core.errors import EngineError
from broomservice.core.questions import Either
from broomservice.core.table import Effect, Hook
from broomservice.pack.problems import Place
from broomservice.pack.provenance import Provenance

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
    """One requirement of an option: its condition, its sentence, and what it rests on.

    `kind` is "requirement" (one that the pack names), "place" (where a thing must lie), "ban" or
    "condition"; `title` says in few words what is asked for.
    """

    name: str
    condition: Typed
    sentence: Template
    provenance: Provenance
    kind: str = "condition"
    title: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Alternative:
    """One labelled way of an `either`, with its requirements."""

    label: int
    reasons: tuple[Reason, ...]


@attrs.frozen
class Question:
    """What is known about a step that asks; `provenance` is that of the verb around it."""

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
    provenance: Provenance = Provenance()


@attrs.frozen
class StepInfo:
    """Where a compiled step comes from, and what it rests on.

    `secret` numbers the secret block that it is part of.
    """

    place: Place
    keyword: str
    verb: str
    secret: int = -1
    provenance: Provenance = Provenance()


@attrs.define
class Code:
    """Collects effects; what follows a step may be a label until `finish` puts the step there."""

    effects: list[Effect] = attrs.field(factory=list)
    info: list[StepInfo] = attrs.field(factory=list)
    questions: dict[int, Question] = attrs.field(factory=dict)
    sentences: dict[int, Template] = attrs.field(factory=dict)
    triggers: dict[str, list[Hook]] = attrs.field(factory=dict)
    bans: dict[str, list[Hook]] = attrs.field(factory=dict)
    offers: dict[str, list[Hook]] = attrs.field(factory=dict)
    replacements: dict[str, list[Hook]] = attrs.field(factory=dict)
    hook_reasons: dict[int, tuple[Reason, ...]] = attrs.field(factory=dict)
    duties: dict[int, tuple[Reason, ...]] = attrs.field(factory=dict)
    calls: list[tuple[Call, str, int]] = attrs.field(factory=list)
    performs: list[tuple[Perform, str]] = attrs.field(factory=list)
    bodies: dict[tuple[str, str], range] = attrs.field(factory=dict)

    def label(self) -> Label:
        """Return a stand-in for a step that is not compiled yet."""
        return Label(-1, None)

    def emit(self, effect: Effect, info: StepInfo) -> Effect:
        """Add an effect and return it."""
        effect.number = len(self.effects)
        self.effects.append(effect)
        self.info.append(info)
        return effect

    def finish(self) -> None:
        """Put the steps themselves where labels stand for them."""
        for effect in self.effects:
            for field in JUMPS:
                if hasattr(effect, field):
                    setattr(effect, field, step_of(getattr(effect, field)))
            if isinstance(effect, Either):
                effect.targets = [step_of(target) for target in effect.targets]


def step_of(effect: Effect) -> Effect:
    """Return the step that a label stands for."""
    while isinstance(effect, Label):
        if effect.target is None:
            raise EngineError("a label without a step")
        effect = effect.target
    return effect
