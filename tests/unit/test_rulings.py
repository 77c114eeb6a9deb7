"""Rulings that do not hold say what came out otherwise, in English and German.

The cases play the tiny good pack of `tests/bad_packs`: the heap on the left has three red stones,
the one in the middle two blue ones; a red stone is worth a point, and the only stone of a colour
is taken without asking.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import broomservice as bs
from broomservice.pack.load import Map, load_text
from broomservice.pack.problems import Place, Problems
from broomservice.rulings import Bench, Case, Outcome, load_cases
from broomservice.rulings_words import WORDS
from broomservice.scenario import SENTENCES, Scenario, ScenarioError

ROOT = Path(__file__).resolve().parents[2]
GOOD = ROOT / "tests" / "bad_packs" / "_good"
TURN = "given: {begin: {verb: turn, as: p1}}\n"
LEFT = TURN + "when: [left]\n"
END = TURN + "when: [left, stop]\n"


def outcome(text: str, language: str = "en", game: str | Path = GOOD, *variants: Path) -> Outcome:
    """Run one case, written as in a file of rulings."""
    problems = Problems()
    node: Any = load_text(text, "case.yaml", problems)
    assert isinstance(node, Map)
    assert problems.found == []
    case = Case("one", "nim", "", Place(), node)
    (result,) = Bench(game, variants, language).run(case)
    return result


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (
            LEFT + "then: {points: {p1: 2}}",
            "p1 has 1 points, not 2",
            "p1 hat 1 Punkte, nicht 2",
        ),
        (
            LEFT + "then: {gained: {p1: 0}}",
            "p1 gained 1 points, not 0",
            "p1 hat 1 Punkte bekommen, nicht 0",
        ),
        (
            LEFT + "then: {pieces: {left: {red_stone: 3}}}",
            "left holds 2 x red_stone, not 3",
            "left enthält 2 x red_stone, nicht 3",
        ),
        (
            LEFT + "then: {pieces: {middle: {size: 1}}}",
            "middle holds 2 x size, not 1",
            "middle enthält 2 x size, nicht 1",
        ),
        (
            LEFT + "then: {pieces: {left: {read_stone: 3}}}",
            "there is no piece 'read_stone' (did you mean 'red_stone'?)",
            "das Spielteil „read_stone“ gibt es nicht (ist „red_stone“ gemeint?)",
        ),
        (LEFT + "then: {counters: {starter: p2}}", "starter is not p2", "starter ist nicht p2"),
        (
            LEFT + "then: {counters: {points: {p1: 3}}}",
            "points(p1) is not 3",
            "points(p1) ist nicht 3",
        ),
        (LEFT + "then: {decides: p2}", "p1 is asked, not p2", "gefragt ist p1, nicht p2"),
        (
            LEFT + "then: {asks: play_card}",
            "after_turn asks, not play_card",
            "es fragt after_turn, nicht play_card",
        ),
        (
            END + "then: {asks: turn}",
            "nothing is asked, not turn",
            "nichts fragt; erwartet: turn",
        ),
        (END + "then: {over: false}", "it is over", "es ist zu Ende"),
        (
            LEFT + "then: {winners: [p1]}",
            "the winners are nobody, expected p1",
            "es gewinnt niemand; erwartet: p1",
        ),
        (LEFT + "then: {error: no stone}", "no error: no stone", "kein Fehler: no stone"),
        (
            LEFT + "then: {options: [stop]}",
            "the options are stop, play_card, expected stop",
            "möglich: stop, play_card; erwartet: stop",
        ),
        (
            LEFT + "then: {forced: [blue_stone]}",
            "blue_stone was not taken by itself, but red_stone",
            "blue_stone wurde nicht von selbst genommen, sondern red_stone",
        ),
        (
            TURN + "then: {forced: [red_stone]}",
            "red_stone was not taken by itself, but nothing",
            "red_stone wurde nicht von selbst genommen, sondern nichts",
        ),
        (
            LEFT + "then: {illegal: {stop: has_stones}}",
            "stop: open, expected to be refused by the requirement has_stones",
            "stop: möglich; erwartet: abgelehnt durch die Bedingung has_stones",
        ),
        (
            "given: {put: {left: {red_stone: 0}}, begin: {verb: turn, as: p1}}\n"
            "then: {legal: [left]}",
            "left: refused because “left is empty” (has_stones), expected to be open",
            "left: abgelehnt, weil „left is empty“ (has_stones); erwartet: möglich",
        ),
        (
            "given: {put: {left: {red_stone: 0}}, begin: {verb: turn, as: p1}}\n"
            "then: {illegal: {left: is_blue}}",
            "left: refused because “left is empty” (has_stones), expected the requirement is_blue",
            "left: abgelehnt, weil „left is empty“ (has_stones);"
            " erwartet: durch die Bedingung is_blue",
        ),
        (
            TURN + "when: [lfet]\nthen: {}",
            "no option is called 'lfet' (did you mean 'left'?)",
            "keine Möglichkeit heißt „lfet“ (ist „left“ gemeint?)",
        ),
    ],
)
def test_failures_in_two_languages(text: str, english: str, german: str) -> None:
    """What came out otherwise is said in the language that is asked for."""
    assert outcome(text).failures == (english,)
    assert outcome(text, "de").failures == (german,)


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (LEFT + "then: {over: true}", "it goes on: nim ", "es geht weiter: nim "),
        (
            TURN + 'when: ["p2: left"]\nthen: {}',
            "answer 1 (p2: left): p1 is asked [nim ",
            "Antwort 1 (p2: left): gefragt ist p1 [nim ",
        ),
        (
            TURN + 'when: [left, stop, "p1: left"]\nthen: {}',
            "answer 3 (p1: left): nobody is asked [nim ",
            "Antwort 3 (p1: left): gefragt ist niemand [nim ",
        ),
        (
            "given: {put: {left: {red_stone: 0}}, begin: {verb: turn, as: p1}}\n"
            "when: [left]\nthen: {}",
            "answer 1 (left): refused because “left is empty” (has_stones) [nim ",
            "Antwort 1 (left): abgelehnt, weil „left is empty“ (has_stones) [nim ",
        ),
        (
            "given: {put: {shown: {gift: 99}}}\nthen: {}",
            "gift in shown: it lies nowhere else",
            "gift in shown: es liegt sonst nirgends",
        ),
        (
            "given: {put: {left: {red_stone: 99}}}\nthen: {}",
            "red_stone in left: ",
            "red_stone in left: ",
        ),
        (
            "given: {put: {taken: {red_stone: 1}}}\nthen: {}",
            "'taken': write taken(p1)",
            "„taken“: so schreiben: taken(p1)",
        ),
        (
            "given: {put: {shown(p1): {gift: 1}}}\nthen: {}",
            "'shown(p1)': write shown",
            "„shown(p1)“: so schreiben: shown",
        ),
        (
            "given: {put: {lfet: {gift: 1}}}\nthen: {}",
            "there is no place 'lfet' (did you mean 'left'?)",
            "den Ort „lfet“ gibt es nicht (ist „left“ gemeint?)",
        ),
        (
            "given: {put: {left: {gitf: 1}}}\nthen: {}",
            "there is no piece 'gitf' (did you mean 'gift'?)",
            "das Spielteil „gitf“ gibt es nicht (ist „gift“ gemeint?)",
        ),
        (
            "given: {set: {ponits: 1}}\nthen: {}",
            "there is no counter 'ponits' (did you mean 'points'?)",
            "den Zähler „ponits“ gibt es nicht (ist „points“ gemeint?)",
        ),
        (
            "given: {set: {points: 1}}\nthen: {}",
            "'points' is kept for each player",
            "„points“ gilt je player",
        ),
        (
            "given: {set: {starter: p9}}\nthen: {}",
            "there is no player 'p9'",
            "den Spieler „p9“ gibt es nicht",
        ),
        (
            "given: {seats: [p2, p1]}\nthen: {}",
            "nobody changes seats in this game",
            "in diesem Spiel wechselt niemand den Platz",
        ),
        (
            "given: {begin: {verb: tern}}\nthen: {}",
            "there is no verb 'tern' (did you mean 'turn'?)",
            "das Verb „tern“ gibt es nicht (ist „turn“ gemeint?)",
        ),
        (
            "given: {begin: {verb: take, as: p1}}\nthen: {}",
            "'take' needs 'heap'",
            "„take“ braucht „heap“",
        ),
        (
            "given: {begin: {verb: take, as: p1, with: {heap: lft, stone: red_stone}}}\nthen: {}",
            "there is no heap 'lft' (did you mean 'left'?)",
            "heap „lft“ gibt es nicht (ist „left“ gemeint?)",
        ),
        (
            "given: {begin: {verb: take, as: p1,"
            " with: {heap: left, stone: red_stone, stnoe: red_stone}}}\nthen: {}",
            "there is no parameter 'stnoe' (did you mean 'stone'?)",
            "den Parameter „stnoe“ gibt es nicht (ist „stone“ gemeint?)",
        ),
        (
            "given: {begin: {verb: take, as: p1, with: {heap: left, stone: blue_stone}}}\n"
            "then: {error: no red stone}",
            "more pieces are to be moved than there are: ",
            "die Regeln können nicht weiter: more pieces are to be moved than there are: ",
        ),
    ],
)
def test_what_cannot_be_run_is_said_in_two_languages(text: str, english: str, german: str) -> None:
    """A position that cannot be put together, or an answer that is not open, is a failure too."""
    (said,) = outcome(text).failures
    assert said.startswith(english)
    (gesagt,) = outcome(text, "de").failures
    assert gesagt.startswith(german)
    assert said != gesagt or english == german


def test_an_expected_error_holds() -> None:
    """A case may say that the rules cannot go on: there is no blue stone on the left."""
    text = "given: {begin: {verb: take, as: p1, with: {heap: left, stone: blue_stone}}}\n"
    assert outcome(text + "then: {error: more pieces are to be moved}").holds
    (message,) = outcome(text + "then: {over: true}").failures
    assert re.search(r"_good/game\.yaml:\d+:\d+ \(move\) \[nim ", message)


def test_what_was_forced_is_said() -> None:
    """On the left lie only red stones, so that one is taken without asking (`forced`)."""
    assert outcome(LEFT + "then: {forced: [red_stone], gained: {p1: 1}}").holds


def test_a_thing_refused_at_a_forced_question_points_to_forced() -> None:
    """The blue stone was refused where red was the only one; the question asked now is another."""
    (said,) = outcome(LEFT + "then: {illegal: {blue_stone: calm_evening}}").failures
    assert said.startswith("blue_stone: refused because “")
    assert said.endswith(
        ", expected the requirement calm_evening;"
        " before this, red_stone was taken without asking, which `forced` can say"
    )


def test_a_ban_is_refused_with_its_sentence_in_german() -> None:
    """The failure names the sentence of the check, not its id alone."""
    house = ROOT / "examples" / "house_rules" / "modest_front_runner.yaml"
    text = (
        "given: {put: {hand(p1): {weather_fairy: 1}}, set: {led: weather_fairy, points: {p1: 20}},"
        " begin: {verb: lay_role, as: p1}}\n"
    )
    banned = outcome(text + "then: {forced: [cowardly]}", "de", "broom_service", house)
    assert banned.holds
    free = outcome(text + "then: {forced: [cowardly]}", "de", "broom_service")
    assert free.failures == ("cowardly wurde nicht von selbst genommen, sondern nichts",)
    kind = outcome(text + "then: {legal: [p2]}", "de", "broom_service")
    assert kind.failures[0].startswith("p2: abgelehnt, weil „p1 wird gefragt: ")


def test_a_name_of_several_options_is_not_guessed(tmp_path: Path) -> None:
    """Where two pieces are called alike, an answer by that name is refused with both."""
    path = tmp_path / "alike.yaml"
    path.write_text(
        "variant: alike\nof: nim\n"
        "game: {pieces: {red_stone: {name: pebble}, blue_stone: {name: pebble}}}\n",
        encoding="utf-8",
    )
    text = TURN + "when: [pebble]\nthen: {}"
    assert outcome(text, "en", GOOD, path).failures == ("'pebble' may mean red_stone, blue_stone",)
    assert outcome(text, "de", GOOD, path).failures == (
        "„pebble“ kann heißen: red_stone, blue_stone",
    )
    state = bs.load(GOOD, variants=[path]).start(2)
    with pytest.raises(bs.AmbiguousMove) as caught:
        state.play("pebble")
    assert caught.value.candidates == ("red_stone", "blue_stone")
    assert str(caught.value) == "'pebble' may mean red_stone, blue_stone"


def test_sentences_are_complete() -> None:
    """Every sentence is there in both languages, with as many gaps."""
    for sentences in (*WORDS.values(), *SENTENCES.values()):
        assert set(sentences) == {"en", "de"}
        assert sentences["en"].count("{") == sentences["de"].count("{")


def test_scenario_errors_are_said_in_a_language() -> None:
    """An error of a scenario is English by itself, and German on request."""
    scenario = Scenario.of(bs.load(GOOD), 2)
    with pytest.raises(ScenarioError) as caught:
        scenario.place("midle")
    assert str(caught.value) == "there is no place 'midle' (did you mean 'middle'?)"
    assert caught.value.text("de") == "den Ort „midle“ gibt es nicht (ist „middle“ gemeint?)"


def test_pieces_may_be_put_back(tmp_path: Path) -> None:
    """Fewer pieces than lie there: the rest goes elsewhere, and none is lost."""
    scenario = Scenario.of(bs.load(GOOD), 2)
    scenario.put("red_stone", "left", 1)
    held = [scenario.table.holding(place, 0) for place in range(scenario.table.layout.places)]
    assert held[scenario.place("left")] == 1
    assert sum(held) == 3 + 2


MARKS = """\
variant: marks
of: nim
game:
  counters:
    heap_mark: {per: heap}
    stone_mark: {per: stone}
    colour_mark: {per: colour}
    liked: {holds: colour, start: red}
  verbs:
    marked:
      do:
        - score: heap_mark(middle) * 100 + stone_mark(blue_stone) * 10 + colour_mark(blue)
        - when: liked == blue
          then: [score: 1000]
  rules:
    left_mark:
      source: assumed
      because: Made up for a test.
      replace:
        - verb: marked
          when: heap_mark(left) > 0
          do: [score: 5]
  play:
    - each_player: p
      do: [turn, marked]
    - repeat: most
      do: []
"""


@pytest.mark.parametrize(
    ("marks", "points"),
    [
        ("heap_mark: {middle: 3}, stone_mark: {blue_stone: 2}, colour_mark: {blue: 1}", 321),
        ("colour_mark: {blue: 1}, liked: blue", 1001),
        ("heap_mark: {left: 1, middle: 3}", 5),
        ("heap_mark: {left: 0, middle: 3}", 300),
    ],
)
def test_counters_of_sites_pieces_and_words(tmp_path: Path, marks: str, points: int) -> None:
    """A counter is set for one site, piece or word; and a replacement runs for the verb."""
    path = tmp_path / "marks.yaml"
    path.write_text(MARKS, encoding="utf-8")
    text = f"given: {{set: {{{marks}}}, begin: {{verb: marked, as: p2}}}}\n"
    text += f"then: {{points: {{p1: 0, p2: {points}}}, over: true}}"
    assert outcome(text, "en", GOOD, path).failures == ()


def test_each_reading_is_judged(tmp_path: Path) -> None:
    """By default there are two rounds of two turns, read otherwise one: then the game is over."""
    path = tmp_path / "rounds.yaml"
    path.write_text(
        "rulings: nim\ntopic: {en: Rounds, de: Runden}\ncases:\n  rounds:\n"
        "    question: Is it over?\n    given: {}\n    when: [left, stop, left, stop]\n"
        "    then: {over: false}\n    answer: {en: Not yet., de: Noch nicht.}\n"
        "    source: {doc: leaflet, section: play}\n"
        "    readings:\n    - {options: {most: 1}, then: {over: true}}\n"
        "    - {options: {most: 1}, then: {over: false}}\n",
        encoding="utf-8",
    )
    (case,) = load_cases(path)
    assert (case.topic, case.number, case.text("answer", "de")) == ("Rounds", 1, "Noch nicht.")
    assert case.text("question", "de") == "Is it over?"
    outcomes = list(Bench(GOOD).run(case))
    assert [(one.reading, one.failures) for one in outcomes] == [
        ("", ()),
        ("most=1", ()),
        ("most=1", ("it is over",)),
    ]


def test_seats_are_put_together() -> None:
    """Where seats change, a case says who sits where: clockwise p2, p3, p1."""
    game = bs.load("potions")
    scenario = Scenario.of(game, 3)
    scenario.seat(["p2", "p3", "p1"])
    seats = game.compiled(3).plan.seats
    assert scenario.table.cells[seats : seats + 3] == [2, 0, 1]
    assert scenario.table.cells[seats + 3 : seats + 6] == [1, 2, 0]


def test_no_file_of_rulings(tmp_path: Path) -> None:
    """Another kind of document is refused where rulings are wanted."""
    path = tmp_path / "house.yaml"
    path.write_text("variant: house\nof: nim\nname: House\n", encoding="utf-8")
    with pytest.raises(bs.PackError) as caught:
        load_cases(path)
    assert "unknown-document: this is no file of rulings" in str(caught.value)
    path.write_text("a: [", encoding="utf-8")
    with pytest.raises(bs.PackError, match="yaml-syntax"):
        load_cases(path)
