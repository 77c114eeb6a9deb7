"""How many mistakes in a pack does `load` catch? Plants single ones at random and counts.

    python benchmarks/catch_rate.py --count 400 --seed 1 [--show] [broom_service ...]

Every mistake goes into a fresh copy of a pack: a key, a name, an attribute or a word inside an
expression misspelt by one letter; a key taken out; a value of another type; two arguments in the
wrong order. `caught` counts the packs that `load` refuses, `line` those of them whose message
stands on the changed line (where the change is a misspelling), `hint` those with the right
spelling in the message. Prose (names, sentences) is left alone.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import yaml

import broomservice as bs
from broomservice.compile.context import MODIFIERS
from broomservice.pack.documents import content_folder
from broomservice.pack.load import Block, Map, Seq, load_file
from broomservice.pack.problems import Place, Problems
from broomservice.pack.schema import schemas

WORD = re.compile(r"[a-z_][a-z0-9_]*")
GAP = re.compile(r"\{([^{}]*)\}")
PROSE = frozenset(
    {
        "name",
        "text",
        "because",
        "else",
        "tell",
        "prompt",
        "names",
        "title",
        "publisher",
        "language",
        "note",
        "sections",
        "en",
        "de",
        "meanings",
        "question",
        "answer",
        "topic",
    }
)
WITH_GAPS = frozenset(["else", "tell", "prompt", "because"])
BUILT_IN = frozenset(
    {
        "and",
        "or",
        "not",
        "in",
        "if",
        "else",
        "for",
        "is",
        "any",
        "all",
        "sum",
        "count",
        "min",
        "max",
        "best",
        "first",
        "size",
        "piece_in",
        "next",
        "numbers",
        "owner",
        "me",
        "none",
        "true",
        "false",
        "this",
        "here",
        "actor",
        "player",
        "player_count",
        "number",
        "truth",
        "piece",
        "place",
        "at",
        "always",
        "assumed",
        "deduced",
        "nobody",
    }
)
KINDS = (
    "misspelt key",
    "misspelt name",
    "misspelt attribute",
    "misspelt word in an expression",
    "deleted key",
    "value of a wrong type",
    "name of a wrong sort",
    "swapped arguments",
)

DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

Path_ = tuple[str | int, ...]


@attrs.frozen
class Mistake:
    """One mistake to plant: in which file, what is changed, and into what."""

    kind: str
    file: Path
    path: Path_
    what: str
    became: str
    text: str
    line: int = 0


@attrs.frozen
class Spot:
    """A word of a file that can be misspelt: a key, or a part of a text."""

    kind: str
    path: Path_
    word: str
    place: Place
    is_exact: bool


# --- reading a pack -------------------------------------------------------------------------------


def schema_keys() -> frozenset[str]:
    """Return every key that the schemas and the steps of the language know."""
    found: set[str] = set(MODIFIERS)

    def collect(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("properties"), dict):
                found.update(node["properties"])
            for value in node.values():
                collect(value)
        elif isinstance(node, list):
            for value in node:
                collect(value)

    for schema in schemas().values():
        collect(schema)
    return frozenset(found)


KEYS = schema_keys()
NAMES_THINGS = frozenset(
    {
        "words",
        "options",
        "values",
        "sites",
        "families",
        "pieces",
        "places",
        "counters",
        "announcements",
        "definitions",
        "requirements",
        "rules",
        "verbs",
        "invariants",
        "attributes",
        "relations",
        "parts",
        "parameters",
        "types",
        "entries",
        "documents",
        "statements",
        "either",
        "any_order",
        "variants",
    }
)
REFERENCES = frozenset(
    {
        "with",
        "set",
        "add",
        "move",
        "start",
        "choose",
        "let",
        "draw",
        "window",
        "each",
        "move_all",
        "perform",
        "announce",
        "counts",
        "is",
    }
)


def is_prose(path: Path_) -> bool:
    """Whether what stands at a path is written for people."""
    keys = [step for step in path if isinstance(step, str)]
    if not keys:
        return False
    if keys[-1] in ("en", "de"):
        return True
    return keys[-1] in PROSE and not (keys[-1] == "else" and "do" in keys[-1:])


def walk(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any, Any]]:
    """Return every key and item below a node: its path, the node it is in, its value."""
    entries: list[tuple[Any, Any]] = list(
        node.items() if isinstance(node, Map) else enumerate(node)
    )
    for key, value in entries:
        yield (*path, key), node, value
        if isinstance(value, Map | Seq):
            yield from walk(value, (*path, key))


def key_kind(path: Path_, owner: Map) -> str:
    """Return what a key is: a word of the language, a name that is used, an attribute, or ''."""
    key = str(path[-1])
    above = str(path[-2]) if len(path) > 1 else ""
    if any(step in PROSE for step in path[:-1] if isinstance(step, str) and step != "else"):
        return ""
    if key in ("en", "de"):
        return ""
    if above in NAMES_THINGS:
        return (
            "misspelt name"
            if above == "sites"
            and path[0] == "sites"
            and "to" not in owner
            and not isinstance(owner[key], Map)
            else ""
        )
    if len(path) >= 3 and path[0] in ("words", "sites") and len(path) == 3:
        return "" if path[0] == "words" or key not in KEYS else "misspelt key"
    if above in REFERENCES:
        return "misspelt name"
    if key in KEYS:
        return "misspelt key"
    if len(path) >= 2 and path[0] in ("sites", "entries", "pieces"):
        depth = 4 if path[0] == "sites" else 3
        if len(path) == depth:
            return "misspelt attribute"
    return "misspelt name" if WORD.fullmatch(key) else ""


def is_expression(path: Path_, value: Any) -> bool:
    """Whether a text is read by the machine and not by people."""
    if not isinstance(value, str) or is_prose(path) or path[-1] in ("doc", "source"):
        return path[-1] == "doc" and isinstance(value, str)
    return not any(step in ("sections", "meanings") for step in path)


def spots(document: Map) -> Iterator[Spot]:
    """Return every word of a document that can be misspelt."""
    for path, owner, value in walk(document):
        if isinstance(owner, Map):
            kind = key_kind(path, owner)
            if kind and WORD.fullmatch(str(path[-1])):
                yield Spot(kind, path, str(path[-1]), owner.key_at(str(path[-1])), True)
        place = owner.at(path[-1])
        if path[-1] == "each_player" or path[0] == "words":
            continue
        if is_expression(path, value) and path[-1] != "id":
            yield from words_of(value, value, place, path, 0)
        elif isinstance(value, str) and set(path[-2:]) & {*WITH_GAPS, "id"}:
            for gap in GAP.finditer(value):
                yield from words_of(value, gap[1], place, path, gap.start(1))


def words_of(whole: str, text: str, place: Place, path: Path_, shift: int) -> Iterator[Spot]:
    """Return the words of an expression that can be misspelt."""
    for match in WORD.finditer(text):
        word = match[0]
        if word in BUILT_IN:
            continue
        kind = "misspelt word in an expression"
        if match.start() and text[match.start() - 1] == ".":
            kind = "misspelt attribute"
        elif word == whole:
            kind = "misspelt name"
        block = isinstance(whole, Block)
        spot = place if block else place.moved(shift + match.start())
        yield Spot(kind, path, word, spot, not block)


# --- planting -------------------------------------------------------------------------------------


def misspelt(word: str, known: set[str], chance: random.Random) -> str:
    """Return a word with one letter wrong, that is no other word of the pack."""
    for _ in range(100):
        i = chance.randrange(len(word))
        letter = chance.choice("abcdefghijklmnopqrstuvwxyz")
        wrong = chance.choice(
            [
                word[:i] + word[i + 1 :],
                word[:i] + word[i] + word[i:],
                word[:i] + letter + word[i + 1 :],
                word[:i] + word[i + 1 : i + 2] + word[i] + word[i + 2 :],
            ]
        )
        if wrong not in known and WORD.fullmatch(wrong) and wrong not in BUILT_IN:
            return wrong
    return word + "x"


@attrs.frozen
class Planter:
    """Plants mistakes in the documents of one pack."""

    files: dict[Path, Map]
    known: set[str]
    chance: random.Random
    spots: dict[Path, list[Spot]] = attrs.field(factory=dict)

    def plant(self, kind: str) -> Mistake | None:
        """Return one mistake of a kind at random, None if there is no room for one."""
        weights = [path.stat().st_size for path in self.files]
        file = self.chance.choices(list(self.files), weights=weights)[0]
        document = self.files[file]
        if kind.startswith("misspelt"):
            return self.misspell(kind, file, document)
        makers = {
            "deleted key": self.deletions,
            "value of a wrong type": self.wrong_types,
            "name of a wrong sort": self.wrong_sorts,
            "swapped arguments": self.swaps,
        }
        found = list(makers[kind](document))
        if not found:
            return None
        path, old, new = self.chance.choice(found)
        return Mistake(
            kind, file, path, str(old)[:60], str(new)[:60], self.written(file, document, path, new)
        )

    def misspell(self, kind: str, file: Path, document: Map) -> Mistake | None:
        if file not in self.spots:
            self.spots[file] = list(spots(document))
        found = [spot for spot in self.spots[file] if spot.kind == kind and spot.is_exact]
        if not found:
            return None
        spot = self.chance.choice(found)
        wrong = misspelt(spot.word, self.known, self.chance)
        lines = file.read_text(encoding="utf-8").split("\n")
        line, column = lines[spot.place.line - 1], spot.place.column - 1
        if line[column : column + len(spot.word)] != spot.word:
            return None
        lines[spot.place.line - 1] = line[:column] + wrong + line[column + len(spot.word) :]
        return Mistake(kind, file, spot.path, spot.word, wrong, "\n".join(lines), spot.place.line)

    def written(self, file: Path, document: Map, path: Path_, new: Any) -> str:
        """Return a document with one change, as YAML."""
        first = file.read_text(encoding="utf-8").split("\n", 1)[0]
        copy = plain(document)
        node = copy
        for step in path[:-1]:
            node = node[step]
        if new is None:
            del node[path[-1]]
        else:
            node[path[-1]] = new
        text = yaml.dump(copy, Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=10**6)
        return f"{first}\n{text}"

    def deletions(self, document: Map) -> Iterator[tuple[Path_, Any, Any]]:
        for path, owner, value in walk(document):
            if isinstance(owner, Map) and key_kind(path, owner) and not is_prose(path):
                yield path, f"{path[-1]}: {value}", None

    def wrong_types(self, document: Map) -> Iterator[tuple[Path_, Any, Any]]:
        for path, _, value in walk(document):
            if is_prose(path) or (isinstance(value, str) and not is_expression(path, value)):
                continue
            if path[0] == "words" and len(path) == 3:
                continue
            if any(step in PROSE for step in path if isinstance(step, str)):
                continue
            if isinstance(value, bool | int):
                new: Any = self.chance.choice(["many", [value]])
            elif isinstance(value, str):
                new = self.chance.choice([7, [value, value], {"of": value}])
            else:
                new = self.chance.choice(["many", 7])
            yield path, value, new

    def wrong_sorts(self, document: Map) -> Iterator[tuple[Path_, Any, Any]]:
        names = sorted(self.known)
        for path, _, value in walk(document):
            if path[-1] in ("each_player", "section", "doc", "variant"):
                continue
            if is_expression(path, value) and WORD.fullmatch(value) and value not in BUILT_IN:
                yield path, value, self.chance.choice([one for one in names if one != value])

    def swaps(self, document: Map) -> Iterator[tuple[Path_, Any, Any]]:
        for path, owner, value in walk(document):
            if (
                isinstance(value, Map)
                and len(value) > 1
                and isinstance(owner, Map)
                and (len(path) > 1 and isinstance(path[-2], int) and path[-1] not in KEYS)
            ):
                one, two = self.chance.sample(list(value), 2)
                if value[one] != value[two]:
                    yield path, dict(value), {**value, one: value[two], two: value[one]}
            if is_expression(path, value) and "," in value:
                swapped = swapped_call(value)
                if swapped is not None:
                    yield path, value, swapped


def swapped_call(text: str) -> str | None:
    """Return an expression with the first two different arguments of a call exchanged."""
    try:
        tree = ast.parse(text.replace("\n", " "), mode="eval")
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and len(node.args) > 1
            and (
                isinstance(node.func, ast.Name)
                and node.func.id not in ("min", "max")
                and ast.unparse(node.args[0]) != ast.unparse(node.args[1])
            )
        ):
            node.args[0], node.args[1] = node.args[1], node.args[0]
            return ast.unparse(tree)
    return None


def plain(node: Any) -> Any:
    """Return a document as ordinary maps, lists and texts."""
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(value) for value in node]
    return str(node) if isinstance(node, str) else node


# --- running --------------------------------------------------------------------------------------


@attrs.frozen
class Bed:
    """A copy of a pack to plant mistakes in, and the ways to load it."""

    folder: Path
    board: str
    ways: tuple[tuple[tuple[str, ...], str | None], ...]
    planter: Planter

    @classmethod
    def of(cls, game: str, root: Path, chance: random.Random) -> Bed:
        """Return a fresh copy of a pack; files that no way of loading reads are left out."""
        folder = root / "cards" / game
        shutil.copytree(content_folder("cards") / game, folder)
        boards = root / "boards" / game
        if (content_folder("boards") / game).is_dir():
            shutil.copytree(content_folder("boards") / game, boards)
        documents = bs.load(folder).documents
        known = {board: board for board in documents.boards}
        ways: list[tuple[tuple[str, ...], str | None]] = [((), None)]
        for variant, node in documents.variants.items():
            ways.append(((*node.get("needs", ()), variant), None))
        ways += [(variants, board) for variants, _ in list(ways) for board in known]
        good = tuple(way for way in ways if failure(folder, *way) is None)
        files: dict[Path, Map] = {}
        used = read_by(documents, good)
        for file in [*folder.rglob("*.yaml"), *boards.glob("*.yaml")]:
            document = load_file(file, Problems())
            if "rulings" not in file.parts and isinstance(document, Map) and used(document):
                files[file] = document
        board = str(documents.game.get("board"))
        return cls(folder, board, good, Planter(files, known_words(files), chance))

    def way_for(self, file: Path) -> tuple[tuple[str, ...], str | None]:
        """Return how to load the pack so that all of a file is used: plainly, if that does."""
        document = self.planter.files[file]
        name = str(document.get("board") or document.get("variant") or "")
        special = [
            way
            for way in self.ways
            if name not in ("", self.board) and (name in way[0] or name == way[1])
        ]
        return min(special or self.ways, key=lambda way: len(way[0]))


def read_by(documents: Any, ways: tuple[tuple[tuple[str, ...], str | None], ...]) -> Any:
    """Return a test for whether some way of loading reads a document."""
    names = {str(documents.game.get("board"))}
    for variants, board in ways:
        names.update(variants)
        names.add(str(board))

    def used(document: Map) -> bool:
        kind = next(iter(document))
        return kind not in ("board", "variant") or document[kind] in names

    return used


def known_words(files: dict[Path, Map]) -> set[str]:
    """Return all words that mean something in a pack: no misspelling may hit one of them."""
    found: set[str] = set(KEYS)
    for document in files.values():
        for path, _, value in walk(document):
            if isinstance(path[-1], str):
                found.update(WORD.findall(path[-1]))
            if isinstance(value, str) and not is_prose(path):
                found.update(WORD.findall(value))
    return found


def failure(folder: Path, variants: tuple[str, ...], board: str | None) -> bs.PackError | None:
    """Return why a pack cannot be loaded in a way, None if it can."""
    try:
        bs.load(folder, variants=variants, board=board)
    except bs.PackError as error:
        return error
    return None


@attrs.define
class Count:
    """What became of the mistakes of one kind."""

    planted: int = 0
    caught: int = 0
    placed: int = 0
    hinted: int = 0
    missed: list[Mistake] = attrs.field(factory=list)

    def add(self, mistake: Mistake, error: bs.PackError | None) -> None:
        """Count one mistake."""
        self.planted += 1
        if error is None:
            self.missed.append(mistake)
            return
        self.caught += 1
        self.placed += any(problem.place.line == mistake.line for problem in error.problems)
        self.hinted += any(problem.hint == mistake.what for problem in error.problems)


def run(games: list[str], count: int, seed: int) -> dict[str, Count]:
    """Plant so many mistakes and return what became of them, by kind."""
    chance = random.Random(seed)
    counts = {kind: Count() for kind in KINDS}
    with tempfile.TemporaryDirectory() as root:
        beds = [Bed.of(game, Path(root) / game, chance) for game in games]
        planted = 0
        while planted < count:
            bed, kind = beds[planted % len(beds)], KINDS[planted // len(beds) % len(KINDS)]
            mistake = bed.planter.plant(kind)
            if mistake is None:
                continue
            counts[kind].add(mistake, tried(bed, mistake))
            planted += 1
    return counts


def tried(bed: Bed, mistake: Mistake) -> bs.PackError | None:
    """Plant a mistake, load the pack, and take the mistake out again."""
    before = mistake.file.read_text(encoding="utf-8")
    mistake.file.write_text(mistake.text, encoding="utf-8")
    try:
        return failure(bed.folder, *bed.way_for(mistake.file))
    except Exception:
        print("This mistake breaks the loader:", shown(mistake))
        raise
    finally:
        mistake.file.write_text(before, encoding="utf-8")


def shown(mistake: Mistake) -> str:
    """Return a mistake as a line of text."""
    path = "/".join(str(step) for step in mistake.path)
    return f"  {mistake.file.name}: {path}: {mistake.what} -> {mistake.became}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["broom_service"])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="list what was not caught")
    options = parser.parse_args()
    began = time.perf_counter()
    counts = run(options.games, options.count, options.seed)
    print(f"{'mistake':32} {'planted':>8} {'caught':>8} {'share':>7} {'line':>6} {'hint':>6}")
    for kind, one in counts.items():
        if one.planted:
            exact = kind.startswith("misspelt")
            print(
                f"{kind:32} {one.planted:8} {one.caught:8} {one.caught / one.planted:7.1%}"
                + (f" {one.placed:6} {one.hinted:6}" if exact else "")
            )
    total, caught = (
        sum(getattr(one, key) for one in counts.values()) for key in ("planted", "caught")
    )
    print(f"{'all':32} {total:8} {caught:8} {caught / total:7.1%}")
    print(f"seed {options.seed}, {time.perf_counter() - began:.0f} s")
    if options.show:
        for kind, one in counts.items():
            if one.missed:
                print(f"\nnot caught: {kind}")
                print("\n".join(shown(mistake) for mistake in one.missed))


if __name__ == "__main__":
    main()
