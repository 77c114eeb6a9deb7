"""How fast the engine is, beside other engines, in one run on one machine.

    python benchmarks/speed.py [--seconds 3] [--json FILE]

Random games of Broom Service with four players through the public API: list the options, pick one,
play it in place. What is counted are the answers of players; draws by chance are not counted for
us, and are counted for OpenSpiel in the line that says so. Peers that are not installed are left
out; benchmarks/peers.py says how to install them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import broomservice as bs
from broomservice.pure import is_compiled

sys.path.insert(0, str(Path(__file__).parent))
from peers import PEERS, PeerMissing, Speed

PLAYERS = 4
BOX = ("storm_clouds", "mountain_tiles", "forest_tiles", "hill_tiles", "back_board")


def driven(game: bs.Game, seconds: float, name: str) -> Speed:
    """Play random games through the public API, the loop in Python."""
    players = min(PLAYERS, max(game.players))
    picker = random.Random(1)
    game.start(players, seed=0, log=False)
    decisions, seed = 0, 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        state = game.start(players, seed=seed, log=False)
        while ids := state.option_ids:
            state.play_in_place(ids[int(picker.random() * len(ids))])
            decisions += 1
        seed += 1
    return Speed(name, decisions, time.perf_counter() - begin)


def inside(game: bs.Game, seconds: float, name: str) -> Speed:
    """Play random games wholly inside the core."""
    players = min(PLAYERS, max(game.players))
    game.playouts(2, players=players)
    decisions, seed = 0, 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        decisions += sum(one.decisions for one in game.playouts(20, players=players, seed=seed))
        seed += 20
    return Speed(name, decisions, time.perf_counter() - begin)


def games_a_second(game: bs.Game, seconds: float) -> float:
    """Return how many random games are played in a second inside the core."""
    players = min(PLAYERS, max(game.players))
    game.playouts(1, players=players)
    count = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        game.playouts(3, players=players, seed=count)
        count += 3
    return count / (time.perf_counter() - begin)


def each(action: Callable[[], object], seconds: float) -> float:
    """Return the microseconds that an action takes."""
    count = 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(20):
            action()
        count += 20
    return (time.perf_counter() - begin) / count * 1e6


def bytes_of(state: bs.State) -> int:
    """Return the memory that one more position takes: its lists of cells and frames."""
    table = state._table
    lists = [table.cells, table.stack, table.options, *table.stack]
    return sum(sys.getsizeof(one) for one in lists)


def small_actions(game: bs.Game, seconds: float) -> dict[str, float]:
    """Return what values cost: play, copy, JSON, in microseconds; and a position's memory."""
    state = game.start(PLAYERS, seed=3, log=False)
    picker = random.Random(3)
    for _ in range(120):
        state.play_in_place(picker.choice(state.option_ids))
    option = state.option_ids[0]
    text = state.to_json()
    return {
        "state.play (us)": each(lambda: state.play(option), seconds),
        "state.copy (us)": each(state.copy, seconds),
        "to_json (us)": each(state.to_json, seconds),
        "from_json (us)": each(lambda: game.from_json(text), seconds),
        "position (bytes)": float(bytes_of(state)),
    }


def loading(game: str) -> float:
    """Return the seconds that loading, checking and compiling a pack takes."""
    begin = time.perf_counter()
    bs.load(game)
    return time.perf_counter() - begin


def peer_speeds(seconds: float) -> list[Speed]:
    """Return the speeds of the peers that are installed."""
    result: list[Speed] = []
    for peer in PEERS:
        try:
            result.append(peer(seconds))
        except PeerMissing as missing:
            print(f"({missing})", file=sys.stderr)
    return result


def ratios(ours: list[Speed], peers: list[Speed]) -> list[str]:
    """Return the sentences that compare us with the peers."""
    driven_speed, inside_speed = ours[0].per_second, ours[1].per_second
    lines: list[str] = []
    for peer in peers:
        own, way = (
            (inside_speed, "inside the core")
            if "C++" in peer.name
            else (driven_speed, "driven from Python")
        )
        lines.append(
            f"{way}: {own / peer.per_second:.2f} times {peer.name} (all actions), "
            f"{own / peer.player_per_second:.2f} times counting players' only"
        )
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    form = "compiled" if is_compiled() else "pure"
    load_seconds = loading("broom_service")
    base, box = bs.load("broom_service"), bs.load("broom_service", variants=BOX)
    ours = [
        driven(base, arguments.seconds, f"broomservice, {form}, driven from Python"),
        inside(base, arguments.seconds, f"broomservice, {form}, playouts"),
        driven(box, arguments.seconds, f"the whole box on the back board, {form}, driven"),
    ]
    peers = peer_speeds(arguments.seconds)
    for speed in [*ours, *peers]:
        print(f"{speed.name:60} {speed.per_second:12,.0f} decisions/s")
    for line in ratios(ours, peers):
        print(line)
    print(f"the whole box: {ours[2].per_second / ours[0].per_second:.2f} times the base game")
    rates = {
        name: games_a_second(bs.load(name), arguments.seconds / 3) for name in bs.known_games()
    }
    for name, rate in rates.items():
        print(f"{name:60} {rate:12,.1f} games/s ({rate / rates['broom_service']:.2f})")
    small = small_actions(base, arguments.seconds / 10)
    for name, amount in small.items():
        print(f"{name:60} {amount:12,.1f}")
    print(f"{'loading, checking, compiling (s)':60} {load_seconds:12.2f}")
    if arguments.json:
        content = {speed.name: speed.per_second for speed in [*ours, *peers]}
        arguments.json.write_text(json.dumps({**content, **small, "load": load_seconds}, indent=1))


if __name__ == "__main__":
    main()
