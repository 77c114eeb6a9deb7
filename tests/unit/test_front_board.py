"""The front board plays: every colour, landscape and role sees use; scores and refusals cite."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import broomservice as bs
from broomservice.log import LogEntry
from broomservice.pack.provenance import Citation
from broomservice.scenario import Scenario
from broomservice.state import State
from tests.packs import loaded

IMPORTANT_RULES = (Citation("de", "important_rules"), Citation("en", "important_rules"))


def test_everything_on_the_board_is_used() -> None:
    """In a few games all colours are delivered, from all landscapes, by both druids and witches."""
    game = loaded("broom_service")
    words = list(game.names.words)
    sites = list(game.names.sites.values())
    used: Counter[str] = Counter()
    for seed in range(12):
        picker = random.Random(seed)
        state = game.start(4, seed=seed)
        while not state.over:
            decision = state.decision
            option = picker.choice(state.option_ids)
            if decision is not None and decision.point == "deliver" and option:
                tower = game.names.sites[game.options[option].label]
                used[words[tower.values["colour"]]] += 1
                for base in tower.related["bases"]:
                    used[words[sites[base].values["landscape"]]] += 1
            if decision is not None and decision.point == "lead":
                used[game.options[option].label] += 1
            state.play_in_place(option)
    colours, landscapes = ("purple", "green", "orange"), ("forest", "hill", "mountain", "prairie")
    roles = [kind.id for kind in game.names.families["role"].kinds]
    assert all(used[name] >= 5 for name in (*colours, *landscapes, *roles)), used


def scores(state: State) -> list[LogEntry]:
    """Return the entries of the log that tell of points."""
    return [entry for entry in state.log if entry.kind == "score"]


def test_a_bewitched_role_cites_its_passage() -> None:
    """The loss of 3 points stands among the other important rules (de and en, important_rules)."""
    scenario = Scenario.of(loaded("broom_service"), 2)
    scenario.put("forest_witch", "hand(p1)")
    scenario.put("forest_witch", "bewitched")
    (lost,) = scores(scenario.begin("turn"))
    assert (lost.amount, lost.provenance.citations) == (-3, IMPORTANT_RULES)


def test_deliveries_cite_the_passage_of_who_delivers() -> None:
    """A druid's points rest on the druid's passage, a witch's on hers (Tränke liefern)."""
    scenario = Scenario.of(loaded("broom_service"), 2)
    scenario.put("p1_pawn_1", "hill_4")
    scenario.put("purple_potion", "stock(p1)", 2)
    druid = {"first_landscape": "hill", "second_landscape": "mountain", "bonus": 3}
    state = scenario.begin("deliver_standing", "p1", druid).play("t22")
    assert [(one.amount, one.provenance.citations) for one in scores(state)] == [
        (4, (Citation("de", "delivering_druid"),)),
        (3, (Citation("de", "delivering_druid"),)),
    ]
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"}).play("t22")
    assert [(one.amount, one.provenance.citations) for one in scores(state)] == [
        (4, (Citation("de", "delivering_witch"),)),
    ]


@pytest.mark.parametrize(
    ("event", "section"),
    [
        ("dangerous_areas", "event_dangerous_areas"),
        ("empty_handed", "event_empty_handed"),
        ("like_minded", "event_like_minded"),
    ],
)
def test_events_cite_their_section(event: str, section: str) -> None:
    """The points of an event rest on its section, and say that their amount is assumed."""
    game = bs.load("broom_service", options={"hand_cards": 1})
    scenario = Scenario.of(game, 2, chance_asks=True)
    for pawn in ("p1_pawn_1", "p1_pawn_2"):
        scenario.put(pawn, "forest_1")
    state = scenario.begin("play_round").play(event)
    while not state.over:
        labels = [game.options[option].label for option in state.option_ids]
        wanted = [name for name in ("weather_fairy", "cowardly") if name in labels]
        state = state.play((wanted or labels)[0])
    found = [one for one in scores(state) if one.step is not None and one.step.verb == event]
    assert found
    for one in found:
        assert one.provenance.citations == (Citation("de", section),)
        assert "assumed" in one.provenance.because


def test_refusals_speak_of_the_player_who_is_asked() -> None:
    """Whoever reads a refusal may be somebody else, so it names the player, in both languages."""
    scenario = Scenario.of(loaded("broom_service"), 2, names=("Hans", "Anna"))
    scenario.put("p1_pawn_1", "hill_4")
    scenario.put("purple_potion", "stock(p1)", 1)
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})
    assert state.why_not("t17") == ("Hans has no orange potion",)
    assert state.why_not("t17", "de") == ("Hans hat keinen Trank der Farbe orange",)
