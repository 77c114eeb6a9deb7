"""The skeleton of an overlay: all that a pack assumes, with its values, ready to be put right."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.group import commands
from broomservice.pack.load import load_text
from broomservice.pack.overlay import block, flow, overlay
from broomservice.pack.problems import Problems

FIXED = {"lightning_points", "cloud_01", "herb_gatherer", "t01", "forest_1", "green_potion"}


@cache
def box() -> bs.Game:
    """The game as it comes."""
    return bs.load("broom_service")


def assumed(game: bs.Game) -> dict[str, str]:
    """Return what is assumed, with the reasons."""
    return {
        fact.name: fact.provenance.because
        for fact in game.sources.facts
        if fact.provenance.certainty == "assumed"
    }


def written(folder: Path, text: str) -> Path:
    path = folder / "my_copy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def skeleton(*arguments: str) -> str:
    """Return what the command prints."""
    result = CliRunner().invoke(commands, ["sources", "broom_service", "--overlay", *arguments])
    assert result.exit_code == 0
    return result.stdout


def uncommented(text: str) -> str:
    return re.sub(r"# (source: |because: null)", r"\1", text)


def test_the_skeleton_changes_nothing(tmp_path: Path) -> None:
    """As it is printed, it is a variant in order with which the game is what it was."""
    path = written(tmp_path, skeleton())
    game = bs.load("broom_service", variants=[path])
    assert game.digest == box().digest
    assert assumed(game) == assumed(box())
    assert game.variants == ("my_copy",)
    checked = CliRunner().invoke(commands, ["check", str(path)])
    assert checked.stdout == f"{path}: in order\n"


def test_the_skeleton_names_all_that_is_assumed(tmp_path: Path) -> None:
    """With every source uncommented nothing is assumed any longer, and nothing keeps a reason."""
    assert set(assumed(box())) > FIXED
    game = bs.load("broom_service", variants=[written(tmp_path, uncommented(skeleton()))])
    assert assumed(game) == {}
    facts = {fact.name: fact.provenance for fact in game.sources.facts}
    for name in assumed(box()):
        assert [str(one) for one in facts[name].citations] == ["de, components"], name
        assert facts[name].because == "", name


def test_numbers_are_edited_in_place(tmp_path: Path) -> None:
    """A number put right in the skeleton is the game's, and the rest stays as it was."""
    text = skeleton()
    cloud = re.search(r"    cloud_01:\n      wands: (\d+)\n", text)
    assert cloud is not None
    mended = text.replace(cloud[0], "    cloud_01:\n      wands: 9\n")
    game = bs.load("broom_service", variants=[written(tmp_path, mended)])
    assert game.names.pieces["cloud_01"].values["wands"] == 9
    before, after = assumed(box()), assumed(game)
    assert after.keys() == before.keys()
    assert {name for name in before if before[name] != after[name]} == {"cloud_01"}


def test_what_variants_assume_needs_them(tmp_path: Path) -> None:
    """With a variant, the skeleton names what it assumes too, and is played with it only."""
    game = bs.load("broom_service", variants=["storm_clouds"])
    new = assumed(game).keys() - assumed(box()).keys()
    assert new
    text = skeleton("--variant", "storm_clouds")
    path = written(tmp_path, text)
    both = bs.load("broom_service", variants=[path, "storm_clouds"])
    assert both.digest == game.digest
    assert assumed(both) == assumed(game)
    mended = written(tmp_path, uncommented(text))
    assert assumed(bs.load("broom_service", variants=["storm_clouds", mended])) == {}
    with pytest.raises(bs.PackError, match="only with 'storm_clouds'"):
        bs.load("broom_service", variants=[path])


def test_a_pack_without_a_list_of_components(tmp_path: Path) -> None:
    """Without a section of that name the first one is cited; a pack without sources deduces."""
    folder = Path(__file__).resolve().parents[1] / "bad_packs" / "_good"
    game = bs.load(folder)
    text = overlay(game.sources, tmp_path)
    assert "# source: {doc: leaflet, section: play}" in text
    mended = bs.load(folder, variants=[written(tmp_path, text)])
    assert mended.digest == game.digest
    assert assumed(mended) == assumed(game)


def test_values_are_written_as_yaml() -> None:
    """Every value comes back as it was, whether it fits in a line or not."""
    value = {
        "short": [1, -2, True, None],
        "words": ["red", "on", "yes", "Two words?", "a: b", 'say "no"', "größer", "f(a, b)"],
        "empty": {"list": [], "map": {}},
        "steps": [
            {"when": "max(points, 1) > 0 and " * 3 + "true", "then": [{"score": 1}, "x" * 60]},
            ["y" * 70, "z" * 70],
        ],
    }
    problems = Problems()
    text = "\n".join(block(value, 0))
    assert load_text(text, "x", problems) == value
    assert problems.found == []
    assert load_text(flow(value), "x", problems) == value
