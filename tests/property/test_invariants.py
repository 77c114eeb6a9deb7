"""Every game, with every combination of variants and number of players, keeps its invariants."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from broomservice.testing import machine, play_checked
from tests.packs import COMBINATIONS, SETTINGS, label, loaded


@pytest.mark.parametrize(("game", "variants", "players"), SETTINGS, ids=label)
def test_random_games_keep_everything(game: str, variants: tuple[str, ...], players: int) -> None:
    """No piece is lost, points add up, explanations agree, saves are exact, nothing leaks."""
    end = play_checked(loaded(game, variants), players, seed=players, every=40)
    assert end.over
    assert end.winners


@pytest.mark.parametrize("game", COMBINATIONS, ids=label)
def test_draws_can_be_answered(game: str) -> None:
    """Chance is a player: every draw can be answered by the caller."""
    rules = loaded(game)
    end = play_checked(rules, rules.players[0], seed=5, every=80, chance_asks=True)
    assert end.over


BroomServiceMachine = machine(loaded("broom_service")).TestCase
BroomServiceMachine.settings = settings(
    max_examples=8,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
WizardExtremeMachine = machine(loaded("wizard_extreme")).TestCase
WizardExtremeMachine.settings = settings(
    max_examples=4,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
PotionsMachine = machine(loaded("potions")).TestCase
PotionsMachine.settings = settings(
    max_examples=4,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_all_variants_of_the_box_are_tested() -> None:
    """A variant that comes with a pack is played by these tests."""
    for game, combinations in COMBINATIONS.items():
        if "/" in game:
            continue
        tested = {variant for combination in combinations for variant in combination}
        assert set(loaded(game).documents.variants) <= tested, Path(game).name
