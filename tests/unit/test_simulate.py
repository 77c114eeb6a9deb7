"""Series of games: the figures are right, and the same however they are shared out."""

import attrs
import pytest

import broomservice as bs
from broomservice.simulate import (
    Series,
    Spread,
    Summary,
    Tally,
    run_remotely,
    simulate,
)

SERIES = Series("broom_service", players=3, options=(("rounds", 2),))


@pytest.fixture(scope="module")
def summary() -> Summary:
    """The figures of some games."""
    return simulate(SERIES, 12, seed=5)


def test_spread_by_hand() -> None:
    """From 1 to 4 the quartiles of 1, 2, 3, 4 lie after one, two and three quarters of the way."""
    assert Spread.of([4, 1, 3, 2]) == Spread(2.5, 1, 1.75, 2.5, 3.25, 4)
    assert Spread.of([7]) == Spread(7.0, 7, 7, 7, 7, 7)


def test_jobs_do_not_matter(summary: Summary) -> None:
    """Any number of processes gives the same figures."""
    assert simulate(SERIES, 12, seed=5, jobs=2) == summary


def test_each_game_depends_on_its_own_seed(summary: Summary) -> None:
    """Game number i is the game of the seed + i."""
    singles = [simulate(SERIES, 1, seed=5 + i) for i in range(12)]
    for i, seat in enumerate(summary.seats):
        alone = [single.seats[i].points.mean for single in singles]
        assert seat.points.mean * 12 == pytest.approx(sum(alone))
        assert (seat.points.least, seat.points.most) == (min(alone), max(alone))


def test_every_answer_is_counted_once(summary: Summary) -> None:
    """The answers at all points are all decisions, and nothing is taken that was not open."""
    assert sum(choice.asked for choice in summary.choices) == summary.decisions.mean * 12
    for choice in summary.choices:
        assert choice.asked == sum(answer.taken for answer in choice.answers)
        assert all(answer.taken <= answer.offered for answer in choice.answers)


def test_points_of_choice_are_named(summary: Summary) -> None:
    """Roles are chosen, led and announced (en, game_play); announcing is brave or cowardly."""
    choices = {choice.point: choice for choice in summary.choices}
    assert {"choose_roles", "lead", "announcement"} <= set(choices)
    assert {answer.label for answer in choices["announcement"].answers} == {"brave", "cowardly"}


def test_every_game_is_won() -> None:
    """With two players a game is won by one, or by both."""
    summary = simulate(attrs.evolve(SERIES, players=2), 10, seed=1)
    one, two = summary.seats
    assert one.shared == two.shared
    assert one.wins + two.wins + one.shared == 10


def test_fast_is_the_same_games(summary: Summary) -> None:
    """Fast games have the points and decisions of the slow ones; answers are not counted."""
    fast = simulate(attrs.evolve(SERIES, fast=True), 12, seed=5)
    assert [seat.points for seat in fast.seats] == [seat.points for seat in summary.seats]
    assert fast.decisions == summary.decisions
    assert fast.choices == ()


def test_mixed_bots() -> None:
    """Each seat may have a bot of its own."""
    series = attrs.evolve(SERIES, players=2, bots=("greedy", "random"))
    summary = simulate(series, 3, seed=2)
    assert [seat.bot for seat in summary.seats] == ["greedy", "random"]
    assert summary.seats[0].points.mean > summary.seats[1].points.mean


def test_progress_adds_up() -> None:
    """Progress is reported until all games are done."""
    done: list[int] = []
    simulate(SERIES, 7, seed=1, progress=done.append)
    assert sum(done) == 7


def test_tallies_add_up() -> None:
    """Adding tallies adds their counts, for options that only one of them knows as well."""
    one, two = Tally(), Tally()
    one.note("lead", [3, 4], 4)
    two.note("lead", [4, 5], 4)
    two.note("deliver", [0], 0)
    one.add(two)
    counts = {option: (c.offered, c.taken) for option, c in one.answers["lead"].items()}
    assert counts == {3: (1, 0), 4: (2, 2), 5: (1, 0)}
    assert one.answers["deliver"][0].taken == 1


@pytest.mark.parametrize(
    ("series", "count", "message"),
    [
        (SERIES, 0, "at least one game"),
        (attrs.evolve(SERIES, players=9), 1, "2 to 5 players, not 9"),
        (attrs.evolve(SERIES, bots=("clever",)), 1, "no bot 'clever'"),
        (attrs.evolve(SERIES, bots=("greedy",), fast=True), 1, "only random bots play fast"),
        (attrs.evolve(SERIES, game="nowhere"), 1, "no game 'nowhere'"),
    ],
)
def test_refusals(series: Series, count: int, message: str) -> None:
    """What cannot be played is refused with the reason."""
    with pytest.raises(bs.BroomserviceError, match=message):
        simulate(series, count)


def test_errors_come_back_from_other_processes() -> None:
    """An error in another process comes back as its text."""
    assert "not 9" in str(run_remotely(attrs.evolve(SERIES, players=9), 0, 1))
