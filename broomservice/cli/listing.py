"""`broomservice games` and `broomservice sources`: what there is, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from broomservice.cli.check import uncited_sections
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
from broomservice.game import Game, read_documents
from broomservice.pack.documents import Documents, known_games
from broomservice.pack.overlay import overlay
from broomservice.pack.problems import Problems
from broomservice.pack.provenance import Citation, Fact

STYLES = {"cited": "green", "deduced": "yellow", "assumed": "red", "unknown": "bold red"}


# --- games -------------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "games",
        "games --lang de",
        "games --json",
    )
)
@language_option
@json_option
def games(language: str, as_json: bool) -> None:
    """List the games that come with the package.

    With numbers of players, boards, variants, and the options that each leaves open.
    """
    packs = [game_data(read_documents(name, Problems()), language) for name in known_games()]
    if as_json:
        print_json(packs)
        return
    out = console()
    for i, pack in enumerate(packs):
        if i:
            out.print()
        print_game(out, pack, language)


def game_data(documents: Documents, language: str) -> dict[str, Any]:
    """Return what a game offers, as data."""
    game = documents.game
    default = game.get("board")
    return {
        "id": str(game["game"]),
        "name": in_words(game.get("name"), language),
        "players": [game["players"]["min"], game["players"]["max"]],
        "boards": sorted(documents.boards, key=lambda name: (name != default, name)),
        "variants": [
            {
                "id": name,
                "name": in_words(node.get("name"), language) or name,
                "text": in_words(node.get("text"), language),
                "needs": list(node.get("needs", ())),
                "excludes": list(node.get("excludes", ())),
            }
            for name, node in sorted(documents.variants.items())
        ],
        "options": [
            option_data(name, node, language) for name, node in game.get("options", {}).items()
        ],
    }


def option_data(name: str, node: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return one option of a game, as data."""
    return {
        "id": name,
        "name": in_words(node.get("name"), language) or name,
        "default": node.get("default", 0),
        "range": list(node.get("range", (0, 0))),
        "meanings": {
            str(number): in_words(text, language)
            for number, text in node.get("meanings", {}).items()
        },
    }


def in_words(text: Any, language: str) -> str:
    """Return a text of a pack in a language, or in English."""
    if isinstance(text, Mapping):
        return str(text.get(language) or text.get("en") or next(iter(text.values()), ""))
    return "" if text is None else str(text)


def print_game(out: Console, pack: dict[str, Any], language: str) -> None:
    """Print what a game offers."""
    least, most = pack["players"]
    out.print(Text(pack["id"], style="bold cyan").append(f"  {pack['name']}", style="bold"))
    out.print(f"  {said('players', language)}: {least}-{most}")
    if pack["boards"]:
        out.print(f"  {said('boards', language)}: {', '.join(pack['boards'])}")
    out.print(
        f"  {said('variants', language)}:"
        + ("" if pack["variants"] else f" {said('none', language)}")
    )
    for variant in pack["variants"]:
        text = f": {variant['text']}" if variant["text"] else ""
        out.print(f"    {variant['id']}  {variant['name']}{text}")
    if pack["options"]:
        out.print(f"  {said('options', language)}:")
    for option in pack["options"]:
        low, high = option["range"]
        out.print(f"    {option['id']}={option['default']}  {option['name']} ({low}-{high})")
        for number, meaning in option["meanings"].items():
            out.print(f"        {number}: {meaning}")


# --- sources -----------------------------------------------------------------------------------


@click.command(
    epilog=examples(
        "sources broom_service --assumed",
        "sources broom_service --cited --deduced --lang de",
        "sources broom_service --uncited",
        "sources broom_service --overlay > my_copy.yaml",
        "sources broom_service --json",
    )
)
@click.argument("game")
@click.option("--cited", is_flag=True, help="Only what a rulebook says.")
@click.option("--deduced", is_flag=True, help="Only what follows from it.")
@click.option("--assumed", is_flag=True, help="Only what no rulebook says.")
@click.option("--uncited", is_flag=True, help="The sections of the rulebooks that nothing cites.")
@click.option(
    "--overlay",
    "as_overlay",
    is_flag=True,
    help="Print a variant that names all that is assumed, for you to put right.",
)
@game_options
@language_option
@json_option
def sources(
    game: str,
    cited: bool,
    deduced: bool,
    assumed: bool,
    uncited: bool,
    as_overlay: bool,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
    as_json: bool,
) -> None:
    """List what every card, place and number of a game rests on.

    Facts are cited from a rulebook, deduced from what is cited, or assumed. If you have the box,
    look up what is assumed and write the true values into a variant of your own, which --overlay
    begins for you.
    """
    chosen = choices_of(game, variants, options, board).load()
    if as_overlay:
        click.echo(overlay(chosen.sources, Path.cwd()), nl=False)
        return
    if uncited:
        print_uncited(chosen, language, as_json=as_json)
        return
    asked = {"cited": cited, "deduced": deduced, "assumed": assumed}
    wanted = {name for name, on in asked.items() if on} or {*asked, "unknown"}
    facts = [fact for fact in chosen.sources.facts if fact.provenance.certainty in wanted]
    if as_json:
        print_json([fact_data(chosen, fact) for fact in facts])
        return
    print_facts(console(), chosen, facts, language)


def print_uncited(game: Game, language: str, *, as_json: bool) -> None:
    """Print the sections that neither the pack nor its rulings cite."""
    left = uncited_sections(game)
    if as_json:
        print_json([{"doc": doc, "section": section} for doc, section in left])
        return
    out = console()
    for doc, section in left:
        title = game.sources.title(Citation(doc, section))
        out.print(f"{doc}, {section}: {title}: {said('section_uncited', language)}")
    if not left:
        out.print(said("all_cited", language))


def fact_data(game: Game, fact: Fact) -> dict[str, Any]:
    """Return a fact with its source, as data."""
    provenance = fact.provenance
    return {
        "what": fact.what,
        "name": fact.name,
        "file": fact.place.file,
        "line": fact.place.line,
        "certainty": provenance.certainty,
        "because": provenance.because,
        "citations": [
            {
                "doc": citation.doc,
                "section": citation.section,
                "title": game.sources.title(citation),
            }
            for citation in provenance.citations
        ],
    }


def print_facts(out: Console, game: Game, facts: list[Fact], language: str) -> None:
    """Print facts under a heading for each sort; equal sources once for facts in a row."""
    last_what, last_source = "", ""
    for fact in facts:
        source = source_text(game, fact)
        if fact.what != last_what:
            out.print(Text(f"\n{fact.what}" if last_what else fact.what, style="bold"))
        certainty = fact.provenance.certainty
        line = Text(f"  {fact.name}", style="cyan")
        line.append(f"  {said(certainty, language)}", style=STYLES[certainty])
        line.append(f"  {shown_place(fact)}", style="dim")
        out.print(line)
        if (fact.what, source) != (last_what, last_source):
            out.print(f"      {source}")
        last_what, last_source = fact.what, source
    out.print()
    for certainty in STYLES:
        count = sum(fact.provenance.certainty == certainty for fact in facts)
        if count:
            out.print(f"{said('facts', language, count)} {said(certainty, language)}")


def source_text(game: Game, fact: Fact) -> str:
    """Return what a fact rests on, in words."""
    titles = "; ".join(game.sources.title(citation) for citation in fact.provenance.citations)
    return ". ".join(part for part in (titles, fact.provenance.because) if part)


def shown_place(fact: Fact) -> str:
    """Return the file and line of a fact, short where the file lies below this folder."""
    path = Path(fact.place.file)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{fact.place.line}"
