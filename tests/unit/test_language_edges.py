"""Edges of the card language: what is refused, and what goes on where one might stumble."""

from __future__ import annotations

from pathlib import Path

import pytest

import broomservice as bs

HEAD = """\
# yaml-language-server: $schema=game.schema.json
game: edges
name: Edges
players: {min: 2, max: 2}
score: points
source: {doc: us, section: all}
families:
  coin: {start: {bank: 9}}
  card: {attributes: {rank: number}, start: {table: 1}}
pieces:
  penny: {family: coin}
  ace: {family: card, rank: 1}
  king: {family: card, rank: 13}
  rule_card: {family: card, rank: 0, start: {rules: 1}HOOKS}
places:
  bank: {holds: [coin], sees: all}
  purse: {per: player, holds: [coin, card], sees: owner}
  table: {holds: [card], sees: all}
  rules: {holds: [card], sees: all, active: true}
counters:
  points: {per: player}
invariants:
  purses_are_small: {each: {p: player}, holds: size(purse(p)) < 10, source: {doc: us, section: all}}
"""
SOURCES = """\
# yaml-language-server: $schema=sources.schema.json
sources: edges
documents:
  us: {title: Our rules, language: en, sections: {all: All}}
"""


def edges(folder: Path, rest: str, hooks: str = "") -> bs.Game:
    """Return a tiny game with a course of play, and hooks on its rule card."""
    pack = folder / "edges"
    pack.mkdir(exist_ok=True)
    (pack / "game.yaml").write_text(HEAD.replace("HOOKS", hooks) + rest)
    (pack / "sources.yaml").write_text(SOURCES)
    return bs.load(pack)


def codes(folder: Path, rest: str, hooks: str = "") -> list[str]:
    """Return the codes of a pack's mistakes, without those of what it leaves unused."""
    with pytest.raises(bs.PackError) as caught:
        edges(folder, rest, hooks)
    return [one.code for one in caught.value.problems if one.code != "unused"]


BY_FIRST = "play:\n  - as: first(p for p in player)\n    do:\n"


def test_is_is_no_operator(tmp_path: Path) -> None:
    """Things are compared with ==; 'is' is refused."""
    rest = BY_FIRST + "      - when: points is 0\n        then:\n          - score: 1\n"
    assert codes(tmp_path, rest) == ["expression-syntax"]


def test_what_belongs_to_nobody(tmp_path: Path) -> None:
    """Outside any player, there is no purse of mine."""
    rest = (
        "play:\n  - when: purse[penny] == 0\n    then:\n      - score: 1\n"
        "        for: first(p for p in player)\n"
    )
    with pytest.raises(bs.RuleError, match="nobody"):
        edges(tmp_path, rest).start(2)


def test_alike_does_not_go_with_times(tmp_path: Path) -> None:
    """Several picks in rising order are never alike."""
    rest = BY_FIRST + (
        "      - choose: {c: table}\n        times: 2\n        alike: c.rank\n        then:\n"
        "          - score: c.rank\n"
    )
    assert codes(tmp_path, rest) == ["misplaced-step"]


def test_inverse_is_for_sites(tmp_path: Path) -> None:
    """Pieces are not found from the other end of an attribute."""
    rest = BY_FIRST + "      - score: 1\n"
    game = HEAD.replace("{rank: number}", "{rank: number, twin: {to: card, inverse: other}}")
    pack = tmp_path / "edges"
    pack.mkdir()
    (pack / "game.yaml").write_text(game.replace("HOOKS", "") + rest)
    (pack / "sources.yaml").write_text(SOURCES)
    with pytest.raises(bs.PackError) as caught:
        bs.load(pack)
    assert "unknown-key" in [one.code for one in caught.value.problems]


@pytest.mark.parametrize("function", ["count", "first"])
def test_conditions_stand_after_if(tmp_path: Path, function: str) -> None:
    """`count` and `first` take the bound name itself."""
    rest = BY_FIRST + f'      - let: {{n: "{function}(c.rank > 1 for c in card)"}}\n'
    assert codes(tmp_path, rest) == ["expression-syntax"]


def test_an_offer_inside_any_order_goes_on(tmp_path: Path) -> None:
    """After an alternative that a hook offers, the others are still to be done."""
    rest = BY_FIRST + (
        "      - any_order:\n          one:\n            - score: 1\n          two:\n"
        "            - score: 10\n        point: both\n"
    )
    hooks = ", offer: [{at: both, do: [{score: 100}, {move: this, to: purse}]}]"
    state = edges(tmp_path, rest, hooks).start(2)
    assert {option.label for option in state.decision or ()} == {"one", "two", "rule_card"}
    state = state.play("rule_card")
    assert {option.label for option in state.decision or ()} == {"one", "two"}
    end = state.play("two")
    assert end.over
    assert end.points == (111, 0)


def test_bans_leave_enough_picks(tmp_path: Path) -> None:
    """A banned thing does not count among those left for the picks to come."""
    rest = BY_FIRST + (
        "      - choose: {c: table}\n        times: 2\n        point: pick\n        then:\n"
        "          - score: c.rank\n        else:\n          - score: -50\n"
    )
    hooks = ", ban: [{at: pick, option: king, else: no kings}]"
    state = edges(tmp_path, rest, hooks).start(2)
    assert state.over
    assert state.points == (-50, 0)


def test_a_scenario_begins_with_the_replacement(tmp_path: Path) -> None:
    """A position that begins at a replaced verb begins with what replaces it."""
    from broomservice.scenario import Scenario

    rest = (
        "verbs:\n  earn:\n    parameters: {n: number}\n    do:\n      - score: n\n"
        + BY_FIRST
        + "      - earn: {n: 3}\n"
    )
    hooks = ", replace: [{verb: earn, do: [{as_usual: {n: n * 2}}]}]"
    game = edges(tmp_path, rest, hooks)
    assert game.start(2).points == (6, 0)
    state = Scenario.of(game, 2).begin("earn", "p2", {"n": 4})
    assert state.points == (0, 8)


def test_names_are_filled_from_attributes(tmp_path: Path) -> None:
    """A piece's name may tell its attributes, which a variant then changes in one place."""
    game = bs.load("broom_service")
    assert game.option("cloud_01").shown() == "cloud 1 (wands 1, bolts 1)"
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(
        "# yaml-language-server: $schema=variant.schema.json\n"
        "variant: mine\nof: broom_service\nsource: {doc: de, section: components}\n"
        "cards:\n  cloud:\n    cloud_01: {wands: 3}\n"
    )
    mine = bs.load("broom_service", variants=[overlay])
    assert mine.option("cloud_01").shown() == "cloud 1 (wands 3, bolts 1)"
