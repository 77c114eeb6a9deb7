"""A strict YAML loader that keeps positions.

Only maps, lists, whole numbers, strings, true, false and null; no anchors, aliases, tags or
duplicate keys. A file means the same here and under plain `yaml.safe_load`; whatever would be read
as something else there (`on`, `1.5`, `0123`, a date) is refused with the advice to quote it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from broomservice.pack.problems import Place, Problems, Reported

MAX_BYTES = 2_000_000
MAX_DEPTH = 40
MAX_NODES = 200_000
MAX_NUMBER = 1_000_000
WHOLE_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)\Z")

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_RESOLVER: Any = yaml.resolver.Resolver()
_STRING = "tag:yaml.org,2002:str"


class Block(str):
    """A text that runs over several lines of a file, so that columns inside it are not known."""


class Map(dict[str, Any]):
    """A map that knows where it, its keys and its values stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.key_places: dict[str, Place] = {}
        self.value_places: dict[str, Place] = {}

    def put(self, key: str, value: Any, key_place: Place, value_place: Place) -> None:
        """Add an entry with its places."""
        self[key] = value
        self.key_places[key] = key_place
        self.value_places[key] = value_place

    def at(self, key: str) -> Place:
        """Return where the value of a key stands (the map's own place if there is none)."""
        return self.value_places.get(key, self.place)

    def key_at(self, key: str) -> Place:
        """Return where a key stands."""
        return self.key_places.get(key, self.place)

    def without(self, key: str) -> None:
        """Remove an entry with its places."""
        del self[key]
        self.key_places.pop(key, None)
        self.value_places.pop(key, None)


class Seq(list[Any]):
    """A list that knows where it and its items stand."""

    def __init__(self, place: Place) -> None:
        super().__init__()
        self.place = place
        self.places: list[Place] = []

    def put(self, value: Any, place: Place) -> None:
        """Add an item with its place."""
        self.append(value)
        self.places.append(place)

    def at(self, index: int) -> Place:
        """Return where an item stands."""
        return self.places[index] if index < len(self.places) else self.place


def load_file(path: Path, problems: Problems) -> Any:
    """Return what a file holds, or None if it cannot be read; mistakes go to `problems`."""
    shown = str(path)
    try:
        if not path.is_file():
            problems.add(Place(shown), "unreadable", "is no file")
            return None
        if path.stat().st_size > MAX_BYTES:
            problems.add(Place(shown), "too-large", f"larger than {MAX_BYTES} bytes")
            return None
        data = path.read_bytes()
    except OSError as error:
        problems.add(Place(shown), "unreadable", f"cannot be read: {error.strerror}")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        problems.add(Place(shown), "unreadable", "is not UTF-8 text")
        return None
    return load_text(text, shown, problems)


def load_text(text: str, file: str, problems: Problems) -> Any:
    """Return what a text holds, or None if it is malformed; mistakes go to `problems`."""
    try:
        return _Reader(text, file, problems).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file)
        problems.add(place, "yaml-syntax", f"not YAML: {error.problem}")
    except yaml.YAMLError as error:
        problems.add(Place(file), "yaml-syntax", f"not YAML: {error}")
    except Reported:
        pass
    return None


class _Reader:
    """Turns the events of the YAML parser into values with places."""

    def __init__(self, text: str, file: str, problems: Problems) -> None:
        self.file = file
        self.problems = problems
        self.nodes = 0
        self.braces = 0
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=_LOADER))
        self.ahead: deque[Any] = deque()

    def next(self) -> Any:
        return self.ahead.popleft() if self.ahead else next(self.events)

    def peek(self, index: int) -> Any:
        while len(self.ahead) <= index:
            self.ahead.append(next(self.events))
        return self.ahead[index]

    def place(self, event: Any) -> Place:
        mark = event.start_mark
        inside_quotes = isinstance(event, yaml.ScalarEvent) and event.style in ("'", '"')
        return Place(self.file, mark.line + 1, mark.column + 1 + inside_quotes)

    def document(self) -> Any:
        self.next()
        event = self.next()
        if isinstance(event, yaml.StreamEndEvent):
            raise self.problems.add(Place(self.file), "yaml-syntax", "the file is empty")
        value = self.value(self.next(), 0)
        self.next()
        event = self.next()
        if not isinstance(event, yaml.StreamEndEvent):
            self.problems.add(self.place(event), "yaml-syntax", "a second document in one file")
        return value

    def value(self, event: Any, depth: int) -> Any:
        place = self.place(event)
        self.nodes += 1
        if depth > MAX_DEPTH:
            raise self.problems.add(place, "too-large", f"nested deeper than {MAX_DEPTH} levels")
        if self.nodes > MAX_NODES:
            raise self.problems.add(place, "too-large", f"more than {MAX_NODES} values")
        if isinstance(event, yaml.AliasEvent):
            self.problems.add(place, "yaml-alias", "aliases are not allowed", got=str(event.anchor))
            return None
        if event.anchor is not None:
            self.problems.add(place, "yaml-alias", "anchors are not allowed", got=event.anchor)
        if event.tag is not None:
            self.problems.add(place, "yaml-tag", "tags are not allowed", got=event.tag)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, place)
        self.braces += bool(event.flow_style)
        read = self.sequence if isinstance(event, yaml.SequenceStartEvent) else self.mapping
        result = read(place, depth)
        self.braces -= bool(event.flow_style)
        return result

    def sequence(self, place: Place, depth: int) -> Seq:
        result = Seq(place)
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            event = self.rejoined(event, "item")
            value = self.value(event, depth + 1)
            if not is_refused(event):
                result.put(value, self.place(event))
        return result

    def mapping(self, place: Place, depth: int) -> Map:
        result = Map(place)
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key_place = self.place(event)
            key = self.value(self.rejoined(event, "key"), depth + 1)
            value_event = self.rejoined(self.next(), "value")
            value = self.value(value_event, depth + 1)
            if not isinstance(key, str):
                self.problems.add(
                    key_place,
                    "bad-key",
                    f"keys are words, and '{key}' is none",
                    got=str(key),
                    expected="a word",
                )
            elif key in result:
                self.problems.add(
                    key_place, "duplicate-key", f"the key '{key}' stands here twice", got=key
                )
            elif is_refused(value_event):
                self.problems.dropped.add(key)
            else:
                result.put(key, value, key_place, self.place(value_event))
        return result

    def rejoined(self, event: Any, role: str) -> Any:
        """Return a text with what a comma inside its parentheses split off, which is noted.

        In `[f(a, b)]` YAML sees two items, in `{x: f(a, b)}` a second key without a value.
        """
        if not self.braces or not is_plain(event):
            return event
        pieces, used = [event], 0
        while (left := sum(left_open(piece.value) for piece in pieces)) > 0:
            piece = self.peek(used + (role == "key"))
            used += 1 if role == "item" else 2
            empty = None if role == "item" else self.peek(used - 1 - (role == "key"))
            if not is_plain(piece) or not piece.value:
                return event
            if empty is not None and not (is_plain(empty) and not empty.value):
                return event
            pieces.append(piece)
        if left < 0 or not used:
            return event
        for _ in range(used):
            self.next()
        text = ", ".join(piece.value for piece in pieces)
        self.problems.add(
            self.place(event),
            "unquoted-comma",
            f'the comma splits this text in two; put it in quotes: "{text}"',
            got=event.value,
            expected=f'"{text}"',
        )
        end = pieces[-1].end_mark
        return yaml.ScalarEvent(None, None, (True, False), text, event.start_mark, end)

    def scalar(self, event: Any, place: Place) -> Any:
        text: str = event.value
        if event.style not in (None, ""):
            return Block(text) if event.style in "|>" else text
        if text in ("true", "false"):
            return text == "true"
        if text == "null":
            return None
        if WHOLE_NUMBER.match(text):
            if len(text) > 8 or abs(int(text)) > MAX_NUMBER:
                self.problems.add(place, "too-large", f"beyond {MAX_NUMBER}", got=text[:40])
                return 0
            return int(text)
        if "\n" in text or event.end_mark.line != event.start_mark.line:
            text = Block(text)
        if not text:
            self.problems.add(
                place,
                "ambiguous-value",
                "nothing stands here; write a value, or null",
                expected="a value",
            )
            return None
        if self.braces and "?" in text:
            self.problems.add(
                place,
                "ambiguous-value",
                "some readers refuse a '?' inside of {} or [] here",
                got=text,
                expected=f'"{text}" in quotes',
            )
        if not means_a_text(text):
            self.problems.add(
                place,
                "ambiguous-value",
                f"'{text}' means different things to different readers",
                got=text,
                expected=f'"{text}" in quotes, or a whole number, true, false or null',
            )
            return text
        return text


def is_refused(event: Any) -> bool:
    """Whether nothing usable stands at a place: an alias, or nothing at all."""
    if isinstance(event, yaml.ScalarEvent):
        return not event.value and event.style in (None, "")
    return isinstance(event, yaml.AliasEvent)


def means_a_text(text: str) -> bool:
    """Whether every reader of YAML takes this for a text, also without quotes."""
    return bool(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)) == _STRING)


def is_plain(event: Any) -> bool:
    """Whether a text stands without quotes."""
    return isinstance(event, yaml.ScalarEvent) and event.style in (None, "")


def left_open(text: str) -> int:
    """Return how many parentheses are opened more than closed."""
    return text.count("(") - text.count(")")


def place_of(document: Any, path: list[Any]) -> Place:
    """Return where the value at a path stands, or the nearest value around it."""
    place = document.place if isinstance(document, Map | Seq) else Place()
    for step in path:
        if (isinstance(document, Map) and step in document) or (
            isinstance(document, Seq) and isinstance(step, int) and step < len(document)
        ):
            place, document = document.at(step), document[step]
        else:
            break
    return place
