"""Players that need no human: one at random, one that looks a step ahead without peeking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from broomservice.core.chance import Chance
from broomservice.core.errors import BroomserviceError
from broomservice.state import State

OWN_STEPS = 3
OTHERS_STEPS = 24
WORLD_SEEDS = 1 << 30


class Bot(Protocol):
    """Answers decisions."""

    def choose(self, state: State) -> int:
        """Return the id of one of the open options."""
        ...


@attrs.define
class RandomBot:
    """Takes any open option, each equally likely; of a set's picks, each set is equally likely.

    When all players are one `RandomBot(seed)`, the game is the one that `Game.playouts` plays for
    this seed.

    >>> import broomservice as bs
    >>> state = bs.load("broom_service").start(players=2, seed=1)
    >>> RandomBot(1).choose(state) in state.option_ids
    True
    """

    seed: int = 0
    _picker: Chance = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        self._picker = Chance.seeded(-1 - self.seed)

    def choose(self, state: State) -> int:
        """Return the id of any open option."""
        return state.any_option(self._picker)


@attrs.define
class GreedyBot:
    """Takes what gains the most over the best opponent within a few decisions.

    It tries each option in `worlds` positions that look the same to its player, with all that is
    hidden mixed anew, so that it cannot use what its player may not know. After the option it goes
    on: its own next decisions by what scores at once, those of others at random.

    Cost: about a thousand copies of a position for a decision with ten options.

    >>> import broomservice as bs
    >>> state = bs.load("broom_service").start(players=2, seed=1)
    >>> GreedyBot(1).choose(state) in state.option_ids
    True
    """

    seed: int = 0
    worlds: int = 2
    _picker: Chance = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        self._picker = Chance.seeded(-1 - self.seed)

    def choose(self, state: State) -> int:
        """Return the id of the option that promises most; among equals, any."""
        options = state.option_ids
        if len(options) == 1 or state.player < 0:
            return options[self._picker.below(len(options))]
        worth = [0] * len(options)
        for _ in range(self.worlds):
            luck = self._picker.below(WORLD_SEEDS)
            world = state.resampled(state.player, luck)
            for i, option in enumerate(options):
                worth[i] += lead_after(world, option, state.player, luck)
        return any_of(best_of(options, worth), self._picker)


def lead_after(world: State, option: int, player: int, luck: int) -> int:
    """Return how far the player leads some decisions after an option, in points."""
    trial = world.copy()
    trial.play_in_place(option)
    picker = Chance.seeded(luck)
    own, others = OWN_STEPS, OTHERS_STEPS
    while not trial.over and own > 0 and others > 0:
        if trial.player == player:
            trial = best_next(trial, player, picker)
            own -= 1
        else:
            trial.play_in_place(any_of(trial.option_ids, picker))
            others -= 1
    return lead(trial, player)


def best_next(state: State, player: int, picker: Chance) -> State:
    """Return the position after the option that scores most at once."""
    nexts: list[State] = []
    for option in state.option_ids:
        after = state.copy()
        after.play_in_place(option)
        nexts.append(after)
    worth = [lead(after, player) for after in nexts]
    return nexts[any_of(best_of(range(len(nexts)), worth), picker)]


def lead(state: State, player: int) -> int:
    """Return a player's points less those of the best opponent."""
    points = state.points
    others = [points[i] for i in range(len(points)) if i != player]
    return points[player] - max(others, default=0)


def best_of(options: Sequence[int], worth: Sequence[int]) -> list[int]:
    """Return the options that are worth most."""
    most = max(worth)
    return [option for option, value in zip(options, worth, strict=True) if value == most]


def any_of(options: Sequence[int], picker: Chance) -> int:
    """Return one of the options, each equally likely."""
    return options[picker.below(len(options))]


BOTS: dict[str, type[RandomBot] | type[GreedyBot]] = {"random": RandomBot, "greedy": GreedyBot}


def bots_for(names: Sequence[str], players: int, seed: int) -> list[Bot]:
    """Return one bot for each seat.

    Args:
        names: "random" or "greedy", one for all seats or one for each.
        players: how many play.
        seed: equal seeds give equal games. All random bots share one stream of numbers.

    Raises:
        BroomserviceError: if a name means no bot, or there are not as many as players.
    """
    for name in names:
        if name not in BOTS:
            raise BroomserviceError(f"there is no bot '{name}'; there are {', '.join(BOTS)}")
    if len(names) not in (1, players):
        raise BroomserviceError(f"{len(names)} bots for {players} players; name one, or {players}")
    seats = list(names) * players if len(names) == 1 else list(names)
    shared = RandomBot(seed)
    return [
        shared if name == "random" else BOTS[name](seed * players + i)
        for i, name in enumerate(seats)
    ]
