"""The schemas are sound, closed, described, and know the same words as the compiler."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from referencing import Registry, Resource

from broomservice.compile.context import MODIFIERS
from broomservice.compile.steps import Steps
from broomservice.pack.documents import kind_of
from broomservice.pack.load import load_file
from broomservice.pack.problems import Problems
from broomservice.pack.schema import KINDS, schemas

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in ("cards", "boards") for path in (ROOT / folder).rglob("*.yaml"))
NAMES = sorted(schemas())
OPEN = {"A kind of piece", "A site: name", "One step: a keyword"}


def parts(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every schema inside a schema, with its path."""
    if isinstance(node, list):
        for i, part in enumerate(node):
            yield from parts(part, f"{path}/{i}")
    if not isinstance(node, dict):
        return
    yield path, node
    for key, part in node.items():
        if key in ("properties", "$defs"):
            for name, inner in part.items():
                yield from parts(inner, f"{path}/{key}/{name}")
        elif key not in ("examples", "enum", "const"):
            yield from parts(part, f"{path}/{key}")


def target(reference: str, name: str) -> dict[str, Any]:
    """Return the schema that a reference means."""
    file, _, path = reference.partition("#/")
    node = schemas()[file or name]
    for step in path.split("/"):
        node = node[step]
    return node


def validator(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    """Return a validator that finds the other schemas."""
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(one)) for name, one in schemas().items()
    )
    return jsonschema.Draft202012Validator(schema, registry=registry)


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name: str) -> None:
    """Each schema is one of draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(schemas()[name])


@pytest.mark.parametrize("name", NAMES)
def test_every_property_is_described(name: str) -> None:
    """An editor can show a sentence for each key."""
    missing = []
    for path, part in parts(schemas()[name]):
        for key, inner in part.get("properties", {}).items():
            there = target(inner["$ref"], name) if "$ref" in inner else {}
            if "description" not in inner and "description" not in there:
                missing.append(f"{path}/{key}")
    assert missing == []


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_given_and_hold(name: str) -> None:
    """Each document and each shared definition has an example, and all examples are valid."""
    schema = schemas()[name]
    if "properties" in schema:
        assert schema["examples"]
    for key, definition in schema.get("$defs", {}).items():
        assert definition.get("examples"), key
        assert definition.get("description"), key
    for path, part in parts(schema):
        whole = {"$id": name, **part} if path else part
        for example in part.get("examples", ()):
            assert list(validator(rebased(whole, name)).iter_errors(example)) == [], path


def rebased(schema: Any, name: str) -> Any:
    """Return a part of a schema whose references still lead to the whole."""
    if isinstance(schema, dict):
        return {
            key: f"{name}{value}"
            if key == "$ref" and value.startswith("#")
            else rebased(value, name)
            for key, value in schema.items()
            if key != "$id"
        }
    return [rebased(part, name) for part in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize("name", NAMES)
def test_maps_are_closed(name: str) -> None:
    """No map takes any key: those whose further keys the pack declares are checked by name."""
    loose = []
    for path, part in parts(schemas()[name]):
        is_map = "properties" in part or part.get("type") == "object"
        if not is_map or path.endswith("/if"):
            continue
        closed = part.get("additionalProperties")
        known = any(part.get("description", "").startswith(start) for start in OPEN)
        patch = name == "variant.schema.json" and "properties" not in part
        is_open = closed is None or (closed is True and not patch)
        if is_open or ("properties" in part and closed is not False and not known):
            loose.append(path)
    assert loose == []


def test_steps_are_the_same_everywhere() -> None:
    """The keywords of steps and what may stand beside them are those of the compiler."""
    step = schemas()["effects.schema.json"]["$defs"]["step"]["properties"]
    modifiers = {key for keys in MODIFIERS.values() for key in keys}
    assert set(step) == set(MODIFIERS) | modifiers
    assert set(Steps(*[None] * 6).handlers) == set(MODIFIERS)  # type: ignore[arg-type]


def test_variants_patch_what_games_and_boards_have() -> None:
    """A variant may change every section of a game and of a board, but not whose they are."""
    variant = schemas()["variant.schema.json"]["properties"]
    game = set(schemas()["game.schema.json"]["properties"]) - {"game"}
    board = set(schemas()["board.schema.json"]["properties"]) - {"board", "game"}
    assert set(variant["game"]["properties"]) == game
    assert set(variant["boards"]["additionalProperties"]["properties"]) == board


def test_there_are_files() -> None:
    """The tests below look at every kind of document."""
    kinds = {kind_of(load_file(path, Problems())) for path in FILES}
    assert {"game", "cards", "board", "sources", "rules"} <= kinds


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_name_their_schema(path: Path) -> None:
    """The first line of every file leads an editor to the right schema."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    prefix, _, reference = first.partition("$schema=")
    assert prefix == "# yaml-language-server: "
    schema = (path.parent / reference).resolve()
    kind = kind_of(load_file(path, Problems()))
    assert schema == ROOT / "schemas" / f"{KINDS[kind]}.schema.json"
    assert schema.is_file()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_mean_the_same_to_all(path: Path) -> None:
    """Our strict loader and plain YAML read the same values."""
    problems = Problems()
    assert load_file(path, problems) == yaml.safe_load(path.read_text(encoding="utf-8"))
    assert problems.found == []
