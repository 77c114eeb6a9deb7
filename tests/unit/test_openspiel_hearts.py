"""Hearts, the tutorial game, held to OpenSpiel's hearts; skipped where that is not installed."""

import pytest

pytest.importorskip("pyspiel")

from benchmarks.hearts_match import ALL_RULES, Pair, Rules, play_both

HANDS = 60


def test_legal_cards_and_points_are_openspiels() -> None:
    """With the same deals and choices both engines allow the same cards and give the same points.

    Passing to the left, right, across and to nobody, with and without the queen of spades breaking
    hearts.
    """
    hands = list(play_both(HANDS))
    assert [str(one) for hand in hands for one in hand.differences] == []
    for hand in hands:
        assert hand.choices + hand.lone in (52, 52 + 4 * 3)
        assert hand.choices > 20


def test_other_rules_are_noticed() -> None:
    """If only one of the engines lets the queen of spades break hearts, the comparison says so."""
    ours, theirs = Rules(first_pass=3, queen_breaks=True), Rules(first_pass=3, queen_breaks=False)
    assert {ours, theirs} <= set(ALL_RULES)
    game, other = ours.ours(), theirs.theirs()
    hands = [Pair(number, ours, game, other).play() for number in range(HANDS)]
    differences = [one for hand in hands for one in hand.differences]
    pairs = [(one.ours, one.theirs) for one in differences if one.ours[0] == one.theirs[0]]
    assert pairs
    for (_, options), (_, other_options) in pairs:
        more = set(options) - set(other_options)
        assert more
        assert all(card.startswith("hearts_") for card in more)
