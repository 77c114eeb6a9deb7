"""How records may be written: names, numbers, passing; and what is said of faulty files."""

from __future__ import annotations

from pathlib import Path

import pytest

from broomservice.errors import PackError
from broomservice.records import Record
from broomservice.records.names import Spellings, open_number, player_named
from tests.packs import COMBINATIONS, label, loaded

SETTINGS = [(game, variants) for game, some in COMBINATIONS.items() for variants in some]


def record_of(tmp_path: Path, text: str) -> Record:
    """Return a record with this text."""
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return Record.load(path)


def problems_of(tmp_path: Path, text: str) -> list[str]:
    """Return what is said of a faulty file, without the folder."""
    with pytest.raises(PackError) as caught:
        record_of(tmp_path, text).check()
    return [str(problem).replace(f"{tmp_path}/", "") for problem in caught.value.problems]


def spellings(game: str = "broom_service", variants: tuple[str, ...] = ()) -> Spellings:
    """Return the names of all options of a game."""
    rules = loaded(game, variants)
    return Spellings(rules.start(rules.players[-1], seed=1))


def read_as(text: str, game: str = "broom_service") -> list[str]:
    """Return the labels of the options that a text names."""
    names = spellings(game)
    return [names.state.game.options[option].label for option in names.options(text)]


# --- names and numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("cloud 3", "cloud_03"),
        ("cloud_3", "cloud_03"),
        ("Cloud 03", "cloud_03"),
        ("cloud-3", "cloud_03"),
        ("cloud 3 (wands 1, bolts 1)", "cloud_03"),
        ("Wolke 3", "cloud_03"),
        ("Wolke 13", "cloud_13"),
        ("c3", "c03"),
        ("t7", "t07"),
        ("T 7", "t07"),
        ("t007", "t07"),
        ("tower 25", "t25"),
        ("Turm 25", "t25"),
        ("tower 7", "t07"),
        ("cloud space 3", "c03"),
        ("Wolkenfeld 3", "c03"),
        ("forest 1", "forest_1"),
        ("next", "pass"),
        ("No", "pass"),
        ("nein", "pass"),
        ("-", "pass"),
        ("weiter", "pass"),
    ],
)
def test_names_as_people_write_them(text: str, option: str) -> None:
    """Names as printed, without what stands in parentheses, and ids without zeros in front."""
    assert read_as(text) == [option]


@pytest.mark.parametrize("text", ["cloud 25", "t99", "t00", "tower 99", "clowd 33", "cloud 1 3"])
def test_numbers_are_not_corrected(text: str) -> None:
    """A number that nothing has is no slip for another number, and none is proposed."""
    names = spellings()
    meaning = names.read(names.state, text)
    assert (meaning.option, meaning.hint) == (-1, "")


def test_slips_beside_a_number_are_corrected() -> None:
    """A slip in the word is read as what it probably means, with the same number."""
    names = spellings()
    meaning = names.read(names.state, "clowd 3")
    assert meaning.misspelt
    assert meaning.hint == "cloud_03"
    assert player_named("Bob 2", ("Bob 1", "Bob 12")) == (-1, "")
    assert player_named("Bbo 12", ("Bob 1", "Bob 12")) == (1, "Bob 12")


@pytest.mark.parametrize(("game", "variants"), SETTINGS, ids=label)
def test_no_two_options_are_mixed_up(game: str, variants: tuple[str, ...]) -> None:
    """In every game each label is read as its option alone, with its numbers however written."""
    names = spellings(game, variants)
    labels = names.state.game.labels
    for one, option in labels.items():
        for text in (one, one.replace("_0", "_"), one.replace("_", " "), one.upper()):
            if text in labels and labels[text] is not option:
                continue
            assert names.means(text, option.id), text
            others = [names.state.game.options[other] for other in names.options(text)]
            assert all(other.kind != option.kind or other is option for other in others), text


def test_draws_as_the_log_prints_them(tmp_path: Path) -> None:
    """What the log prints is read back exactly: no warning, and the cloud of that number.

    The comma within parentheses separates no moves.
    """
    numbers = [3, 9, 15, 24, 12, 14, 18, 11, 4, 22, 23, 19, 8, 17, 6, 7, 21, 1]
    pieces = loaded("broom_service").start(2, seed=1).speaker("en")
    printed = [pieces.option(loaded("broom_service").option(f"cloud_{i:02}")) for i in numbers]
    assert printed[0] == "cloud 3 (wands 1, bolts 1)"
    moves = ", ".join(printed)
    text = f"record: broom_service\nplayers: 2\nchance: asked\nmoves:\n  - chance: {moves}\n"
    record = record_of(tmp_path, text)
    assert [move.text for move in record.moves] == printed
    report = record.check()
    assert [one for one in report.findings if one.level != "note"] == []
    taken = [report.state.game.options[one.option].label for one in report.answers[:18]]
    assert taken == [f"cloud_{i:02}" for i in numbers]


# --- passing, and numbers of options -------------------------------------------------------------


@pytest.mark.parametrize("word", ["pass", "weiter", "next", "no", "No", "nein", "-"])
def test_passing_has_several_words(word: str, tmp_path: Path) -> None:
    """Whoever takes no further seal may say so in any of these words, without quotes."""
    record = record_of(
        tmp_path,
        "record: wizard_extreme\nplayers: [Ann, Bob, Cem]\nseed: 3\nmoves:\n"
        f"  - Bob: take the black magician\n  - Cem: {word}\n  - Ann: yellow seal, {word}\n",
    )
    report = record.check()
    assert report.verdict == "legal", str(report)
    assert report.findings == ()
    taken = [report.state.game.options[one.option].label for one in report.answers]
    assert taken == ["magician", "pass", "yellow_seal", "pass"]


def test_what_was_probably_meant_by_a_closed_option() -> None:
    """The one open option with these words in its name, or the one that has to come first."""
    state = loaded("wizard_extreme").start(3, seed=3)
    names, label_of = Spellings(state), state.game.labels
    black, red = label_of["black_magician"].id, label_of["red_seal"].id
    assert names.suggestion(state, "black magician", black) == "take the black magician"
    assert names.suggestion(state, "Schwarzmagier", black) == "den Schwarzmagier nehmen"
    assert names.suggestion(state, "red seal", red) == "predict tricks, red seal"
    assert names.suggestion(state, "red 9", label_of["red_9"].id) == ""


def test_numbers_of_options() -> None:
    """`#2` is the second open option, and a number beyond them is none."""
    names = spellings("wizard_extreme")
    assert len(names.state.option_ids) == 2
    assert names.read(names.state, "#2").option == names.state.option_ids[1]
    for text in ("#0", "#3", "#99"):
        assert names.read(names.state, text).option == -1
    assert (open_number("#99"), open_number("99"), open_number("#x")) == (99, None, None)


# --- faulty files --------------------------------------------------------------------------------

HEAD = "record: broom_service\nplayers: [Ann, Ben]\n"
EMPTY = "no move of Ann stands here; write ? for what nobody saw"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{HEAD}options: {{rounds: 70}}\nmoves: []\n",
            "game.yaml:3:11: wrong-value: option rounds is 70, outside 1 to 10",
        ),
        (
            f"{HEAD}options: {{rouns: 1}}\nmoves: []\n",
            "game.yaml:3:11: unknown-option: there is no option 'rouns' (did you mean 'rounds'?)",
        ),
        (
            f"{HEAD}variants: [mountain_tiles, storm_cloud]\nmoves: []\n",
            "game.yaml:3:28: unknown-variant: there is no variant 'storm_cloud' "
            "(did you mean 'storm_clouds'?)",
        ),
        (
            f"{HEAD}variants:\n  - calmm.yaml\nmoves: []\n",
            "game.yaml:4:5: unknown-variant: there is no variant 'calmm.yaml' "
            "(did you mean 'calm.yaml'?)",
        ),
        (
            f"{HEAD}variants: [forest_tiles]\nmoves: []\n",
            "game.yaml:3:12: variant-needs: 'forest_tiles' is played only with 'back_board'",
        ),
        (
            f"{HEAD}board: bak\nmoves: []\n",
            "game.yaml:3:8: unknown-board: there is no board 'bak' (did you mean 'back'?)",
        ),
        (
            "record: bromservice\nplayers: 2\nmoves: []\n",
            "game.yaml:1:9: unknown-game: there is no game 'bromservice' and no folder with a "
            "game.yaml (did you mean 'broom_service'?)",
        ),
        (
            "record: broom_service\nplayers: [A, B, C, D, E, F]\nmoves: []\n",
            "game.yaml:2:10: wrong-value: broom_service is for 2 to 5 players, not 6",
        ),
        (
            f"{HEAD}seed: seven\nmoves: []\n",
            "game.yaml:3:7: wrong-value: a seed is a whole number, and 'seven' is none",
        ),
        (
            f"{HEAD}date: 2026-11-30\nmoves: []\n",
            "game.yaml:3:7: ambiguous-value: '2026-11-30' means different things to different "
            "readers (did you mean '\"2026-11-30\"'?)",
        ),
        (
            f"{HEAD}seed: 12345678901\nmoves: []\n",
            "game.yaml:3:7: too-large: beyond 1000000 (did you mean '\"12345678901\"'?)",
        ),
        (f"{HEAD}moves:\n  - Ann: ''\n", f"game.yaml:4:11: wrong-value: {EMPTY}"),
        (f"{HEAD}moves:\n  - Ann: ' , '\n", f"game.yaml:4:11: wrong-value: {EMPTY}"),
        (f"{HEAD}moves:\n  - Ann: []\n", f"game.yaml:4:10: wrong-value: {EMPTY}"),
        (f"{HEAD}moves:\n  - Ann: [brave, '']\n", f"game.yaml:4:19: wrong-value: {EMPTY}"),
    ],
)
def test_mistakes_are_shown_in_the_record(text: str, said: str, tmp_path: Path) -> None:
    """Each mistake is said once, with the record's own line and column."""
    (tmp_path / "calm.yaml").write_text("", encoding="utf-8")
    assert problems_of(tmp_path, text) == [said]


def test_mistakes_of_a_variant_stay_where_they_are(tmp_path: Path) -> None:
    """What is wrong inside of a variant's file is shown there, not in the record."""
    (tmp_path / "calm.yaml").write_text(
        "# yaml-language-server: $schema=https://example.org/variant.schema.json\n"
        "variant: calm\nof: broom_service\nname: {en: Calm, de: Ruhe}\n"
        "game: {values: {brave_bonus: {is: many}}}\n",
        encoding="utf-8",
    )
    found = problems_of(tmp_path, f"{HEAD}variants: [calm.yaml]\nmoves: []\n")
    assert found
    assert all(one.startswith("calm.yaml:") for one in found)


def test_a_record_tells_its_places(tmp_path: Path) -> None:
    """The places belong to the file: records that say the same are equal, wherever they stand."""
    one = record_of(tmp_path, f"{HEAD}moves: []\n")
    assert (one.places["players"].line, one.places["players"].column) == (2, 10)
    two = Record(one.game, one.players, (), file=one.file)
    assert one == two


# --- what a check says of a move -----------------------------------------------------------------

CEM = "record: wizard_extreme\nplayers: [Ann, Bob, Cem]\nseed: 3\nmoves:\n  - Bob: "


@pytest.mark.parametrize(
    ("move", "hint"),
    [("black magician", "take the black magician"), ("red seal", "predict tricks, red seal")],
)
def test_closed_options_are_refused_with_a_hint(move: str, hint: str, tmp_path: Path) -> None:
    """What is not open is refused, with the open option that has these words in its name."""
    (error,) = record_of(tmp_path, f"{CEM}{move}\n").check().errors
    assert (error.code, error.hint) == ("illegal-move", hint)


def test_a_number_beyond_the_options_is_refused_with_their_number(tmp_path: Path) -> None:
    """Bob is asked to predict or to be the magician: there are two options."""
    (error,) = record_of(tmp_path, f"{CEM}#99\n").check().errors
    assert (error.code, error.message) == ("unknown-move", "#99: there are 2 options")


@pytest.mark.parametrize("hands", ["written", "left out"])
def test_who_follows_may_name_the_role(hands: str, tmp_path: Path) -> None:
    """Whoever has the role led lays it without being asked; the record may name it all the same."""
    clouds = ", ".join(f"cloud {i}" for i in range(1, 19))
    text = (
        "record: broom_service\noptions: {rounds: 1}\nplayers: [Ann, Ben]\nchance: asked\nmoves:\n"
        f"  - chance: {clouds}\n  - chance: ?\n  - chance: everything once\n"
        "  - chance: mountain witch, hill witch, peak druid\n"
    )
    if hands == "written":
        text += "  - Ann: herb gatherer, valley druid, weather fairy, root gatherer\n"
        text += "  - Ben: mountain witch, valley druid, peak druid, forest witch\n"
    report = record_of(
        tmp_path, f"{text}  - Ann: valley druid, cowardly\n  - Ben: valley druid, brave\n"
    ).check()
    assert report.errors == (), str(report)
    labels = [report.state.game.options[one.option].label for one in report.answers]
    at = labels.index("cowardly")
    assert labels[at - 1 : at + 2] == ["valley_druid", "cowardly", "brave"]
    refused = record_of(
        tmp_path, f"{text}  - Ann: valley druid, cowardly\n  - Ben: hill witch, brave\n"
    ).check()
    assert not refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "record: hearts\nplayer: [A, B]\nmoves: []\n",
            "2:1: unknown-key: there is no key 'player' here (did you mean 'players'?)",
        ),
        (
            f"{HEAD}mves: []\n",
            "3:1: unknown-key: there is no key 'mves' here (did you mean 'moves'?)",
        ),
        ("record: hearts\nmoves: []\n", "1:1: missing-key: the key 'players' is missing"),
    ],
)
def test_keys_that_are_there_are_not_missing(text: str, said: str, tmp_path: Path) -> None:
    """A misspelt or a missing key is said once, and no other key is said to be missing."""
    assert problems_of(tmp_path, text) == [f"game.yaml:{said}"]
