"""The audit: every point is told, taken apart, and with what it rests on."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from functools import cache

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.accounting import Entry, account, accounts
from broomservice.cli.group import commands
from broomservice.errors import EngineError
from broomservice.records import Record
from tests.packs import COMBINATIONS, ROOT, label, loaded

BY_HAND = ROOT / "examples" / "records" / "by_hand.yaml"
SETTINGS = [(game, variants) for game, some in COMBINATIONS.items() for variants in some]
PRODUCT = re.compile(r"\((\d+) x (\d+)\)$")


@cache
def played(game: str, variants: tuple[str, ...] = (), seed: int = 1) -> bs.State:
    """Return a random game at its end."""
    picker, rules = random.Random(seed), loaded(game, variants)
    state = rules.start(rules.players[-1], seed=seed)
    while not state.over:
        state.play_in_place(picker.choice(state.option_ids))
    return state


def lines_of(state: bs.State, language: str = "en") -> list[Entry]:
    """Return the lines of all accounts."""
    return [line for lines in accounts(state, language) for line in lines]


def audited(*arguments: str) -> str:
    """Return what the audit of the record by hand prints."""
    result = CliRunner().invoke(commands, ["audit", str(BY_HAND), *arguments])
    assert result.exit_code == 0, result.output
    return result.output


# --- every point ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variants"), SETTINGS, ids=label)
def test_accounts_add_up(game: str, variants: tuple[str, ...]) -> None:
    """In every game the lines of each player add up to the points, and each says what for."""
    state = played(game, variants)
    for points, lines in zip(state.points, accounts(state, "en"), strict=True):
        assert sum(line.points for line in lines) == points
        assert all(line.reason and line.points for line in lines)


@pytest.mark.parametrize(("language", "total"), [("en", "total"), ("de", "Summe")])
def test_the_audit_is_in_both_languages(language: str, total: str) -> None:
    """Each of two players has a total."""
    assert audited("--lang", language).count(f"  {total}\n") == 2


def test_the_points_at_the_start_are_told() -> None:
    """Setup: each player begins with 10 points, and the account says so at once."""
    state = loaded("broom_service").start(3, seed=1)
    (line,) = account(state, 2, "en")
    assert (line.points, line.reason) == (10, "at the start")
    assert "“Setup”" in line.source


def test_a_position_without_a_log_has_an_account() -> None:
    """Points that no log tells were there at the start, so that the lines add up all the same."""
    state = loaded("broom_service").start(2, seed=1, log=False)
    state._table.cells[state._compiled.program.points] = 14
    assert [line.points for line in account(state, 0, "en")] == [14]


def test_points_that_the_log_does_not_tell_are_a_mistake() -> None:
    """A game that was played from its start has no other points than the log tells."""
    state = loaded("broom_service").start(2, seed=1)
    state._table.cells[state._compiled.program.points] += 1
    with pytest.raises(EngineError, match="do not add up"):
        accounts(state, "en")


# --- taken apart ---------------------------------------------------------------------------------


def test_seals_are_taken_apart() -> None:
    """Scoring: 2 points for a coloured seal, 3 for a black one, 4 for a white one."""
    each = {"coloured seals": 2, "black seals": 3, "white seals": 4}
    seen = set()
    for seed in range(3):
        for line in lines_of(played("wizard_extreme", seed=seed)):
            if found := PRODUCT.search(line.reason):
                kind = line.reason.split(" (")[0]
                seen.add(kind)
                assert int(found[2]) == each[kind]
                assert int(found[1]) * int(found[2]) == line.points
            else:
                base, black = map(int, re.findall(r"\d+", line.reason))
                assert line.reason.startswith("black magician")
                assert (base, base - black) == (4, line.points)
    assert seen == set(each)


def test_sets_bolts_and_bids_are_told() -> None:
    """End of the game: sets of four and three; the bolts of the clouds that one dispelled.

    The bid that the Fist Auction names is the one that the log told.
    """
    state = played("broom_service", seed=2)
    bolts: Counter[int] = Counter()
    bids: dict[int, int] = {}
    for entry in state.log:
        if entry.kind == "tell" and (found := re.search(r"dispels .*bolts (\d+)\)", entry.text)):
            bolts[entry.player] += int(found[1])
        if entry.kind == "tell" and (found := re.search(r"bids (\d+)\.$", entry.text)):
            bids[entry.player] = int(found[1])
    told = Counter[str]()
    for player in range(state.players):
        for line in account(state, player, "en"):
            kind, _, rest = line.reason.partition(" (")
            told[kind.split(":")[0]] += 1
            if kind == "lightning":
                assert rest == f"bolts: {bolts[player]})"
            if kind == "Fist Auction":
                assert rest == f"bid: {bids[player]})"
            if found := PRODUCT.search(line.reason):
                assert int(found[1]) * int(found[2]) == line.points
    assert told["lightning"] > 0
    assert told["Fist Auction"] > 0


def test_potions_are_told_apart() -> None:
    """End of brewing: a potion brings its strength; those called alike are told apart by id."""
    state = played("potions")
    labels = state.game.labels
    lines = lines_of(state)
    assert lines
    for line in lines:
        name, strength, which = re.fullmatch(r"(.*) \(strength (\d)\), (\w+)", line.reason).groups()
        assert int(strength) == line.points
        assert labels[which].text["en"] == name
        assert line.things == (which,)


# --- what it rests on ----------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variants"), SETTINGS, ids=label)
def test_each_line_rests_on_something(game: str, variants: tuple[str, ...]) -> None:
    """Each line names a passage, or says from what it follows."""
    for line in lines_of(played(game, variants)):
        assert line.certainty in ("cited", "deduced", "assumed")
        assert line.source if line.certainty == "cited" else line.because


def test_what_is_assumed_is_named() -> None:
    """The towers' points are printed on the board alone; the brave druid's 3 are in the rules."""
    data = json.loads(audited("--json"))
    lines = {line["reason"]: line for line in data["accounts"][0]["lines"]}
    delivery, brave = lines["delivery to t06"], lines["brave druid"]
    assert delivery["assumed"] == delivery["things"] == ["t06"]
    assert brave["assumed"] == []
    for line in (delivery, brave):
        assert line["certainty"] == "cited"
        assert line["source"] == "Broom Service, Spielregel (de), “Tränke liefern (als Druide)”"
    assert lines["Everything Once!"]["assumed"] == ["everything_once_points"]


def test_passages_are_numbered() -> None:
    """Each printed line has the number of its passage, which stands below once."""
    output = audited()
    passages = dict(re.findall(r"^  \[(\d+)\] (.*)$", output, re.MULTILINE))
    lines = re.findall(r"^ +[+-]\d+  (.*?)  \[(\d+)\]", output, re.MULTILINE)
    assert [number for _, number in lines] != []
    assert {number for _, number in lines} == set(passages)
    assert len(set(passages.values())) == len(passages)
    (druid,) = {number for reason, number in lines if reason == "brave druid"}
    assert "“Tränke liefern (als Druide)”" in passages[druid]
    assert "(assumed: t06)" in output
    assert "(angenommen: t06)" in audited("--lang", "de")


def test_the_accounts_of_a_record_are_those_of_its_game() -> None:
    """The audit of a record tells what the game itself tells."""
    state = Record.load(BY_HAND).check().state
    data = json.loads(audited("--json"))["accounts"]
    for told, name, lines in zip(data, state.names, accounts(state, "en"), strict=True):
        assert told["player"] == name
        assert [(one["reason"], one["points"]) for one in told["lines"]] == [
            (one.reason, one.points) for one in lines
        ]
