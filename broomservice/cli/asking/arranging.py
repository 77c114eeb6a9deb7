"""Putting a position together by hand: pieces laid, counters set, a verb begun; and saving it.

Each command is a function of the referee and of what is said behind the command's word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from broomservice.cli.asking.referee import Referee
from broomservice.cli.grammar import NUMBERS
from broomservice.cli.hearing import Ear, words_of
from broomservice.cli.play import reason_of
from broomservice.compile.things import PieceKind
from broomservice.compile.types import PLAYER, Type
from broomservice.core.table import NOBODY, Table
from broomservice.errors import BroomserviceError
from broomservice.explaining.words import kind_name
from broomservice.scenario import Scenario
from broomservice.state import State

BEGIN = re.compile(
    r"(?P<verb>\S+)(?:\s+(?:as|als)\s+(?P<who>\S+))?(?:\s+(?:with|mit)\s+(?P<values>.+))?\Z"
)
VALUE = re.compile(r"(\w+)\s*=\s*(.+?)\s*(?=,|\s\w+\s*=|\Z)")
PREPOSITIONS = frozenset({"in", "into", "on", "to", "at", "auf", "nach", "zu"})
FILLERS = frozenset({"of", "for", "von", "für", "to", "the", "der", "die", "das", "is", "ist"})
NOTHINGS = ("none", "nobody", "nothing")
TRUE = frozenset({"true", "yes", "ja"})
FALSE = frozenset({"false", "no", "nein"})


def scenario_of(referee: Referee) -> Scenario:
    """Return the position, to be changed by hand."""
    state = referee.state
    table = state._table.copy()
    return Scenario(state.game, table, state.players, state.names, set(referee.laid))


def go_on(referee: Referee, scenario: Scenario) -> None:
    """Go on at a position changed by hand: the open question is worked out anew."""
    table, state = scenario.table, referee.state
    table.options, table.decider = [], NOBODY
    if table.stack:
        table.proceed(table.code[table.stack[-1][0]])
    referee.go_to(State(state.game, state._compiled, table, state.names), scenario.laid)
    referee.say("done")
    referee.show_question()


def put(referee: Referee, text: str) -> None:
    """Lay pieces in a place; in a place for one, in exchange for the piece that lies there."""
    words = text.replace("(", " (").split()
    if len(words) < 2:
        referee.say("put_how")
        return
    ear, scenario = referee.ear(), scenario_of(referee)
    piece, where = piece_and_place(ear, words)
    place, count = place_and_count(ear, where)
    if not count.isdecimal():
        referee.say("no_count", count)
        return
    number = scenario.place(place)
    if piece in referee.game.names.pieces and int(count) == 1 and fits_one(referee, number):
        exchange(referee, scenario, piece, number)
    scenario.put(piece, place, int(count))
    go_on(referee, scenario)


def piece_and_place(ear: Ear, words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the label of the piece with the longest name that words begin with, and the rest.

    The first word stands for a piece that there is not.
    """
    pieces = ear.state.game.names.pieces
    for end in range(len(words) - 1, 0, -1):
        piece = ear.label(" ".join(words[:end]))
        if piece in pieces:
            where = list(words[end:])
            named = len(where) > 1 and where[0].casefold() in PREPOSITIONS
            return piece, where[named:]
    return words[0], list(words[1:])


def place_and_count(ear: Ear, words: list[str]) -> tuple[str, str]:
    """Return a place as scenarios write it, and how many pieces: 1 if that is not said.

    A number at the end belongs to the place if there is one of that name.
    """
    whole = ear.place(" ".join(words))
    if len(words) < 2 or is_place(ear, whole):
        return whole, "1"
    shorter, last = ear.place(" ".join(words[:-1])), words[-1]
    is_count = last.lstrip("-").isdecimal() or (is_place(ear, shorter) and last[0] != "(")
    if is_count:
        return shorter, str(NUMBERS.get(last.casefold(), last))
    return whole, "1"


def is_place(ear: Ear, text: str) -> bool:
    """Whether a text, as scenarios write places, is one."""
    head, bracket, owner = text.partition("(")
    names = ear.state.game.names
    return text in names.sites or (
        head in names.places and (not bracket or owner.rstrip(")") in labels_of_players(ear))
    )


def labels_of_players(ear: Ear) -> list[str]:
    """Return p1, p2, and so on."""
    return [f"p{i + 1}" for i in range(ear.state.players)]


def fits_one(referee: Referee, place: int) -> bool:
    """Whether a place holds one piece at most."""
    return bool(referee.state._compiled.plan.layout.limits[place] == 1)


def exchange(referee: Referee, scenario: Scenario, piece: str, place: int) -> None:
    """Let the piece that lies in a place go to where a new one will come from; say so."""
    pieces = list(referee.game.names.pieces.values())
    table, new = scenario.table, referee.game.names.pieces[piece].number
    old = next((one.number for one in pieces if holds(referee, table, place, one)), new)
    if old == new:
        return
    source = scenario.largest_heap(new, place)
    held = referee.state._compiled.plan.held[source]
    speaker = referee.speaker()
    if pieces[old].family not in held or not table.holding(source, new):
        args = speaker.place(place), speaker.piece(old), speaker.piece(old)
        raise BroomserviceError(referee.said("place_full", *args))
    log, table.log = table.log, None
    table.move(old, place, source, 1)
    table.log = log
    referee.say("put_exchanged", speaker.piece(old), speaker.place(source))


def holds(referee: Referee, table: Table, place: int, piece: PieceKind) -> bool:
    """Whether a place holds a piece."""
    held = referee.state._compiled.plan.held[place]
    return piece.family in held and table.holding(place, piece.number) > 0


# --- counters ------------------------------------------------------------------------------------


def set_counter(referee: Referee, text: str) -> None:
    """Set a counter: its name, the value, and whose it is, if it is kept for each."""
    words = text.replace("=", " ").split()
    ear, scenario = referee.ear(), scenario_of(referee)
    counter, rest = counter_named(referee, words)
    rest = [word for word in rest if word.casefold() not in PREPOSITIONS | FILLERS]
    if not rest:
        referee.say("set_how")
        return
    value, owner = value_and_owner(ear, rest)
    if isinstance(value, int) and holds_player(referee, counter):
        value = f"p{value}"
    scenario.set(counter, value, owner)
    go_on(referee, scenario)


def holds_player(referee: Referee, counter: str) -> bool:
    """Whether there is a counter of this name, and it holds a player."""
    known = referee.game.names.counters.get(counter)
    return known is not None and known.type == PLAYER


def counter_named(referee: Referee, words: Sequence[str]) -> tuple[str, list[str]]:
    """Return the counter with the longest name that words begin with, and the rest.

    The first word stands for a counter that there is not.
    """
    ear, counters = referee.ear(), referee.game.names.counters
    for end in range(len(words), 0, -1):
        said = words_of(" ".join(words[:end]))
        for name in counters:
            if said in ear.counter_forms(name):
                return name, list(words[end:])
    return (words[0] if words else ""), list(words[1:])


def value_and_owner(ear: Ear, words: Sequence[str]) -> tuple[str | int, str | None]:
    """Return the value that some words say, a number or a name, and whose it is."""
    numbers = [word for word in words if word.lstrip("-").isdecimal()]
    if len(numbers) == 1:
        left = list(words)
        left.remove(numbers[0])
        return int(numbers[0]), ear.label(" ".join(left)) if left else None
    for end in range(len(words), 0, -1):
        value = ear.label(" ".join(words[:end]))
        if value != " ".join(words[:end]) or end == 1:
            owner = " ".join(words[end:])
            return value, ear.label(owner) if owner else None
    return words[0], None


# --- verbs ---------------------------------------------------------------------------------------


def begin(referee: Referee, text: str) -> None:
    """Begin a verb at this position."""
    found = BEGIN.match(text)
    if found is None:
        referee.say("begin_how")
        return
    ear, scenario = referee.ear(), scenario_of(referee)
    who = ear.player(found["who"]) if found["who"] else None
    if who is not None:
        scenario.player(who)
    values = {name: value_of(ear, value) for name, value in VALUE.findall(found["values"] or "")}
    if not is_begun_with(referee, found["verb"], values):
        return
    before = len(referee.state.log)
    referee.go_to(scenario.begin(found["verb"], who, values), scenario.laid)
    if len(referee.state.log) > before:
        referee.tell_from(before)
    referee.show_question()


def value_of(ear: Ear, text: str) -> str | int | bool:
    """Return an argument as scenarios take it."""
    if text.casefold() in TRUE | FALSE:
        return text.casefold() in TRUE
    return int(text) if text.isdecimal() else ear.label(text)


def is_begun_with(referee: Referee, verb: str, values: Mapping[str, object]) -> bool:
    """Whether a verb is given all that it needs; say what it needs if not, with the words."""
    known = referee.game.names.verbs.get(verb)
    if known is None:
        return True
    missing = [name for name in known.parameters if name not in values]
    wrong = [
        name
        for name, type_ in known.parameters.items()
        if type_.kind == "word" and name in values and not is_word(referee, type_, values[name])
    ]
    for name in wrong:
        referee.say("no_value", values[name], name)
    if missing:
        referee.say("verb_needs", verb, ", ".join(missing))
    for name in (*wrong, *missing):
        if said := choices_for(referee, name, known.parameters[name]):
            referee.out.print(f"  {said}")
    return not missing and not wrong


def is_word(referee: Referee, type_: Type, value: object) -> bool:
    """Whether a value is a word of a set, or none."""
    return value in (*referee.game.names.word_sets[type_.of], *NOTHINGS)


def choices_for(referee: Referee, name: str, type_: Type) -> str:
    """Return what a parameter may be; nothing if that would be a long list."""
    if type_.kind == "word":
        words = [*referee.game.names.word_sets[type_.of], "none"]
        return referee.said("one_of", name, ", ".join(words))
    if type_.kind == "truth":
        return referee.said("yes_or_no", name)
    if type_.kind == "player":
        return referee.said("one_of", name, ", ".join(referee.state.names))
    if type_.kind == "number":
        return referee.said("a_number", name)
    return referee.said("a_thing", name, kind_name(referee.game.names, type_, referee.language))


# --- saving --------------------------------------------------------------------------------------


def save(referee: Referee, path: str) -> None:
    """Write the position into a file.

    Raises:
        BroomserviceError: if the file cannot be written.
    """
    if not path:
        referee.say("file_needed", "save")
        return
    try:
        Path(path).write_text(referee.state.to_json(), encoding="utf-8")
    except OSError as error:
        raise BroomserviceError(f"{path}: {reason_of(error)}") from None
    referee.say("saved", path)
