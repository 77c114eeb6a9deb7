"""A game as JSON: players, seed and answers are enough to play it again, anywhere.

The replay checks each answer: the first one that the rules do not allow is named, with the reason.

Run it: python examples/replay.py
"""

from __future__ import annotations

import json
import random

import broomservice as bs

GAME = "broom_service"


def recorded(game: bs.Game, *, players: int, seed: int) -> str:
    """Play a game at random and return it as JSON."""
    picker = random.Random(seed)
    state = game.start(players, seed=seed)
    answers: list[str] = []
    while not state.over:
        option = game.options[picker.choice(state.option_ids)]
        answers.append(option.label)
        state.play_in_place(option.id)
    return json.dumps(
        {
            "game": GAME,
            "variants": list(game.variants),
            "options": dict(game.option_values),
            "players": players,
            "seed": seed,
            "answers": answers,
            "end": state.fingerprint(),
        }
    )


def replayed(text: str) -> bs.State:
    """Play a recorded game again.

    Raises:
        bs.IllegalMove: at the first answer that the rules do not allow.
    """
    record = json.loads(text)
    game = bs.load(record["game"], variants=record["variants"], options=record["options"])
    state = game.start(record["players"], seed=record["seed"])
    for answer in record["answers"]:
        state = state.play(answer)
    return state


def main() -> None:
    """Record a game, replay it, and replay it with one wrong answer."""
    game = bs.load(GAME, variants=["storm_clouds"], options={"rounds": 2})
    text = recorded(game, players=3, seed=5)
    end = replayed(text)
    print(f"replayed to the end, points {end.points}, winners {end.winners}")
    assert end.fingerprint() == json.loads(text)["end"]

    saved = end.to_json()
    assert game.from_json(saved) == end
    print(f"the end position takes {len(saved)} characters of JSON, its log included")

    wrong = json.loads(text)
    number = wrong["answers"].index("brave")
    wrong["answers"][number] = "lake_1"
    try:
        replayed(json.dumps(wrong))
    except bs.IllegalMove as error:
        print(f"answer {number + 1} is wrong: {error}")


if __name__ == "__main__":
    main()
