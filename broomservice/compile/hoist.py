"""Hoisting: what does not depend on the thing being tried is worked out once, not for each thing.

`card.suit == led.suit or all(c.suit != led.suit for c in hand)` looks through the hand once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attr

from broomservice.core import domains as d
from broomservice.core import expressions as e

COSTLY = (d.Exists, d.ForAll, d.Total, d.Extreme, d.Best, d.First)


def slots_read(thing: Any) -> frozenset[int]:
    """Return the bound names that an expression or domain reads, without those it binds itself."""
    if isinstance(thing, e.LinkedBound):
        return frozenset([thing.first, thing.second])
    if isinstance(thing, e.CellOfMine):
        return frozenset([e.ME])
    inner: frozenset[int] = frozenset()
    for field in attr.fields(type(thing)):
        value = getattr(thing, field.name)
        parts = value if isinstance(value, list) else [value]
        for part in parts:
            if isinstance(part, e.Expression | d.Domain):
                inner |= slots_read(part)
    if hasattr(thing, "slot"):
        binds = isinstance(thing, (*COSTLY, d.Gathered))
        return inner - {thing.slot} if binds else inner | {thing.slot}
    return inner


def hoisted(
    thing: e.Expression, tried: int, new_slot: Callable[[], int], once: list[int]
) -> e.Expression:
    """Return a condition whose costly parts that do not read `tried` are worked out once.

    `once` collects the slots that keep them; whoever tries things clears these first.
    """
    if isinstance(thing, COSTLY):
        if tried in slots_read(thing):
            return thing
        once.append(new_slot())
        return e.Once(once[-1], thing)
    changed: dict[str, Any] = {}
    for field in attr.fields(type(thing)):
        value = getattr(thing, field.name)
        if isinstance(value, e.Expression):
            changed[field.name] = hoisted(value, tried, new_slot, once)
        elif isinstance(value, list) and value and isinstance(value[0], e.Expression):
            changed[field.name] = [hoisted(part, tried, new_slot, once) for part in value]
    if all(
        changed[name] is getattr(thing, name)
        for name in changed
        if not isinstance(changed[name], list)
    ) and not any(isinstance(value, list) for value in changed.values()):
        return thing
    fields = [
        changed.get(field.name, getattr(thing, field.name)) for field in attr.fields(type(thing))
    ]
    result: e.Expression = type(thing)(*fields)
    return result
