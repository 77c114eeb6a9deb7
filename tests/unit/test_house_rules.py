"""The house rules that come as examples: each loads, is played, and does what it says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import broomservice as bs
from broomservice.scenario import Scenario
from broomservice.testing import play_checked

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "house_rules"
FILES = sorted(FOLDER.glob("*.yaml"))


@cache
def with_rule(name: str, *, hand_cards: int = 4) -> bs.Game:
    """Return the game with a house rule."""
    return bs.load(
        "broom_service", variants=[FOLDER / f"{name}.yaml"], options={"hand_cards": hand_cards}
    )


def labels(state: bs.State) -> list[str]:
    assert state.decision is not None
    return [option.label for option in state.decision.options]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_house_rules_are_short_and_named_alike(path: Path) -> None:
    """A house rule takes about twenty lines, and its id is the name of its file."""
    text = path.read_text(encoding="utf-8")
    assert f"\nvariant: {path.stem}\n" in text
    assert text.count("\n") <= 24


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_house_rules_are_played_and_checked(path: Path) -> None:
    """Random games with the rule lose no piece, hide what is hidden, explain themselves, end."""
    game = with_rule(path.stem)
    for players in (2, 5):
        assert play_checked(game, players, seed=players, every=120).over


def test_all_house_rules_go_together() -> None:
    """Variants add up: all of them at once are one game too."""
    game = bs.load("broom_service", variants=FILES)
    assert play_checked(game, 3, seed=3, every=120).over


@pytest.mark.parametrize(
    ("tower", "region", "gain"), [("t13", "hill_2", 1), ("t01", "forest_1", 0)]
)
def test_royal_post(tower: str, region: str, gain: int) -> None:
    """A delivery at the castle on hill 2 brings a point more, one elsewhere does not."""
    game = with_rule("royal_post")
    values = game.names.sites[tower].values
    colour = list(game.names.words)[values["colour"]]
    scenario = Scenario.of(game, players=2)
    scenario.put("p1_pawn_1", region)
    scenario.put(f"{colour}_potion", "stock(p1)")
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"}).play(tower)
    assert state.points == (10 + values["points"] + gain, 10)
    said = [entry.text for entry in state.log if entry.kind == "score"]
    assert ("p1 +1: royal post" in said) == (gain == 1)


@pytest.mark.parametrize(("points", "banned"), [(19, False), (20, True)])
def test_modest_front_runner(points: int, banned: bool) -> None:
    """With 10 points more than the next one must be cowardly, with 9 one may be brave."""
    scenario = Scenario.of(with_rule("modest_front_runner"), players=2)
    scenario.set("points", points, "p1")
    scenario.set("led", "weather_fairy")
    scenario.put("weather_fairy", "hand(p1)")
    state = scenario.begin("lay_role", "p1")
    if banned:
        assert "p1: I am a cowardly weather fairy." in [entry.text for entry in state.log]
    else:
        assert labels(state) == ["brave", "cowardly"]


def test_wand_for_points() -> None:
    """Whoever has a wand may hand it in for 2 points; whoever has none is not asked."""
    scenario = Scenario.of(with_rule("wand_for_points"), players=2)
    scenario.set("led", "fruit_gatherer")
    assert labels(scenario.begin("act_cowardly", "p2")) == ["collect", "pass"]
    scenario.put("wand", "stock(p2)")
    state = scenario.begin("act_cowardly", "p2")
    assert labels(state) == ["action", "wand_for_points"]
    state = state.play("wand_for_points")
    assert state.points == (10, 12)
    assert state.pieces("stock", 1) == {}


@pytest.mark.parametrize(("tower", "region"), [("t36", "mountain_6"), ("t27", "prairie_4")])
def test_scarce_wands(tower: str, region: str) -> None:
    """A tower that shows two wands brings one, and one that shows one brings it as ever."""
    game = with_rule("scarce_wands")
    values = game.names.sites[tower].values
    assert values["wands"] == (2 if tower == "t36" else 1)
    scenario = Scenario.of(game, players=2)
    scenario.put("p1_pawn_1", region)
    scenario.put(f"{list(game.names.words)[values['colour']]}_potion", "stock(p1)")
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"}).play(tower)
    assert state.pieces("stock", 0) == {"wand": 1}
    told = [entry.text for entry in state.log if entry.kind == "tell"]
    assert ("p1 leaves a wand." in told) == (tower == "t36")


def test_harvest_moon() -> None:
    """Two pawns in prairies bring two orange potions at the end of the round, none elsewhere."""
    game = with_rule("harvest_moon", hand_cards=1)
    scenario = Scenario.of(game, players=2)
    for piece in game.names.families["event"].kinds:
        if piece.id != "harvest_moon":
            scenario.put(piece.id, "box")
    scenario.put("p1_pawn_1", "prairie_1")
    scenario.put("p1_pawn_2", "prairie_6")
    state = scenario.begin("play_round", "p1")
    for answer in ("weather_fairy", "weather_fairy", "cowardly", "cowardly"):
        state = state.play(answer)
    assert state.over
    assert state.pieces("stock", 0) == {"orange_potion": 2}
    assert state.pieces("stock", 1) == {}


def test_short_evening() -> None:
    """Everybody begins with 15 points, and after four rounds the game is over."""
    game = with_rule("short_evening")
    assert game.start(3, seed=1).points == (15, 15, 15)
    end = play_checked(game, 3, seed=1, every=120)
    assert end.counter("round_number") == 4
