"""`broomservice ask`: settle a question at the table, at a position, in plain sentences."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.talk import answer_all, talk
from broomservice.cli.asking.texts import said
from broomservice.cli.common import (
    choices_of,
    console,
    examples,
    game_argument,
    game_options,
    language_option,
    players_of,
    players_option,
    seed_option,
)
from broomservice.cli.play import read_position
from broomservice.game import Game
from broomservice.pack.documents import known_games
from broomservice.records import Record, is_record
from broomservice.state import State


@click.command(
    epilog=examples(
        'ask broom_service --say "options"',
        'ask --players 3 --names Ann,Bob,Carla --say "may ann lead a hill witch"',
        "ask broom_service --position saved.json --lang de",
        'ask by_hand.yaml --to 12 --say "why not t12"',
    )
)
@game_argument
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False),
    help="A saved position, or a record; also as GAME.",
)
@click.option(
    "--to",
    type=click.IntRange(min=0),
    metavar="N",
    help="Go to the position after N answers of a record; else to its end, or its first mistake.",
)
@click.option("--names", "called", default="", help="What the players are called, with commas.")
@click.option(
    "--say",
    "sayings",
    multiple=True,
    metavar="TEXT",
    help="Answer this instead of what is typed, then stop; may be repeated.",
)
@players_option
@seed_option
@game_options
@language_option
def ask(
    game: str | None,
    position: str | None,
    to: int | None,
    called: str,
    sayings: tuple[str, ...],
    players: int | None,
    seed: int,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
) -> None:
    """Ask a referee: may one do this, why not, what if.

    At a saved position or in a recorded game, at the start of a game, or at a position put together
    with `put`, `set` and `begin`. The referee sees everything, also what is hidden from players.
    Names are found in any sentence; `help` lists what can be asked.
    """
    names = tuple(name.strip() for name in called.split(",") if name.strip())
    if position is None and game is not None and Path(game).is_file():
        position, game = game, None
    out = console()
    if position is not None and is_record(Path(position)):
        state = renamed(recorded(out, Path(position), to, language), names)
    else:
        if to is not None:
            raise click.UsageError("--to counts the answers of a record")
        chosen = choices_of(game or game_in(position), variants, options, board).load()
        if position is not None:
            state = renamed(read_position(chosen, position), names)
        else:
            state = beginning(chosen, players, seed, names)
    referee = Referee(out, state, language)
    if sayings:
        answer_all(referee, sayings)
    else:
        talk(referee)


def game_in(position: str | None) -> str | None:
    """Return the game that a saved position says it is of, if it is one that is known."""
    if position is None:
        return None
    try:
        data = json.loads(Path(position).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    game = data.get("game") if isinstance(data, dict) else None
    return game if game in known_games() else None


def recorded(out: Console, path: Path, to: int | None, language: str) -> State:
    """Return the position at the end of a record, at its first mistake, or after some answers."""
    report = Record.load(path).check(language=language)
    if to is not None and to < len(report.answers):
        state = report.beginning()
        for one in report.answers[:to]:
            state.play_in_place(one.option)
        out.print(said("record_legal", language, to))
        return state
    if report.errors:
        wrong = report.errors[0]
        out.print(said("record_stops", language, wrong.move, wrong.message))
    else:
        out.print(said("record_legal", language, len(report.answers)))
    for assumption in report.assumptions:
        out.print(f"  {assumption}")
    return report.state.copy()


def beginning(game: Game, players: int | None, seed: int, names: tuple[str, ...]) -> State:
    """Return the start of a game; names also tell how many play."""
    count = len(names) if names and players is None else players_of(game, players)
    return game.start(count, seed=seed, names=checked_names(names, count))


def renamed(state: State, names: tuple[str, ...]) -> State:
    """Return a position with other names for the players, if there are any."""
    seated = checked_names(names, state.players)
    return State(state.game, state._compiled, state._table, seated) if seated else state


def checked_names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Return names, one for each player, or none."""
    if names and (len(names) != players or len(set(names)) < players):
        raise click.UsageError(f"--names: {players} different names are needed")
    return names
