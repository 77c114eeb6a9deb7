"""What the referee alone says, in the languages of the command line."""

from __future__ import annotations

from broomservice.cli.texts import LANGUAGES
from broomservice.cli.texts import said as said_anywhere

SENTENCES: dict[str, tuple[str, str]] = {
    # what a sentence names
    "no_player": ("No player is called '{}'.", "Niemand heißt hier „{}“."),
    "not_understood": ("Not understood: {}.", "Nicht verstanden: {}."),
    "no_number": (
        "'{}' is no number of an open option: 1 to {}.",
        "„{}“ ist keine Nummer einer Möglichkeit: 1 bis {}.",
    ),
    "beside_first": ("Not what is asked about here: {}.", "Danach ist hier nicht gefragt: {}."),
    "is_not": ("No: {} is {}, not {}.", "Nein: {} ist {}, nicht {}."),
    "is_about": ("No: this is about {}, not {}.", "Nein: hier geht es um {}, nicht um {}."),
    "no_part": ("No: {} has no part in {}.", "Nein: {} hat mit {} nichts zu tun."),
    # what is open
    "open_now": ("Open now: {}.", "Jetzt möglich: {}."),
    "yes_way": ("Yes: {}.", "Ja: {}."),
    "yes_with": ("Yes, with {}.", "Ja, mit {}."),
    "then": (", then ", ", dann "),
    "way_to": ("Not yet; after {}: {}", "Noch nicht; nach {}: {}"),
    "after": ("after {}", "nach {}"),
    "in_no_way": ("No, {} is not open to {} in any way:", "Nein, {} geht für {} auf keinem Weg:"),
    "not_now": ("Not now: {} is asked: {}", "Jetzt nicht: {} wird gefragt: {}"),
    "first_needed": ("That comes only after {}.", "Das kommt erst nach: {}."),
    "after_way": ("After {}:", "Nach {}:"),
    # whose turn it is
    "all_at_once": (
        "All choose at the same time, in secret; the program asks one after the other, now {}.",
        "Alle wählen gleichzeitig und verdeckt; das Programm fragt nacheinander, jetzt {}.",
    ),
    "will_be_asked": ("{} will be asked: {}", "{} wird gefragt werden: {}"),
    "after_any": ("after any answer", "nach jeder Antwort"),
    "next_asked": ("{}: {} is asked: {}", "{}: {} wird gefragt: {}"),
    "next_chance": ("{}: chance decides", "{}: der Zufall entscheidet"),
    "next_over": ("{}: it is over", "{}: es ist zu Ende"),
    # what has happened
    "nothing_forced": (
        "Nothing was forced or skipped since the last answer.",
        "Seit der letzten Antwort geschah nichts von selbst, und niemand wurde übergangen.",
    ),
    "never_forced": (
        "The log tells of nothing that {} had to do, or was not asked.",
        "Nichts im Protokoll, was {} tun musste oder nicht gefragt wurde.",
    ),
    "not_in_log": ("The log tells of no such thing.", "Davon steht nichts im Protokoll."),
    "anybody": ("anybody", "jemand"),
    "record_legal": (
        "The record, after {} answers.",
        "Die Aufzeichnung, nach {} Antworten.",
    ),
    "record_stops": (
        "The record is not legal from move {} on; this is the position before it: {}",
        "Die Aufzeichnung stimmt ab Zug {} nicht; hier ist die Stellung davor: {}",
    ),
    # a position put together
    "put_exchanged": ("Exchanged for {}, now in: {}", "Getauscht gegen: {}, jetzt in: {}"),
    "place_full": (
        "{} is full: there lies {}. Take it away first: 'put {} ...'.",
        "{}: voll, dort liegt {}. Erst wegnehmen: „lege {} ...“.",
    ),
    "no_count": (
        "'{}' is no count: a whole number from 0.",
        "„{}“ ist keine Anzahl: eine ganze Zahl ab 0.",
    ),
    "verb_needs": ("'{}' needs {}.", "„{}“ braucht {}."),
    "one_of": ("{}: one of {}", "{}: eines von {}"),
    "yes_or_no": ("{}: yes or no", "{}: ja oder nein"),
    "a_number": ("{}: a number", "{}: eine Zahl"),
    "a_thing": ("{}: {}", "{}: {}"),
    "no_value": ("'{}' is no value of {}.", "„{}“ ist kein Wert von {}."),
}


def said(key: str, language: str, *parts: object) -> str:
    """Return a sentence of the referee, or of the command line; its gaps filled.

    >>> said("is_not", "en", "t22", "purple", "green")
    'No: t22 is purple, not green.'
    """
    if key in SENTENCES:
        return SENTENCES[key][LANGUAGES.index(language)].format(*parts)
    return said_anywhere(key, language, *parts)
