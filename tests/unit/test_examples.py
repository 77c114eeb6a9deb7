"""The example programs run as they stand, and print what they promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
PROMISED = {
    "bot.py": r"the bot won \d of \d games against two random ones\n\Z",
    "learning_loop.py": r"\A\d+ actions\n(?s:.*)game 1: \d+ steps, points \(",
    "replay.py": r"\A\d+ moves, legal, exact\nreplayed to the end, points \(.*\n"
    r"line \d+, illegal-move: .*'Lake 1' is not open: ",
    "check_house_rule.py": r"with 5 players all checks hold(?s:.*)with royal_post: -?\d+",
    "explain_refusal.py": r"t27: not open\n    is_free: t27 is occupied\n(?s:.*)refused: t27",
}


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an example as a user does."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / program), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
        timeout=120,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
    )


def test_every_example_is_run() -> None:
    """A program among the examples that no test runs is refused."""
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PROMISED)


@pytest.mark.parametrize("program", PROMISED)
def test_examples_run(program: str) -> None:
    """Each example ends well, without a warning, and prints what it is there for."""
    result = run(program)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert re.search(PROMISED[program], result.stdout), result.stdout


def test_the_bot_beats_random_bots() -> None:
    """Looking ahead pays: it wins more than one of three games, the share of a random bot."""
    found = re.search(r"won (\d+) of (\d+)", run("bot.py").stdout)
    assert found is not None
    assert int(found[1]) * 3 > int(found[2])


def test_a_faulty_house_rule_is_shown(tmp_path: Path) -> None:
    """The check of a house rule prints the line that is wrong, and ends with 1."""
    path = tmp_path / "faulty.yaml"
    good = (EXAMPLES / "house_rules" / "royal_post.yaml").read_text(encoding="utf-8")
    path.write_text(good.replace("after: delivered", "after: deliverd"), encoding="utf-8")
    result = run("check_house_rule.py", str(path))
    assert result.returncode == 1
    assert "did you mean 'delivered'?" in result.stdout
