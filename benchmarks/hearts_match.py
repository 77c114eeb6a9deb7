"""Hearts on two engines: OpenSpiel's, written in C++, and ours, which is examples/hearts.

    pip install open_spiel==2.0.2
    python benchmarks/hearts_match.py [--hands 1000] [--seconds 1] [--rounds 5] [--json FILE]

First the same hands are played on both, with the same deals and the same choices, which are
random. At every decision the legal cards are compared, at the end the points; every difference is
printed, and the program then ends with 1. Afterwards the speed of both is measured in one run.

Which of OpenSpiel's options are the rules of our pack:

=============================  ========  ===================================================
OpenSpiel                      value     ours
=============================  ========  ===================================================
pass_cards                     True      first_pass: 0, 1, 2 or 3 where chance draws 1, 3, 2
                                         or 0 seats; hands=1, because it plays single hands
can_lead_any_club              False     requirement opens
no_pts_on_first_trick          True      requirement is_harmless
must_break_hearts              True      requirement may_be_led
qs_breaks_hearts               both      queen_breaks_hearts
can_lead_hearts_instead_of_qs  False     requirement may_be_led
jd_bonus                       False     there is no such card
avoid_all_tricks_bonus         False     there is no such bonus
=============================  ========  ===================================================

Two things differ by design, and `ours_of` below is all that they come to: we ask for the cards to
pass in rising order, so that no set of three is picked in two ways; and we ask nothing where there
is one legal card, but play it.

How speed is measured. Both play whole random hands, setting up included, in turns of some seconds
of the processor; the median of the rounds counts. Each is driven from Python (list the options,
pick one, apply it) and in its own loop (`evaluate_bots`, `playouts`). OpenSpiel is driven in two
ways: as its documentation does it, asking whether the game is over and whether chance is to move,
and in the fastest way, where `legal_actions` answers for chance too, which is uniform here. What
is counted:

* hands: the same work for both;
* actions: cards dealt, passed and played, whoever picked them; OpenSpiel's hand has one more, the
  direction of the pass;
* decisions: cards that players pass or play, also where there is but one;
* answers: what the loop was asked and answered. OpenSpiel asks for every action. We ask a player
  who has a choice, and nobody else.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import broomservice as bs
from broomservice.pure import is_compiled

HEARTS = Path(__file__).resolve().parents[1] / "examples" / "hearts"
PLAYERS, CARDS, PICKS = 4, 52, 3
SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = (*map(str, range(2, 11)), "jack", "queen", "king", "ace")
SEATS_TO_PASS = (1, 3, 2, 0)
SEED = 19800101
BATCH = 20


# --- the same cards -------------------------------------------------------------------------------


def label_of(action: int) -> str:
    """Return our label of a card, given OpenSpiel's number: the suits of one rank in a row."""
    rank, suit = divmod(action, len(SUITS))
    return f"{SUITS[suit]}_{RANKS[rank]}"


@dataclass(frozen=True)
class Rules:
    """One choice of the rules that both engines know: where one passes to, what breaks hearts."""

    first_pass: int
    queen_breaks: bool

    def ours(self) -> bs.Game:
        """Return our game of one hand."""
        options = {
            "hands": 1,
            "first_pass": self.first_pass,
            "queen_breaks_hearts": int(self.queen_breaks),
        }
        return bs.load(HEARTS, options=options)

    def theirs(self) -> Any:
        """Return OpenSpiel's game."""
        return import_module("pyspiel").load_game("hearts", {"qs_breaks_hearts": self.queen_breaks})


ALL_RULES = tuple(
    Rules(first_pass, queen_breaks) for first_pass in range(4) for queen_breaks in (True, False)
)


# --- one hand on both -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Something in which the engines do not agree."""

    hand: int
    where: str
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return f"hand {self.hand}, {self.where}: ours {self.ours}, OpenSpiel {self.theirs}"


@dataclass(frozen=True)
class Hand:
    """What came of one hand: the differences, and how many decisions were compared."""

    differences: tuple[Difference, ...]
    choices: int
    lone: int
    points: tuple[int, ...]


class Pair:
    """One hand, played on both engines at once; `number` also seeds the deal and the choices."""

    def __init__(self, number: int, rules: Rules, game: bs.Game, other: Any) -> None:
        self.number = number
        self.picker = random.Random(SEED + number)
        self.cards = {label_of(action): action for action in range(CARDS)}
        self.ids = {label: game.option(label).id for label in self.cards}
        self.state = game.start(PLAYERS, chance_asks=True, log=False)
        self.other = other.new_initial_state()
        self.seats = SEATS_TO_PASS[rules.first_pass]
        self.differences: list[Difference] = []
        self.choices = self.lone = 0
        self.last = -1

    def play(self) -> Hand:
        """Play the hand to its end, or to the first difference."""
        self.deal()
        for where, left in self.turns():
            if not self.choose(where, left):
                break
        else:
            self.compare("over", self.state.over, self.other.is_terminal())
            returns = tuple(26 - int(one) for one in self.other.returns())
            self.compare("points", self.state.points, returns)
        return Hand(tuple(self.differences), self.choices, self.lone, self.state.points)

    def turns(self) -> Iterator[tuple[str, int]]:
        """Yield what is done next, and how many cards are to be passed after this one."""
        if self.seats:
            for player in range(PLAYERS):
                self.last = -1
                for left in reversed(range(PICKS)):
                    yield f"player {player} passes", left
        for card in range(CARDS):
            self.last = -1
            yield f"trick {card // PLAYERS + 1}, card {card % PLAYERS + 1}", 0

    def deal(self) -> None:
        """Deal the same shuffled cards: they around the table, we one player after the other.

        We do not ask chance for the last card.
        """
        deck = list(self.cards)
        self.picker.shuffle(deck)
        self.other.apply_action(self.seats)
        for label in deck:
            self.other.apply_action(self.cards[label])
        by_player = [label for player in range(PLAYERS) for label in deck[player::PLAYERS]]
        for label in by_player[:-1]:
            self.state.play_in_place(label)

    def choose(self, where: str, left: int) -> bool:
        """Compare one decision and make it on both; return whether they agree."""
        player = self.other.current_player()
        expected = self.ours_of(self.other.legal_actions(), left)
        if len(expected) > 1:
            options = [self.state.game.options[i].label for i in self.state.option_ids]
            asked = (self.state.player, options)
            if not self.compare(where, asked, (player, expected)):
                return False
            self.choices += 1
        else:
            self.lone += 1
        label = self.picker.choice(expected)
        if len(expected) > 1:
            self.state.play_in_place(label)
        self.other.apply_action(self.cards[label])
        self.last = self.ids[label]
        return True

    def ours_of(self, legal: Sequence[int], left: int) -> list[str]:
        """Return the labels that we offer where OpenSpiel has these legal actions.

        Cards to pass are picked in rising order: after the last one, and so that `left` are left.
        """
        labels = sorted(map(label_of, legal), key=self.ids.__getitem__)
        rising = [label for label in labels if self.ids[label] > self.last]
        return rising[: len(rising) - left]

    def compare(self, where: str, ours: object, theirs: object) -> bool:
        """Note a difference, if there is one; return whether there is none."""
        if ours != theirs:
            self.differences.append(Difference(self.number, where, ours, theirs))
        return ours == theirs


def play_both(hands: int) -> Iterator[Hand]:
    """Play so many hands on both engines, all rules in turn."""
    games = [(rules, rules.ours(), rules.theirs()) for rules in ALL_RULES]
    for number in range(hands):
        yield Pair(number, *games[number % len(games)]).play()


# --- speed ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """How much was done: hands, actions, decisions of players, answers of the loop."""

    hands: int = 0
    actions: int = 0
    decisions: int = 0
    answers: int = 0

    def __add__(self, other: Work) -> Work:
        return Work(
            self.hands + other.hands,
            self.actions + other.actions,
            self.decisions + other.decisions,
            self.answers + other.answers,
        )


@dataclass(frozen=True)
class Contender:
    """A way to play random hands: its name, what plays the hand of a number, what counts it."""

    name: str
    play: Callable[[int], Any]
    count: Callable[[Any], Work]


def theirs_counted(state: Any) -> Work:
    """Count the history of a finished OpenSpiel hand."""
    history = state.full_history()
    return Work(1, len(history), sum(step.player >= 0 for step in history), len(history))


def ours_counted(result: tuple[int, int]) -> Work:
    """Count one of our hands, given its `first_pass` and the answers that the loop gave.

    Every hand deals 52 cards, passes 12 or none, and plays 52.
    """
    first_pass, answers = result
    decisions = CARDS + (PLAYERS * PICKS if SEATS_TO_PASS[first_pass] else 0)
    return Work(1, CARDS + decisions, decisions, answers)


def theirs_by_the_book() -> Contender:
    """Return OpenSpiel driven from Python as its documentation does it."""
    game = import_module("pyspiel").load_game("hearts")
    picker = random.Random(SEED)

    def play(_: int) -> Any:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(picker.choices(actions, weights)[0])
            else:
                state.apply_action(picker.choice(state.legal_actions()))
        return state

    return Contender("OpenSpiel from Python, textbook loop", play, theirs_counted)


def theirs_driven() -> Contender:
    """Return OpenSpiel driven from Python in the fastest way."""
    game = import_module("pyspiel").load_game("hearts")
    draw = random.Random(SEED).random

    def play(_: int) -> Any:
        state = game.new_initial_state()
        while actions := state.legal_actions():
            state.apply_action(actions[int(draw() * len(actions))])
        return state

    return Contender("OpenSpiel from Python, fast loop", play, theirs_counted)


def ours_driven() -> Contender:
    """Return our engine driven from Python, passing in all directions in turn."""
    games = [Rules(first_pass, True).ours() for first_pass in range(4)]
    draw = random.Random(SEED).random

    def play(number: int) -> tuple[int, int]:
        state = games[number % 4].start(PLAYERS, seed=number, log=False)
        answers = 0
        while ids := state.option_ids:
            state.play_in_place(ids[int(draw() * len(ids))])
            answers += 1
        return number % 4, answers

    return Contender("broomservice from Python", play, ours_counted)


def theirs_inside() -> Contender:
    """Return OpenSpiel in its own loop, in C++, with its uniform random bots."""
    engine = import_module("pyspiel")
    game = engine.load_game("hearts")
    bots = [engine.make_uniform_random_bot(seat, SEED + seat) for seat in range(PLAYERS)]

    def play(number: int) -> Any:
        state = game.new_initial_state()
        engine.evaluate_bots(state, bots, SEED + number)
        return state

    return Contender("OpenSpiel, evaluate_bots", play, theirs_counted)


def ours_inside() -> Contender:
    """Return our engine in its own loop, passing in all directions in turn."""
    games = [Rules(first_pass, True).ours() for first_pass in range(4)]

    def play(number: int) -> tuple[int, int]:
        playout = games[number % 4].playouts(1, players=PLAYERS, seed=number)[0]
        return number % 4, playout.decisions

    return Contender("broomservice, playouts", play, ours_counted)


@dataclass(frozen=True)
class Rates:
    """What a contender does in a second."""

    name: str
    hands: float
    actions: float
    decisions: float
    answers: float


def measured(contender: Contender, seconds: float, first: int) -> tuple[Work, float]:
    """Play hands from number `first` on for so many seconds; return the work, and the seconds.

    What was done is counted off the clock.
    """
    done, clock = Work(), 0.0
    while clock < seconds:
        numbers = range(first + done.hands, first + done.hands + BATCH)
        begin = time.process_time()
        results = [contender.play(number) for number in numbers]
        clock += time.process_time() - begin
        done = sum(map(contender.count, results), done)
    return done, clock


def rates_of(contenders: Sequence[Contender], seconds: float, rounds: int) -> list[Rates]:
    """Measure all contenders, in turns so that a busy machine slows all of them alike."""
    runs: dict[str, list[tuple[Work, float]]] = {one.name: [] for one in contenders}
    for contender in contenders:
        contender.play(0)
    for number in range(rounds):
        for contender in contenders:
            runs[contender.name].append(measured(contender, seconds, 1 + number * 1_000_000))
    return [middle(name, found) for name, found in runs.items()]


def middle(name: str, runs: Sequence[tuple[Work, float]]) -> Rates:
    """Return the medians of several runs."""

    def rate(amount: Callable[[Work], int]) -> float:
        return statistics.median(amount(work) / clock for work, clock in runs)

    return Rates(
        name,
        rate(lambda work: work.hands),
        rate(lambda work: work.actions),
        rate(lambda work: work.decisions),
        rate(lambda work: work.answers),
    )


# --- telling --------------------------------------------------------------------------------------


def told_match(hands: Sequence[Hand]) -> Iterator[str]:
    """Yield what came of the comparison: a sentence, then each difference."""
    differences = [one for hand in hands for one in hand.differences]
    moons = sum(sorted(hand.points) == [0, 26, 26, 26] for hand in hands)
    yield (
        f"{len(hands):,} hands on both engines, {sum(hand.choices for hand in hands):,} choices "
        f"compared, {sum(hand.lone for hand in hands):,} times a lone card, {moons} moons: "
        f"{len(differences)} differences"
    )
    yield from map(str, differences)


def told_rates(rates: Sequence[Rates]) -> Iterator[str]:
    """Yield the table of speeds."""
    yield f"{'a second':40} {'hands':>9} {'actions':>11} {'decisions':>11} {'answers':>11}"
    for one in rates:
        yield (
            f"{one.name:40} {one.hands:9,.0f} {one.actions:11,.0f} {one.decisions:11,.0f} "
            f"{one.answers:11,.0f}"
        )


def told_ratio(ours: Rates, theirs: Rates) -> str:
    """Return the sentence that compares one of ours with one of theirs."""
    return (
        f"{ours.name} / {theirs.name}: hands {ours.hands / theirs.hands:.2f}, "
        f"all actions {ours.actions / theirs.actions:.2f}, "
        f"players' decisions {ours.decisions / theirs.decisions:.2f}, "
        f"answers {ours.answers / theirs.answers:.2f}"
    )


def compare_speed(seconds: float, rounds: int) -> dict[str, Any]:
    """Measure and print; return the figures."""
    contenders = [
        theirs_by_the_book(),
        theirs_driven(),
        ours_driven(),
        theirs_inside(),
        ours_inside(),
    ]
    book, fast, driven, inner, inside = rates = rates_of(contenders, seconds, rounds)
    print(f"\nbroomservice is {'compiled' if is_compiled() else 'pure Python'}")
    for line in told_rates(rates):
        print(line)
    pairs = [(driven, book), (driven, fast), (inside, inner)]
    for pair in pairs:
        print(told_ratio(*pair))
    return {
        "compiled": is_compiled(),
        "hands": {one.name: one.hands for one in rates},
        "ratios": {
            f"{ours.name} / {theirs.name}": ours.hands / theirs.hands for ours, theirs in pairs
        },
    }


def main() -> None:
    """Compare, measure and print; end with 1 if the engines differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each, in each round")
    parser.add_argument("--rounds", type=int, default=5, help="0: compare only")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    try:
        hands = list(play_both(arguments.hands))
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed: pip install open_spiel==2.0.2")
    for line in told_match(hands):
        print(line)
    figures = compare_speed(arguments.seconds, arguments.rounds) if arguments.rounds else {}
    if arguments.json:
        arguments.json.write_text(json.dumps({"hands_compared": len(hands), **figures}, indent=1))
    sys.exit(any(hand.differences for hand in hands))


if __name__ == "__main__":
    main()
