"""Hearts, the tutorial game, held to a second set of its rules in plain Python."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

import broomservice as bs

HEARTS = Path(__file__).parents[2] / "examples" / "hearts"
RANKS = [*map(str, range(2, 11)), "jack", "queen", "king", "ace"]
LEFT, RIGHT, ACROSS, NOBODY = 1, 3, 2, 0
PASSES = [LEFT, RIGHT, ACROSS, NOBODY]
SEED = 19800101


def suit(card: str) -> str:
    return card.split("_")[0]


def rank(card: str) -> int:
    return RANKS.index(card.split("_")[1])


def worth(card: str) -> int:
    return 13 if card == "spades_queen" else int(suit(card) == "hearts")


def legal_cards(
    hand: set[str], trick: Sequence[tuple[int, str]], *, first: bool, broken: bool
) -> set[str]:
    """The cards that may be played; `first` means the first trick of the hand."""
    if not trick:
        if first:
            return {"clubs_2"}
        return {card for card in hand if broken or suit(card) != "hearts"} or hand
    same = {card for card in hand if suit(card) == suit(trick[0][1])}
    if same or not first:
        return same or hand
    return {card for card in hand if worth(card) == 0} or hand


def trick_winner(trick: Sequence[tuple[int, str]]) -> int:
    led = suit(trick[0][1])
    return max((rank(card), player) for player, card in trick if suit(card) == led)[1]


class Twin:
    """Plays a game by rules of its own, and holds the engine's questions against them."""

    def __init__(self, game: bs.Game, seed: int) -> None:
        self.state = game.start(4, seed=seed)
        self.queen_breaks = game.option_values.get("queen_breaks_hearts", 1) == 1
        self.first_pass = game.option_values.get("first_pass", 0)
        self.random = random.Random(seed)
        self.points = [0] * 4
        self.asked = 0

    def ask(self, player: int, options: set[str]) -> str:
        """Answer by chance what the engine must ask now; a lone option is not asked for."""
        if len(options) == 1:
            return next(iter(options))
        decision = self.state.decision
        assert decision is not None
        assert decision.player == player
        assert {option.label for option in decision} == options
        choice = self.random.choice(decision.options).label
        self.state.play_in_place(choice)
        self.asked += 1
        return choice

    def play(self, hands: int) -> None:
        """Play so many hands, or fewer if somebody reaches 100 before."""
        for number in range(hands):
            self.hands = [
                {*self.state.pieces("hand", p), *self.state.pieces("played", p)} for p in range(4)
            ]
            assert all(len(hand) == 13 for hand in self.hands)
            steps = PASSES[(self.first_pass + number) % 4]
            if steps != NOBODY:
                self.pass_cards(steps)
            taken = self.tricks()
            self.score([sum(map(worth, cards)) for cards in taken])
            assert self.state.points == tuple(self.points)
            if max(self.points) >= 100:
                break
        assert self.state.over

    def pass_cards(self, steps: int) -> None:
        """Each picks three cards, in the order of their numbers; then all are passed."""
        number = {card: self.state.game.option(card).id for hand in self.hands for card in hand}
        passed: list[list[str]] = []
        first = self.state.player
        for i in range(4):
            player = (first + i) % 4
            picks: list[str] = []
            for left in (2, 1, 0):
                later = sorted(self.hands[player], key=number.__getitem__)
                later = later[later.index(picks[-1]) + 1 :] if picks else later
                picks.append(self.ask(player, set(later[: len(later) - left])))
            passed.append(picks)
        for i, picks in enumerate(passed):
            self.hands[(first + i) % 4] -= set(picks)
        for i, picks in enumerate(passed):
            self.hands[(first + i + steps) % 4] |= set(picks)

    def tricks(self) -> list[list[str]]:
        """Play 13 tricks; return what each player has taken."""
        taken: list[list[str]] = [[] for _ in range(4)]
        leader = next(p for p in range(4) if "clubs_2" in self.hands[p])
        broken = False
        for number in range(13):
            trick: list[tuple[int, str]] = []
            for i in range(4):
                player = (leader + i) % 4
                options = legal_cards(self.hands[player], trick, first=number == 0, broken=broken)
                card = self.ask(player, options)
                self.hands[player].remove(card)
                trick.append((player, card))
                if suit(card) == "hearts" or (card == "spades_queen" and self.queen_breaks):
                    broken = True
            leader = trick_winner(trick)
            taken[leader] += [card for _, card in trick]
        return taken

    def score(self, worths: list[int]) -> None:
        assert sum(worths) == 26
        if 26 in worths:
            worths = [26 - number for number in worths]
        self.points = [old + new for old, new in zip(self.points, worths, strict=True)]


@pytest.mark.parametrize("first_pass", range(4), ids=["left", "right", "across", "nobody"])
@pytest.mark.parametrize("queen_breaks", [0, 1])
def test_every_decision_of_a_hand(first_pass: int, queen_breaks: int) -> None:
    """At every decision of random hands the engine asks what the rules written here ask."""
    options = {"hands": 1, "first_pass": first_pass, "queen_breaks_hearts": queen_breaks}
    game = bs.load(HEARTS, options=options)
    for seed in range(SEED, SEED + 12):
        twin = Twin(game, seed)
        twin.play(1)
        assert twin.asked > 20


def test_whole_games() -> None:
    """A game goes on, passing left, right, across, nobody, until somebody has 100 points."""
    game = bs.load(HEARTS)
    for seed in range(SEED, SEED + 4):
        twin = Twin(game, seed)
        twin.play(40)
        assert max(twin.points) >= 100
        least = min(twin.points)
        assert twin.state.winners == tuple(p for p in range(4) if twin.points[p] == least)


def test_points_of_a_hand() -> None:
    """The points of a hand are 26, or 0 and three times 26 for shooting the moon."""
    moons = 0
    for playout in bs.load(HEARTS, options={"hands": 1}).playouts(300, players=4, seed=SEED):
        if 26 in playout.points:
            assert sorted(playout.points) == [0, 26, 26, 26]
            moons += 1
        else:
            assert sum(playout.points) == 26
    assert moons > 0


def test_random_games_end() -> None:
    """Random games end within the bound that the pack declares, also those to 200."""
    for options in ({}, {"target": 200}):
        game = bs.load(HEARTS, options=options)
        for playout in game.playouts(4, players=4, seed=SEED):
            assert playout.decisions <= game.longest
            assert max(playout.points) >= options.get("target", 100)


def test_refusals_have_reasons() -> None:
    """A card that may not be played is refused by a requirement with a sentence."""
    game = bs.load(HEARTS, options={"hands": 1})
    found: set[str] = set()
    for seed in range(SEED, SEED + 12):
        state = game.start(4, seed=seed)
        picker = random.Random(seed)
        while (decision := state.decision) is not None:
            for card in state.pieces("hand", decision.player):
                verdict = state.explain(card)
                assert verdict.legal == (game.option(card) in decision.options)
                found |= {check.name for check in verdict.failed}
            state.play_in_place(picker.choice(decision.options))
    assert {"follows", "is_harmless", "may_be_led"} <= found


def test_passed_cards_stay_hidden() -> None:
    """Nobody else sees which cards a player has picked to pass."""
    state = bs.load(HEARTS).start(4, seed=SEED)
    first = state.player
    state.play_in_place(state.option_ids[0])
    one = state.copy()
    one.play_in_place(one.option_ids[0])
    two = state.copy()
    two.play_in_place(two.option_ids[1])
    assert one != two
    other = (first + 1) % 4
    assert one.view(other) == two.view(other)


def test_the_tutorial_is_short() -> None:
    """The rules of the tutorial game stay under 100 lines."""
    lines = (HEARTS / "game.yaml").read_text(encoding="utf-8").splitlines()
    assert len(lines) < 100
    assert max(map(len, lines)) <= 100
