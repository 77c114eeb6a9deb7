"""`broomservice demo`: a whole game between bots, told."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from broomservice.bots import bots_for
from broomservice.cli.common import (
    bot_names,
    bots_option,
    choices_of,
    console,
    examples,
    game_argument,
    game_options,
    json_option,
    language_option,
    players_of,
    players_option,
    print_json,
    seed_option,
)
from broomservice.cli.scoring import Breakdown, breakdown, winners_line
from broomservice.cli.telling import Line, tell_game
from broomservice.cli.texts import said
from broomservice.state import State

INDENT = "    "
STYLES = {"tell": "", "score": "green", "answer": "dim", "hand": "cyan", "draw": "dim"}
PLAYER_STYLES = ("bold red", "bold blue", "bold magenta", "bold yellow", "bold cyan", "bold green")


@click.command(
    epilog=examples(
        "demo",
        "demo --players 3 --seed 7 --bots greedy --lang de",
        "demo broom_service --option rounds=2 --names Ann,Bob,Cleo,Dan",
    )
)
@game_argument
@players_option
@seed_option
@game_options
@bots_option
@click.option("--names", metavar="NAMES", help="What the players are called, with commas.")
@language_option
@json_option
def demo(
    game: str | None,
    players: int | None,
    seed: int,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    bots: str,
    names: str | None,
    language: str,
    as_json: bool,
) -> None:
    """Play a whole game between bots and tell it in sentences.

    At the end every player's points are taken apart.
    """
    chosen = choices_of(game, variants, options, board).load()
    count = players_of(chosen, players)
    state = chosen.start(count, seed=seed, names=player_names(names, count))
    lines = tell_game(state, bots_for(bot_names(bots, count), count, seed), language)
    if as_json:
        print_json(story_data(state, lines, language))
        return
    out = console()
    out.print(Text(f"{chosen.name(language)}, {count} {said('players', language)}", style="bold"))
    print_lines(out, lines)
    out.print()
    print_ending(out, state, language)


def player_names(text: str | None, players: int) -> tuple[str, ...]:
    """Return the names that were asked for; none if none were."""
    if text is None:
        return ()
    names = tuple(part.strip() for part in text.split(","))
    if len(names) != players or not all(names):
        raise click.UsageError(f"--names {text}: {players} names are needed, with commas between")
    if len(set(names)) < players:
        raise click.UsageError(f"--names {text}: two players have the same name")
    return names


def print_lines(out: Console, lines: Iterable[Line]) -> None:
    """Print a story: sections and paragraphs apart, points and asides indented."""
    for line in lines:
        if line.kind == "section":
            out.print(Text(f"\n=== {line.text} ===", style="bold"))
        elif line.kind == "turn":
            out.print(Text(f"\n{line.text}" if line.text else "", style="bold"))
        else:
            indent = "" if line.kind == "tell" else INDENT
            text = fill(
                line.text,
                out.width,
                initial_indent=indent,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
            out.print(Text(text, style=STYLES[line.kind]))


def print_ending(out: Console, state: State, language: str) -> None:
    """Print where all points came from, and who has won."""
    out.print(breakdown_table(breakdown(state, language), state.names, language))
    if state.over:
        out.print(Text(winners_line(state, language), style="bold"))


def breakdown_table(parts: Breakdown, names: tuple[str, ...], language: str) -> Table:
    """Return the points taken apart: a row for each reason, a column for each player."""
    table = Table(title=said("where_from", language), title_justify="left", title_style="bold")
    table.add_column("")
    for name, style in zip(names, PLAYER_STYLES * 2, strict=False):
        table.add_column(Text(name, style=style), justify="right")
    for row in parts.rows:
        cells = [cell(*pair) for pair in zip(row.points, row.parts, strict=True)]
        table.add_row(Text(row.reason), *cells)
    table.add_section()
    table.add_row(
        Text(said("total", language), style="bold"),
        *(Text(str(points), style="bold") for points in parts.total),
    )
    return table


def cell(points: int, parts: int) -> str:
    """Return the points for one reason, with the number of times if there are several."""
    if parts == 0:
        return ""
    return f"{points} ({parts}×)" if parts > 1 else str(points)


def story_data(state: State, lines: Iterable[Line], language: str) -> dict[str, object]:
    """Return a game told, as data."""
    parts = breakdown(state, language)
    return {
        "game": state.game.id,
        "variants": list(state.game.variants),
        "players": list(state.names),
        "points": list(state.points),
        "winners": list(state.winners),
        "breakdown": [
            {"reason": row.reason, "points": list(row.points), "times": list(row.parts)}
            for row in parts.rows
        ],
        "story": [{"kind": line.kind, "player": line.player, "text": line.text} for line in lines],
    }
