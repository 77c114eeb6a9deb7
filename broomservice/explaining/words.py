"""What the engine itself says when it explains: sentences of its own, in two languages."""

from __future__ import annotations

from collections.abc import Sequence

from broomservice.compile.names import Names
from broomservice.compile.types import Type
from broomservice.pack.problems import a
from broomservice.render import in_language

SENTENCES: dict[str, dict[str, str]] = {
    "over": {"en": "the game is over", "de": "das Spiel ist zu Ende"},
    "no_pass": {
        "en": "{who} is asked “{prompt}” and may not pass here",
        "de": "{who} wird gefragt: „{prompt}“, und darf hier nicht verzichten",
    },
    "not_yet_done": {
        "en": "{who} may not stop yet: {open} must be done",
        "de": "{who} darf noch nicht aufhören: {open} muss sein",
    },
    "wrong_kind": {
        "en": "{who} is asked “{prompt}”; this decision asks for {kind}, not for {thing}",
        "de": "{who} wird gefragt: „{prompt}“; gefragt ist {kind}, nicht {thing}",
    },
    "not_offered": {
        "en": "{who} is asked “{prompt}”, between {open}; {thing} is not among them",
        "de": "{who} wird gefragt: „{prompt}“, zur Wahl: {open}; {thing} gehört nicht dazu",
    },
    "not_in_play": {
        "en": "{thing} offers nothing now: it is not in play, or what it asks for does not hold",
        "de": "{thing} bietet jetzt nichts: nicht im Spiel, oder die Bedingung ist nicht erfüllt",
    },
    "done_before": {"en": "{thing} is done already", "de": "{thing} ist schon erledigt"},
    "alike": {
        "en": "{other} stands for {thing}: it comes to the same",
        "de": "{other} steht für {thing}: es kommt auf dasselbe heraus",
    },
    "comes_before": {
        "en": "several are picked in a fixed order, and {thing} does not come after {other}",
        "de": "es wird in fester Folge gewählt, und {thing} kommt nicht nach {other}",
    },
    "too_few_left": {
        "en": "several are picked in a fixed order, and after {thing} too few would be left",
        "de": "es wird in fester Folge gewählt, und nach {thing} blieben zu wenige übrig",
    },
    "not_drawn": {
        "en": "chance draws {kind} now, and {thing} is not there to be drawn",
        "de": "der Zufall zieht jetzt ({kind}), und {thing} liegt nicht dort",
    },
    "not_open": {"en": "{thing} is not open now", "de": "{thing} ist jetzt nicht möglich"},
}

CHANCE_NAMES = {"en": "chance", "de": "der Zufall"}
KINDS = {
    "player": {"en": "player", "de": "Spieler"},
    "number": {"en": "number", "de": "Zahl"},
    "truth": {"en": "yes or no", "de": "ja oder nein"},
    "label": {"en": "way", "de": "Möglichkeit"},
    "piece": {"en": "piece", "de": "Spielteil"},
    "site": {"en": "site", "de": "Feld"},
    "place": {"en": "place", "de": "Ort"},
}


def said(key: str, language: str, **parts: str) -> str:
    """Return a sentence of the engine itself, its gaps filled."""
    return in_language(SENTENCES[key], language).format(**parts)


def kind_name(names: Names, type_: Type, language: str) -> str:
    """Return what things of a type are called: `a role`, `ein Turm` without its article."""
    if type_.kind == "piece" and type_.of in names.families:
        text = in_language(names.families[type_.of].text, language)
    elif type_.kind == "site" and type_.of in names.site_kinds:
        text = in_language(names.site_kinds[type_.of].text, language)
    elif type_.kind in KINDS:
        text = in_language(KINDS[type_.kind], language)
    else:
        text = str(type_).replace("_", " ")
    return text if language == "de" else a(text)


def listed(parts: Sequence[str], language: str) -> str:
    """Return names as a list in a sentence.

    >>> listed(["brave", "cowardly"], "de")
    'brave und cowardly'
    """
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + (" und " if language == "de" else " and ") + parts[-1]
