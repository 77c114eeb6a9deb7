"""Matching the moves of a record with what a game asks, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from broomservice.core.errors import RuleError
from broomservice.core.questions import ChooseRising
from broomservice.core.table import CHANCE, PASS
from broomservice.picking import picks_left
from broomservice.records.filling import new_block
from broomservice.records.hidden import (
    Block,
    Key,
    World,
    is_hidden,
    next_hidden,
    possible_options,
)
from broomservice.records.names import Meaning, Spellings, player_named
from broomservice.records.prints import fingerprint
from broomservice.records.record import UNKNOWN
from broomservice.records.running import Run

if TYPE_CHECKING:
    from broomservice.records.record import Record

HORIZON = 400

LEFT_OUT, CERTAIN, BESIDE = -1, -2, -3

Told = tuple[int, int, int]


@attrs.frozen
class Failure:
    """Why a record cannot go on: at which move, how, and in which position."""

    at: int
    code: str
    run: Run
    meaning: Meaning = attrs.field(factory=Meaning)
    detail: str = ""


@attrs.define(slots=False)
class Script:
    """A record with its players and names looked up once.

    `has_gaps` is False for a record that a program made with all moves: nothing is filled in.
    """

    record: Record
    spellings: Spellings
    players: tuple[int, ...] = ()
    misspelt: dict[int, str] = attrs.field(factory=dict)
    meant: list[tuple[int, ...]] = attrs.field(factory=list)
    has_gaps: bool = True

    @classmethod
    def of(cls, record: Record, first: Run) -> Script:
        """Return a record with its players and names looked up."""
        texts = [move.text for move in record.moves]
        script = cls(record, Spellings(first.state))
        script.has_gaps = record.pins is None or UNKNOWN in texts
        players: list[int] = []
        for i, move in enumerate(record.moves):
            index, hint = player_named(move.player, record.players)
            players.append(index)
            if hint:
                script.misspelt[i] = hint
        script.players = tuple(players)
        return script

    def later(self, moves: list[int], at: int) -> list[tuple[int, int, int]]:
        """Return what the next moves mention: (position, player, option)."""
        if not self.meant:
            self.meant = [tuple(self.spellings.options(move.text)) for move in self.record.moves]
        return [
            (i, self.players[moves[i]], option)
            for i in range(at, min(at + HORIZON, len(moves)))
            for option in self.meant[moves[i]]
        ]


@attrs.define
class Cursor:
    """A record replayed up to a move.

    `order` are the numbers of the moves, in the order in which they are taken: picks of a set may
    be written in any order. `told` are the answers so far that are not hidden, also those that
    needed no asking: the move, who, and the option. `sources` are the hidden places from which
    pieces have come down. `shown` tells which hidden answers a move has
    shown. `doubts` are moves that may be read in another way too. `silent` counts the hidden pieces
    that came down without being asked for, and are not written; if `is_strict` there may be none.
    """

    script: Script
    run: Run
    order: list[int]
    at: int = 0
    blocks: list[Block] = attrs.field(factory=list)
    doubts: list[Block] = attrs.field(factory=list)
    held: dict[Key, tuple[int, ...]] = attrs.field(factory=dict)
    shown: dict[tuple[Key, int], int] = attrs.field(factory=dict)
    warned: dict[int, str] = attrs.field(factory=dict)
    told: list[Told] = attrs.field(factory=list)
    sources: frozenset[int] = frozenset()
    prints: list[str] = attrs.field(factory=list)
    every: int = 0
    in_block: bool = False
    is_strict: bool = False
    silent: int = 0

    def copy(self) -> Cursor:
        """Return a replay that goes on independently of this one."""
        return Cursor(
            self.script,
            self.run.copy(),
            self.order[:],
            self.at,
            self.blocks[:],
            self.doubts[:],
            dict(self.held),
            dict(self.shown),
            dict(self.warned),
            self.told[:],
            self.sources,
            self.prints[:],
            self.every,
            self.in_block,
            self.is_strict,
            self.silent,
        )

    # --- going on -------------------------------------------------------------------------------

    def advance(self, world: World) -> Failure | None:
        """Take moves until the record ends, or one does not fit."""
        try:
            while self.at < len(self.order):
                failure = self.step(world)
                if failure is None and self.is_strict and self.silent:
                    failure = self.failure("silent")
                if failure is not None:
                    return failure
        except RuleError as fault:
            return Failure(self.at, "rules-fail", self.run, detail=str(fault))
        return None

    def step(self, world: World) -> Failure | None:
        """Take one move, or fill in one hidden answer."""
        number = self.order[self.at]
        text = self.script.record.moves[number].text
        mover = self.script.players[number]
        run = self.run
        if mover == -1:
            return Failure(self.at, "unknown-player", run)
        if self.partly_known(world, mover):
            return None
        if text == UNKNOWN:
            return self.unknown(world, mover)
        if mover != run.state.player:
            if self.forced(mover, text) or self.beside(world, mover, text):
                return None
            if self.may_fill():
                self.fill(world)
                return None
            return self.failure("over" if run.state.over else "passed-over")
        if self.left_out(world, mover):
            self.fill(world)
            return None
        if not self.in_set(mover):
            self.sort_picks(mover)
        number = self.order[self.at]
        text = self.script.record.moves[number].text
        meaning = self.script.spellings.read(run.state, text)
        if meaning.option in run.state.option_ids:
            if self.was_certain(world, mover, text) and self.forced(mover, text):
                return None
            if meaning.misspelt:
                self.warned[number] = meaning.hint
            self.in_block = False
            self.take(meaning.option)
            self.at += 1
            return None
        if self.forced(mover, text) or self.beside(world, mover, text):
            return None
        if meaning.option >= 0 and self.may_fill():
            self.fill(world)
            return None
        if meaning.candidates:
            return self.failure("ambiguous-move", meaning)
        return self.failure("illegal-move" if meaning.option >= 0 else "unknown-move", meaning)

    def may_fill(self) -> bool:
        """Whether the open question may be one that the record leaves out.

        A draw is not left out if a later move of chance names what could be drawn.
        """
        run = self.run
        if not self.script.has_gaps or run.state.over or not is_hidden(run):
            return False
        return run.table.decider != CHANCE or not self.is_written(possible_options(run))

    def is_written(self, possible: tuple[int, ...]) -> bool:
        """Whether a later move of chance names one of these."""
        among = set(possible)
        later = self.script.later(self.order, self.at)
        return any(player == CHANCE and option in among for _, player, option in later)

    def failure(self, code: str, meaning: Meaning | None = None) -> Failure:
        """Return the failure of the move."""
        at = min(self.at, len(self.order) - 1)
        return Failure(at, code, self.run, meaning or Meaning())

    def forced(self, mover: int, text: str) -> bool:
        """Pass a move that the game took by itself, as nothing else was possible."""
        for i, (player, option, step) in enumerate(self.run.forced):
            if player == mover and self.script.spellings.means(text, option):
                if step < 0:
                    self.told.append((self.at, player, option))
                self.pass_over(self.run.forced[:i])
                self.run.forced = self.run.forced[i + 1 :]
                self.at += 1
                return True
        return False

    def beside(self, world: World, mover: int, text: str) -> bool:
        """Pass a move about what nobody was asked for: a piece moved by duty, a pass for want.

        If hidden answers may come first, it is read so only where the world says it.
        """
        means = self.script.spellings.means
        moved = [one for one in self.run.moved if one[0] == mover and means(text, one[1])]
        skipped = mover in self.run.skipped and means(text, PASS)
        if not moved and not skipped:
            return False
        if self.may_fill() and self.doubtful_key(BESIDE) not in world:
            self.doubts.append(self.doubt(BESIDE))
            return False
        if moved:
            self.run.moved.remove(moved[0])
        else:
            self.run.skipped.remove(mover)
        self.at += 1
        return True

    def was_certain(self, world: World, mover: int, text: str) -> bool:
        """Whether a move that fits the open question is read as one that needed no asking."""
        certain = any(
            player == mover and self.script.spellings.means(text, option)
            for player, option, _ in self.run.forced
        )
        if not certain or not self.script.has_gaps:
            return False
        if self.doubtful_key(CERTAIN) in world:
            return False
        self.doubts.append(self.doubt(CERTAIN))
        return True

    def pass_over(self, forced: list[tuple[int, int, int]]) -> None:
        """Count the hidden pieces among answers that needed no asking and are not written."""
        self.silent += sum(
            any(block.owner == player and option in block.possible for block in self.blocks)
            for player, option, _ in forced
            if player >= 0 and self.run.is_piece(option)
        )

    def take(self, option: int, *, hidden: bool = False) -> None:
        """Give an answer, and note what it shows."""
        run = self.run
        assert run.table.log is not None
        known = len(run.table.log)
        self.pass_over(run.forced)
        if not hidden:
            self.told.append((self.at, run.state.player, option))
        own = self.blocks[-1].effect if hidden else -1
        run.answer(option, self.at, hidden=hidden)
        self.told += [
            (self.at, player, one) for player, one, step in run.forced if step not in (-1, own)
        ]
        self.note_shown(known)
        if self.every and len(run.answers) % self.every == 0:
            self.prints.append(fingerprint(run.state))

    def note_shown(self, known: int) -> None:
        """Note the pieces that came from a player's hidden place for all to see."""
        table, compiled = self.run.table, self.run.state._compiled
        assert table.log is not None
        sees, owners = compiled.plan.place_sees, table.layout.owners
        for line in table.log[known:]:
            if line[0] >= 0 or sees[line[3]] != "all" or sees[line[2]] == "all":
                continue
            self.sources |= {line[2]}
            block = next(
                (
                    one
                    for one in reversed(self.blocks)
                    if one.is_piece and one.owner == owners[line[2]]
                ),
                None,
            )
            if block is not None:
                effect = table.code[block.effect]
                option = getattr(effect, "base", 0) + line[1]
                self.shown.setdefault((block.key, option), self.at)

    # --- picks in any order -----------------------------------------------------------------------

    def group(self, mover: int) -> list[int]:
        """Return the next moves of the player that name something that can be picked now."""
        possible = set(possible_options(self.run))
        count = picks_left(self.run.state)
        result: list[int] = []
        for number in self.order[self.at : self.at + count]:
            text = self.script.record.moves[number].text
            if self.script.players[number] != mover or not (
                text == UNKNOWN or possible.intersection(self.script.spellings.options(text))
            ):
                break
            result.append(number)
        return result

    def in_set(self, mover: int) -> bool:
        """Whether the last answer was a pick of the same set already."""
        effect, answers = self.run.effect, self.run.answers
        if not isinstance(effect, ChooseRising) or not answers or answers[-1].player != mover:
            return False
        return self.run.table.stack[-1][effect.last] >= 0

    def sort_picks(self, mover: int) -> None:
        """Put the picks of a set into the order in which the game asks for them."""
        if isinstance(self.run.effect, ChooseRising):
            group = self.arranged(mover)
            self.order[self.at : self.at + len(group)] = group

    def arranged(self, mover: int) -> list[int]:
        """Return the picks of a set as the game asks for them; nothing if they are no such set.

        As they are written, if all are needed then; else in rising order.
        """
        group = self.group(mover)
        possible = set(possible_options(self.run))
        moves = self.script.record.moves
        rank = {
            number: min(possible.intersection(self.script.spellings.options(moves[number].text)))
            for number in group
            if moves[number].text != UNKNOWN
        }
        if len(rank) < len(group):
            return []
        as_written = [rank[number] for number in group]
        fit = self.fits(mover, as_written)
        if fit is None or (fit and self.script.has_gaps):
            if self.fits(mover, sorted(as_written)) == 0:
                return sorted(group, key=lambda number: rank[number])
        return [] if fit is None else group

    def left_out(self, world: World, mover: int) -> bool:
        """Whether the open hidden question is not answered by the moves that follow.

        Where both can be, that is a doubt. Picks of a set that are written together are a set.
        """
        run = self.run
        if run.secret < 0 or not self.script.has_gaps:
            return False
        if self.continues():
            return True
        if self.in_set(mover):
            return False
        if self.doubtful_key() in world:
            return True
        text = self.script.record.moves[self.order[self.at]].text
        named = set(self.script.spellings.options(text))
        if isinstance(run.effect, ChooseRising) and not run.effect.may:
            group = self.group(mover)
            entries = {self.script.record.moves[number].entry for number in group}
            if 1 < len(group) == picks_left(run.state) and len(entries) == 1:
                return False
            if not self.arranged(mover):
                return True
        if named.intersection(possible_options(run)):
            self.doubts.append(self.doubt(LEFT_OUT))
        return False

    def doubtful_key(self, kind: int = LEFT_OUT) -> Key:
        """Return the key under which a world says that a move is read in the other way."""
        effect = self.run.effect
        assert effect is not None
        return (self.at, effect.number, self.run.owner, kind)

    def doubt(self, kind: int) -> Block:
        """Return that the move may be read in another way too."""
        key = self.doubtful_key(kind)
        return Block(key, key[1], key[2], (), (), self.copy())

    def fits(self, mover: int, options: list[int]) -> int | None:
        """Return how many of these picks are too many for what is asked; None if one is not open.

        None also if they are too few, and the record goes on.
        """
        trial = self.run.copy()
        effect = trial.effect
        assert effect is not None
        for i, option in enumerate(options):
            if trial.effect is not effect or trial.state.player != mover:
                taken = [one for _, one, step in trial.forced if step == effect.number]
                return sum(one not in taken for one in options[i:])
            if option not in trial.state.option_ids:
                return None
            trial.answer(option, self.at)
        done = trial.effect is not effect or trial.state.player != mover
        return 0 if done or self.at + len(options) == len(self.order) else None

    # --- hidden answers -------------------------------------------------------------------------

    def unknown(self, world: World, mover: int) -> Failure | None:
        """Take `?`: all answers of a player to one question, or in one secret block."""
        run = self.run
        if mover != run.state.player:
            if any(player == mover for player, _, _ in run.forced):
                run.forced = []
                self.at += 1
                return None
            if not run.state.over and is_hidden(run):
                self.fill(world)
                return None
            return self.failure("over" if run.state.over else "passed-over")
        effect, secret = run.effect, run.secret
        while run.state.player == mover and (
            run.effect is effect or (secret >= 0 and run.secret == secret)
        ):
            self.fill(world)
        self.at += 1
        moves = self.script.record.moves
        while (
            self.at < len(self.order)
            and moves[self.order[self.at]].text == UNKNOWN
            and (self.script.players[self.order[self.at]] == mover)
        ):
            self.at += 1
        return None

    def partly_known(self, world: World, mover: int) -> bool:
        """Take picks of a set of which some are written and others not, if that is what comes."""
        run = self.run
        if mover != run.state.player or not isinstance(run.effect, ChooseRising):
            return False
        group = self.group(mover)
        texts = [self.script.record.moves[number].text for number in group]
        if UNKNOWN not in texts or set(texts) == {UNKNOWN}:
            return False
        effect = run.effect
        while run.effect is effect and run.state.player == mover:
            self.fill(world)
        self.at += len(group)
        return True

    def continues(self) -> bool:
        """Whether the open question goes on with the last hidden answers."""
        if not self.blocks or not self.in_block:
            return False
        block, effect = self.blocks[-1], self.run.effect
        return (
            effect is not None
            and block.key[0] == self.at
            and block.effect == effect.number
            and block.owner == self.run.owner
        )

    def fill(self, world: World) -> None:
        """Fill in a hidden answer."""
        if not self.continues():
            self.blocks.append(new_block(self, world))
            self.in_block = True
        block = self.blocks[-1]
        known = len(self.run.table.log or ())
        self.take(next_hidden(self.run, block), hidden=True)
        own = [one for one in self.run.forced if one[2] == block.effect]
        self.run.forced = [one for one in self.run.forced if one[2] != block.effect]
        given = [self.run.answers[-1].option, *(option for _, option, _ in own)]
        given += self.dealt_along(block, known)
        self.held[block.key] = tuple(dict.fromkeys((*self.held.get(block.key, ()), *given)))

    def dealt_along(self, block: Block, known: int) -> list[int]:
        """Return what came to the owner of a deal without being drawn: there was one piece left."""
        table, base = self.run.table, self.run.first_piece
        assert table.log is not None
        return [
            base + line[1]
            for line in table.log[known:]
            if block.is_draw
            and line[0] < 0
            and 0 <= block.owner == table.layout.owners[line[3]]
            and base + line[1] in block.possible
        ]


def start(record: Record, script: Script, first: Run) -> Cursor:
    """Return a record before its first move."""
    every = record.pins.every if record.pins is not None else 0
    return Cursor(script, first.copy(), list(range(len(record.moves))), every=every)
