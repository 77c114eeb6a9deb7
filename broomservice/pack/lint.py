"""Checks of a pack beyond its schema and its names: boards, and what is defined and never used."""

from __future__ import annotations

from broomservice.compile.compiler import Compiler


def lint(compiler: Compiler) -> None:
    """Note the mistakes of a pack that neither its schema nor its names show."""
