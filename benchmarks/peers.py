"""How many decisions per second other Python game engines make in random games.

Each function below plays whole random games with one other engine (a peer)
until the given number of seconds has passed, and returns a `Speed`. The peers
are no dependencies of this project; install them into an environment of
their own with::

    pip install catanatron==3.2.1 chess==1.11.2 open_spiel==2.0.2

and run ``python benchmarks/peers.py --seconds 5``.

What is measured, the same way for all of them:

* The clock covers setting a game up and playing it to its end. Loading the
  engine, one warm-up game and counting the decisions are outside the clock.
* A decision is one action applied to the game, whether or not the player had
  a choice. A random player picks uniformly from the legal actions.
* Every run uses the same seeds, so only the clock differs between runs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

SEED = 20240501
MAX_PLIES = 200
PACKAGES = {
    "catanatron": "catanatron==3.2.1",
    "chess": "chess==1.11.2",
    "pyspiel": "open_spiel==2.0.2",
}


class PeerMissing(RuntimeError):
    """A peer engine is not installed; the message says how to install it."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Decisions made with one engine, and the seconds that they took.

    `decisions` counts every action applied. `player_decisions` counts only
    those that a player took: fewer, where the engine deals its cards as
    actions of their own. None stands for the same number as `decisions`.
    """

    name: str
    decisions: int
    seconds: float
    player_decisions: int | None = None

    @property
    def per_second(self) -> float:
        """All decisions per second."""
        return self.decisions / self.seconds

    @property
    def player_per_second(self) -> float:
        """Players' decisions per second, dealing taken as part of the time."""
        if self.player_decisions is None:
            return self.per_second
        return self.player_decisions / self.seconds


def catanatron(seconds: float) -> Speed:
    """Catanatron: four of its random players in its own loop, `Game.play`.

    Counts the game's own log of actions, which has one entry for each time a
    player was asked. Most have a single legal action (to roll, say). Dice and
    drawn cards are resolved inside a player's action, so there are no chance
    actions. Catanatron draws from Python's global `random`, and reseeds it.
    """
    engine = _peer("catanatron")

    def play(number: int) -> Any:
        players = [engine.RandomPlayer(color) for color in engine.Color]
        game = engine.Game(players, seed=SEED + number)
        game.play()
        return game

    def count(game: Any) -> tuple[int, int]:
        return (len(game.state.actions),) * 2

    return _measure("Catanatron", play, count, seconds)


def python_chess(seconds: float) -> Speed:
    """python-chess: random moves until the game is over or 200 plies are played.

    This is the loop of its documentation, which asks `is_game_over()` before
    each move (about a quarter of the time). A decision is a move; there is no
    chance.
    """
    engine = _peer("chess")
    rng = random.Random(SEED)

    def play(_: int) -> Any:
        board = engine.Board()
        while board.ply() < MAX_PLIES and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return board

    def count(board: Any) -> tuple[int, int]:
        return (len(board.move_stack),) * 2

    return _measure("python-chess", play, count, seconds)


def openspiel_hearts_python(seconds: float) -> Speed:
    """OpenSpiel's hearts, written in C++, with the loop in Python.

    `decisions` counts every action applied: 53 chance actions per game (the
    direction of the pass, then 52 cards dealt), 52 cards played and, in three
    games of four, 12 cards passed. `player_decisions` leaves the chance
    actions out. Chance is uniform in hearts, so its actions are picked from
    `legal_actions()` just as a player's are. That list is empty when the game
    is over, which saves the loop the calls that would ask.
    """
    game = _peer("pyspiel").load_game("hearts")
    rng = random.Random(SEED)

    def play(_: int) -> Any:
        state = game.new_initial_state()
        while actions := state.legal_actions():
            state.apply_action(rng.choice(actions))
        return state

    return _measure("OpenSpiel hearts, Python loop", play, _spiel_count, seconds)


def openspiel_hearts_textbook(seconds: float) -> Speed:
    """OpenSpiel's hearts with the loop that its documentation and examples show.

    It asks whether the game is over and whether chance is at turn, draws from `chance_outcomes()`,
    and picks a player's action from `legal_actions()`.
    """
    game = _peer("pyspiel").load_game("hearts")
    rng = random.Random(SEED)

    def play(_: int) -> Any:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(actions, weights)[0]
            else:
                action = rng.choice(state.legal_actions())
            state.apply_action(action)
        return state

    return _measure("OpenSpiel hearts, textbook loop", play, _spiel_count, seconds)


def openspiel_hearts_loop(seconds: float) -> Speed:
    """OpenSpiel's hearts in OpenSpiel's own C++ loop, `evaluate_bots`.

    Python only starts each game; the loop and the four uniform random bots
    are C++. The loop plays on the state that it is given, so that the state's
    history holds every action afterwards, and they are counted from there, as
    in `openspiel_hearts_python`: 105 actions in a game without passing (52 of
    them players'), 117 in one with passing (64 of them players').
    """
    engine = _peer("pyspiel")
    game = engine.load_game("hearts")
    bots = [engine.make_uniform_random_bot(seat, SEED + seat) for seat in range(4)]

    def play(number: int) -> Any:
        state = game.new_initial_state()
        engine.evaluate_bots(state, bots, SEED + number)
        return state

    return _measure("OpenSpiel hearts, C++ loop", play, _spiel_count, seconds)


PEERS: tuple[Callable[[float], Speed], ...] = (
    catanatron,
    python_chess,
    openspiel_hearts_textbook,
    openspiel_hearts_python,
    openspiel_hearts_loop,
)


def _peer(module: str) -> Any:
    """Import a peer's module, or say how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        message = f"{module} is not installed: pip install {PACKAGES[module]}"
        raise PeerMissing(message) from error


def _spiel_count(state: Any) -> tuple[int, int]:
    """All actions of a finished OpenSpiel game, and the players' alone."""
    history = state.full_history()
    return len(history), sum(step.player >= 0 for step in history)


def _measure(
    name: str,
    play: Callable[[int], Any],
    count: Callable[[Any], tuple[int, int]],
    seconds: float,
    batch: int = 10,
) -> Speed:
    """Play numbered games in batches until the clock has run `seconds`.

    `play` plays the game of that number to its end; `count` then tells, off
    the clock, its decisions and its players' decisions.
    """
    play(0)
    clock, first, decisions, by_players = 0.0, 1, 0, 0
    while clock < seconds or not decisions:
        start = time.perf_counter()
        games = [play(number) for number in range(first, first + batch)]
        clock += time.perf_counter() - start
        first += batch
        for every, players in map(count, games):
            decisions, by_players = decisions + every, by_players + players
    return Speed(name, decisions, clock, by_players)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the speed of each peer that is installed."""
    parser = argparse.ArgumentParser(description="Time other engines' random games.")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each engine")
    seconds = parser.parse_args(arguments).seconds
    print(f"{'name':<30} {'decisions/s':>12} {'by players/s':>13}")
    for peer in PEERS:
        try:
            speed = peer(seconds)
        except PeerMissing as missing:
            print(missing)
        else:
            rates = f"{speed.per_second:>12,.0f} {speed.player_per_second:>13,.0f}"
            print(f"{speed.name:<30} {rates}")


if __name__ == "__main__":
    main()
