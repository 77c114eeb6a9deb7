"""The table: a position, the stack of running verbs, and the loop that carries out steps.

A position is one flat list of small whole numbers, `cells`. What runs is a stack of frames, each a
list of whole numbers: the next step, `me`, the bound names. So any position, in the middle of any
step, is copied by copying lists and saved by writing numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attr

from broomservice.core.chance import Chance
from broomservice.core.errors import EngineError, RuleError
from broomservice.core.expressions import LARGEST_NUMBER, NOTHING, Expression

if TYPE_CHECKING:
    from mypy_extensions import i64

PASS: Final = 0
# Follows the answer in a line of the log about a question that was not put: one thing was open, or
# nothing. What comes behind it says why a player was passed over: the requirement, its values.
UNASKED: Final = 1
NOBODY: Final = -1
CHANCE: Final = -2

THIS: Final = 2
HERE: Final = 3
ACTOR: Final = 4

DEEPEST: Final = 200


@attr.s(auto_attribs=True, eq=False)
class Effect:
    """One compiled step. It knows its own number and the steps that may follow."""

    number: i64

    def run(self, table: Table, frame: list[i64]) -> Effect | None:
        """Carry out the step; return the next one, or None to wait for an answer or to end."""
        raise NotImplementedError

    def take(self, table: Table, frame: list[i64], option: i64) -> Effect | None:
        """Go on with the answer to the question that this step asked."""
        raise EngineError("a step that asks nothing was answered")


@attr.s(auto_attribs=True, eq=False)
class Layout:
    """Where things lie in the cells; -1 where there is no such cell.

    `kinds` is the number of kinds of pieces. `whereabouts[kind]` is the cell that tells where a
    unique piece lies. `tallies[place * kinds + kind]` counts a kind in a place,
    `occupants[place]` names the one piece in a place that holds one at most, and `sizes[place]`
    counts all pieces of a place. `limits`, `active` and `owners` go by place too.
    """

    kinds: i64
    places: i64
    whereabouts: list[i64]
    tallies: list[i64]
    occupants: list[i64]
    sizes: list[i64]
    limits: list[i64]
    active: list[i64]
    owners: list[i64]
    copies: list[i64]


@attr.s(auto_attribs=True, eq=False)
class Hook:
    """What a piece adds to the rules while it lies in an active place, or a rule always.

    `kind` is -1 for a rule of the pack. `places` are the active places that the piece may lie in.
    `when` is judged in a frame of the hook: this piece, the place where it lies, who acts, then
    the arguments. `option` narrows a ban to one option (-1: any). `rank` is the declared order.
    """

    kind: i64
    rank: i64
    places: list[i64]
    when: Expression
    entry: i64
    size: i64
    option: i64

    def lying(self, table: Table) -> list[i64]:
        """Return the active places where the piece lies, once for each copy."""
        if self.kind < 0:
            return [NOTHING]
        layout = table.layout
        cell = layout.whereabouts[self.kind]
        if cell >= 0:
            place = table.cells[cell]
            return [place] if place >= 0 and layout.active[place] != 0 else []
        result: list[i64] = []
        for place in self.places:
            for _ in range(table.holding(place, self.kind)):
                result.append(place)
        return result

    def frame_at(self, place: i64, me: i64, actor: i64, arguments: list[i64]) -> list[i64]:
        """Return a frame in which the hook's condition is judged and its steps run."""
        frame: list[i64] = [self.entry, me, self.kind, place, actor]
        frame.extend(arguments)
        while len(frame) < self.size:
            frame.append(0)
        return frame


@attr.s(auto_attribs=True, eq=False)
class Table:
    """A position and what runs on it.

    `decider` is the player who answers next, CHANCE, or NOBODY when the game is over; `options`
    are the numbers of the possible answers. `log` collects what happened, as numbers, or is None.
    `moments` keeps the positions since the last answer in which a question was not put, as one
    thing was open, or nothing: the line of the log, the size of the frame, the frame, the cells.
    """

    code: list[Effect]
    layout: Layout
    cells: list[i64]
    stack: list[list[i64]]
    options: list[i64]
    decider: i64
    chance: Chance
    chance_asks: bool
    budget: i64
    log: list[list[i64]] | None
    moments: list[list[i64]]

    def copy(self) -> Table:
        """Return a table that goes on independently of this one."""
        log = self.log
        return Table(
            self.code,
            self.layout,
            self.cells[:],
            [frame[:] for frame in self.stack],
            self.options[:],
            self.decider,
            Chance(self.chance.a, self.chance.b),
            self.chance_asks,
            self.budget,
            None if log is None else log[:],
            self.moments[:],
        )

    def begin(self, entry: i64, size: i64) -> None:
        """Start the course of play and go on to the first question."""
        frame: list[i64] = [entry, NOBODY]
        while len(frame) < size:
            frame.append(0)
        self.stack = [frame]
        self.proceed(self.code[entry])

    def answer(self, option: i64) -> bool:
        """Give the answer and go on to the next question; False if it is not an option."""
        found = False
        for one in self.options:
            if one == option:
                found = True
        if not found:
            return False
        frame = self.stack[-1]
        effect = self.code[frame[0]]
        if self.log is not None:
            self.log.append([effect.number, self.decider, option])
            if self.decider != CHANCE:
                self.moments = []
        self.proceed(effect.take(self, frame, option))
        return True

    def ask_again(self) -> None:
        """Work out the open question anew, from the frames alone."""
        self.options = []
        self.decider = NOBODY
        if not self.stack:
            return
        frame = self.stack[-1]
        if self.code[frame[0]].run(self, frame) is not None or not self.options:
            raise EngineError("this position asks nothing")

    def proceed(self, effect: Effect | None) -> None:
        """Carry out steps until somebody is asked, or the game is over."""
        left = self.budget
        number: i64 = NOTHING
        try:
            while effect is not None:
                number = effect.number
                left -= 1
                if left < 0:
                    self.complain_of_circle(effect)
                effect = effect.run(self, self.stack[-1])
        except RuleError as fault:
            if not fault.steps:
                fault.steps.append(number)
            raise

    def complain_of_circle(self, effect: Effect) -> None:
        """Raise the error that names the steps which run in circles."""
        seen: list[int] = []
        following: Effect | None = effect
        for _ in range(64):
            if following is not None:
                if following.number not in seen:
                    seen.append(following.number)
                following = following.run(self, self.stack[-1])
        seen.sort()
        raise RuleError(f"the rules run in circles: over {self.budget} steps for one answer", seen)

    def ask(self, effect: Effect, frame: list[i64], decider: i64, options: list[i64]) -> None:
        """Put a question and wait."""
        frame[0] = effect.number
        self.decider = decider
        self.options = options

    def leave_out(self, effect: Effect, frame: list[i64], line: list[i64]) -> None:
        """Note in the log that a question was not put; keep the position for explanations."""
        if self.log is None:
            return
        moment: list[i64] = [len(self.log), len(frame)]
        moment.extend(frame)
        moment[2] = effect.number
        moment.extend(self.cells)
        self.moments.append(moment)
        self.log.append(line)

    def end(self) -> None:
        """End the game."""
        self.stack = []
        self.options = []
        self.decider = NOBODY

    def call(self, frame: list[i64], back: Effect, called: list[i64]) -> Effect:
        """Let a frame wait at a step, and go on in a new one."""
        if len(self.stack) > DEEPEST:
            raise RuleError("verbs call each other without end", [])
        frame[0] = back.number
        self.stack.append(called)
        return self.code[called[0]]

    def holding(self, place: i64, kind: i64) -> i64:
        """Return how many pieces of a kind lie in a place."""
        layout = self.layout
        cell = layout.whereabouts[kind]
        if cell >= 0:
            return 1 if self.cells[cell] == place else 0
        cell = layout.tallies[place * layout.kinds + kind]
        if cell >= 0:
            return self.cells[cell]
        cell = layout.occupants[place]
        if cell >= 0:
            return 1 if self.cells[cell] == kind else 0
        return 0

    def move(self, kind: i64, source: i64, target: i64, amount: i64) -> None:
        """Move pieces of one kind; a unique piece comes from wherever it lies if `source` is -1."""
        if kind < 0 or target < 0:
            raise RuleError("nothing can be moved to nowhere", [])
        layout = self.layout
        cell = layout.whereabouts[kind]
        if cell >= 0 and source < 0:
            source = self.cells[cell]
        if source == target or amount == 0:
            return
        if amount < 0 or source < 0:
            raise RuleError("more pieces are to be moved than there are", [])
        if cell >= 0:
            if self.cells[cell] != source:
                raise RuleError("more pieces are to be moved than there are", [])
            self.cells[cell] = target
        self.add_to(source, kind, -amount)
        self.add_to(target, kind, amount)
        if self.log is not None:
            self.log.append([NOTHING, kind, source, target, amount])

    def add_to(self, place: i64, kind: i64, amount: i64) -> None:
        """Change what the cells of one place say about a kind."""
        layout = self.layout
        cells = self.cells
        cell = layout.tallies[place * layout.kinds + kind]
        if cell >= 0:
            number = cells[cell] + amount
            if number < 0:
                raise RuleError("more pieces are to be moved than there are", [])
            cells[cell] = number
        elif layout.occupants[place] >= 0:
            self.occupy(layout.occupants[place], kind, amount)
            return
        elif layout.whereabouts[kind] < 0 or layout.sizes[place] < 0:
            raise RuleError("the place does not hold such pieces", [])
        cell = layout.sizes[place]
        number = cells[cell] + amount
        limit = layout.limits[place]
        if limit >= 0 and number > limit:
            raise RuleError("the place is full", [])
        cells[cell] = number

    def occupy(self, cell: i64, kind: i64, amount: i64) -> None:
        """Put a piece into a place that holds one at most, or take it out."""
        wanted = NOTHING if amount > 0 else kind
        if self.cells[cell] != wanted or amount > 1 or amount < -1:
            raise RuleError(
                "the place is full" if amount > 0 else "more pieces are to be moved than there are",
                [],
            )
        self.cells[cell] = kind if amount > 0 else NOTHING

    def set_cell(self, cell: i64, number: i64) -> None:
        """Set a counter; no number may grow beyond all measure."""
        if number > LARGEST_NUMBER or number < -LARGEST_NUMBER:
            raise RuleError("a number grew beyond all measure", [])
        self.cells[cell] = number
