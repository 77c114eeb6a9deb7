"""What a record leaves out: hidden choices and draws, filled in from what later moves show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.core.expressions import NOTHING, UNKNOWN, Always
from broomservice.core.questions import Choose, ChooseRising, Draw
from broomservice.core.table import CHANCE

if TYPE_CHECKING:
    from broomservice.records.matching import Cursor
    from broomservice.records.running import Run

Key = tuple[int, int, int, int]


@attrs.frozen
class Plan:
    """What is supposed of a hidden choice: options that it has, and options that it lacks."""

    has: tuple[int, ...] = ()
    lacks: frozenset[int] = frozenset()

    def holding(self, option: int) -> Plan:
        """Return the plan with one more option that is in the choice."""
        has = (*(one for one in self.has if one != option), option)
        return Plan(has, self.lacks - {option})

    def lacking(self, *options: int) -> Plan:
        """Return the plan with more options that are not in the choice."""
        has = tuple(one for one in self.has if one not in options)
        return Plan(has, self.lacks.union(options))


World = dict[Key, Plan]


@attrs.frozen
class Block:
    """Hidden answers in a row to one question: about whom, before which move, and with what.

    `possible` is what could be chosen, `target` what is to be chosen first, `guess` what its owner
    shows soon after. `before` is the replay where they begin.
    """

    key: Key
    effect: int
    owner: int
    possible: tuple[int, ...]
    target: tuple[int, ...]
    before: Cursor = attrs.field(repr=False)
    is_draw: bool = False
    is_piece: bool = False
    prompt: str = ""
    guess: tuple[int, ...] = ()


def possible_options(run: Run) -> tuple[int, ...]:
    """Return what can be chosen at the open question, also later in a row of rising picks."""
    effect, table = run.effect, run.table
    if not isinstance(effect, Choose | Draw):
        return tuple(table.options)
    frame = table.stack[-1][:]
    if isinstance(effect, Choose):
        for slot in effect.once:
            frame[slot] = UNKNOWN
    result: list[int] = []
    for thing in effect.domain.values(table.cells, frame):
        frame[effect.slot] = thing
        if isinstance(effect.condition, Always) or effect.condition.value(table.cells, frame) != 0:
            result.append(effect.base + thing)
    return tuple(dict.fromkeys(result)) or tuple(table.options)


def target_of(
    possible: tuple[int, ...], plan: Plan, guess: list[int], mentions: dict[int, int], count: int
) -> tuple[int, ...]:
    """Return the options of a hidden choice in the order of preference, `count` at most if rising.

    First what the choice must hold, then what its owner shows later, then what nobody mentions
    again, then what is mentioned latest.
    """
    lacks = plan.lacks
    order = [option for option in plan.has if option in possible]
    order += [option for option in guess if option not in lacks]
    rest = [option for option in possible if option not in lacks]
    order += sorted(rest, key=lambda option: -mentions.get(option, 1_000_000_000))
    order += [option for option in possible if option in lacks]
    return tuple(list(dict.fromkeys(order))[:count])


def next_hidden(run: Run, block: Block) -> int:
    """Return the answer to give now, as a block wants it."""
    options = run.table.options
    effect = run.effect
    if isinstance(effect, ChooseRising):
        last = run.table.stack[-1][effect.last]
        left = [one for one in sorted(block.target) if last == NOTHING or one - effect.base > last]
        return next((one for one in left if one in options), options[0])
    return next((one for one in block.target if one in options), options[0])


def is_hidden(run: Run) -> bool:
    """Whether nobody else sees the answer to the open question."""
    return run.table.decider == CHANCE or run.secret >= 0
