"""A game as a record: played, saved, checked, replayed, and checked again with a mistake in it.

The check names the first answer that the rules do not allow, where it stands, and the reason.

Run it: python examples/replay.py
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import broomservice as bs


def played(game: bs.Game, *, players: int, seed: int) -> bs.State:
    """Play a game at random to its end."""
    picker = random.Random(seed)
    state = game.start(players, seed=seed)
    while not state.over:
        state.play_in_place(picker.choice(state.option_ids))
    return state


def main() -> None:
    """Record a game, replay it from the file, and put one wrong answer into the file."""
    game = bs.load("broom_service", variants=["storm_clouds"], options={"rounds": 2})
    state = played(game, players=3, seed=5)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "evening.yaml"
        state.record().save(file)

        record = bs.Record.load(file)  # it says which game, variants and options
        report = record.check()
        print(f"{len(record.moves)} moves, {report.verdict}, {report.exact}")

        *_, end = record.replay()
        assert end == state
        print(f"replayed to the end, points {end.points}, winners {end.winners}")

        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("brave", "lake_1", 1), encoding="utf-8")
        wrong = bs.Record.load(file).check().errors[0]
        print(f"line {wrong.line}, {wrong.code}: {wrong.message}")


if __name__ == "__main__":
    main()
