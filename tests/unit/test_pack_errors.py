"""Every mistake that a pack can hold has a code, a smallest example, and an exact message.

`tests/bad_packs/<code>/` holds the examples of one code. Each is a house rule over the tiny good
pack in `_good`, the arguments of a call (`*.call.yaml`), or a folder with a pack of its own, which
`broomservice check` looks at; `expected.txt` begins with what the code means and lists the
messages. Run this file to write docs/error-codes.md anew.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

import broomservice as bs
from broomservice.cli import check
from broomservice.pack.problems import Problem

ROOT = Path(__file__).resolve().parents[2]
BAD_PACKS = ROOT / "tests" / "bad_packs"
GOOD = "../_good"
TABLE = ROOT / "docs" / "error-codes.md"
CODE = re.compile(r"[a-z]+(-[a-z]+)*\Z")
FOLDERS = sorted(path for path in BAD_PACKS.iterdir() if path.is_dir() and path.name[0] != "_")


def problems_of(example: Path) -> tuple[Problem, ...]:
    """Return the mistakes that an example is refused for, or what it is warned of."""
    if example.is_dir():
        return check.problems_of(Path(example.name))
    try:
        if example.name.endswith(".call.yaml"):
            arguments = yaml.safe_load(example.read_text(encoding="utf-8"))
            game = bs.load(arguments.pop("game", GOOD), **arguments)
        else:
            game = bs.load(GOOD, variants=[example.name])
    except bs.PackError as error:
        return error.problems
    return tuple(game.sources.problems.found)


def examples_in(folder: Path) -> list[Path]:
    """Return the examples of a code: files, and folders with a pack."""
    return sorted([*folder.glob("*.yaml"), *(game.parent for game in folder.glob("*/game.yaml"))])


def found_in(folder: Path) -> str:
    """Return the messages of all examples in a folder, as `expected.txt` has them."""
    shown = [problem.shown() for example in examples_in(folder) for problem in problems_of(example)]
    return "\n".join(shown) + "\n"


def expected_in(folder: Path) -> tuple[str, str]:
    """Return what a code means, and the messages of its examples."""
    meaning, _, messages = (folder / "expected.txt").read_text(encoding="utf-8").partition("\n")
    return meaning.removeprefix("# "), messages


def codes_in_source() -> set[str]:
    """Return the codes of all problems that the package can note."""
    found: set[str] = set()
    for path in sorted((ROOT / "broomservice").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                code = code_argument(node, node.func.attr)
                if code:
                    found.add(code)
    return found


def code_argument(node: ast.Call, name: str) -> str:
    """Return the code that a call notes; empty if it notes none."""
    position = {"add": 1, "warn": 1, "unknown": 1, "error": 1, "named": 3}.get(name)
    if position is None or len(node.args) <= position:
        return ""
    argument = node.args[position]
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        return ""
    return argument.value if CODE.match(argument.value) else ""


def table() -> str:
    """Return docs/error-codes.md: each code, what it means, and a message."""
    lines = [
        "# The codes of mistakes in packs",
        "",
        "`load` reports all mistakes of a pack together, as `file:line:column: code: message`. The",
        "codes are stable; the messages are English, also with `--lang de`. With a `warning` a",
        "pack can be used; `broomservice check` shows it. The table is made from the examples in",
        "`tests/bad_packs/`.",
        "",
        "| code | meaning | example |",
        "|---|---|---|",
    ]
    for folder in FOLDERS:
        meaning, messages = expected_in(folder)
        sentence = next(
            line.split(f"{folder.name}: ", 1)[1]
            for line in messages.split("\n")
            if f"{folder.name}: " in line
        )
        lines.append(f"| `{folder.name}` | {meaning} | {sentence.replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_messages_are_exact(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A malformed pack gives exactly the messages that its folder says, in their order."""
    monkeypatch.chdir(folder)
    assert found_in(folder) == expected_in(folder)[1]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_examples_show_their_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example is refused, and for the mistake that it is there for."""
    monkeypatch.chdir(folder)
    for example in examples_in(folder):
        assert folder.name in {problem.code for problem in problems_of(example)}, example.name


def test_every_code_has_a_folder() -> None:
    """A code without an example, or an example of no code, is refused."""
    assert codes_in_source() == {folder.name for folder in FOLDERS}


def test_the_good_pack_is_good() -> None:
    """All examples change one thing in a pack that is without mistakes."""
    game = bs.load(BAD_PACKS / "_good")
    assert game.playouts(3, players=2)


def test_the_table_of_codes_is_up_to_date() -> None:
    """docs/error-codes.md is what the examples say; run this file to write it anew."""
    assert TABLE.read_text(encoding="utf-8") == table()


def test_all_mistakes_come_together_and_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mistakes of several files and kinds are reported at once, in the order of the files."""
    folder = BAD_PACKS / "unknown-key"
    monkeypatch.chdir(folder)
    with pytest.raises(bs.PackError) as caught:
        bs.load(GOOD, variants=["keys.yaml", "../unknown-word/words.yaml"])
    problems = caught.value.problems
    places = [problem.place for problem in problems]
    assert places == sorted(places)
    assert {"unknown-key", "unknown-word"} <= {problem.code for problem in problems}
    assert str(caught.value).count("\n") == len(problems) - 1


def test_problems_are_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """A problem says where it is, what was found, what was expected, and the likely spelling."""
    monkeypatch.chdir(BAD_PACKS / "wrong-value")
    problem = problems_of(Path("values.yaml"))[-1]
    assert (problem.place.file, problem.place.line) == ("values.yaml", 9)
    assert (problem.code, problem.got, problem.hint) == ("wrong-value", "owenr", "owner")
    assert problem.expected == "all, owner, nobody"
    line, caret = problem.shown().split("\n")[1:]
    assert line[caret.index("^") :].startswith("owenr")


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
