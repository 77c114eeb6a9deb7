"""`broomservice check`: all mistakes of packs, variants and rulings, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
import click

from broomservice.cli.common import (
    console,
    examples,
    json_option,
    language_option,
    print_json,
    problem_data,
    shown_problem,
)
from broomservice.cli.records import check_records, is_faithful, print_record, record_data
from broomservice.cli.texts import said
from broomservice.errors import PackError, Problem
from broomservice.game import Game, load
from broomservice.pack.documents import (
    content_folder,
    kind_of,
    known_games,
    load_document,
)
from broomservice.pack.load import Map
from broomservice.pack.problems import Problems
from broomservice.records import is_record
from broomservice.rulebook import uncited
from broomservice.rulings import Bench, load_cases, read_cases


@attrs.frozen
class Report:
    """What is wrong with one path; empty if it is in order."""

    path: str
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> int:
        """How many of the problems are mistakes; the others are warnings."""
        return sum(problem.is_error for problem in self.problems)


@click.command(
    epilog=examples(
        "check my_game/",
        "check house_rule.yaml",
        "check my_rulings.yaml --json",
        "check played_game.yaml",
    )
)
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True), metavar="PATH...")
@language_option
@json_option
def check(paths: tuple[str, ...], language: str, as_json: bool) -> None:
    """Check packs, variants, rulings and records of games.

    Every mistake is shown in its line. PATH is the folder of a pack, one of its files, the file
    of a variant, a file of rulings, which are then run, or the record of a game as played. Ends
    with 1 if anything is wrong; a warning is not.
    """
    records = [path for path in paths if is_record(Path(path))]
    reports = [
        Report(path, problems_of(Path(path), language)) for path in paths if path not in records
    ]
    in_order = not any(report.errors for report in reports)
    data: list[Any] = [
        {**problem_data(one), "severity": one.severity}
        for report in reports
        for one in report.problems
    ]
    if not as_json:
        for report in reports:
            print_report(report, language)
    for path, checked in check_records(records, language):
        in_order = in_order and is_faithful(checked)
        if as_json:
            data.append(record_data(path, checked))
        else:
            print_record(console(), path, checked, language)
    if as_json:
        print_json(data)
    if not in_order:
        raise click.exceptions.Exit(1)


def print_report(report: Report, language: str) -> None:
    """Print the problems of one path, and how many there are."""
    out = console()
    for problem in report.problems:
        out.print(shown_problem(problem))
    warnings = len(report.problems) - report.errors
    parts = [counted("problem", report.errors, language)] if report.errors else []
    parts += [counted("warning", warnings, language)] if warnings else []
    if report.errors:
        out.print(f"{report.path}: {', '.join(parts)}")
    else:
        out.print(", ".join([said("in_order", language, report.path), *parts]))


def counted(what: str, count: int, language: str) -> str:
    """Return a number of problems or warnings in words."""
    return said(f"{what}s", language, count) if count > 1 else said(f"one_{what}", language)


def problems_of(path: Path, language: str = "en") -> tuple[Problem, ...]:
    """Return everything that is wrong with a path, sorted by place; of rulings, in a language."""
    found: set[Problem] = set()
    try:
        for problem in look_into(path, language):
            found.add(problem)
    except PackError as error:
        found.update(error.problems)
    return tuple(sorted(found))


def look_into(path: Path, language: str) -> Iterator[Problem]:
    """Return the problems of a folder or file, by what kind it is."""
    if path.is_dir():
        yield from check_pack(path)
        return
    problems = Problems()
    document = load_document(path, problems)
    yield from problems.found
    if document is None:
        return
    if "variant" in document and "of" in document:
        yield from check_variant(path, document)
    elif problems.errors:
        return
    elif kind_of(document) == "rulings":
        yield from check_rulings(path, document, language)
    elif (folder := pack_around(path)) is not None:
        yield from check_pack(folder)


def check_pack(folder: Path) -> Iterator[Problem]:
    """Return the problems of a pack: as it is, with each variant, its boards, its rulings.

    A board that a variant plays on is checked with that variant.
    """
    game = load(folder)
    yield from game.sources.problems.found
    boards = set(game.documents.boards)
    for name, variant in game.documents.variants.items():
        boards.discard(str(variant.get("game", {}).get("board")))
        yield from mistakes(folder, with_needs(game.documents.variants, variant, name))
    for board in sorted(boards):
        needs = tuple(str(name) for name in game.documents.boards[board].get("needs", ()))
        yield from mistakes(folder, needs, board)
    problems = Problems()
    if (folder / "rulings").is_dir():
        read_cases(folder / "rulings", problems)
    if not problems.errors:
        warn_of_uncited(game, problems)
    yield from problems.found


def uncited_sections(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the sections (document, section) that should be cited and are not.

    Those that `sources.yaml` lists as `background` need not be.
    """
    background = game.sources.background()
    return tuple(one for one in uncited(game) if one not in background)


def warn_of_uncited(game: Game, problems: Problems) -> None:
    """Warn of the sections in sources.yaml that neither the pack nor its rulings cite."""
    documents = game.documents.sources["documents"] if game.documents.sources else {}
    for doc, section in uncited_sections(game):
        problems.warn(
            documents[doc]["sections"].key_at(section),
            "uncited-section",
            f"nothing cites the section '{section}' of '{doc}';"
            " if nothing has to, list it as background",
            got=section,
            expected=f"background: [{section}]",
        )


def with_needs(
    variants: Mapping[str, Map], document: Map, given: str | Path
) -> tuple[str | Path, ...]:
    """Return a variant after all that it cannot be played without; some need each other."""
    own = str(document["variant"])
    found: dict[str, None] = {}
    waiting = list(document.get("needs", ()))
    while waiting:
        name = str(waiting.pop(0))
        if name not in found and name != own:
            found[name] = None
            waiting += variants[name].get("needs", ()) if name in variants else ()
    return (*found, given)


def mistakes(
    game: str | Path, variants: tuple[str | Path, ...], board: str | None = None
) -> tuple[Problem, ...]:
    """Return the problems of a game with variants or on a board."""
    try:
        load(game, variants=variants, board=board)
    except PackError as error:
        return error.problems
    return ()


def check_variant(path: Path, document: Map) -> Iterator[Problem]:
    """Return the problems of a game with a variant."""
    folder = pack_around(path)
    game = folder or known_or_reported(document, "of")
    given = str(document["variant"]) if folder else path
    yield from mistakes(game, with_needs(load(game).documents.variants, document, given))


def check_rulings(path: Path, document: Map, language: str) -> Iterator[Problem]:
    """Return the rulings of a file that do not hold."""
    game = pack_around(path) or known_or_reported(document, "rulings")
    bench = Bench(game, language=language)
    for case in load_cases(path):
        for outcome in bench.run(case):
            for failure in outcome.failures:
                reading = f" ({outcome.reading})" if outcome.reading else ""
                yield Problem(case.place, "ruling", f"{case.id}{reading}: {failure}")


def known_or_reported(document: Map, key: str) -> str:
    """Return the game that a document names.

    Raises:
        PackError: if no game that comes with the package is called so.
    """
    problems, name = Problems(), str(document[key])
    if name not in known_games():
        problems.unknown(
            document.at(key), "unknown-game", f"there is no game '{name}'", name, known_games()
        )
        problems.raise_if_any()
    return name


def pack_around(path: Path) -> Path | None:
    """Return the folder of the pack that a file belongs to, or None."""
    for folder in path.resolve().parents:
        if (folder / "game.yaml").is_file():
            return folder
        beside: Any = folder.parent.parent / "cards" / folder.name
        if folder.parent.name == "boards" and (beside / "game.yaml").is_file():
            return Path(beside)
        if folder == content_folder("cards"):
            return None
    return None
