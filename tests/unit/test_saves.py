"""Saved positions: exact when they are whole, refused in words when they are damaged."""

from __future__ import annotations

import json
from typing import Any

import pytest

import broomservice as bs
from tests.packs import loaded

NAMES = ("Anna", "Bonnie", "Carla")


def begun(*, answers: int = 20, log: bool = True) -> bs.State:
    """Return a position of a game of three after some answers, always the first that is open."""
    state = loaded("broom_service").start(3, seed=1, names=NAMES, log=log)
    for _ in range(answers):
        state.play_in_place(state.option_ids[0])
    return state


def damaged(text: str) -> str:
    """Return how the game refuses a saved position."""
    with pytest.raises(bs.BroomserviceError) as refusal:
        loaded("broom_service").from_json(text)
    return str(refusal.value)


def with_part(part: str, value: Any) -> str:
    """Return how the game refuses a saved position in which one part is another."""
    return damaged(json.dumps({**json.loads(begun().to_json()), part: value}))


@pytest.mark.parametrize("log", [True, False])
def test_whole_positions_come_back(log: bool) -> None:
    """Everything that was saved is there again, with the log and the moments, or without a log."""
    state = begun(log=log)
    again = loaded("broom_service").from_json(state.to_json())
    assert again == state
    assert again.names == NAMES
    assert again.to_json() == state.to_json()
    assert again.log == state.log


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it does not name its parts"),
        ("{}", "there is no 'digest' in it"),
    ],
)
def test_other_texts_are_refused(text: str, why: str) -> None:
    """What is no JSON, or names no parts, or not all."""
    assert damaged(text) == f"this is no saved position: {why}"


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [
        ("players", "3", "how many play is no whole number"),
        ("players", True, "how many play is no whole number"),
        ("names", ["Anna", "Bonnie"], "the names are not one for each"),
        ("names", ["Anna", "Bonnie", "Anna"], "the names are not one for each"),
        ("names", [1, 2, 3], "the names are not one for each"),
        ("names", "ABC", "the names are not one for each"),
        ("cells", {}, "its cells are no list"),
        ("cells", [], "the cells do not fit"),
        ("stack", [["x", 0]], "its steps are not lists of whole numbers"),
        ("stack", [[1]], "its steps are not lists of whole numbers"),
        ("stack", [[10**6, 0]], "there is no step 1000000"),
        ("stack", [[0, 3]], "there is no player 4"),
        ("stack", [[0, 0, 0]], "its steps lead to no question"),
        ("chance", [1], "chance is not two whole numbers"),
        ("chance", [1.5, 2], "chance is not two whole numbers"),
        ("chance", [0, 1], "chance is out of its range"),
        ("chance_asks", 1, "whether chance asks is neither true nor false"),
        ("log", "x", "its log is not lists of whole numbers"),
        ("log", ["x"], "its log is not lists of whole numbers"),
        ("log", [[1]], "its log is not lists of whole numbers"),
        ("log", [[10**6, 0]], "its log has a line of step 1000000, which is none"),
        ("log", [[-1, 0]], "its log tells of what there is not"),
        ("moments", [[1]], "its moments are not lists of whole numbers"),
        ("moments", [[10**6, 2, 0, 0]], "a moment is of no line of its log"),
        ("moments", [[0, 9, 0, 0]], "a moment has no step"),
    ],
)
def test_damaged_parts_are_refused(part: str, value: object, why: str) -> None:
    """Each part must be what the engine writes there."""
    assert with_part(part, value) == f"this is no saved position: {why}"


def test_a_damaged_line_of_the_log_is_refused() -> None:
    """One line among good ones."""
    data = json.loads(begun().to_json())
    data["log"][3] = "x"
    assert damaged(json.dumps(data)).endswith(": its log is not lists of whole numbers")


@pytest.mark.parametrize(
    ("label", "number", "why"),
    [
        ("points(p1)", 10**9 + 1, "a cell is too large"),
        ("points(p1)", True, "a cell is no whole number"),
        ("leader", 3, "'leader' cannot be 3"),
        ("leader", 10**9, "'leader' cannot be 1000000000"),
        ("leader", -2, "'leader' cannot be -2"),
        ("wand in stock(p1)", -1, "'wand in stock(p1)' cannot be -1"),
    ],
)
def test_damaged_cells_are_refused(label: str, number: int, why: str) -> None:
    """A counter that holds a player holds nobody else, and no place holds less than nothing."""
    state = begun()
    cells = state._table.cells[:]
    cells[state._compiled.plan.labels.index(label)] = number
    assert with_part("cells", cells) == f"this is no saved position: {why}"


def test_places_of_pieces_are_checked() -> None:
    """Every cell that tells where a piece lies, or which piece, takes places or pieces alone."""
    state = begun()
    layout = state._compiled.plan.layout
    for cell in {*layout.whereabouts, *layout.occupants} - {-1}:
        cells = state._table.cells[:]
        cells[cell] = 10**9
        assert "cannot be 1000000000" in with_part("cells", cells)


def test_players_have_different_names() -> None:
    """So what is saved can be loaded."""
    with pytest.raises(bs.BroomserviceError, match="two players have the same name"):
        loaded("broom_service").start(2, names=["Anna", "Anna"])
