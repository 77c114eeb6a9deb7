"""`broomservice audit` and `replay`, and how a checked record is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import click
from rich.console import Console
from rich.text import Text

from broomservice.cli.accounting import Entry, accounts
from broomservice.cli.common import console, examples, json_option, language_option, print_json
from broomservice.cli.demo import print_lines
from broomservice.cli.scoring import winners_line
from broomservice.cli.telling import Line, Teller, note_prompt
from broomservice.cli.texts import said
from broomservice.errors import PackError
from broomservice.log import entries
from broomservice.records import Finding, Record, Report
from broomservice.records.texts import said as put
from broomservice.state import State

STYLES = {"error": "bold red", "warning": "yellow", "note": "default"}
record_argument = click.argument(
    "record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)


def checked(path: Path, language: str) -> Report:
    """Return the report of a record; end with 1 if the file or its game cannot be read."""
    try:
        return Record.load(path).check(language=language)
    except PackError as error:
        for problem in error.problems:
            click.echo(problem.shown() if problem.place.file else f"{path}: {problem}", err=True)
        raise click.exceptions.Exit(1) from None


# --- check ----------------------------------------------------------------------------------------


def print_record(out: Console, path: str, report: Report, language: str) -> None:
    """Print what a check of a record found."""
    for finding in report.findings:
        print_finding(out, finding, language)
    verdict = put(f"record_{report.verdict}", language, len(report.answers))
    out.print(Text(f"{path}: {verdict}", style="bold"))
    if report.verdict in ("legal", "depends") and report.exact != "unknown":
        out.print(f"{path}: {put('record_' + report.exact, language)}")


def print_finding(out: Console, finding: Finding, language: str) -> None:
    """Print one finding with its line and a caret."""
    hint = f". {said('meant', language, finding.hint)}" if finding.hint else ""
    place = f"{finding.file}:{finding.line}:{finding.column}: " if finding.line else ""
    move = f"{put('move_number', language, finding.move)}: " if finding.move > 0 else ""
    text = f"{place}{finding.code}: {move}{finding.message}{hint}"
    out.print(Text(text, style=STYLES[finding.level]))
    if finding.line and (line := line_of(finding)):
        out.print(Text(f"    {line}\n    {' ' * (finding.column - 1)}^"))
    if finding.source:
        out.print(Text(f"    {said('source', language)}: {finding.source}"))


def line_of(finding: Finding) -> str:
    """Return the line of the file that a finding is about."""
    try:
        text = Path(finding.file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    lines = text.split("\n")
    return lines[finding.line - 1] if finding.line <= len(lines) else ""


def record_data(path: str, report: Report) -> dict[str, Any]:
    """Return what a check of a record found, as data."""
    return {
        "file": path,
        "verdict": report.verdict,
        "exact": report.exact,
        "answers": len(report.answers),
        "over": report.state.over,
        "points": list(report.state.points),
        "findings": [attrs.asdict(finding) for finding in report.findings],
        "depends": [
            {
                "owner": one.owner,
                "move": one.move + 1,
                **{
                    key: [{"option": name, "move": move} for name, move in some]
                    for key, some in (
                        ("shown", one.shown),
                        ("needed", one.needed),
                        ("excluded", one.excluded),
                    )
                },
                "filled": list(one.filled),
            }
            for one in report.assumptions
        ],
    }


# --- audit ----------------------------------------------------------------------------------------


@click.command(epilog=examples("audit game.yaml", "audit game.yaml --lang de"))
@record_argument
@language_option
@json_option
def audit(record: Path, language: str, as_json: bool) -> None:
    """Take the points of a recorded game apart.

    Each player's points are told line by line, with the passages of the rulebook and with what is
    assumed, and they add up. Ends with 1 if the record is illegal; the points up to there are
    told all the same.
    """
    report = checked(record, language)
    state = report.state
    told = accounts(state, language)
    if as_json:
        print_json(
            {
                **record_data(str(record), report),
                "accounts": [
                    {
                        "player": name,
                        "points": points,
                        "lines": [attrs.asdict(one) for one in lines],
                    }
                    for name, points, lines in zip(state.names, state.points, told, strict=True)
                ],
            }
        )
    else:
        print_accounts(console(), state, told, language)
        print_errors(report, language)
    if not report:
        raise click.exceptions.Exit(1)


def print_accounts(
    out: Console, state: State, told: tuple[tuple[Entry, ...], ...], language: str
) -> None:
    """Print the account of each player; the passages that they rest on are numbered."""
    passages: dict[str, int] = {}
    for name, points, lines in zip(state.names, state.points, told, strict=True):
        out.print(Text(name, style="bold"))
        section = ""
        for entry in lines:
            if entry.section != section:
                section = entry.section
                out.print(Text(f"  {section}"))
            number = passages.setdefault(entry.grounds(language), len(passages) + 1)
            out.print(line_text(entry, number, language))
        out.print(Text(f"  {points:5}  {said('total', language)}\n", style="bold"))
    for source, number in passages.items():
        out.print(Text(f"  [{number}] {source}", style="dim"))
    if state.over:
        out.print(Text(f"\n{winners_line(state, language)}", style="bold"))


def line_text(entry: Entry, number: int, language: str) -> Text:
    """Return a line of an account, with the number of its passage, and what is assumed."""
    text = Text(f"  {entry.points:+5}  {entry.reason}")
    text.append(f"  [{number}]", style="dim")
    if entry.assumed:
        names = ", ".join(entry.assumed)
        text.append(f"  ({said('assumed', language)}: {names})", style="yellow")
    return text


def print_errors(report: Report, language: str) -> None:
    """Print what makes a record illegal."""
    for finding in report.errors:
        print_finding(console(), finding, language)


# --- replay ---------------------------------------------------------------------------------------


@click.command(epilog=examples("replay game.yaml", "replay game.yaml --to 40 --lang de"))
@record_argument
@click.option("--to", "last", type=click.IntRange(min=0), help="Stop after so many moves.")
@language_option
@json_option
def replay(record: Path, last: int | None, language: str, as_json: bool) -> None:
    """Tell a recorded game, as it was played.

    Ends with 1 if the record is illegal; the game is told up to there.
    """
    report = checked(record, language)
    state, lines = told(report, last, language)
    if as_json:
        print_json(
            {
                **record_data(str(record), report),
                "points": list(state.points),
                "story": [attrs.asdict(line) for line in lines],
            }
        )
    else:
        out = console()
        print_lines(out, lines)
        out.print()
        points = ", ".join(
            f"{name} {number}" for name, number in zip(state.names, state.points, strict=True)
        )
        out.print(Text(f"{said('points', language)}: {points}", style="bold"))
        if state.over:
            out.print(Text(winners_line(state, language), style="bold"))
        print_errors(report, language)
    if not report:
        raise click.exceptions.Exit(1)


def told(report: Report, last: int | None, language: str) -> tuple[State, tuple[Line, ...]]:
    """Return a recorded game up to a move, told."""
    state = report.beginning()
    prompts: dict[int, str] = {}
    for answer in report.answers:
        if last is not None and answer.move >= last:
            break
        note_prompt(state, prompts, language)
        state.play_in_place(answer.option)
    story = Teller.of(state, language).tell(entries(state, language), prompts)
    return state, tuple(story)


def check_records(paths: list[str], language: str) -> Iterator[tuple[str, Report]]:
    """Return the reports of records."""
    for path in paths:
        yield path, checked(Path(path), language)


def is_faithful(report: Report) -> bool:
    """Whether a record is legal, and what it pins down comes out again."""
    return bool(report) and report.exact != "differs"
