"""The page about a new game shows the files of Hearts, all of them, and what it prints is so.

Blocks of YAML are excerpts of the shipped files. In a `shellsession` block commands are typed in
at the root of the project, in a line that begins with `> ` an answer at the prompt; a line `...`
stands for any lines. `pycon` blocks are run as doctests.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from broomservice.cli.group import commands
from tests.unit.test_docs import Block, blocks_of, run_python

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "new-game.md"
HEARTS = ROOT / "examples" / "hearts"
TOLD = ("game.yaml", "cards.yaml", "sources.yaml")
ANSWER = re.compile(r"^> (.+)\n", re.M)


def blocks(language: str) -> list[Block]:
    return [block for block in blocks_of(PAGE) if block.language == language]


def shipped() -> dict[Path, str]:
    """Return the files of the pack with what is in them."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(HEARTS.rglob("*.yaml"))}


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_blocks_are_excerpts(block: Block) -> None:
    """Each block of YAML stands, line by line, in one of the shipped files."""
    found = [path for path, text in shipped().items() if f"\n{block.text}" in f"\n{text}"]
    assert len(found) == 1, found


@pytest.mark.parametrize("name", TOLD)
def test_nothing_is_left_out(name: str) -> None:
    """Whoever types what the page shows has the whole file, each part once."""
    text = (HEARTS / name).read_text(encoding="utf-8")
    parts = [block.text for block in blocks("yaml") if f"\n{block.text}" in f"\n{text}"]
    assert sorted("".join(parts).splitlines()) == sorted(text.splitlines())


def sessions(block: Block) -> Iterator[tuple[list[str], str]]:
    """Return the commands of a block, each with all that is shown below it."""
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, shown = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "broomservice", command
        yield arguments, shown


def printed(arguments: list[str], answers: list[str]) -> str:
    """Return what a command prints, given what is typed in at its prompts."""
    typed = "".join(f"{answer}\n" for answer in answers)
    result = CliRunner().invoke(commands, arguments, input=typed, prog_name="broomservice")
    assert result.exit_code == 0, result.output
    return "\n".join(line.rstrip() for line in result.output.splitlines()).strip("\n")


def pattern(shown: str) -> str:
    """Return the pattern of what is printed: answers are not echoed, `...` are any lines."""
    lines = ANSWER.sub("> ", shown).strip("\n").splitlines()
    return "\n".join(r"(?:.*\n)*?.*" if line == "..." else re.escape(line) for line in lines)


@pytest.mark.parametrize("block", blocks("shellsession"), ids=str)
def test_commands_print_what_is_shown(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of the page, typed in at the root of the project, prints what stands below."""
    monkeypatch.chdir(ROOT)
    done = list(sessions(block))
    assert done
    for arguments, shown in done:
        text = printed(arguments, ANSWER.findall(shown))
        assert re.fullmatch(pattern(shown), text), text


def test_python_shows_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sessions in Python, run one after the other, give what the page shows."""
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {"__name__": "page"}
    assert blocks("pycon")
    for block in blocks("pycon"):
        run_python(block, names)


def test_a_changed_line_is_noticed() -> None:
    """The comparison of printed lines is one: another line, or one more, does not fit."""
    shown = "p1 plays.\n> why it\nbecause\n...\nGoodbye.\n"
    assert ANSWER.findall(shown) == ["why it"]
    assert re.fullmatch(pattern(shown), "p1 plays.\n> because\na\nb\nGoodbye.")
    assert not re.fullmatch(pattern(shown), "p2 plays.\n> because\na\nb\nGoodbye.")
    assert not re.fullmatch(pattern(shown), "p1 plays.\n> because\na\nGoodbye.\nmore")
