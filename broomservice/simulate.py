"""Many games between bots, and what came out: points, wins by seat, how options were taken."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache

import attrs

from broomservice.bots import Bot, bots_for
from broomservice.core.errors import BroomserviceError
from broomservice.game import Game, load
from broomservice.state import State

LARGEST_CHUNK = 64

Progress = Callable[[int], None]


@attrs.frozen
class Series:
    """What is played: the game with its variants, how many players, and which bots.

    `bots` names one bot for all seats, or one for each. `fast` plays random games wholly inside
    the core; then answers are not counted, and the most points win.
    """

    game: str
    players: int
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, int], ...] = ()
    board: str | None = None
    bots: tuple[str, ...] = ("random",)
    fast: bool = False

    def load(self) -> Game:
        """Return the game, compiled.

        Raises:
            PackError: if the pack has mistakes.
        """
        return load(self.game, variants=self.variants, options=dict(self.options), board=self.board)


@attrs.frozen
class Ending:
    """How one game ended: points by seat, the seats that won, the number of decisions."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int


@attrs.define
class Counts:
    """How often an option was open, and how often taken."""

    offered: int = 0
    taken: int = 0


Answers = dict[str, dict[int, Counts]]


@attrs.define
class Tally:
    """What some of the games brought: their endings in order, and the answers by point."""

    endings: list[Ending] = attrs.field(factory=list)
    answers: Answers = attrs.field(factory=dict)

    def note(self, point: str, options: Sequence[int], taken: int) -> None:
        """Count one answer."""
        counts = self.answers.setdefault(point, {})
        for option in options:
            count = counts.setdefault(option, Counts())
            count.offered += 1
            count.taken += option == taken

    def add(self, other: Tally) -> None:
        """Add what further games brought."""
        self.endings += other.endings
        for point, options in other.answers.items():
            counts = self.answers.setdefault(point, {})
            for option, more in options.items():
                count = counts.setdefault(option, Counts())
                count.offered += more.offered
                count.taken += more.taken


@attrs.frozen
class Spread:
    """How some numbers are spread: the mean, the extremes and the quartiles."""

    mean: float
    least: int
    lower: float
    median: float
    upper: float
    most: int

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Spread:
        """Return the spread of at least one number.

        >>> Spread.of([1, 2, 3, 4, 5])
        Spread(mean=3.0, least=1, lower=2.0, median=3.0, upper=4.0, most=5)
        """
        ordered = sorted(numbers)
        return cls(
            sum(ordered) / len(ordered),
            ordered[0],
            at_share(ordered, 1),
            at_share(ordered, 2),
            at_share(ordered, 3),
            ordered[-1],
        )


def at_share(ordered: Sequence[int], quarters: int) -> float:
    """Return the number below which so many quarters of sorted numbers lie."""
    whole, rest = divmod((len(ordered) - 1) * quarters, 4)
    above = ordered[min(whole + 1, len(ordered) - 1)]
    return ordered[whole] + (above - ordered[whole]) * rest / 4


@attrs.frozen
class Seat:
    """How one seat fared: its bot, its points, how often it won alone, and with others."""

    bot: str
    points: Spread
    wins: int
    shared: int


@attrs.frozen
class Answer:
    """How often one option was open at a point, and how often taken."""

    option: int
    label: str
    offered: int
    taken: int


@attrs.frozen
class ChoicePoint:
    """One kind of decision: how often it came up, and its answers, most taken first."""

    point: str
    asked: int
    answers: tuple[Answer, ...]


@attrs.frozen
class Summary:
    """What a series of games brought. `points` is over all seats."""

    series: Series
    games: int
    seed: int
    points: Spread
    decisions: Spread
    longest: int
    seats: tuple[Seat, ...]
    choices: tuple[ChoicePoint, ...]


def simulate(
    series: Series,
    count: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Play games and return what came out.

    Game number i depends on `seed + i` alone, so that the result is the same for any number of
    jobs.

    Args:
        series: what is played.
        count: how many games, at least 1.
        seed: any whole number.
        jobs: how many processes share the games. They are spawned: in a script, call this below
            `if __name__ == "__main__":`.
        progress: called with the number of games that were finished since the last call.

    Raises:
        PackError: if the pack has mistakes.
        BroomserviceError: if the series cannot be played as it is described.

    >>> simulate(Series("broom_service", players=2), 3, seed=1).games
    3
    """
    if count < 1 or jobs < 1:
        raise BroomserviceError("at least one game and one job are needed")
    game = game_of(series)
    game.compiled(series.players)
    bots_for(series.bots, series.players, seed)
    if series.fast and set(series.bots) != {"random"}:
        raise BroomserviceError("only random bots play fast")
    size = max(1, min(LARGEST_CHUNK, -(-count // (jobs * 4))))
    chunks = [(seed + i, min(size, count - i)) for i in range(0, count, size)]
    report = progress or ignore
    tallies = (
        run_here(series, chunks, report) if jobs == 1 else run_spread(series, chunks, jobs, report)
    )
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return summary(series, game, seed, total)


def ignore(count: int) -> None:
    """Report progress to nobody."""


@cache
def game_of(series: Series) -> Game:
    """Return the game of a series; each process loads it once."""
    return series.load()


def run_here(
    series: Series, chunks: Sequence[tuple[int, int]], progress: Progress
) -> Iterable[Tally]:
    """Play the chunks in this process."""
    for seed, count in chunks:
        yield run_chunk(series, seed, count)
        progress(count)


def run_spread(
    series: Series, chunks: Sequence[tuple[int, int]], jobs: int, progress: Progress
) -> list[Tally]:
    """Play the chunks in several processes; the tallies keep the order of the chunks."""
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))
    try:
        futures: list[Future[Tally | str]] = [
            pool.submit(run_remotely, series, seed, count) for seed, count in chunks
        ]
        sizes = {future: count for future, (_, count) in zip(futures, chunks, strict=True)}
        for future in as_completed(futures):
            refuse(future.result())
            progress(sizes[future])
        return [tally for future in futures if isinstance(tally := future.result(), Tally)]
    finally:
        pool.shutdown(cancel_futures=True)


def run_remotely(series: Series, seed: int, count: int) -> Tally | str:
    """Play a chunk; an error comes back as its text, which passes between processes safely."""
    try:
        return run_chunk(series, seed, count)
    except BroomserviceError as error:
        return str(error)


def refuse(result: Tally | str) -> None:
    """Raise the error that another process met."""
    if isinstance(result, str):
        raise BroomserviceError(result)


def run_chunk(series: Series, seed: int, count: int) -> Tally:
    """Play so many games, the first with this seed."""
    game, tally = game_of(series), Tally()
    if series.fast:
        for end in game.playouts(count, players=series.players, seed=seed):
            most = max(end.points)
            winners = tuple(i for i, points in enumerate(end.points) if points == most)
            tally.endings.append(Ending(end.points, winners, end.decisions))
        return tally
    for number in range(seed, seed + count):
        bots = bots_for(series.bots, series.players, number)
        play_game(game.start(series.players, seed=number, log=False), bots, tally)
    return tally


def play_game(state: State, bots: Sequence[Bot], tally: Tally) -> None:
    """Play one game to its end, in place, and count it."""
    decisions = 0
    while not state.over:
        answer = bots[state.player].choose(state)
        tally.note(point_of(state), state.option_ids, answer)
        state.play_in_place(answer)
        decisions += 1
    tally.endings.append(Ending(state.points, state.winners, decisions))


def point_of(state: State) -> str:
    """Return what the open question is called: its point, or the verb that asks."""
    question = state._compiled.questions[state._table.stack[-1][0]]
    return question.point or question.verb


def summary(series: Series, game: Game, seed: int, tally: Tally) -> Summary:
    """Return the figures of all games."""
    endings = tally.endings
    bots = series.bots * series.players if len(series.bots) == 1 else series.bots
    return Summary(
        series,
        len(endings),
        seed,
        Spread.of(points for ending in endings for points in ending.points),
        Spread.of(ending.decisions for ending in endings),
        game.longest,
        tuple(seat(bots[i], i, endings) for i in range(series.players)),
        tuple(choice_point(game, point, tally.answers[point]) for point in sorted(tally.answers)),
    )


def seat(bot: str, number: int, endings: Sequence[Ending]) -> Seat:
    """Return how one seat fared."""
    won = [ending.winners for ending in endings if number in ending.winners]
    alone = sum(len(winners) == 1 for winners in won)
    spread = Spread.of(ending.points[number] for ending in endings)
    return Seat(bot, spread, alone, len(won) - alone)


def choice_point(game: Game, point: str, counts: Mapping[int, Counts]) -> ChoicePoint:
    """Return the figures of one kind of decision."""
    answers = [
        Answer(option, game.options[option].label, count.offered, count.taken)
        for option, count in counts.items()
    ]
    answers.sort(key=lambda answer: (-answer.taken, answer.option))
    return ChoicePoint(point, sum(answer.taken for answer in answers), tuple(answers))
