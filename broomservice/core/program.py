"""A compiled game for one number of players: all that a table needs to run."""

from __future__ import annotations

import attr

from broomservice.core.chance import Chance
from broomservice.core.questions import any_option
from broomservice.core.table import NOBODY, Effect, Layout, Table


@attr.s(auto_attribs=True, eq=False)
class Program:
    """The steps, the layout, and the cells at the very start."""

    players: int
    code: list[Effect]
    layout: Layout
    cells: list[int]
    entry: int
    size: int
    points: int
    budget: int

    def start(self, seed: int, *, chance_asks: bool = False, logged: bool = False) -> Table:
        """Return a table at the first question of a new game."""
        log: list[list[int]] | None = [] if logged else None
        table = Table(
            self.code,
            self.layout,
            self.cells[:],
            [],
            [],
            NOBODY,
            Chance.seeded(seed),
            chance_asks,
            self.budget,
            log,
            [],
        )
        table.begin(self.entry, self.size)
        return table

    def playout(self, seed: int) -> list[int]:
        """Play one game with random answers; return the points, then the number of decisions."""
        table = self.start(seed)
        picker = Chance.seeded(-1 - seed)
        decisions = 0
        while table.options:
            table.answer(any_option(table, picker))
            decisions += 1
        result = table.cells[self.points : self.points + self.players]
        result.append(decisions)
        return result
