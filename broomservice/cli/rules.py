"""`broomservice rules`: the rules of a game to be read, by section, with their passages."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.text import Text

from broomservice.cli.common import (
    choices_of,
    console,
    examples,
    game_argument,
    game_options,
    json_option,
    language_option,
    print_json,
)
from broomservice.cli.rulings import grounds
from broomservice.cli.texts import said
from broomservice.game import Game
from broomservice.rulebook import Change, Section, Statement, changes_of, in_words, sections


@click.command(
    epilog=examples(
        "rules broom_service",
        "rules broom_service --variant storm_clouds --lang de",
        "rules broom_service --option rounds=4",
        "rules potions --json",
    )
)
@game_argument
@game_options
@language_option
@json_option
def rules(
    game: str | None,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
    as_json: bool,
) -> None:
    """Print the rules of a game, as sentences.

    They are grouped by section of the rulebook and numbered, each with its passages, and after
    them stand the sentences with which the game refuses what the section forbids. Numbers are
    those that are played. The rules of a variant are printed if it is played; after the others
    stands what each variant says of itself, adds and changes, and which options were chosen.
    """
    chosen = choices_of(game, variants, options, board).load()
    found = sections(chosen, language)
    if as_json:
        print_json([section_data(chosen, section, language) for section in found])
        return
    print_rules(console(), chosen, found, language)


def print_rules(out: Console, game: Game, found: tuple[Section, ...], language: str) -> None:
    """Print the rules, section by section."""
    out.print(Text(game.name(language), style="bold"))
    names = [
        in_words(game.documents.variants[name].get("name", name), language)
        for name in game.variants
    ]
    if names:
        out.print(said("played_with", language, ", ".join(names)))
    changes = changes_of(game, language)
    if changes:
        out.print(changed(changes, language))
    for section in found:
        heading = heading_of(section, language)
        out.print(Text(f"\n{section.number}. {heading}", style="bold cyan"))
        for one in section.statements:
            print_statement(out, game, one, language)
        if section.requirements:
            out.print(Text(f"  {said('refused', language)}:", style="dim"))
        for name, sentence in section.requirements.items():
            out.print(
                Text(f"    {said('quoted', language, sentence)}").append(f"  ({name})", style="dim")
            )


def heading_of(section: Section, language: str) -> str:
    """Return the heading of a section, or how surely its rules are known."""
    if section.id in ("deduced", "assumed"):
        return said(section.id, language)
    return section.heading


def print_statement(out: Console, game: Game, one: Statement, language: str) -> None:
    """Print one sentence of the rules with what it rests on."""
    out.print(Text(f"  {one.number}  {one.text}").append(f"  ({one.id})", style="dim"))
    out.print(Text(f"        {grounds(game, one.provenance, language)}", style="dim"))
    if one.note:
        out.print(Text(f"        {one.note}", style="dim italic"))
    if one.changes:
        out.print(Text(f"        {changed(one.changes, language)}", style="yellow"))


def changed(changes: tuple[Change, ...], language: str) -> str:
    """Return which numbers are played otherwise than the pack has them."""
    said_of = (said("now_instead", language, one.called, one.now, one.was) for one in changes)
    return said("changed_in", language, "; ".join(said_of))


def section_data(game: Game, section: Section, language: str) -> dict[str, Any]:
    """Return a section of the rules, as data."""
    return {
        "number": section.number,
        "id": section.id,
        "heading": heading_of(section, language),
        "statements": [
            {
                "id": one.id,
                "number": one.number,
                "text": one.text,
                "note": one.note,
                "variant": one.variant,
                "certainty": one.provenance.certainty,
                "source": grounds(game, one.provenance, language),
                "rulings": list(one.rulings),
                "changes": [
                    {"name": change.name, "was": change.was, "now": change.now, "by": change.by}
                    for change in one.changes
                ],
            }
            for one in section.statements
        ],
        "requirements": dict(section.requirements),
    }
