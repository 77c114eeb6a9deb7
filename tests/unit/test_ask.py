"""The referee at the prompt: plain sentences in, reasons and passages out, never a traceback."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.asking.choices import MOST_EXPLAINED
from broomservice.cli.asking.facts import MOST_STATEMENTS
from broomservice.cli.asking.history import add_checks
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.talk import HANDLERS, answer, complete, completions
from broomservice.cli.asking.words import COMMANDS, HELP, WHOLE, command_of
from broomservice.cli.common import console
from broomservice.cli.group import commands
from broomservice.cli.hearing import Ear, words_of
from broomservice.explain import Check
from broomservice.log import LogEntry
from broomservice.pack.provenance import Provenance
from broomservice.scenario import Scenario, ScenarioError
from tests.packs import ROOT, loaded

NAMES = ("Anna", "Bonnie", "Carla")
THREE = ("--names", ",".join(NAMES))
DELIVERING = (
    "put p3_pawn_1 hill_4",
    "put purple_potion stock(Carla) 1",
    "begin deliver_from as Carla with pawn=p3_pawn_1",
)


def referee(*, game: str = "broom_service", language: str = "en") -> Referee:
    """Return a referee at the start of a game of Anna, Bonnie and Carla; it prints into a text."""
    out = console()
    out.file = io.StringIO()
    return Referee(out, loaded(game).start(3, names=NAMES), language)


def asked(*sentences: str, game: str = "broom_service", language: str = "en") -> str:
    """Return what a referee says to these sentences."""
    one = referee(game=game, language=language)
    for sentence in sentences:
        answer(one, sentence)
    assert isinstance(one.out.file, io.StringIO)
    return one.out.file.getvalue()


def typed(*sentences: str, arguments: tuple[str, ...] = THREE) -> str:
    """Return what is printed when sentences are typed into the prompt."""
    result = CliRunner().invoke(
        commands, ["ask", "broom_service", *arguments], input="\n".join(sentences) + "\n"
    )
    assert result.exit_code == 0, result.output
    return result.output


# --- names in sentences --------------------------------------------------------------------------


def test_names_are_found_in_sentences() -> None:
    """Longer names go before shorter ones; other words are left over."""
    state = loaded("broom_service").start(3, seed=1, names=NAMES)
    heard = Ear.of(state).hear("May Carla deliver green, with the Hill Witch, at t12?")
    assert [option.label for option in heard.options] == ["green", "hill_witch", "t12"]
    assert heard.players == (2,)
    assert heard.rest == ("may", "deliver", "with", "the", "at")


def test_names_are_found_in_german_and_with_owners() -> None:
    """German names, possessives and labels with underscores mean the same things."""
    ear = Ear.of(loaded("broom_service").start(3, seed=1, names=NAMES))
    for text in ("Annas Figur 1", "Anna's pawn 1", "p1_pawn_1"):
        assert [option.label for option in ear.hear(text).options] == ["p1_pawn_1"], text
    assert [option.label for option in ear.hear("die Waldhexe").options] == ["forest_witch"]
    assert words_of("p1_pawn_1?") == ("p1", "pawn", "1")


def test_hints_are_for_what_is_no_name() -> None:
    """A misspelt name is doubted, a right one never is."""
    ear = Ear.of(loaded("broom_service").start(2, seed=1))
    assert ear.hint("the hill wich") == "hill witch"
    assert ear.hint("hill witch") == ""
    assert ear.hint("xyzzy") == ""


@pytest.mark.parametrize(
    ("text", "command", "rest"),
    [
        ("may Carla pass", "may", "Carla pass"),
        ("darf Carla passen", "may", "Carla passen"),
        ("why not t12", "why", "t12"),
        ("Was wenn t12", "what_if", "t12"),
        ("was ist offen", "question", "ist offen"),
        ("wieso nicht t12", "why", "t12"),
        ("options", "options", ""),
        ("options of mine", "", "options of mine"),
        ("hill witch", "", "hill witch"),
        ("plays", "", "plays"),
    ],
)
def test_commands(text: str, command: str, rest: str) -> None:
    """A sentence begins with a command, longer ones first, or with none."""
    assert command_of(text) == (command, rest)


def test_every_command_is_done_and_helped() -> None:
    """Each command has a handler, and is in the help of one language."""
    assert set(COMMANDS.values()) | {""} == set(HANDLERS)
    assert set(COMMANDS.values()) >= WHOLE
    told = " ".join(HELP).casefold()
    for command in set(COMMANDS.values()) - {"help"}:
        assert any(word in told for word, same in COMMANDS.items() if same == command), command


# --- asking --------------------------------------------------------------------------------------


def test_may_says_why() -> None:
    """An open option with the requirement that it meets, and its passage (en, choosing_roles)."""
    text = asked("may Anna choose the hill witch?")
    assert "hill witch is open." in text
    assert "Broom Service, rulebook (en), “Choosing Role Cards”" in text


def test_all_choose_at_once() -> None:
    """Role cards are chosen by all at the same time (en, choosing_roles), so Carla is answered."""
    text = asked("may Carla choose the hill witch", "may Carla choose t12")
    assert "All choose at the same time, in secret; the program asks one after the other" in text
    assert "Carla will be asked: Choose a role for this round" in text
    assert "hill witch is open." in text
    assert "It is Anna who is asked" not in text
    assert "Carla is asked “Choose a role for this round”; this decision asks for a role" in text


def test_another_player_is_not_asked() -> None:
    """Whose question it is, by which rule, and after which answer it is whose.

    The others follow clockwise whatever the leader was (de, competition).
    """
    leading = (
        *("put hill_witch hand(Anna)", "put hill_witch hand(Bonnie)", "put hill_witch hand(Carla)"),
        *("set leader Anna", "begin turn as Anna", "play brave"),
    )
    told = asked(*leading, "may carla lead weather fairy").splitlines()
    start = told.index("It is Bonnie who is asked, not Carla.")
    assert told[start + 1] == "Bonnie is asked: Brave or cowardly hill witch?"
    assert "“Let the magical competition begin”" in told[start + 2]
    assert "  after brave: Carla is asked: Brave or cowardly hill witch?" in told[start:]
    text = asked("may Carla deliver at t22", "may anna deliver at t22", *DELIVERING)
    assert text.count("It is Carla who is asked") == 0
    text = asked(*DELIVERING, "darf Bonnie t22", language="de")
    assert "Gefragt ist Carla, nicht Bonnie." in text
    assert "nach jeder Antwort: es ist zu Ende" in text


def test_several_options_are_explained() -> None:
    """Of several things named, those that are asked about are explained, the rest mentioned."""
    text = asked(*DELIVERING, "may carla deliver at t22 or t12, rather than pass")
    assert "t22 is open." in text
    assert "t12 is not open:" in text
    assert "the base of t12 does not touch Hill 4" in text
    assert "This rests on what no rulebook says: t12, hill_4" in text
    assert "pass is open." in text


@pytest.mark.parametrize(
    ("language", "why", "failing", "met"),
    [
        (
            "en",
            "why not t12",
            "the base of t12 does not touch Hill 4",
            "met: free tower, matching potion in stock",
        ),
        (
            "de",
            "warum nicht t12",
            "die Basis von t12 berührt Hügel 4 nicht",
            "erfüllt: freier Turm, passender Trank vorhanden",
        ),
    ],
)
def test_a_refusal_begins_with_what_fails(language: str, why: str, failing: str, met: str) -> None:
    """What fails has its passage; what is met follows in one line, by the names of the pack.

    At the start everybody has a potion of each colour and all towers are free (de, setup).
    """
    lines = asked(*DELIVERING, why, language=language).splitlines()
    first = lines.index(f"  ✗ {failing}")
    assert "Die Türme, Abbildung" in lines[first + 1]
    assert lines[first + 2] == f"  {met}"
    assert not [line for line in lines if "✓" in line]


def test_what_is_open_lists_all_that_it_meets() -> None:
    """Each requirement of an open option has its name and its passage (de, delivering_witch)."""
    lines = asked(*DELIVERING, "may carla t22").splitlines()
    checks = [line for line in lines if line.startswith("  ✓ ")]
    assert checks == [
        "  ✓ base touches the region",
        "  ✓ free tower",
        "  ✓ matching potion in stock",
    ]
    assert all("Broom Service" in lines[lines.index(check) + 1] for check in checks)
    assert not [line for line in lines if line.startswith("  met:")]


def test_only_so_many_options_are_explained() -> None:
    """Of more things than anybody reads about, the first ones are explained."""
    towers = [f"t{i + 1:02}" for i in range(MOST_EXPLAINED + 1)]
    text = asked(*DELIVERING, f"may carla deliver at {' '.join(towers)}")
    assert re.findall(r"^(t\d+) is (?:not )?open", text, re.M) == towers[:MOST_EXPLAINED]


def test_what_if_play_and_undo() -> None:
    """What if changes nothing, play does, undo takes it back; points name their passage."""
    text = asked(
        *DELIVERING, "what if t22", "score Carla", "play t22", "score Carla", "undo", "score Carla"
    )
    points = loaded("broom_service").names.sites["t22"].values["points"]
    assert text.count("  Carla: 10\n") == 2
    assert text.count(f"  Carla: {10 + points}\n") == 1
    assert f"Carla +{points}: delivery to t22" in text
    assert "Then it is over." in text
    assert "Taken back." in text


def test_play_refuses_with_the_reason() -> None:
    """What is not open is not played, but explained; the position stays."""
    text = asked(*DELIVERING, "play t12", "options")
    assert "the base of t12 does not touch Hill 4" in text
    assert "  t22\n" in text


def test_play_wants_one_option() -> None:
    """Where two open options are named, nothing is played."""
    text = asked("play the forest witch and the hill witch", "undo")
    assert "may mean forest witch, hill witch." in text
    assert "There is nothing to take back." in text


def test_nothing_more_is_asked_when_it_is_over() -> None:
    """A cowardly witch: whoever does not deliver gains nothing, and then nobody is asked.

    The position may still be changed by hand.
    """
    text = asked(*DELIVERING, "what if pass", "play pass", "may carla deliver at t23")
    assert text.count("Nothing else happens.\n") == 2
    assert "Then it is over." in text
    assert text.count("Nobody is asked anything here.") == 2
    text = asked(*DELIVERING, "play pass", "set points 3 Carla", "score Carla")
    assert "  Carla: 3\n" in text


# --- what is named must fit ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("may carla deliver green at t22", "No: t22 is purple, not green."),
        ("what if carla delivers green at t22", "No: t22 is purple, not green."),
        ("play green t22", "No: t22 is purple, not green."),
        ("may carla deliver the green potion at t22", "not green potion."),
        ("may carla deliver from the forest at t22", "No: Hill 4 is hill, not forest."),
        ("may carla deliver with pawn 2 at t22", "No: this is about Carla's pawn 1, not Carla's"),
        ("may carla deliver from hill 5 at t22", "No: this is about Hill 4, not Hill 5."),
    ],
)
def test_what_does_not_fit_comes_first(sentence: str, said: str) -> None:
    """Who names a colour, a piece or a site that has no part in it is told so before all else."""
    told = asked(*DELIVERING, sentence)
    told = told[told.index("Deliver to which tower?\n") :].partition("\n")[2]
    assert told.startswith("No: ")
    assert said in told.splitlines()[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "may carla deliver purple at t22",
        "may carla deliver the purple potion from hill 4 at t22",
        "may carla with pawn 1 deliver at t22 from the hill",
    ],
)
def test_what_fits_is_not_remarked(sentence: str) -> None:
    """What has a part in it is no reason for a remark."""
    text = asked(*DELIVERING, sentence)
    assert "No: " not in text
    assert "t22 is open." in text


def test_what_does_not_fit_german() -> None:
    """The same in German, with the endings of adjectives."""
    text = asked(*DELIVERING, "darf carla den grünen an t22 liefern", language="de")
    assert "Nein: t22 ist violett, nicht grün.\nt22 ist möglich." in text


def test_a_colour_alone() -> None:
    """Named is only what is delivered: the open towers of that colour, or that there are none."""
    text = asked(*DELIVERING, "may carla deliver purple")
    sites = loaded("broom_service").names.sites
    found = re.search(r"^Yes, with (.+)\.$", text, re.M)
    assert found
    purple = loaded("broom_service").names.words["purple"][0]
    assert all(sites[one].values["colour"] == purple for one in found[1].split(", "))
    text = asked(*DELIVERING, "may carla deliver green")
    assert "No: t22 is purple, not green.\n" in text
    assert "Yes, with" not in text


# --- verbs alone, and words that are not understood ----------------------------------------------


def test_a_verb_alone() -> None:
    """What is open of that kind, or what is asked instead, and what the rules say of it."""
    text = asked(*DELIVERING, "may carla deliver", "may carla follow")
    assert re.search(r"^Open now: .*t22.*, pass\.$", text, re.M)
    assert "(delivery_no_fitting_tower)" in text or "(witch_brave_delivers)" in text
    assert "Not now: Carla is asked: Deliver to which tower?" in text
    assert "(follow_after_lead)" in text
    assert "Carla is not open" not in text


def test_a_verb_of_somebody_who_is_not_asked() -> None:
    """The name of a player is no option."""
    text = asked(*DELIVERING, "may bonnie deliver")
    assert "It is Carla who is asked, not Bonnie." in text
    assert "Bonnie is not open" not in text
    text = asked("darf ich fünf Karten nehmen", language="de")
    assert "Nicht verstanden: 'fünf'" in text
    assert "ist möglich" not in text


@pytest.mark.parametrize(
    ("sentence", "word", "statement"),
    [
        ("may Anna choose five cards", "five", "choosing_four"),
        ("may anna deliver without flying", "without", "witch_no_delivery_without_move"),
    ],
)
def test_words_that_change_the_meaning(sentence: str, word: str, statement: str) -> None:
    """A number or a negation is never skipped; the nearest rules are told."""
    text = asked(sentence)
    assert f"Not understood: '{word}'." in text
    assert f"({statement})" in text


def test_nothing_is_proposed_that_was_said() -> None:
    """No hint is what was typed, nor a player for a word of the sentence."""
    text = asked("why not t12", "why not cowardly", "may Bonnie say next?")
    assert "Did you mean" not in text
    assert "Did you mean" not in asked("why not blue 9", "why not the blue 9", game="potions")
    assert "Did you mean 'hill witch'?" in asked("why not the hill wich")


def test_unknown_players() -> None:
    """Who does not play is said not to."""
    text = asked("may zorro play brave", "score zorro", "darf bonny mutig sein")
    assert text.count("No player is called 'zorro'.") == 2
    assert "No player is called 'bonny'. Did you mean 'Bonnie'?" in text
    assert "Anna: 10" not in text
    assert "brave is open" not in text


# --- several answers in a row --------------------------------------------------------------------

FLYING = ("begin fly as Anna with landscape=mountain, delivers=no",)


def test_an_answer_to_a_later_question() -> None:
    """Mountain 2 borders the castle of pawn 1: asked is the pawn, so the way is told (de, 17)."""
    sites = loaded("broom_service").names.sites
    assert sites["mountain_2"].number in sites["hill_2"].related["neighbours"]
    text = asked("put p1_pawn_1 hill_2", *FLYING, "may anna fly to mountain 2", "play mountain 2")
    assert "Yes: Anna's pawn 1" in text
    assert "That comes only after Anna's pawn 1." in text
    text = asked("put p1_pawn_1 hill_2", *FLYING, "what if anna flies to mountain 2")
    assert "  Anna flies to Mountain 2." in text


def test_an_answer_to_no_later_question() -> None:
    """Where no pawn can fly, the reasons of each are told."""
    sites = loaded("broom_service").names.sites
    assert sites["mountain_3"].number not in sites["hill_2"].related["neighbours"]
    text = asked("put p1_pawn_1 hill_2", *FLYING, "may anna fly to mountain 3")
    assert "No, Mountain 3 is not open to Anna in any way:" in text
    assert " after Anna's pawn 1:\n" in text
    assert "Mountain 3 does not border Hill 2" in text
    text = asked(
        *("put p1_pawn_1 hill_2", *FLYING, "darf anna mit figur 1 nach berg 3 fliegen"),
        language="de",
    )
    assert "Berg 3 grenzt nicht an Hügel 2" in text


def test_a_verb_after_some_answers() -> None:
    """A hill witch flies (de, roles_witches): after the answer that Anna gives first."""
    leading = ("put hill_witch hand(Anna)", "set leader Anna", "begin turn as Anna")
    text = asked(*leading, "may anna fly")
    assert re.search(r"^Not yet; after \w+: Which pawn flies\?$", text, re.M)


def test_numbers_of_options() -> None:
    """Options are numbered, and played by number; a number beyond them is none."""
    text = asked("options", "play #2", "undo", "play 2", "why 99")
    numbered = re.findall(r"^ +(\d+)  ([a-z ]+)  \(", text, re.M)
    assert [int(number) for number, _ in numbered] == list(range(1, len(numbered) + 1))
    assert asked("options", "play 2", "log").count(f"  Anna: {numbered[1][1]}\n") == 1
    assert "'99' is no number of an open option: 1 to " in text


# --- questions about the rules and the position --------------------------------------------------


@pytest.mark.parametrize(
    ("game", "sentence", "statement", "wrong"),
    [
        ("wizard_extreme", "who wins the trick", "trick_won_by_trump", "nobody"),
        ("wizard_extreme", "who gets the white seal", "white_given", "is changed by"),
        ("potions", "when does the game end", "end_at_30", "is changed by"),
        ("broom_service", "who starts the next round", "round_starts_with_choice", "round: 1"),
        ("broom_service", "how many cards do I choose", "choosing_four", "cards to choose"),
        (
            "broom_service",
            "does the bewitched role cost points when I am cowardly",
            "bewitched_loss_any_declaration",
            "not open",
        ),
    ],
)
def test_questions_go_to_the_rules(game: str, sentence: str, statement: str, wrong: str) -> None:
    """A stray word is no counter and no option: the rules with most of the words are told."""
    text = asked(sentence, game=game)
    assert f"({statement})" in text
    assert wrong not in text


def test_questions_go_to_counters() -> None:
    """A counter is told if its whole name is asked for, and of one player if one is named."""
    text = asked("which round is it", "points of carla", "wer führt", "whose turn is it")
    assert "  round: 1" in text
    assert "  points (Carla): 10" in text
    assert "points (Anna)" not in text
    assert "  leader: Anna" in text
    assert "Anna is asked: Choose a role for this round\n    Broom Service" in text
    assert "  leads the trick: nobody" in asked("who leads", game="wizard_extreme")


def test_questions_go_to_options() -> None:
    """What is open, and whether something is; when somebody may do something."""
    text = asked("is the hill witch open", "what is open", "when may anna choose the hill witch")
    assert text.count("hill witch is open.") == 2
    assert "   1  " in text


# --- leading questions ---------------------------------------------------------------------------


def table(*sentences: str, record: str, language: str = "en") -> str:
    """Return what a referee says at the end of a recorded game."""
    file = ROOT / "examples" / "records" / f"{record}.yaml"
    says = [part for sentence in sentences for part in ("--say", sentence)]
    result = CliRunner().invoke(commands, ["ask", str(file), "--lang", language, *says])
    assert result.exit_code == 0, result.output
    return result.output


def test_why_not_asked() -> None:
    """The only card in hand is led without a question (en, competition); the others were not."""
    leading = ("put forest_witch hand(Anna)", "set leader Anna", "begin turn as Anna")
    line = "  Anna: forest witch, as nothing else is open (Which role do you lead?)"
    for sentence in ("why was I not asked", "why wasn't Anna asked", "why must anna lead that"):
        assert asked(*leading, sentence).count(line) == 2, sentence
    text = asked(
        *leading, "play brave", "why was bonnie not asked", "warum wurde Carla nicht gefragt"
    )
    assert "  Bonnie is not asked: Bonnie does not hold the forest witch\n" in text
    assert "  Carla is not asked: Carla does not hold the forest witch\n" in text
    text = asked(*leading, "why was bonnie not asked")
    assert "It is Anna who is asked, not Bonnie." in text
    text = asked("why was I not asked")
    assert "The log tells of nothing that anybody had to do, or was not asked." in text
    text = asked(*leading, "warum wurde ich nicht gefragt", "warum muss ich", language="de")
    assert text.count("Anna: Waldhexe, denn nichts anderes ist möglich") == 3


def test_failed_requirements_are_told() -> None:
    """Where the log knows which requirements failed, they follow the line."""
    check = Check("is_free", False, "t12 is occupied", Provenance("assumed"))
    one = referee()
    add_checks(one, LogEntry("skipped", 0, "Anna is not asked", checks=(check,)))
    assert isinstance(one.out.file, io.StringIO)
    assert one.out.file.getvalue().startswith("      ✗ t12 is occupied\n        assumed")


def test_why_must() -> None:
    """Without anything forced: what is open now, and by which rule (de, tricks)."""
    text = table("why must Cem play the yellow 8", record="wizard_extreme")
    assert "Cem is asked: Play which card?" in text
    assert "yellow 8 is open." in text
    assert "✓ follows suit\n" in text


def test_why_points() -> None:
    """Whoever lays a bewitched role loses 3 points (en, important_rules): the entry and passage."""
    for sentence in ("why did bob lose three points", "why did I lose 3 points"):
        text = table(sentence, record="broom_service")
        assert re.search(r"^  Bob -3: .+ is bewitched$", text, re.M), sentence
        assert "rulebook (en), “Other Important Rules”" in text
        assert "-2" not in text
    text = table("warum hat Bob drei Punkte verloren", record="broom_service", language="de")
    assert re.search(r"^  Bob -3: .+ ist verwunschen$", text, re.M)
    text = asked("why did bonnie lose three points")
    assert text == "The log tells of no such thing.\n"


def test_why_a_piece() -> None:
    """Ann wins a trick without a seal that fits (de, tricks): she takes a black one, unasked."""
    text = table("why did Ann take a black seal", record="wizard_extreme")
    assert "  Ann is not asked, as nothing is open (Pay with which seal?)" in text
    assert "  Ann has to take a black seal.\n" in text
    assert "“Der Kampf um die Stiche”; Wizard Extreme" in text
    text = table("why did Ann lose the witch", record="broom_service")
    assert re.search(r"^  Ann.* witch", text, re.M)
    assert "Bob" not in text


def test_who_leads_and_why() -> None:
    """The winner of the trick leads (de, tricks): the counter, what was told, and the rules."""
    for sentence in ("who leads and why", "why does Ann lead"):
        text = table(sentence, record="wizard_extreme")
        assert "  leads the trick: Ann\n" in text, sentence
        assert "  Ann wins the trick with the blue 9.\n" in text
        assert "(trick_next_lead)" in text
    text = table("wer spielt aus und warum", record="broom_service", language="de")
    assert "  Ausspieler: Ann\n" in text
    assert "  Ann handelt mutig (Heidehexe).\n" in text


# --- records -------------------------------------------------------------------------------------


def test_records_are_asked_about(tmp_path: Path) -> None:
    """A record is opened at its end, after some answers, or where it stops being legal."""
    record = tmp_path / "table.yaml"
    record.write_text(
        "record: wizard_extreme\nplayers: [Ann, Bob, Cem]\nseed: 3\n"
        "moves:\n  - Bob: magician\n  - Cem: green_seal, pass\n",
        encoding="utf-8",
    )
    text = typed("who leads", arguments=("--position", str(record)))
    assert "The record, after 3 answers." in text
    assert "Ann is asked: Take which seal?" in text
    result = CliRunner().invoke(commands, ["ask", str(record), "--to", "0", "--say", "options"])
    assert "Bob is asked: Predict tricks, or be the black magician?" in result.output
    record.write_text(record.read_text("utf-8").replace("green_seal", "white_seal"), "utf-8")
    text = typed("why not white seal", arguments=("--position", str(record)))
    assert "The record is not legal from move 2 on" in text
    assert "white seal is not open:" in text
    result = CliRunner().invoke(commands, ["ask", "wizard_extreme", "--to", "3"])
    assert result.exit_code == 2
    assert "--to counts the answers of a record" in result.output


def test_saved_positions_know_their_game(tmp_path: Path) -> None:
    """A saved position is opened without naming the game."""
    file = tmp_path / "table.json"
    asked(f"save {file}", game="wizard_extreme")
    result = CliRunner().invoke(commands, ["ask", str(file), "--say", "options"])
    assert "Predict tricks, or be the black magician?" in result.output


# --- putting together ----------------------------------------------------------------------------


def test_a_place_for_one_exchanges() -> None:
    """Only one event lies open (de, events): another one takes its place, the old one goes back."""
    one = referee()
    for line in ("put everything_once event_now", "put as_in_olden_times event_now"):
        answer(one, line)
    assert one.state.pieces("event_now") == {"as_in_olden_times": 1}
    places = [one.state.pieces(place) for place in ("event_stack", "box", "events_before")]
    assert sum(place.get("everything_once", 0) for place in places) == 1
    assert isinstance(one.out.file, io.StringIO)
    assert "Exchanged for Everything Once!" in one.out.file.getvalue()


@pytest.mark.parametrize(
    ("laying", "count"),
    [
        ("put green_potion stock(Carla) three", 3),
        ("put green potion in stock (Carla) 2", 2),
        ("put green_potion stock(p3)", 1),
        ("lege grünen Trank Ressourcen(Carla) drei", 3),
    ],
)
def test_counts_may_be_words(laying: str, count: int) -> None:
    """How many, in digits or in letters."""
    one = referee()
    answer(one, "put green_potion stock(Carla) 9")
    answer(one, laying)
    assert one.state.pieces("stock", 2)["green_potion"] == count


def test_a_number_may_end_a_name() -> None:
    """Hill 4 is a region, not four of them."""
    one = referee()
    answer(one, "put p3 pawn 1 on Hill 4")
    assert one.state.pieces("hill_4")["p3_pawn_1"] == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("put green_potion stock(Carla) -5", "'-5' is no count: a whole number from 0."),
        ("put green_potion stock(Carla) many", "'many' is no count"),
        ("put green_potion stock(Zoe)", "there is no player 'Zoe'"),
        ("begin fly as Anna with landscape=wood, delivers=no", "'wood' is no value of landscape."),
        (
            "begin fly as Anna with landscape=wood, delivers=no",
            "landscape: one of forest, hill, mountain, prairie, lake",
        ),
        ("begin fly as Anna with landscape=hill", "delivers: yes or no"),
    ],
)
def test_mistakes_in_positions(line: str, said: str) -> None:
    """What is wrong with a piece, a count, a player or a word, and what it may be."""
    assert said in asked(line)


def test_counters_by_name() -> None:
    """Counters may be called what the rulebook calls them, owners before or after the value."""
    one = referee()
    for line in ("set round 3", "set points of Carla to 12", "set points 14 Bonnie"):
        answer(one, line)
    answer(one, "setze Rolle der Runde Hügelhexe")
    assert one.state.counter("round_number") == 3
    assert [one.state.points[i] for i in (1, 2)] == [14, 12]
    assert one.state.counter("led") == one.game.names.pieces["hill_witch"].number


# --- counters and rules --------------------------------------------------------------------------


def test_counters_and_rules() -> None:
    """Counters with the verbs that change them; rules by name and by word."""
    text = asked("who leads", "round", "rule is_free", "rule wands tower", "rule is_fre")
    assert "  leader: Anna" in text
    assert "leader is changed by: turn, compete." in text
    assert "  round: 1" in text
    assert "refused with: a tower is occupied" in text
    assert "One or two wands shown at the tower" in text
    assert "Did you mean 'is_free'?" in text


def test_counters_of_players() -> None:
    """A counter that each player has is shown for each; all begin with 10 points (en, setup)."""
    text = asked("points", "who sits")
    for name in NAMES:
        assert f"  points ({name}): 10\n" in text
    assert "No rule speaks of 'sits'." in text


def test_counters_of_pieces() -> None:
    """Of a counter that each piece has only the rules are told."""
    text = asked("strength", game="potions")
    assert "strength is changed by: " in text
    assert not re.search(r"strength( \(\w+\))?: ", text)


def test_many_rules_have_the_same_word() -> None:
    """The first rules with a word are shown, behind the verb of that name."""
    text = asked("rule take")
    counter = asked("rule leader")
    assert counter.startswith("  leader (counter)\n      leader is changed by: turn, compete.\n")
    assert "  take (verb)\n" in text
    assert "take(piece, amount)" not in text
    assert len(re.findall(r"^  \d+\.\d+  ", text, re.M)) == MOST_STATEMENTS
    assert re.search(r"^  and \d+ more$", text, re.M)


def test_forced_is_told() -> None:
    """A lone card is led by itself, and the referee says so when asked (en, competition)."""
    leading = ("put forest_witch hand(Anna)", "set leader Anna", "begin turn as Anna")
    line = "  Anna: forest witch, as nothing else is open (Which role do you lead?)"
    source = "Broom Service, rulebook (en), “Let the magical competition begin”\n"
    text = asked(*leading, "forced")
    assert text.count(line) == 2
    assert text.endswith(source)
    assert text[text.rindex(line) + len(line) :].count("\n") == 2
    text = asked(*leading, "play brave", "forced")
    told = text[text.index("acts as the brave") :]
    assert "Anna: forest witch" not in told
    for name in ("Bonnie", "Carla"):
        assert f"  {name} is not asked: {name} does not hold the forest witch\n" in told
    assert asked("forced") == "Nothing was forced or skipped since the last answer.\n"


def test_the_log_is_told() -> None:
    """What has happened since the beginning, in order, without moves of pieces."""
    text = asked("play forest witch", "log")
    told = text[text.rindex("Anna is asked") :].splitlines()[1:]
    assert told[-1] == "  Anna: forest witch"
    assert "  --- Round 1 ---" in told
    assert not any("->" in line for line in told)


def test_pieces_are_laid_by_name() -> None:
    """Names of several words, in either language, with or without a preposition."""
    for laying in (
        ("put p3 pawn 1 on hill_4", "put purple potion stock(Carla)"),
        ("lege Carlas Figur 1 auf Hügel 4 1", "lege violetter Trank Ressourcen(p3) 2"),
    ):
        assert "t22 is open." in asked(*laying, DELIVERING[-1], "may carla deliver at t22")


@pytest.mark.parametrize(("delivers", "asks"), [("yes", True), ("ja", True), ("No", False)])
def test_arguments_may_be_yes_or_no(delivers: str, asks: bool) -> None:
    """A brave witch delivers where she has arrived, a cowardly one does not (de, roles_witches)."""
    text = asked(
        *DELIVERING[:-1], f"begin arrive as Carla with pawn=p3_pawn_1, delivers={delivers}"
    )
    assert ("Carla is asked: Deliver to which tower?" in text) == asks


def test_setting_counters() -> None:
    """Counters are set by hand, for a player where they are kept for each."""
    text = asked(
        "set points 30 Carla", "score Carla", "set points 30", "set points", "set pionts 3"
    )
    assert "  Carla: 30" in text
    assert "'points' is kept for each player" in text
    assert "Write 'set COUNTER VALUE [OWNER]'." in text
    assert "did you mean 'points'" in text


def test_german() -> None:
    """The referee is asked, and answers, in German."""
    text = typed(
        "darf anna die hügelhexe wählen",
        "warum nicht t12",
        "was wenn waldhexe",
        "wer spielt aus",
        "optionen",
        "ende",
        "optionen",
        arguments=(*THREE, "--lang", "de"),
    )
    assert "Hügelhexe ist möglich." in text
    assert re.search(r"✗ Anna wird gefragt: „Wähle eine Rolle .*“; gefragt ist .*t12$", text, re.M)
    assert "Dann wird Anna gefragt: Wähle eine Rolle für diesen Durchgang" in text
    assert "  Ausspieler: Anna" in text
    assert text.endswith("Auf Wiedersehen.\n")
    assert text.count("  Waldhexe  (forest_witch)") == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_help(language: str) -> None:
    """The help is in the language of the referee."""
    assert asked("?", language=language) == HELP[language == "de"] + "\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("xyzzy", "Nothing in 'xyzzy' is the name of an option."),
        ("hill wich", "Did you mean 'hill witch'?"),
        ("undo", "There is nothing to take back."),
        ("begin", "Write 'begin VERB as PLAYER with NAME=VALUE'."),
        ("begin flyy as Anna", "there is no verb 'flyy' (did you mean 'fly'?)"),
        ("begin turn as Zoe", "there is no player 'Zoe'"),
        ("begin fly as Anna", "'fly' needs landscape, delivers."),
        ("begin fly as Zoe", "there is no player 'Zoe'"),
        ("put", "Write 'put PIECE PLACE [COUNT]'."),
        (
            "put green_poton supply",
            "there is no piece 'green_poton' (did you mean 'green_potion'?)",
        ),
        ("put green_potion suply", "there is no place 'suply' (did you mean 'supply'?)"),
        ("put green_potion supply 9999", "more pieces are to be moved than there are"),
        ("save", "Say which file"),
        ("save /nowhere/at/all.json", "No such file or directory"),
        ("what if", "Nothing in ''"),
        ("rule xyzzy", "No rule speaks of 'xyzzy'."),
        ("begin turn as Anna with x=1", "there is no parameter 'x'"),
    ],
)
def test_mistakes_are_said(line: str, said: str) -> None:
    """Whatever is typed, the referee says what is wrong and goes on."""
    text = asked(line, "may Anna choose the hill witch")
    assert said in text
    assert "hill witch is open." in text


def test_saved_positions(tmp_path: Path) -> None:
    """A position saved here is asked about later."""
    file = tmp_path / "table.json"
    asked(*DELIVERING, f"save {file}")
    text = typed("why not t12", arguments=("--position", str(file)))
    assert "Carla is asked: Deliver to which tower?" in text
    assert "the base of t12 does not touch Hill 4" in text
    text = typed("", arguments=("--position", str(file), "--names", "Ann,Ben,Cleo"))
    assert "Cleo is asked: Deliver to which tower?" in text
    assert text.count("> ") == 2
    assert bs.load("broom_service").from_json(file.read_text(encoding="utf-8")).player == 2


def test_names_must_fit() -> None:
    """As many different names as players."""
    for arguments in (("--names", "Ann,Ann"), ("--names", "Ann,Bob", "--players", "3")):
        result = CliRunner().invoke(commands, ["ask", "broom_service", *arguments])
        assert result.exit_code == 2
        assert "different names are needed" in result.output


def test_say_answers_and_stops() -> None:
    """Sentences on the command line are answered without a prompt."""
    result = CliRunner().invoke(
        commands, ["ask", "wizard_extreme", "--say", "options", "--say", "quit", "--say", "options"]
    )
    assert result.exit_code == 0
    assert result.output.startswith("> options\n")
    assert result.output.count("> options") == 1


def test_say_needs_no_quit() -> None:
    """After the last sentence on the command line nothing more is read."""
    result = CliRunner().invoke(commands, ["ask", "broom_service", *THREE, "--say", "who leads"])
    assert result.output.splitlines()[:2] == ["> who leads", "  leader: Anna"]


def test_mistakes_of_the_engine_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine gets wrong ends the talk, and asks for a report."""

    def broken(_referee: Referee, _: str) -> None:
        raise bs.EngineError("a stock is negative")

    monkeypatch.setitem(HANDLERS, "log", broken)
    result = CliRunner().invoke(commands, ["ask", "broom_service", "--say", "log", "--say", "?"])
    assert result.exit_code == 1
    assert "mistake of the engine, please report it: a stock is negative" in result.output
    assert "may PLAYER" not in result.output


# --- completion ----------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A terminal at which nothing is typed."""

    def isatty(self) -> bool:
        return True


def test_names_are_completed_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tab key completes commands and names, where the machine has what it takes."""
    readline = pytest.importorskip("readline")
    words = completions(referee())
    monkeypatch.setattr(sys, "stdin", Terminal())
    before = readline.get_completer()
    try:
        complete(words)
        found = readline.get_completer()
    finally:
        readline.set_completer(before)
    assert [found("forest_w", i) for i in range(2)] == ["forest_witch", None]
    assert [found("Bon", 0), found("beg", 0), found("lead", 0)] == ["Bonnie", "begin", "leader"]


def test_completion_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere, or without the module, names are typed in full."""
    readline = pytest.importorskip("readline")
    before = readline.get_completer()
    complete(["anything"])
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setitem(sys.modules, "readline", None)
    complete(["anything"])
    assert readline.get_completer() is before


# --- what there is not ---------------------------------------------------------------------------


def test_a_counter_of_a_player_takes_only_who_plays() -> None:
    """Of three players there is no fifth; a number counts the seats, as p2 does."""
    text = asked("set leader 5", "who leads and why")
    assert "there is no player 'p5'" in text
    assert "leader: Anna" in text
    assert "leader: Bonnie" in asked("set leader 2", "who leads and why")


def test_counters_take_only_what_they_may_hold() -> None:
    """Players who play, things of the right sort, and numbers that the engine can hold."""
    scenario = Scenario.of(loaded("broom_service"), 3)
    for counter, value in (("leader", 3), ("leader", -2), ("round_number", 10**9 + 1)):
        with pytest.raises(ScenarioError, match=f"'{counter}' cannot be {value}"):
            scenario.set(counter, value)
    with pytest.raises(ScenarioError, match="is kept for each player"):
        scenario.set("points", 3, "nobody")
    scenario.set("leader", "nobody")
    leader = scenario.game.compiled(3).plan.counters["leader"].base
    assert scenario.table.cells[leader] == -1


def test_a_stranger_was_not_asked() -> None:
    """Who does not play was not asked because nobody is called so; a likely name is proposed."""
    for sentence in ("why was Ann not asked", "why wasn't Ann asked"):
        assert "No player is called 'ann'. Did you mean 'Anna'?" in asked(sentence)
    assert "Niemand heißt hier „xaver“." in asked("warum wurde Xaver nicht gefragt", language="de")
    assert "No player is called" not in asked("why was nobody asked")


def test_a_rule_needs_a_word() -> None:
    """Without a word it is said how to ask."""
    assert asked("rule").strip() == "Write 'rule WORD'."


def test_what_may_be_part_of_a_set_is_no_refusal() -> None:
    """Four of ten roles are chosen, in any order: so the last of the list is none too late."""
    text = asked("may Anna choose the weather fairy")
    assert text.startswith("weather fairy may be chosen, with 3 more.")
    assert "✓" in text
    assert "✗" not in text
    german = asked("warum nicht Wetterfee", language="de")
    assert german.startswith("Wetterfee: kann gewählt werden, mit 3 weiteren.")


def test_too_few_of_a_set_are_refused_in_the_language() -> None:
    """Four roles are chosen, not three."""
    three = "weather fairy, hill witch, forest witch"
    assert asked(f"play {three}").strip() == "4 are picked here, not 3"
    assert asked(f"spiele {three}", language="de").strip() == "hier werden 4 gewählt, nicht 3"


def test_hints_are_in_the_language() -> None:
    """A name that is misspelt in any language is proposed as it is called in the answer."""
    one = referee(language="de")
    assert one.meant("hill_witch") == " Ist „Hügelhexe“ gemeint?"
    assert one.meant("no_such_thing") == " Ist „no_such_thing“ gemeint?"
    assert one.meant("") == ""
