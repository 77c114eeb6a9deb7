"""An environment in the style of reinforcement learning: reset, step, observations, action masks.

Observations are what one player may know: the cells of the position with -1 for whatever is hidden,
so nothing leaks. Actions are ids of the fixed action space. No learning library is needed here.

Run it: python examples/learning_loop.py
"""

from __future__ import annotations

import random

import attrs

import broomservice as bs

UNKNOWN = -1


@attrs.frozen
class Observation:
    """What the player who is asked sees, and which actions are open."""

    player: int
    cells: tuple[int, ...]
    mask: tuple[bool, ...]


@attrs.define
class Environment:
    """One game at a time; whoever is asked is the agent of that step."""

    game: bs.Game
    players: int
    state: bs.State = attrs.field(init=False)

    @property
    def actions(self) -> int:
        """How many actions there are in all."""
        return len(self.game.options)

    def reset(self, seed: int) -> Observation:
        """Begin a new game."""
        self.state = self.game.start(self.players, seed=seed, log=False)
        return self.observe()

    def observe(self) -> Observation:
        """Return what the player who is asked may know."""
        player = max(0, self.state.player)
        seen = self.state.view(player).cells
        open_now = set(self.state.option_ids)
        return Observation(
            player,
            tuple(UNKNOWN if cell is None else cell for cell in seen),
            tuple(action in open_now for action in range(self.actions)),
        )

    def step(self, action: int) -> tuple[Observation, tuple[int, ...], bool]:
        """Take an action; return what is seen next, the points gained by each, and the end."""
        before = self.state.points
        self.state.play_in_place(action)
        gains = tuple(now - then for now, then in zip(self.state.points, before, strict=True))
        return self.observe(), gains, self.state.over


def main() -> None:
    """Play two games with a policy that knows nothing."""
    environment = Environment(bs.load("broom_service", options={"rounds": 2}), players=3)
    print(f"{environment.actions} actions")
    for seed in range(2):
        policy = random.Random(seed)
        seen = environment.reset(seed)
        totals, over, steps = [0, 0, 0], False, 0
        print(f"observations have {len(seen.cells)} numbers")
        while not over:
            open_now = [action for action, is_open in enumerate(seen.mask) if is_open]
            seen, gains, over = environment.step(policy.choice(open_now))
            totals = [total + gain for total, gain in zip(totals, gains, strict=True)]
            steps += 1
        begin = environment.game.start(3, seed=seed).points
        final = tuple(one + two for one, two in zip(begin, totals, strict=True))
        assert final == environment.state.points
        print(f"game {seed}: {steps} steps, points {final}")


if __name__ == "__main__":
    main()
