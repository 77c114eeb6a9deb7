"""Filling in what a record leaves out: what a player probably chose, or chance gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from broomservice.core.questions import ChooseRising, Draw
from broomservice.core.table import CHANCE
from broomservice.picking import picks_left
from broomservice.records.hidden import Block, Plan, World, possible_options, target_of
from broomservice.records.record import UNKNOWN

if TYPE_CHECKING:
    from broomservice.records.matching import Cursor


def new_block(cursor: Cursor, world: World) -> Block:
    """Return hidden answers that begin here."""
    run = cursor.run
    effect, owner = run.effect, run.owner
    assert effect is not None
    same = [block for block in cursor.blocks if block.key[:3] == (cursor.at, effect.number, owner)]
    key = (cursor.at, effect.number, owner, len(same))
    possible = possible_options(run)
    later = cursor.script.later(cursor.order, cursor.at)
    guess, mentions = expected(cursor, later, possible, owner)
    question = run.state._compiled.questions[effect.number]
    count = picks_left(run.state) if isinstance(effect, ChooseRising) else len(possible)
    plan = with_known(cursor, world.get(key, Plan()), possible)
    decision = run.state.decision
    return Block(
        key,
        effect.number,
        owner,
        possible,
        target_of(possible, plan, guess, mentions, count),
        cursor.copy(),
        isinstance(effect, Draw),
        question.type.kind == "piece",
        decision.prompt if decision else "",
        tuple(guess),
    )


def with_known(cursor: Cursor, plan: Plan, possible: tuple[int, ...]) -> Plan:
    """Return a plan with the options that are written beside a `?`."""
    moves = cursor.script.record.moves
    mover = cursor.script.players[cursor.order[cursor.at]]
    group = cursor.group(mover) if mover == cursor.run.state.player else []
    texts = [moves[number].text for number in group]
    if UNKNOWN not in texts:
        return plan
    for text in texts:
        for option in cursor.script.spellings.options(text):
            if option in possible and option not in plan.has:
                plan = plan.holding(option)
    return plan


def expected(
    cursor: Cursor, later: list[tuple[int, int, int]], possible: tuple[int, ...], owner: int
) -> tuple[list[int], dict[int, int]]:
    """Return what an owner shows soon, and where each option is mentioned first.

    Soon is before chance draws again, the owner chooses hidden again, or shows a thing twice.
    What is given away is shown by others.
    """
    among = set(possible)
    gives = is_giving(cursor, possible, owner)
    mentions: dict[int, int] = {}
    guess: list[int] = []
    end = len(cursor.order) if gives else next_hidden_move(cursor, owner)
    for i, player, option in later:
        if i >= end:
            break
        if option in among and not (gives and player < 0):
            if not gives or player == owner:
                mentions.setdefault(option, i)
            if (player == owner) != gives or owner < 0 <= player:
                if gives and option in mentions:
                    continue
                if option in guess:
                    break
                guess.append(option)
    return guess, mentions


def is_giving(cursor: Cursor, possible: tuple[int, ...], owner: int) -> bool:
    """Whether things are chosen from where their owner plays from, and so are given away."""
    table, options = cursor.run.table, cursor.run.state.game.options
    pieces = [options[one].number for one in possible if options[one].kind == "piece"]
    places = [place for place in sorted(cursor.sources) if table.layout.owners[place] == owner]
    return any(table.holding(place, piece) for place in places for piece in pieces[:1])


def next_hidden_move(cursor: Cursor, owner: int) -> int:
    """Return the place of the next draw, or of the owner's next `?` after those here."""
    moves, players = cursor.script.record.moves, cursor.script.players
    begun = False
    for i in range(cursor.at, len(cursor.order)):
        number = cursor.order[i]
        hidden = moves[number].text == UNKNOWN
        begun = begun or not hidden
        if (
            owner >= 0
            and begun
            and ((hidden and players[number] == owner) or players[number] == CHANCE)
        ):
            return i
    return len(cursor.order)
