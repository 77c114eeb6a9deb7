"""Explaining one rule or part of a game, by whatever name people have for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.things import Attribute, PieceKind, Site
from broomservice.core.errors import BroomserviceError
from broomservice.pack.load import Map
from broomservice.pack.problems import Place, likely
from broomservice.pack.provenance import Citation, Provenance
from broomservice.render import Speaker
from broomservice.rulebook.cases import cases_about
from broomservice.rulebook.finding import found_statements
from broomservice.rulebook.general import Generally
from broomservice.rulebook.house import hook_text
from broomservice.rulebook.numbers import numbers_of
from broomservice.rulebook.statements import played
from broomservice.rulebook.texts import all_texts, begins, in_words, spelt, words_in

if TYPE_CHECKING:
    from broomservice.game import Game

KINDS = (
    ("requirements", "requirement"),
    ("verbs", "verb"),
    ("definitions", "definition"),
    ("places", "place"),
    ("counters", "counter"),
    ("options", "option"),
    ("values", "value"),
    ("rules", "rule"),
    ("invariants", "invariant"),
    ("families", "family"),
    ("sites", "site"),
)
TOLD_BY_STATEMENTS = frozenset({"requirement", "verb", "definition", "rule"})
LEAST_LETTERS = 3


class UnknownRule(BroomserviceError):
    """A name that means no rule or part of this game; `hint` is the likely spelling."""

    def __init__(self, name: str, hint: str) -> None:
        self.name = name
        self.hint = hint
        super().__init__(
            f"no rule or part of the game is called '{name}'"
            + (f" (did you mean '{hint}'?)" if hint else "")
        )


@attrs.frozen
class Rule:
    """A rule or a part of a game in words.

    `kind` is "statement", "requirement", "verb", "variant", "piece", "site", "counter" and so on.
    `text` is what the pack says of it, else what says most of it: its attributes, or the statement
    that has most words in common with it. `refusal` is, for a requirement, the sentence of whoever
    is refused, said of nothing in particular; `attributes` those of a piece or a site, in words.
    `titles` are the passages that it rests on, as people write them; `statements` the sentences of
    the rules from the same passages, those that have most in common with it first; `rulings` the
    cases that cite or use it; `changed_by`, for a counter, the verbs that change it; then the
    passages are theirs.
    """

    id: str
    kind: str
    name: str
    text: str
    provenance: Provenance
    titles: tuple[str, ...]
    statements: tuple[str, ...]
    rulings: tuple[str, ...]
    changed_by: tuple[str, ...] = ()
    note: str = ""
    refusal: str = ""
    attributes: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Named:
    """Something with a name: its names by language, its part of the pack and where it stands."""

    id: str
    kind: str
    names: Any
    node: Map
    place: Place
    thing: PieceKind | Site | None = None

    @property
    def is_word(self) -> bool:
        """Whether it is just a word or an answer, of which the pack says nothing else."""
        return self.place == Place()

    def texts(self) -> tuple[str, ...]:
        """Return what it is called, in every language."""
        return tuple(all_texts(self.names))


def explain_rule(game: Game, name: str, language: str = "en") -> Rule:
    """Return a statement, a requirement, a verb, a piece or another part of a game in words.

    Names are known in all languages of the pack. Statements and variants are known also if they
    are not played.

    Raises:
        UnknownRule: if nothing is called so; it names the likely spelling.
    """
    named = found_name(game, name)
    provenance = rests_on(game, named)
    changed_by = changers(game, named.id) if named.kind == "counter" else ()
    if changed_by:
        citations = cited_by(game, changed_by)
        provenance = attrs.evolve(provenance, citations=tuple(dict.fromkeys(citations)))
    return Teller(game, language).rule(named, provenance, changed_by)


def found_name(game: Game, name: str) -> Named:
    """Return what is called so in some language: by its id, else by its name.

    Raises:
        UnknownRule: if nothing is called so; it names the likely spelling.
    """
    everything = {one.id: one for one in nameable(game)}
    wanted = spelt(name)
    named = [one for one in everything.values() if wanted & spelt(one.id)]
    named += [
        one for one in everything.values() if any(wanted & spelt(text) for text in one.texts())
    ]
    if named:
        return min(named, key=lambda one: one.is_word)
    texts = {text.casefold(): text for one in everything.values() for text in one.texts()}
    small = name.strip().casefold()
    hint = likely(small.replace(" ", "_"), everything) or texts.get(likely(small, texts), "")
    raise UnknownRule(name, hint)


def nameable(game: Game) -> Iterator[Named]:
    """Return everything with a name; of two things with one id the later one is meant."""
    names = game.names
    for word, text in {**names.labels, **names.word_texts}.items():
        kind = names.words[word][1].of if word in names.words else "answer"
        yield Named(word, kind, text, Map(Place()), Place())
    for piece in names.pieces.values():
        yield Named(piece.id, piece.family, piece.text, piece.node, piece.place, piece)
    for site in names.sites.values():
        yield Named(site.id, site.kind, site.text, site.node, site.place, site)
    for section, kind in KINDS:
        nodes = names.section(section)
        for key, node in nodes.items():
            if isinstance(node, Map):
                id_ = key.partition("(")[0].strip()
                called = node.get("name", id_.replace("_", " "))
                yield Named(id_, kind, called, node, nodes.key_at(key))
    for id_, node in game.documents.variants.items():
        if id_ not in names.section("rules"):
            yield Named(id_, "variant", node.get("name", id_), node, node.key_at("variant"))
    rules = game.documents.rules
    statements = rules["statements"] if rules is not None else Map(Place())
    for id_, node in statements.items():
        yield Named(id_, "statement", id_.replace("_", " "), node, statements.key_at(id_))


def rests_on(game: Game, named: Named) -> Provenance:
    """Return what something rests on."""
    fact = game.sources.fact(named.place)
    if fact is not None:
        return fact.provenance
    if named.kind == "variant" and named.id not in game.variants:
        own = game.sources.read(named.node)
        return own if own.certainty != "unknown" else Provenance("assumed")
    return game.sources.rests(named.node, named.place)


def cited_by(game: Game, verbs: Iterable[str]) -> Iterator[Citation]:
    """Return the passages that verbs rest on."""
    for name in verbs:
        verb = game.names.verbs[name]
        yield from game.sources.rests(verb.node, verb.place).citations


@attrs.frozen
class Teller:
    """Tells of things in a language."""

    game: Game
    language: str

    def rule(self, named: Named, provenance: Provenance, changed_by: tuple[str, ...]) -> Rule:
        """Return what there is to tell of something."""
        refusal = self.refusal(named)
        near = self.near(named, provenance, refusal)
        attributes = self.attributes(named.thing) if named.thing is not None else {}
        text = self.own_text(named) or "; ".join(f"{key}: {one}" for key, one in attributes.items())
        if not text and named.kind in TOLD_BY_STATEMENTS:
            text = self.statement_text(near[0]) if near else refusal
        numbers = numbers_of(self.game)
        return Rule(
            named.id,
            named.kind,
            in_words(named.names, self.language),
            text,
            provenance,
            tuple(self.game.sources.title(citation) for citation in provenance.citations),
            near,
            cases_about(self.game, named.id, named.kind),
            changed_by,
            numbers.filled(in_words(named.node.get("note", ""), self.language), self.language),
            refusal,
            attributes,
        )

    def own_text(self, named: Named) -> str:
        """Return what the pack itself says of something; empty if nothing."""
        node = named.node
        if named.kind == "statement":
            return self.statement_text(named.id)
        if named.kind == "rule":
            return self.rule_text(named)
        if named.kind in ("option", "value"):
            return self.amount(named)
        if named.is_word:
            return ", ".join(self.bearers(named))
        return in_words(node["text"], self.language) if "text" in node else ""

    def rule_text(self, named: Named) -> str:
        """Return what a rule does, behind the text of the variant of the same name."""
        variant = self.game.documents.variants.get(named.id, named.node)
        own = in_words(variant["text"], self.language) if "text" in variant else ""
        return " ".join(filter(None, (own, hook_text(self.game, named.id, self.language))))

    def statement_text(self, name: str) -> str:
        """Return a statement with the numbers that are played."""
        rules = self.game.documents.rules
        assert rules is not None
        text = in_words(rules["statements"][name], self.language)
        return numbers_of(self.game).filled(text, self.language)

    def amount(self, named: Named) -> str:
        """Return the number or the table of an option or a value."""
        numbers, words = numbers_of(self.game), self.game.names.word_texts
        return numbers.described(named.id, numbers.amounts[named.id], self.language, words)

    def refusal(self, named: Named) -> str:
        """Return the sentence of a requirement; empty for anything else."""
        formula = self.game.names.requirements.get(named.id)
        if named.kind != "requirement" or formula is None:
            return ""
        return Generally.of(self.game, self.language).refusal(formula)

    def bearers(self, named: Named) -> Iterator[str]:
        """Return the pieces and sites that have a word as an attribute."""
        names = self.game.names
        if named.id not in names.words:
            return
        number, type_ = names.words[named.id]
        things: list[PieceKind | Site] = [*names.pieces.values(), *names.sites.values()]
        for thing in things:
            attributes = self.declared(thing)
            if any(
                name in attributes and attributes[name].type == type_ and value == number
                for name, value in thing.values.items()
            ):
                yield in_words(thing.text, self.language)

    def declared(self, thing: PieceKind | Site) -> Mapping[str, Attribute]:
        """Return the attributes that a thing may have."""
        names = self.game.names
        if isinstance(thing, Site):
            return names.site_kinds[thing.kind].attributes
        return names.families[thing.family].attributes

    # --- attributes -------------------------------------------------------------------------

    def attributes(self, thing: PieceKind | Site) -> dict[str, str]:
        """Return the attributes of a piece or a site in words, and what it is linked to."""
        names = self.game.names
        compiled = self.game.compiled(names.most_players)
        players = tuple(f"p{i + 1}" for i in range(names.most_players))
        speaker = Speaker(compiled, self.language, players)
        declared = self.declared(thing)
        result = {
            self.called(name): speaker.thing(declared[name].type, value)
            for name, value in thing.values.items()
            if name in declared and value >= 0
        }
        sites = list(names.sites.values())
        for name, numbers in thing.related.items() if isinstance(thing, Site) else ():
            linked = [in_words(sites[number].text, self.language) for number in numbers]
            if linked:
                result[self.called(name)] = ", ".join(linked)
        return result

    def called(self, name: str) -> str:
        """Return what an attribute is called: like the counter or the sort of thing of its name."""
        names = self.game.names
        for known in (names.counters, names.families, names.site_kinds, names.places):
            if name in known:
                return in_words(known[name].text, self.language)
        return name.replace("_", " ")

    # --- statements about it ----------------------------------------------------------------

    def near(self, named: Named, provenance: Provenance, refusal: str) -> tuple[str, ...]:
        """Return the statements from the same passages, best first; of a word, those with it."""
        if named.kind == "statement":
            return ()
        if not provenance.citations or named.is_word:
            found = found_statements(self.game, in_words(named.names, self.language), self.language)
            known = dict(played(self.game))
            return tuple(one.id for one in found if one.id in known)
        passages = set(provenance.citations)
        found_nodes = [
            (name, in_words(node, self.language))
            for name, node in played(self.game)
            if passages & set(self.game.sources.read(node).citations)
        ]
        said = refusal or " ".join(self.sentences(named.node))
        own = [*words_in(named.id), *words_in(in_words(named.names, self.language))]
        return tuple(
            name
            for name, text in sorted(
                found_nodes,
                key=lambda one: (
                    -2 * in_common(words_in(said), words_in(one[1]))
                    - in_common(own, words_in(f"{one[0]} {one[1]}"))
                ),
            )
        )

    def sentences(self, node: Map) -> Iterator[str]:
        """Return the sentences in a part of a pack, in the language that is told."""
        for key, value in node.items():
            if key in ("prompt", "tell", "because", "text", "else", "names"):
                yield in_words(value, self.language)
            elif isinstance(value, Map):
                yield from self.sentences(value)
            elif isinstance(value, list):
                for part in value:
                    if isinstance(part, Map):
                        yield from self.sentences(part)


def in_common(words: Iterable[str], others: Iterable[str]) -> int:
    """Return how many of the words begin some other word; short ones do not count."""
    known = list(others)
    longer = {word.casefold() for word in words if len(word) > LEAST_LETTERS}
    return sum(any(begins(other, word) for other in known) for word in longer)


# --- counters ------------------------------------------------------------------------------------


def changers(game: Game, counter: str) -> tuple[str, ...]:
    """Return the verbs that change a counter."""
    return tuple(
        name for name, node in game.names.section("verbs").items() if changes(node, counter)
    )


def changes(steps: Any, counter: str) -> bool:
    """Whether a counter is set or added to anywhere in these steps."""
    if isinstance(steps, Mapping):
        for key in ("set", "add"):
            targets = steps.get(key)
            if isinstance(targets, Mapping) and any(
                target.partition("(")[0] == counter for target in targets
            ):
                return True
        return any(changes(part, counter) for part in steps.values())
    return isinstance(steps, list) and any(changes(part, counter) for part in steps)
