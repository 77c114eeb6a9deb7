"""What players may see of each other in Broom Service."""

from __future__ import annotations

import json
import random

import broomservice as bs
from tests.packs import loaded


def opened(seed: int = 3) -> bs.State:
    """Return a game of three at the first lead of a role."""
    state = loaded("broom_service").start(3, seed=seed)
    picker = random.Random(seed)
    while state.decision is not None and state.decision.point != "lead":
        state = state.play(picker.choice(state.option_ids))
    return state


def test_hands_are_hidden() -> None:
    """Each player holds the chosen cards so that others cannot see them (en, choosing_roles)."""
    state = opened()
    view = state.view(0)
    assert view.pieces["hand(p1)"] == state.pieces("hand", 0)
    assert view.pieces["hand(p2)"] is None
    assert view.pieces["aside(p3)"] is None
    assert view.sizes["hand(p2)"] == sum(state.pieces("hand", 1).values())


def test_resources_are_open() -> None:
    """Resources lie so that the others can count them at any time (de, roles_gatherers)."""
    state = opened()
    for player in range(3):
        assert state.view(0).pieces[f"stock(p{player + 1})"] == state.pieces("stock", player)


def test_stacks_are_hidden_and_the_event_is_open() -> None:
    """The event stack lies face down, the event of the round face up (en, setup)."""
    view = opened().view(1)
    assert view.pieces["event_stack"] is None
    assert view.sizes["event_stack"] == 6
    assert len(view.pieces["event_now"] or {}) == 1
    assert view.pieces["box"] is None
    assert view.pieces["bewitched_stack"] is None


def test_only_the_one_who_is_asked_sees_the_question() -> None:
    """A question and its options are for the player who is asked."""
    state = opened()
    asked = state.player
    assert state.view(asked).decision == state.decision
    other = (asked + 1) % 3
    assert state.view(other).decision is None
    assert state.view(other).decider == asked


def test_secret_choices_do_not_show() -> None:
    """All choose at the same time: nobody learns who has chosen, how many, or what."""
    state = loaded("broom_service").start(3, seed=3)
    before = state.view(2)
    after = state.play(state.option_ids[0])
    assert after.view(2).cells == before.cells
    assert after.view(2).sizes == before.sizes
    assert after.view(2).decider is None
    chosen = state.decision.options[0].shown() if state.decision else ""
    assert not any(chosen in entry.text for entry in after.view(2).log[-2:])


def test_bids_are_secret_until_all_have_bid() -> None:
    """In the fist auction all bid at the same time (de, event_fist_auction)."""
    view = opened().view(0)
    assert view.counters["bid(p1)"] == 0
    assert view.counters["bid(p2)"] is None


def test_cells_are_masked_where_hidden() -> None:
    """The cells of a view hold nothing about what is hidden."""
    state = opened()
    view = state.view(0)
    labels = state._compiled.plan.labels
    hidden = {labels[i] for i, cell in enumerate(view.cells) if cell is None}
    assert "forest_witch in hand(p2)" in hidden
    assert "forest_witch in hand(p1)" not in hidden
    assert len(view.cells) == len(labels)


def test_a_mixed_position_remembers_nothing() -> None:
    """A position with all that is hidden mixed anew keeps no trace of what was there before."""
    picker = random.Random(3)
    state = loaded("wizard_extreme").start(3, seed=3)
    while not state._table.moments:
        state = state.play(picker.choice(state.option_ids))
    data = json.loads(state.resampled(0, 1).to_json())
    assert data["log"] is None
    assert data["moments"] == []
