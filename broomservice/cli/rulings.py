"""`broomservice rulings` and `broomservice why`: cases with their answers, and reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import click
from rich.console import Console
from rich.text import Text

from broomservice.cli.check import pack_around
from broomservice.cli.common import (
    choices_of,
    console,
    examples,
    game_options,
    json_option,
    language_option,
    print_json,
)
from broomservice.cli.texts import said
from broomservice.explain import Check, Verdict
from broomservice.game import Game, load
from broomservice.option import Option
from broomservice.pack.documents import content_folder, find_pack, known_games
from broomservice.pack.problems import Problems, likely
from broomservice.pack.provenance import Provenance
from broomservice.picking import is_part, picks_left
from broomservice.rulings import Bench, Case, Outcome, load_cases
from broomservice.rulings_page import (
    options_of,
    packaged_games,
    rulings_index,
    rulings_page,
    wording,
)
from broomservice.state import State


@attrs.frozen
class Judged:
    """A case with what came out, under each of its readings."""

    case: Case
    outcomes: tuple[Outcome, ...]

    @property
    def holds(self) -> bool:
        """Whether everything came out as the case says."""
        return all(outcome.holds for outcome in self.outcomes)


# --- rulings -----------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "rulings",
        "rulings broom_service figure_left_tower_from_forest",
        "rulings broom_service --variant house_rule.yaml",
        "rulings my_rulings.yaml --lang de",
        "rulings broom_service --markdown",
    )
)
@click.argument("game", required=False)
@click.argument("case", required=False, metavar="[ID]")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="ID|FILE",
    help="Play the cases with a variant too, such as your house rule; may be repeated.",
)
@click.option(
    "--markdown",
    is_flag=True,
    help="Print the rulings of GAME as a page; without GAME, the page that leads to all.",
)
@language_option
@json_option
def rulings(
    game: str | None,
    case: str | None,
    variants: tuple[str, ...],
    markdown: bool,
    language: str,
    as_json: bool,
) -> None:
    """Run rulings: small cases with their answers.

    Each names the passage that it rests on. GAME is a game, or a file of rulings of your own;
    without it, all games are run. With an ID one case is shown in full. Ends with 1 if a ruling
    does not hold.
    """
    if markdown:
        page = (
            rulings_page(load(game), language)
            if game is not None
            else (rulings_index(packaged_games(), language))
        )
        click.echo(page, nl=False)
        return
    results: list[tuple[Game, Judged]] = []
    for bench, cases in benches(game, variants, language):
        chosen = [one for one in cases if case in (None, one.id)]
        if case is not None and not chosen:
            raise click.UsageError(unknown_case(case, cases))
        plain_game = load(bench.game, variants=variants) if chosen else None
        for one in chosen:
            assert plain_game is not None
            results.append((plain_game, Judged(one, tuple(bench.run(one)))))
    if as_json:
        print_json([judged_data(chosen_game, judged, language) for chosen_game, judged in results])
    else:
        print_rulings(results, language, in_full=case is not None)
    if not all(judged.holds for _, judged in results):
        raise click.exceptions.Exit(1)


def benches(
    game: str | None, variants: tuple[str, ...], language: str
) -> list[tuple[Bench, tuple[Case, ...]]]:
    """Return the cases that were asked for, each with what runs them."""
    if game is not None and Path(game).suffix in (".yaml", ".yml"):
        if not Path(game).is_file():
            raise click.UsageError(f"there is no file '{game}'")
        cases = load_cases(Path(game))
        around = pack_around(Path(game))
        name = cases[0].game if cases else known_games()[0]
        return [(Bench(around or name, variants, language), cases)]
    names = known_games() if game is None else (game,)
    result: list[tuple[Bench, tuple[Case, ...]]] = []
    for name in names:
        folder = rulings_folder(name)
        cases = load_cases(folder) if folder.is_dir() else ()
        result.append((Bench(name, variants, language), cases))
    return result


def rulings_folder(game: str) -> Path:
    """Return the folder of a game's rulings.

    Raises:
        PackError: if there is no such game.
    """
    problems = Problems()
    folder = find_pack(game, problems)
    problems.raise_if_any()
    return (folder or content_folder("cards") / game) / "rulings"


def unknown_case(name: str, cases: tuple[Case, ...]) -> str:
    """Return what to say when no case is called so."""
    hint = likely(name, [case.id for case in cases])
    return f"there is no ruling '{name}'" + (f" (did you mean '{hint}'?)" if hint else "")


def print_rulings(results: list[tuple[Game, Judged]], language: str, *, in_full: bool) -> None:
    """Print cases: in short by topic, in full if they fail or were asked for."""
    out = console()
    topic = ""
    for game, judged in results:
        case = judged.case
        if (heading := f"{case.game}: {case.topic}") != topic and not in_full:
            out.print(Text(f"\n{heading}" if topic else heading, style="bold"))
            topic = heading
        if in_full or not judged.holds:
            print_case(out, game, judged, language)
        else:
            out.print(
                Text("  ✓ ", style="green")
                .append(case.id, style="cyan")
                .append(f"  {case.text('question', language)}", style="default")
            )
    if not in_full:
        held = sum(judged.holds for _, judged in results)
        out.print(Text(f"\n{said('rulings_hold', language, held, len(results))}", style="bold"))


def print_case(out: Console, game: Game, judged: Judged, language: str) -> None:
    """Print one case with question, answer, source and outcome."""
    case = judged.case
    out.print(Text(case.id, style="bold cyan"))
    for key, part in (("question", "question"), ("ruling", "answer")):
        out.print(f"  {said(key, language)}: {case.text(part, language)}")
    out.print(f"  {said('source', language)}: {grounds(game, case_source(game, case), language)}")
    if case.node.get("readings"):
        out.print(f"  {said('ambiguous', language)}")
    words = {
        options_of(reading): wording(game, reading, language)
        for reading in case.node.get("readings", ())
    }
    for outcome in judged.outcomes:
        mark, style, key = (
            ("✓", "green", "ruling_holds") if outcome.holds else ("✗", "bold red", "ruling_fails")
        )
        reading = f"{said('reading', language, outcome.reading)}: " if outcome.reading else ""
        text = f"  {mark} {reading}{said(key, language)}"
        if meant := words.get(outcome.reading):
            text += f" ({meant})"
        out.print(Text(text, style=style))
        for failure in outcome.failures:
            out.print(f"      {failure}")


def case_source(game: Game, case: Case) -> Provenance:
    """Return what a case rests on."""
    return game.sources.read(case.node)


def grounds(game: Game, provenance: Provenance, language: str) -> str:
    """Return what something rests on, in words."""
    titles = "; ".join(game.sources.title(citation) for citation in provenance.citations)
    head = titles or said(provenance.certainty, language)
    return f"{head}. {provenance.because}" if provenance.because else head


def judged_data(game: Game, judged: Judged, language: str) -> dict[str, Any]:
    """Return a case with its outcome, as data."""
    case = judged.case
    return {
        "game": case.game,
        "id": case.id,
        "topic": case.topic,
        "file": case.place.file,
        "line": case.place.line,
        "question": case.text("question", language),
        "answer": case.text("answer", language),
        "source": grounds(game, case_source(game, case), language),
        "holds": judged.holds,
        "outcomes": [
            {"reading": outcome.reading, "holds": outcome.holds, "failures": list(outcome.failures)}
            for outcome in judged.outcomes
        ],
    }


# --- why ---------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        'why broom_service saved.json "hill witch"',
        "why broom_service saved.json pass --lang de",
    )
)
@click.argument("game")
@click.argument("position", type=click.Path(exists=True, dir_okay=False))
@click.argument("option")
@game_options
@language_option
@json_option
def why(
    game: str,
    position: str,
    option: str,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
    as_json: bool,
) -> None:
    """Say why an option is open, or why not.

    POSITION is a file that `save` wrote while playing, or `State.to_json`. Ends with 1 if the
    option is not open.
    """
    chosen = choices_of(game, variants, options, board).load()
    try:
        text = Path(position).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{position}: {error}") from None
    verdict = chosen.from_json(text).explain(option, language)
    if as_json:
        print_json(verdict_data(chosen, verdict, language))
    else:
        print_verdict(console(), chosen, verdict, language)
    if not verdict.legal:
        raise click.exceptions.Exit(1)


def print_option(out: Console, state: State, option: Option, language: str) -> None:
    """Print whether an option is open, and why; of a set, whether it may be part of it."""
    verdict = state.explain(option, language)
    if not is_part(state, option):
        print_verdict(out, state.game, verdict, language)
        return
    more = picks_left(state) - 1
    out.print(Text(said("may_be_part", language, verdict.name, more), style="bold"))
    for check in verdict.checks:
        if check.holds:
            print_check(out, state.game, check, language)


def print_verdict(out: Console, game: Game, verdict: Verdict, language: str) -> None:
    """Print whether an option is open, with each requirement and what it rests on.

    Of a refusal what fails comes first, and what is met follows in one line.
    """
    key = "is_open" if verdict.legal else "not_open"
    out.print(Text(said(key, language, verdict.name), style="bold"))
    for check in verdict.checks:
        if verdict.legal or not check.holds:
            print_check(out, game, check, language)
    met = dict.fromkeys(check.title for check in verdict.checks if check.holds)
    if met and not verdict.legal:
        out.print(Text(f"  {said('met', language, ', '.join(met))}", style="dim"))
    assumed = [fact.name for fact in verdict.assumed_facts]
    if assumed:
        text = said("rests_on_assumed", language, ", ".join(assumed))
        out.print(Text(f"  {text}", style="yellow"))


def print_check(out: Console, game: Game, check: Check, language: str) -> None:
    """Print one requirement: what it asks for if it holds, otherwise its sentence."""
    if check.holds:
        out.print(Text(f"  ✓ {check.title}", style="green"))
    else:
        out.print(Text(f"  ✗ {check.sentence}", style="red"))
    if check.provenance.citations or check.provenance.because:
        out.print(Text(f"      {grounds(game, check.provenance, language)}", style="dim"))


def verdict_data(game: Game, verdict: Verdict, language: str) -> dict[str, Any]:
    """Return an explanation as data."""
    return {
        "option": verdict.option.label,
        "legal": verdict.legal,
        "player": verdict.player,
        "prompt": verdict.prompt,
        "checks": [
            {
                "name": check.name,
                "title": check.title,
                "holds": check.holds,
                "sentence": "" if check.holds else check.sentence,
                "source": grounds(game, check.provenance, language),
                "assumed": check.assumed,
                "assumed_facts": [fact.name for fact in check.assumed_facts],
            }
            for check in verdict.checks
        ],
    }
