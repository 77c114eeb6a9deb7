"""A person with the box replaces what is assumed by one file, and the answers are theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import broomservice as bs
from broomservice.scenario import Scenario
from tests.unit.test_docs import ROOT, blocks_of

PAGE = ROOT / "docs" / "own-copy.md"


def overlay() -> str:
    """Return the file that the page shows."""
    return next(block.body for block in blocks_of(PAGE) if block.mark == "file: my_copy.yaml")


def patch() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(overlay())
    return content


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> bs.Game:
    """The game with the page's file applied."""
    path: Path = tmp_path_factory.mktemp("own_copy") / "my_copy.yaml"
    path.write_text(overlay(), encoding="utf-8")
    return bs.load("broom_service", variants=[path])


def assumed(game: bs.Game) -> set[str]:
    return {fact.name for fact in game.sources.facts if fact.provenance.certainty == "assumed"}


def replaced() -> set[str]:
    """Return the names of all facts that the file replaces."""
    content = patch()
    towers = content["boards"]["front"]["sites"]["tower"]
    cards = [name for entries in content["cards"].values() for name in entries]
    return {*content["game"]["values"], *cards, *towers}


def test_exactly_the_replaced_facts_are_no_longer_assumed(mine: bs.Game) -> None:
    """What the file names is cited from now on, and all else stays as it was."""
    before = assumed(bs.load("broom_service"))
    assert replaced() <= before
    assert assumed(mine) == before - replaced()
    facts = {fact.name: fact.provenance for fact in mine.sources.facts}
    for name in replaced():
        assert facts[name].certainty == "cited"
        assert [str(one) for one in facts[name].citations] == ["de, components"]


def test_no_old_reason_is_left(mine: bs.Game) -> None:
    """A fact that was looked up does not say any longer what the assumption was modelled on."""
    facts = {fact.name: fact.provenance for fact in mine.sources.facts}
    assert all(not facts[name].because for name in replaced())


def test_bolts_score_by_the_own_table(mine: bs.Game) -> None:
    """Cloud 1 now has three bolts and cloud 2 one: four bolts score the table's fifth entry."""
    scenario = Scenario.of(mine, players=2)
    scenario.put("cloud_01", "own_clouds(p1)")
    scenario.put("cloud_02", "own_clouds(p1)")
    state = scenario.begin("final_scoring", "p1")
    table = patch()["game"]["values"]["lightning_points"]["is"]
    assert state.points == (10 + table[3 + 1], 10)


def test_a_brave_gatherer_takes_the_own_mix(mine: bs.Game) -> None:
    """One potion and two wands, as the file says."""
    scenario = Scenario.of(mine, players=2)
    state = scenario.begin("gather_bravely", "p1", {"potion": "green_potion"}).play("collect")
    assert state.pieces("stock", 0) == {"green_potion": 1, "wand": 2}


def test_a_delivery_scores_the_own_points(mine: bs.Game) -> None:
    """Tower t01 is green in the file, worth 7 points and a wand."""
    scenario = Scenario.of(mine, players=2)
    scenario.put("p1_pawn_1", "forest_1")
    scenario.put("green_potion", "stock(p1)")
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"}).play("t01")
    assert state.points == (17, 10)
    assert state.pieces("stock", 0) == {"wand": 1}


def test_a_whole_board_can_be_confirmed_at_once(tmp_path: Path) -> None:
    """One line makes every site of a board cited that has no source of its own."""
    path = tmp_path / "board.yaml"
    path.write_text(
        "# yaml-language-server: $schema=schemas/variant.schema.json\n"
        "variant: my_board\nof: broom_service\n"
        "boards: {front: {source: {doc: de, section: components}, because: null}}\n",
        encoding="utf-8",
    )
    game = bs.load("broom_service", variants=[path])
    sites = {*game.names.sites}
    assert len(sites) > 50
    assert not assumed(game) & sites
