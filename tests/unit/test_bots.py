"""Bots answer with open options, never peek, and are the same for the same seed."""

import pytest

import broomservice as bs
from broomservice.bots import GreedyBot, RandomBot, bots_for
from broomservice.scenario import Scenario
from broomservice.state import State

GAME = bs.load("broom_service", options={"rounds": 2})


def played(bots_named: tuple[str, ...], seed: int, players: int = 2) -> State:
    """Return the end of a game between bots."""
    state = GAME.start(players, seed=seed, log=False)
    bots = bots_for(bots_named, players, seed)
    while not state.over:
        answer = bots[state.player].choose(state)
        assert answer in state.option_ids
        state.play_in_place(answer)
    return state


@pytest.mark.parametrize("seed", range(4))
def test_random_bots_play_what_the_core_plays(seed: int) -> None:
    """A game of random bots is the playout of the same seed."""
    playout = GAME.playouts(1, players=3, seed=seed)[0]
    assert played(("random",), seed, 3).points == playout.points


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_equal_seeds_give_equal_games(name: str) -> None:
    """A bot depends on its seed and on what it was asked, on nothing else."""
    assert played((name,), 5) == played((name,), 5)
    assert played((name,), 5) != played((name,), 6)


def test_greedy_delivers_where_most_points_are() -> None:
    """A tower scores its points (de, figure_towers); the greedy bot takes the best one open."""
    chosen = []
    for region in GAME.names.site_kinds["region"].sites:
        scenario = Scenario.of(GAME, 2)
        scenario.put("p1_pawn_1", region.id)
        for potion in ("purple_potion", "green_potion", "orange_potion"):
            scenario.put(potion, "stock(p1)")
        state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})
        if len(state.option_ids) < 3:
            continue
        worth = {
            option: GAME.names.sites[GAME.options[option].label].values["points"]
            for option in state.option_ids
            if option != 0
        }
        best = [option for option, points in worth.items() if points == max(worth.values())]
        assert GreedyBot(1).choose(state) in best
        chosen.append(len(best) < len(worth))
    assert any(chosen)


def test_greedy_sees_the_points_that_come_after_others_have_answered() -> None:
    """A brave player acts only when all have answered (en, competition); the bot looks so far.

    The last to answer with a brave druid delivers for 3 points more than a cowardly one.
    """
    scenario = Scenario.of(GAME, 2)
    scenario.put("p2_pawn_1", "forest_6")
    scenario.put("p2_pawn_2", "forest_6")
    for place, piece, count in (
        ("stock(p2)", "purple_potion", 1),
        ("hand(p1)", "valley_druid", 1),
        ("hand(p2)", "valley_druid", 1),
    ):
        scenario.put(piece, place, count)
    scenario.set("leader", "p1")
    state = scenario.begin("turn")
    while state.player == 0:
        state = state.play("brave")
    assert GAME.options[GreedyBot(2).choose(state)].label == "brave"


def test_greedy_never_peeks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two positions that differ only in what a player may not know get the same answer."""
    state = GAME.start(3, seed=4, log=False)
    mover, compared = RandomBot(4), 0
    while not state.over:
        player = state.player
        world = state.resampled(player, 11)
        if state != world and len(state.option_ids) > 1 and compared < 25:
            monkeypatch.setattr(State, "resampled", lambda *_, world=world: world.copy())
            assert GreedyBot(3).choose(state) == GreedyBot(3).choose(world)
            monkeypatch.undo()
            compared += 1
        state.play_in_place(mover.choose(state))
    assert compared == 25


def test_greedy_leaves_the_position_alone() -> None:
    """A bot thinks in copies."""
    state = GAME.start(2, seed=3)
    before = state.copy()
    GreedyBot(1).choose(state)
    assert state == before
    assert state.log == before.log


def test_greedy_beats_random() -> None:
    """Looking ahead is worth points, in either seat."""
    lead = 0
    for seed in range(4):
        ours, theirs = played(("greedy", "random"), seed).points
        lead += ours - theirs
        theirs, ours = played(("random", "greedy"), seed).points
        lead += ours - theirs
    assert lead > 0


def test_bots_for_refuses_nonsense() -> None:
    """Names must be known, and one for all seats or one for each."""
    with pytest.raises(bs.BroomserviceError, match="there is no bot 'clever'"):
        bots_for(("clever",), 2, 0)
    with pytest.raises(bs.BroomserviceError, match="2 bots for 3 players"):
        bots_for(("random", "greedy"), 3, 0)
