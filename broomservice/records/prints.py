"""What a record pins down: digests of the pack's documents, and fingerprints of positions.

A fingerprint says by name what lies where, so that it stays the same when a pack changes in ways
that do not concern the position.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from broomservice.view import held

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.state import State

EVERY = 20


def short_digest(content: Any) -> str:
    """Return 12 hexadecimal digits that differ where contents differ."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def document_digests(game: Game) -> dict[str, str]:
    """Return a digest of each document that decides how the game runs, variants applied."""
    documents = game.documents
    result = {"game": short_digest(documents.game)}
    families = sorted({str(document["cards"]) for document in documents.cards})
    for family in families:
        content = [one for one in documents.cards if str(one["cards"]) == family]
        result[f"cards {family}"] = short_digest(content)
    board = documents.game.get("board")
    if board:
        result[f"board {board}"] = short_digest(documents.boards.get(str(board)))
    result["options"] = short_digest(dict(game.option_values))
    return result


def fingerprint(state: State) -> str:
    """Return 12 hexadecimal digits that tell the position, whatever the numbers of its things."""
    compiled, table = state._compiled, state._table
    places = {
        name: pieces
        for place, name in enumerate(compiled.plan.place_names)
        if compiled.plan.held[place] and (pieces := held(compiled, table, place))
    }
    return short_digest([places, counters(state), table.decider, list(open_labels(state))])


def open_labels(state: State) -> tuple[str, ...]:
    """Return the labels of the open options."""
    return tuple(state.game.options[i].label for i in state.option_ids)


def counters(state: State) -> dict[str, str | int]:
    """Return every counter by name; a thing in a counter by its id."""
    compiled, cells = state._compiled, state._table.cells
    names = compiled.names
    result: dict[str, str | int] = {}
    for name, counter in compiled.plan.counters.items():
        type_ = names.counters[name].type
        for cell in range(counter.base, counter.base + counter.count):
            value: str | int = cells[cell]
            if type_.kind in ("piece", "site", "word") and cells[cell] >= 0:
                value = ids_of(state, type_.kind)[cells[cell]]
            result[compiled.plan.labels[cell]] = value
    return result


def ids_of(state: State, kind: str) -> list[str]:
    """Return the ids of all pieces, sites or words, by number."""
    names = state._compiled.names
    if kind == "piece":
        return list(names.pieces)
    return list(names.sites) if kind == "site" else list(names.words)
