"""The rulings of a game, what they cite and use, and which sections nothing cites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.rulings import Case

TOKEN = re.compile(r"[a-z_][a-z0-9_]*")


def cases_of(game: Game) -> tuple[Case, ...]:
    """Return the rulings that come with a pack."""
    return cases_in(game.documents.folder / "rulings")


@lru_cache(maxsize=16)
def cases_in(folder: Path) -> tuple[Case, ...]:
    """Return the rulings in a folder, none if there is no such folder."""
    from broomservice.rulings import load_cases

    return load_cases(folder) if folder.is_dir() else ()


def uses_of_statements(game: Game) -> dict[str, list[str]]:
    """Return the ids of the rulings that cite each statement."""
    result: dict[str, list[str]] = {}
    for case in cases_of(game):
        for name in case.rules:
            result.setdefault(name, []).append(case.id)
    return result


def cases_about(game: Game, name: str, kind: str) -> tuple[str, ...]:
    """Return the ids of the rulings that cite a statement, or that use a part of the game."""
    return tuple(
        case.id
        for case in cases_of(game)
        if (name in case.rules if kind == "statement" else name in mentioned(case))
    )


def mentioned(case: Case) -> set[str]:
    """Return the names that a case uses in its position, its answers and what then holds."""
    parts = [case.node.get(key) for key in ("given", "when", "then", "readings")]
    return {name for part in parts for text in texts_in(part) for name in TOKEN.findall(text)}


def texts_in(node: Any) -> Iterator[str]:
    """Return all keys and texts in a part of a document."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield str(key)
            yield from texts_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts_in(value)
    elif isinstance(node, str):
        yield node


# --- citations -----------------------------------------------------------------------------------


def uncited(game: Game) -> tuple[tuple[str, str], ...]:
    """Return the sections (document, section) that neither the pack nor its rulings cite."""
    documents = game.documents
    used: set[tuple[str, str]] = set()
    for part in (
        documents.game,
        *documents.cards,
        *documents.boards.values(),
        *documents.variants.values(),
        documents.rules,
        *(case.node for case in cases_of(game)),
    ):
        used.update(citations_in(part))
    return tuple(
        (doc, section)
        for doc, known in game.sources.sections().items()
        for section in known
        if (doc, section) not in used
    )


def citations_in(node: Any) -> Iterator[tuple[str, str]]:
    """Return every passage that is cited in a part of a document."""
    if isinstance(node, Mapping):
        if set(node) == {"doc", "section"}:
            yield str(node["doc"]), str(node["section"])
        for value in node.values():
            yield from citations_in(value)
    elif isinstance(node, list):
        for value in node:
            yield from citations_in(value)
