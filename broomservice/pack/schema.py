"""Checking documents against their JSON Schemas, with every mistake placed in its file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from jsonschema.protocols import Validator
from referencing import Registry, Resource

from broomservice.pack.load import Map, Seq, place_of
from broomservice.pack.problems import Problems, likely

# The documents of a pack: their first key, and the name of their schema. A record of a game has a
# schema too, but is no part of a pack, where it would be refused.
KINDS = {
    "game": "game",
    "cards": "cards",
    "board": "board",
    "variant": "variant",
    "sources": "sources",
    "rules": "rules",
    "rulings": "rulings",
}
Error = Any  # jsonschema.ValidationError; its annotations admit what its errors never hold
TYPE_NAMES = {
    "integer": "a whole number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a map",
    "null": "null",
}
QUOTED = re.compile(r"'([^']+)'")


def schema_folder() -> Path:
    """Return the folder of the schemas."""
    from broomservice.pack.documents import content_folder

    return content_folder("schemas")


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Return all schemas by file name."""
    return {
        path.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(schema_folder().glob("*.schema.json"))
    }


@cache
def validator(kind: str) -> Validator:
    """Return the validator of one kind of document, of a pack or a record."""
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(schema)) for name, schema in schemas().items()
    )
    schema = schemas()[f"{kind}.schema.json"]
    return jsonschema.Draft202012Validator(schema, registry=registry)


def validate(document: Map, kind: str, problems: Problems) -> None:
    """Check a document; note its mistakes, and take out the parts that cannot be used."""
    noted = {problem.place for problem in problems.errors}
    gone: set[tuple[str | int, ...]] = set()
    for _ in range(20):
        found = [leaf(error) for error in validator(kind).iter_errors(document)]
        errors = sorted((one for one in found if not is_call(one)), key=error_order)
        if not errors:
            return
        misspelt = {place: hint for error in errors for place, hint in hints(document, error)}
        for error in errors:
            path = tuple(error.absolute_path)
            cascades = is_cascade(error, gone) or (
                error.validator == "required" and missing_key(error) in misspelt.get(path, ())
            )
            if not cascades and place_of(document, list(path)) not in noted:
                note(document, error, problems)
        gone.update(path for error in errors for path in dropped_paths(document, error))
        for error in errors:
            drop(document, error, problems)
        if () in gone:
            return


def is_call(error: Error) -> bool:
    """Whether only the compiler can say what is wrong with a call of a verb: its name, say."""
    return bool(error.schema.get("$comment") == "call") and error.validator == "type"


def is_key_error(document: Map, error: Error) -> bool:
    """Whether a key of a map is what is wrong, not a value."""
    return isinstance(error.instance, str) and isinstance(
        value_at(document, list(error.absolute_path)), dict
    )


def is_cascade(error: Error, gone: set[tuple[str | int, ...]]) -> bool:
    """Whether a mistake only comes of a part that was taken out."""
    path = tuple(error.absolute_path)
    if error.validator == "required":
        return (*path, missing_key(error)) in gone
    if error.validator in ("minItems", "minProperties"):
        return any(one[:-1] == path for one in gone)
    return False


def missing_key(error: Error) -> str:
    """Return the key that a map lacks."""
    return str(QUOTED.findall(error.message)[0])


def dropped_paths(document: Map, error: Error) -> Iterator[tuple[str | int, ...]]:
    """Return the paths of the parts that a mistake takes out."""
    path = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        yield from ((*path, name) for name in extra_keys(document, error))
    elif is_key_error(document, error):
        yield (*path, error.instance)
    else:
        yield path


def extra_keys(document: Map, error: Error) -> list[str]:
    """Return the keys of a map that its schema does not know."""
    where = value_at(document, list(error.absolute_path))
    known = error.schema.get("properties", {})
    return [name for name in where if name not in known]


def hints(document: Map, error: Error) -> Iterator[tuple[tuple[str | int, ...], list[str]]]:
    """Return for a map with misspelt keys what they were probably meant to be."""
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        yield (
            tuple(error.absolute_path),
            [likely(name, known) for name in extra_keys(document, error)],
        )


def error_order(error: Error) -> tuple[int, list[str]]:
    """Sort key: deepest last, so that parts are taken out before what is around them."""
    return (-len(error.absolute_path), [str(step) for step in error.absolute_path])


def leaf(error: Error) -> Error:
    """Return the cause that says most: the deepest one of the branch that fits best."""
    while error.context:
        error = max(error.context, key=lambda cause: len(cause.absolute_path))
    return error


def note(document: Map, error: Error, problems: Problems) -> None:
    """Note one mistake with its code and the likely spelling."""
    path = list(error.absolute_path)
    place = place_of(document, path)
    where = value_at(document, path)
    kind = error.validator
    if isinstance(where, Map) and is_key_error(document, error):
        place = where.key_at(error.instance)
    if kind == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        for name in extra_keys(document, error):
            spot = where.key_at(name) if isinstance(where, Map) else place
            problems.add(
                spot,
                "unknown-key",
                f"there is no key '{name}' here",
                got=name,
                expected=", ".join(sorted(known)),
                hint=likely(name, known),
            )
    elif kind in ("required", "dependentRequired"):
        missing = missing_key(error)
        problems.add(place, "missing-key", f"the key '{missing}' is missing", expected=missing)
    elif kind in ("enum", "const"):
        choices = [str(one) for one in error.schema.get("enum", [error.schema.get("const")])]
        problems.add(
            place,
            "wrong-value",
            f"'{error.instance}' is none of: {', '.join(choices)}",
            got=str(error.instance),
            expected=", ".join(choices),
            hint=likely(str(error.instance), choices),
        )
    elif kind == "pattern":
        problems.add(
            place,
            "bad-name",
            f"'{error.instance}' is not lower-case words joined by _",
            got=str(error.instance),
            expected="snake_case",
        )
    elif kind == "type":
        wanted = error.schema["type"]
        wanted = [wanted] if isinstance(wanted, str) else wanted
        shown = " or ".join(TYPE_NAMES[one] for one in wanted)
        problems.add(
            place,
            "wrong-type",
            f"{described(error.instance)} stands where {shown} is expected",
            got=described(error.instance),
            expected=shown,
        )
    else:
        problems.add(place, "wrong-value", sentence(error), got=str(error.instance)[:60])


def sentence(error: Error) -> str:
    """Return a short sentence for the rarer kinds of mistakes."""
    names = {
        "minimum": f"{error.instance} is below {error.validator_value}",
        "maximum": f"{error.instance} is above {error.validator_value}",
        "minItems": "the list is too short",
        "maxItems": "the list is too long",
        "minLength": "the text is empty",
        "maxLength": "the text is too long",
        "minProperties": "the map is empty",
        "maxProperties": "the map has too many keys",
        "uniqueItems": "the list holds something twice",
    }
    return names.get(str(error.validator), "this does not fit here")


def described(value: Any) -> str:
    """Return what a value is, in words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list):
        return "a list"
    return f"the number {value}" if isinstance(value, int) else f"the text '{value}'"


def value_at(document: Any, path: list[Any]) -> Any:
    """Return the value at a path."""
    for step in path:
        document = document[step]
    return document


def drop(document: Map, error: Error, problems: Problems) -> None:
    """Take the faulty part out, and remember its name as dropped."""
    path = list(error.absolute_path)
    problems.dropped.update(str(step) for step in path)
    try:
        where = value_at(document, path)
        if error.validator == "additionalProperties":
            known = error.schema.get("properties", {})
            for name in [name for name in where if name not in known]:
                remember(where[name], name, problems)
                where.without(name)
            return
        if is_key_error(document, error):
            if error.instance in where:
                remember(where[error.instance], str(error.instance), problems)
                where.without(error.instance)
            return
        if not path:
            document.clear()
            return
        parent = value_at(document, path[:-1])
    except (KeyError, IndexError, TypeError):
        return
    remember(where, str(path[-1]), problems)
    if isinstance(parent, Map):
        parent.without(path[-1])
    elif isinstance(parent, Seq):
        del parent[path[-1]]
        del parent.places[path[-1]]


def remember(value: Any, name: str, problems: Problems) -> None:
    """Remember the names inside a part that is taken out."""
    problems.dropped.add(name)
    if isinstance(value, dict):
        for key, inner in value.items():
            remember(inner, str(key), problems)
    elif isinstance(value, list):
        for inner in value:
            remember(inner, "", problems)
    elif isinstance(value, str):
        problems.dropped.update(re.findall(r"[a-z_]\w*", value))
