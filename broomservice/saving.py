"""Saved positions: reading them back, and refusing what cannot be one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from broomservice.compile.compiler import Compiled
from broomservice.compile.types import Type
from broomservice.core.chance import MODULUS_A, MODULUS_B, Chance
from broomservice.core.errors import BroomserviceError
from broomservice.core.expressions import LARGEST_NUMBER
from broomservice.core.table import NOBODY, Table

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.state import State

PARTS = ("digest", "players", "names", "cells", "stack", "chance", "chance_asks", "log")
LARGEST_HELD = 2**62
LEAST_FRAME = 2
LEAST_LINE = 2
MOMENT_HEAD = 2


def restored(game: Game, text: str) -> State:
    """Return the position that `State.to_json` wrote.

    Raises:
        BroomserviceError: if it is of another game or version of the pack, or is damaged.
    """
    from broomservice.state import State

    data = parts_of(text)
    if data["digest"] != game.digest:
        raise BroomserviceError(
            f"this position is of another game or version of the pack: {data.get('game')}"
        )
    expect(type(data["players"]) is int, "how many play is no whole number")
    compiled = game.compiled(data["players"])
    names = names_in(data)
    table = table_of(data, compiled)
    state = State(game, compiled, table, names)
    try:
        table.ask_again()
    except (BroomserviceError, ArithmeticError, LookupError, TypeError, ValueError):
        raise damaged("its steps lead to no question") from None
    try:
        state.log_in("en")
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise damaged("its log tells of what there is not") from None
    return state


def damaged(why: str) -> BroomserviceError:
    """Return the error for a text that is no saved position."""
    return BroomserviceError(f"this is no saved position: {why}")


def expect(holds: bool, why: str) -> None:
    """Raise the error for a text that is no saved position, unless something holds."""
    if not holds:
        raise damaged(why)


def parts_of(text: str) -> dict[str, Any]:
    """Return the parts of a saved position; all that there must be are there."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise damaged("it is not JSON") from None
    if not isinstance(data, dict):
        raise damaged("it does not name its parts")
    for part in PARTS:
        expect(part in data, f"there is no '{part}' in it")
    return data


def names_in(data: dict[str, Any]) -> tuple[str, ...]:
    """Return what the players are called."""
    names, players = data["names"], data["players"]
    fits = isinstance(names, list) and all(isinstance(name, str) for name in names)
    expect(fits and len(names) == len(set(names)) == players, "the names are not one for each")
    return tuple(names)


def table_of(data: dict[str, Any], compiled: Compiled) -> Table:
    """Return the table of a saved position, each part checked; nothing is asked on it yet."""
    program, chance, log = compiled.program, data["chance"], data["log"]
    check_cells(data["cells"], compiled)
    check_stack(data["stack"], compiled)
    expect(is_row(chance, 2) and len(chance) == 2, "chance is not two whole numbers")
    expect(0 < chance[0] < MODULUS_A and 0 < chance[1] < MODULUS_B, "chance is out of its range")
    expect(isinstance(data["chance_asks"], bool), "whether chance asks is neither true nor false")
    if log is not None:
        check_log(log, compiled)
    moments = data.get("moments", [])
    check_moments(moments, log or [], compiled)
    return Table(
        program.code,
        program.layout,
        data["cells"],
        data["stack"],
        [],
        NOBODY,
        Chance(chance[0], chance[1]),
        data["chance_asks"],
        program.budget,
        log,
        moments,
    )


def is_row(row: Any, least: int = 0) -> bool:
    """Whether something is a list of whole numbers that the engine can hold, not too short."""
    return (
        isinstance(row, list)
        and len(row) >= least
        and all(type(one) is int and abs(one) <= LARGEST_HELD for one in row)
    )


def are_rows(rows: Any, least: int) -> bool:
    """Whether something is a list of such lists."""
    return isinstance(rows, list) and all(is_row(row, least) for row in rows)


def check_stack(stack: Any, compiled: Compiled) -> None:
    """Refuse steps that there are not, and steps for players who do not play."""
    expect(are_rows(stack, LEAST_FRAME), "its steps are not lists of whole numbers")
    steps, players = len(compiled.program.code), compiled.program.players
    for frame in stack:
        expect(0 <= frame[0] < steps, f"there is no step {frame[0]}")
        expect(NOBODY <= frame[1] < players, f"there is no player {frame[1] + 1}")


def check_log(log: Any, compiled: Compiled) -> None:
    """Refuse a log whose lines are of no step of the game."""
    expect(are_rows(log, LEAST_LINE), "its log is not lists of whole numbers")
    steps = len(compiled.program.code)
    for line in log:
        expect(NOBODY <= line[0] < steps, f"its log has a line of step {line[0]}, which is none")


def check_moments(moments: Any, log: Sequence[Any], compiled: Compiled) -> None:
    """Refuse moments that are no positions in which a question was not put."""
    expect(are_rows(moments, MOMENT_HEAD), "its moments are not lists of whole numbers")
    for line, size, *numbers in moments:
        expect(0 <= line < len(log), "a moment is of no line of its log")
        expect(len(log[line]) > LEAST_LINE, "a moment is of a line about no question")
        expect(LEAST_FRAME <= size <= len(numbers), "a moment has no step")
        check_stack([numbers[:size]], compiled)
        is_asked = numbers[0] in compiled.questions or numbers[0] in compiled.duties
        expect(is_asked, "a moment is of no question")
        check_cells(numbers[size:], compiled)


# --- cells ----------------------------------------------------------------------------------------


def check_cells(cells: Any, compiled: Compiled) -> None:
    """Refuse cells that cannot be a position of this game."""
    expect(isinstance(cells, list), "its cells are no list")
    expect(len(cells) == len(compiled.program.cells), "the cells do not fit")
    expect(all(type(cell) is int for cell in cells), "a cell is no whole number")
    expect(all(abs(cell) <= LARGEST_NUMBER for cell in cells), "a cell is too large")
    for cell, low, high in limits(compiled):
        if not low <= cells[cell] <= high:
            raise damaged(f"'{compiled.plan.labels[cell]}' cannot be {cells[cell]}")


def limits(compiled: Compiled) -> Iterator[tuple[int, int, int]]:
    """Return the cells that hold no mere numbers, each with the least and the largest it may be."""
    plan, layout, players = compiled.plan, compiled.plan.layout, compiled.program.players
    pieces = int(sum(layout.copies))
    for cell in range(max(plan.seats, 0), plan.seats + 2 * players if plan.seats >= 0 else 0):
        yield cell, 0, players - 1
    for cells, low, high in (
        (layout.whereabouts, NOBODY, layout.places - 1),
        (layout.occupants, NOBODY, layout.kinds - 1),
        (layout.tallies, 0, pieces),
        (layout.sizes, 0, pieces),
    ):
        for cell in cells:
            if cell >= 0:
                yield cell, low, high
    for name, counter in compiled.names.counters.items():
        bounds = span_of(counter.type, compiled)
        if bounds is not None:
            found = plan.counters[name]
            for cell in range(found.base, found.base + found.count):
                yield cell, *bounds


def span_of(type_: Type, compiled: Compiled) -> tuple[int, int] | None:
    """Return the least and the largest number that a thing of a type may be; None for numbers."""
    if type_.kind == "place":
        return NOBODY, compiled.plan.layout.places - 1
    members = compiled.universe.of(type_)
    if not members:
        return None
    return (0, 1) if type_.kind == "truth" else (NOBODY, max(members))
