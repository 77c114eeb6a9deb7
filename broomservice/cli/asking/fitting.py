"""Whether what a sentence names beside an option has a part in it: colour, piece, site, player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from broomservice.cli.asking.questions import question_of
from broomservice.cli.asking.texts import said
from broomservice.compile.types import Type
from broomservice.log import LogEntry
from broomservice.option import Option
from broomservice.state import State

RECENT = 3
SORTS = ("piece", "site", "word", "player")

Thing = tuple[str, int]


@attrs.frozen
class Scene:
    """What an option is about: the option, what it moves, and what the question is about.

    `moved` and `around` are what must be meant if anything of their sort is named; `loose` are
    things that may be named with it.
    """

    state: State
    option: Option
    moved: tuple[Thing, ...]
    around: tuple[Thing, ...]
    loose: frozenset[Thing]
    language: str

    @classmethod
    def of(cls, state: State, option: Option, entries: Iterable[LogEntry], language: str) -> Scene:
        """Return the scene of an option, given what would come of it (nothing if not open)."""
        told = list(entries)
        moved = [("piece", entry.piece) for entry in told if entry.kind == "move"]
        around = list(dict.fromkeys(things_around(state)))
        around += [
            ("site", site) for kind, piece in around if kind == "piece" for site in at(state, piece)
        ]
        loose = set(things_held(state)) | set(things_taken(state, told)) | set(places_of(told))
        for kind, number in (thing_of(option), *moved, *around):
            loose |= set(properties(state, kind, number)) | set(relations(state, kind, number))
        moved = [thing for thing in moved if thing != thing_of(option)]
        return cls(
            state,
            option,
            tuple(dict.fromkeys(moved)),
            tuple(dict.fromkeys(around)),
            frozenset(loose),
            language,
        )

    def misfit(self, thing: Option) -> str:
        """Return why something named has no part in the option; empty if it has."""
        one, speaker = thing_of(thing), self.state.speaker(self.language)
        named = speaker.option(thing)
        if one[0] not in SORTS or one in (thing_of(self.option), *self.moved, *self.around):
            return ""
        for other in (*self.moved, *self.around):
            if self.sort(other) == self.sort(one) and one[0] in ("piece", "site"):
                return said("is_about", self.language, self.called(other), named)
        if one in self.loose:
            return ""
        if one[0] == "word":
            for other in (thing_of(self.option), *self.moved, *self.around):
                value = self.value(other, self.sort(one))
                if value >= 0 and value != one[1]:
                    actual = speaker.thing(Type("word", self.sort(one)), value)
                    return said("is_not", self.language, self.called(other), actual, named)
        return said("no_part", self.language, named, speaker.option(self.option))

    def has_no_part(self, thing: Option) -> bool:
        """Whether nothing of the sort of a thing has to do with the option."""
        speaker = self.state.speaker(self.language)
        names = speaker.option(thing), speaker.option(self.option)
        return self.misfit(thing) == said("no_part", self.language, *names)

    def called(self, thing: Thing) -> str:
        """Return what a thing is called."""
        return self.state.speaker(self.language).thing(Type(thing[0]), thing[1])

    def sort(self, thing: Thing) -> str:
        """Return what sort of thing it is: its family, sort of site, or set of words."""
        names, (kind, number) = self.state.game.names, thing
        if kind == "piece":
            return list(names.pieces.values())[number].family
        if kind == "site":
            return list(names.sites.values())[number].kind
        return list(names.words.values())[number][1].of if kind == "word" else kind

    def value(self, thing: Thing, words: str) -> int:
        """Return the word of a set that a thing has as a property; -1 if it has none."""
        for type_, value in typed_properties(self.state, *thing):
            if type_.kind == "word" and type_.of == words:
                return value
        return -1


def thing_of(option: Option) -> Thing:
    """Return what an option stands for."""
    return option.kind, option.number


# --- what things are like ------------------------------------------------------------------------


def typed_properties(state: State, kind: str, number: int) -> Iterator[tuple[Type, int]]:
    """Return the properties of a piece or a site, with their types."""
    names = state.game.names
    if kind == "piece":
        piece = list(names.pieces.values())[number]
        attributes, values = names.families[piece.family].attributes, piece.values
    elif kind == "site":
        site = list(names.sites.values())[number]
        attributes, values = names.site_kinds[site.kind].attributes, site.values
    else:
        return
    for name, attribute in attributes.items():
        yield attribute.type, values.get(name, -1)


def properties(state: State, kind: str, number: int) -> Iterator[Thing]:
    """Return the words, sites, pieces and players that a thing has as properties."""
    for type_, value in typed_properties(state, kind, number):
        if type_.kind in SORTS and value >= 0:
            yield type_.kind, value


def relations(state: State, kind: str, number: int) -> Iterator[Thing]:
    """Return the sites that a site is related to."""
    if kind == "site":
        site = list(state.game.names.sites.values())[number]
        for related in site.related.values():
            yield from (("site", other) for other in related)


def at(state: State, piece: int) -> Iterator[int]:
    """Return the sites where a piece lies."""
    held = state._compiled.plan.held
    family = list(state.game.names.pieces.values())[piece].family
    for site in state.game.names.sites.values():
        if family in held[site.number] and state._table.holding(site.number, piece):
            yield site.number


# --- what a question is about --------------------------------------------------------------------


def things_around(state: State) -> Iterator[Thing]:
    """Return what the open question and its requirements mention, and what led to it."""
    question, table = question_of(state), state._table
    if question is None:
        return
    frame = table.stack[-1]
    gaps = [*question.prompt.gaps]
    for reason in question.reasons:
        gaps += [gap for gap in reason.sentence.gaps if question.slot not in gap.slots]
    for gap in gaps:
        if gap.type.kind in SORTS and (value := gap.expression.value(table.cells, frame)) >= 0:
            yield gap.type.kind, value
    for line in table.stack:
        yield from arguments(state, line)
    yield from just_taken(state)


def just_taken(state: State) -> Iterator[Thing]:
    """Return the pieces and sites of the last answers of the one who is asked, in a row."""
    left = RECENT
    for entry in reversed(state.log):
        if entry.kind in ("answer", "draw") and entry.player != state.player:
            return
        if entry.kind in ("answer", "forced") and entry.player == state.player:
            option, left = state.game.options[entry.option], left - 1
            if option.kind in ("piece", "site"):
                yield thing_of(option)
        if not left:
            return


def arguments(state: State, frame: list[int]) -> Iterator[Thing]:
    """Return what a verb was begun with, if a frame is a verb's own, as far as it is a thing.

    Where a verb stands in the place of its call, its arguments cannot be told.
    """
    compiled = state._compiled
    entries = sorted(compiled.verbs.items(), key=lambda one: one[1][0])
    begun = [(name, size) for name, (entry, size) in entries if entry <= frame[0]]
    if not begun or len(begun) == len(entries) or len(frame) != begun[-1][1]:
        return
    verb = compiled.names.verbs[begun[-1][0]]
    for type_, value in zip(verb.parameters.values(), frame[2:], strict=False):
        if type_.kind in SORTS and value >= 0:
            yield type_.kind, value


def things_held(state: State) -> Iterator[Thing]:
    """Return what the counters of the game hold, such as the piece led, and who is asked."""
    yield "player", int(state.player)
    for name, counter in state.game.names.counters.items():
        if counter.per is None and counter.type.kind in SORTS:
            yield counter.type.kind, state.counter(name)


def things_taken(state: State, entries: Iterable[LogEntry]) -> Iterator[Thing]:
    """Return what is answered or taken by itself on the way."""
    for entry in entries:
        if entry.option >= 0:
            yield thing_of(state.game.options[entry.option])


def places_of(entries: Iterable[LogEntry]) -> Iterator[Thing]:
    """Return the sites between which pieces go."""
    for entry in entries:
        if entry.kind == "move":
            yield from (("site", entry.source), ("site", entry.target))
