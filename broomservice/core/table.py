"""The table: a position, the stack of running verbs, and the loop that carries out steps.

A position is one flat list of small whole numbers, `cells`. What runs is a stack of frames, each a
list of whole numbers: the next step, `me`, the bound names. So any position, in the middle of any
step, is copied by copying lists and saved by writing numbers.
"""

from __future__ import annotations

from typing import Final

import attr

from broomservice.core.chance import Chance
from broomservice.core.errors import EngineError, RuleError
from broomservice.core.expressions import LARGEST_NUMBER, NOTHING, Expression

WAIT: Final = -1
SWITCH: Final = -2
OVER: Final = -3
FAULT: Final = -4

PASS: Final = 0
NOBODY: Final = -1
CHANCE: Final = -2

THIS: Final = 2
HERE: Final = 3
ACTOR: Final = 4


@attr.s(auto_attribs=True, eq=False)
class Effect:
    """One compiled step. It knows its own number and the numbers of the steps that follow."""

    number: int

    def run(self, table: Table, frame: list[int]) -> int:
        """Carry out the step; return the next step's number, or WAIT, SWITCH or OVER."""
        raise NotImplementedError

    def take(self, table: Table, frame: list[int], option: int) -> int:
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

    kinds: int
    places: int
    whereabouts: list[int]
    tallies: list[int]
    occupants: list[int]
    sizes: list[int]
    limits: list[int]
    active: list[int]
    owners: list[int]
    copies: list[int]


@attr.s(auto_attribs=True, eq=False)
class Hook:
    """What a piece adds to the rules while it lies in an active place, or a rule always.

    `kind` is -1 for a rule of the pack. `places` are the active places that the piece may lie in.
    `when` is judged in a frame of the hook: this piece, the place where it lies, who acts, then
    the arguments. `option` narrows a ban to one option (-1: any). `rank` is the declared order.
    """

    kind: int
    rank: int
    places: list[int]
    when: Expression
    entry: int
    size: int
    option: int

    def lying(self, table: Table) -> list[int]:
        """Return the active places where the piece lies, once for each copy."""
        if self.kind < 0:
            return [NOTHING]
        layout = table.layout
        cell = layout.whereabouts[self.kind]
        if cell >= 0:
            place = table.cells[cell]
            return [place] if place >= 0 and layout.active[place] != 0 else []
        result: list[int] = []
        for place in self.places:
            for _ in range(table.holding(place, self.kind)):
                result.append(place)
        return result

    def frame_at(self, place: int, me: int, actor: int, arguments: list[int]) -> list[int]:
        """Return a frame in which the hook's condition is judged and its steps run."""
        frame = [self.entry, me, self.kind, place, actor]
        frame.extend(arguments)
        while len(frame) < self.size:
            frame.append(0)
        return frame


@attr.s(auto_attribs=True, eq=False)
class Table:
    """A position and what runs on it.

    `decider` is the player who answers next, CHANCE, or NOBODY when the game is over; `options`
    are the numbers of the possible answers. `log` collects what happened, as numbers, or is None.
    """

    code: list[Effect]
    layout: Layout
    cells: list[int]
    stack: list[list[int]]
    options: list[int]
    decider: int
    chance: Chance
    chance_asks: bool
    budget: int
    log: list[list[int]] | None

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
        )

    def begin(self, entry: int, size: int) -> None:
        """Start the course of play and go on to the first question."""
        frame = [entry, NOBODY] + [0] * (size - 2)
        self.stack = [frame]
        self.proceed(frame, entry)

    def answer(self, option: int) -> bool:
        """Give the answer and go on to the next question; False if it is not an option."""
        if option not in self.options:
            return False
        frame = self.stack[-1]
        effect = self.code[frame[0]]
        if self.log is not None:
            self.log.append([effect.number, self.decider, option])
        self.proceed(frame, effect.take(self, frame, option))
        return True

    def ask_again(self) -> None:
        """Work out the open question anew, from the frames alone."""
        if not self.stack:
            self.options = []
            self.decider = NOBODY
            return
        frame = self.stack[-1]
        if self.code[frame[0]].run(self, frame) != WAIT:
            raise EngineError("this position asks nothing")

    def proceed(self, frame: list[int], step: int) -> None:
        """Carry out steps until somebody is asked, or the game is over."""
        code = self.code
        left = self.budget
        try:
            while True:
                while step >= 0:
                    left -= 1
                    if left < 0:
                        self.complain_of_circle(step)
                    frame[0] = step
                    step = code[step].run(self, frame)
                if step == SWITCH:
                    frame = self.stack[-1]
                    step = frame[0]
                elif step == WAIT:
                    return
                elif step == OVER:
                    self.stack = []
                    self.options = []
                    self.decider = NOBODY
                    return
                else:
                    raise RuleError("there is nothing to choose from", [frame[0]])
        except RuleError as fault:
            if not fault.steps:
                fault.steps.append(self.stack[-1][0])
            raise

    def complain_of_circle(self, step: int) -> None:
        """Raise the error that names the steps which run in circles."""
        seen: list[int] = []
        for _ in range(64):
            if step not in seen:
                seen.append(step)
            if step >= 0:
                frame = self.stack[-1]
                frame[0] = step
                step = self.code[step].run(self, frame)
            if step == SWITCH:
                step = self.stack[-1][0]
            if step < 0:
                break
        seen.sort()
        raise RuleError(f"the rules run in circles: over {self.budget} steps for one answer", seen)

    def ask(self, decider: int, options: list[int]) -> int:
        """Put a question and wait."""
        self.decider = decider
        self.options = options
        return WAIT

    def holding(self, place: int, kind: int) -> int:
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

    def move(self, kind: int, source: int, target: int, amount: int) -> None:
        """Move pieces of one kind; a unique piece comes from wherever it lies if `source` is -1."""
        if kind < 0 or target < 0:
            raise RuleError("nothing can be moved to nowhere", [])
        layout = self.layout
        cell = layout.whereabouts[kind]
        if cell >= 0 and source < 0:
            source = self.cells[cell]
        if source == target or amount == 0:
            return
        if amount < 0 or self.holding(source, kind) < amount:
            raise RuleError("more pieces are to be moved than there are", [])
        if cell >= 0:
            self.cells[cell] = target
        self.add_to(source, kind, -amount)
        self.add_to(target, kind, amount)
        if self.log is not None:
            self.log.append([NOTHING, kind, source, target, amount])

    def add_to(self, place: int, kind: int, amount: int) -> None:
        """Change what the cells of one place say about a kind."""
        layout = self.layout
        cells = self.cells
        found = layout.whereabouts[kind] >= 0
        cell = layout.tallies[place * layout.kinds + kind]
        if cell >= 0:
            cells[cell] += amount
            found = True
        cell = layout.occupants[place]
        if cell >= 0:
            if amount > 0 and cells[cell] != NOTHING:
                raise RuleError("the place is full", [])
            cells[cell] = kind if amount > 0 else NOTHING
            found = True
        cell = layout.sizes[place]
        if cell >= 0:
            cells[cell] += amount
            limit = layout.limits[place]
            if limit >= 0 and cells[cell] > limit:
                raise RuleError("the place is full", [])
        if not found:
            raise RuleError("the place does not hold such pieces", [])

    def set_cell(self, cell: int, number: int) -> None:
        """Set a counter; no number may grow beyond all measure."""
        if number > LARGEST_NUMBER or number < -LARGEST_NUMBER:
            raise RuleError("a number grew beyond all measure", [])
        self.cells[cell] = number

    def call(self, entry: int, size: int, me: int, arguments: list[int]) -> list[int]:
        """Start a verb in a frame of its own."""
        if len(self.stack) > 200:
            raise RuleError("verbs call each other without end", [])
        frame = [entry, me]
        frame.extend(arguments)
        while len(frame) < size:
            frame.append(0)
        self.stack.append(frame)
        return frame
