"""`broomservice simulate`: many games between bots, in figures."""

from __future__ import annotations

import sys
from typing import Any

import attrs
import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from broomservice.cli.common import (
    Choices,
    bot_names,
    bots_option,
    choices_of,
    console,
    examples,
    game_options,
    json_option,
    language_option,
    players_of,
    players_option,
    print_json,
    seed_option,
)
from broomservice.cli.texts import said
from broomservice.game import Game
from broomservice.simulate import ChoicePoint, Series, Spread, Summary
from broomservice.simulate import simulate as play_series

SHOWN_ANSWERS = 12
QUARTILES = ("mean", "least", "lower", "median", "upper", "most")


@click.command(
    epilog=examples(
        "simulate broom_service -n 200 --players 4",
        "simulate broom_service -n 100 --players 3 --bots greedy,random,random",
        "simulate broom_service -n 5000 --jobs 4 --fast --json",
    )
)
@click.argument("game")
@click.option(
    "-n",
    "--games",
    "count",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="How many games.",
)
@players_option
@seed_option
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many processes; the result is the same.",
)
@bots_option
@click.option("--fast", is_flag=True, help="Random games inside the core; answers not counted.")
@game_options
@language_option
@json_option
def simulate(
    game: str,
    count: int,
    players: int | None,
    seed: int,
    jobs: int,
    bots: str,
    fast: bool,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
    as_json: bool,
) -> None:
    """Play many games between bots and print what came out.

    The points (mean and quartiles), wins by seat, the number of decisions, and how often each
    answer was taken where it was open; a lone option is not asked for. Game number i depends on
    the seed + i alone.
    """
    choices = choices_of(game, variants, options, board)
    chosen = choices.load()
    series = series_of(choices, players_of(chosen, players), bots, fast)
    summary = run(series, count, seed, jobs, quiet=as_json)
    if as_json:
        print_json(summary_data(summary))
    else:
        print_summary(console(), chosen, summary, language)


def series_of(choices: Choices, players: int, bots: str, fast: bool) -> Series:
    """Return what is to be played."""
    names = bot_names(bots, players)
    if fast and set(names) != {"random"}:
        raise click.UsageError("--fast plays random games only")
    return Series(
        choices.game, players, choices.variants, choices.options, choices.board, names, fast
    )


def run(series: Series, count: int, seed: int, jobs: int, *, quiet: bool) -> Summary:
    """Play, with a bar on a terminal."""
    errors = Console(stderr=True)
    if quiet or not errors.is_terminal or not sys.stdout.isatty():
        return play_series(series, count, seed=seed, jobs=jobs)
    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=errors, transient=True
    ) as progress:
        bar = progress.add_task("", total=count)
        return play_series(
            series,
            count,
            seed=seed,
            jobs=jobs,
            progress=lambda done: progress.advance(bar, done),
        )


def summary_data(summary: Summary) -> dict[str, Any]:
    """Return the figures as data."""
    return attrs.asdict(summary)


def print_summary(out: Console, game: Game, summary: Summary, language: str) -> None:
    """Print the figures as tables."""
    head = (
        f"{game.name(language)}: {summary.games} {said('games', language)}, "
        f"{said('first_seed', language)} {summary.seed}"
    )
    out.print(Text(head, style="bold"))
    out.print(points_table(summary, language))
    out.print(decisions_table(summary, language))
    if summary.series.fast:
        out.print(said("fast_note", language))
    for choice in summary.choices:
        out.print(answers_table(game, choice, language))


def points_table(summary: Summary, language: str) -> Table:
    """Return the points and wins of each seat."""
    table = titled(said("points", language))
    table.add_column(said("seat", language))
    table.add_column(said("bot", language))
    add_numbers(table, language, *QUARTILES, "wins", "shared")
    for i, seat in enumerate(summary.seats):
        shares = (f"{number} ({number / summary.games:.0%})" for number in (seat.wins, seat.shared))
        table.add_row(f"p{i + 1}", seat.bot, *spread_cells(seat.points), *shares)
    table.add_section()
    table.add_row(said("all_seats", language), "", *spread_cells(summary.points), "", "")
    return table


def decisions_table(summary: Summary, language: str) -> Table:
    """Return how long the games were."""
    table = titled(said("decisions", language))
    add_numbers(table, language, *QUARTILES)
    table.add_row(*spread_cells(summary.decisions))
    table.caption = said("bound", language, summary.longest)
    return table


def answers_table(game: Game, choice: ChoicePoint, language: str) -> Table:
    """Return how often each answer was taken at one kind of decision."""
    table = titled(said("answers_at", language, choice.point, choice.asked))
    table.add_column(said("answer", language))
    add_numbers(table, language, "taken", "open", "share")
    for answer in choice.answers[:SHOWN_ANSWERS]:
        share = f"{answer.taken / answer.offered:.0%}"
        name = game.options[answer.option].shown(language)
        table.add_row(Text(name), str(answer.taken), str(answer.offered), share)
    rest = len(choice.answers) - SHOWN_ANSWERS
    if rest > 0:
        table.caption = said("more", language, rest)
    return table


def titled(title: str) -> Table:
    """Return an empty table with a title."""
    return Table(
        title=f"\n{title}", title_justify="left", title_style="bold", caption_justify="left"
    )


def add_numbers(table: Table, language: str, *keys: str) -> None:
    """Add columns of numbers."""
    for key in keys:
        table.add_column(said(key, language), justify="right")


def spread_cells(spread: Spread) -> tuple[str, ...]:
    """Return a spread for a row of a table."""
    return (
        f"{spread.mean:.1f}",
        str(spread.least),
        f"{spread.lower:g}",
        f"{spread.median:g}",
        f"{spread.upper:g}",
        str(spread.most),
    )
