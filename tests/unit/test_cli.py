"""The command line: what it prints, how it ends, and that it never shows a traceback."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import broomservice as bs
from broomservice.bots import bots_for
from broomservice.cli import common, main
from broomservice.cli.common import console
from broomservice.cli.group import commands
from broomservice.cli.play import names_of, seats_of
from broomservice.cli.records import print_finding
from broomservice.cli.scoring import breakdown, winners_line
from broomservice.cli.telling import Line, Teller, tell_game
from broomservice.cli.texts import LANGUAGES, TEXTS, listed, said
from broomservice.log import LogEntry, entries
from broomservice.records import Finding
from broomservice.rulebook.cases import cases_in


@cache
def loaded(
    game: str, variants: tuple[str, ...], options: tuple[tuple[str, int], ...], board: str | None
) -> bs.Game:
    """Return a game, compiled once for all tests."""
    return bs.load(game, variants=variants, options=dict(options), board=board)


@pytest.fixture(autouse=True)
def load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands share games, which are immutable; only the time differs."""
    monkeypatch.setattr(
        common,
        "load",
        lambda game, *, variants, options, board: loaded(
            game, variants, tuple(options.items()), board
        ),
    )


SHORT = ("--option", "rounds=1")
HEAD = "# yaml-language-server: $schema=x/{}.schema.json\n"
ESCAPE = "\x1b"


def run(*arguments: str, text: str = "") -> Result:
    """Run a command; a traceback fails the test."""
    result = CliRunner().invoke(commands, list(arguments), input=text)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def data(*arguments: str) -> Any:
    """Run a command that prints data, and read it."""
    result = run(*arguments, "--json")
    return json.loads(result.stdout)


# --- the group -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(commands.commands))
def test_help_has_examples(name: str) -> None:
    """Every command shows how it is used, and its examples name commands that there are."""
    result = run(name, "--help")
    assert result.exit_code == 0
    examples = re.findall(r"^    broomservice (\w+)", result.output, re.M)
    assert len(examples) >= 2
    assert set(examples) == {name}


def test_version_says_which_core_runs() -> None:
    """The version names the core: compiled or pure."""
    result = run("--version")
    assert re.fullmatch(
        rf"broomservice {bs.__version__} \((pure Python|compiled) core\)\n", result.output
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["demo", "brom_service"], 2, "did you mean 'broom_service'?"),
        (["demo", "--players", "9"], 2, "2 to 5 players, not 9"),
        (["demo", "--option", "rounds"], 2, "write NAME=N"),
        (["demo", "--option", "rounds=99"], 2, "outside 1 to 10"),
        (["demo", "--option", "round=3"], 2, "did you mean 'rounds'?"),
        (["demo", "--variant", "no_such"], 2, "no variant 'no_such'"),
        (["demo", "--variant", "hill_tiles"], 2, "only with 'back_board'"),
        (["demo", "--board", "no_such"], 2, "no board 'no_such'"),
        (["demo", "--bots", "clever"], 2, "no bot 'clever'"),
        (["demo", "--bots", "random,greedy", "--players", "3"], 2, "2 bots for 3 players"),
        (["demo", "--names", "A,B"], 2, "4 names are needed"),
        (["demo", "--names", "A,A", "--players", "2"], 2, "same name"),
        (["play", "--humans", "7"], 2, "no free seat"),
        (["simulate", "broom_service", "-n", "0"], 2, "not in the range"),
        (["simulate", "broom_service", "--fast", "--bots", "greedy"], 2, "random games only"),
        (["sources", "nowhere"], 2, "no game 'nowhere'"),
        (["rulings", "broom_service", "no_such_case"], 2, "no ruling 'no_such_case'"),
        (["rulings", "no_such_file.yaml"], 2, "no file"),
        (["check", "no_such_file.yaml"], 2, "does not exist"),
        (["check"], 2, "Missing argument"),
        (["no_such_command"], 2, "No such command"),
    ],
)
def test_misuse(arguments: list[str], code: int, message: str) -> None:
    """Wrong usage ends with 2 and says what is wrong."""
    result = run(*arguments)
    assert result.exit_code == code
    assert message in result.output


def test_main_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without click the console script says in one line how to get it, and ends with 2."""
    monkeypatch.setitem(sys.modules, "click", None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert 'pip install "broomservice[cli]"' in message


def test_engine_needs_no_command_line() -> None:
    """The engine is imported and plays without click and rich."""
    program = (
        "import sys; sys.modules['click'] = sys.modules['rich'] = None\n"
        "import broomservice, broomservice.bots, broomservice.simulate\n"
        "print(broomservice.load('broom_service').start(2).player)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.stdout.strip(), ended.stderr) == ("0", "")


def test_module_runs_the_command_line() -> None:
    """`python -m broomservice` is the console script."""
    ended = subprocess.run(
        [sys.executable, "-m", "broomservice", "--version"], capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout.split()[0]) == (0, "broomservice")


def test_texts_are_complete() -> None:
    """Every sentence is there in every language, with the same gaps."""
    for key, sentences in TEXTS.items():
        assert len(sentences) == len(LANGUAGES)
        assert len({sentence.count("{}") for sentence in sentences}) == 1, key
        assert all(sentences)


# --- games and sources ---------------------------------------------------------------------------


def test_games() -> None:
    """Broom Service is for 2 to 5 players (en, components), 7 rounds of 4 cards (en, game_play)."""
    packs = {pack["id"]: pack for pack in data("games")}
    assert set(packs) == set(bs.known_games())
    pack = packs["broom_service"]
    assert pack["players"] == [2, 5]
    assert pack["boards"][0] == "front"
    defaults = {option["id"]: option["default"] for option in pack["options"]}
    assert (defaults["rounds"], defaults["hand_cards"], defaults["start_points"]) == (7, 4, 10)


def test_games_in_german() -> None:
    """Names and headings are German on request."""
    text = run("games", "--lang", "de").output
    assert "Spieler: 2-5" in text
    assert "rounds=7  Durchgänge (1-10)" in text


@pytest.mark.parametrize("certainty", ["assumed", "deduced", "cited"])
def test_sources_of_one_certainty(certainty: str) -> None:
    """Only what is asked for is listed; what is cited has a title, the rest has a reason."""
    facts = data("sources", "broom_service", f"--{certainty}")
    assert facts
    assert {fact["certainty"] for fact in facts} == {certainty}
    for fact in facts:
        if certainty == "cited":
            assert all("Broom Service" in citation["title"] for citation in fact["citations"])
            assert fact["citations"]
        else:
            assert fact["because"]


def test_sources_name_file_and_line() -> None:
    """The table of lightning points is assumed, and one finds it where it says."""
    facts = {fact["name"]: fact for fact in data("sources", "broom_service", "--assumed")}
    fact = facts["lightning_points"]
    line = Path(fact["file"]).read_text(encoding="utf-8").splitlines()[fact["line"] - 1]
    assert line.strip() == "lightning_points:"
    text = run("sources", "broom_service", "--assumed", "--lang", "de").output
    assert "lightning_points  angenommen" in text
    assert f"{len(facts)} Angaben angenommen" in text


# --- demo ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told() -> tuple[bs.State, tuple[Line, ...]]:
    """A whole game of three, played and told."""
    state = bs.load("broom_service").start(3, seed=9)
    return state, tell_game(state, bots_for(("random",), 3, 9), "en")


def test_story_has_all_rounds(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """Seven rounds are told in order (en, game_play), then the final scoring."""
    heads = [line.text for line in told[1] if line.kind == "section"]
    assert heads == ["Setup", *(f"Round {i}" for i in range(1, 8)), "Final scoring"]


def test_story_has_all_points(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """Every point scored is in the story, in order."""
    state, lines = told
    scored = [entry.text for entry in state.log if entry.kind == "score"]
    assert [line.text for line in lines if line.kind == "score"] == scored


def test_story_tells_the_cards_of_a_round(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """Each player chooses 4 different roles a round (en, choosing_roles); the story names them."""
    rounds = " ".join(f"{line.kind}|{line.text}\n" for line in told[1]).split("section|Round ")
    checked = 0
    for story in rounds[1:]:
        if "More or Less" in story:
            continue
        hands = re.findall(r"hand\|hand \(p\d\): (.*)", story)
        assert len(hands) == 3
        for hand in hands:
            assert len(set(hand.split(", "))) == 4
        checked += 1
    assert checked >= 6


def test_story_says_nothing_twice(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """An answer that the next sentence says is not told by itself; a pass always is."""
    lines = told[1]
    for line, following in pairwise(lines):
        if line.kind == "answer" and following.kind == "tell":
            answer = line.text.rpartition("? ")[2]
            assert answer == "pass" or answer not in following.text
    passes = [entry for entry in told[0].log if entry.kind == "answer" and entry.option == 0]
    shown = [line for line in lines if line.kind == "answer" and line.text.endswith(" pass")]
    assert len(shown) == len(passes) > 0


def test_story_has_a_paragraph_for_each_turn(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """A player lays one role a turn (en, competition), so announces once in a paragraph.

    The last card of a round is led without asking, so only turns with an answered lead are sure
    to begin a paragraph.
    """
    state, lines = told
    paragraphs = sum(line.kind == "turn" for line in lines)
    leads = sum(
        entry.kind == "answer" and entry.step is not None and entry.step.verb == "turn"
        for entry in state.log
    )
    assert paragraphs >= leads > 7


def test_sentences_head_sections_and_turns(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """A pack's sentence between three dashes heads a section, between two a turn."""
    log = [LogEntry("tell", 0, text) for text in ("--- Round 1 ---", "-- p1 leads --", "Hm - so.")]
    lines = list(Teller.of(told[0], "en").tell(log, {}))
    assert [(line.kind, line.text) for line in lines] == [
        ("section", "Round 1"),
        ("turn", "p1 leads"),
        ("tell", "Hm - so."),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_breakdown_adds_up(told: tuple[bs.State, tuple[Line, ...]], language: str) -> None:
    """Every player begins with 10 points (en, setup); all parts together are the final points."""
    state = told[0]
    parts = breakdown(state, language)
    assert parts.rows[0].points == (10, 10, 10)
    assert parts.total == state.points
    for player in range(3):
        assert sum(row.points[player] for row in parts.rows) == state.points[player]


def test_breakdown_counts_deliveries(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """Deliveries to all towers are one row, with their number."""
    state = told[0]
    row = next(row for row in breakdown(state).rows if row.reason == "delivery to …")
    sentences = [e for e in state.log if e.kind == "tell" and " delivers " in e.text]
    assert sum(row.parts) == len(sentences) > 0


def test_demo_prints_story_and_points() -> None:
    """The demo tells the game and ends with the winner."""
    text = run("demo", "--seed", "3", "--players", "2", *SHORT).output
    assert "=== Round 1 ===" in text
    assert "Where the points come from" in text
    assert re.search(r"p[12] wins with -?\d+ points\.|share the victory", text)
    assert ESCAPE not in text


def test_demo_in_german_with_names() -> None:
    """Names and language are as asked for."""
    text = run("demo", "--players", "2", "--names", "Ida,Karl", "--lang", "de", *SHORT).output
    assert "=== Durchgang 1 ===" in text
    assert "Woher die Punkte kommen" in text
    assert re.search(r"(Ida|Karl): .*, (mutig!|feige\.)", text)


def test_demo_data_adds_up() -> None:
    """The data of a demo: the parts of each player add up to the points."""
    story = data("demo", "--players", "3", "--bots", "greedy", "--seed", "2", *SHORT)
    for player, points in enumerate(story["points"]):
        assert sum(row["points"][player] for row in story["breakdown"]) == points
    assert max(story["points"]) == story["points"][story["winners"][0]]
    assert (
        run("demo", "--players", "3", "--bots", "greedy", "--seed", "2", *SHORT, "--json").stdout
        == json.dumps(story, ensure_ascii=False, indent=2) + "\n"
    )


def test_winners_line() -> None:
    """A victory may be shared."""
    assert listed(["p1", "p2"], "de") == "p1 und p2"
    assert said("share_victory", "en", listed(["p1", "p2"], "en")) == "p1 and p2 share the victory."
    state = bs.load("broom_service", options={"rounds": 1}).start(2, seed=3)
    tell_game(state, bots_for(("random",), 2, 3), "en")
    best = max(state.points)
    assert str(best) in winners_line(state, "en") or len(state.winners) > 1


# --- play ----------------------------------------------------------------------------------------


def playing(text: str, *arguments: str) -> str:
    """Play with typed lines and return what was shown."""
    result = run("play", "--players", "2", "--seed", "2", *arguments, text=text)
    assert result.exit_code == 0
    return result.output


def test_play_ends_cleanly_with_the_input() -> None:
    """At the end of the input the game stops."""
    assert playing("").endswith("Goodbye.\n")
    assert playing("quit\n").endswith("Goodbye.\n")
    assert playing("ende\n", "--lang", "de").endswith("Auf Wiedersehen.\n")


def test_play_by_number_and_by_name() -> None:
    """An option is taken by its number, its name, or the beginning of its name."""
    first = playing("1\n")
    assert "hand (p1): fruit gatherer\n" in first
    for typed in ("fruit gatherer", "fruit_gatherer", "FRUIT", "Früchtesammler"):
        assert "hand (p1): fruit gatherer\n" in playing(f"{typed}\n")


def test_play_refuses_what_is_unclear() -> None:
    """Numbers out of range, names of several options, and unknown names are explained."""
    text = playing("99\ngatherer\nfruit gatehrer\nsnark\n")
    assert "Type a number from 1 to" in text
    assert "may mean fruit gatherer, herb gatherer, root gatherer" in text
    assert "Did you mean 'fruit gatherer'?" in text
    assert "No option is called 'snark'." in text
    assert "hand (p1): fruit" not in text


def test_play_refuses_an_illegal_option_with_the_reason() -> None:
    """A role that was chosen cannot be chosen again; the passage is named."""
    text = playing("1\nfruit gatherer\n")
    assert "fruit gatherer is not open:" in text
    assert "Choosing Role Cards" in text


def test_play_why() -> None:
    """`why` explains anything: what is open, and what is not even of the kind asked for."""
    text = playing("why 1\nwhy hill witch\nwhy p2\nwhy\n")
    assert text.count("is open.") == 2
    assert "p2 is not open:" in text
    assert "this decision asks for a role" in text
    assert "Say what: 'why NAME'." in text


def test_play_undo() -> None:
    """`undo` takes back one's last answer, as often as there are any."""
    text = playing("1\n1\nundo\nundo\nundo\n")
    assert text.count("Taken back.") == 2
    assert text.count("There is nothing to take back.") == 1
    assert text.count("Type the number or the name") == 1


def test_play_save_and_load(tmp_path: Path) -> None:
    """A saved position can be loaded, in the same game or later, and is what `why` reads."""
    file = tmp_path / "position.json"
    text = playing(f"1\nsave {file}\n1\nload {file}\nundo\nscore\n")
    assert f"Saved in {file}." in text
    assert f"Loaded from {file}." in text
    assert "There is nothing to take back." in text
    saved = bs.load("broom_service").from_json(file.read_text(encoding="utf-8"))
    assert saved.pieces("hand", 0) == {"fruit_gatherer": 1}
    again = run("play", "--load", str(file), text="2\n").output
    assert "hand (p1): fruit gatherer\n" in again
    legal = run("why", "broom_service", str(file), "herb gatherer")
    assert (legal.exit_code, legal.output.splitlines()[0]) == (0, "herb gatherer is open.")
    illegal = run("why", "broom_service", str(file), "fruit_gatherer", "--lang", "de")
    assert illegal.exit_code == 1
    assert "Früchtesammler geht jetzt nicht:" in illegal.output


def test_play_load_refuses_rubbish(tmp_path: Path) -> None:
    """A file that is missing, or no position, is refused; the game goes on."""
    file = tmp_path / "rubbish.json"
    file.write_text("{}", encoding="utf-8")
    text = playing(f"load {file}\nload {tmp_path / 'none'}\nsave {tmp_path}\nload\n1\n")
    assert "this is no saved position" in text
    assert "No such file" in text
    assert "Is a directory" in text
    assert "Say which file: 'load FILE'." in text
    assert "hand (p1): fruit gatherer\n" in text
    assert run("play", "--load", str(file)).exit_code == 1


def test_play_words() -> None:
    """`score`, `log`, `table` and `help` show what they say, in either language."""
    text = playing("score\nlog\ntable\nhelp\n")
    assert text.count("  p1: 10\n  p2: 10\n") == 1
    assert text.count("=== Round 1 ===") == 2
    assert re.search(r"event stack: \d+ \(hidden\)", text)
    assert "take back your last answer" in text
    german = playing("punkte\nhilfe\n", "--lang", "de")
    assert "  p1: 10\n  p2: 10\n" in german
    assert "die Stellung in eine Datei schreiben" in german


def test_play_never_shows_hidden_cards() -> None:
    """What others have in hand is not shown before they lay it (en, choosing_roles)."""
    hidden = 0
    for seed in range(6):
        typed = "1\n1\n1\n1\nlog\ntable\n"
        text = playing(typed, "--humans", "2", "--seed", str(seed))
        shown = re.findall(r"^ *(?:hand|cards set aside) \(p1\): (.*)", text, re.M)
        assert all(re.fullmatch(r"\d+ \(hidden\)", part) for part in shown)
        hidden += len(shown)
    assert hidden > 0


def test_play_passes_the_screen() -> None:
    """With two people at one screen, it is handed over before the other sees hidden things."""
    typed = "\n1\n1\n1\n1\n\nquit\n"
    text = playing(typed, "--humans", "Ann,Bob", "--seed", "1")
    first, second, third = text.split("Pass the screen to ")
    assert second.startswith("Ann, then press Enter.")
    assert third.startswith("Bob, then press Enter.")
    assert "hand (Ann): fruit gatherer" in second
    assert "hand (Ann)" not in third
    assert "hand" not in first


def test_play_a_game_to_its_end() -> None:
    """A whole game by first options ends with the points taken apart."""
    text = playing("1\n" * 400, *SHORT)
    assert "Where the points come from" in text
    assert text.rstrip().endswith((".",))
    assert "Goodbye." not in text


def test_play_without_humans_is_a_game_of_bots() -> None:
    """Nobody has to play."""
    text = playing("", "--humans", "", *SHORT)
    assert "=== Final scoring ===" in text
    assert ">" not in text


def test_play_asks_for_numbers_as_numbers() -> None:
    """Where a number is asked for, what is typed is that number: 2 to 6 roles (de, events)."""
    game = loaded("broom_service", (), (), None)
    for seed in range(60):
        state = game.start(2, seed=seed)
        if state.decision is not None and state.decision.point == "count_cards":
            text = playing("7\n1\n3\n1\nquit\n", "--seed", str(seed))
            assert "  2, 3, 4, 5, 6\n" in text
            assert text.count("p1: How many roles do you choose?") == 1
            assert text.count("p1: Choose a role for this round") == 2
            return
    pytest.fail("no game began with that event")


def test_seats() -> None:
    """Seats are numbers, names, or both."""
    assert seats_of("1,3", 4) == {0: "", 2: ""}
    assert seats_of("Ann,Bob", 3) == {0: "Ann", 1: "Bob"}
    assert names_of("2=Ann", 3) == ("p1", "Ann", "p3")


# --- check ---------------------------------------------------------------------------------------


def variant(folder: Path, body: str, of: str = "broom_service") -> str:
    """Write the file of a variant and return its path."""
    path = folder / "house.yaml"
    path.write_text(
        HEAD.format("variant") + f"variant: house\nof: {of}\n"
        "name: {en: House rule, de: Hausregel}\nsource: assumed\nbecause: We like it.\n" + body,
        encoding="utf-8",
    )
    return str(path)


def test_check_a_good_variant(tmp_path: Path) -> None:
    """A house rule in order ends with 0, and can be played."""
    path = variant(tmp_path, "game: {options: {rounds: {default: 3}}}\n")
    result = run("check", path)
    assert (result.exit_code, result.output) == (0, f"{path}: in order\n")
    assert data("check", path) == []
    story = data("demo", "--players", "2", "--variant", path)
    heads = [line["text"] for line in story["story"] if line["kind"] == "section"]
    assert "Round 3" in heads
    assert "Round 4" not in heads


def test_check_shows_line_and_caret(tmp_path: Path) -> None:
    """A mistake is shown in its line with a caret, and as data; the exit code is 1."""
    path = variant(tmp_path, "game: {optoins: {rounds: {default: 3}}}\n")
    result = run("check", path)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    spot = next(i for i, line in enumerate(lines) if line.strip().startswith("game: {optoins"))
    assert lines[spot][lines[spot + 1].index("^") :].startswith("optoins")
    assert lines[-1].startswith(f"{path}: ")
    problems = data("check", path)
    assert all(problem["code"] and problem["line"] >= 1 for problem in problems)
    assert any(problem["file"] == path and problem["line"] == 7 for problem in problems)


def test_check_reports_every_path(tmp_path: Path) -> None:
    """Each path is reported, the good ones too."""
    good = tmp_path / "good"
    good.mkdir()
    fine = variant(good, "game: {options: {rounds: {default: 3}}}\n")
    bad = variant(tmp_path, "game: {options: {rounds: {default: 3}}}\n", of="brom_service")
    result = run("check", fine, bad, "--lang", "de")
    assert result.exit_code == 1
    assert f"{fine}: in Ordnung" in result.output
    assert "'broom_service'?" in result.output
    assert f"{bad}: 1 Fehler" in result.output


def test_check_shows_the_line_that_is_missing(tmp_path: Path) -> None:
    """Without the comment that names the schema a file is in order, but for a warning.

    The line that it shows leads to the schemas above the folder, else to those installed, and
    mends it.
    """
    path = tmp_path / "house.yaml"
    body = (
        "variant: house\nof: broom_service\nname: House\ngame: {options: {rounds: {default: 3}}}\n"
    )
    path.write_text(body, encoding="utf-8")
    result = run("check", str(path))
    assert result.exit_code == 0
    assert result.output.endswith(f"{path}: in order, 1 warning\n")
    assert "1 Warnung" in run("check", str(path), "--lang", "de").output
    (problem,) = data("check", str(path))
    assert (problem["code"], problem["severity"]) == ("schema-comment", "warning")
    assert problem["expected"] in result.output.replace("\n", "")
    assert Path(problem["expected"].partition("$schema=")[2]).is_file()
    path.write_text(f"{problem['expected']}\n{body}", encoding="utf-8")
    assert run("check", str(path)).output == f"{path}: in order\n"
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "variant.schema.json").write_text("{}", encoding="utf-8")
    path.write_text(body, encoding="utf-8")
    (problem,) = data("check", str(path))
    assert problem["expected"] == "# yaml-language-server: $schema=schemas/variant.schema.json"


def test_check_reports_all_in_one_run(tmp_path: Path) -> None:
    """A missing comment, an unknown key and a misspelt name are found together, sorted."""
    path = tmp_path / "house.yaml"
    path.write_text(
        "variant: house\nof: broom_service\nnaem: House\n"
        "game: {rules: {extra: {source: assumed, because: Fun., triggers:"
        " [{after: deliverd, do: [{score: 1}]}]}}}\n",
        encoding="utf-8",
    )
    result = run("check", str(path))
    codes = [(one["code"], one["line"]) for one in data("check", str(path))]
    assert codes == [("schema-comment", 1), ("unknown-key", 3), ("unknown-announcement", 4)]
    assert result.exit_code == 1
    assert result.output.endswith(f"{path}: 2 problems, 1 warning\n")
    loaded_anyway = tmp_path / "rulings.yaml"
    loaded_anyway.write_text(RULING.format(points=11), encoding="utf-8")
    found = data("check", str(loaded_anyway))
    assert [one["code"] for one in found] == ["schema-comment", "ruling"]


def test_check_warns_of_uncited_sections(tmp_path: Path) -> None:
    """A section that nothing cites is a warning in its line, unless it is only background.

    A ruling cites too.
    """
    good = Path(__file__).resolve().parents[1] / "bad_packs" / "_good"
    folder = tmp_path / "nim"
    shutil.copytree(good, folder)
    assert run("check", str(folder)).output == f"{folder}: in order\n"
    sources = folder / "sources.yaml"
    text = sources.read_text(encoding="utf-8")
    extra = text.replace("{play: How to play}", "{play: How to play, end: The end}")
    sources.write_text(extra, encoding="utf-8")
    (problem,) = data("check", str(folder))
    assert (problem["code"], problem["got"]) == ("uncited-section", "end")
    assert (problem["file"], problem["line"]) == (str(sources), 7)
    assert run("check", str(sources)).exit_code == 0
    listed = data("sources", str(folder), "--uncited")
    assert listed == [{"doc": "leaflet", "section": "end"}]
    sources.write_text(f"{extra}    background: [end]\n", encoding="utf-8")
    loaded.cache_clear()
    assert data("check", str(folder)) == []
    assert data("sources", str(folder), "--uncited") == []
    sources.write_text(extra, encoding="utf-8")
    (folder / "rulings").mkdir()
    case = RULING.replace("broom_service", "nim").replace("doc: en", "doc: leaflet")
    (folder / "rulings" / "end.yaml").write_text(
        HEAD.format("rulings") + case.replace("setup", "end").format(points=0), encoding="utf-8"
    )
    cases_in.cache_clear()
    assert data("check", str(folder)) == []


def test_a_statement_without_a_source_is_refused(tmp_path: Path) -> None:
    """A sentence of the rules says what it rests on."""
    good = Path(__file__).resolve().parents[1] / "bad_packs" / "_good"
    folder = tmp_path / "nim"
    shutil.copytree(good, folder)
    (folder / "rules.yaml").write_text(
        HEAD.format("rules") + "rules: nim\nstatements: {one: {en: Take a stone.}}\n",
        encoding="utf-8",
    )
    assert [one["code"] for one in data("check", str(folder))] == ["missing-key"]


def test_check_unreadable_file(tmp_path: Path) -> None:
    """A file that is no YAML, or no document, is a problem, not a traceback."""
    path = tmp_path / "bad.yaml"
    for text in ("a: [", "\t", "- 1\n", "nonsense: 1\n", ""):
        path.write_text(text, encoding="utf-8")
        assert run("check", str(path)).exit_code == 1, text


@pytest.mark.parametrize("name", bs.known_games())
def test_check_packs_of_the_package(name: str) -> None:
    """Every pack that comes with the package is in order."""
    from broomservice.pack.documents import content_folder

    folder = str(content_folder("cards") / name)
    result = run("check", folder)
    assert (result.exit_code, result.output) == (0, f"{folder}: in order\n")


# --- rulings -------------------------------------------------------------------------------------

RULING = """rulings: broom_service
topic: Points at the start
cases:
  start:
    question: {{en: "How many points at the start?", de: "Wie viele Punkte zu Beginn?"}}
    players: 2
    given: {{seed: 1}}
    then: {{points: {{p1: {points}}}}}
    answer: {{en: Some., de: Einige.}}
    source: {{doc: en, section: setup}}
"""


def rulings_file(folder: Path, points: int) -> str:
    """Write a file with one ruling and return its path."""
    path = folder / "own.yaml"
    path.write_text(HEAD.format("rulings") + RULING.format(points=points), encoding="utf-8")
    return str(path)


def test_rulings_of_the_package_hold() -> None:
    """All rulings hold; each has a question, an answer and a source."""
    from broomservice.pack.documents import content_folder

    file = str(content_folder("cards") / "broom_service" / "rulings" / "clouds.yaml")
    judged = data("rulings", file)
    assert judged
    for case in judged:
        assert case["holds"]
        assert case["question"]
        assert case["answer"]
        assert case["source"] not in ("", "unknown")
    result = run("rulings", file)
    assert result.exit_code == 0
    assert f"{len(judged)} of {len(judged)} rulings hold" in result.output


def test_one_ruling_in_full() -> None:
    """A ruling is shown with question, answer, source and outcome."""
    name = "figure_left_tower_from_forest"
    case = data("rulings", "broom_service", name)[0]
    assert case["id"] == name
    text = run("rulings", "broom_service", name).output
    for part in (case["question"], case["answer"], case["source"]):
        assert part in text
    assert "holds" in text


def test_own_rulings(tmp_path: Path) -> None:
    """Players begin with 10 points (en, setup): a ruling that says 11 does not hold."""
    assert run("rulings", rulings_file(tmp_path, 10)).exit_code == 0
    path = rulings_file(tmp_path, 11)
    result = run("rulings", path, "--lang", "de")
    assert result.exit_code == 1
    assert "Wie viele Punkte zu Beginn?" in result.output
    assert "p1 hat 10 Punkte, nicht 11" in result.output
    assert "0 von 1 Entscheidungen stimmen" in result.output
    checked = run("check", path)
    assert checked.exit_code == 1
    assert "start: p1 has 10 points, not 11" in checked.output
    assert "start: p1 hat 10 Punkte, nicht 11" in run("check", path, "--lang", "de").output


def test_rulings_with_a_house_rule(tmp_path: Path) -> None:
    """A house rule changes what holds."""
    house = variant(tmp_path, "game: {options: {start_points: {default: 11}}}\n")
    path = rulings_file(tmp_path, 11)
    assert run("rulings", path, "--variant", house).exit_code == 0


def test_why_refuses_rubbish(tmp_path: Path) -> None:
    """A file that is no position ends with 1, an option that there is not too."""
    file = tmp_path / "position.json"
    file.write_bytes(b"\xff\xfe")
    assert run("why", "broom_service", str(file), "pass").exit_code in (1, 2)
    file.write_text(bs.load("broom_service").start(2).to_json(), encoding="utf-8")
    result = run("why", "broom_service", str(file), "hil witch")
    assert result.exit_code == 1
    assert "did you mean" in result.output
    verdict = json.loads(run("why", "broom_service", str(file), "p2", "--json").stdout)
    assert verdict["legal"] is False
    assert "this decision asks for a role" in verdict["checks"][0]["sentence"]


# --- simulate ------------------------------------------------------------------------------------


def test_simulate_data() -> None:
    """The data are the same for any number of jobs, and count all games."""
    arguments = ("simulate", "broom_service", "-n", "6", "--players", "2", *SHORT)
    summary = data(*arguments)
    assert summary["games"] == 6
    assert len(summary["seats"]) == 2
    assert data(*arguments, "--jobs", "2") == summary


def test_simulate_tables() -> None:
    """The tables name the seats, the quartiles and the answers."""
    text = run("simulate", "broom_service", "-n", "4", "--players", "3", *SHORT).output
    for part in ("wins alone", "25%", "median", "p3", "announcement: asked", "brave"):
        assert part in text
    german = run("simulate", "broom_service", "-n", "4", "--fast", "--lang", "de", *SHORT).output
    assert "Siege allein" in german
    assert "Antworten werden nicht gezählt" in german


def test_log_of_a_game_is_in_both_languages(told: tuple[bs.State, tuple[Line, ...]]) -> None:
    """The same game is told with as many points in German as in English."""
    state = told[0]
    assert [e.amount for e in entries(state, "de")] == [e.amount for e in entries(state, "en")]


def test_a_hint_stands_in_a_sentence_of_its_own() -> None:
    """A finding of a record and the name that was meant do not run into each other."""
    out = console()
    out.file = io.StringIO()
    finding = Finding("error", "illegal", "Ann may not pass here", move=3, hint="cowardly, pass")
    print_finding(out, finding, "en")
    said = "illegal: move 3: Ann may not pass here. Did you mean 'cowardly, pass'?"
    assert out.file.getvalue().strip() == said


def test_play_tells_of_sets_in_the_language() -> None:
    """What may be part of a set is no refusal, and too few are refused in German too."""
    text = playing("warum Wetterfee\nWetterfee, Hügelhexe\n", "--lang", "de")
    assert "Wetterfee: kann gewählt werden, mit 3 weiteren." in text
    assert "hier werden 4 gewählt, nicht 2" in text
    assert "are picked" not in text
