"""The pure and the compiled core play the same games, to the last cell."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import broomservice
from broomservice.pure import is_compiled
from tests.packs import ROOT

PROGRAM = """
import hashlib, random, sys
import broomservice as bs
from broomservice.pure import is_compiled

box = ("storm_clouds", "mountain_tiles", "forest_tiles", "hill_tiles", "back_board")
played = hashlib.blake2b()
for game, count in (
    (bs.load("broom_service"), 120), (bs.load("broom_service", variants=box), 40),
    (bs.load("wizard_extreme"), 30), (bs.load("potions"), 10),
):
    for seed in range(count):
        players = game.players[seed % len(game.players)]
        picker = random.Random(seed)
        state = game.start(players, seed=seed, log=seed % 3 == 0)
        while not state.over:
            played.update(repr((state._table.cells, state._table.stack, state.option_ids)).encode())
            state.play_in_place(picker.choice(state.option_ids))
        played.update(repr((state.points, state.winners, state._table.log)).encode())
print("compiled" if is_compiled() else "pure", played.hexdigest())
"""


def run(folder: Path | None, *, pure: bool) -> tuple[str, str]:
    """Play 200 games in another process; return which form played, and what came out."""
    environment = dict(os.environ)
    environment.pop("BROOMSERVICE_PURE", None)
    if pure:
        environment["BROOMSERVICE_PURE"] = "1"
    if folder is not None:
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        cwd=folder or Path.cwd(),
    )
    assert done.returncode == 0, done.stderr
    form, digest = done.stdout.split()
    return form, digest


def compiled_copy(folder: Path) -> Path:
    """Return a folder with the package and its core compiled, where there is a compiler."""
    if importlib.util.find_spec("mypyc") is None or shutil.which("gcc") is None:
        pytest.skip("needs mypy and a C compiler")
    for name in ("broomservice", "cards", "boards", "schemas"):
        ignore = shutil.ignore_patterns("__pycache__", "*.so")
        shutil.copytree(ROOT / name, folder / name, ignore=ignore)
    shutil.copy(ROOT / "hatch_build.py", folder)
    subprocess.run(
        [sys.executable, "hatch_build.py", str(folder)],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.mark.slow
def test_two_hundred_games(tmp_path: Path) -> None:
    """200 games of all packs, played on both forms, give the same cells at every decision."""
    folder = None if is_compiled() else compiled_copy(tmp_path)
    one, two = run(folder, pure=True), run(folder, pure=False)
    assert (one[0], two[0]) == ("pure", "compiled")
    assert one[1] == two[1]


def test_the_form_is_told() -> None:
    """`is_compiled` tells which form of the core runs."""
    suffix = Path(str(sys.modules["broomservice.core.table"].__file__)).suffix
    assert is_compiled() == (suffix != ".py")
    assert broomservice.__version__
