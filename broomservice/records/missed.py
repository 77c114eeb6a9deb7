"""A duty that was missed, as a piece shows that comes down later."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import attrs

from broomservice.explaining.forced import at_moment
from broomservice.records.changes import Changes, held_options
from broomservice.records.hidden import Block

if TYPE_CHECKING:
    from broomservice.records.matching import Cursor, Failure
    from broomservice.records.search import Completion
    from broomservice.state import State

WAYS = 4
MISSED = ("passed-over", "illegal-move")


@attrs.frozen
class Missed:
    """A contradiction: a move is illegal for an owner who held an option that comes down later.

    `passed` is the failure of the record if the owner has held the option all the time, `shown`
    the move that names it, `block` the hidden choice.
    """

    owner: int
    option: int
    passed: Failure
    shown: int
    block: Block


def find_missed(best: Completion) -> Missed | None:
    """Return why a record fails at a move, if it is for a duty that was missed before."""
    failure = best.failure
    if failure is None:
        return None
    changes = Changes(best.cursor, failure, best.world)
    block = changes.latest(changes.mover, failure.at)
    if block is None:
        return None
    held = held_options(best.cursor, block)
    for option in changes.meant_at(failure.at):
        if option in held:
            continue
        for change in itertools.islice(changes.toggled(block, option), WAYS):
            trial = best.earliest(change).before.copy()
            earlier = trial.advance(best.changed(change))
            if earlier is None or earlier.at >= failure.at or earlier.code not in MISSED:
                continue
            mover = trial.script.players[trial.order[earlier.at]]
            if block.owner in (earlier.run.state.player, mover):
                return Missed(block.owner, option, earlier, failure.at, block)
    return None


def forced_otherwise(missed: Missed) -> State | None:
    """Return the position in which the owner had to do something else than is written."""
    state = missed.passed.run.state
    for moment in reversed(state._table.moments):
        then = at_moment(state, moment)
        if then.player == missed.owner and then.option_ids:
            return then
    return None


def exchange(cursor: Cursor, block: Block, option: int) -> bool:
    """Put a piece into a player's hidden place, in exchange for one that was filled in there."""
    table, options = cursor.run.table, cursor.run.state.game.options
    piece = options[option].number
    for filler in held_options(cursor, block):
        other = options[filler].number
        if (block.key, filler) in cursor.shown:
            continue
        for place in range(table.layout.places):
            if table.layout.owners[place] != block.owner or not table.holding(place, other):
                continue
            origin = origin_of(cursor, piece, block.owner)
            if origin == place or origin < 0:
                continue
            table.move(other, place, origin, 1)
            table.move(piece, origin, place, 1)
            table.ask_again()
            return True
    return False


def origin_of(cursor: Cursor, piece: int, owner: int) -> int:
    """Return where a piece lies: with its owner, or else anywhere."""
    table = cursor.run.table
    places = [place for place in range(table.layout.places) if table.holding(place, piece)]
    own = [place for place in places if table.layout.owners[place] == owner]
    return next(iter(own or places), -1)
