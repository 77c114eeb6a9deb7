"""The variants of Broom Service: which go together, in any order, and games played with them."""

import random

import pytest

import broomservice as bs
from broomservice.pack.provenance import Citation
from broomservice.scenario import Scenario
from broomservice.state import State
from broomservice.testing import play_checked

BACK = ("back_board", "mountain_tiles", "forest_tiles", "hill_tiles")
LEGAL = [
    ("storm_clouds",),
    ("mountain_tiles",),
    ("storm_clouds", "mountain_tiles"),
    BACK,
    (*BACK, "storm_clouds"),
]
SEED = 4711


def names(variants: tuple[str, ...]) -> str:
    return "+".join(variants)


def refusals(*variants: str) -> list[tuple[str, str]]:
    """The code and the sentence of every reason for which a combination is refused."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", variants=variants)
    return sorted((problem.code, problem.message) for problem in caught.value.problems)


def needs(variant: str, other: str) -> tuple[str, str]:
    return ("variant-needs", f"'{variant}' is played only with '{other}'")


def game_by_labels(variants: tuple[str, ...], players: int) -> list[str]:
    """A random game that looks at labels only, as the points of all and every label played."""
    picker = random.Random(SEED)
    state = bs.load("broom_service", variants=variants).start(players, seed=SEED)
    played: list[str] = []
    while state.decision is not None:
        label = picker.choice(sorted(option.label for option in state.decision.options))
        played.append(f"{state.decision.player}: {label}")
        state = state.play(label)
    return [*played, str(state.points)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("variants", LEGAL, ids=names)
def test_legal_combinations_play(variants: tuple[str, ...], players: int) -> None:
    """The variants may be combined at will (Die Varianten), and every game of them is sound."""
    game = bs.load("broom_service", variants=variants)
    end = play_checked(game, players, seed=SEED + players, every=25)
    assert end.over
    assert set(game.variants) == set(variants)


@pytest.mark.parametrize("variants", LEGAL, ids=names)
def test_order_of_naming_does_not_matter(variants: tuple[str, ...]) -> None:
    """Whoever names the same variants in another order plays the same game."""
    orders = [variants, variants[::-1], variants[1:] + variants[:1]]
    games = {tuple(game_by_labels(order, 3)) for order in orders}
    assert len(games) == 1


@pytest.mark.parametrize("variant", ["forest_tiles", "hill_tiles"])
def test_forest_and_hill_tiles_need_the_back(variant: str) -> None:
    """Forest and hill tiles are used on the back of the board (Wald- und Hügelplättchen)."""
    assert refusals(variant) == [needs(variant, "back_board")]


def test_forest_tiles_are_refused_on_the_front_with_others_too() -> None:
    """Nothing that is played on the front brings the forest tiles' back with it."""
    assert refusals("storm_clouds", "mountain_tiles", "forest_tiles") == [
        needs("forest_tiles", "back_board")
    ]


def test_the_back_alone() -> None:
    """On the back, mountain, forest and hill tiles have to be used; all three are named."""
    assert refusals("back_board") == [
        needs("back_board", "forest_tiles"),
        needs("back_board", "hill_tiles"),
        needs("back_board", "mountain_tiles"),
    ]


@pytest.mark.parametrize("missing", BACK[1:])
def test_the_back_without_one_kind_of_tiles(missing: str) -> None:
    """On the back no kind of landscape tiles may be left out, with storm clouds or without."""
    kept = [name for name in BACK if name != missing]
    assert refusals(*kept) == [needs("back_board", missing)]
    assert refusals("storm_clouds", *kept) == [needs("back_board", missing)]


def test_tiles_without_the_back() -> None:
    """Naming all the tiles does not turn the board over."""
    assert refusals(*BACK[1:]) == [
        needs("forest_tiles", "back_board"),
        needs("hill_tiles", "back_board"),
    ]


def test_a_refusal_points_into_the_file() -> None:
    """A refused combination names the line of the variant that demands the other."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", variants=["hill_tiles"])
    (problem,) = caught.value.problems
    assert problem.place.file.endswith("hill_tiles.yaml")
    assert problem.expected == "back_board"


def test_a_misspelt_variant_is_corrected() -> None:
    """An unknown variant is refused with the likely spelling."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", variants=["storm_cloud"])
    (problem,) = caught.value.problems
    assert (problem.code, problem.hint) == ("unknown-variant", "storm_clouds")


def test_naming_a_variant_twice_is_naming_it_once() -> None:
    """A variant is played or not; twice is no more than once."""
    once = bs.load("broom_service", variants=["storm_clouds"])
    twice = bs.load("broom_service", variants=["storm_clouds", "storm_clouds"])
    assert once.variants == twice.variants == ("storm_clouds",)
    assert once.digest == twice.digest


@pytest.mark.parametrize("heavy", [10, 25])
def test_heavy_clouds_out_of_range(heavy: int) -> None:
    """With fewer than 11 heavy clouds the back could not be covered; there are but 24."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", variants=["storm_clouds"], options={"heavy_clouds": heavy})
    (problem,) = caught.value.problems
    assert "heavy_clouds" in problem.message


def test_heavy_clouds_without_storm_clouds() -> None:
    """How many heavy clouds are mixed in is a question of the storm clouds only."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", options={"heavy_clouds": 20})
    assert len(caught.value.problems) == 1


def told(variants: tuple[str, ...], words: str) -> int:
    """In how many of eight random games of four players something is told."""
    game = bs.load("broom_service", variants=variants)
    found = 0
    for seed in range(8):
        picker = random.Random(seed)
        state = game.start(4, seed=seed)
        while state.decision is not None:
            state.play_in_place(picker.choice(state.option_ids))
        found += any(words in entry.text for entry in state.log if entry.kind == "tell")
    return found


def test_mountain_tiles_come_into_play() -> None:
    """Whoever moves to a mountain with a tile takes an amulet, and random games get there."""
    assert told(("mountain_tiles",), "takes an amulet") > 0


def test_turbos_come_into_play() -> None:
    """Whoever moves to a hill with a turbo flies on at once, and random games get there."""
    assert told(BACK, "flies on to") > 0


# --- why not -----------------------------------------------------------------------------------


def scenario_of(*variants: str) -> Scenario:
    """Return a position of Hans and Anna, with a potion of each colour for Hans."""
    game = bs.load("broom_service", variants=variants)
    scenario = Scenario.of(game, 2, names=("Hans", "Anna"))
    for potion in ("purple_potion", "green_potion", "orange_potion"):
        scenario.put(potion, "stock(p1)", 1)
    return scenario


def refused(state: State, option: str) -> list[tuple[str, tuple[Citation, ...]]]:
    """Return the sentence and the passages of each reason for which an option is refused."""
    failed = state.explain(option).failed
    return [(check.sentence, check.provenance.citations) for check in failed]


def test_a_covered_tower_is_not_an_occupied_one() -> None:
    """That a tile covers a tower, and that a potion lies on it, are two reasons of their own."""
    scenario = scenario_of("mountain_tiles")
    scenario.put("tile_of_wands", "s2")
    scenario.put("p1_pawn_1", "mountain_3")
    scenario.put("orange_potion", "t08", 1)
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})
    covered = ("t09 is covered by a mountain tile", (Citation("de", "mountain_tiles"),))
    assert covered in refused(state, "t09")
    assert "t09 is occupied" not in state.why_not("t09")
    occupied = ("t08 is occupied", (Citation("de", "delivering_witch"),))
    assert refused(state, "t08")[0] == occupied
    assert not any("covered" in sentence for sentence in state.why_not("t08"))


def test_the_tower_of_the_tile_is_missed_for_its_own_reason() -> None:
    """Where the tile of the tower does not lie, its tower is not there (Hügelplättchen)."""
    scenario = scenario_of(*BACK)
    scenario.put("tile_of_the_tower", "h1")
    scenario.put("p1_pawn_1", "hill_7")
    state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})
    sentence = "u2 is not there: the tile of the tower does not lie on Hill 7"
    assert refused(state, "u2") == [(sentence, (Citation("de", "hill_tiles"),))]


def test_forest_tiles_say_why_they_wait() -> None:
    """A tile of this turn waits for the next one, and others' tiles are theirs (Waldplättchen)."""
    scenario = scenario_of(*BACK)
    scenario.put("tile_of_courage_1", "own_tiles(p1)")
    scenario.put("tile_of_points_1", "own_tiles(p1)")
    scenario.put("tile_of_points_2", "own_tiles(p2)")
    scenario.set("led", "fruit_gatherer")
    scenario.set("turn_number", 2)
    scenario.set("taken_in", 2, "tile_of_points_1")
    state = scenario.begin("act_cowardly", "p1")
    assert [state.game.options[one].label for one in state.option_ids] == [
        "action",
        "tile_of_courage_1",
    ]
    waits = "the tile of points 1 was taken in this turn and may be used from the next one on"
    assert refused(state, "tile_of_points_1") == [(waits, (Citation("de", "forest_tiles"),))]
    theirs = "the tile of points 2 does not lie in front of Hans"
    assert (theirs, (Citation("de", "forest_tiles"),)) in refused(state, "tile_of_points_2")


def test_no_landscape_is_spoken_of_where_any_will_do() -> None:
    """A free flight or delivery asks for no landscape, so its refusals name none."""
    scenario = scenario_of(*BACK)
    scenario.put("p1_pawn_1", "prairie_8")
    scenario.put("p1_pawn_2", "hill_4")
    free = {"landscape": "none", "delivers": False}
    assert scenario.begin("fly", "p1", free).why_not("p1_pawn_1") == (
        "all that borders Prairie 8 is a lake or lies under clouds",
    )
    anywhere = {"first_landscape": "none", "second_landscape": "none", "bonus": 0}
    assert scenario.begin("deliver_standing", "p1", anywhere).why_not("t17", "de") == (
        "keine Figur von Hans steht an t17",
    )
    valley = {"first_landscape": "forest", "second_landscape": "prairie", "bonus": 0}
    assert scenario.begin("deliver_standing", "p1", valley).why_not("t15") == (
        "no pawn of Hans stands at t15 in the right landscape (forest or prairie)",
    )


def test_a_new_turn_is_called_so_in_the_log() -> None:
    """What counts the turns is no laying of tiles; the tiles are laid once, at the beginning."""
    state = bs.load("broom_service", variants=BACK).start(2, seed=SEED)
    picker = random.Random(SEED)
    for _ in range(60):
        state.play_in_place(picker.choice(state.option_ids))
    hooks = [entry.text for entry in state.log if entry.kind == "hook"]
    assert hooks.count("forest_tiles_laid") == 1
    assert hooks.count("turns_counted") > 1


def test_the_back_is_played_with_its_tiles() -> None:
    """On the back the mountain, forest and hill tiles are always used (de, variants)."""
    with pytest.raises(bs.PackError) as caught:
        bs.load("broom_service", board="back", variants=["mountain_tiles"])
    assert sorted(problem.message for problem in caught.value.problems) == [
        f"the board 'back' is played only with '{name}'"
        for name in ("back_board", "forest_tiles", "hill_tiles")
    ]
    with pytest.raises(bs.PackError, match="played on the board 'back', not on 'front'"):
        bs.load("broom_service", board="front", variants=BACK)
    back = bs.load("broom_service", board="back", variants=BACK)
    assert back.documents.game["board"] == "back"
