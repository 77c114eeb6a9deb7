"""Records that leave out what nobody saw: legal, illegal, or on what it depends."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import broomservice as bs
from broomservice.records import Move, Record
from tests.packs import ROOT, loaded
from tests.unit.test_record import played, written

PICKS = 4  # roles in a hand, which may be picked otherwise at the end
EXAMPLES = ROOT / "examples" / "records"
WIZARD = """\
record: wizard_extreme
players: [Ann, Bob, Cem]
chance: asked
moves:
  - Bob: predict tricks, pass
  - Cem: take the black magician
  - Ann: pass
"""


# --- by hand -------------------------------------------------------------------------------------


def test_the_gaps_of_a_record_are_told() -> None:
    """By hand: four roles each come down later; the events in the box do not matter."""
    report = Record.load(EXAMPLES / "by_hand.yaml").check()
    assert report.verdict == "legal"
    assert report.state.over
    shown = {one.owner: len(one.shown) for one in report.assumptions if one.owner >= 0}
    assert shown == {0: 4, 1: 4}
    unseen = next(one for one in report.assumptions if one.owner < 0)
    assert len(unseen.filled) == 9
    assert not unseen.matters
    assert "Everything Once!" not in unseen.filled


def test_a_missed_follow_shows_when_the_role_comes_down(tmp_path: Path) -> None:
    """Important rules: who holds the role led has to follow; laid later it has no effect.

    Ann leads the valley druid, Ben does not follow, and Ben leads it himself at the end.
    """
    record = written(
        tmp_path,
        """\
  - Ann: ?
  - Ben: ?
  - Ann: valley druid, cowardly
  - Ann: weather fairy, brave
  - Ann: herb gatherer, brave, collect
  - Ann: root gatherer, brave, collect
  - Ben: valley druid, peak druid, cowardly
""",
    )
    report = record.check()
    error = report.errors[0]
    assert (report.verdict, error.code, error.line) == ("illegal", "missed", 14)
    assert "passes over Ben, who held valley druid, as move 36 shows" in error.message
    assert "Let the magical competition begin" in error.source
    note = next(one for one in report.findings if one.code == "goes-on")
    assert "without effect" in note.message
    assert note.line == 17


def test_a_follow_that_is_missed_in_open_hands(tmp_path: Path) -> None:
    """With the hands in the record the duty to follow is missed at once."""
    record = written(
        tmp_path,
        """\
  - Ann: herb gatherer, valley druid, weather fairy, root gatherer
  - Ben: mountain witch, valley druid, peak druid, hill witch
  - Ann: valley druid, cowardly, weather fairy
""",
    )
    error = record.check().errors[0]
    assert (error.code, error.line, error.column) == ("passed-over", 13, 34)
    assert error.message.startswith("Ben is to answer now")


def test_what_a_record_depends_on(tmp_path: Path) -> None:
    """Suit must be followed (de, tricks): who does not follow holds no card of the suit.

    Blue is led with the 4, Cem follows with the 2, Ann does not: she has none of the other blues.
    """
    report = written(
        tmp_path, "  - Bob: blue 4\n  - Cem: blue 2\n  - Ann: green 3\n", WIZARD
    ).check()
    assert report.verdict == "depends"
    (hand,) = [one for one in report.assumptions if one.matters]
    assert (hand.owner, hand.shown, hand.needed) == (0, (("green 3", 7),), ())
    assert set(hand.excluded) == {(f"blue {i}", 7) for i in (1, 3, 5, 6, 7, 8, 9)}
    assert "it has none of these: blue 1, blue 3," in str(hand)
    assert "(else move 7 fails)" in str(hand)


def test_what_does_not_matter_is_no_dependence(tmp_path: Path) -> None:
    """If all follow suit, the trick is legal whatever else they hold."""
    report = written(
        tmp_path, "  - Bob: blue 4\n  - Cem: blue 2\n  - Ann: blue 7\n", WIZARD
    ).check()
    assert report.verdict == "legal"
    (hand,) = [one for one in report.assumptions if one.owner == 0]
    assert hand.shown == (("blue 7", 7),)
    assert len(hand.filled) > 10
    assert not hand.matters


def test_a_revoke_shows_when_the_card_comes_down(tmp_path: Path) -> None:
    """Suit must be followed (de, tricks): Cem discards on blue, and plays a blue card later."""
    moves = """\
  - Bob: blue 4
  - Cem: green 2
  - Ann: blue 7, red 3
  - Bob: red 5
  - Cem: blue 1
"""
    report = written(tmp_path, moves, WIZARD).check()
    error = report.errors[0]
    assert (report.verdict, error.code, error.line, error.move) == ("illegal", "missed", 9, 6)
    assert "blue was led" in error.message
    assert error.message.endswith("(Cem held blue 1, as move 10 shows)")
    assert "Der Kampf um die Stiche" in error.source


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("blue 4", "blue 4 is not in Cem's hand"),  # it lies in the trick
        ("blue 14", "blue 14 is not in Cem's hand"),  # not dealt among three
        ("blue 44", "no option is called 'blue 44'"),  # there is none
    ],
)
def test_what_is_illegal_anyway_is_illegal(card: str, reason: str, tmp_path: Path) -> None:
    """A card that Cem cannot hold is illegal, whatever was dealt."""
    report = written(tmp_path, f"  - Bob: blue 4\n  - Cem: {card}\n", WIZARD).check()
    assert (report.verdict, report.errors[0].move) == ("illegal", 6)
    assert reason in report.errors[0].message


def test_a_discard_rests_on_the_suit_alone(tmp_path: Path) -> None:
    """Tricks go on after a discard: what it rests on is the suit that was led, and no more."""
    moves = """\
  - Bob: blue 4
  - Cem: blue 2
  - Ann: green 3
  - Bob: red 5
  - Cem: red 2
  - Ann: red 6, yellow 3
"""
    report = written(tmp_path, moves, WIZARD).check()
    assert report.verdict == "depends", str(report)
    assert [one.owner for one in report.assumptions if one.matters] == [0]


def test_what_other_hands_may_make_legal_is_undecided(tmp_path: Path) -> None:
    """Hearts: who may have passed on all clubs is not convicted of a revoke."""
    head = f"record: {ROOT / 'examples' / 'hearts'}\nplayers: 4\nchance: asked\nmoves:\n"
    moves = "  - p1: 2 of clubs\n  - p2: ace of clubs\n  - p3: 3 of clubs\n  - p4: 9 of diamonds\n"
    assert written(tmp_path, moves, head).check().verdict in ("depends", "undecided")


def test_a_pass_of_somebody_passed_over(tmp_path: Path) -> None:
    """To say “next” without the role led is no mistake, and shows that one does not hold it."""
    open_hands = """\
  - Ann: herb gatherer, valley druid, weather fairy, root gatherer
  - Ben: mountain witch, hill witch, peak druid, forest witch
  - Ann: herb gatherer, brave
  - Ben: next
  - Ann: collect
"""
    assert written(tmp_path, open_hands).check().verdict == "legal"
    hidden = "  - Ann: herb gatherer, brave\n  - Ben: next\n  - Ann: collect\n"
    report = written(tmp_path, hidden).check()
    assert report.verdict == "depends", str(report)
    (choice,) = [one for one in report.assumptions if one.matters]
    assert choice.owner == 1
    assert [name for name, _ in choice.excluded] == ["herb gatherer"]


def test_a_pass_may_be_written_where_nothing_was_open(tmp_path: Path) -> None:
    """Nobody at the table knows what the program asks: to decline what cannot be is no mistake."""
    moves = """\
  - Ann: herb gatherer, valley druid, weather fairy, root gatherer
  - Ben: mountain witch, hill witch, peak druid, forest witch
  - Ann: valley druid, cowardly, pass, weather fairy
"""
    report = written(tmp_path, moves).check()
    assert report.verdict == "legal", str(report)
    assert report.state.decision is not None
    assert report.state.decision.prompt == "Brave or cowardly weather fairy?"


# --- random games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how", ["left out", "?"])
@pytest.mark.parametrize(
    ("game", "players", "most"),
    [("broom_service", 3, 60), ("broom_service", 4, 150), ("potions", 4, 300)],
)
def test_hidden_choices_are_found(game: str, players: int, most: int, how: str, seed: int) -> None:
    """Games without the hands and what was handed over: a way of filling them in is found."""
    rules = loaded(game)
    state = played(rules, players, seed=seed, most=most)
    report = without_secrets(state, how).check(rules)
    assert report.verdict in ("legal", "depends"), str(report)
    assert len(report.answers) >= most - 4 * PICKS


@pytest.mark.parametrize("seed", range(2))
def test_hidden_deals_are_found(seed: int) -> None:
    """A round of Wizard Extreme without the deal: the cards are dealt as they come down."""
    rules = loaded("wizard_extreme")
    state = played(rules, 3, seed=seed, most=120)
    record = without_secrets(state, "left out")
    seen = tuple(move for move in record.moves if move.player != "chance")
    report = attrs.evolve(record, moves=seen).check(rules)
    assert report.verdict in ("legal", "depends"), str(report)
    assert report.state.points == state.points


def without_secrets(state: bs.State, how: str) -> Record:
    """Return the record as somebody at the table writes it who saw no hands."""
    compiled, log = state._compiled, state._table.log or []
    moves: list[Move] = []
    for line in log:
        if line[0] not in compiled.questions or line[2] < 0:
            continue
        player = "chance" if line[1] < 0 else state.names[line[1]]
        if compiled.info[line[0]].secret < 0:
            moves.append(Move(player, state.game.options[line[2]].label))
        elif how == "?" and moves[-1] != Move(player, "?"):
            moves.append(Move(player, "?"))
    return attrs.evolve(state.record(draws=True), moves=tuple(moves), pins=None)
