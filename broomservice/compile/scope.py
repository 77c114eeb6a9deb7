"""Scopes: which names are bound where, and in which slot of the frame they lie."""

from __future__ import annotations

import ast
from typing import Protocol

import attrs

from broomservice.compile.types import (
    PLAYER,
    TRUTH,
    Selection,
    Tabulator,
    Type,
    Typed,
    TypedDomain,
    combined,
)
from broomservice.core import domains as d
from broomservice.core import expressions as e
from broomservice.pack.problems import Reported

FIRST_SLOT = 2


class Complains(Protocol):
    """Somebody who can report a mistake at a node."""

    def error(
        self,
        node: ast.AST,
        code: str,
        message: str,
        *,
        got: str = "",
        expected: str = "",
        hint: str = "",
    ) -> Reported: ...


@attrs.define
class Frame:
    """The slots of one verb; `size` grows as names are bound."""

    size: int = FIRST_SLOT


@attrs.define
class Scope:
    """The names bound at one point of a verb. Inner scopes see the outer ones' names."""

    tabulator: Tabulator
    frame: Frame = attrs.field(factory=Frame)
    names: dict[str, Typed] = attrs.field(factory=dict)
    bound_elsewhere: set[str] = attrs.field(factory=set)
    used: set[str] = attrs.field(factory=set)
    taken: frozenset[str] = frozenset()

    def __attrs_post_init__(self) -> None:
        self.tabulator.slot_types[e.ME] = PLAYER

    def child(self) -> Scope:
        """Return a scope inside this one, in the same frame."""
        return attrs.evolve(self, names=dict(self.names))

    def inlined(self, names: dict[str, Typed]) -> Scope:
        """Return a scope in the same frame that sees only a formula's parameters."""
        return attrs.evolve(self, names=names, bound_elsewhere=set(), used=set())

    def slot(self, type_: Type) -> int:
        """Return a new slot of the frame."""
        slot = self.frame.size
        self.frame.size += 1
        self.tabulator.slot_types[slot] = type_
        if slot >= self.tabulator.depth:
            self.tabulator.depth = slot + 64
        return slot

    def bind(self, name: str, type_: Type) -> int:
        """Bind a name to a new slot."""
        slot = self.slot(type_)
        self.names[name] = Typed(e.Bound(slot), type_, frozenset([slot]))
        self.bound_elsewhere.add(name)
        return slot

    def bind_local(self, name: str, type_: Type, visitor: Complains, node: ast.AST) -> int:
        """Bind the name of a `for`; it may not hide what means something else."""
        if name in self.taken:
            raise visitor.error(
                node, "name-taken", f"'{name}' already means something else", got=name
            )
        slot = self.slot(type_)
        self.names[name] = Typed(e.Bound(slot), type_, frozenset([slot]))
        return slot

    # --- searching less -----------------------------------------------------------------------

    def narrowed(
        self, domain: TypedDomain, conditions: list[Typed], slot: int
    ) -> tuple[TypedDomain, list[Typed]]:
        """Return a smaller domain and the conditions that are left to try on it.

        `{there: region}` where `there in here.neighbours` looks through the neighbours only.
        """
        rest = self.merged(conditions, slot)
        if not isinstance(domain.domain, d.Fixed):
            return domain, rest
        sifted, left = self.sifted(domain, rest, slot)
        assert isinstance(sifted.domain, d.Fixed)
        choice = self.shortest(domain, rest, slot)
        if choice is None or choice[1].length >= len(sifted.domain.members):
            return sifted, left
        condition, selection = choice
        narrow = TypedDomain(
            selection.domain, domain.type, condition.slots - {slot}, condition.static, domain.text
        )
        if not selection.exact:
            return narrow, rest
        return narrow, [one for one in rest if one is not condition]

    def gathered(
        self, things: TypedDomain, conditions: list[Typed], slot: int
    ) -> dict[int, Selection]:
        """Return what makes `any(... for thing in things)` true, found around each thing.

        `any(tower in pawn.at.towers for pawn in mine)` selects the towers around one's pawns.
        """
        result: dict[int, Selection] = {}
        for condition in conditions:
            for other, selection in condition.selects.items():
                usable = other != slot and not isinstance(selection.domain, d.Fixed)
                if not usable or other in things.slots or other in result:
                    continue
                first = [
                    one for one in conditions if one is not condition and other not in one.slots
                ]
                test = e.AllOf([one.expression for one in first]) if first else e.Constant(1)
                domain = d.Gathered(slot, things.domain, test, selection.domain)
                result[other] = Selection(domain, 2 * selection.length, exact=False)
        return result

    def merged(self, conditions: list[Typed], slot: int) -> list[Typed]:
        """Join conditions over fixed data into one table where they concern the same names."""
        groups: dict[frozenset[int], list[Typed]] = {}
        rest: list[Typed] = []
        for condition in conditions:
            if condition.constant == 1:
                continue
            if condition.static and slot in condition.slots and len(condition.slots) <= 2:
                groups.setdefault(condition.slots, []).append(condition)
            else:
                rest.append(condition)
        single = groups.pop(frozenset([slot]), [])
        result: list[Typed] = []
        for parts in groups.values():
            joined = [*parts, *single]
            single = []
            result.append(self.as_table(joined))
        if single:
            result.append(self.as_table(single))
        return result + rest

    def as_table(self, parts: list[Typed]) -> Typed:
        if len(parts) == 1:
            return parts[0]
        every = combined(e.AllOf([part.expression for part in parts]), TRUTH, list(parts))
        return self.tabulator.simplified(every)

    def sifted(
        self, domain: TypedDomain, conditions: list[Typed], slot: int
    ) -> tuple[TypedDomain, list[Typed]]:
        """Sort out beforehand what fixed data exclude."""
        rest: list[Typed] = []
        assert isinstance(domain.domain, d.Fixed)
        members = domain.domain.members
        for condition in conditions:
            selection = condition.selects.get(slot)
            if selection is not None and isinstance(selection.domain, d.Fixed):
                kept = set(selection.domain.members)
                members = [thing for thing in members if thing in kept]
            else:
                rest.append(condition)
        return attrs.evolve(domain, domain=d.Fixed(members)), rest

    def shortest(
        self, domain: TypedDomain, conditions: list[Typed], slot: int
    ) -> tuple[Typed, Selection] | None:
        """Return the condition that leaves the fewest things to try."""
        assert isinstance(domain.domain, d.Fixed)
        everything = self.tabulator.universe.of(domain.type)
        if len(domain.domain.members) != len(everything):
            return None
        best: tuple[Typed, Selection] | None = None
        for condition in conditions:
            selection = condition.selects.get(slot)
            if selection is not None and not isinstance(selection.domain, d.Fixed):
                if best is None or selection.length < best[1].length:
                    best = (condition, selection)
        return best
