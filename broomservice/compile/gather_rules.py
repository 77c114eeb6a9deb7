"""Reads values, counters, formulas, verbs and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.things import (
    SIGNATURE,
    Counter,
    Formula,
    ValueTable,
    Verb,
    text_of,
)
from broomservice.compile.types import NUMBER, PLAYER
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import Place, Reported

if TYPE_CHECKING:
    from broomservice.compile.names import Names


@attrs.define
class Rules:
    """Reads values, counters, formulas, verbs and labels."""

    names: Names

    def gather_values(self) -> None:
        values = self.names.section("values")
        for name, node in values.items():
            self.names.claim(name, values.key_at(name))
            content = node.get("is")
            table = ValueTable(name, None, None, None, values.key_at(name))
            if isinstance(content, Map):
                self.fill_word_table(table, content)
            elif isinstance(content, Seq):
                table.numbers = list(content)
            else:
                table.amount = int(content or 0)
            self.names.values[name] = table

    def fill_word_table(self, table: ValueTable, content: Map) -> None:
        """Read a table with a number for each word of one set."""
        numbers = [0] * (len(self.names.words) + 1)
        for word, amount in content.items():
            if word not in self.names.words:
                self.names.problems.unknown(
                    content.key_at(word),
                    "unknown-word",
                    f"there is no word '{word}'",
                    word,
                    self.names.words,
                )
                continue
            number, type_ = self.names.words[word]
            if table.by_word not in (None, type_):
                self.names.problems.add(
                    content.key_at(word),
                    "type-mismatch",
                    f"'{word}' is a {type_.of}, the words before it are not",
                    got=word,
                )
            table.by_word = type_
            numbers[number] = amount
        table.numbers = numbers

    def gather_counters(self) -> None:
        counters = self.names.section("counters")
        for name, node in counters.items():
            self.names.claim(name, counters.key_at(name))
            try:
                type_ = self.names.type_named(node.get("holds", "number"), node.at("holds"))
                per = self.names.type_named(node["per"], node.at("per")) if "per" in node else None
            except Reported:
                self.names.problems.dropped.add(name)
                continue
            self.names.counters[name] = Counter(
                name,
                text_of(node.get("name"), name),
                type_,
                per,
                str(node.get("sees", "all")),
                node,
                counters.key_at(name),
            )
        self.check_score()

    def check_score(self) -> None:
        """The counter that is scored is a number for each player."""
        game = self.names.documents.game
        score = game.get("score")
        if score is None:
            return
        counter = self.names.counters.get(score)
        if counter is None:
            self.names.problems.unknown(
                game.at("score"),
                "unknown-counter",
                f"there is no counter '{score}'",
                score,
                self.names.counters,
            )
        elif counter.type != NUMBER or counter.per != PLAYER:
            self.names.problems.add(
                game.at("score"),
                "type-mismatch",
                f"'{score}' is not a number for each player",
                got=score,
                expected="a counter with 'per: player'",
            )

    def gather_formulas(self) -> None:
        for section, key, target in (
            ("requirements", "holds", self.names.requirements),
            ("definitions", "is", self.names.definitions),
        ):
            nodes = self.names.section(section)
            for signature, node in nodes.items():
                formula = self.formula(signature, node, key, nodes.key_at(signature))
                if formula is not None and self.names.claim(formula.name, formula.place):
                    target[formula.name] = formula

    def formula(self, signature: str, node: Map, key: str, place: Place) -> Formula | None:
        """Return a requirement or definition: its name and parameters stand in its key."""
        match = SIGNATURE.match(signature)
        if match is None:
            self.names.problems.add(
                place,
                "bad-name",
                f"'{signature}' is not written like name(one, two)",
                got=signature,
                expected="name(one, two)",
            )
            return None
        written = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
        types = self.names.typed_parameters(node.get("types", Map(node.place)))
        for parameter in written:
            if parameter not in types and self.names.is_type(parameter):
                types[parameter] = self.names.type_named(parameter, place)
        for parameter in written:
            if parameter not in types and parameter not in self.names.problems.dropped:
                self.names.problems.add(
                    place,
                    "missing-key",
                    f"'types' does not say what '{parameter}' is",
                    got=parameter,
                    expected=f"types: {{{parameter}: ...}}",
                )
                return None
        for parameter in types:
            if parameter not in written:
                self.names.problems.unknown(
                    node["types"].key_at(parameter),
                    "unknown-parameter",
                    f"'{match[1]}' has no parameter '{parameter}'",
                    parameter,
                    written,
                )
        if any(parameter not in types for parameter in written):
            self.names.problems.dropped.add(match[1])
            return None
        sentence = text_of(node["else"], match[1]) if "else" in node else None
        return Formula(
            match[1],
            {parameter: types[parameter] for parameter in written},
            str(node.get(key, "false")),
            node.at(key),
            sentence,
            node,
            place,
        )

    def gather_verbs(self) -> None:
        declared = self.names.section("announcements")
        for name, node in declared.items():
            self.names.claim(name, declared.key_at(name))
            self.names.announcements[name] = self.names.typed_parameters(node)
        self.gather_rules()
        verbs = self.names.section("verbs")
        for name, node in verbs.items():
            self.names.claim(name, verbs.key_at(name))
            parameters = self.names.typed_parameters(node.get("parameters", Map(node.place)))
            self.names.verbs[name] = Verb(
                name, parameters, node.get("do", Seq(node.place)), node, verbs.key_at(name)
            )

    def gather_rules(self) -> None:
        """House rules have hooks that are always active; one that offers something is a label."""
        rules = self.names.section("rules")
        for name in rules:
            self.names.claim(name, rules.key_at(name))

    def gather_labels(self) -> None:
        """Number the labels of all alternatives, whatever their order in the files."""
        found = labels_in(self.names.documents.game)
        for document in self.names.documents.cards:
            found |= labels_in(document)
        rules = self.names.section("rules")
        found |= {name for name, node in rules.items() if "offer" in node}
        for label in sorted(found):
            text = rules[label].get("name") if label in rules else None
            self.names.labels[label] = text_of(text, label) if text is not None else {}


def labels_in(node: Any) -> set[str]:
    """Return the labels of all alternatives inside a part of a pack."""
    found: set[str] = set()
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("either", "any_order") and isinstance(value, dict):
                found |= set(value)
            found |= labels_in(value)
    elif isinstance(node, list):
        for value in node:
            found |= labels_in(value)
    return found
