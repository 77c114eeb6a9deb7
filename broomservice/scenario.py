"""Positions put together by hand: pieces laid, counters set, and play begun at any verb."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.types import PLAYER, Type
from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.core.expressions import LARGEST_NUMBER
from broomservice.core.table import NOBODY, Table
from broomservice.pack.problems import likely
from broomservice.render import in_language
from broomservice.state import State

if TYPE_CHECKING:
    from broomservice.game import Game


SENTENCES: dict[str, dict[str, str]] = {
    "unknown": {
        "en": "there is no {what} '{name}'{hint}",
        "de": "{what} „{name}“ gibt es nicht{hint}",
    },
    "hint": {"en": " (did you mean '{name}'?)", "de": " (ist „{name}“ gemeint?)"},
    "write": {"en": "'{name}': write {example}", "de": "„{name}“: so schreiben: {example}"},
    "put": {"en": "{piece} in {place}: {error}", "de": "{piece} in {place}: {error}"},
    "nowhere_else": {"en": "it lies nowhere else", "de": "es liegt sonst nirgends"},
    "kept_for_each": {
        "en": "'{counter}' is kept for each {per}",
        "de": "„{counter}“ gilt je {per}",
    },
    "no_value": {
        "en": "'{counter}' cannot be {value}",
        "de": "„{counter}“ kann nicht {value} sein",
    },
    "no_seats": {
        "en": "nobody changes seats in this game",
        "de": "in diesem Spiel wechselt niemand den Platz",
    },
    "needs": {"en": "'{verb}' needs '{parameter}'", "de": "„{verb}“ braucht „{parameter}“"},
}
SORTS = {
    "player": "den Spieler",
    "place": "den Ort",
    "piece": "das Spielteil",
    "counter": "den Zähler",
    "verb": "das Verb",
    "parameter": "den Parameter",
}


class ScenarioError(BroomserviceError):
    """A position cannot be put together as it is described; `text` says it in a language."""

    def __init__(self, key: str, **parts: object) -> None:
        self.key = key
        self.parts = parts
        super().__init__(self.text("en"))

    def text(self, language: str) -> str:
        """Return what is wrong, in a language."""
        parts = {
            name: part.text(language) if isinstance(part, ScenarioError) else part
            for name, part in self.parts.items()
        }
        if self.key == "unknown":
            hint, what = str(parts["hint"]), str(parts["what"])
            said = in_language(SENTENCES["hint"], language).format(name=hint)
            parts["hint"] = said if hint else ""
            parts["what"] = SORTS.get(what, what) if language == "de" else what
        return in_language(SENTENCES[self.key], language).format(**parts)


@attrs.define
class Scenario:
    """A position being put together. It begins with all pieces where the pack starts them.

    >>> import broomservice as bs
    >>> scenario = Scenario.of(bs.load("broom_service"), players=2)
    >>> scenario.put("purple_potion", "stock(p1)", 2)
    >>> state = scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})
    >>> state.player
    0
    """

    game: Game
    table: Table
    players: int
    names: tuple[str, ...]
    laid: set[tuple[int, int]] = attrs.field(factory=set)

    @classmethod
    def of(
        cls,
        game: Game,
        players: int,
        *,
        seed: int = 0,
        names: tuple[str, ...] = (),
        chance_asks: bool = False,
    ) -> Scenario:
        """Return a position in which nothing has happened yet."""
        program = game.compiled(players).program
        from broomservice.core.chance import Chance

        table = Table(
            program.code,
            program.layout,
            program.cells[:],
            [],
            [],
            NOBODY,
            Chance.seeded(seed),
            chance_asks,
            program.budget,
            [],
            [],
        )
        return cls(game, table, players, names or tuple(f"p{i + 1}" for i in range(players)))

    # --- names --------------------------------------------------------------------------------

    def player(self, name: str) -> int:
        """Return a player's index, given "p2" or what the player is called.

        Raises:
            ScenarioError: if nobody is called so.
        """
        known = {f"p{i + 1}": i for i in range(self.players)}
        known |= {called: i for i, called in enumerate(self.names)}
        if name not in known:
            raise self.unknown("player", name, known)
        return known[name]

    def place(self, name: str) -> int:
        """Return a place's number, given a site, "supply", or "stock(p1)".

        Raises:
            ScenarioError: if there is no such place.
        """
        plan, names = self.game.compiled(self.players).plan, self.game.names
        head, _, rest = name.partition("(")
        head = head.strip()
        if head in names.sites:
            return names.sites[head].number
        if head not in plan.place_base:
            raise self.unknown("place", name, [*plan.place_base, *names.sites])
        kind = names.places[head]
        if kind.per_player != bool(rest):
            example = f"{head}(p1)" if kind.per_player else head
            raise ScenarioError("write", name=name, example=example)
        return plan.place_base[head] + (self.player(rest.rstrip(") ")) if rest else 0)

    def number(self, value: Any, type_: Type) -> int:
        """Return the number that a value of a type stands for.

        Raises:
            ScenarioError: if it is no such thing.
        """
        names = self.game.names
        if isinstance(value, bool | int):
            return int(value)
        text = str(value)
        if text in ("none", "nobody", "nothing"):
            return NOBODY
        if type_ == PLAYER:
            return self.player(text)
        if type_.kind == "piece" and text in names.pieces:
            return names.pieces[text].number
        if type_.kind == "site" and text in names.sites:
            return names.sites[text].number
        if type_.kind == "word" and text in names.words:
            return names.words[text][0]
        if type_.kind == "place":
            return self.place(text)
        raise self.unknown(str(type_), text, [*names.pieces, *names.sites, *names.words])

    def unknown(self, what: str, name: str, known: Any) -> ScenarioError:
        """Return the error for a name that means nothing, with the likely spelling."""
        return ScenarioError("unknown", what=what, name=name, hint=likely(name, known))

    # --- putting together ---------------------------------------------------------------------

    def put(self, piece: str, place: str, count: int = 1) -> None:
        """Move pieces to a place so that it holds `count` of them, from wherever most lie.

        They come from a place that was not put together before, as long as there is one.

        Raises:
            ScenarioError: if there is no such piece or place, or not enough pieces elsewhere.
        """
        if piece not in self.game.names.pieces:
            raise self.unknown("piece", piece, self.game.names.pieces)
        kind, target = self.game.names.pieces[piece].number, self.place(place)
        self.laid.add((kind, target))
        held = self.table.holding(target, kind)
        log, self.table.log = self.table.log, None
        try:
            while held != count:
                other = self.largest_heap(kind, target)
                if held < count:
                    self.table.move(kind, other, target, 1)
                    held += 1
                else:
                    self.table.move(kind, target, other, 1)
                    held -= 1
        except BroomserviceError as error:
            raise ScenarioError("put", piece=piece, place=place, error=error) from None
        finally:
            self.table.log = log

    def largest_heap(self, kind: int, besides: int) -> int:
        """Return the place, besides one, that may hold a kind and holds most of it."""
        family = list(self.game.names.pieces.values())[kind].family
        held = self.game.compiled(self.players).plan.held
        places = [
            place
            for place in range(self.table.layout.places)
            if place != besides and family in held[place]
        ]
        if not places:
            raise ScenarioError("nowhere_else")
        return max(
            places,
            key=lambda place: (
                self.table.holding(place, kind) > 0,
                (kind, place) not in self.laid,
                self.table.holding(place, kind),
                -place,
            ),
        )

    def set(self, counter: str, value: Any, owner: str | None = None) -> None:
        """Set a counter, or that of one player, site or piece.

        Raises:
            ScenarioError: if there is no such counter, or the value does not fit.
        """
        names, plan = self.game.names, self.game.compiled(self.players).plan
        if counter not in names.counters:
            raise self.unknown("counter", counter, names.counters)
        described = names.counters[counter]
        base = plan.counters[counter].base
        if described.per is not None:
            if owner is None:
                raise ScenarioError("kept_for_each", counter=counter, per=described.per)
            first = 0
            if described.per.kind == "piece":
                first = names.families[described.per.of].first
            elif described.per.kind == "site":
                first = names.site_kinds[described.per.of].first
            elif described.per.kind == "word":
                first = names.words[names.word_sets[described.per.of][0]][0]
            place = self.number(owner, described.per) - first
            if not 0 <= place < plan.counters[counter].count:
                raise ScenarioError("kept_for_each", counter=counter, per=described.per)
            base += place
        number = self.number(value, described.type)
        if not self.may_hold(described.type, number):
            raise ScenarioError("no_value", counter=counter, value=value)
        self.table.cells[base] = number

    def may_hold(self, type_: Type, number: int) -> bool:
        """Whether a counter of a type may hold a number: things of this game, or nothing."""
        if type_.kind == "number":
            return abs(number) <= LARGEST_NUMBER
        if type_.kind == "place":
            return NOBODY <= number < self.table.layout.places
        known = self.game.compiled(self.players).universe.of(type_)
        return number in known or (number == NOBODY and type_.kind != "truth")

    def seat(self, order: list[str]) -> None:
        """Seat the players in this order, clockwise.

        Raises:
            ScenarioError: if seats never change in this game.
        """
        seats = self.game.compiled(self.players).plan.seats
        if seats < 0:
            raise ScenarioError("no_seats")
        for seat, name in enumerate(order):
            player = self.player(name)
            self.table.cells[seats + player] = seat
            self.table.cells[seats + self.players + seat] = player

    # --- beginning ----------------------------------------------------------------------------

    def begin(
        self, verb: str, player: str | None = None, arguments: Mapping[str, Any] | None = None
    ) -> State:
        """Return the position in which a verb begins, run by a player; after it the game is over.

        Raises:
            ScenarioError: if there is no such verb, or an argument is missing or does not fit.
            RuleError: if the rules cannot go on to a question.
        """
        compiled = self.game.compiled(self.players)
        names = self.game.names
        if verb not in compiled.verbs:
            raise self.unknown("verb", verb, compiled.verbs)
        given = dict(arguments or {})
        values: list[int] = []
        for parameter, type_ in names.verbs[verb].parameters.items():
            if parameter not in given:
                raise ScenarioError("needs", verb=verb, parameter=parameter)
            values.append(self.number(given.pop(parameter), type_))
        for extra in given:
            raise self.unknown("parameter", extra, names.verbs[verb].parameters)
        entry, size = compiled.verbs[verb]
        me = NOBODY if player is None else self.player(player)
        table = self.table.copy()
        table.stack = [[compiled.finish, NOBODY] + [0] * 8]
        frame = [entry, me, *values] + [0] * (size - 2 - len(values))
        for hook in compiled.replacements.get(verb, []):
            for place in hook.lying(table):
                judged = hook.frame_at(place, me, me, values)
                if frame[0] == entry and hook.when.value(table.cells, judged):
                    frame = judged
        table.stack.append(frame)
        state = State(self.game, compiled, table, self.names)
        try:
            table.proceed(table.code[frame[0]])
        except RuleError as fault:
            raise state.located(fault) from None
        return state
