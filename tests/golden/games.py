"""Golden playthroughs: what happened in a random game of every pack and combination.

Run as a program, it writes them anew: do so only after a change of rules, and read the difference.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.packs import COMBINATIONS, label, loaded

FOLDER = Path(__file__).parent
EVERY = 20


def playthrough(game: str, variants: tuple[str, ...], players: int) -> dict[str, Any]:
    """Play a random game; return every answer, fingerprints on the way, and the end."""
    picker = random.Random(players)
    state = loaded(game, variants).start(players, seed=11)
    answers: list[str] = []
    fingerprints: list[str] = []
    while not state.over:
        if len(answers) % EVERY == 0:
            fingerprints.append(state.fingerprint())
        option = picker.choice(state.option_ids)
        answers.append(state.game.options[option].label)
        state.play_in_place(option)
    return {
        "answers": " ".join(answers),
        "fingerprints": " ".join(fingerprints),
        "points": list(state.points),
        "winners": list(state.winners),
    }


def path_of(game: str, variants: tuple[str, ...], players: int) -> Path:
    """Return the file of a playthrough."""
    return FOLDER / f"{label(game)}-{label(variants)}-{players}.json"


if __name__ == "__main__":
    for one, combinations in COMBINATIONS.items():
        for combination in combinations:
            for count in loaded(one, combination).players:
                content = playthrough(one, combination, count)
                path_of(one, combination, count).write_text(json.dumps(content, indent=1) + "\n")
