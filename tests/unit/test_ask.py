"""The referee at the prompt: plain sentences in, reasons and passages out, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.ask import COMMANDS, HELP, Referee, command_of
from broomservice.cli.group import commands
from broomservice.cli.hearing import Ear, words_of
from tests.packs import loaded

THREE = ("--names", "Anna,Bonnie,Carla")
DELIVERING = (
    "put p3_pawn_1 hill_4",
    "put purple_potion stock(Carla) 1",
    "begin deliver_from as Carla with pawn=p3_pawn_1",
)


def asked(*sayings: str, arguments: tuple[str, ...] = THREE) -> str:
    """Return what is printed when sentences are typed into the prompt."""
    result = CliRunner().invoke(
        commands, ["ask", "broom_service", *arguments], input="\n".join(sayings) + "\n"
    )
    assert result.exit_code == 0, result.output
    return result.output


# --- names in sentences --------------------------------------------------------------------------


def test_names_are_found_in_sentences() -> None:
    """Longer names go before shorter ones; other words are left over."""
    state = loaded("broom_service").start(3, seed=1, names=["Anna", "Bonnie", "Carla"])
    heard = Ear.of(state).hear("May Carla deliver green, with the Hill Witch, at t12?")
    assert [option.label for option in heard.options] == ["green", "hill_witch", "t12"]
    assert heard.players == (2,)
    assert heard.rest == ("may", "deliver", "with", "the", "at")


def test_names_are_found_in_german_and_with_owners() -> None:
    """German names, possessives and labels with underscores mean the same things."""
    ear = Ear.of(loaded("broom_service").start(3, seed=1, names=["Anna", "Bonnie", "Carla"]))
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
        ("may Carla pass", "why", "Carla pass"),
        ("why not t12", "why", "t12"),
        ("Was wenn t12", "what_if", "t12"),
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
    state = loaded("broom_service").start(2, seed=1)
    from broomservice.cli.common import console

    handlers = Referee(console(), state.game, state, "en").handlers()
    assert set(COMMANDS.values()) | {""} == set(handlers)
    told = " ".join(HELP).casefold()
    for command in set(COMMANDS.values()) - {"help"}:
        assert any(word in told for word, same in COMMANDS.items() if same == command), command


# --- asking --------------------------------------------------------------------------------------


def test_may_says_why() -> None:
    """An open option with the requirement that it meets, and its passage (en, choosing_roles)."""
    text = asked("may Anna choose the hill witch?")
    assert "hill witch is open." in text
    assert "Broom Service, rulebook (en), “Choosing Role Cards”" in text


def test_another_player_is_not_asked() -> None:
    """The question is Anna's, so nothing is said of Carla's options."""
    text = asked("may Carla choose the hill witch")
    assert "It is Anna who is asked, not Carla." in text
    assert "hill witch is open" not in text


def test_several_options_are_explained() -> None:
    """Of several things named, those that are asked about are explained, the rest mentioned."""
    text = asked(*DELIVERING, "may carla deliver green at t22 or t12")
    assert "t22 is open." in text
    assert "t12 is not open:" in text
    assert "the base of t12 does not touch Hill 4" in text
    assert "This rests on what no rulebook says: t12, hill_4" in text
    assert "(Not what is asked about: green.)" in text


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


def test_counters_and_rules() -> None:
    """Counters with the verbs that change them; rules by name and by word."""
    text = asked("who leads", "round", "rule is_free", "rule wands tower", "rule is_fre")
    assert "  leader: Anna" in text
    assert "leader is changed by: turn, compete." in text
    assert "  round: 1" in text
    assert "{tower} is occupied" in text
    assert "One or two wands shown at the tower" in text
    assert "Did you mean 'is_free'?" in text


def test_forced_is_told() -> None:
    """A lone card is led by itself, and the referee says so when asked."""
    text = asked("put weather_fairy aside(Anna)", "forced", *DELIVERING, "forced")
    assert text.count("Nothing else happens.") == 2


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
    text = asked(
        "darf anna die hügelhexe wählen",
        "warum nicht t12",
        "was wenn waldhexe",
        "wer spielt aus",
        "optionen",
        "ende",
        arguments=(*THREE, "--lang", "de"),
    )
    assert "Hügelhexe ist möglich." in text
    assert "gefragt ist Rolle, nicht t12" in text
    assert "Dann wird Anna gefragt: Wähle eine Rolle für diesen Durchgang" in text
    assert "  Ausspieler: Anna" in text
    assert "Auf Wiedersehen." in text


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", "Nothing in 'xyzzy' is the name of an option."),
        ("hill wich", "Did you mean 'hill witch'?"),
        ("undo", "There is nothing to take back."),
        ("begin", "Write 'begin VERB as PLAYER with NAME=VALUE'."),
        ("begin flyy as Anna", "there is no verb 'flyy' (did you mean 'fly'?)"),
        ("begin turn as Zoe", "there is no player 'Zoe'"),
        ("begin fly as Anna", "'fly' needs 'landscape'"),
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
def test_mistakes_are_said(line: str, answer: str) -> None:
    """Whatever is typed, the referee says what is wrong and goes on."""
    text = asked(line, "may Anna choose the hill witch")
    assert answer in text
    assert "hill witch is open." in text


def test_saved_positions(tmp_path: Path) -> None:
    """A position saved here is asked about later."""
    file = tmp_path / "table.json"
    asked(*DELIVERING, f"save {file}")
    text = asked("why not t12", arguments=("--position", str(file)))
    assert "the base of t12 does not touch Hill 4" in text
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
