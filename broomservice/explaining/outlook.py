"""What would come of an answer, without playing it and without telling what is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from broomservice.core.errors import RuleError
from broomservice.core.table import NOBODY
from broomservice.log import LogEntry, entries
from broomservice.option import Option

if TYPE_CHECKING:
    from broomservice.state import State

WORLDS = 8


@attrs.frozen
class Outlook:
    """What an answer leads to, until the next decision of a player or of chance.

    `entries` are the lines that the log would have, `gained` the points that each player would
    gain or lose, `player` who would be asked next (-2: chance, -1: nobody, None: that cannot be
    told), `prompt` what. `is_certain` is False if the rest depends on what the viewer may not know.
    """

    option: Option
    entries: tuple[LogEntry, ...]
    gained: tuple[int, ...]
    player: int | None
    prompt: str
    over: bool
    is_certain: bool = True

    def __str__(self) -> str:
        return "\n".join(entry.text for entry in self.entries if entry.kind != "move")


def what_if(
    state: State, option: Option, viewer: int | None = None, language: str = "en"
) -> Outlook:
    """Return what an answer leads to; draws are left to chance, which is asked next.

    Raises:
        IllegalMove: if the option is not open now.
    """
    if viewer is None:
        return outlook(state, option, viewer, language)
    if state.player != viewer and is_hidden(state, option, viewer):
        return Outlook(option, (), (0,) * state.players, None, "", False, False)
    seen = [outlook(state, option, viewer, language)]
    for seed in range(1, WORLDS):
        world = state.resampled(viewer, seed)
        if option.id in world.option_ids:
            try:
                seen.append(outlook(world, option, viewer, language))
            except RuleError:
                continue
    return agreed(seen)


def is_hidden(state: State, option: Option, viewer: int) -> bool:
    """Whether somebody may not know if an option is open to the one who is asked."""
    return state.view(viewer).decider is None or option.kind == "piece"


def outlook(state: State, option: Option, viewer: int | None, language: str) -> Outlook:
    """Return what an answer leads to in one world."""
    from broomservice.view import View

    after = state.copy()
    after._table.log = []
    after._table.chance_asks = True
    after.play_in_place(option)
    gained = tuple(new - old for new, old in zip(after.points, state.points, strict=True))
    decision = after.decision_in(language)
    prompt = decision.prompt if decision else ""
    if viewer is None:
        log = entries(after, language)
        return Outlook(option, log[1:], gained, int(after.player), prompt, after.over)
    view = View.of(after, viewer, language)
    prompt = "" if view.decider is None else prompt
    return Outlook(option, view.log[1:], gained, view.decider, prompt, after.over)


def agreed(seen: Sequence[Outlook]) -> Outlook:
    """Return what comes out in every world; where they part, the rest is left out."""
    first = seen[0]
    if all(other == first for other in seen):
        return first
    same = tuple(common(seen))
    ends = {(one.player, one.prompt, one.over) for one in seen}
    player, prompt, over = next(iter(ends)) if len(ends) == 1 else (None, "", False)
    gained = [0] * len(first.gained)
    for entry in same:
        if entry.kind == "score" and entry.player > NOBODY:
            gained[entry.player] += entry.amount
    return Outlook(first.option, same, tuple(gained), player, prompt, over, False)


def common(seen: Sequence[Outlook]) -> Iterator[LogEntry]:
    """Return the lines with which the logs of all worlds begin."""
    for lines in zip(*(one.entries for one in seen), strict=False):
        if any(line != lines[0] for line in lines):
            return
        yield lines[0]
