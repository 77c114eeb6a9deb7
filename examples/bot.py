"""A bot of your own: it plays on at random from each option and takes the one that ends best.

It never peeks: it plays on in positions that look the same to it, with all that is hidden mixed
anew. Run it: python examples/bot.py
"""

from __future__ import annotations

import random

import attrs

import broomservice as bs
from broomservice.bots import Bot, RandomBot


@attrs.define
class RolloutBot:
    """Takes the option after which random games end best for it."""

    seed: int = 0
    games: int = 6
    _random: random.Random = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, state: bs.State) -> int:
        """Return the id of an open option."""
        if len(state.option_ids) == 1:
            return state.option_ids[0]
        worth = dict.fromkeys(state.option_ids, 0)
        for _ in range(self.games):
            world = state.resampled(state.player, self._random.randrange(1_000_000))
            for option in worth:
                worth[option] += self.lead_at_the_end(world, option, state.player)
        return max(worth, key=lambda option: worth[option])

    def lead_at_the_end(self, world: bs.State, option: int, player: int) -> int:
        """Return how far the player leads when a random game after an option is over."""
        trial = world.copy()
        trial.play_in_place(option)
        while not trial.over:
            trial.play_in_place(self._random.choice(trial.option_ids))
        others = [points for i, points in enumerate(trial.points) if i != player]
        return trial.points[player] - max(others)


def play(game: bs.Game, bots: list[Bot], *, seed: int) -> bs.State:
    """Play one game; each bot answers for its seat."""
    state = game.start(players=len(bots), seed=seed, log=False)
    while not state.over:
        state.play_in_place(bots[state.player].choose(state))
    return state


def main() -> None:
    """Let the bot sit at the first seat for some games."""
    game = bs.load("broom_service", options={"rounds": 2})
    wins, games = 0, 4
    for seed in range(games):
        end = play(game, [RolloutBot(seed), RandomBot(seed), RandomBot(seed + 100)], seed=seed)
        wins += 0 in end.winners
        print(f"game {seed}: {end.points}")
    print(f"the bot won {wins} of {games} games against two random ones")


if __name__ == "__main__":
    main()
