"""What variants, house rules and chosen options add to the rulebook and change in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.types import PLAYER, Type
from broomservice.pack.load import Map
from broomservice.pack.provenance import Provenance
from broomservice.rulebook.general import SOMETHING, Generally
from broomservice.rulebook.numbers import Change
from broomservice.rulebook.texts import in_words

if TYPE_CHECKING:
    from broomservice.game import Game

CHOSEN = "chosen"
REPLACED = ("words", "families", "places", "counters", "definitions", "verbs", "invariants")
REPLACED_WHOLE = ("board", "play", "winners", "score", "players")
TEXTS = {
    "chosen": {"en": "Chosen for this game", "de": "Für diese Partie gewählt"},
    "instead": {"en": "{}: {} (otherwise {}).", "de": "{}: {} (sonst {})."},
    "gone": {"en": "{} is left out.", "de": "{} fällt weg."},
    "new_refusal": {"en": "It is refused if {}.", "de": "Abgelehnt wird: {}."},
    "changed": {"en": "Changed as well: {}.", "de": "Geändert ist auch: {}."},
    "ban": {"en": "“{}” may be refused", "de": "„{}“ kann verwehrt sein"},
    "triggers": {"en": "after “{}”", "de": "nach „{}“"},
    "at": {"en": "at “{}”", "de": "bei „{}“"},
    "replace": {"en": "instead of “{}”", "de": "statt „{}“"},
    "if": {"en": "if {}", "de": "falls {}"},
    "points": {"en": "score {}", "de": "Wertung {}"},
}


@attrs.frozen
class Line:
    """A sentence that a variant or a choice adds: its id, its text, a remark, what it rests on."""

    id: str
    text: str
    note: str
    provenance: Provenance


@attrs.frozen
class HouseSection:
    """The sentences of one variant, or of the options that were chosen."""

    id: str
    heading: str
    variant: str
    lines: tuple[Line, ...]


def house_sections(
    game: Game, language: str, changes: tuple[Change, ...]
) -> Iterator[HouseSection]:
    """Return a section for each variant that is played, and one for what was chosen."""
    for name in game.variants:
        node = game.documents.variants[name]
        lines = House.of(game, node, language).lines([one for one in changes if one.by == name])
        yield HouseSection(name, variant_name(node, language), name, tuple(lines))
    chosen = [change for change in changes if not change.by]
    if chosen:
        lines = (Line(one.name, instead(one, language), "", choice(game, one)) for one in chosen)
        yield HouseSection(CHOSEN, phrase("chosen", language), "", tuple(lines))


def variant_name(node: Map, language: str) -> str:
    """Return what a variant is called."""
    return in_words(node.get("name", node["variant"]), language)


def phrase(key: str, language: str, *parts: object) -> str:
    """Return a phrase of the rulebook, its gaps filled."""
    return in_words(TEXTS[key], language).format(*parts)


def instead(change: Change, language: str) -> str:
    """Return a change as a sentence."""
    return phrase("instead", language, change.called, change.now, change.was)


def choice(game: Game, change: Change) -> Provenance:
    """Return what an option rests on that was chosen."""
    options = game.names.section("options")
    return game.sources.rests(options[change.name], options.key_at(change.name))


def hook_text(game: Game, name: str, language: str) -> str:
    """Return what a rule of the game does by hooks, in words; what it is called if nothing."""
    node = game.names.section("rules")[name]
    lines = list(Hooks(game, Generally.of(game, language)).lines(name, node))
    return " ".join(f"{text} ({note})" if note else text for text, note in lines)


@attrs.frozen
class House:
    """Tells what a variant adds and changes."""

    game: Game
    node: Map
    generally: Generally
    language: str

    @classmethod
    def of(cls, game: Game, node: Map, language: str) -> House:
        """Return what tells of a variant."""
        return cls(game, node, Generally.of(game, language), language)

    def lines(self, changes: list[Change]) -> Iterator[Line]:
        """Return the sentences of the variant.

        What it adds is told from its parts only if the rules of the pack do not speak of it.
        """
        name = str(self.node["variant"])
        own = self.game.sources.rests(self.node, self.node.key_at("variant"))
        if "text" in self.node:
            yield Line(name, in_words(self.node["text"], self.language), "", own)
        for change in changes:
            yield Line(change.name, instead(change, self.language), "", own)
        if self.is_told(name):
            return
        for part, found in (
            (self.part("requirements"), self.refusals()),
            (self.part("rules"), self.hooks()),
            (self.entries(), self.cards()),
            ({}, self.rest()),
        ):
            nodes = {key.partition("(")[0].strip(): node for key, node in part.items()}
            for id_, text, note in found:
                yield Line(id_, text, note, self.resting(nodes.get(id_), own))

    def resting(self, node: Any, own: Provenance) -> Provenance:
        """Return what a part of the variant rests on: what it says, or what the variant does."""
        return self.game.sources.read(node, own) if isinstance(node, Map) else own

    def entries(self) -> dict[str, Any]:
        """Return the cards of all families that the variant speaks of."""
        families = self.node.get("cards", {}).values()
        return {name: node for family in families for name, node in family.items()}

    def is_told(self, name: str) -> bool:
        """Whether the rules of the pack have sentences of the variant."""
        rules = self.game.documents.rules
        nodes = rules["statements"].values() if rules is not None else ()
        return any(node.get("variant") == name for node in nodes)

    def part(self, name: str) -> Mapping[str, Any]:
        """Return what the variant says in a section of the game; empty if nothing."""
        found = self.node.get("game", {}).get(name)
        return found if isinstance(found, Map) else {}

    def refusals(self) -> Iterator[tuple[str, str, str]]:
        """Return the sentences of the requirements that it adds or changes."""
        for key in self.part("requirements"):
            name = key.partition("(")[0].strip()
            formula = self.game.names.requirements.get(name)
            sentence = self.generally.refusal(formula) if formula is not None else ""
            if sentence:
                yield name, phrase("new_refusal", self.language, sentence), ""

    def hooks(self) -> Iterator[tuple[str, str, str]]:
        """Return what the rules do that it adds or changes."""
        hooks = Hooks(self.game, self.generally)
        for name, node in self.part("rules").items():
            if node is None:
                yield name, self.gone(name, "rules"), ""
            else:
                for text, note in hooks.lines(name, self.game.names.section("rules")[name]):
                    yield name, text, note

    def cards(self) -> Iterator[tuple[str, str, str]]:
        """Return the texts of the cards that it adds or changes, and which it takes out."""
        for family, entries in self.node.get("cards", {}).items():
            for name, node in entries.items():
                if node is None:
                    yield name, self.gone(name, family), ""
                    continue
                full = self.card(family, name)
                called = in_words(full.get("name", name), self.language)
                text = f": {in_words(full['text'], self.language)}" if "text" in full else "."
                yield name, f"{called}{text}", ""

    def card(self, family: str, name: str) -> Mapping[str, Any]:
        """Return an entry of a family, as it is played."""
        return next(
            (
                document["entries"][name]
                for document in self.game.documents.cards
                if document["cards"] == family and name in document["entries"]
            ),
            {},
        )

    def gone(self, name: str, where: str) -> str:
        """Return that a card or a rule is left out."""
        before = self.game.documents.before or self.game.documents
        nodes = [before.game.get("rules", {})] if where == "rules" else []
        nodes += [one.get("entries", {}) for one in before.cards if one["cards"] == where]
        node: Mapping[str, Any] = next((one[name] for one in nodes if name in one), {})
        called = in_words(node.get("name", name.replace("_", " ")), self.language)
        return phrase("gone", self.language, called)

    def rest(self) -> Iterator[tuple[str, str, str]]:
        """Return the names of what else it changes."""
        before = (self.game.documents.before or self.game.documents).game
        names = [
            key.partition("(")[0].strip()
            for section in REPLACED
            for key in self.part(section)
            if key in before.get(section, {})
        ]
        names += [key for key in REPLACED_WHOLE if key in self.node.get("game", {})]
        names += list(self.node.get("boards", {}))
        if names:
            called = ", ".join(name.replace("_", " ") for name in names)
            yield str(self.node["variant"]), phrase("changed", self.language, called), ""


@attrs.frozen
class Hooks:
    """Puts hooks of rules into words: what they do, and when."""

    game: Game
    generally: Generally

    @property
    def language(self) -> str:
        """The language that is written."""
        return self.generally.language

    def lines(self, name: str, node: Map) -> Iterator[tuple[str, str]]:
        """Return what each hook of a rule does, and as a remark when it does."""
        called = in_words(node.get("name", name.replace("_", " ")), self.language)
        for kind in ("ban", "triggers", "offer", "replace"):
            for hook in node.get(kind, ()):
                told = self.told(kind, hook)
                text = f"{called}: {told}" if told and told != called else called
                yield f"{text}.".replace("..", "."), self.when(kind, hook)

    def told(self, kind: str, hook: Map) -> str:
        """Return what a hook does, as far as the pack has words for it."""
        types = self.types(hook)
        if kind != "ban":
            return "; ".join(one.rstrip(".") for one in self.outcome(hook.get("do", ()), types))
        if "else" in hook:
            return self.generally.sentence(hook["else"], types)
        return phrase("ban", self.language, self.option(hook)) if "option" in hook else ""

    def types(self, hook: Map) -> Mapping[str, Type]:
        """Return the types of the names that a hook's sentences may use."""
        names = self.game.names
        result = dict(names.announcements.get(str(hook.get("after", "")), {}))
        if "verb" in hook:
            result |= names.verbs[str(hook["verb"])].parameters
        for question in self.generally.compiled.questions.values():
            if question.name and question.point == hook.get("at"):
                result[question.name] = question.type
        return {**result, "actor": PLAYER}

    def outcome(self, steps: Any, types: Mapping[str, Type]) -> Iterator[str]:
        """Return what steps tell, ask and score, in order."""
        if isinstance(steps, list):
            for step in steps:
                yield from self.outcome(step, types)
        if not isinstance(steps, Mapping):
            return
        for key, value in steps.items():
            if key in ("tell", "prompt"):
                yield self.generally.sentence(value, types)
            elif key == "score":
                yield self.scored(value)
            elif key not in ("because", "names"):
                yield from self.outcome(value, types)

    def scored(self, amount: Any) -> str:
        """Return how many points are scored."""
        return phrase("points", self.language, f"{amount:+d}" if type(amount) is int else amount)

    def when(self, kind: str, hook: Map) -> str:
        """Return when a hook acts."""
        if kind == "triggers":
            parts = [phrase("triggers", self.language, str(hook["after"]).replace("_", " "))]
        elif kind == "replace":
            parts = [phrase("replace", self.language, str(hook["verb"]).replace("_", " "))]
        else:
            parts = [phrase("at", self.language, self.question(str(hook["at"])))]
        if kind == "ban" and "else" in hook and "option" in hook:
            parts.append(self.option(hook))
        if "when" in hook:
            parts.append(phrase("if", self.language, hook["when"]))
        return ", ".join(parts)

    def option(self, hook: Map) -> str:
        """Return what an option is called that is banned."""
        name = str(hook["option"])
        option = self.game.labels.get(name)
        return option.shown(self.language) if option is not None else name

    def question(self, point: str) -> str:
        """Return the question that is asked at a point, its name if there is none."""
        for question in self.generally.compiled.questions.values():
            if question.point == point:
                prompt = question.prompt
                parts = prompt.parts.get(self.language) or prompt.parts.get("en") or ()
                said = (
                    part
                    if isinstance(part, str)
                    else self.generally.called(prompt.gaps[part].type) or SOMETHING
                    for part in parts
                )
                return "".join(said) or point.replace("_", " ")
        return point.replace("_", " ")
