"""Wizard Extreme, held to a second set of its rules that is written here in plain Python."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import broomservice as bs
from broomservice.log import entries
from broomservice.pack.documents import content_folder, load_document
from broomservice.pack.problems import Problems
from broomservice.rulings import load_cases

PACK = Path(content_folder("cards")) / "wizard_extreme"
COLOURS = ("red", "yellow", "green", "blue", "purple")
BOX = {"red": 5, "yellow": 3, "green": 3, "blue": 3, "purple": 3, "white": 4, "black": 6}
SEED = 20100315


def suit(card: str) -> str:
    return card.split("_")[0]


def value(card: str) -> int:
    return int(card.split("_")[1])


def legal_cards(hand: set[str], led: str | None) -> set[str]:
    """The cards that may be played: those of the colour led, if there are any."""
    same = {card for card in hand if led is not None and suit(card) == suit(led)}
    return same or hand


def trick_winner(trick: Sequence[tuple[int, str]]) -> int:
    """The player of the highest red card, else of the highest card of the colour led."""
    for colour in ("red", suit(trick[0][1])):
        cards = [(value(card), player) for player, card in trick if suit(card) == colour]
        if cards:
            return max(cards)[1]
    raise AssertionError("a trick holds its first card")


class Twin:
    """Plays a game by rules of its own, and holds the engine's questions against them."""

    def __init__(self, game: bs.Game, players: int, seed: int) -> None:
        self.state = game.start(players, seed=seed)
        self.players = players
        self.options: Mapping[str, int] = game.option_values
        self.random = random.Random(seed)
        self.points = [0] * players
        self.dealer = 0
        self.asked = 0

    def ask(self, player: int, options: set[str], *, may: bool = False) -> str:
        """Answer by chance what the engine must ask now; what is certain is not asked for."""
        if not options:
            return "pass"
        if len(options) == 1 and not may:
            return next(iter(options))
        decision = self.state.decision
        assert decision is not None
        assert decision.player == player
        assert {option.label for option in decision} == options | ({"pass"} if may else set())
        choice = self.random.choice(decision.options).label
        self.state.play_in_place(choice)
        self.asked += 1
        return choice

    def play(self, rounds: int) -> None:
        for number in range(rounds):
            self.hands = [set(self.state.pieces("hand", p)) for p in range(self.players)]
            self.fronts: list[Counter[str]] = [Counter() for _ in range(self.players)]
            self.middle = Counter(BOX)
            self.magician: int | None = None
            assert all(len(hand) == 15 for hand in self.hands)
            order = [(self.dealer + 1 + i) % self.players for i in range(self.players)]
            for player in order:
                self.predict(player)
            leader = order[0]
            for _ in range(15):
                leader = self.trick(leader)
            self.score(self.base(number, rounds))
            self.dealer = order[0]
            assert self.state.points == tuple(self.points)
        assert self.state.over

    def base(self, number: int, rounds: int) -> int:
        """What the magician costs; `number` rounds are over."""
        if self.options.get("raised_base") and number >= rounds / 2:
            return 5
        return self.options.get("magician_base", 4)

    def predict(self, player: int) -> None:
        free = {"magician"} if self.magician is None else set()
        if self.ask(player, {"seals"} | free) == "magician":
            self.magician = player
            return
        while True:
            robbed = self.others_with(player)
            options = {
                colour
                for colour in COLOURS
                if self.middle[colour] or (robbed[colour] and self.exchange())
            }
            pick = self.ask(player, {f"{colour}_seal" for colour in options}, may=True)
            if pick == "pass":
                return
            self.take(player, suit(pick), robbed[suit(pick)])

    def exchange(self) -> bool:
        return self.middle["white"] > 0 or self.options.get("white_gone") == 1

    def others_with(self, player: int) -> dict[str, set[int]]:
        return {
            colour: {
                other
                for other in range(self.players)
                if other != player and self.fronts[other][colour]
            }
            for colour in COLOURS
        }

    def take(self, player: int, colour: str, owners: set[int]) -> None:
        self.fronts[player][colour] += 1
        if self.middle[colour]:
            self.middle[colour] -= 1
            return
        victim = int(self.ask(player, {f"p{owner + 1}" for owner in owners})[1:]) - 1
        self.fronts[victim][colour] -= 1
        if self.middle["white"]:
            self.middle["white"] -= 1
            self.fronts[victim]["white"] += 1

    def trick(self, leader: int) -> int:
        trick: list[tuple[int, str]] = []
        for i in range(self.players):
            player = (leader + i) % self.players
            led = trick[0][1] if trick else None
            card = self.ask(player, legal_cards(self.hands[player], led))
            self.hands[player].remove(card)
            trick.append((player, card))
        winner = trick_winner(trick)
        if winner != self.magician:
            self.pay(winner, {"white", suit(trick[0][1]), suit(dict(trick)[winner])})
        return winner

    def pay(self, player: int, fitting: set[str]) -> None:
        """Pay a seal of a fitting colour, else take a black one while there are any."""
        front = self.fronts[player]
        owned = {f"{colour}_seal" for colour in fitting if front[colour]}
        if owned:
            colour = suit(self.ask(player, owned))
            front[colour] -= 1
            self.middle[colour] += 1
        elif self.middle["black"]:
            front["black"] += 1
            self.middle["black"] -= 1

    def score(self, base: int) -> None:
        black = 6 - self.middle["black"]
        for player, front in enumerate(self.fronts):
            coloured = sum(front[colour] for colour in COLOURS)
            self.points[player] += 2 * coloured + 3 * front["black"] + 4 * front["white"]
            if player == self.magician:
                self.points[player] += max(0, base - black)


def number_of_rounds(game: bs.Game, players: int) -> int:
    return game.option_values.get("rounds", 0) or (6 if players == 3 else players)


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    "options",
    [{}, {"white_gone": 1}, {"magician_base": 5}, {"rounds": 8, "raised_base": 1}],
    ids=lambda options: ",".join(options) or "usual",
)
def test_every_decision(players: int, options: dict[str, int]) -> None:
    """At every decision of random games the engine asks what the rules written here ask."""
    game = bs.load("wizard_extreme", options=options)
    for seed in range(SEED, SEED + 4):
        twin = Twin(game, players, seed)
        twin.play(number_of_rounds(game, players))
        assert twin.asked > 100
        least = min(twin.points)
        wanted = tuple(p for p in range(players) if twin.points[p] == least)
        assert twin.state.winners == wanted


@pytest.mark.parametrize("players", [3, 4, 5])
def test_refusals_have_reasons(players: int) -> None:
    """A card of one's hand is refused because one must follow, any other as not one's own."""
    state = bs.load("wizard_extreme").start(players, seed=SEED)
    picker = random.Random(SEED)
    refused = 0
    while (decision := state.decision) is not None and refused < 30:
        if decision.point == "play_card":
            for card in state.pieces("hand", decision.player):
                verdict = state.explain(card)
                assert verdict.legal == (state.game.option(card) in decision.options)
                if not verdict.legal:
                    assert [check.name for check in verdict.failed] == ["follows"]
                    refused += 1
            other = next(iter(state.pieces("hand", (decision.player + 1) % players)), None)
            if other is not None:
                assert "in_hand" in {check.name for check in state.explain(other).failed}
        state.play_in_place(picker.choice(decision.options))
    assert refused >= 30


@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_games_end(players: int) -> None:
    """Random games end within the bound that the pack declares, ten rounds of it included."""
    for options in ({}, {"rounds": 10, "white_gone": 1}):
        game = bs.load("wizard_extreme", options=options)
        for playout in game.playouts(4, players=players, seed=SEED):
            assert 0 < playout.decisions <= game.longest
            assert min(playout.points) >= 0


def test_seals_are_27() -> None:
    """27 seals: the contents (27) and the kinds (5 + 4 x 3 + 4 + 6) agree."""
    state = bs.load("wizard_extreme").start(4, seed=SEED)
    middle = state.pieces("middle")
    assert {name: middle[f"{name}_seal"] for name in BOX} == BOX
    assert sum(BOX.values()) == 27


def test_rulings_cover_the_rules() -> None:
    """Every statement of the rules is held by a ruling, and every ruling speaks both languages."""
    document = load_document(PACK / "rules.yaml", Problems())
    assert document is not None
    cases = load_cases(PACK / "rulings")
    assert len(cases) >= 40
    assert {rule for case in cases for rule in case.rules} == set(document["statements"])
    for case in cases:
        assert case.text("question", "de") != case.text("question", "en")
        assert case.text("answer", "de") != case.text("answer", "en")


def test_a_told_game() -> None:
    """The log tells a game in sentences, in English and in German."""
    state = bs.load("wizard_extreme").start(3, seed=SEED, names=["Anna", "Ben", "Cleo"])
    for answer in ("seals", "blue_seal", "pass", "magician"):
        state.play_in_place(answer)
    told = [entry.text for entry in state.log if entry.kind == "tell"]
    assert told == [
        "--- Round 1 of 6; Anna deals ---",
        "Ben takes a blue seal.",
        "Cleo takes the black magician.",
    ]
    german = [entry.text for entry in entries(state, "de") if entry.kind == "tell"]
    assert german == [
        "--- Spielrunde 1 von 6; Anna gibt ---",
        "Ben nimmt ein blaues Siegel.",
        "Cleo nimmt den Schwarzmagier.",
    ]
