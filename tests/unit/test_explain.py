"""Explanations: why an option is open or not, what would come of it, what was not asked."""

from __future__ import annotations

import pytest

import broomservice as bs
from broomservice.explain import Check
from broomservice.pack.provenance import Citation, Provenance
from broomservice.scenario import Scenario
from broomservice.testing import BrokenInvariant, check_explanations, check_grounds
from tests.packs import BACK, loaded

NAMES = ("Anna", "Bonnie", "Carla")
GAME = loaded("broom_service")


def delivering() -> bs.State:
    """Carla's pawn stands on hill 4, she has a purple potion and may deliver it."""
    scenario = Scenario.of(GAME, 3, names=NAMES)
    scenario.put("p3_pawn_1", "hill_4")
    scenario.put("purple_potion", "stock(p3)", 1)
    return scenario.begin("deliver_from", "Carla", {"pawn": "p3_pawn_1"})


def leading(*hands: str) -> bs.State:
    """Each player holds the roles given (with spaces); Anna is about to lead."""
    scenario = Scenario.of(GAME, len(hands), names=NAMES[: len(hands)])
    for player, hand in enumerate(hands, 1):
        for role in hand.split():
            scenario.put(role, f"hand(p{player})")
    return scenario.begin("turn")


def names_of(checks: tuple[Check, ...]) -> list[str]:
    return [check.name for check in checks]


# --- why, and why not ----------------------------------------------------------------------------


def test_what_is_open_meets_all() -> None:
    """A tower at the region that is free and of the potion's colour (de, delivering_witch)."""
    verdict = delivering().explain("t22")
    assert verdict.legal
    assert names_of(verdict.checks) == ["touches", "is_free", "has_potion"]
    assert verdict.failed == ()
    assert delivering().why_not("t22") == ()


def test_a_refusal_names_things_and_passages() -> None:
    """Every requirement that fails says so with names filled in, and cites its section."""
    failed = delivering().explain("t12").failed
    assert [(check.name, check.sentence) for check in failed] == [
        ("touches", "the base of t12 does not touch Hill 4"),
        ("has_potion", "Carla has no green potion"),
    ]
    assert [check.provenance.citations for check in failed] == [
        (Citation("de", "figure_towers"),),
        (Citation("de", "delivering_witch"),),
    ]
    assert delivering().why_not("t12", "de") == (
        "die Basis von t12 berührt Hügel 4 nicht",
        "Carla hat keinen Trank der Farbe grün",
    )


def test_assumed_values_are_told() -> None:
    """The map is a reconstruction: what rests on it says so; who owns a pawn does not."""
    check = delivering().explain("t12").failed[0]
    assert check.assumed
    assert {fact.name for fact in check.assumed_facts} == {"t12", "hill_4"}
    state = Scenario.of(GAME, 2).begin("fly", "p1", {"landscape": "forest", "delivers": False})
    own = state.explain("p2_pawn_1").failed[0]
    assert own.name == "is_own"
    assert not own.assumed


def beside(region: str) -> str:
    """Return a region next to another."""
    number = GAME.names.sites[region].number
    return next(
        site.id
        for site in GAME.names.sites.values()
        if site.kind == "region" and number in site.related["neighbours"]
    )


def test_assumed_wands_of_a_cloud() -> None:
    """A cloud's wands are on the cloud only, so that they are assumed (clouds.yaml)."""
    spaces = [site for site in GAME.names.sites.values() if site.kind == "cloud_space"]
    clouds = [piece for piece in GAME.names.pieces.values() if piece.family == "cloud"]
    dear = next(cloud for cloud in clouds if cloud.values["wands"] == 4)
    cheap = next(cloud for cloud in clouds if cloud.values["wands"] == 1)
    scenario = Scenario.of(GAME, 2)
    scenario.put("wand", "stock(p1)", 1)
    for pawn, space, cloud in (("p1_pawn_1", spaces[0], dear), ("p1_pawn_2", spaces[1], cheap)):
        scenario.put(cloud.id, space.id)
        scenario.put(pawn, beside(str(space.node["region"])))
    state = scenario.begin("dispel", "p1", {"bonus": 0})
    assert state.explain(spaces[1].id).legal
    check = state.explain(spaces[0].id).failed[0]
    assert check.name == "has_wands"
    assert "p1 has too few wands, 1 of 4" in check.sentence
    assert check.assumed
    assert dear.id in {fact.name for fact in check.assumed_facts}


def test_things_of_the_wrong_kind_say_who_is_asked_what() -> None:
    """A tower is no answer to the question for a role; nor is a player, by name or label."""
    state = GAME.start(3, seed=1, names=NAMES)
    for name in ("t12", "Carla", "p3", "brave", "7"):
        verdict = state.explain(name)
        assert not verdict.legal
        assert not verdict.is_an_answer
        assert verdict.player == 0
        assert verdict.prompt == "Choose a role for this round"
        sentence = verdict.failed[0].sentence
        assert sentence.startswith("Anna is asked “Choose a role for this round”")
        assert Citation("en", "choosing_roles") in verdict.failed[0].provenance.citations


def test_the_wrong_time_says_who_is_asked() -> None:
    """While Bonnie says whether she is brave, Carla's lead is not asked for (en, competition)."""
    state = leading("forest_witch hill_witch", "forest_witch", "forest_witch").play("forest witch")
    state = state.play("brave")
    failed = state.explain("hill witch").failed
    assert failed[0].sentence == (
        "Bonnie is asked “Brave or cowardly forest witch?”, between brave and cowardly;"
        " hill witch is not among them"
    )
    german = state.why_not("hill witch", "de")[0]
    assert german.startswith("Bonnie wird gefragt: „Waldhexe: mutig oder feige?“")


def test_passing_is_explained() -> None:
    """One may decline a delivery, but not the choice of roles (de, delivering_witch)."""
    assert delivering().explain("pass").legal
    refused = GAME.start(2, seed=1).explain("pass")
    assert names_of(refused.failed) == ["may_pass"]
    assert refused.failed[0].provenance.citations


def test_picks_in_rising_order() -> None:
    """Four roles are picked in a fixed order, so that no hand is picked in two ways."""
    state = GAME.start(2, seed=1)
    state = state.play("forest witch")
    failed = state.explain("fruit gatherer").failed
    assert names_of(failed) == ["rising_order"]
    assert failed[0].sentence.endswith("fruit gatherer would have had to come before forest witch")
    assert not failed[0].provenance.citations
    assert "no rule of the game" in failed[0].provenance.because


def test_too_few_left() -> None:
    """The last of ten roles cannot be the first of four."""
    failed = GAME.start(2, seed=1).explain("weather fairy").failed
    assert names_of(failed) == ["rising_order"]
    assert failed[0].sentence.endswith("name it later, for 3 more follow this pick")


def test_alike() -> None:
    """Two pawns in one region fly alike, and the second says which stands for it."""
    scenario = Scenario.of(GAME, 2, names=NAMES[:2])
    scenario.put("p1_pawn_1", "hill_4")
    scenario.put("p1_pawn_2", "hill_4")
    state = scenario.begin("fly", "p1", {"landscape": "forest", "delivers": False})
    failed = state.explain("p1_pawn_2").failed
    assert [check.sentence for check in failed] == [
        "Anna's pawn 1 stands for Anna's pawn 2: it comes to the same"
    ]


def test_bans_are_explained() -> None:
    """“As in Olden Times”: whoever leads must be brave, and the event says so."""
    scenario = Scenario.of(GAME, 2, names=NAMES[:2])
    scenario.put("as_in_olden_times", "event_now")
    scenario.put("forest_witch", "hand(p1)")
    scenario.put("forest_witch", "hand(p2)")
    state = scenario.begin("turn")
    forced = [entry for entry in state.explain_forced() if entry.kind == "forced"]
    assert [GAME.options[entry.option].label for entry in forced] == ["forest_witch", "brave"]
    assert forced[1].text == (
        "Anna: brave, as nothing else is open (Brave or cowardly forest witch?): "
        "this round, whoever leads a turn must be brave"
    )
    assert state.player == 1
    assert state.explain("cowardly").legal


def test_offers_are_explained() -> None:
    """The black market can be taken only while it is the event (de, forest_tiles)."""
    scenario = Scenario.of(GAME, 2)
    scenario.put("moonshiners", "event_now")
    scenario.set("led", "fruit_gatherer")
    state = scenario.begin("act_cowardly", "p1")
    assert state.explain("moonshiners").legal
    failed = state.explain("black market").failed
    assert names_of(failed) == ["in_play"]
    assert failed[0].provenance.citations


def test_the_end_is_explained() -> None:
    """When the game is over nothing is open; that rests on the passage about its end."""
    state = delivering().play("pass")
    assert state.over
    failed = state.explain("t22").failed
    assert names_of(failed) == ["game_is_over"]
    assert failed[0].sentence == "the game is over"
    assert failed[0].provenance.citations == (
        Citation("de", "end_of_game"),
        Citation("en", "end_of_game"),
    )


def test_unknown_names_get_a_hint() -> None:
    """A misspelt name gets the likely one, also a player's."""
    state = GAME.start(3, seed=1, names=NAMES)
    with pytest.raises(bs.UnknownMove) as caught:
        state.explain("hil witch")
    assert caught.value.hint == "hill witch"
    with pytest.raises(bs.UnknownMove) as caught:
        state.why_not("Bonie")
    assert caught.value.hint == "Bonnie"


# --- what if -------------------------------------------------------------------------------------


def test_what_if_tells_the_consequences() -> None:
    """A delivery: the potion, the points of the tower, and then nobody is asked."""
    state = delivering()
    outlook = state.what_if("t22")
    points = GAME.names.sites["t22"].values["points"]
    assert outlook.gained == (0, 0, points)
    assert outlook.over
    assert [entry.kind for entry in outlook.entries if entry.kind != "move"] == ["tell", "score"]
    assert state == delivering()


def test_what_if_refuses_what_is_not_open() -> None:
    """What is not open has no consequences, but reasons."""
    with pytest.raises(bs.IllegalMove, match="does not touch"):
        delivering().what_if("t12")


def test_what_if_leaves_draws_to_chance() -> None:
    """The last role chosen, turns begin; where chance draws before that, it is not foretold."""
    wizard = loaded("wizard_extreme")
    state = wizard.start(3, seed=2)
    while not state.over:
        outlook = state.what_if(state.option_ids[0])
        assert all(entry.kind != "draw" for entry in outlook.entries)
        if outlook.player == -2:
            return
        state = state.play(state.option_ids[0])
    raise AssertionError("chance is asked somewhere in a game of several rounds")


def test_what_if_keeps_hidden_hands_hidden() -> None:
    """Whether Bonnie can follow is hidden from Anna: both worlds look alike to her."""
    follows = leading("forest_witch hill_witch", "forest_witch").play("forest witch")
    other = leading("forest_witch hill_witch", "root_gatherer").play("forest witch")
    one, two = (state.what_if("brave", viewer=0) for state in (follows, other))
    assert [entry.text for entry in one.entries] == [entry.text for entry in two.entries]
    assert (one.player, one.prompt, one.gained, one.is_certain) == (
        two.player,
        two.prompt,
        two.gained,
        two.is_certain,
    )
    assert not one.is_certain
    assert follows.what_if("brave").player == 1


def test_what_if_does_not_tell_whose_card_is_open() -> None:
    """What another player could lead is no business of the viewer."""
    state = leading("forest_witch hill_witch", "forest_witch")
    for card in ("forest witch", "root gatherer"):
        outlook = state.what_if(card, viewer=1)
        assert (outlook.entries, outlook.player, outlook.is_certain) == ((), None, False)


# --- without a question --------------------------------------------------------------------------


def test_forced_and_skipped_are_logged() -> None:
    """One card in hand is led by itself; without wands or clouds nobody is asked to dispel."""
    state = leading("weather_fairy", "root_gatherer")
    assert [entry.text for entry in state.explain_forced()] == [
        "Anna: weather fairy, as nothing else is open (Which role do you lead?)"
    ]
    assert [check.name for check in state.explain_forced()[0].checks] == ["nothing_else"]
    after = state.play("brave")
    skipped = [entry for entry in after.explain_forced("de") if entry.kind == "skipped"]
    assert [entry.text for entry in skipped] == [
        "Bonnie wird nicht gefragt: Bonnie hat diese Karte nicht: Wetterfee",
        "Anna wird nicht gefragt, denn nichts ist möglich (Welche Wolke wegzaubern?): "
        "keine Figur von Anna steht neben c01 (dasselbe gilt für 16 weitere); "
        "auf c01 liegt keine Wolke (dasselbe gilt für 17 weitere)",
    ]
    assert skipped[1].provenance.citations == (Citation("de", "clouds"),)


def test_nothing_is_open_for_reasons() -> None:
    """Who may not dispel any cloud is told why: no wands, or no pawn beside it (de, clouds)."""
    scenario = Scenario.of(GAME, 2, names=NAMES[:2])
    scenario.put("p1_pawn_1", "hill_4")
    scenario.put("cloud_24", "c01")
    state = scenario.begin("dispel", "p1", {"bonus": 3})
    (skipped,) = [entry for entry in state.explain_forced() if entry.kind == "skipped"]
    assert {check.name for check in skipped.checks} == {"has_wands", "is_beside", "has_cloud"}
    assert all(check.provenance.citations for check in skipped.checks)


def test_must_follow_is_explained() -> None:
    """Who holds one card of the suit led must play it, and is told so (Wizard Extreme, tricks)."""
    game = bs.load("wizard_extreme")
    scenario = Scenario.of(game, 3)
    for card in ("blue_9", "red_1", "green_2"):
        scenario.put(card, "hand(p2)")
    for card in ("blue_1", "green_1"):
        scenario.put(card, "hand(p1)")
    scenario.put("blue_3", "hand(p3)")
    scenario.set("leader", "p1")
    state = scenario.begin("play_trick").play("blue_1")
    (forced,) = [e for e in state.explain_forced() if e.kind == "forced" and e.player == 1]
    assert [check.name for check in forced.checks] == ["follows"]
    assert "blue was led" in forced.text


def test_fast_runs_log_nothing() -> None:
    """Without a log nothing is kept of what was forced."""
    state = GAME.start(2, seed=1, log=False)
    assert state.log == ()
    assert state.explain_forced() == ()


def test_points_say_where_they_come_from() -> None:
    """A bewitched role costs 3 points (en, important_rules), by the verb that lays a card."""
    scenario = Scenario.of(GAME, 2, names=NAMES[:2])
    scenario.put("forest_witch", "hand(p1)")
    scenario.put("forest_witch", "bewitched")
    state = scenario.begin("turn")
    lost = [entry for entry in state.log if entry.kind == "score"]
    assert [entry.amount for entry in lost] == [-3]
    assert lost[0].text == "Anna -3: forest witch is bewitched"
    assert lost[0].provenance.citations == (
        Citation("de", "important_rules"),
        Citation("en", "important_rules"),
    )


# --- the exported check --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "variants"),
    [
        ("broom_service", ()),
        ("broom_service", ("storm_clouds", *BACK)),
        ("wizard_extreme", ()),
        ("potions", ()),
    ],
)
def test_every_refusal_has_grounds(game: str, variants: tuple[str, ...]) -> None:
    """Early in a game of each pack, every option there is can be explained, with a passage."""
    rules = loaded(game, variants)
    state = rules.start(rules.players[0], seed=4)
    for _ in range(12):
        check_explanations(state)
        state = state.play(state.option_ids[-1])


def test_groundless_refusals_are_found() -> None:
    """The check finds a reason without source, and one without a sentence."""
    state = GAME.start(2, seed=1)
    option = GAME.option("t12")
    cited = Provenance("cited", (Citation("en", "setup"),))
    check_grounds(state, option, Check("fine", False, "it is not so", cited))
    with pytest.raises(BrokenInvariant, match="a refusal has a source"):
        check_grounds(state, option, Check("groundless", False, "it is not so", Provenance()))
    with pytest.raises(BrokenInvariant, match="a refusal has a sentence"):
        check_grounds(state, option, Check("speechless", False, " ", cited))


def test_who_may_pass_is_told_so() -> None:
    """Where a thing may be taken or not, a refusal does not say that there is only the taking."""
    state = Scenario.of(GAME, 3, names=NAMES).begin("gather", "Carla", {"potion": "purple_potion"})
    assert {option.label for option in state.decision or ()} == {"collect", "pass"}
    assert state.why_not("hill witch") == (
        "Carla is asked “Take one purple potion?”: take or pass; hill witch is not among them",
    )
    assert state.why_not("hill witch", "de") == (
        "Carla wird gefragt: „Ressource nehmen (violetter Trank)?“, zur Wahl: nehmen oder weiter; "
        "Hügelhexe gehört nicht dazu",
    )
