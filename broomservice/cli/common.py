"""What the commands share: their options, loading a game, printing, and how mistakes end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import attrs
import click
from rich.console import Console
from rich.text import Text

from broomservice.bots import BOTS
from broomservice.cli.texts import LANGUAGES
from broomservice.errors import BroomserviceError, EngineError, PackError, Problem
from broomservice.game import Game, load
from broomservice.pack.documents import known_games

Function = TypeVar("Function", bound=Callable[..., Any])

MISUSE = frozenset({"unknown-option", "variant-needs", "variant-excludes"})
PLAIN_WIDTH = 100

language_option = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    envvar="BROOMSERVICE_LANG",
    help="The language of names and sentences.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print data for programs.")
players_option = click.option("--players", type=int, help="How many play.")
seed_option = click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Equal seeds give equal games.",
)
bots_option = click.option(
    "--bots",
    default="random",
    show_default=True,
    metavar="NAMES",
    help=f"Which bots play: {' or '.join(BOTS)}, one for all seats or one each, with commas.",
)
game_argument = click.argument("game", required=False, default=None)


def examples(*lines: str) -> str:
    """Return the examples that end a command's help."""
    return "\n  ".join(("\b\nExamples:", *(f"broomservice {line}" for line in lines)))


@attrs.frozen
class Choices:
    """Which game, and what was chosen of it on the command line."""

    game: str
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, int], ...] = ()
    board: str | None = None

    def load(self) -> Game:
        """Return the game, compiled.

        Raises:
            PackError: if the pack has mistakes.
        """
        return load(self.game, variants=self.variants, options=dict(self.options), board=self.board)


def choices_of(
    game: str | None, variants: Sequence[str], options: Sequence[str], board: str | None
) -> Choices:
    """Return what was chosen; without a game, the first that comes with the package."""
    return Choices(
        game or known_games()[0], tuple(variants), tuple(map(option_value, options)), board
    )


def option_value(text: str) -> tuple[str, int]:
    """Return the name and the number of `NAME=N`."""
    name, _, number = text.partition("=")
    try:
        return name.strip(), int(number)
    except ValueError:
        raise click.UsageError(f"--option {text}: write NAME=N, as in rounds=5") from None


def game_options(function: Function) -> Function:
    """Add the options that choose variants, the board and numbers of the pack."""
    for add in (
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=N",
            help="Set a number that the game leaves open; may be repeated.",
        ),
        click.option("--board", metavar="ID", help="The board, if not the first one."),
        click.option(
            "--variant",
            "variants",
            multiple=True,
            metavar="ID|FILE",
            help="A variant of the game, or the file of your own; may be repeated.",
        ),
    ):
        function = add(function)
    return function


def players_of(game: Game, players: int | None) -> int:
    """Return how many play: as asked, or 4, or the nearest number that the game allows."""
    if players is None:
        return min(max(4, game.players[0]), game.players[-1])
    if players not in game.players:
        least, most = game.players[0], game.players[-1]
        raise click.UsageError(f"{game.id} is for {least} to {most} players, not {players}")
    return players


def bot_names(text: str, players: int) -> tuple[str, ...]:
    """Return the bots that were asked for: one for all, or one for each seat."""
    names = tuple(part.strip() for part in text.split(","))
    for name in names:
        if name not in BOTS:
            raise click.UsageError(f"there is no bot '{name}'; there are {', '.join(BOTS)}")
    if len(names) not in (1, players):
        raise click.UsageError(f"{len(names)} bots for {players} players; name one, or {players}")
    return names


def console() -> Console:
    """Return what prints: in colour on a terminal, plainly elsewhere."""
    result = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    return (
        result
        if result.is_terminal
        else Console(highlight=False, markup=False, emoji=False, soft_wrap=True, width=PLAIN_WIDTH)
    )


def print_json(data: Any) -> None:
    """Print data for programs."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return a problem as data."""
    place = problem.place
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "code": problem.code,
        "message": problem.message,
        "got": problem.got,
        "expected": problem.expected,
        "hint": problem.hint,
    }


def shown_problem(problem: Problem) -> Text:
    """Return a problem with its line and caret."""
    head, _, rest = problem.shown().partition("\n")
    text = Text(head, style="bold")
    return text.append(f"\n{rest}", style="not bold") if rest else text


def is_misuse(problem: Problem) -> bool:
    """Whether a problem lies in the command line, not in a file."""
    return (
        problem.place.file in ("", problem.got)
        or problem.code in MISUSE
        or (problem.code == "wrong-value" and problem.message.startswith("option "))
    )


class Commands(click.Group):
    """A group whose commands never end in a traceback for a user's mistake."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; end with 1 if the pack, the record or the move is wrong."""
        try:
            return super().invoke(ctx)
        except PackError as error:
            if misused := list(filter(is_misuse, error.problems)):
                raise click.UsageError("; ".join(map(said_shortly, misused)), ctx) from None
            for problem in error.problems:
                click.echo(problem.shown(), err=True)
        except EngineError as error:
            click.echo(f"This is a mistake of the engine, please report it: {error}", err=True)
        except BroomserviceError as error:
            click.echo(f"Error: {error}", err=True)
        raise click.exceptions.Exit(1)


def said_shortly(problem: Problem) -> str:
    """Return what is wrong with the command line."""
    hint = f" (did you mean '{problem.hint}'?)" if problem.hint else ""
    return f"{problem.message}{hint}"
