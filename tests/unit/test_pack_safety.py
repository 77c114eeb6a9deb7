"""A pack from a stranger is safe to load and to run: nothing in it is executed, nothing hangs.

Every test here plants something hostile in the smallest pack and asks for a clear refusal, at
loading or (where only play can tell) as a `RuleError`, within seconds.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import broomservice as bs

FIRST = "# yaml-language-server: $schema=../schemas/game.schema.json\n"
PACK = (
    FIRST
    + """\
game: pack
name: Pack
players: {{min: 2, max: 2}}
score: points
source: {{doc: leaflet, section: play}}
counters: {{points: {{per: player}}, n: {{start: 10}}}}
{more}
play:
  - choose: {{p: player}}
    then:
      - {{score: 1, for: p}}
      - add: {{n: 1}}
{play}
"""
)
SOURCES = """\
# yaml-language-server: $schema=../schemas/sources.schema.json
sources: pack
documents: {leaflet: {title: Leaflet, language: en, sections: {play: Play}}}
"""
SECONDS = 10


@pytest.fixture(autouse=True)
def clock() -> object:
    """No hostile pack may hold us up."""
    began = time.perf_counter()
    yield
    assert time.perf_counter() - began < SECONDS


def pack(folder: Path, *, more: str = "", play: str = "") -> Path:
    """Write the smallest pack with some more sections and steps; return its folder."""
    return written(folder, PACK.format(more=more, play=play))


def written(folder: Path, text: str) -> Path:
    """Write a game.yaml and its sources; return the folder."""
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    (folder / "sources.yaml").write_text(SOURCES, encoding="utf-8")
    return folder


def refused(folder: Path) -> dict[str, str]:
    """Return the messages, by code, with which a pack is refused."""
    with pytest.raises(bs.PackError) as caught:
        bs.load(folder)
    return {problem.code: str(problem) for problem in caught.value.problems}


def scored(folder: Path, expression: str) -> dict[str, str]:
    """Return the messages for a pack that scores an expression."""
    return refused(pack(folder, play=f"  - score: {expression!r}"))


def stopped(folder: Path) -> bs.RuleError:
    """Return the error that a pack runs into after the first decision."""
    state = bs.load(folder).start(players=2)
    with pytest.raises(bs.RuleError) as caught:
        state.play("p1")
    return caught.value


def line_of(folder: Path, text: str) -> str:
    """Return the place of the first line that holds a text, as messages write it."""
    lines = (folder / "game.yaml").read_text(encoding="utf-8").split("\n")
    return f"game.yaml:{next(i for i, line in enumerate(lines, 1) if text in line)}"


def test_the_smallest_pack_is_good(tmp_path: Path) -> None:
    """Without anything hostile the pack loads and ends."""
    assert bs.load(pack(tmp_path, play="  - add: {n: 1}")).start(players=2).play("p1").over


# --- reading ------------------------------------------------------------------------------------


def test_aliases_do_not_multiply(tmp_path: Path) -> None:
    """Nested aliases, which elsewhere grow to billions of values, are refused unread."""
    lines = ["a0: &a0 [x, x]"] + [
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)
    ]
    text = "\n".join(f"{line}" for line in lines)
    assert "yaml-alias" in refused(written(tmp_path, FIRST + "game: pack\n" + text + "\n"))


@pytest.mark.parametrize(
    "tag",
    [
        "!!python/object/apply:os.system [touch owned]",
        "!!python/name:os.system",
        "!!binary aGVsbG8=",
        "!mine {}",
    ],
)
def test_tags_make_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str) -> None:
    """A YAML tag is refused, and what it asks for does not happen."""
    monkeypatch.chdir(tmp_path)
    assert "yaml-tag" in refused(pack(tmp_path, more=f"winners: {tag}"))
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('touch owned')",
        "open('owned', 'w')",
        "eval('1')",
        "().__class__.__base__.__subclasses__()",
        "points.__class__",
        "[x for x in player]",
        "{1: 2}",
        "(lambda: 1)()",
        "f'{n}'",
        "n := 3",
        "sum(1 for p in player for q in player)",
        "sum(*player)",
        "n if n else yield_(1)",
        "2 ** 1000000",
        "1 << 1000000",
        "'a' * 1000000",
    ],
)
def test_expressions_run_no_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    """What is more than the small language of expressions is refused, and never executed."""
    monkeypatch.chdir(tmp_path)
    codes = set(scored(tmp_path, expression))
    assert codes <= {
        "expression-syntax",
        "unknown-requirement",
        "unknown-attribute",
        "type-mismatch",
        "unknown-name",
    }
    assert codes
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    "text",
    [
        "x: " + "[" * 5000,
        "x: " + "{a: " * 5000,
        "\n".join("  " * i + "a:" for i in range(500)),
        "x: [" + "1, " * 300_000 + "1]",
        "x: " + "9" * 100_000,
        "x: '" + "a" * 3_000_000 + "'",
    ],
)
def test_files_have_limits(tmp_path: Path, text: str) -> None:
    """Depth, number of values, size of numbers and of files are limited."""
    codes = refused(written(tmp_path, FIRST + "game: pack\n" + text + "\n"))
    assert "too-large" in codes or "nesting depth" in codes["yaml-syntax"]


def test_a_misspelling_of_a_megabyte(tmp_path: Path) -> None:
    """No likely spelling is sought for a name that nobody can have meant."""
    name = "a" * 1_000_000
    assert refused(pack(tmp_path, play=f"  - {name}: {{}}"))


def test_many_mistakes(tmp_path: Path) -> None:
    """Thousands of mistakes are reported without searching for ever."""
    steps = "\n".join(f"  - scroe{i}: {{}}" for i in range(3000))
    assert "unknown-verb" in refused(pack(tmp_path, play=steps))


def test_files_that_are_none(tmp_path: Path) -> None:
    """A folder with the name of a file is reported, not read."""
    (pack(tmp_path) / "cards.yaml").mkdir()
    assert "unreadable" in refused(tmp_path)


def test_packs_have_few_files(tmp_path: Path) -> None:
    """A folder with very many files is no pack."""
    pack(tmp_path)
    for i in range(300):
        (tmp_path / f"file_{i}.yaml").write_text("x: 1\n")
    assert "too-large" in refused(tmp_path)


# --- expressions that grow ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression",
    [
        "not " * 400 + "true",
        "(" * 300 + "1" + ")" * 300,
        "-" * 1500 + "1",
        "+".join(["1"] * 900),
        "n if " * 300 + "true" + " else 1" * 300,
        "1" + " + 1" * 3000,
    ],
)
def test_expressions_are_short_and_flat(tmp_path: Path, expression: str) -> None:
    """An expression is refused that is long, or nested deeper than anybody reads."""
    codes = scored(tmp_path, expression)
    assert set(codes) <= {"too-large", "expression-syntax"}
    assert codes


def test_definitions_do_not_multiply(tmp_path: Path) -> None:
    """Definitions that use each other eight times grow eightfold each; that ends early."""
    lines = ["definitions:", "  d0: {is: n + 1}"] + [
        f"  d{i}: {{is: {' + '.join([f'd{i - 1}'] * 8)}}}" for i in range(1, 20)
    ]
    codes = refused(pack(tmp_path, more="\n".join(lines), play="  - score: d19"))
    assert set(codes) == {"too-large"}


def test_searches_in_searches_are_limited(tmp_path: Path) -> None:
    """Looking through a thousand numbers for each of a thousand is refused, fixed or not."""
    inner = "sum(1 for {} in numbers(1, 1000) if {})"
    fixed = inner.format("a", inner.format("b", "a < b") + " > 0")
    assert set(scored(tmp_path, fixed)) == {"too-large"}
    assert set(scored(tmp_path, fixed.replace("a < b", "a < n"))) == {"too-large"}


@pytest.mark.parametrize(
    "expression",
    [
        "sum(i for i in numbers(0, 1000000))",
        "max(i for i in numbers(-1000000, 1000000))",
    ],
)
def test_spans_of_numbers_are_limited(tmp_path: Path, expression: str) -> None:
    """Nobody looks through a million numbers."""
    assert "too-large" in scored(tmp_path, expression)


def test_a_choice_of_a_million_numbers(tmp_path: Path) -> None:
    """Only small numbers can be chosen, because every option is numbered."""
    step = "  - choose: {i: 'numbers(0, 1000000)'}\n    then: [{score: i}]"
    assert set(refused(pack(tmp_path, play=step))) & {"too-large", "wrong-value"}


def test_products_are_limited_at_loading(tmp_path: Path) -> None:
    """A product of fixed numbers that grows beyond all measure is refused with its place."""
    codes = scored(tmp_path, "1000000 * 1000000 * 1000000")
    assert set(codes) == {"wrong-value"}
    assert "beyond all measure" in codes["wrong-value"]


# --- pieces and boards that grow ----------------------------------------------------------------


@pytest.mark.parametrize(
    "series",
    [
        "{a: 1..999999}",
        "{a: 1..1000, b: 1..1000, c: 1..1000}",
        "{a: -999999..999999}",
    ],
)
def test_series_of_pieces_are_limited(tmp_path: Path, series: str) -> None:
    """A short line cannot make a million pieces."""
    more = f"""\
families: {{card: {{attributes: {{a: number, b: number, c: number}}}}}}
places: {{deck: {{holds: [card], sees: all}}}}
pieces: {{card_kind: {{family: card, each: {series}, id: "c_{{a}}", start: deck}}}}"""
    assert "too-large" in refused(pack(tmp_path, more=more))


def test_boards_are_limited(tmp_path: Path) -> None:
    """A board of thousands of sites would make tables of millions of entries."""
    sites = "\n".join(f"    s{i}: {{}}" for i in range(2000))
    (tmp_path / "board.yaml").write_text(
        "# yaml-language-server: $schema=../schemas/board.schema.json\n"
        f"board: wide\ngame: pack\nsource: assumed\nbecause: Made up.\n"
        f"counts: {{spot: 2000}}\nsites:\n  spot:\n{sites}\n"
    )
    more = "board: wide\nsites: {spot: {relations: {beside: {to: spot, symmetric: true}}}}"
    assert "too-large" in refused(pack(tmp_path, more=more))


# --- running ------------------------------------------------------------------------------------


def test_a_loop_is_stopped_and_named(tmp_path: Path) -> None:
    """Rules that run in circles end with an error that names the lines of the circle."""
    loop = "  - while: n > 0\n    do:\n      - set: {n: 3}"
    error = stopped(pack(tmp_path, play=loop))
    assert "circles" in str(error)
    assert line_of(tmp_path, "while: n > 0") in str(error)
    assert line_of(tmp_path, "set: {n: 3}") in str(error)


@pytest.mark.parametrize("condition", ["true", "n == n", "1 < 2"])
def test_an_empty_loop_is_stopped(tmp_path: Path, condition: str) -> None:
    """A loop without steps in it is a circle too, and may not hang the loader either."""
    loop = f"  - while: {condition}\n    do: []"
    assert "circles" in str(stopped(pack(tmp_path, play=loop)))


def test_verbs_that_call_each_other(tmp_path: Path) -> None:
    """Two verbs that call each other without end are stopped, and a line of them is named."""
    more = "verbs:\n  ping: {do: [{add: {n: 1}}, pong]}\n  pong: {do: [{add: {n: 1}}, ping]}"
    error = stopped(pack(tmp_path, more=more, play="  - ping"))
    assert "without end" in str(error) or "circles" in str(error)
    assert "game.yaml:" in str(error)


def test_a_verb_that_calls_itself_last(tmp_path: Path) -> None:
    """A verb whose last step is itself is stopped as well."""
    error = stopped(pack(tmp_path, more="verbs: {again: {do: [again]}}", play="  - again"))
    assert "without end" in str(error) or "circles" in str(error)


def test_a_huge_repeat_is_stopped(tmp_path: Path) -> None:
    """A million rounds without a question are more steps than one answer may take."""
    step = "  - repeat: 1000000\n    do:\n      - set: {n: 1}"
    assert "circles" in str(stopped(pack(tmp_path, play=step)))


def test_numbers_do_not_grow_without_end(tmp_path: Path) -> None:
    """Squaring a number again and again ends with an error before it fills the memory."""
    step = "  - repeat: 40\n    do:\n      - set: {n: n * n}"
    assert "beyond all measure" in str(stopped(pack(tmp_path, play=step)))


def test_sums_do_not_grow_without_end(tmp_path: Path) -> None:
    """Doubling a number again and again ends with an error too."""
    step = "  - repeat: 100\n    do:\n      - set: {n: n + n}"
    assert "beyond all measure" in str(stopped(pack(tmp_path, play=step)))


def test_a_hook_that_triggers_itself(tmp_path: Path) -> None:
    """A trigger that makes the announcement it waits for is stopped."""
    more = """\
announcements: {rang: {}}
rules:
  bell:
    name: Bell
    triggers: [{after: rang, do: [{announce: rang}]}]
    source: {doc: leaflet, section: play}"""
    error = stopped(pack(tmp_path, more=more, play="  - announce: rang"))
    assert "without end" in str(error) or "circles" in str(error)


def test_a_division_by_a_number_that_becomes_nothing(tmp_path: Path) -> None:
    """A division by zero in play is the pack's mistake, named with its line."""
    error = stopped(pack(tmp_path, play="  - score: 1 // (n - 11)"))
    assert "division by zero" in str(error)
    assert line_of(tmp_path, "1 // (n - 11)") in str(error)


def test_numbers_that_a_counter_makes_huge(tmp_path: Path) -> None:
    """A span of numbers that grows at run time is refused with the line, not built."""
    pack = tmp_path / "huge"
    pack.mkdir()
    (pack / "game.yaml").write_text(
        "# yaml-language-server: $schema=game.schema.json\n"
        "game: huge\nname: Huge\nplayers: {min: 1, max: 1}\nscore: points\n"
        "counters:\n  points: {per: player}\n  size: {}\n".replace("  size: {}", "  length: {}")
        + "play:\n  - set: {length: 900000}\n"
        "  - as: first(p for p in player)\n    do:\n"
        '      - choose: {n: "numbers(0, length)"}\n        then:\n          - score: n\n'
    )
    with pytest.raises(bs.RuleError, match="too many numbers"):
        bs.load(pack).start(1)


def test_numbers_that_are_no_options(tmp_path: Path) -> None:
    """A number outside the action space is never offered."""
    pack = tmp_path / "large"
    pack.mkdir()
    (pack / "game.yaml").write_text(
        "# yaml-language-server: $schema=game.schema.json\n"
        "game: large\nname: Large\nplayers: {min: 1, max: 1}\nscore: points\n"
        "counters:\n  points: {per: player}\n  length: {start: 150}\n"
        "play:\n  - as: first(p for p in player)\n    do:\n"
        '      - choose: {n: "numbers(length, length + 3)"}\n        then:\n          - score: n\n'
        "      - add: {length: 1}\n"
    )
    with pytest.raises(bs.RuleError, match="cannot be picked"):
        bs.load(pack).start(1)
