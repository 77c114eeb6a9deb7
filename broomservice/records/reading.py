"""Reading records: strictly as a document, leniently in how a move is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from broomservice.pack.load import MAX_BYTES, Block, Map, Seq, load_text
from broomservice.pack.problems import Place, Problems
from broomservice.pack.schema import validate
from broomservice.records.record import Move, Pins, Record, seed_of

MOVE_LINE = re.compile(r"^(\s*-\s+[^:\s\"'{\[#][^:\"'{\[#]*:\s+)([^\"'{\[|>\s].*)$")
NEEDS_QUOTES = re.compile(
    r"(^|[\s,])(\?|#\d+)(?=\s*(,|$))|^(-|yes|no|on|off|true|false|null|~)$", re.IGNORECASE
)
BETWEEN_MOVES = re.compile(r",(?![^()]*\))")
SEED = re.compile(r"-?[0-9]{1,40}\Z")
COMMENT = re.compile(r"\s+#(?!\d).*$")


def read_record(path: Path) -> Record:
    """Return the record in a file.

    Raises:
        PackError: if the file is no record.
    """
    problems = Problems()
    text = read_text(path, problems)
    text, quoted = with_quotes(text)
    document = load_text(text, str(path), problems) if not problems.found else None
    if document is not None and not isinstance(document, Map):
        problems.add(Place(str(path)), "wrong-type", "a record is a map that begins with 'record:'")
    advise_quotes(document, problems)
    problems.raise_if_any()
    assert isinstance(document, Map)
    check_seed(document, problems)
    check_moves(document, problems)
    validate(document, "record", problems)
    check_meaning(document, problems)
    problems.raise_if_any()
    pins = document.get("pins")
    return Record(
        str(document["record"]),
        players_of(document),
        tuple(moves_of(document, quoted)),
        tuple(map(str, document.get("variants", ()))),
        str(document.get("board", "")),
        dict(document.get("options", {})),
        seed_of(document.get("seed")),
        None if pins is None else pins_of(pins),
        str(path),
        places_of(document),
    )


def read_text(path: Path, problems: Problems) -> str:
    """Return the text of a file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            problems.add(Place(str(path)), "too-large", f"larger than {MAX_BYTES} bytes")
            return ""
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        problems.add(Place(str(path)), "unreadable", f"cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        problems.add(Place(str(path)), "unreadable", "is not UTF-8 text")
    return ""


def with_quotes(text: str) -> tuple[str, frozenset[int]]:
    """Put quotes around moves such as `?`, `#3` and `no`, which mean something else in YAML.

    Return the numbers of the lines concerned too, for columns there are one further on.
    """
    lines = text.split("\n")
    quoted: set[int] = set()
    for i, line in enumerate(lines):
        found = MOVE_LINE.match(line)
        if found is None:
            continue
        value = COMMENT.sub("", found[2].rstrip("\r")).rstrip()
        if NEEDS_QUOTES.search(value):
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            lines[i] = f'{found[1]}"{escaped}"'
            quoted.add(i + 1)
    return "\n".join(lines), frozenset(quoted)


def advise_quotes(document: Any, problems: Problems) -> None:
    """Say of what YAML takes for something else, such as a date, how it is to be written."""
    seed = document.at("seed") if isinstance(document, Map) else None
    problems.found = [
        attrs.evolve(one, hint=f'"{one.got}"')
        if one.got and (one.code == "ambiguous-value" or one.place == seed)
        else one
        for one in problems.found
    ]


def check_seed(document: Map, problems: Problems) -> None:
    """Note a seed that is no number."""
    seed = document.get("seed", 0)
    if isinstance(seed, str) and not SEED.match(seed):
        problems.add(
            document.at("seed"),
            "wrong-value",
            f"a seed is a whole number, and '{seed}' is none",
            got=seed,
            expected="a whole number",
        )


def check_moves(document: Map, problems: Problems) -> None:
    """Note entries without a move."""
    moves = document.get("moves")
    for entry in moves if isinstance(moves, Seq) else ():
        for player, value in entry.items() if isinstance(entry, Map) else ():
            for place in blanks(value, entry.at(player)):
                problems.add(
                    place,
                    "wrong-value",
                    f"no move of {player} stands here; write ? for what nobody saw",
                    expected="a move",
                )


def blanks(value: Any, place: Place) -> Iterator[Place]:
    """Return where no move stands: in a text, in the texts of a list, or in an empty list."""
    if isinstance(value, Seq) and value:
        for i, one in enumerate(value):
            yield from blanks(one, value.at(i))
    elif isinstance(value, Seq | str) and not "".join(value).replace(",", "").strip():
        yield place


def places_of(document: Map) -> dict[str, Place]:
    """Return where a record says which game is played, and how: by key, or by key and name."""
    places = {key: document.at(key) for key in ("record", "board", "players") if key in document}
    variants: Seq = document.get("variants", Seq(document.place))
    options: Map = document.get("options", Map(document.place))
    places |= {f"variants {name}": variants.at(i) for i, name in enumerate(variants)}
    return places | {f"options {name}": options.key_at(name) for name in options}


def check_meaning(document: Map, problems: Problems) -> None:
    """Note what the schema cannot say: a seed or draws, and players with names of their own."""
    if "seed" in document and "chance" in document:
        problems.add(
            document.key_at("chance"),
            "wrong-value",
            "either a seed gives the draws, or they are among the moves",
        )
    names = document.get("players", ())
    for i, name in enumerate(names if isinstance(names, Seq) else ()):
        if str(name) == "chance" or names.index(name) < i:
            problems.add(
                names.at(i),
                "wrong-value",
                f"'{name}' cannot be the name of a second player"
                if name != "chance"
                else "'chance' is who draws, no player",
                got=str(name),
            )


def players_of(document: Map) -> tuple[str, ...]:
    """Return the names of the players; p1, p2 and so on if only their number is given."""
    players = document["players"]
    if isinstance(players, int):
        return tuple(f"p{i + 1}" for i in range(players))
    return tuple(map(str, players))


def moves_of(document: Map, quoted: frozenset[int]) -> Iterator[Move]:
    """Return the moves one by one, each with its place."""
    moves: Seq = document["moves"]
    for i, entry in enumerate(moves):
        for player, value in entry.items():
            for text, place in parts_of(value, entry.at(player)):
                column = place.column - (place.line in quoted)
                yield Move(str(player), text, place.line, column, i)


def parts_of(value: Any, place: Place) -> Iterator[tuple[str, Place]]:
    """Return the moves in what stands behind a player's name."""
    if isinstance(value, Seq):
        for i, one in enumerate(value):
            yield str(one).strip(), value.at(i)
        return
    text = str(value)
    column = 0
    for part in BETWEEN_MOVES.split(text):
        indent = len(part) - len(part.lstrip())
        if part.strip():
            yield part.strip(), place if isinstance(value, Block) else place.moved(column + indent)
        column += len(part) + 1


def pins_of(pins: Map) -> Pins:
    """Return what a program pinned down."""
    return Pins(
        pins["pack"],
        dict(pins["documents"]),
        pins["every"],
        tuple(pins["prints"]),
        pins["end"],
        tuple(pins["points"]),
    )
