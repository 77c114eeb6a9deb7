"""Records: what is written reads back, what is wrong is found at its move, gaps are told."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import attrs
import pytest
import yaml
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import broomservice as bs
from broomservice.cli.group import commands
from broomservice.errors import PackError
from broomservice.pack.schema import schemas
from broomservice.records import Move, Record, RecordError, is_record
from tests.packs import COMBINATIONS, ROOT, label, loaded

EXAMPLES = ROOT / "examples" / "records"
SETTINGS = [(game, variants) for game, some in COMBINATIONS.items() for variants in some]
LONGEST = 300

CLOUDS = """\
  - chance: cloud_24, cloud_12, cloud_14, cloud_18, cloud_11, cloud_04, cloud_22, cloud_03, cloud_23
  - chance: cloud_19, cloud_08, cloud_17, cloud_06, cloud_09, cloud_07, cloud_21, cloud_01, cloud_16
"""
HEAD = f"""\
record: broom_service
options: {{rounds: 1}}
players: [Ann, Ben]
chance: asked
moves:
{CLOUDS}  - chance: ?
  - chance: everything_once
  - chance: mountain_witch, hill_witch, peak_druid
"""


def played(game: bs.Game, players: int, *, seed: int = 5, most: int = LONGEST) -> bs.State:
    """Play at random, to the end or until so many answers are given."""
    picker = random.Random(seed)
    state = game.start(players, seed=seed)
    for _ in range(most):
        if state.over:
            break
        state.play_in_place(picker.choice(state.option_ids))
    return state


def written(tmp_path: Path, moves: str, head: str = HEAD) -> Record:
    """Return a record written by hand."""
    path = tmp_path / "game.yaml"
    path.write_text(head + moves, encoding="utf-8")
    return Record.load(path)


def run(*arguments: str) -> Result:
    """Run a command; a traceback fails the test."""
    result = CliRunner().invoke(commands, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# --- what is written reads back ------------------------------------------------------------------


@pytest.mark.parametrize(("game", "variants"), SETTINGS, ids=label)
def test_records_are_exact(game: str, variants: tuple[str, ...], tmp_path: Path) -> None:
    """A game is recorded, written, read, checked EXACT, and ends in the same position."""
    rules = loaded(game, variants)
    state = played(rules, rules.players[0])
    for draws in (False, True):
        for name in ("game.yaml", "game.json"):
            record = state.record(draws=draws)
            record.save(tmp_path / name)
            again = Record.load(tmp_path / name)
            report = again.check(rules)
            assert (report.verdict, report.exact) == ("legal", "exact"), str(report)
            assert report.findings == ()
            assert report.state._table.cells == state._table.cells
            assert [move.text for move in again.moves] == [move.text for move in record.moves]
            assert is_record(tmp_path / name)


def test_written_records_fit_the_schema(tmp_path: Path) -> None:
    """What is written is valid for every reader of YAML, and for the published schema."""
    state = played(loaded("broom_service"), 3, most=60)
    validator = Draft202012Validator(schemas()["record.schema.json"])
    for path in (tmp_path / "game.yaml", tmp_path / "game.json"):
        state.record().save(path)
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)
        assert list(validator.iter_errors(data)) == []


def test_answered_draws_are_recorded() -> None:
    """A game whose draws were answered by the caller has them among its moves."""
    picker = random.Random(1)
    state = loaded("broom_service").start(2, chance_asks=True, names=["Ann", "Ben"])
    for _ in range(50):
        state.play_in_place(picker.choice(state.option_ids))
    record = state.record()
    assert record.seed is None
    assert record.moves[0].player == "chance"
    assert record.check().exact == "exact"


def test_no_log_no_record() -> None:
    """With the log off nothing is kept, and asking for a record says so."""
    state = loaded("broom_service").start(2, seed=1, log=False)
    with pytest.raises(RecordError, match="log=True"):
        state.record()


def test_other_positions_have_no_record() -> None:
    """A position that was not reached by playing cannot be recorded."""
    state = loaded("broom_service").start(2, seed=1).play("forest_witch")
    state._table.cells[state._compiled.program.points] += 1
    with pytest.raises(RecordError, match="not reached by playing"):
        state.record()


def test_a_record_is_replayed() -> None:
    """Replaying gives every position, the first and the last included."""
    state = played(loaded("broom_service"), 2, most=30)
    states = list(state.record().replay(loaded("broom_service")))
    assert len(states) == 31
    assert states[-1] == state
    assert states[0] == loaded("broom_service").start(2, seed=5)


# --- mutations -----------------------------------------------------------------------------------


def moved(record: Record, moves: list[Move]) -> Record:
    """Return a record with other moves."""
    return attrs.evolve(record, moves=tuple(moves))


@pytest.mark.parametrize("game", ["broom_service", "wizard_extreme", "potions"])
def test_a_replaced_move_is_found(game: str) -> None:
    """A move that is not open is found exactly where it stands, with a reason."""
    rules = loaded(game)
    state = played(rules, rules.players[0], most=120)
    record = state.record()
    positions = list(record.replay(rules))
    for at in range(10, 115, 35):
        position = positions[at]
        closed = next(
            option
            for option in rules.options
            if option.id not in position.option_ids and option.kind in ("piece", "site")
        )
        moves = list(record.moves)
        moves[at] = attrs.evolve(moves[at], text=closed.label)
        report = moved(record, moves).check(rules)
        assert report.verdict == "illegal"
        assert report.errors[0].move == at + 1
        assert report.errors[0].source


@pytest.mark.parametrize("game", ["broom_service", "wizard_extreme", "potions"])
def test_dropped_swapped_and_other_moves_are_found(game: str) -> None:
    """No mutation passes as exact, and none is found before the move that was changed."""
    rules = loaded(game)
    state = played(rules, rules.players[0], most=120)
    record = state.record()
    positions = list(record.replay(rules))
    for at in range(5, 115, 22):
        moves = list(record.moves)
        dropped = moves[:at] + moves[at + 1 :]
        swapped = [*moves[:at], moves[at + 1], moves[at], *moves[at + 2 :]]
        others = [
            one for one in positions[at].option_ids if rules.options[one].label != moves[at].text
        ]
        other = moves.copy()
        other[at] = attrs.evolve(moves[at], text=rules.options[others[0]].label)
        for mutated in (dropped, swapped, other):
            if [(one.player, one.text) for one in mutated] == [
                (one.player, one.text) for one in moves
            ]:
                continue
            report = moved(record, mutated).check(rules)
            if report.exact == "exact":  # picks of a set may be written in any order
                assert sorted(one.text for one in mutated) == sorted(one.text for one in moves)
                continue
            finding = report.errors[0]
            assert finding.move > at - 20, (at, str(report))
            if finding.code != "differs":
                assert finding.move >= at, (at, str(report))


def test_wrong_points_are_found() -> None:
    """A record that pins other points than its moves give is illegal."""
    record = played(loaded("broom_service"), 2, most=30).record()
    assert record.pins is not None
    pins = attrs.evolve(record.pins, points=(99, 99))
    report = attrs.evolve(record, pins=pins).check(loaded("broom_service"))
    assert [finding.code for finding in report.errors] == ["wrong-points"]


# --- how moves may be written --------------------------------------------------------------------


def test_moves_are_read_leniently(tmp_path: Path) -> None:
    """Case, language, the order of a set, numbers of options and small slips do not matter."""
    record = written(
        tmp_path,
        """\
  - ann: Wetterfee, herb gatherer, VALLEY DRUID, Gipfeldruide
  - Ben: valley_druid, weather_fairy, mountain-witch, peak druid
  - Ann: valey_druid, feige
  - Ben: "#1"
""",
    )
    report = record.check()
    assert report.errors == ()
    warnings = [one for one in report.findings if one.level == "warning"]
    assert [(one.code, one.move, one.hint) for one in warnings] == [
        ("misspelt", 32, "valley_druid"),
    ]
    labels = [state_label(report, i) for i in range(-3, 0)]
    assert labels == ["valley_druid", "cowardly", "brave"]
    assert report.state.pieces("hand", 0).keys() == {"herb_gatherer", "peak_druid", "weather_fairy"}


def state_label(report: Any, index: int) -> str:
    """Return the label of an answer of a report."""
    return str(report.state.game.options[report.answers[index].option].label)


def test_unknown_names_are_refused_with_a_hint(tmp_path: Path) -> None:
    """A name that means nothing is no guess: it is reported with line, column and hint."""
    record = written(tmp_path, "  - Ann: forest_witch, t99\n  - Nobody Else: brave\n")
    finding = record.check().errors[0]
    assert (finding.code, finding.line, finding.column) == ("unknown-move", 11, 24)
    report = attrs.evolve(record, moves=record.moves[-1:]).check()
    assert report.errors[0].code == "unknown-player"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("record: [", "yaml-syntax"),
        ("", "yaml-syntax"),
        ("record: broom_service\n", "missing-key"),
        ("- a\n- b\n", "wrong-type"),
        ("record: x\nplayers: 2\nmoves: [{a: b, c: d}]", "wrong-value"),
        ("record: x\nplayers: [A, A]\nmoves: []", "wrong-value"),
        ("record: x\nplayers: 2\nseed: 1\nchance: asked\nmoves: []", "wrong-value"),
        ("record: nowhere\nplayers: 2\nmoves: []", "unknown-game"),
    ],
)
def test_faulty_files_are_reported(text: str, code: str, tmp_path: Path) -> None:
    """A file that is no record is reported as data, each mistake with its place."""
    path = tmp_path / "faulty.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PackError) as caught:
        Record.load(path).check()
    assert code in {problem.code for problem in caught.value.problems}


# --- a pack that has changed ---------------------------------------------------------------------


def test_a_changed_pack_is_told(tmp_path: Path) -> None:
    """The check says which document changed, and between which answers the game goes apart."""
    folder = tmp_path / "wizard_extreme"
    shutil.copytree(ROOT / "cards" / "wizard_extreme", folder)
    state = played(bs.load(folder), 3, most=250)
    state.record().save(tmp_path / "game.yaml")
    record = Record.load(tmp_path / "game.yaml")
    assert record.check().exact == "exact"
    path = folder / "game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  black_penalty:\n    is: 3", "  black_penalty:\n    is: 5"))
    report = record.check()
    assert report.exact == "differs"
    finding = next(one for one in report.findings if one.code == "differs")
    assert finding.level == "warning"
    assert finding.message.endswith("it was recorded: game")
    assert report.state.points != state.points


def test_a_change_that_does_not_matter_is_exact(tmp_path: Path) -> None:
    """A pack whose texts changed replays EXACT, and the check says what changed."""
    folder = tmp_path / "wizard_extreme"
    shutil.copytree(ROOT / "cards" / "wizard_extreme", folder)
    record = played(bs.load(folder), 3, most=60).record()
    path = folder / "game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Play which card?", "Which card?"), encoding="utf-8")
    report = record.check(bs.load(folder))
    assert report.exact == "exact"
    assert [one.code for one in report.findings] == ["changed"]


# --- on the command line -------------------------------------------------------------------------


def test_examples_are_legal() -> None:
    """The records among the examples hold."""
    for path in sorted(EXAMPLES.glob("*.yaml")):
        assert Record.load(path).check(), path.name
    assert not Record.load(EXAMPLES / "wizard_extreme.yaml").check().state.over


def test_check_ends_with_0_1_or_2(tmp_path: Path) -> None:
    """All is well, the record is wrong, the call is wrong."""
    good = str(EXAMPLES / "by_hand.yaml")
    result = run("check", good)
    assert result.exit_code == 0
    assert result.output == f"{good}: legal, 50 answers\n"
    bad = tmp_path / "bad.yaml"
    text = (EXAMPLES / "by_hand.yaml").read_text(encoding="utf-8")
    bad.write_text(text.replace("Ben: brave", "Ben: lake_1"), encoding="utf-8")
    result = run("check", str(bad))
    assert result.exit_code == 1
    assert f"{bad}:17:10: illegal-move: move 28: Ben" in result.output
    assert "\n             ^\n    Source: " in result.output
    assert run("check", str(tmp_path / "missing.yaml")).exit_code == 2
    assert run("audit", str(tmp_path / "missing.yaml")).exit_code == 2
    for command in ("audit", "replay"):
        assert run(command, str(bad)).exit_code == 1
    broken = tmp_path / "broken.yaml"
    for line in ("players: 9", "players: 2\noptions: {rouns: 1}", "players: [A, A]", "playrs: 2"):
        broken.write_text(f"record: broom_service\n{line}\nmoves: []\n", encoding="utf-8")
        for command in ("check", "audit", "replay"):
            assert run(command, str(broken)).exit_code == 1, line


def test_check_prints_data(tmp_path: Path) -> None:
    """Findings are data, with line, column, move, code, message and hint."""
    record = written(tmp_path, "  - Ann: forest_witch, forest_witch\n")
    result = run("check", record.file, "--json")
    (data,) = json.loads(result.output)
    assert data["verdict"] == "illegal"  # whatever the choices were that nobody saw
    found = data["findings"][0]
    assert {"level", "line", "column", "move", "code", "message", "hint", "source"} <= set(found)


def test_a_part_of_a_game_is_told() -> None:
    """`replay --to` stops after so many moves."""
    path = str(EXAMPLES / "broom_service.yaml")
    whole = json.loads(run("replay", path, "--json").output)["story"]
    part = json.loads(run("replay", path, "--to", "50", "--json").output)["story"]
    assert 0 < len(part) < len(whole)
    assert whole[: len(part) - 1] == part[:-1]
