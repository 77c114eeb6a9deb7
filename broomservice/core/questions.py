"""Effects that ask: choices of players, alternatives, and draws by chance."""

from __future__ import annotations

import attr

from broomservice.core.domains import Domain
from broomservice.core.expressions import ME, NOTHING, Expression
from broomservice.core.table import CHANCE, PASS, SWITCH, WAIT, Effect, Hook, Table


@attr.s(auto_attribs=True, eq=False)
class Bans:
    """The hooks that take options away at a point."""

    hooks: list[Hook]

    def forbids(self, table: Table, me: int, option: int, value: int) -> bool:
        """Whether some active ban removes an option."""
        for hook in self.hooks:
            if (hook.option < 0 or hook.option == option) and self.bites(table, hook, me, value):
                return True
        return False

    def bites(self, table: Table, hook: Hook, me: int, value: int) -> bool:
        """Whether a ban concerns this player and its condition holds for the value."""
        for place in hook.lying(table):
            owner = table.layout.owners[place] if place >= 0 else NOTHING
            if owner < 0 or owner == me:
                judged = hook.frame_at(place, me, me, [value])
                if hook.when.value(table.cells, judged) != 0:
                    return True
        return False


@attr.s(auto_attribs=True, eq=False)
class Choose(Effect):
    """Ask a player to pick one thing; a lone option is taken by itself unless `always`.

    `base` turns a thing's number into the number of its option. `declined` is the step that
    follows a pass, `empty` the step if there is nothing to choose from.
    """

    slot: int
    domain: Domain
    condition: Expression
    base: int
    may: bool
    always: bool
    bans: Bans
    next: int
    declined: int
    empty: int

    def candidates(self, table: Table, frame: list[int]) -> list[int]:
        """Return the things that meet every requirement, in rising order."""
        cells = table.cells
        slot = self.slot
        condition = self.condition
        result: list[int] = []
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if condition.value(cells, frame) != 0:
                result.append(thing)
        return result

    def run(self, table: Table, frame: list[int]) -> int:
        return self.offer(table, frame, self.candidates(table, frame))

    def offer(self, table: Table, frame: list[int], things: list[int]) -> int:
        """Ask, or take what is certain."""
        base = self.base
        options: list[int] = []
        if self.bans.hooks:
            me = frame[ME]
            for thing in things:
                if not self.bans.forbids(table, me, base + thing, thing):
                    options.append(base + thing)
        else:
            for thing in things:
                options.append(base + thing)
        if not options:
            frame[self.slot] = NOTHING
            return self.empty
        if self.may:
            options.append(PASS)
        elif len(options) == 1 and not self.always:
            frame[self.slot] = options[0] - base
            return self.next
        table.decider = frame[ME]
        table.options = options
        return WAIT

    def take(self, table: Table, frame: list[int], option: int) -> int:
        if option == PASS:
            frame[self.slot] = NOTHING
            return self.declined
        frame[self.slot] = option - self.base
        return self.next


@attr.s(auto_attribs=True, eq=False)
class ChooseAmong(Choose):
    """A choice of which some things are alike: of those, only the first is offered."""

    likeness: Expression

    def candidates(self, table: Table, frame: list[int]) -> list[int]:
        cells = table.cells
        seen: list[int] = []
        result: list[int] = []
        for thing in self.domain.values(cells, frame):
            frame[self.slot] = thing
            if self.condition.value(cells, frame) != 0:
                likeness = self.likeness.value(cells, frame)
                if likeness not in seen:
                    seen.append(likeness)
                    result.append(thing)
        return result


@attr.s(auto_attribs=True, eq=False)
class ChooseRising(Choose):
    """One of several picks, in rising order, so that no set of things has two spellings.

    `last` is the slot of the thing picked before, `left` that of the picks still to make, this one
    included. Unless one may stop, enough things stay above the pick for those to come.
    """

    last: int
    left: int

    def candidates(self, table: Table, frame: list[int]) -> list[int]:
        cells = table.cells
        slot = self.slot
        last = frame[self.last]
        result: list[int] = []
        for thing in self.domain.values(cells, frame):
            if thing > last:
                frame[slot] = thing
                if self.condition.value(cells, frame) != 0:
                    result.append(thing)
        if self.may:
            return result
        spare = len(result) - frame[self.left] + 1
        return result[:spare] if spare > 0 else []


@attr.s(auto_attribs=True, eq=False)
class Either(Effect):
    """Ask a player to pick one of several labelled alternatives, or one that a hook offers."""

    labels: list[int]
    conditions: list[Expression]
    targets: list[int]
    may: bool
    always: bool
    bans: Bans
    offers: list[Hook]
    picked: int
    next: int
    empty: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        me = frame[ME]
        options: list[int] = []
        for i in range(len(self.labels)):
            if self.conditions[i].value(cells, frame) != 0:
                label = self.labels[i]
                if not self.bans.hooks or not self.bans.forbids(table, me, label, NOTHING):
                    options.append(label)
        for hook in self.offers:
            if self.stands(table, hook, me) is not None:
                if not self.bans.forbids(table, me, hook.option, NOTHING):
                    options.append(hook.option)
        if not options:
            return self.empty
        if self.may_pass(frame):
            options.append(PASS)
        elif len(options) == 1 and not self.always:
            return self.take(table, frame, options[0])
        table.decider = me
        table.options = options
        return WAIT

    def may_pass(self, frame: list[int]) -> bool:
        """Whether one may take none of the alternatives."""
        return self.may

    def stands(self, table: Table, hook: Hook, me: int) -> list[int] | None:
        """Return the frame in which an offer would run for this player, if it stands."""
        for place in hook.lying(table):
            owner = table.layout.owners[place] if place >= 0 else NOTHING
            if owner < 0 or owner == me:
                judged = hook.frame_at(place, me, me, [])
                if hook.when.value(table.cells, judged) != 0:
                    return judged
        return None

    def take(self, table: Table, frame: list[int], option: int) -> int:
        if option == PASS:
            return self.next
        for i in range(len(self.labels)):
            if self.labels[i] == option:
                if self.picked >= 0:
                    frame[self.picked] += 1 << i
                return self.targets[i]
        for hook in self.offers:
            if hook.option == option:
                judged = self.stands(table, hook, frame[ME])
                if judged is not None:
                    frame[0] = self.next
                    table.stack.append(judged)
                    return SWITCH
        return self.next


@attr.s(auto_attribs=True, eq=False)
class AnyOrder(Either):
    """Alternatives that are done in any order, each once; one may stop when the required are done.

    `required` has a bit for each alternative that must be done, `picked` is the slot of those done.
    """

    required: int

    def may_pass(self, frame: list[int]) -> bool:
        return frame[self.picked] & self.required == self.required


@attr.s(auto_attribs=True, eq=False)
class Draw(Effect):
    """Chance picks one thing, each copy equally likely."""

    slot: int
    domain: Domain
    condition: Expression
    weight: Expression
    base: int
    next: int
    empty: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        slot = self.slot
        things: list[int] = []
        weights: list[int] = []
        total = 0
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if self.condition.value(cells, frame) != 0:
                weight = self.weight.value(cells, frame)
                if weight > 0:
                    things.append(thing)
                    weights.append(weight)
                    total += weight
        if not things:
            frame[slot] = NOTHING
            return self.empty
        if len(things) == 1:
            frame[slot] = things[0]
            return self.next
        if table.chance_asks:
            table.decider = CHANCE
            table.options = [self.base + thing for thing in things]
            return WAIT
        ticket = table.chance.below(total)
        i = 0
        while ticket >= weights[i]:
            ticket -= weights[i]
            i += 1
        frame[slot] = things[i]
        if table.log is not None:
            table.log.append([self.number, CHANCE, self.base + things[i]])
        return self.next

    def take(self, table: Table, frame: list[int], option: int) -> int:
        frame[self.slot] = option - self.base
        return self.next
