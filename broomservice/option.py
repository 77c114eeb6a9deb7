"""Options: the answers to decisions."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

PASS = 0


@attrs.frozen
class Option:
    """One answer to a decision: exactly one thing.

    `id` is its number in the game's fixed action space; `label` names it in calls and records;
    `kind` is piece, site, player, word, label, number or pass; `text` is what players call it.
    """

    id: int
    label: str
    kind: str
    number: int
    text: Mapping[str, str] = attrs.field(eq=False, repr=False)

    def shown(self, language: str = "en") -> str:
        """Return what players call it."""
        return self.text.get(language) or self.text.get("en") or self.label

    def __str__(self) -> str:
        return self.label
