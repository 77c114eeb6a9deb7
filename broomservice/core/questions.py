"""Effects that ask: choices of players, alternatives, and draws by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attr

from broomservice.core.chance import Chance
from broomservice.core.domains import Domain
from broomservice.core.expressions import ME, NOTHING, UNKNOWN, Always, Constant, Expression
from broomservice.core.table import CHANCE, PASS, UNASKED, Effect, Hook, Table

if TYPE_CHECKING:
    from mypy_extensions import i64


@attr.s(auto_attribs=True, eq=False)
class Bans:
    """The hooks that take options away at a point."""

    hooks: list[Hook]

    def forbids(self, table: Table, me: i64, option: i64, value: i64) -> bool:
        """Whether some active ban removes an option."""
        for hook in self.hooks:
            if (hook.option < 0 or hook.option == option) and self.bites(table, hook, me, value):
                return True
        return False

    def bites(self, table: Table, hook: Hook, me: i64, value: i64) -> bool:
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
    follows a pass, `empty` the step if there is nothing to choose from. `once` are the slots of
    numbers that are the same for all things, to be worked out anew.
    """

    slot: i64
    domain: Domain
    condition: Expression
    base: i64
    may: bool
    always: bool
    bans: Bans
    once: list[i64]
    next: Effect
    declined: Effect
    empty: Effect

    def candidates(self, table: Table, frame: list[i64]) -> list[i64]:
        """Return the things that meet every requirement, in rising order."""
        cells = table.cells
        slot = self.slot
        condition = self.condition
        if isinstance(condition, Always):
            return self.domain.values(cells, frame)
        result: list[i64] = []
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if condition.value(cells, frame) != 0:
                result.append(thing)
        return result

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        for slot in self.once:
            frame[slot] = UNKNOWN
        return self.offer(table, frame, self.candidates(table, frame))

    def offer(self, table: Table, frame: list[i64], things: list[i64]) -> Effect | None:
        """Ask, or take what is certain."""
        base = self.base
        options: list[i64] = []
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
            if table.log is not None:
                table.leave_out(self, frame, [self.number, frame[ME], NOTHING, UNASKED])
            return self.empty
        if self.may:
            options.append(PASS)
        elif len(options) == 1 and not self.always:
            if table.log is not None:
                table.leave_out(self, frame, [self.number, frame[ME], options[0], UNASKED])
            frame[self.slot] = options[0] - base
            return self.next
        table.ask(self, frame, frame[ME], options)
        return None

    def take(self, table: Table, frame: list[i64], option: i64) -> Effect | None:
        if option == PASS:
            frame[self.slot] = NOTHING
            return self.declined
        frame[self.slot] = option - self.base
        return self.next


@attr.s(auto_attribs=True, eq=False)
class ChooseAmong(Choose):
    """A choice of which some things are alike: of those, only the first is offered."""

    likeness: Expression

    def candidates(self, table: Table, frame: list[i64]) -> list[i64]:
        cells = table.cells
        seen: list[i64] = []
        result: list[i64] = []
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

    `last` is the slot of the thing picked before, `left` that of the picks still to make after
    this one. Unless one may stop, enough things stay above the pick for those to come.
    """

    last: i64
    left: i64

    def candidates(self, table: Table, frame: list[i64]) -> list[i64]:
        cells = table.cells
        slot = self.slot
        last = frame[self.last]
        condition = self.condition
        free = isinstance(condition, Always)
        result: list[i64] = []
        for thing in self.domain.values(cells, frame):
            if thing > last:
                frame[slot] = thing
                if free or condition.value(cells, frame) != 0:
                    result.append(thing)
        if self.bans.hooks:
            me = frame[ME]
            base = self.base
            result = [
                thing for thing in result if not self.bans.forbids(table, me, base + thing, thing)
            ]
        if self.may:
            return result
        spare = len(result) - frame[self.left]
        return result[:spare] if spare > 0 else []

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        for slot in self.once:
            frame[slot] = UNKNOWN
        following = self.offer(table, frame, self.candidates(table, frame))
        if following is not None:
            frame[self.last] = frame[self.slot]
        return following

    def take(self, table: Table, frame: list[i64], option: i64) -> Effect | None:
        if option == PASS:
            frame[self.slot] = NOTHING
            return self.declined
        frame[self.slot] = option - self.base
        frame[self.last] = frame[self.slot]
        return self.next


def any_option(table: Table, picker: Chance) -> i64:
    """Return one of the open options at random, each equally likely.

    Of several picks in rising order, each set is equally likely; the first picks alone are not.
    """
    options = table.options
    frame = table.stack[-1]
    effect = table.code[frame[0]]
    if isinstance(effect, ChooseRising) and not effect.may:
        needed = frame[effect.left] + 1
        above = len(options) + needed - 1
        for option in options:
            if picker.below(above) < needed:
                return option
            above -= 1
    return options[picker.below(len(options))]


@attr.s(auto_attribs=True, eq=False)
class Either(Effect):
    """Ask a player to pick one of several labelled alternatives, or one that a hook offers."""

    labels: list[i64]
    conditions: list[Expression]
    targets: list[Effect]
    may: bool
    always: bool
    bans: Bans
    offers: list[Hook]
    picked: i64
    next: Effect
    empty: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        me = frame[ME]
        options: list[i64] = []
        for i in range(len(self.labels)):
            condition = self.conditions[i]
            if isinstance(condition, Always) or condition.value(cells, frame) != 0:
                label = self.labels[i]
                if not self.bans.hooks or not self.bans.forbids(table, me, label, NOTHING):
                    options.append(label)
        for hook in self.offers:
            if self.stands(table, hook, me) is not None:
                if not self.bans.forbids(table, me, hook.option, NOTHING):
                    options.append(hook.option)
        if not options:
            if table.log is not None:
                table.leave_out(self, frame, [self.number, me, NOTHING, UNASKED])
            return self.empty
        if self.may_pass(frame):
            options.append(PASS)
        elif len(options) == 1 and not self.always:
            if table.log is not None:
                table.leave_out(self, frame, [self.number, me, options[0], UNASKED])
            return self.take(table, frame, options[0])
        table.ask(self, frame, me, options)
        return None

    def may_pass(self, frame: list[i64]) -> bool:
        """Whether one may take none of the alternatives."""
        return self.may

    def after_offer(self) -> Effect:
        """Return where to go on after an alternative that a hook offered."""
        return self.next

    def stands(self, table: Table, hook: Hook, me: i64) -> list[i64] | None:
        """Return the frame in which an offer would run for this player, if it stands."""
        for place in hook.lying(table):
            owner = table.layout.owners[place] if place >= 0 else NOTHING
            if owner < 0 or owner == me:
                judged = hook.frame_at(place, me, me, [])
                if hook.when.value(table.cells, judged) != 0:
                    return judged
        return None

    def take(self, table: Table, frame: list[i64], option: i64) -> Effect | None:
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
                    return table.call(frame, self.after_offer(), judged)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class AnyOrder(Either):
    """Alternatives that are done in any order, each once; one may stop when the required are done.

    `required` has a bit for each alternative that must be done, `picked` is the slot of those done.
    """

    required: i64

    def may_pass(self, frame: list[i64]) -> bool:
        return frame[self.picked] & self.required == self.required

    def after_offer(self) -> Effect:
        return self


@attr.s(auto_attribs=True, eq=False)
class Draw(Effect):
    """Chance picks one thing, each copy equally likely."""

    slot: i64
    domain: Domain
    condition: Expression
    weight: Expression
    base: i64
    next: Effect
    empty: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        slot = self.slot
        condition = self.condition
        free = isinstance(condition, Always)
        if free and isinstance(self.weight, Constant) and not table.chance_asks:
            before = table.chance.a
            thing = self.domain.drawn(cells, frame, table.chance)
            return self.drawn(table, frame, thing, table.chance.a != before)
        things: list[i64] = []
        weights: list[i64] = []
        total: i64 = 0
        for thing in self.domain.values(cells, frame):
            frame[slot] = thing
            if free or condition.value(cells, frame) != 0:
                weight = self.weight.value(cells, frame)
                if weight > 0:
                    things.append(thing)
                    weights.append(weight)
                    total += weight
        if not things:
            frame[slot] = NOTHING
            return self.empty
        if len(things) == 1:
            return self.drawn(table, frame, things[0], False)
        if table.chance_asks:
            base = self.base
            table.ask(self, frame, CHANCE, [base + thing for thing in things])
            return None
        ticket = table.chance.below(total)
        i: i64 = 0
        while ticket >= weights[i]:
            ticket -= weights[i]
            i += 1
        return self.drawn(table, frame, things[i], True)

    def drawn(self, table: Table, frame: list[i64], thing: i64, by_chance: bool) -> Effect | None:
        """Go on with what was drawn, if anything was; the log keeps what chance decided."""
        frame[self.slot] = thing
        if thing < 0:
            return self.empty
        if by_chance and table.log is not None:
            table.log.append([self.number, CHANCE, self.base + thing])
        return self.next

    def take(self, table: Table, frame: list[i64], option: i64) -> Effect | None:
        frame[self.slot] = option - self.base
        return self.next
