"""Sentences with gaps, said of nothing in particular: "a tower is occupied"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.expressions import Expressions
from broomservice.compile.scope import Scope
from broomservice.compile.types import Tabulator, Type
from broomservice.pack.load import Block
from broomservice.pack.problems import Place, Problems, Reported, a
from broomservice.rulebook.texts import in_words

if TYPE_CHECKING:
    from broomservice.compile.compiler import Compiled
    from broomservice.compile.things import Formula
    from broomservice.game import Game

GAP = re.compile(r"\{([^{}]*)\}")
LAST_WORD = re.compile(r"(\w+)\s+\Z")
SOMETHING = "…"
DETERMINED = frozenset("a an the no any each every your another".split())
GENERAL_NAMES = {
    "player": {"en": "somebody", "de": "jemand"},
    "piece": {"en": "piece", "de": "Teil"},
    "place": {"en": "place", "de": "Ort"},
}


@attrs.frozen
class Generally:
    """Says sentences without a position: each gap becomes what sort of thing stands in it."""

    compiled: Compiled
    expressions: Expressions
    language: str

    @classmethod
    def of(cls, game: Game, language: str) -> Generally:
        """Return what says the sentences of a game."""
        compiled = game.compiled(game.names.most_players)
        names, plan, universe = compiled.names, compiled.plan, compiled.universe
        return cls(compiled, Expressions(names, plan, universe, Problems()), language)

    def refusal(self, formula: Formula) -> str:
        """Return the sentence of a requirement; empty if it has none."""
        return self.sentence(formula.sentence or "", formula.parameters)

    def sentence(self, text: Any, types: Mapping[str, Type]) -> str:
        """Return a text in which the names of these types may stand in gaps."""
        scope = Scope(Tabulator(self.expressions.universe))
        for name, type_ in types.items():
            scope.bind(name, type_)
        said = in_words(text, self.language)
        result, end = "", 0
        met: dict[str, str] = {}
        for gap in GAP.finditer(said):
            result += said[end : gap.start()]
            result += self.noun(gap[1].strip(), scope, result, met)
            end = gap.end()
        return result + said[end:]

    def noun(self, gap: str, scope: Scope, before: str, met: dict[str, str]) -> str:
        """Return what stands in a gap behind some text; `met` are the gaps before, with nouns."""
        type_ = self.type_of(gap, scope)
        noun = self.called(type_) if type_ is not None else ""
        if not noun or (type_ is not None and type_.kind == "player"):
            return noun or SOMETHING
        if self.language != "en":
            return noun
        is_other, is_same = noun in met.values(), gap in met
        met[gap] = noun
        word = LAST_WORD.search(before)
        if word is not None and word[1] in DETERMINED:
            return noun
        if is_same:
            return f"the {noun}"
        return f"another {noun}" if is_other else a(noun)

    def type_of(self, gap: str, scope: Scope) -> Type | None:
        """Return what sort of thing stands in a gap, None if that depends on more."""
        try:
            return self.expressions.compile(Block(gap), Place(), scope.child()).type
        except Reported:
            return None

    def called(self, type_: Type) -> str:
        """Return what a thing of a type is called; empty for numbers and words."""
        names = self.compiled.names
        if type_.kind == "piece" and type_.of:
            return in_words(names.families[type_.of].text, self.language)
        if type_.kind == "site" and type_.of:
            return in_words(names.site_kinds[type_.of].text, self.language)
        return in_words(GENERAL_NAMES.get(type_.kind, ""), self.language)
