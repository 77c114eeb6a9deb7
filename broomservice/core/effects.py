"""Effects that do something: move pieces, count, call verbs, loop, announce."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attr

from broomservice.core.domains import Domain
from broomservice.core.errors import RuleError
from broomservice.core.expressions import ME, NOTHING, Always, Expression
from broomservice.core.table import ACTOR, HERE, THIS, UNASKED, Effect, Hook, Table

if TYPE_CHECKING:
    from mypy_extensions import i64


@attr.s(auto_attribs=True, eq=False)
class Branch(Effect):
    """Go one way if a condition holds, else another."""

    condition: Expression
    then: Effect
    otherwise: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        if self.condition.value(table.cells, frame) != 0:
            return self.then
        return self.otherwise


@attr.s(auto_attribs=True, eq=False)
class Let(Effect):
    """Bind a name; binding slot 1 makes somebody else `me`."""

    slot: i64
    amount: Expression
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        frame[self.slot] = self.amount.value(table.cells, frame)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class LetBoth(Effect):
    """Two bindings in a row: `broomservice.compile.fuse` puts it in the place of the first."""

    slot: i64
    amount: Expression
    other_slot: i64
    other_amount: Expression
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        frame[self.slot] = self.amount.value(cells, frame)
        frame[self.other_slot] = self.other_amount.value(cells, frame)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class Countdown(Effect):
    """Do the body so many times; the slot keeps how many times are left after this one."""

    slot: i64
    body: Effect
    done: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        left = frame[self.slot]
        if left <= 0:
            return self.done
        frame[self.slot] = left - 1
        return self.body


@attr.s(auto_attribs=True, eq=False)
class SetCounter(Effect):
    """Set a counter, or add to it."""

    base: i64
    stride: i64
    owner: Expression
    amount: Expression
    adds: bool
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        owner = self.owner.value(cells, frame)
        if owner < 0:
            raise RuleError("a counter of nobody was to be changed", [])
        cell = self.base + owner * self.stride
        amount = self.amount.value(cells, frame)
        table.set_cell(cell, cells[cell] + amount if self.adds else amount)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class Score(Effect):
    """Add points to a player's score; the log keeps who scored, how much, and for what."""

    base: i64
    owner: Expression
    amount: Expression
    about: list[Expression]
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        owner = self.owner.value(cells, frame)
        amount = self.amount.value(cells, frame)
        if owner < 0:
            raise RuleError("nobody was to score", [])
        if amount != 0:
            table.set_cell(self.base + owner, cells[self.base + owner] + amount)
            if table.log is not None:
                entry = [self.number, owner, amount]
                for part in self.about:
                    entry.append(part.value(cells, frame))
                table.log.append(entry)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class Tell(Effect):
    """Write a sentence into the log, with the values that its gaps have now."""

    values: list[Expression]
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        if table.log is not None:
            entry = [self.number, frame[ME]]
            for part in self.values:
                entry.append(part.value(table.cells, frame))
            table.log.append(entry)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class MovePieces(Effect):
    """Move pieces of one kind from place to place."""

    kind: Expression
    amount: Expression
    source: Expression
    target: Expression
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        table.move(
            self.kind.value(cells, frame),
            self.source.value(cells, frame),
            self.target.value(cells, frame),
            self.amount.value(cells, frame),
        )
        return self.next


@attr.s(auto_attribs=True, eq=False)
class MoveAll(Effect):
    """Move everything that a domain lists from place to place."""

    slot: i64
    pieces: Domain
    condition: Expression
    source: Expression
    target: Expression
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        source = self.source.value(cells, frame)
        chosen: list[i64] = []
        for kind in self.pieces.values(cells, frame):
            frame[self.slot] = kind
            if self.condition.value(cells, frame) != 0:
                chosen.append(kind)
        for kind in chosen:
            frame[self.slot] = kind
            target = self.target.value(cells, frame)
            table.move(kind, source, target, table.holding(source, kind))
        return self.next


@attr.s(auto_attribs=True, eq=False)
class NextThing(Effect):
    """Go through a domain in rising order; the slot keeps the last thing done."""

    slot: i64
    domain: Domain
    condition: Expression
    body: Effect
    done: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        slot = self.slot
        last = frame[slot]
        cells = table.cells
        condition = self.condition
        for thing in self.domain.values(cells, frame):
            if thing > last:
                frame[slot] = thing
                if isinstance(condition, Always) or condition.value(cells, frame) != 0:
                    return self.body
        return self.done


@attr.s(auto_attribs=True, eq=False)
class NextPlayer(Effect):
    """Go through the players clockwise, the body running as each of them.

    `turn` counts the players done, `first` is who began, `before` is who was `me`. Of those whom
    `meant` fits, the log tells which of the `duties` they do not meet if they are passed over, with
    the `values` that its sentence names.
    """

    turn: i64
    first: i64
    before: i64
    name: i64
    players: i64
    seats: i64
    condition: Expression
    meant: Expression
    duties: list[Expression]
    values: list[list[Expression]]
    body: Effect
    done: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        players = self.players
        condition = self.condition
        while frame[self.turn] < players:
            player = frame[self.first]
            steps = frame[self.turn]
            if self.seats < 0:
                player = (player + steps) % players
            else:
                seat = (cells[self.seats + player] + steps) % players
                player = cells[self.seats + players + seat]
            frame[self.turn] = steps + 1
            frame[ME] = player
            frame[self.name] = player
            if isinstance(condition, Always) or condition.value(cells, frame) != 0:
                return self.body
            if table.log is not None:
                self.pass_over(table, frame, player)
        frame[ME] = frame[self.before]
        return self.done

    def pass_over(self, table: Table, frame: list[i64], player: i64) -> None:
        """Write into the log which requirement a player does not meet."""
        cells = table.cells
        if table.log is None or self.meant.value(cells, frame) == 0:
            return
        for i in range(len(self.duties)):
            if self.duties[i].value(cells, frame) == 0:
                line: list[i64] = [self.number, player, NOTHING, UNASKED, i]
                for gap in self.values[i]:
                    line.append(gap.value(cells, frame))
                table.log.append(line)
                return


@attr.s(auto_attribs=True, eq=False)
class SwapSeats(Effect):
    """Two players change seats, and the order of play with them."""

    first: Expression
    second: Expression
    players: i64
    seats: i64
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        one = self.first.value(cells, frame)
        two = self.second.value(cells, frame)
        if one < 0 or two < 0:
            raise RuleError("nobody was to change seats", [])
        seat_one = cells[self.seats + one]
        seat_two = cells[self.seats + two]
        cells[self.seats + one] = seat_two
        cells[self.seats + two] = seat_one
        cells[self.seats + self.players + seat_two] = one
        cells[self.seats + self.players + seat_one] = two
        return self.next


@attr.s(auto_attribs=True, eq=False)
class Call(Effect):
    """Call a verb, unless a hook replaces it. `blank` is a new frame of the verb."""

    blank: list[i64]
    arguments: list[Expression]
    replacements: list[Hook]
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        me = frame[ME]
        called = self.blank[:]
        called[ME] = me
        slot = 2
        for part in self.arguments:
            called[slot] = part.value(cells, frame)
            slot += 1
        if self.replacements:
            values = called[2:slot]
            for hook in self.replacements:
                for place in hook.lying(table):
                    judged = hook.frame_at(place, me, me, values)
                    if hook.when.value(cells, judged) != 0:
                        return table.call(frame, self.next, judged)
        return table.call(frame, self.next, called)


@attr.s(auto_attribs=True, eq=False)
class Perform(Effect):
    """Run a named part of a piece, such as the brave part of a role.

    `blanks` are new frames of the part, by kind of piece; empty where a piece has no such part.
    """

    kind: Expression
    blanks: list[list[i64]]
    arguments: list[Expression]
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        cells = table.cells
        kind = self.kind.value(cells, frame)
        called = self.blanks[kind][:]
        if not called:
            return self.next
        called[ME] = frame[ME]
        called[THIS] = kind
        slot = THIS + 1
        for part in self.arguments:
            called[slot] = part.value(cells, frame)
            slot += 1
        return table.call(frame, self.next, called)


@attr.s(auto_attribs=True, eq=False)
class Return(Effect):
    """A verb is done."""

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        table.stack.pop()
        return table.code[table.stack[-1][0]]


@attr.s(auto_attribs=True, eq=False)
class Finish(Effect):
    """The game is over."""

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        table.end()
        return None


@attr.s(auto_attribs=True, eq=False)
class Fault(Effect):
    """What must never be reached: a choice that has to be made among nothing."""

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        raise RuleError("there is nothing to choose from", [])


@attr.s(auto_attribs=True, eq=False)
class Label(Effect):
    """A step that is not known yet: stands for it only while a pack is compiled."""

    target: Effect | None


@attr.s(auto_attribs=True, eq=False)
class Announce(Effect):
    """Run the triggers that wait for an announcement.

    The order is total: first the triggers of the player whose turn it is (and of pieces that
    belong to nobody), then clockwise; of one player's, in the order of declaration, then of place.
    """

    arguments: list[Expression]
    triggers: list[Hook]
    players: i64
    seats: i64
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        if not self.triggers:
            return self.next
        me = frame[ME]
        waiting: list[list[i64]] = []
        for hook in self.triggers:
            for place in hook.lying(table):
                owner = table.layout.owners[place] if place >= 0 else NOTHING
                waiting.append([self.distance(table, me, owner), hook.rank, place, owner])
        if not waiting:
            return self.next
        waiting.sort()
        waiting.reverse()
        frame[0] = self.next.number
        values = [part.value(table.cells, frame) for part in self.arguments]
        for instance in waiting:
            hook = self.hook_of(instance[1])
            place = instance[2]
            owner = instance[3]
            runs_as = me if owner < 0 else owner
            table.stack.append(hook.frame_at(place, runs_as, me, values))
        return table.code[table.stack[-1][0]]

    def distance(self, table: Table, me: i64, owner: i64) -> i64:
        """Return how many seats clockwise the owner of a piece sits from the player at turn."""
        if owner < 0 or me < 0:
            return 0
        if self.seats < 0:
            return (owner - me) % self.players
        cells = table.cells
        return (cells[self.seats + owner] - cells[self.seats + me]) % self.players

    def hook_of(self, rank: i64) -> Hook:
        """Return the trigger of a rank."""
        for hook in self.triggers:
            if hook.rank == rank:
                return hook
        raise RuleError("a trigger is missing", [])


@attr.s(auto_attribs=True, eq=False)
class Guard(Effect):
    """The first step of a trigger: its piece must still lie there, and its condition hold now."""

    kind: i64
    condition: Expression
    next: Effect

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        lies = self.kind < 0 or table.holding(frame[HERE], self.kind) > 0
        if lies and self.condition.value(table.cells, frame) != 0:
            if table.log is not None:
                table.log.append([self.number, frame[ME], frame[THIS], frame[ACTOR]])
            return self.next
        table.stack.pop()
        return table.code[table.stack[-1][0]]
