"""Potions!: the pack against a few lines of Python that know the rules by themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import broomservice as bs
from broomservice.log import entries
from broomservice.pack.documents import content_folder
from broomservice.rulings import load_cases
from broomservice.scenario import Scenario
from broomservice.state import State

GAME = bs.load("potions")
FOLDER = Path(content_folder("cards")) / "potions"
INGREDIENTS = [
    f"{suit}_{value}" for suit in ("red", "blue", "yellow", "green") for value in range(1, 16)
]
KINDS = {
    ("red", "red"): "jerusalem",
    ("red", "blue"): "wandering",
    ("red", "yellow"): "fractalisation",
    ("red", "green"): "tombola",
    ("blue", "blue"): "homeopathy",
    ("blue", "yellow"): "thwarting",
    ("blue", "green"): "expectation",
    ("yellow", "yellow"): "search",
    ("yellow", "green"): "eloquence",
    ("green", "green"): "love",
}
CHAOS = ("jerusalem", "wandering", "fractalisation", "tombola")


def suit_of(card: str) -> str:
    """Return the colour of an ingredient."""
    return card.partition("_")[0]


def value_of(card: str) -> int:
    """Return the number on an ingredient."""
    return int(card.partition("_")[2])


def lying(state: State, place: str, player: int | None = None) -> list[str]:
    """Return the names of the pieces in a place."""
    return [name for name, count in state.pieces(place, player).items() if count]


def played_at_random(state: State, seed: int) -> Iterator[State]:
    """Play a game with random answers; yield every position before its answer."""
    picker = random.Random(seed)
    while not state.over:
        yield state
        state.play_in_place(picker.choice(state.option_ids))


def led_suit(state: State) -> str:
    """Return the colour of the first card laid in the trick that runs, by who laid first."""
    names = list(state.game.names.pieces)
    for player in range(state.players):
        if state.counter("laid_as", player) == 1:
            return suit_of(names[state.counter("card_of", player)])
    return ""


def fewest_cards(state: State) -> int:
    """Return how many cards are laid in the trick that runs."""
    return sum(state.counter("laid_as", player) > 0 for player in range(state.players))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_legal_cards(players: int) -> None:
    """One must follow the colour led if one can (section 2)."""
    options = {"brewing_phases": 3, "end_points": 999}
    game = bs.load("potions", options=options)
    seen = 0
    for state in played_at_random(game.start(players, seed=players, log=False), 1):
        decision = state.decision
        assert decision is not None
        if decision.point != "lay_card":
            continue
        hand = lying(state, "hand", state.player)
        led = led_suit(state) if fewest_cards(state) < players else ""
        following = [card for card in hand if suit_of(card) == led]
        assert sorted(map(str, decision.options)) == sorted(following or hand)
        seen += 1
    assert seen > 60


def winner_by_hand(cards: list[str], change: list[int], boosted: list[int], trump: bool) -> int:
    """Return who wins a trick: the rules of section 2, of the manipulation and thwarted plans."""
    led = suit_of(cards[0])
    reds = [i for i, card in enumerate(cards) if suit_of(card) == "red"]
    able = reds if trump and reds else [i for i, card in enumerate(cards) if suit_of(card) == led]
    return max(able, key=lambda i: (value_of(cards[i]) + change[i], boosted[i], value_of(cards[i])))


@pytest.mark.parametrize("seed", range(60))
def test_trick_winner(seed: int) -> None:
    """The winner of a trick takes all of its cards and leads (section 2)."""
    picker = random.Random(seed)
    players = picker.randint(3, 6)
    cards = picker.sample(INGREDIENTS, players)
    change = [picker.randint(-3, 3) for _ in cards]
    boosted = [int(number > 0) for number in change]
    trump = picker.random() < 0.5
    scenario = Scenario.of(GAME, players)
    scenario.set("led", suit_of(cards[0]))
    scenario.set("laid_count", players)
    scenario.set("trump", int(trump))
    for i, card in enumerate(cards):
        scenario.put(card, "trick")
        for counter, value in (
            ("card_of", card),
            ("laid_as", i + 1),
            ("change", change[i]),
            ("boosted", boosted[i]),
        ):
            scenario.set(counter, value, f"p{i + 1}")
    state = scenario.begin("end_trick")
    winner = winner_by_hand(cards, change, boosted, trump)
    assert sorted(lying(state, "won", winner)) == sorted(cards)
    assert state.counter("leader") == winner


@pytest.mark.parametrize("seed", range(80))
def test_brewing(seed: int) -> None:
    """Colours decide the kind, the sum decides the strength, 16 is the most (section 3)."""
    picker = random.Random(seed)
    one, two = sorted(picker.sample(INGREDIENTS, 2), key=INGREDIENTS.index)
    total = value_of(one) + value_of(two)
    scenario = Scenario.of(GAME, 3)
    scenario.put(one, "won(p1)")
    scenario.put(two, "won(p1)")
    state = scenario.begin("brew", "p1")
    if total > 16:
        assert state.over
        return
    state.play_in_place(picker.choice((one, two)))
    kind = KINDS[suit_of(one), suit_of(two)]
    strength = 0 if kind in CHAOS else 3 if total <= 4 else 2 if total <= 10 else 1
    (brewed,) = lying(state, "brewed", 0)
    first = next(
        i for i, name in enumerate(GAME.names.families["potion"].kinds) if name.id == brewed
    )
    assert brewed.rpartition("_")[0] == kind
    assert state.counter("strength", first) == strength


def partners(card: str, cards: list[str]) -> list[str]:
    """Return which of these cards make a potion with a card: any other, 16 at most (section 3)."""
    return [two for two in cards if two != card and value_of(card) + value_of(two) <= 16]


@pytest.mark.parametrize("seed", range(40))
def test_a_pair_in_either_order(seed: int) -> None:
    """Either ingredient of a pair may be named first, and then any other that goes with it."""
    picker = random.Random(seed)
    cards = picker.sample(INGREDIENTS, 6)
    scenario = Scenario.of(GAME, 3)
    for card in cards:
        scenario.put(card, "won(p1)")
    state = scenario.begin("brew", "p1")
    able = [card for card in cards if partners(card, cards)]
    for card in cards:
        assert state.explain(card).legal == (card in able)
        if card not in able:
            assert [check.name for check in state.explain(card).failed] == ["has_partner"]
    for card in able:
        then = state.play(card)
        wanted = partners(card, cards)
        if len(wanted) == 1:
            assert set(lying(then, "discard")) == {card, wanted[0]}
            continue
        assert then.decision is not None
        assert sorted(map(str, then.decision.options)) == sorted(wanted)
        for two in set(cards) - set(wanted):
            (check,) = then.explain(two).failed
            assert check.name == ("is_second" if two == card else "is_within_limit")


def in_trick(potions: dict[str, int], led: str = "blue") -> Scenario:
    """Return the middle of a trick of three, the cards of p1 and p2 laid, in which p1 has potions.

    All are dyed blue; the numbers are their strengths.
    """
    scenario = Scenario.of(GAME, 3)
    scenario.set("led", led)
    scenario.set("laid_count", 2)
    for i, card in enumerate((f"{led}_5", f"{led}_7")):
        scenario.put(card, "trick")
        scenario.set("card_of", card, f"p{i + 1}")
        scenario.set("laid_as", i + 1, f"p{i + 1}")
    for potion, strength in potions.items():
        scenario.put(potion, "potions(p1)")
        scenario.set("strength", strength, potion)
        scenario.set("dyes", 1, potion)
    return scenario


def told(state: State, language: str = "en") -> list[str]:
    """Return what the log tells."""
    return [entry.text for entry in entries(state, language) if entry.kind == "tell"]


def test_why_a_potion_is_diluted() -> None:
    """The log says which colour was led and that the potion lacks it (dyeing, section 6)."""
    scenario = in_trick({"thwarting_1": 3}, led="green")
    state = scenario.begin("offer_potions", "p1", {"opener": "p1"}).play("thwarting_1")
    assert told(state) == [
        "p1 plays the potion of thwarted plans.",
        "It is diluted to strength 1: green was led, and it is not dyed green.",
        "It is meant for p2.",
        "p1 lowers the green 7 by 1, raises the green 5 by 1.",
    ]
    assert told(state, "de") == [
        "p1 spielt: Trank der vereitelten Pläne.",
        "Er ist auf Stärke 1 verdünnt: Bedienfarbe ist grün, und grün ist er nicht gefärbt.",
        "Er gilt: p2.",
        "p1 senkt die grüne 7 um 1, erhöht die grüne 5 um 1.",
    ]


def test_who_loves_whom() -> None:
    """The player chosen loves the one who played the potion, and gives cards to that one."""
    scenario = in_trick({"love_1": 1})
    state = scenario.begin("offer_potions", "p1", {"opener": "p1"}).play("love_1").play("p3")
    assert told(state)[-2:] == ["It is meant for p3.", "p3 loves p1 (strength 1)."]
    assert told(state, "de")[-1] == "p3 liebt p1 (Stärke 1)."


def test_undyed_expectations_are_refused_for_their_time() -> None:
    """Expectations need no colour; in a trick they are refused as they act in the brewing."""
    scenario = in_trick({"expectation_1": 2, "tombola_1": 0})
    scenario.set("dyes", 0, "expectation_1")
    state = scenario.begin("offer_potions", "p1", {"opener": "p1"})
    (check,) = state.explain("expectation_1").failed
    assert check.name == "is_for_tricks"
    assert [citation.section for citation in check.provenance.citations] == ["expectations"]


def test_nothing_is_lost_in_silence() -> None:
    """What has no effect is told: points of expectations that nothing can take."""
    scenario = Scenario.of(GAME, 3)
    scenario.put("tombola_1", "brewed(p1)")
    scenario.set("expected", 2, "p1")
    state = scenario.begin("share_expectations", "p1")
    assert told(state) == ["Points of strength that p1 leaves unused: 2."]


def where_all_lie(state: State) -> dict[str, int]:
    """Return how often each piece lies anywhere."""
    found: dict[str, int] = dict.fromkeys(state.game.names.pieces, 0)
    for place, kind in state.game.names.places.items():
        for player in range(state.players) if kind.per_player else [None]:
            for name, count in state.pieces(place, player).items():
                found[name] += count
    return found


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_conservation(players: int) -> None:
    """Every card lies somewhere, once, at every moment; no hand is more than a card behind."""
    game = bs.load("potions", options={"brewing_phases": 3, "end_points": 999})
    for number, state in enumerate(played_at_random(game.start(players, seed=9, log=False), 2)):
        if number % 7 == 0:
            assert set(where_all_lie(state).values()) == {1}
        sizes = [
            len(lying(state, "hand", player))
            + len(lying(state, "drawn", player))
            + len(lying(state, "offered", player))
            for player in range(players)
        ]
        assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_end(players: int) -> None:
    """No random game takes more decisions than declared."""
    for playout in GAME.playouts(12, players=players, seed=100):
        assert 0 < playout.decisions <= GAME.longest


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_end_of_the_game(players: int) -> None:
    """A game goes on until somebody has the points, and then is over at once (section 8)."""
    game = bs.load("potions", options={"end_points": 8})
    state = game.start(players, seed=11, log=False)
    for position in played_at_random(state, 6):
        assert max(position.points) < 8
    most = max(state.points)
    assert most >= 8
    assert state.winners == tuple(i for i, points in enumerate(state.points) if points == most)


@pytest.mark.parametrize("players", [3, 5])
def test_what_is_carried(players: int) -> None:
    """At most three potions, two of them normal; with three players four, three (section 4)."""
    most, normal = (4, 3) if players == 3 else (3, 2)
    game = bs.load("potions", options={"brewing_phases": 4, "end_points": 999})
    phases: set[int] = set()
    for state in played_at_random(game.start(players, seed=3, log=False), 4):
        for player in range(players):
            held = [
                name
                for name in lying(state, "potions", player)
                if not name.startswith("manipulation")
            ]
            assert len(held) <= most
            assert sum(name.rpartition("_")[0] not in CHAOS for name in held) <= normal
            if held:
                phases.add(state.counter("phase"))
    assert phases


OPTIONS = yaml.safe_load((FOLDER / "game.yaml").read_text(encoding="utf-8"))["options"]
OTHERS = [
    (name, value)
    for name, node in OPTIONS.items()
    for value in {*range(node["range"][0], min(node["range"][0] + 3, node["range"][1] + 1))}
    if value != node["default"]
]


@pytest.mark.parametrize(("name", "value"), OTHERS)
def test_options(name: str, value: int) -> None:
    """Every option can be set, and a game then ends."""
    game = bs.load("potions", options={"brewing_phases": 4, name: value})
    for playout in game.playouts(3, players=4, seed=5):
        assert 0 < playout.decisions <= game.longest


@pytest.mark.parametrize(
    "variants",
    [
        ["throne"],
        ["chaos_round"],
        ["throne", "chaos_round"],
        ["quick_game"],
        ["quick_game", "throne"],
    ],
    ids="-".join,
)
def test_variants(variants: list[str]) -> None:
    """The alternative rules can be played."""
    game = bs.load("potions", variants=variants, options={"brewing_phases": 5})
    for players in game.players:
        for playout in game.playouts(2, players=players, seed=7):
            assert 0 < playout.decisions <= game.longest


def test_quick_game_excludes_chaos_round() -> None:
    """The quick game brews no potions, so the chaos round means nothing in it."""
    with pytest.raises(bs.PackError):
        bs.load("potions", variants=["chaos_round", "quick_game"])


def texts(node: Any) -> Iterator[dict[str, str]]:
    """Return all texts by language in a part of a document."""
    if isinstance(node, dict):
        if isinstance(node.get("en"), str):
            yield node
        for value in node.values():
            yield from texts(value)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value)


def test_everything_is_said_in_both_languages() -> None:
    """Names, prompts, sentences, rules and rulings are there in English and German."""
    count = 0
    for path in FOLDER.rglob("*.yaml"):
        for text in texts(yaml.safe_load(path.read_text(encoding="utf-8"))):
            assert text.get("de"), (path.name, text)
            count += 1
    assert count > 500


def test_gaps_agree_in_both_languages() -> None:
    """A sentence that is told names the same players in both languages."""
    game = yaml.safe_load((FOLDER / "game.yaml").read_text(encoding="utf-8"))
    for text in texts(game["verbs"]):
        assert text["en"].count("{me}") == text["de"].count("{me}"), text


def test_ambiguous_rulings_have_another_reading() -> None:
    """Where the rulebook is ambiguous, a ruling gives the other reading and says why."""
    cases = load_cases(FOLDER / "rulings")
    assert len(cases) >= 60
    for case in cases:
        if case.node["certainty"] == "ambiguous":
            assert case.node.get("readings"), case.id
            assert case.node.get("because"), case.id
        if case.node["certainty"] == "deduced":
            assert case.node.get("because"), case.id


NO_RULE_OF_PLAY = {
    "components_potions",
    "manual_introduces",
    "setup_sort",
    "setup_piles",
    "setup_pad",
    "hint_sort",
    "hint_exchange",
    "hint_dye_rest",
    "hint_on_cards",
    "halt",
    "intro_pace",
}
"""Statements on handling, hints and what the players may agree on: no ruling can hold to them."""


def test_rulings_cover_the_rules() -> None:
    """Every other statement of the rules is held by a ruling."""
    statements = yaml.safe_load((FOLDER / "rules.yaml").read_text(encoding="utf-8"))["statements"]
    held = {rule for case in load_cases(FOLDER / "rulings") for rule in case.rules}
    assert set(statements) - held == NO_RULE_OF_PLAY
