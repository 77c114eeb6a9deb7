"""Where every point came from, for each player."""

from __future__ import annotations

import re

import attrs

from broomservice.cli.texts import listed, said
from broomservice.compile.code import StepInfo
from broomservice.log import entries
from broomservice.state import State

GAP = "…"
BESIDE = re.compile(r" \([^()]*…[^()]*\)\Z")  # what differs each time, behind the reason


@attrs.frozen
class Row:
    """Points for one reason: how many each player got, and in how many parts."""

    reason: str
    points: tuple[int, ...]
    parts: tuple[int, ...]


@attrs.frozen
class Breakdown:
    """The points of a game taken apart; the rows of each player add up to `total`."""

    rows: tuple[Row, ...]
    total: tuple[int, ...]


def breakdown(state: State, language: str = "en") -> Breakdown:
    """Return where the points of a position come from, by the log alone.

    The first row is what players had when the game began; every other row is one step of the
    pack that scores.
    """
    program = state._compiled.program
    start = tuple(program.cells[program.points : program.points + state.players])
    reasons: dict[str, tuple[list[int], list[int]]] = {}
    for entry in entries(state, language):
        if entry.kind == "score" and entry.step is not None:
            reason = heading(state, entry.step, entry.text, language)
            points, parts = reasons.setdefault(reason, ([0] * state.players, [0] * state.players))
            points[entry.player] += entry.amount
            parts[entry.player] += 1
    rows = [Row(said("at_start", language), start, (1,) * state.players)] if any(start) else []
    rows += [
        Row(reason, tuple(points), tuple(parts)) for reason, (points, parts) in reasons.items()
    ]
    total = tuple(
        start[i] + sum(points[i] for points, _ in reasons.values()) for i in range(state.players)
    )
    return Breakdown(tuple(rows), total)


def heading(state: State, step: StepInfo, text: str, language: str) -> str:
    """Return the reason of points without what differs each time: "delivery to …"."""
    compiled = state._compiled
    for number, template in compiled.sentences.items():
        if compiled.info[number] is step and template.parts:
            parts = in_parts(template.parts, language)
            return BESIDE.sub("", "".join(one if isinstance(one, str) else GAP for one in parts))
    return text.partition(": ")[2]


def in_parts(parts: dict[str, tuple[str | int, ...]], language: str) -> tuple[str | int, ...]:
    """Return a sentence's parts in a language, or in English, or in whatever there is."""
    return parts.get(language) or parts.get("en") or next(iter(parts.values()), ())


def winners_line(state: State, language: str) -> str:
    """Return who has won, as a sentence."""
    names = [state.names[i] for i in state.winners]
    if len(names) == 1:
        return said("wins_with", language, names[0], state.points[state.winners[0]])
    return said("share_victory", language, listed(names, language))
