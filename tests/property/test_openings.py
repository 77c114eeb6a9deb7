"""Counting openings: how many ways there are, against what combinatorics says."""

from __future__ import annotations

from math import comb

import pytest

import broomservice as bs
from tests.packs import COMBINATIONS, loaded


def lines(state: bs.State, until: str) -> int:
    """Return how many ways of answering lead from a position to the first question at a point."""
    decision = state.decision
    if decision is None or decision.point == until:
        return 1
    return sum(lines(state.play(option), until) for option in state.option_ids)


@pytest.mark.parametrize(
    ("hand_cards", "first_question"),
    [
        (1, "announcement"),
        (2, "lead"),
        (8, "lead"),
    ],
)
def test_ways_to_choose_roles(hand_cards: int, first_question: str) -> None:
    """Each of two players chooses so many of ten roles; no set is reached in two ways."""
    game = bs.load("broom_service", options={"hand_cards": hand_cards})
    seed = next(
        seed
        for seed in range(50)
        if "more_or_less" not in game.start(2, seed=seed).pieces("event_now")
    )
    expected = comb(10, hand_cards) ** 2
    assert lines(game.start(2, seed=seed), first_question) == expected


def test_ways_to_pass_cards_in_hearts() -> None:
    """Three of thirteen cards are passed: the first player has 286 ways, none of them twice."""
    hearts = next(name for name in COMBINATIONS if name.endswith("hearts"))
    state = loaded(hearts).start(4, seed=1)
    first = state.player
    seen: list[tuple[str, ...]] = []

    def walk(position: bs.State, picked: tuple[str, ...]) -> None:
        if position.player != first:
            seen.append(picked)
            return
        for option in position.option_ids:
            walk(position.play(option), (*picked, position.game.options[option].label))

    walk(state, ())
    assert len(seen) == len(set(seen)) == comb(13, 3)
