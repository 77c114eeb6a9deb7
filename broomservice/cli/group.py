"""The click group: every command is defined in a module of its own and joined here."""

from __future__ import annotations

import click

from broomservice import __version__
from broomservice.cli.ask import ask
from broomservice.cli.check import check
from broomservice.cli.common import Commands, examples
from broomservice.cli.demo import demo
from broomservice.cli.listing import games, sources
from broomservice.cli.play import play
from broomservice.cli.records import audit, replay
from broomservice.cli.rules import rules
from broomservice.cli.rulings import rulings, why
from broomservice.cli.simulating import simulate
from broomservice.core import table


def version_line() -> str:
    """Return the version, and whether the core that runs is compiled."""
    core = "pure Python" if str(table.__file__).endswith(".py") else "compiled"
    return f"broomservice {__version__} ({core} core)"


@click.group(
    cls=Commands,
    epilog=examples("games", "demo --seed 7", "play --humans 1"),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message=version_line())
def commands() -> None:
    """Table games whose rules are data: watch, play, check and measure them.

    Exit codes: 0 all is well; 1 the pack, the record or the move is wrong; 2 wrong usage.
    """


for command in (
    games,
    demo,
    play,
    check,
    sources,
    simulate,
    rulings,
    rules,
    why,
    ask,
    audit,
    replay,
):
    commands.add_command(command)
