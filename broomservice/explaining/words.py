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
        "en": "{who} may not stop yet; still to be done: {open}",
        "de": "{who} darf noch nicht aufhören; offen ist noch: {open}",
    },
    "wrong_kind": {
        "en": "{who} is asked “{prompt}”; this decision asks for {kind}, not for {thing}",
        "de": "{who} wird gefragt: „{prompt}“; gefragt ist hier: {kind}, nicht: {thing}",
    },
    "not_offered": {
        "en": "{who} is asked “{prompt}”, between {open}; {thing} is not among them",
        "de": "{who} wird gefragt: „{prompt}“, zur Wahl: {open}; {thing} gehört nicht dazu",
    },
    "not_the_one": {
        "en": "{who} is asked “{prompt}”; there is only {open}, not {thing}",
        "de": "{who} wird gefragt: „{prompt}“; es gibt nur {open}, nicht {thing}",
    },
    "one_or_pass": {
        "en": "{who} is asked “{prompt}”: {open} or pass; {thing} is not among them",
        "de": "{who} wird gefragt: „{prompt}“, zur Wahl: {open} oder weiter; "
        "{thing} gehört nicht dazu",
    },
    "not_in_play": {
        "en": "{thing} is not in play, and offers nothing",
        "de": "{thing} ist nicht im Spiel und bietet nichts",
    },
    "not_yours": {
        "en": "{thing} belongs to {whose}, not to {who}",
        "de": "{thing} gehört {whose}, nicht {who}",
    },
    "not_ripe": {
        "en": "what {thing} asks for does not hold now",
        "de": "was {thing} verlangt, ist jetzt nicht erfüllt",
    },
    "open": {"en": "{thing} is offered", "de": "{thing} steht zur Wahl"},
    "likewise": {
        "en": " (the same goes for {count} more)",
        "de": " (dasselbe gilt für {count} weitere)",
    },
    "nothing_else": {"en": "there is nothing else to choose", "de": "sonst gibt es nichts"},
    "nothing_there": {"en": "there is nothing to choose", "de": "es gibt nichts zu wählen"},
    "not_playing": {
        "en": "nobody plays with {thing} in this game",
        "de": "mit {thing} spielt in dieser Partie niemand",
    },
    "done_before": {"en": "{thing} is done already", "de": "{thing} ist schon erledigt"},
    "alike": {
        "en": "{other} stands for {thing}: it comes to the same",
        "de": "{other} steht für {thing}: es kommt auf dasselbe heraus",
    },
    "named_before": {
        "en": "{thing} may be part of a set, but sets are named here in the order of the list: "
        "{thing} would have had to come before {other}",
        "de": "{thing} kann dazugehören, aber hier wird in der Folge der Liste gewählt: "
        "{thing} hätte vor {other} genannt werden müssen",
    },
    "one_spelling": {
        "en": "a matter of asking, no rule of the game: no set is named in two ways",
        "de": "nur die Art zu fragen, keine Spielregel: keine Auswahl wird doppelt genannt",
    },
    "set_size": {
        "en": "{count} are picked here, not {number}",
        "de": "hier werden {count} gewählt, nicht {number}",
    },
    "picked_already": {"en": "{thing} is picked already", "de": "{thing} ist schon gewählt"},
    "named_later": {
        "en": "{thing} may be part of a set, but sets are named here in the order of the list: "
        "name it later, for {count} more follow this pick",
        "de": "{thing} kann dazugehören, aber hier wird in der Folge der Liste gewählt: "
        "erst später nennen, denn nach dieser Wahl folgen noch {count}",
    },
    "not_drawn": {
        "en": "chance draws {kind} now, and {thing} is not there to be drawn",
        "de": "der Zufall zieht jetzt ({kind}), und {thing} liegt nicht dort",
    },
    "not_open": {"en": "{thing} is not open now", "de": "{thing} ist jetzt nicht möglich"},
}

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
