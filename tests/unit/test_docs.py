"""Everything the pages say is run: programs, commands, files, and each example of the language.

A page is read from top to bottom in an empty folder. A `yaml` block that begins with `# file: x`
is written to the file x, a `python` block is run (as a doctest if it has `>>>`), a `console` block
is typed in, and what `broomservice` prints must be what the block shows; a line `...` stands for
any lines, and inside a line for anything.

In docs/language.md a block `# example` is a verb put into the garden game of that page, with the
answers (`when`) and the result (`then`) of a ruling; `# expressions` are looked up in that game.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import io
import json
import re
import shlex
import unittest
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest
import yaml
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.group import commands
from broomservice.compile.calls import QUANTIFIERS
from broomservice.compile.context import MODIFIERS
from broomservice.compile.hooks import HOOK_KEYS
from broomservice.compile.things import BUILT_IN_TYPES, RESERVED
from broomservice.compile.visitor import Visitor
from broomservice.pack.load import Map, load_text
from broomservice.pack.problems import Place, Problems
from broomservice.pack.schema import KINDS, schemas
from broomservice.rulings import Case, Run

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = ROOT / "docs" / "language.md"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
RULING_KEYS = ("players", "given", "when", "then")
GAME, PATCHES = "toy", ("game", "cards", "boards")


# --- reading pages --------------------------------------------------------------------------------


@attrs.frozen
class Block:
    """A fenced block of a page: its language, what is in it, and the line where it begins."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def mark(self) -> str:
        """What the first line says the block is: `file: x`, `example`, `expressions`."""
        first = self.text.partition("\n")[0]
        found = re.match(r"# (file: \S+|example|expressions)", first)
        return found[1] if found and self.language == "yaml" else ""

    @property
    def body(self) -> str:
        """The block without the line that says what it is."""
        return self.text.partition("\n")[2] if self.mark else self.text

    def __str__(self) -> str:
        return f"{self.page.name}:{self.line}"


@cache
def blocks_of(page: Path) -> tuple[Block, ...]:
    """Return the fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return tuple(
        Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])
        for found in FENCE.finditer(text)
    )


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def examples(mark: str) -> list[Block]:
    return [block for block in blocks_of(LANGUAGE) if block.mark == mark]


def write_files(blocks: tuple[Block, ...], folder: Path) -> None:
    """Write the files that a page shows."""
    for block in blocks:
        if block.mark.startswith("file: "):
            path = folder / block.mark.removeprefix("file: ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")


# --- pages run from top to bottom -----------------------------------------------------------------


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_pages_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows a page from top to bottom sees what it shows."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks_of(page):
        if block.mark.startswith("file: "):
            write_files((block,), tmp_path)
        elif block.language == "yaml" and not block.mark:
            problems = Problems()
            load_text(block.text, str(block), problems)
            assert not problems.found, str(block)
        elif block.language == "python":
            run_python(block, names)
        elif block.language == "console":
            for command, shown in typed_in(block):
                assert_prints(block, command, shown)


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run a block; what it defines stays for the blocks after it, its tests are run at once."""
    if ">>>" in block.text:
        test = doctest.DocTestParser().get_doctest(block.text, names, str(block), None, block.line)
        out = io.StringIO()
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
            test, out=out.write, clear_globs=False
        )
        names.update(test.globs)
        assert not out.getvalue(), out.getvalue()
        return
    before = dict(names)
    with redirect_stdout(io.StringIO()):
        exec(compile(block.text, str(block), "exec"), names)
    for name, value in list(names.items()):
        if before.get(name) is value:
            continue
        if name.startswith("test_") and callable(value):
            value()
        elif isinstance(value, type) and issubclass(value, unittest.TestCase):
            result = unittest.TestResult()
            unittest.defaultTestLoader.loadTestsFromTestCase(value).run(result)
            assert result.testsRun, name
            assert not [*result.errors, *result.failures], (*result.errors, *result.failures)


def typed_in(block: Block) -> Iterator[tuple[list[str], list[str]]]:
    """Return the `broomservice` commands of a block, each with the lines that it should print."""
    command: list[str] = []
    shown: list[str] = []
    for line in [*block.text.splitlines(), "$ end"]:
        if line.startswith("$ "):
            if command[:1] == ["broomservice"]:
                yield command[1:], shown
            command, shown = shlex.split(line[2:], comments=True), []
        else:
            shown.append(line)


def assert_prints(block: Block, command: list[str], shown: list[str]) -> None:
    """Run a command; it prints what is shown, where `...` stands for any lines."""
    result = CliRunner().invoke(commands, command, prog_name="broomservice")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    lines = [line.rstrip() for line in result.output.splitlines()]
    wanted = "\n".join(pattern_of(line.rstrip()) for line in shown)
    text = "\n".join(lines).strip("\n")
    assert re.fullmatch(wanted.strip("\n"), text), f"{block}: {shlex.join(command)}\n{text}"


def pattern_of(line: str) -> str:
    """Return what a shown line stands for: `...` for any lines, or inside it for anything."""
    if line.strip() == "...":
        return r"(?:.*\n)*?.*"
    return ".*".join(re.escape(part) for part in line.split("..."))


def test_shown_output_is_compared() -> None:
    """The check of printed lines finds a line too few, a line too many, and a changed one."""
    block = Block(LANGUAGE, 1, "console", "$ broomservice --version\nbroomservice 0\n")
    command, shown = next(typed_in(block))
    assert_prints(block, command, ["..."])
    for wrong in (shown, [], [*shown, "more"]):
        with pytest.raises(AssertionError):
            assert_prints(block, command, wrong)


# --- the examples of the language -----------------------------------------------------------------


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the garden game of docs/language.md."""
    folder = tmp_path_factory.mktemp("language")
    write_files(blocks_of(LANGUAGE), folder)
    return folder


def load_with(garden: Path, patch: dict[str, Any], steps: list[Any]) -> bs.Game:
    """Return the garden game with a patch, and a verb `example` that does the steps."""
    game = dict(patch.get("game", {}))
    game["verbs"] = {**game.get("verbs", {}), "example": {"do": steps}}
    game.setdefault("play", [{"as": "first(p for p in player)", "do": ["example"]}])
    variant = {"variant": "example_of_page", "of": GAME, **patch, "game": game}
    head = "# yaml-language-server: $schema=x/variant.schema.json\n"
    path = garden / "example.yaml.txt"
    path.write_text(head + yaml.safe_dump(variant, sort_keys=False), encoding="utf-8")
    return bs.load(garden / GAME, variants=[path])


def as_node(data: Any) -> Any:
    """Return data as the strict loader does."""
    return load_text(json.dumps(data), "page", Problems())


@pytest.mark.parametrize("block", examples("example"), ids=str)
def test_examples_of_the_language(block: Block, garden: Path) -> None:
    """Each example loads, comes out as it says, and can be played at random."""
    content = yaml.safe_load(block.body)
    patch = {key: content[key] for key in PATCHES if key in content}
    assert set(content) <= {*PATCHES, *RULING_KEYS, "do", "log", "mistake"}, set(content)
    if "mistake" in content:
        with pytest.raises(bs.PackError) as caught:
            load_with(garden, patch, content["do"])
        assert [problem.message for problem in caught.value.problems] == [content["mistake"]]
        return
    game = load_with(garden, patch, content["do"])
    given = {"begin": {"verb": "example", "as": "p1"}, **content.get("given", {})}
    node = {"players": 3, **content, "given": given}
    assert "then" in content or "log" in content, "an example says what comes out"
    case = Case("example", GAME, "", Place(str(block)), as_node(node))
    assert_comes_out(game, case, content)
    if "error" not in content.get("then", {}):
        assert len(game.playouts(3, players=3)) == 3


def assert_comes_out(game: bs.Game, case: Case, content: dict[str, Any]) -> None:
    """The position and the log are what an example says."""
    then = content.get("then", {})
    if "error" in then:
        with pytest.raises(bs.RuleError, match=re.escape(then["error"])):
            Run.of(game, case).answer_all(content.get("when", ()))
        return
    run = Run.of(game, case)
    run.answer_all(content.get("when", ()))
    assert list(run.compare(as_node(then))) == []
    if "log" in content:
        kinds = ("score", "tell")
        said = [entry.text for entry in run.state.log if entry.kind in kinds]
        assert said == content["log"]


@pytest.mark.parametrize("block", examples("expressions"), ids=str)
def test_expressions_of_the_language(block: Block, garden: Path) -> None:
    """Each expression has the value that the page gives, for p1 at the beginning, with three."""
    content = yaml.safe_load(block.body)
    game = load_with(garden, {}, [{"tell": f"{{{text}}}"} for text in content])
    given = {"begin": {"verb": "example", "as": "p1"}}
    case = Case("example", GAME, "", Place(str(block)), as_node({"players": 3, "given": given}))
    said = [entry.text for entry in Run.of(game, case).state.log if entry.kind == "tell"]
    wanted = [
        {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
        for value in content.values()
    ]
    assert dict(zip(content, said, strict=True)) == dict(zip(content, wanted, strict=True))


def test_the_garden_is_in_order(garden: Path) -> None:
    """The game of the page has no mistake, its variants and rulings neither, and ends."""
    result = CliRunner().invoke(commands, ["check", str(garden / GAME)])
    assert result.exit_code == 0, result.output
    for path in sorted((garden / GAME / "rulings").glob("*.yaml")):
        result = CliRunner().invoke(commands, ["check", str(path)])
        assert result.exit_code == 0, result.output
    assert all(end.decisions > 0 for end in bs.load(garden / GAME).playouts(5, players=2))


# --- the page has everything, and nothing else ----------------------------------------------------


@cache
def sections() -> dict[str, str]:
    """Return the sections of docs/language.md by heading, without what lies below deeper ones."""
    found: dict[str, str] = {}
    heading = ""
    for line in FENCE.sub("", LANGUAGE.read_text(encoding="utf-8")).split("\n"):
        if line.startswith("#"):
            heading = line.strip("# `")
            assert heading not in found, f"two headings '{heading}'"
            found[heading] = ""
        elif heading:
            found[heading] += line + "\n"
    return found


def subsections(heading: str) -> list[str]:
    """Return the headings one level below a heading."""
    text = FENCE.sub("", LANGUAGE.read_text(encoding="utf-8"))
    _, _, rest = text.partition(f"\n## {heading}\n")
    inside = rest.split("\n## ")[0]
    return [line.strip("# `") for line in inside.split("\n") if line.startswith("### ")]


def rows(text: str) -> list[str]:
    """Return the names in backticks with which the entries of lists begin."""
    found: list[str] = []
    for start in re.findall(r"^\* ((?:`[^`]+`(?:, )?)+)", text, re.M):
        found += re.findall(r"`([^`]+)`", start)
    return found


def keys_of(path: str) -> list[str]:
    """Return the rows of the list of keys that belongs to a path such as `game.sites`."""
    lists = re.findall(
        r"^Keys of ((?:`[\w.]+`(?:, )?)+):\n\n(.*?)\n\n",
        LANGUAGE.read_text(encoding="utf-8"),
        re.M | re.S,
    )
    found = [rows(text) for paths, text in lists if path in re.findall(r"`([\w.]+)`", paths)]
    return [key for keys in found for key in keys]


def test_every_step_has_a_section_with_its_modifiers() -> None:
    """The headings below 'Steps' are the keywords; the rows are what may stand beside each."""
    named = [one for one in subsections("Steps") if one in MODIFIERS or one.islower()]
    assert sorted(named) == sorted(MODIFIERS)
    for keyword, modifiers in MODIFIERS.items():
        assert sorted(rows(sections()[keyword])) == sorted(modifiers), keyword


def test_every_step_has_an_example() -> None:
    """Each keyword and each modifier stands in an example, in the steps that are run."""
    used: set[tuple[str, str]] = set()
    for block in examples("example"):
        collect_steps(yaml.safe_load(block.body), used)
    wanted = {(keyword, key) for keyword, keys in MODIFIERS.items() for key in (keyword, *keys)}
    assert wanted - used == set()


def collect_steps(node: Any, used: set[tuple[str, str]]) -> None:
    """Note each keyword with itself and with what stands beside it."""
    if isinstance(node, dict):
        for keyword in MODIFIERS:
            if keyword in node:
                used.update((keyword, key) for key in node)
        for value in node.values():
            collect_steps(value, used)
    elif isinstance(node, list):
        for value in node:
            collect_steps(value, used)


def test_every_hook_has_a_section_with_its_keys() -> None:
    """The headings below 'Hooks' are the four kinds; each is used in an example."""
    named = [one for one in subsections("Hooks") if one.islower()]
    assert sorted(named) == sorted(HOOK_KEYS)
    text = "".join(block.body for block in examples("example"))
    assert all(f"{key}:" in text for key in HOOK_KEYS)


def test_the_words_of_the_language_are_all_explained() -> None:
    """The rows about names, functions and operators are the reserved words, no more, no less."""
    functions = rows(sections()["Functions"])
    assert set(functions) >= QUANTIFIERS
    words = [*functions, *rows(sections()["Words of the language"])]
    assert sorted(words) == sorted(RESERVED)


def test_every_form_of_expression_has_an_example() -> None:
    """What the compiler accepts, node by node, occurs among the expressions that are checked."""
    handled = set(re.findall(r"^ +ast\.(\w+):", inspect.getsource(Visitor.value), re.M))
    operators = {
        "Add",
        "Sub",
        "Mult",
        "FloorDiv",
        "Mod",
        "Not",
        "USub",
        "And",
        "Or",
        "In",
        "NotIn",
        "Eq",
        "NotEq",
        "Lt",
        "LtE",
        "Gt",
        "GtE",
        "Tuple",
        "GeneratorExp",
    }
    found: set[str] = set()
    called: set[str] = set()
    for block in examples("expressions"):
        for text in yaml.safe_load(block.body):
            for node in ast.walk(ast.parse(str(text), mode="eval")):
                found.add(type(node).__name__)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    called.add(node.func.id)
    assert (handled | operators) - found == set()
    assert set(rows(sections()["Functions"])) - called == set()


def test_every_type_is_named() -> None:
    """The built-in types have a row each."""
    types = set(rows(sections()["Types"]))
    assert set(BUILT_IN_TYPES) | {"piece", "place"} <= types


def test_every_kind_of_document_has_a_file() -> None:
    """The page shows at least one file of each kind, and says what kinds there are."""
    shown = {
        next(iter(yaml.safe_load(block.body)))
        for block in blocks_of(LANGUAGE)
        if block.mark.startswith("file: ")
    }
    assert shown == set(KINDS)
    assert sorted(rows(sections()["Kinds of documents"])) == sorted(KINDS)


def schema_keys(node: Any, path: str, found: dict[str, set[str]]) -> None:
    """Collect for each map with fixed keys, by its path, the keys that its schema has."""
    if not isinstance(node, dict):
        return
    keys = node.get("properties", {})
    if keys and path != "step":
        found.setdefault(path, set()).update(keys)
    for key, inner in keys.items():
        schema_keys(inner, f"{path}.{key}" if path else key, found)
    for key in ("additionalProperties", "items", "if", "then", "else"):
        schema_keys(node.get(key), path, found)
    for inner in node.get("anyOf", ()):
        schema_keys(inner, path, found)


def expected_keys() -> dict[str, set[str]]:
    """Return the keys of every map of every kind of document."""
    found: dict[str, set[str]] = {}
    for kind in KINDS:
        schema_keys(schemas()[f"{KINDS[kind]}.schema.json"], kind, found)
    for name, node in schemas()["effects.schema.json"]["$defs"].items():
        schema_keys(node, name, found)
    for path in ("variant.game", "variant.boards"):
        del found[path]  # the keys of game.yaml and of a board
    return found


@pytest.mark.parametrize("path", sorted(expected_keys()))
def test_every_key_has_a_row(path: str) -> None:
    """Each key of each document is explained once, and no key that there is not."""
    assert sorted(keys_of(path)) == sorted(expected_keys()[path])


def test_no_list_of_keys_is_of_nothing() -> None:
    """Each list of keys belongs to a map that a schema knows."""
    named = re.findall(r"^Keys of (.*):$", LANGUAGE.read_text(encoding="utf-8"), re.M)
    paths = {path for line in named for path in re.findall(r"`([\w.]+)`", line)}
    assert paths - set(expected_keys()) == set()


def test_links_lead_somewhere() -> None:
    """Each relative link of a page leads to a file that there is."""
    for page in pages():
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_modules_that_pages_name_exist() -> None:
    """A module, file or folder that the page on the engine names is there."""
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+\.\w+|\w+\.py)`", text))
    assert len(named) >= 12
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "broomservice" / name).exists(), name


def test_map_is_what_the_loader_makes() -> None:
    """The cases of examples are read as files are."""
    assert isinstance(as_node({"then": {}}), Map)


# --- the glossary ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", bs.known_games())
def test_the_glossary_speaks_as_the_packs_do(game: str) -> None:
    """Each id in the table of a game is a name of its pack, called there as the table says."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    table = text.partition(f"\n## {game}\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", table, re.M)
    names = bs.load(game).names
    kinds = (names.pieces, names.families, names.site_kinds, names.places, names.counters)
    texts = {key: one.text for known in kinds for key, one in known.items()}
    texts |= {**names.word_texts, **names.labels}
    assert len(found) >= 8
    for name, english, german in found:
        assert name in texts or name in names.verbs, name
        if texts.get(name, {}).get("de"):
            assert (english, german) == (texts[name]["en"], texts[name]["de"])


# --- house rules ----------------------------------------------------------------------------------


HOUSE_RULES = ROOT / "docs" / "house-rules.md"


def test_house_rules_are_shown_as_they_are() -> None:
    """Each house rule among the examples stands on the page, word for word."""
    shown = {block.mark.removeprefix("file: "): block.body for block in blocks_of(HOUSE_RULES)}
    files = sorted((ROOT / "examples" / "house_rules").glob("*.yaml"))
    assert len(files) >= 5
    for path in files:
        assert shown[path.name] == path.read_text(encoding="utf-8"), path.name


def test_all_points_and_announcements_are_listed() -> None:
    """What house rules can hook on is what the game asks and announces, with the names bound."""
    text = HOUSE_RULES.read_text(encoding="utf-8").partition("## What there is to hook on")[2]
    points, announcements = text.split("The announcements, for triggers:")
    game = bs.load("broom_service")
    asked = {one.point: one for one in game.compiled(4).questions.values() if one.point}
    assert sorted(rows(points)) == sorted(asked)
    for line in re.findall(r"^\* `.*$", points, re.M):
        point, *names = re.findall(r"`(\w+)`", line)
        if asked[point].name:
            assert names == [asked[point].name], line
        else:
            labels = {game.options[one.label].label for one in asked[point].alternatives}
            assert set(names) == labels, line
    assert sorted(rows(announcements.split("\n\nFor replacements")[0])) == sorted(
        game.names.announcements
    )
