"""The skeleton of an overlay: a variant with all that a pack assumes, to be put right by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from broomservice.pack.documents import schema_line
from broomservice.pack.load import Map, means_a_text
from broomservice.pack.provenance import Sources

WIDTH = 100
WORD = re.compile(r"[a-z][a-z0-9_]*\Z")
# What says where a fact comes from or describes it; an overlay is there for the facts themselves.
BESIDE = frozenset({"name", "text", "source", "because", "at"})
COMPONENTS = "components"


def overlay(sources: Sources, folder: Path) -> str:
    """Return a variant that names everything assumed with its values, and changes nothing.

    Below each fact stands a comment: the source to give it once it is looked up.

    Args:
        sources: the facts of a game with the variants that are played.
        folder: where the file is to lie, for the way to its schema.
    """
    game = sources.documents.game
    lines = [
        schema_line("variant", folder),
        "# Put right what your box shows, and take the # off below each thing that you looked up.",
        "variant: my_copy",
        f"of: {game['game']}",
        "name: My own copy",
    ]
    if played := ", ".join(sources.documents.patched):
        lines += [f"needs: [{played}]", f"follows: [{played}]"]
    assumed = {fact.place: fact for fact in sources.facts if fact.provenance.certainty == "assumed"}
    source = f"source: {passage(sources)}"
    open_sections: tuple[str, ...] = ()
    for path, nodes in parts(sources):
        for name, node in nodes.items():
            if nodes.key_at(name) not in assumed or not isinstance(node, Map):
                continue
            lines += headings(path, open_sections)
            open_sections = path
            lines += entry(name, node, source, len(path))
    return "\n".join(lines) + "\n"


def passage(sources: Sources) -> str:
    """Return the passage to cite for what one has looked up: the list of components, if any."""
    known = sources.sections()
    for doc, sections in known.items():
        if COMPONENTS in sections:
            return f"{{doc: {doc}, section: {COMPONENTS}}}"
    doc = next((doc for doc, sections in known.items() if sections), "")
    return f"{{doc: {doc}, section: {next(iter(known[doc]))}}}" if doc else "deduced"


def parts(sources: Sources) -> Iterator[tuple[tuple[str, ...], Map]]:
    """Return the parts of a pack that a variant can patch, each with its way into the variant."""
    documents = sources.documents
    for section, nodes in documents.game.items():
        if isinstance(nodes, Map):
            yield ("game", section), nodes
    for document in documents.cards:
        yield ("cards", str(document["cards"])), document.get("entries", Map(document.place))
    name = str(documents.game.get("board"))
    board = documents.boards.get(name)
    if board is not None:
        for sort, sites in board.get("sites", Map(board.place)).items():
            yield ("boards", name, "sites", sort), sites


def headings(path: tuple[str, ...], last: tuple[str, ...]) -> Iterator[str]:
    """Return the keys that open a part of the variant, but for those that are open already."""
    for i, key in enumerate(path):
        if path[: i + 1] != last[: i + 1]:
            yield f"{'  ' * i}{key}:"


def entry(name: str, node: Map, source: str, depth: int) -> Iterator[str]:
    """Return the lines of one fact; what has no values of its own shows what it is called."""
    indent = "  " * depth
    kept = {key: value for key, value in node.items() if key not in BESIDE}
    kept = kept or {key: value for key, value in node.items() if key == "name"}
    if not kept:
        yield f"{indent}{name}: {{}}  # {{{source}}}"
        return
    yield f"{indent}{name}:"
    yield from block(kept, depth + 1)
    yield f"{indent}  # {source}"
    if "because" in node:
        yield f"{indent}  # because: null"


def block(node: Any, depth: int) -> Iterator[str]:
    """Return the lines of a map or list: what fits stands in one line."""
    indent = "  " * depth
    items = node.items() if isinstance(node, dict) else (("", value) for value in node)
    for key, value in items:
        head = f"{indent}{key}: " if key else f"{indent}- "
        line = head + flow(value)
        if len(line) <= WIDTH or not isinstance(value, dict | list) or not value:
            yield line
        elif key:
            yield head.rstrip()
            yield from block(value, depth + 1)
        else:
            first, *rest = block(value, depth + 1)
            yield f"{indent}- {first.strip()}"
            yield from rest


def flow(value: Any) -> str:
    """Return a value in one line of YAML.

    >>> flow({"is": [0, 2], "when": "me == leader", "always": True})
    '{is: [0, 2], when: "me == leader", always: true}'
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {flow(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    if isinstance(value, str) and WORD.match(value) and means_a_text(value):
        return str(value)
    return json.dumps(value, ensure_ascii=False)
