"""What a person at the terminal sees of a position, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from broomservice.cli.texts import said
from broomservice.compile.types import Type
from broomservice.option import Option
from broomservice.render import Speaker, in_language
from broomservice.state import State
from broomservice.view import View

NOTHING = "-"


@attrs.frozen
class Sight:
    """A position as one player sees it, in a language."""

    state: State
    view: View
    language: str

    @classmethod
    def of(cls, state: State, viewer: int, language: str) -> Sight:
        """Return what a player sees; -1 sees what all do."""
        return cls(state, View.of(state, viewer, language), language)

    def holdings(self, *, own: bool) -> Iterator[tuple[str, str, Mapping[str, int]]]:
        """Return places with what the person may see of them, in words and as it is.

        Args:
            own: whether the person's own places, also when they are empty, or all others that
                hold something.
        """
        plan, view = self.state._compiled.plan, self.view
        speaker = self.state.speaker(self.language)
        for number, name in enumerate(plan.place_names):
            if name not in view.pieces or own != (plan.layout.owners[number] == self.view.player):
                continue
            pieces = view.pieces[name]
            if pieces is None:
                if view.sizes[name]:
                    text = f"{view.sizes[name]} ({said('hidden', self.language)})"
                    yield speaker.place(number), text, {}
            elif pieces or own:
                yield speaker.place(number), self.listed_pieces(pieces), pieces

    def listed_pieces(self, pieces: Mapping[str, int]) -> str:
        """Return pieces with their numbers."""
        kinds = self.state.game.names.pieces
        return (
            ", ".join(
                (f"{count} x " if count > 1 else "") + in_language(kinds[piece].text, self.language)
                for piece, count in pieces.items()
            )
            or NOTHING
        )

    def about(self, option: Option) -> str:
        """Return what helps to know an option: where a piece stands, what a site is like."""
        names, view = self.state.game.names, self.view
        speaker = self.state.speaker(self.language)
        if option.kind == "piece":
            return ", ".join(
                in_language(site.text, self.language)
                for site in names.sites.values()
                if option.label in (view.pieces.get(site.id) or ())
            )
        if option.kind != "site":
            return ""
        site = names.sites[option.label]
        known = option.shown(self.language).casefold()
        parts = [
            attribute_text(name, attribute.type, site.values[name], speaker)
            for name, attribute in names.site_kinds[site.kind].attributes.items()
            if site.values[name] > 0 or attribute.type.kind != "number"
        ]
        if pieces := view.pieces.get(site.id):
            parts.append(self.listed_pieces(pieces))
        return ", ".join(part for part in parts if part and part.casefold() not in known)


def attribute_text(name: str, type_: Type, number: int, speaker: Speaker) -> str:
    """Return a property of a site in words: "square", or "points 3"; nothing if it has none."""
    if number < 0:
        return ""
    if type_.kind in ("number", "truth"):
        return f"{name.replace('_', ' ')} {speaker.thing(type_, number)}"
    return speaker.thing(type_, number)
