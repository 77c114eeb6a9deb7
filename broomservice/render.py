"""Turning numbers into names and sentences, in the languages of the pack."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from broomservice.compile.code import Template
from broomservice.compile.compiler import Compiled
from broomservice.compile.types import Type
from broomservice.core.table import CHANCE
from broomservice.option import Option

CHANCE_NAMES = {"en": "chance", "de": "der Zufall"}
NOTHING = {"en": "nothing", "de": "nichts"}
NOBODY = {"en": "nobody", "de": "niemand"}


def in_language(text: Mapping[str, str], language: str) -> str:
    """Return a text in a language, or in English, or in whatever there is."""
    return text.get(language) or text.get("en") or next(iter(text.values()), "")


def in_parts(template: Template, language: str) -> tuple[str | int, ...]:
    """Return a template's texts and gaps in a language, or in English, or in whatever there is."""
    parts = template.parts
    return parts.get(language) or parts.get("en") or next(iter(parts.values()), ())


@attrs.frozen
class Speaker:
    """Says what numbers mean: `names` are the players'."""

    compiled: Compiled
    language: str
    names: tuple[str, ...]

    def player(self, number: int) -> str:
        """Return what a player is called, or chance."""
        return in_language(CHANCE_NAMES, self.language) if number == CHANCE else self.names[number]

    def thing(self, type_: Type, number: int) -> str:
        """Return what a number of a type is called."""
        names = self.compiled.names
        if type_.kind == "truth":
            return {0: {"en": "no", "de": "nein"}, 1: {"en": "yes", "de": "ja"}}[
                int(number != 0)
            ].get(self.language, "yes" if number else "no")
        if type_.kind == "number":
            return str(number)
        if number < 0:
            return in_language(NOBODY if type_.kind == "player" else NOTHING, self.language)
        if type_.kind == "player":
            return self.names[number]
        if type_.kind == "piece":
            return self.piece(number)
        if type_.kind == "place":
            return self.place(number)
        if type_.kind == "site":
            return in_language(list(names.sites.values())[number].text, self.language)
        word = list(names.words)[number]
        return in_language(names.word_texts[word], self.language)

    def piece(self, number: int) -> str:
        """Return what a piece is called; one made for a player is called after that player."""
        kind = list(self.compiled.names.pieces.values())[number]
        text = in_language(kind.text, self.language)
        if 0 <= kind.owner < len(self.names):
            return text.replace(f"p{kind.owner + 1}", self.names[kind.owner])
        return text

    def option(self, option: Option) -> str:
        """Return what an option is called among these players."""
        if option.kind == "piece":
            return self.piece(option.number)
        if option.kind == "player" and option.number < len(self.names):
            return self.names[option.number]
        return option.shown(self.language)

    def place(self, number: int) -> str:
        """Return what a place is called, with its owner."""
        names, plan = self.compiled.names, self.compiled.plan
        if number < len(names.sites):
            return in_language(list(names.sites.values())[number].text, self.language)
        for name, base in plan.place_base.items():
            kind = names.places[name]
            count = plan.players if kind.per_player else 1
            if base <= number < base + count:
                called = in_language(kind.text, self.language)
                return f"{called} ({self.names[number - base]})" if kind.per_player else called
        return str(number)

    def fill(self, template: Template, cells: list[int], frame: list[int]) -> str:
        """Return a sentence with its gaps filled from a position."""
        values = [gap.expression.value(cells, frame) for gap in template.gaps]
        return self.sentence(template, values)

    def gapless(self, template: Template) -> str:
        """Return a sentence with dots for what its gaps hold, which is not known any more."""
        parts = in_parts(template, self.language)
        return "".join(part if isinstance(part, str) else "…" for part in parts)

    def sentence(self, template: Template, values: list[int]) -> str:
        """Return a sentence with these numbers in its gaps."""
        return "".join(
            part if isinstance(part, str) else self.thing(template.gaps[part].type, values[part])
            for part in in_parts(template, self.language)
        )
