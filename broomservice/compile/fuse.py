"""Fusing: the same expressions in fewer objects, once all of a pack is compiled."""

from __future__ import annotations

from typing import Any

import attr

from broomservice.compile.code import JUMPS
from broomservice.core import domains as d
from broomservice.core import effects as f
from broomservice.core import expressions as e
from broomservice.core.questions import Either
from broomservice.core.table import Effect, Hook


def fuse(effects: list[Effect], hooks: list[Hook]) -> None:
    """Put fused expressions into every step and every hook's condition, and join bindings."""
    seen: dict[int, Any] = {}
    join_bindings(effects)
    for effect in effects:
        fuse_fields(effect, seen)
    for hook in hooks:
        fuse_fields(hook, seen)


def join_bindings(effects: list[Effect]) -> None:
    """Put one step in the place of two bindings in a row."""
    joined: dict[int, Effect] = {}
    for effect in effects:
        if isinstance(effect, f.Let) and isinstance(effect.next, f.Let):
            other = effect.next
            joined[effect.number] = f.LetBoth(
                effect.number, effect.slot, effect.amount, other.slot, other.amount, other.next
            )
    for number, both in joined.items():
        effects[number] = both
    for effect in effects:
        for field in JUMPS:
            target = getattr(effect, field, None)
            if target is not None and target.number in joined:
                setattr(effect, field, joined[target.number])
        if isinstance(effect, Either):
            effect.targets = [joined.get(one.number, one) for one in effect.targets]


def fuse_fields(thing: Any, seen: dict[int, Any]) -> None:
    """Fuse the expressions in the fields of a step, a domain or an expression."""
    for field in attr.fields(type(thing)):
        value = getattr(thing, field.name)
        if isinstance(value, e.Expression | d.Domain):
            setattr(thing, field.name, fused(value, seen))
        elif isinstance(value, list) and value and isinstance(value[0], e.Expression | d.Domain):
            setattr(thing, field.name, [fused(part, seen) for part in value])


def fused(thing: Any, seen: dict[int, Any]) -> Any:
    """Return an expression or domain with all its parts fused; each object is done once."""
    key = id(thing)
    if key not in seen:
        fuse_fields(thing, seen)
        result = simpler(thing) if isinstance(thing, e.Expression) else thing
        seen[key] = result
        seen[id(result)] = result
        seen.setdefault(-key, thing)
    return seen[key]


def simpler(thing: e.Expression) -> e.Expression:
    """Return the expression in fewer objects, if there is such a form."""
    if isinstance(thing, e.CellOf) and isinstance(thing.owner, e.Bound):
        return e.CellOfBound(thing.base, thing.stride, thing.owner.slot)
    if isinstance(thing, e.PlaceOf) and isinstance(thing.owner, e.Bound):
        return e.PlaceOfBound(thing.base, thing.owner.slot)
    if isinstance(thing, e.Linked):
        if isinstance(thing.first, e.Bound) and isinstance(thing.second, e.Bound):
            return e.LinkedBound(thing.table, thing.first.slot, thing.second.slot)
    if isinstance(thing, e.AllOf) and len(thing.parts) == 2:
        return e.Both(thing.parts[0], thing.parts[1])
    if isinstance(thing, e.AnyOf) and len(thing.parts) == 2:
        return e.OneOfTwo(thing.parts[0], thing.parts[1])
    return compared(thing)


def compared(thing: e.Expression) -> e.Expression:
    """Return a comparison in fewer objects, if there is such a form."""
    if isinstance(thing, e.Less) and isinstance(thing.left, e.Constant):
        if thing.left.number == 0 and isinstance(thing.right, e.Not):
            return thing.right
        return e.MoreThan(thing.right, thing.left.number)
    if isinstance(thing, e.EqualTo) and thing.number == 0 and isinstance(thing.left, e.Not):
        part = thing.left.part
        if isinstance(part, e.EqualTo | e.Equal | e.Unequal):
            return part
    if isinstance(thing, e.Equal):
        for one, two in ((thing.left, thing.right), (thing.right, thing.left)):
            if isinstance(two, e.Bound):
                return e.EqualToBound(one, two.slot)
    return thing
