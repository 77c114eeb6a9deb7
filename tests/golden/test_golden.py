"""Golden playthroughs: the same seed and answers give the same game, today as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.games import FOLDER, path_of, playthrough
from tests.packs import ROOT, SETTINGS, label


@pytest.mark.parametrize(("game", "variants", "players"), SETTINGS, ids=label)
def test_playthrough(game: str, variants: tuple[str, ...], players: int) -> None:
    """Each answer, each position on the way and the end are as they were."""
    path = path_of(game, variants, players)
    assert path.is_file(), "no golden playthrough: python -m tests.golden.games"
    assert playthrough(game, variants, players) == json.loads(path.read_text())


def test_no_playthrough_is_left_over() -> None:
    """Every golden file belongs to a game that is still tested."""
    wanted = {path_of(*setting).name for setting in SETTINGS}
    assert {path.name for path in FOLDER.glob("*.json")} == wanted


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_other_processes_and_hash_seeds(hash_seed: str) -> None:
    """Another process with another hash seed plays the same game."""
    program = (
        "from tests.golden.games import playthrough\n"
        "print(playthrough('broom_service', (), 3)['fingerprints'])\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=Path.cwd(),
    )
    golden = json.loads(path_of("broom_service", (), 3).read_text())
    assert done.stdout.strip() == golden["fingerprints"]
