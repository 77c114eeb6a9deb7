"""Is a house rule sound, and what does it change? Checks it, then compares with and without it.

Run it: python examples/check_house_rule.py [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

import broomservice as bs
from broomservice.bots import GreedyBot
from broomservice.testing import BrokenInvariant, play_checked

GAME, PLAYERS, GAMES = "broom_service", 2, 3
EXAMPLE = Path(__file__).parent / "house_rules" / "royal_post.yaml"


def loaded(path: Path) -> bs.Game | None:
    """Return the game with the rule, or print what is wrong with it."""
    try:
        return bs.load(GAME, variants=[path])
    except bs.PackError as error:
        for problem in error.problems:
            print(problem.shown())
        return None


def mean_points(game: bs.Game) -> float:
    """Return the mean points of greedy players."""
    points: list[int] = []
    for seed in range(GAMES):
        state = game.start(PLAYERS, seed=seed, log=False)
        bots = [GreedyBot(seed * PLAYERS + seat, worlds=1) for seat in range(PLAYERS)]
        while not state.over:
            state.play_in_place(bots[state.player].choose(state))
        points += state.points
    return sum(points) / len(points)


def main() -> int:
    """Check the rule and measure it; return 1 if something is wrong."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE
    game = loaded(path)
    if game is None:
        return 1
    for players in (game.players[0], game.players[-1]):
        try:
            end = play_checked(game, players, seed=players, every=100)
        except BrokenInvariant as error:
            print(f"with {players} players: {error}")
            return 1
        print(f"with {players} players all checks hold, points {end.points}")
    plain = bs.load(GAME)
    print(f"mean points without the rule: {mean_points(plain):.1f}")
    print(f"mean points with {path.stem}: {mean_points(game):.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
