"""Mistakes in what a record says of its game, shown in the record's own lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from broomservice.pack.documents import known_games
from broomservice.pack.problems import PackError, Place, Problem, likely

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.records.record import Record

KEYS = {"unknown-game": "record", "unknown-board": "board"}
VARIANTS = ("unknown-variant", "variant-needs", "variant-excludes")
OPTION_RANGE = re.compile(r"option (\w+) is ")
NAMED = re.compile(r"'([^']+)'")


def placed(record: Record, error: PackError) -> PackError:
    """Return the mistakes with the record's lines for what it asks for.

    If there are any, the others are left out: they come of what was asked for.
    """
    own = [found for one in error.problems for found in in_record(record, one)]
    return PackError(own) if own else error


def in_record(record: Record, problem: Problem) -> Iterator[Problem]:
    """Return a problem as one of a line of the record, if it is one."""
    key, name = asked_by(record, problem)
    if not key:
        return
    place = record.places.get(f"{key} {name}" if name else key, Place(record.file))
    message, hint = problem.message, problem.hint
    if key in ("record", "variants"):
        written = record.game if key == "record" else name
        path = str(Path(record.file).parent / written)
        message = message.replace(f"'{path}'", f"'{written}'")
        if key == "record":
            hint = likely(Path(written).name, known_games())
        hint = hint or likely_file(record, written)
    yield attrs.evolve(problem, place=place, message=message, hint=hint)


def asked_by(record: Record, problem: Problem) -> tuple[str, str]:
    """Return the key of a record, and the name below it, that a problem is about."""
    if problem.code in VARIANTS:
        folder = Path(record.file).parent
        about = NAMED.findall(problem.message)[:1]
        names = [one for one in record.variants if about in ([one], [str(folder / one)])]
        return "variants", names[0] if names else ""
    if problem.code == "unknown-option":
        return "options", problem.got
    found = OPTION_RANGE.match(problem.message)
    if found and str(record.options.get(found[1])) == problem.got:
        return "options", found[1]
    key = KEYS.get(problem.code, "")
    if key == "board" and problem.got != record.board:
        return "", ""
    return key, ""


def likely_file(record: Record, name: str) -> str:
    """Return the file beside the record that was probably meant."""
    path = Path(record.file).parent / name
    beside = {one.stem: one.name for one in path.parent.glob("*.y*ml")} if path.suffix else {}
    hint = beside.get(likely(path.stem, beside), "")
    return str(Path(name).parent / hint) if hint else ""


def check_players(record: Record, game: Game) -> None:
    """Check that a game is for as many players as a record names.

    Raises:
        PackError: if it is not.
    """
    count, least, most = len(record.players), game.players[0], game.players[-1]
    if count not in game.players:
        problem = Problem(
            record.places.get("players", Place(record.file)),
            "wrong-value",
            f"{game.id} is for {least} to {most} players, not {count}",
            got=str(count),
            expected=f"{least} to {most}",
        )
        raise PackError([problem])
