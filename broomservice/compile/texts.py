"""Sentences with gaps: `{there} does not border {here}`."""

from __future__ import annotations

import re
from typing import Any

from broomservice.compile.code import Template
from broomservice.compile.expressions import Expressions
from broomservice.compile.scope import Scope
from broomservice.compile.things import text_of
from broomservice.compile.types import Typed
from broomservice.pack.load import Block, Map
from broomservice.pack.problems import Place

GAP = re.compile(r"\{([^{}]*)\}")


def compile_template(
    expressions: Expressions, text: Any, place: Place, scope: Scope, fallback: str = ""
) -> Template:
    """Return a text of a pack with its gaps compiled in a scope."""
    parts: dict[str, tuple[str | int, ...]] = {}
    gaps: list[Typed] = []
    for language, sentence in text_of(text, fallback).items():
        spot = text.at(language) if isinstance(text, Map) else place
        block = isinstance(text, Block) or (
            isinstance(text, Map) and (isinstance(text[language], Block))
        )
        pieces: list[str | int] = []
        end = 0
        for match in GAP.finditer(sentence):
            pieces.append(sentence[end : match.start()])
            where = spot if block else spot.moved(match.start(1))
            source = Block(match[1]) if block else match[1]
            gaps.append(expressions.compile(source, where, scope))
            pieces.append(len(gaps) - 1)
            end = match.end()
        pieces.append(sentence[end:])
        parts[language] = tuple(piece for piece in pieces if piece != "")
    return Template(parts, tuple(gaps))
