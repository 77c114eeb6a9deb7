"""The command line: everything in it is shown by `broomservice --help`."""

from __future__ import annotations

import sys

NEEDS = 'broomservice: the command line needs two more packages: pip install "broomservice[cli]"'


def main() -> None:
    """Run the command line; say in one line what is missing if it cannot run."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        print(NEEDS, file=sys.stderr)
        raise SystemExit(2) from None
    from broomservice.cli.group import commands

    commands(prog_name="broomservice")
