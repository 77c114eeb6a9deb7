"""What one player may know: the only place that decides what is hidden from whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from broomservice.core.chance import Chance
from broomservice.core.table import CHANCE, NOBODY, Table
from broomservice.log import LogEntry, entries

if TYPE_CHECKING:
    from broomservice.compile.compiler import Compiled
    from broomservice.state import Decision, State

HIDDEN = {"en": "something hidden", "de": "etwas Verdecktes"}


@attrs.frozen
class Sight:
    """What a player sees of the places, in a position with these secret blocks running."""

    compiled: Compiled
    viewer: int
    secret: bool

    def sees(self, place: int) -> bool:
        """Whether the player sees what lies in a place."""
        if place < 0:
            return False
        sees = self.compiled.plan.place_sees[place]
        return sees == "all" or (
            sees == "owner" and self.compiled.plan.layout.owners[place] == self.viewer
        )

    def knows_size(self, place: int) -> bool:
        """Whether the player knows how much lies in a place; not while answers are secret."""
        own = self.compiled.plan.place_sees[place] == "owner"
        return self.sees(place) or not (own and self.secret)

    def knows_counter(self, name: str, owner: int) -> bool:
        """Whether the player knows a counter (of an owner, if it is kept by player)."""
        sees = self.compiled.names.counters[name].sees
        return sees == "all" or (sees == "owner" and owner == self.viewer)


def secret_now(compiled: Compiled, table: Table) -> bool:
    """Whether players are answering secretly."""
    return any(compiled.info[frame[0]].secret >= 0 for frame in table.stack if frame[0] >= 0)


@attrs.frozen
class View:
    """What one player may know of a position.

    `pieces` maps each place to its pieces, None where they are hidden; `sizes` to how many lie
    there, None where not even that is known. `counters` maps names such as "points(p1)" to
    numbers. `cells` is the whole position with None for what is hidden, for learners. `decision`
    is the player's own question; `decider` is who is asked, None while others answer secretly.
    """

    player: int
    decider: int | None
    decision: Decision | None
    pieces: Mapping[str, Mapping[str, int] | None]
    sizes: Mapping[str, int | None]
    counters: Mapping[str, int | None]
    cells: tuple[int | None, ...]
    log: tuple[LogEntry, ...]

    @classmethod
    def of(cls, state: State, player: int, language: str = "en") -> View:
        """Return what a player may know."""
        compiled, table = state._compiled, state._table
        secret = secret_now(compiled, table)
        sight = Sight(compiled, player, secret)
        mine = table.decider == player
        cells = list(visible_cells(table, sight))
        return cls(
            player,
            None if secret and not mine and table.decider >= 0 else table.decider,
            state.decision_in(language) if mine else None,
            {
                name: held(compiled, table, place) if sight.sees(place) else None
                for place, name in enumerate(compiled.plan.place_names)
                if compiled.plan.held[place]
            },
            {
                name: size(compiled, table, place) if sight.knows_size(place) else None
                for place, name in enumerate(compiled.plan.place_names)
                if compiled.plan.held[place]
            },
            {
                compiled.plan.labels[cell]: cells[cell]
                for counter in compiled.plan.counters.values()
                for cell in range(counter.base, counter.base + counter.count)
            },
            tuple(cells),
            visible_log(state, sight, language),
        )


def held(compiled: Compiled, table: Table, place: int) -> dict[str, int]:
    """Return the pieces in a place."""
    families = compiled.plan.held[place]
    return {
        kind.id: count
        for family in families
        for kind in compiled.names.families[family].kinds
        if (count := table.holding(place, kind.number))
    }


def size(compiled: Compiled, table: Table, place: int) -> int:
    """Return how many pieces lie in a place."""
    layout = table.layout
    if layout.occupants[place] >= 0:
        return int(table.cells[layout.occupants[place]] >= 0)
    return table.cells[layout.sizes[place]]


def visible_cells(table: Table, sight: Sight) -> list[int | None]:
    """Return the cells, None where the player may not know."""
    plan, layout = sight.compiled.plan, table.layout
    cells: list[int | None] = list(table.cells)
    for kind in range(layout.kinds):
        cell = layout.whereabouts[kind]
        if cell >= 0 and table.cells[cell] >= 0 and not sight.sees(table.cells[cell]):
            cells[cell] = None
    for place in range(layout.places):
        if sight.sees(place):
            continue
        start = place * layout.kinds
        hidden = [*layout.tallies[start : start + layout.kinds], layout.occupants[place]]
        if not sight.knows_size(place):
            hidden.append(layout.sizes[place])
        for cell in hidden:
            if cell >= 0:
                cells[cell] = None
    for name, counter in plan.counters.items():
        per_player = counter.count > 1 and sight.compiled.names.counters[name].sees == "owner"
        for i in range(counter.count):
            if not sight.knows_counter(name, i if per_player else NOBODY):
                cells[counter.base + i] = None
    return cells


def visible_log(state: State, sight: Sight, language: str) -> tuple[LogEntry, ...]:
    """Return the log without what the player may not know."""
    every = entries(state, language)
    moved: dict[int, LogEntry] = {}
    result: list[LogEntry] = []
    for entry in reversed(every):
        if entry.kind == "move":
            moved[entry.piece] = entry
        result.append(entry if shown(state, entry, moved, sight) else masked(entry, language))
    return tuple(reversed(result))


def shown(state: State, entry: LogEntry, moved: dict[int, LogEntry], sight: Sight) -> bool:
    """Whether a player may know a line of the log; `moved` is the next move of each piece."""
    if entry.kind == "move":
        return sight.sees(entry.source) or sight.sees(entry.target)
    mine = entry.player == sight.viewer
    if entry.step is not None and entry.step.secret >= 0 and not mine:
        return False
    if entry.kind == "skipped":
        return mine
    if entry.kind in ("answer", "forced", "draw") and not mine:
        option = state.game.options[entry.option]
        move = moved.get(option.number) if option.kind == "piece" else None
        return move is None or sight.sees(move.source) or sight.sees(move.target)
    return True


def masked(entry: LogEntry, language: str) -> LogEntry:
    """Return a line of the log that says only that something happened."""
    text = HIDDEN.get(language, HIDDEN["en"])
    return attrs.evolve(
        entry, text=text, amount=0 if entry.kind == "score" else entry.amount, option=-1, piece=-1
    )


# --- worlds that look the same ------------------------------------------------------------


def resampled(state: State, viewer: int, seed: int) -> State:
    """Return a position that looks the same to a player, all that is hidden mixed anew.

    Hidden pieces change places among themselves (those that never leave their player, among that
    player's places), hidden counters go back to their start, and chance gets another seed. What
    the one who is asked holds stays, unless it is the viewer, so that the question stays the same.
    """
    result = state.copy()
    compiled, table = result._compiled, result._table
    table.log, table.moments = None, []
    sight = Sight(compiled, viewer, False)
    mixer = Chance.seeded(seed)
    keeps = table.decider if table.decider not in (viewer, CHANCE) else NOBODY
    hidden = [
        place
        for place in range(table.layout.places)
        if not sight.sees(place)
        and compiled.plan.held[place]
        and (keeps == NOBODY or table.layout.owners[place] != keeps)
    ]
    for name, family in compiled.names.families.items():
        groups: dict[int, list[int]] = {}
        for place in hidden:
            if name in compiled.plan.held[place]:
                owner = table.layout.owners[place] if family.personal else NOBODY
                groups.setdefault(owner, []).append(place)
        for places in groups.values():
            mix(table, [kind.number for kind in family.kinds], places, mixer)
    reset_counters(compiled, table, sight, keeps)
    table.chance = Chance.seeded(seed + 1)
    return result


def mix(table: Table, kinds: list[int], places: list[int], mixer: Chance) -> None:
    """Shuffle the pieces of some places; each place keeps its number of pieces."""
    pool: list[int] = []
    room: list[tuple[int, int]] = []
    for place in places:
        count = 0
        for kind in kinds:
            copies = table.holding(place, kind)
            if copies:
                pool.extend([kind] * copies)
                count += copies
                table.add_to(place, kind, -copies)
        room.append((place, count))
    pool.sort()
    for i in range(len(pool) - 1, 0, -1):
        j = mixer.below(i + 1)
        pool[i], pool[j] = pool[j], pool[i]
    for place, count in room:
        for _ in range(count):
            kind = pool.pop()
            table.add_to(place, kind, 1)
            if table.layout.whereabouts[kind] >= 0:
                table.cells[table.layout.whereabouts[kind]] = place


def reset_counters(compiled: Compiled, table: Table, sight: Sight, keeps: int) -> None:
    """Put the counters that a player may not know back to their start."""
    for name, counter in compiled.plan.counters.items():
        if compiled.names.counters[name].sees == "all":
            continue
        for i in range(counter.count):
            owner = i if counter.count > 1 else NOBODY
            if not sight.knows_counter(name, owner) and owner != keeps:
                table.cells[counter.base + i] = compiled.program.cells[counter.base + i]
