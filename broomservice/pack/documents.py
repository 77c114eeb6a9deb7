"""The documents of a pack: which there are, what kind each is, and how a variant patches them."""

from __future__ import annotations

import copy
import os
from importlib import resources
from pathlib import Path
from typing import Any

import attrs

from broomservice.pack.load import Map, Seq, load_file
from broomservice.pack.problems import Place, Problems, likely
from broomservice.pack.schema import KINDS, validate

MAX_FILES = 200
CONTENT_FOLDERS = ("cards", "boards", "schemas")
SCHEMA_COMMENT = "# yaml-language-server: $schema="


def content_folder(name: str) -> Path:
    """Return the folder with the cards, boards or schemas that come with this package."""
    packaged = Path(str(resources.files("broomservice"))) / "content" / name
    if packaged.is_dir():
        return packaged
    return Path(__file__).resolve().parents[2] / name


def known_games() -> tuple[str, ...]:
    """Return the ids of the games that come with this package.

    >>> "broom_service" in known_games()
    True
    """
    folder = content_folder("cards")
    return tuple(sorted(path.parent.name for path in folder.glob("*/game.yaml")))


@attrs.define
class Documents:
    """All documents of one pack, by kind; `cards` and `boards` by family and by id.

    `before` are the documents as they were before any variant was applied.
    """

    folder: Path
    game: Map
    cards: list[Map] = attrs.field(factory=list)
    boards: dict[str, Map] = attrs.field(factory=dict)
    sources: Map | None = None
    rules: Map | None = None
    variants: dict[str, Map] = attrs.field(factory=dict)
    patched: tuple[str, ...] = ()
    before: Documents | None = None


def find_pack(name: str | Path, problems: Problems) -> Path | None:
    """Return the folder of a pack, given its id or a path to it."""
    path = Path(name)
    if path.is_file() and path.name == "game.yaml":
        return path.parent
    if (path / "game.yaml").is_file():
        return path
    packaged = content_folder("cards") / str(name)
    if (packaged / "game.yaml").is_file():
        return packaged
    problems.add(
        Place(),
        "unknown-game",
        f"there is no game '{name}' and no folder with a game.yaml",
        got=str(name),
        hint=likely(str(name), known_games()),
    )
    return None


def kind_of(document: Any) -> str:
    """Return the kind of a document, which its first key tells; empty if it is none."""
    if isinstance(document, Map) and document:
        first = next(iter(document))
        if first in KINDS:
            return first
    return ""


def load_document(path: Path, problems: Problems) -> Map | None:
    """Return one document, checked against its schema, or None."""
    document = load_file(path, problems)
    if document is None:
        return None
    kind = kind_of(document)
    if not kind:
        first = next(iter(document)) if isinstance(document, Map) and document else ""
        place = document.key_at(first) if isinstance(document, Map) and first else Place(str(path))
        problems.add(
            place,
            "unknown-document",
            f"the first key tells the kind of a document, and '{first}' is none",
            got=str(first),
            expected=", ".join(KINDS),
            hint=likely(str(first), KINDS),
        )
        return None
    check_first_line(path, kind, problems)
    assert isinstance(document, Map)
    validate(document, kind, problems)
    return document


def check_first_line(path: Path, kind: str, problems: Problems) -> None:
    """The first line names the schema, so that editors complete and check; if not, warn."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    if not (first.startswith(SCHEMA_COMMENT) and first.endswith(f"{KINDS[kind]}.schema.json")):
        wanted = schema_line(kind, path.parent)
        problems.warn(
            Place(str(path)),
            "schema-comment",
            f"editors check and complete if the first line is: {wanted}",
            got=first,
            expected=wanted,
        )


def schema_line(kind: str, folder: Path) -> str:
    """Return the first line of a document in a folder.

    It leads to the schemas beside the folder or above it, else to those that are installed.
    """
    name = f"{KINDS[kind]}.schema.json"
    folder = folder.resolve()
    for above in (folder, *folder.parents):
        schema = above / "schemas" / name
        if schema.is_file():
            way = Path(os.path.relpath(schema, folder))
            return f"{SCHEMA_COMMENT}{way.as_posix()}"
    return f"{SCHEMA_COMMENT}{(content_folder('schemas') / name).as_posix()}"


def load_documents(folder: Path, problems: Problems) -> Documents | None:
    """Return the documents of a pack's folder and of its boards."""
    game: Map | None = None
    rest: list[tuple[str, Map]] = []
    files = pack_files(folder)
    if len(files) > MAX_FILES:
        problems.add(Place(str(folder)), "too-large", f"more than {MAX_FILES} files")
        return None
    for path in files:
        document = load_document(path, problems)
        if document is None:
            continue
        if path.name == "game.yaml" and path.parent == folder:
            if kind_of(document) == "game":
                game = document
            else:
                problems.add(document.place, "unknown-document", "game.yaml begins with 'game:'")
        else:
            rest.append((kind_of(document), document))
    if game is None:
        return None
    result = Documents(folder, game)
    for kind, document in rest:
        check_game(document, {"board": "game", "variant": "of"}.get(kind, kind), game, problems)
        if kind == "cards":
            result.cards.append(document)
        elif kind == "board":
            result.boards[str(document["board"])] = document
        elif kind == "variant":
            result.variants[str(document["variant"])] = document
        elif kind == "sources":
            result.sources = document
        elif kind == "rules":
            result.rules = document
    return result


def check_game(document: Map, key: str, game: Map, problems: Problems) -> None:
    """A document of a pack says that it belongs to the pack's game."""
    wanted, name = game.get("game"), document.get(key)
    if key != "cards" and name is not None and wanted is not None and name != wanted:
        problems.add(
            document.at(key),
            "wrong-value",
            f"this belongs to '{name}', not to '{wanted}'",
            got=str(name),
            expected=str(wanted),
            hint=likely(str(name), [str(wanted)]),
        )


def pack_files(folder: Path) -> list[Path]:
    """Return the files of a pack in a fixed order, with the boards that lie beside it."""
    files = [path for path in folder.rglob("*.yaml") if "rulings" not in path.parts]
    for boards in (folder.parent.parent / "boards" / folder.name,):
        files += list(boards.glob("*.yaml"))
    return sorted(files, key=lambda path: (path.name != "game.yaml", str(path)))


def merged(target: Any, patch: Any) -> Any:
    """Return a value patched by RFC 7386: maps merge, null removes, all else replaces.

    What a patch leaves as it is keeps its place, so that it rests on what it rested on.
    """
    if not isinstance(patch, Map):
        return patch
    base = target if isinstance(target, Map) else Map(patch.place)
    result = Map(base.place)
    for key, value in base.items():
        if key not in patch:
            result.put(key, value, base.key_at(key), base.at(key))
        elif patch[key] is not None:
            new = merged(value, patch[key])
            if repr(new) == repr(value):
                result.put(key, value, base.key_at(key), base.at(key))
            else:
                result.put(key, new, patch.key_at(key), patch.at(key))
    for key, value in patch.items():
        if key not in base and value is not None:
            result.put(key, merged(None, value), patch.key_at(key), patch.at(key))
    return result


def apply_variant(documents: Documents, variant: Map, problems: Problems) -> Documents:
    """Return the documents with one variant's patches applied."""
    result = copy.copy(documents)
    result.before = documents.before or documents
    if "game" in variant:
        result.game = merged(documents.game, variant["game"])
    patches: Map = variant.get("cards", Map(variant.place))
    families = {str(document["cards"]) for document in documents.cards}
    result.cards = [
        merged(document, entries_patch(patches[str(document["cards"])]))
        if str(document["cards"]) in patches
        else document
        for document in documents.cards
    ]
    for family, entries in patches.items():
        if family not in families:
            added = Map(patches.key_at(family))
            added.put("cards", family, patches.key_at(family), patches.key_at(family))
            added.put("entries", entries, patches.key_at(family), patches.at(family))
            result.cards.append(added)
    result.boards = dict(documents.boards)
    boards: Map = variant.get("boards", Map(variant.place))
    for name, patch in boards.items():
        if name in result.boards:
            result.boards[name] = merged(result.boards[name], patch)
        else:
            problems.unknown(
                boards.key_at(name),
                "unknown-board",
                f"there is no board '{name}'",
                name,
                documents.boards,
            )
    result.patched = (*documents.patched, str(variant["variant"]))
    if "game" in variant:
        validate(result.game, "game", problems)
    for document in result.cards:
        if str(document["cards"]) in patches:
            validate(document, "cards", problems)
    for name in boards:
        if name in result.boards:
            validate(result.boards[name], "board", problems)
    return result


def entries_patch(entries: Any) -> Map:
    """Return a patch of a cards document that changes its entries."""
    place = entries.place if isinstance(entries, Map | Seq) else Place()
    patch = Map(place)
    patch.put("entries", entries, place, place)
    return patch
