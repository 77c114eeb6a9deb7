"""What is known while a list of steps is compiled."""

from __future__ import annotations

import attrs

from broomservice.compile.scope import Scope
from broomservice.pack.problems import Place
from broomservice.pack.provenance import Provenance

NUMBERS = 100

MODIFIERS: dict[str, frozenset[str]] = {
    "move": frozenset({"count", "from", "to"}),
    "move_all": frozenset({"where", "from", "to"}),
    "score": frozenset({"for", "because"}),
    "set": frozenset(),
    "add": frozenset(),
    "let": frozenset(),
    "choose": frozenset(
        {"where", "by", "may", "ask", "alike", "times", "point", "prompt", "then", "else"}
    ),
    "either": frozenset({"names", "by", "may", "ask", "point", "prompt"}),
    "any_order": frozenset({"names", "by", "point", "prompt"}),
    "draw": frozenset({"where", "then", "else"}),
    "window": frozenset({"from", "where", "point", "prompt", "then"}),
    "when": frozenset({"then", "else"}),
    "while": frozenset({"do"}),
    "repeat": frozenset({"do"}),
    "each": frozenset({"where", "do"}),
    "each_player": frozenset({"from", "where", "secretly", "do"}),
    "as": frozenset({"do"}),
    "perform": frozenset({"with"}),
    "announce": frozenset(),
    "tell": frozenset(),
    "swap_seats": frozenset(),
    "as_usual": frozenset(),
}


@attrs.define
class Context:
    """The scope, the place, and the verb or hook that is being compiled.

    `secret` numbers the secret block around, -1 outside of any. `replaced` names the verb that a
    hook replaces, with the hook's rank. `within` are the verbs put in the place of their calls.
    `bindings` collects where names were bound.
    """

    scope: Scope
    verb: str
    provenance: Provenance
    place: Place = Place()
    keyword: str = ""
    secret: int = -1
    replaced: tuple[str, int] | None = None
    within: tuple[str, ...] = ()
    bindings: list[tuple[str, Place]] = attrs.field(factory=list)

    def inner(self) -> Context:
        """Return a context with a scope inside this one's."""
        return attrs.evolve(self, scope=self.scope.child())

    def at(self, place: Place, keyword: str) -> Context:
        """Return the context for one step."""
        return attrs.evolve(self, place=place, keyword=keyword)

    def binds(self, name: str, place: Place) -> None:
        """Note that a name was bound here."""
        self.bindings.append((name, place))
