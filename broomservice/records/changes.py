"""What may be changed in a completion of a record so that it gets further."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from broomservice.explaining.judging import Judge
from broomservice.records.hidden import Block, Key, Plan, World

if TYPE_CHECKING:
    from broomservice.core.table import Table
    from broomservice.records.matching import Cursor, Failure
    from broomservice.records.running import Run

FAR = 160
FEW = 4
NEAR = 4

Change = dict[Key, Plan]


def held_options(cursor: Cursor, block: Block) -> list[int]:
    """Return what a hidden choice was filled with, also without being asked at last."""
    return list(dict.fromkeys(cursor.held.get(block.key, ())))


@attrs.define
class Changes:
    """The changes of one hidden choice, or reading, that may mend a failure.

    The likeliest come first: what the failing move names, what stands in its way, and then what
    moves before it named, the last ones first, given to or taken from each player.
    """

    cursor: Cursor
    failure: Failure
    world: World
    offered: set[tuple[Key, int]] = attrs.field(factory=set)

    def __iter__(self) -> Iterator[Change]:
        yield from self.named_now()
        yield from self.in_the_way()
        numbers = self.numbers()
        backwards = self.backwards()
        for _ in range(FEW):
            yield from next(backwards, ())
        for block in numbers[:2]:
            yield from self.others(block)
        for changes in backwards:
            yield from changes
        for block in numbers[2:]:
            yield from self.others(block)
        yield from self.draws()

    # --- who had what -----------------------------------------------------------------------------

    def named_now(self) -> Iterator[Change]:
        """Give what the failing move names to the mover, or let somebody else pass it on."""
        for option in self.meant_at(self.failure.at):
            yield from self.toggles(self.failure.at, option)

    def backwards(self) -> Iterator[Iterator[Change]]:
        """Go back through what was told and what may be read otherwise."""
        first = self.failure.at - FAR
        steps: list[tuple[int, int, Iterator[Change]]] = [
            (doubt.key[0], 1, iter([{doubt.key: Plan()}]))
            for doubt in self.cursor.doubts
            if doubt.key[0] >= first
        ]
        steps += [
            (at, 0, self.toggles(at, option)) for at, _, option in self.cursor.told if at >= first
        ]
        for _, _, changes in sorted(steps, key=lambda step: step[:2], reverse=True):
            yield changes

    def toggles(self, at: int, option: int) -> Iterator[Change]:
        """Give a piece that was told of to each player, or take it away."""
        players = range(self.failure.run.state.players)
        asked = self.failure.run.state.player
        first = [one for one in (self.mover, asked) if one >= 0]
        for player in dict.fromkeys([*first, *players]):
            block = self.latest(player, at)
            if block is not None:
                yield from self.toggled(block, option)

    def toggled(self, block: Block, option: int) -> Iterator[Change]:
        """Put a piece into a player's hidden choice, or take it out of it."""
        holder = next((one for one in self.rivals(block) if option in self.held(one)), None)
        if option not in block.possible and holder is None:
            return
        if (block.key, option) in self.offered:
            return
        self.offered.add((block.key, option))
        if option in self.held(block):
            if option not in self.named(block):
                yield from self.without(block, [option])
            return
        if holder is not None:
            yield from self.handed_over(holder, block, [option])
            return
        sure, lacks = self.sure(block), self.plan(block).lacks - {option}
        if len(sure) < len(self.held(block)):
            yield {block.key: Plan((*sure, option), lacks)}
        for number in self.numbers_with(block):
            for more in number.possible:
                if more > max(self.held(number), default=0):
                    plan = Plan((*sure, option), lacks)
                    yield {number.key: Plan((more,)), block.key: plan}
        for old in reversed(sure):
            if old not in self.named(block):
                kept = tuple(one for one in sure if one != old)
                yield {block.key: Plan((*kept, option), lacks)}

    def without(
        self, block: Block, options: list[int], harmless: Callable[[int], bool] = bool
    ) -> Iterator[Change]:
        """Take pieces out of a hidden choice; what was dealt goes to somebody else, if it must.

        `harmless` says what may come in exchange.
        """
        held = self.held(block)
        if len(set(block.possible) - set(options)) >= len(held):
            kept = tuple(one for one in self.sure(block) if one not in options)
            yield {block.key: Plan(kept, self.plan(block).lacks.union(options))}
        for rival in self.rivals(block):
            yield from self.handed_over(block, rival, options, harmless)

    def handed_over(
        self,
        giver: Block,
        taker: Block,
        options: list[int],
        harmless: Callable[[int], bool] = bool,
    ) -> Iterator[Change]:
        """Exchange pieces of one deal for others of another; all other hands stay as they are."""
        bound = {*self.sure(taker), *self.named(taker), *taker.guess}
        back = [one for one in self.held(taker) if one not in bound and harmless(one)]
        if len(back) < len(options):
            return
        back = back[-len(options) :]
        change = {rival.key: Plan(tuple(self.held(rival))) for rival in self.rivals(giver)}
        for block, gone, come in ((giver, options, back), (taker, back, options)):
            kept = [one for one in self.held(block) if one not in gone]
            lacks = self.plan(block).lacks.union(gone).difference(come)
            change[block.key] = Plan((*kept, *come), lacks)
        yield change

    # --- what stands in the way -------------------------------------------------------------------

    def in_the_way(self) -> Iterator[Change]:
        """Take from the player all that was only supposed and alone closes the failing move."""
        run, option = self.failure.run, self.failure.meaning.option
        block = self.latest(self.mover, self.failure.at)
        if self.mover != run.state.player or option < 0 or block is None:
            return
        known = {*self.named(block), *self.sure(block), option}
        loose = [one for one in self.held(block) if one not in known]
        culprits = [
            one for one in loose if not is_open(run, option, block, [x for x in loose if x != one])
        ]
        if culprits and is_open(run, option, block, culprits):
            yield from self.without(
                block, culprits, lambda one: is_open(run, option, block, culprits, [one])
            )

    # --- numbers and draws ------------------------------------------------------------------------

    def numbers(self) -> list[Block]:
        """Return hidden choices of one thing, say a number: of the players concerned first."""
        concerned = (self.mover, self.failure.run.state.player)
        near = [
            block
            for block in reversed(self.cursor.blocks)
            if block.key[0] >= self.failure.at - FAR
            and (not block.is_piece or (len(self.held(block)) == 1 and not block.is_draw))
        ]
        return sorted(near, key=lambda block: block.owner not in concerned)

    def numbers_with(self, block: Block) -> list[Block]:
        """Return the numbers that a player chose together with pieces."""
        return [
            one
            for one in self.cursor.blocks
            if one.owner == block.owner and one.key[0] == block.key[0] and not one.is_piece
        ]

    def others(self, block: Block) -> Iterator[Change]:
        """Return the other answers to a hidden choice."""
        held = self.held(block)
        for option in block.possible:
            if option not in held:
                yield {block.key: Plan((option,))}

    def draws(self) -> Iterator[Change]:
        """Put other pieces into what chance gave to nobody in particular."""
        latest = self.cursor.blocks[-3 * self.failure.run.state.players :]
        for block in reversed(latest):
            if block.is_draw:
                for option in block.possible:
                    if option not in self.held(block):
                        yield {block.key: self.plan(block).holding(option)}

    def rivals(self, block: Block) -> list[Block]:
        """Return what else chance dealt from the same pieces, and to whom."""
        return [
            one
            for one in self.cursor.blocks
            if block.is_draw
            and one.effect == block.effect
            and one.key != block.key
            and abs(one.key[0] - block.key[0]) <= NEAR
        ]

    # --- looking up -------------------------------------------------------------------------------

    @property
    def mover(self) -> int:
        """Who makes the move that fails."""
        return self.cursor.script.players[self.cursor.order[self.failure.at]]

    def plan(self, block: Block) -> Plan:
        """Return what is supposed of a hidden choice."""
        return self.world.get(block.key, Plan())

    def held(self, block: Block) -> list[int]:
        """Return what a hidden choice was filled with."""
        return held_options(self.cursor, block)

    def sure(self, block: Block) -> tuple[int, ...]:
        """Return what of a hidden choice has come down."""
        return tuple(one for one in self.held(block) if (block.key, one) in self.cursor.shown)

    def meant_at(self, at: int) -> list[int]:
        """Return what a move may mean."""
        script = self.cursor.script
        return script.spellings.options(script.record.moves[self.cursor.order[at]].text)

    def latest(self, player: int, at: int) -> Block | None:
        """Return the last hidden choice of pieces by or for a player before a move."""
        return next(
            (
                block
                for block in reversed(self.cursor.blocks)
                if block.owner == player and block.is_piece and block.key[0] <= at
            ),
            None,
        )

    def named(self, block: Block) -> set[int]:
        """Return the options that their owner has named since a hidden choice."""
        return {
            option
            for at, player, option in self.cursor.script.later(self.cursor.order, block.key[0])
            if player == block.owner and at < self.failure.at
        }


def could_be_open(failure: Failure, mover: int) -> bool:
    """Whether the failing move would be open with other hidden pieces in the mover's places."""
    run, option = failure.run, failure.meaning.option
    if failure.code != "illegal-move" or mover != run.state.player or option < 0:
        return False
    trial = run.state.copy()
    table, wanted = trial._table, trial.game.options[option]
    if wanted.kind != "piece":
        return False
    owners, sees = table.layout.owners, trial._compiled.plan.place_sees
    hidden = [place for place in range(table.layout.places) if sees[place] != "all"]
    theirs = [place for place in hidden if owners[place] not in (-1, mover)]
    away = next((place for place in theirs), -1)
    for place in [place for place in hidden if owners[place] == mover]:
        for piece in range(table.layout.kinds):
            if piece != wanted.number and table.holding(place, piece) == 1:
                shift(table, piece, place, away)
        if anywhere(table, wanted.number) in theirs:
            shift(table, wanted.number, anywhere(table, wanted.number), place)
    return all(check.holds for check in Judge.of(trial, wanted, "en").checks())


def is_open(
    run: Run, option: int, block: Block, absent: Sequence[int], present: Sequence[int] = ()
) -> bool:
    """Whether an option would be open without some pieces of a player, and with some others."""
    trial = run.state.copy()
    table, before = trial._table, block.before.run.table
    home = place_of(table, trial.game.options[option].number, block.owner)
    for piece in [trial.game.options[one].number for one in absent]:
        shift(table, piece, place_of(table, piece, block.owner), anywhere(before, piece))
    for piece in [trial.game.options[one].number for one in present]:
        shift(table, piece, anywhere(table, piece), home)
    judge = Judge.of(trial, trial.game.options[option], "en")
    return all(check.holds for check in judge.checks())


def shift(table: Table, piece: int, here: int, there: int) -> None:
    """Move a piece from one place to another, if both are known."""
    if here >= 0 and there >= 0:
        table.move(piece, here, there, 1)


def anywhere(table: Table, piece: int) -> int:
    """Return where a piece lies, or -1."""
    places = range(table.layout.places)
    return next((place for place in places if table.holding(place, piece)), -1)


def place_of(table: Table, piece: int, owner: int) -> int:
    """Return where a piece lies with its owner, or -1."""
    layout = table.layout
    own = (place for place in range(layout.places) if layout.owners[place] == owner)
    return next((place for place in own if table.holding(place, piece)), -1)
