"""Checks that every game and every house rule is held to; for your own packs and variants too.

`check_position` and its companions raise `BrokenInvariant`; `play_checked` plays a random game with
all of them at every decision; `machine` makes a state machine for hypothesis, whose rules are the
open options.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.core.errors import BroomserviceError
from broomservice.errors import IllegalMove
from broomservice.explain import Check
from broomservice.state import State

if TYPE_CHECKING:
    from broomservice.game import Game


class BrokenInvariant(BroomserviceError):
    """Something that must always hold does not: the name of the invariant, and the position."""

    def __init__(self, invariant: str, position: str, detail: str = "") -> None:
        self.invariant = invariant
        self.position = position
        super().__init__(f"{invariant}{': ' if detail else ''}{detail} [{position}]")


# --- one position -------------------------------------------------------------------------


def check_position(state: State) -> None:
    """Check that no piece is lost, no place overfull, and the pack's own invariants hold.

    Raises:
        BrokenInvariant: naming the first that is broken.
    """
    check_pieces(state)
    check_sizes(state)
    check_points(state)
    check_pack_invariants(state)
    if state.over != (state.decision is None):
        raise BrokenInvariant("a game that is not over asks something", state.short())


def check_pieces(state: State) -> None:
    """Each kind of piece has as many copies as at the start, and no count is negative."""
    table, names = state._table, state._compiled.names
    layout = table.layout
    places = range(layout.places)
    for kind in names.pieces.values():
        counts = [table.holding(place, kind.number) for place in places]
        if min(counts) < 0 or sum(counts) != layout.copies[kind.number]:
            raise BrokenInvariant(
                "no piece is lost",
                state.short(),
                f"{sum(counts)} x {kind.id}, not {layout.copies[kind.number]}",
            )


def check_sizes(state: State) -> None:
    """No place holds more than its limit, and each knows how much it holds."""
    table, plan = state._table, state._compiled.plan
    layout = table.layout
    for place in range(layout.places):
        if not plan.held[place]:
            continue
        held = sum(table.holding(place, kind) for kind in range(layout.kinds))
        limit = layout.limits[place]
        if 0 <= limit < held:
            raise BrokenInvariant(
                "no place is overfull", state.short(), f"{plan.place_names[place]} holds {held}"
            )
        if layout.sizes[place] >= 0 and table.cells[layout.sizes[place]] != held:
            raise BrokenInvariant("places know their size", state.short(), plan.place_names[place])


def check_points(state: State) -> None:
    """The points in the log add up to the counter."""
    table, program = state._table, state._compiled.program
    if table.log is None or not state.game.documents.game.get("score"):
        return
    expected = program.cells[program.points : program.points + program.players]
    for number, who, *rest in table.log:
        if number >= 0 and state._compiled.info[number].keyword == "score":
            expected[who] += rest[0]
    if tuple(expected) != state.points:
        raise BrokenInvariant(
            "points in the log add up", state.short(), f"{expected}, not {state.points}"
        )


def check_pack_invariants(state: State) -> None:
    """What the pack itself says must hold."""
    for invariant in state._compiled.invariants:
        if not invariant.never_falls and not all(invariant.values(state._table.cells)):
            raise BrokenInvariant(invariant.name, state.short(), invariant.sentence)


def check_step(before: State, after: State) -> None:
    """What the pack says must never fall has not fallen.

    Raises:
        BrokenInvariant: naming the first that is broken.
    """
    for invariant in before._compiled.invariants:
        if invariant.never_falls:
            old = invariant.values(before._table.cells)
            new = invariant.values(after._table.cells)
            if any(two < one for one, two in zip(old, new, strict=True)):
                raise BrokenInvariant(invariant.name, after.short(), invariant.sentence)


# --- options and explanations -------------------------------------------------------------


def check_options(state: State) -> None:
    """Options are listed once each, in the action space, and accepted exactly if listed.

    Raises:
        BrokenInvariant: if not.
    """
    ids = list(state.option_ids)
    if len(set(ids)) != len(ids) or any(not 0 <= i < len(state.game.options) for i in ids):
        raise BrokenInvariant("options are distinct", state.short(), str(ids))
    others = [i for i in range(len(state.game.options)) if i not in ids]
    picker = random.Random(len(ids) * 1000 + sum(ids))
    for option in picker.sample(others, min(3, len(others))):
        try:
            state.play(option)
        except IllegalMove as refusal:
            if not refusal.reasons:
                raise BrokenInvariant("a refusal has reasons", state.short()) from None
        else:
            raise BrokenInvariant("only listed options are accepted", state.short(), str(option))


def check_explanations(state: State) -> None:
    """For every candidate, the explanation says legal exactly if it is an option.

    Every refusal names a requirement, with a sentence and a source.

    Raises:
        BrokenInvariant: if not.
    """
    ids = set(state.option_ids)
    for option in state.game.options:
        verdict = state.explain(option)
        if verdict.legal != (option.id in ids):
            raise BrokenInvariant("explanations agree with options", state.short(), option.label)
        if verdict.legal and verdict.failed:
            raise BrokenInvariant("what is open meets all", state.short(), str(verdict))
        if not verdict.legal and not verdict.failed:
            raise BrokenInvariant("a refusal has a reason", state.short(), option.label)
        for check in verdict.checks:
            check_grounds(state, option.label, check)
    check_unasked(state)


def check_unasked(state: State) -> None:
    """What was taken by itself, or not asked, says which requirements left nothing else.

    Raises:
        BrokenInvariant: if not.
    """
    for language in ("en", "de"):
        for entry in state.explain_forced(language):
            if not entry.checks:
                raise BrokenInvariant("what is forced has a reason", state.short(), entry.text)
            for check in entry.checks:
                check_grounds(state, entry.text, check)


def check_grounds(state: State, what: str, check: Check) -> None:
    """A requirement rests on a passage, or says on what else; if it fails, in a sentence.

    Raises:
        BrokenInvariant: if not.
    """
    provenance = check.provenance
    if not check.holds and not check.sentence.strip(" {}"):
        raise BrokenInvariant("a refusal has a sentence", state.short(), what)
    if not provenance.citations and not provenance.because:
        raise BrokenInvariant("a refusal has a source", state.short(), f"{what}: {check.name}")


# --- copies, saves, views -----------------------------------------------------------------


def check_round_trips(state: State) -> None:
    """Copy and JSON give the same position, which goes on in the same way.

    Raises:
        BrokenInvariant: if not.
    """
    saved = state.game.from_json(state.to_json())
    for other in (state.copy(), saved):
        same = (
            other == state
            and hash(other) == hash(state)
            and other.option_ids == state.option_ids
            and other.player == state.player
            and other.fingerprint() == state.fingerprint()
        )
        if not same:
            raise BrokenInvariant("copies and saves are exact", state.short(), other.short())
    if state.option_ids and state.play(state.option_ids[-1]) != saved.play(state.option_ids[-1]):
        raise BrokenInvariant("copies and saves go on alike", state.short())


def check_views(state: State, seed: int = 0) -> None:
    """Mixing what a player cannot see changes nothing that the player sees.

    Raises:
        BrokenInvariant: if it does.
    """
    for player in range(state.players):
        other = state.resampled(player, seed)
        one = attrs.evolve(state.view(player), log=())
        two = attrs.evolve(other.view(player), log=())
        if one != two:
            raise BrokenInvariant("nothing hidden leaks", state.short(), f"to {player}")


# --- whole games --------------------------------------------------------------------------


def check_all(state: State, *, seed: int = 0) -> None:
    """Check everything that can be checked of one position.

    Raises:
        BrokenInvariant: naming the first invariant that is broken.
    """
    check_position(state)
    check_options(state)
    check_explanations(state)
    check_round_trips(state)
    check_views(state, seed)


def play_checked(
    game: Game, players: int, *, seed: int = 0, every: int = 1, chance_asks: bool = False
) -> State:
    """Play a random game, checked at every decision (or at every so many); return its end.

    Raises:
        BrokenInvariant: naming the first invariant that is broken.
    """
    picker = random.Random(seed)
    state = game.start(players, seed=seed, chance_asks=chance_asks)
    decisions = 0
    while not state.over:
        check_position(state)
        if decisions % every == 0:
            check_all(state, seed=seed + decisions)
        after = state.play(picker.choice(state.option_ids))
        check_step(state, after)
        state = after
        decisions += 1
        if decisions > game.longest:
            raise BrokenInvariant("every game ends", state.short(), f"after {game.longest}")
    check_position(state)
    if not state.winners:
        raise BrokenInvariant("somebody wins", state.short())
    return state


def machine(game: Game, *, players: int | None = None) -> Any:
    """Return a hypothesis state machine whose rules are the open options of a game.

    Use it as a test case: `TestMine = machine(bs.load("mine")).TestCase`. A failing run prints
    as a list of options that anybody can play again.

    Raises:
        ImportError: if hypothesis is not installed.
    """
    from hypothesis import strategies
    from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

    counts = [players] if players else list(game.players)

    class GameMachine(RuleBasedStateMachine):
        """Plays one game, option by option."""

        state: State | None = None

        @initialize(count=strategies.sampled_from(counts), seed=strategies.integers(0, 10_000))
        def start(self, count: int, seed: int) -> None:
            self.state = game.start(count, seed=seed)

        @precondition(lambda self: self.state is not None and not self.state.over)
        @rule(pick=strategies.integers(0, 10_000))
        def play(self, pick: int) -> None:
            assert self.state is not None
            ids = self.state.option_ids
            after = self.state.play(ids[pick % len(ids)])
            check_step(self.state, after)
            self.state = after

        @invariant()
        def everything_holds(self) -> None:
            if self.state is not None:
                check_all(self.state)

    GameMachine.__name__ = f"{game.id.title().replace('_', '')}Machine"
    return GameMachine
