"""Effects that do something: move pieces, count, call verbs, loop, announce."""

from __future__ import annotations

import attr

from broomservice.core.domains import Domain
from broomservice.core.errors import RuleError
from broomservice.core.expressions import ME, NOTHING, Expression
from broomservice.core.table import (
    ACTOR,
    HERE,
    OVER,
    SWITCH,
    THIS,
    Effect,
    Hook,
    Table,
)


@attr.s(auto_attribs=True, eq=False)
class Branch(Effect):
    """Go one way if a condition holds, else another."""

    condition: Expression
    then: int
    otherwise: int

    def run(self, table: Table, frame: list[int]) -> int:
        if self.condition.value(table.cells, frame) != 0:
            return self.then
        return self.otherwise


@attr.s(auto_attribs=True, eq=False)
class Let(Effect):
    """Bind a name; binding slot 1 makes somebody else `me`."""

    slot: int
    amount: Expression
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        frame[self.slot] = self.amount.value(table.cells, frame)
        return self.next


@attr.s(auto_attribs=True, eq=False)
class SetCounter(Effect):
    """Set a counter, or add to it."""

    base: int
    stride: int
    owner: Expression
    amount: Expression
    adds: bool
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
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

    base: int
    owner: Expression
    amount: Expression
    about: list[Expression]
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
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
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
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
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
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

    slot: int
    pieces: Domain
    condition: Expression
    source: Expression
    target: Expression
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        source = self.source.value(cells, frame)
        chosen: list[int] = []
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

    slot: int
    domain: Domain
    condition: Expression
    body: int
    done: int

    def run(self, table: Table, frame: list[int]) -> int:
        slot = self.slot
        last = frame[slot]
        cells = table.cells
        for thing in self.domain.values(cells, frame):
            if thing > last:
                frame[slot] = thing
                if self.condition.value(cells, frame) != 0:
                    return self.body
        return self.done


@attr.s(auto_attribs=True, eq=False)
class NextPlayer(Effect):
    """Go through the players clockwise, the body running as each of them.

    `turn` counts the players done, `first` is who began, `before` is who was `me`.
    """

    turn: int
    first: int
    before: int
    name: int
    players: int
    seats: int
    condition: Expression
    body: int
    done: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        players = self.players
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
            if self.condition.value(cells, frame) != 0:
                return self.body
        frame[ME] = frame[self.before]
        return self.done


@attr.s(auto_attribs=True, eq=False)
class SwapSeats(Effect):
    """Two players change seats, and the order of play with them."""

    first: Expression
    second: Expression
    players: int
    seats: int
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
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
    """Call a verb, unless a hook replaces it."""

    entry: int
    size: int
    arguments: list[Expression]
    replacements: list[Hook]
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        me = frame[ME]
        values = [part.value(cells, frame) for part in self.arguments]
        frame[0] = self.next
        for hook in self.replacements:
            for place in hook.lying(table):
                judged = hook.frame_at(place, me, me, values)
                if hook.when.value(cells, judged) != 0:
                    table.stack.append(judged)
                    return SWITCH
        table.call(self.entry, self.size, me, values)
        return SWITCH


@attr.s(auto_attribs=True, eq=False)
class Perform(Effect):
    """Run a named part of a piece, such as the brave part of a role."""

    kind: Expression
    entries: list[int]
    sizes: list[int]
    arguments: list[Expression]
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        cells = table.cells
        kind = self.kind.value(cells, frame)
        entry = self.entries[kind]
        if entry < 0:
            return self.next
        values = [kind]
        for part in self.arguments:
            values.append(part.value(cells, frame))
        frame[0] = self.next
        table.call(entry, self.sizes[kind], frame[ME], values)
        return SWITCH


@attr.s(auto_attribs=True, eq=False)
class Return(Effect):
    """A verb is done."""

    def run(self, table: Table, frame: list[int]) -> int:
        table.stack.pop()
        return SWITCH


@attr.s(auto_attribs=True, eq=False)
class Finish(Effect):
    """The game is over."""

    def run(self, table: Table, frame: list[int]) -> int:
        return OVER


@attr.s(auto_attribs=True, eq=False)
class Announce(Effect):
    """Run the triggers that wait for an announcement.

    The order is total: first the triggers of the player whose turn it is (and of pieces that
    belong to nobody), then clockwise; of one player's, in the order of declaration, then of place.
    """

    arguments: list[Expression]
    triggers: list[Hook]
    players: int
    seats: int
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        if not self.triggers:
            return self.next
        me = frame[ME]
        waiting: list[list[int]] = []
        for hook in self.triggers:
            for place in hook.lying(table):
                owner = table.layout.owners[place] if place >= 0 else NOTHING
                waiting.append([self.distance(table, me, owner), hook.rank, place, owner])
        if not waiting:
            return self.next
        waiting.sort()
        waiting.reverse()
        frame[0] = self.next
        values = [part.value(table.cells, frame) for part in self.arguments]
        for distance, rank, place, owner in waiting:
            hook = self.hook_of(rank)
            runs_as = me if owner < 0 else owner
            table.stack.append(hook.frame_at(place, runs_as, me, values))
        return SWITCH

    def distance(self, table: Table, me: int, owner: int) -> int:
        """Return how many seats clockwise the owner of a piece sits from the player at turn."""
        if owner < 0 or me < 0:
            return 0
        if self.seats < 0:
            return (owner - me) % self.players
        cells = table.cells
        return (cells[self.seats + owner] - cells[self.seats + me]) % self.players

    def hook_of(self, rank: int) -> Hook:
        """Return the trigger of a rank."""
        for hook in self.triggers:
            if hook.rank == rank:
                return hook
        raise RuleError("a trigger is missing", [])


@attr.s(auto_attribs=True, eq=False)
class Guard(Effect):
    """The first step of a trigger: its piece must still lie there, and its condition hold now."""

    kind: int
    condition: Expression
    next: int

    def run(self, table: Table, frame: list[int]) -> int:
        lies = self.kind < 0 or table.holding(frame[HERE], self.kind) > 0
        if lies and self.condition.value(table.cells, frame) != 0:
            if table.log is not None:
                table.log.append([self.number, frame[ME], frame[THIS], frame[ACTOR]])
            return self.next
        table.stack.pop()
        return SWITCH
