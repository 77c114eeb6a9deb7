"""What is said when a ruling does not hold, in two languages."""

from __future__ import annotations

from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.errors import AmbiguousMove, UnknownMove
from broomservice.render import in_language
from broomservice.scenario import ScenarioError

WORDS: dict[str, dict[str, str]] = {
    "not_open": {
        "en": "{}: refused because {}, expected to be open",
        "de": "{}: abgelehnt, weil {}; erwartet: möglich",
    },
    "open": {
        "en": "{}: open, expected to be refused by the requirement {}",
        "de": "{}: möglich; erwartet: abgelehnt durch die Bedingung {}",
    },
    "other_reason": {
        "en": "{}: refused because {}, expected the requirement {}",
        "de": "{}: abgelehnt, weil {}; erwartet: durch die Bedingung {}",
    },
    "because": {"en": "“{}” ({})", "de": "„{}“ ({})"},
    "answer_refused": {
        "en": "answer {} ({}): refused because {} [{}]",
        "de": "Antwort {} ({}): abgelehnt, weil {} [{}]",
    },
    "other_asked": {
        "en": "answer {} ({}): {} is asked [{}]",
        "de": "Antwort {} ({}): gefragt ist {} [{}]",
    },
    "nobody": {"en": "nobody", "de": "niemand"},
    "nothing": {"en": "nothing", "de": "nichts"},
    "options": {
        "en": "the options are {}, expected {}",
        "de": "möglich: {}; erwartet: {}",
    },
    "forced": {
        "en": "{} was not taken by itself, but {}",
        "de": "{} wurde nicht von selbst genommen, sondern {}",
    },
    "forced_note": {
        "en": "; before this, {} was taken without asking, which `forced` can say",
        "de": "; davor wurde {} ohne Frage genommen, was `forced` sagen kann",
    },
    "points": {"en": "{} has {} points, not {}", "de": "{} hat {} Punkte, nicht {}"},
    "gained": {"en": "{} gained {} points, not {}", "de": "{} hat {} Punkte bekommen, nicht {}"},
    "pieces": {"en": "{} holds {} x {}, not {}", "de": "{} enthält {} x {}, nicht {}"},
    "counter": {"en": "{} is not {}", "de": "{} ist nicht {}"},
    "decides": {"en": "{} is asked, not {}", "de": "gefragt ist {}, nicht {}"},
    "asks": {"en": "{} asks, not {}", "de": "es fragt {}, nicht {}"},
    "asks_nothing": {"en": "nothing is asked, not {}", "de": "nichts fragt; erwartet: {}"},
    "over": {"en": "it is over", "de": "es ist zu Ende"},
    "goes_on": {"en": "it goes on: {}", "de": "es geht weiter: {}"},
    "winners": {"en": "the winners are {}, expected {}", "de": "es gewinnt {}; erwartet: {}"},
    "no_error": {"en": "no error: {}", "de": "kein Fehler: {}"},
    "stuck": {"en": "{}", "de": "die Regeln können nicht weiter: {}"},
    "no_option": {
        "en": "no option is called '{}'{}",
        "de": "keine Möglichkeit heißt „{}“{}",
    },
    "hint": {"en": " (did you mean '{}'?)", "de": " (ist „{}“ gemeint?)"},
    "may_mean": {"en": "'{}' may mean {}", "de": "„{}“ kann heißen: {}"},
}


def said(key: str, language: str, *parts: object) -> str:
    """Return a sentence about how a case came out, its gaps filled."""
    return in_language(WORDS[key], language).format(*parts)


def wording(error: BroomserviceError, language: str) -> str:
    """Return in a language why a case cannot be run to its end."""
    if isinstance(error, ScenarioError):
        return error.text(language)
    if isinstance(error, UnknownMove):
        hint = said("hint", language, error.hint) if error.hint else ""
        return said("no_option", language, error.name, hint)
    if isinstance(error, AmbiguousMove):
        return said("may_mean", language, error.name, ", ".join(error.candidates))
    if isinstance(error, RuleError):
        return said("stuck", language, error)
    return str(error)
