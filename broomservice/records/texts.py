"""What the check of a record says, in English and German."""

from __future__ import annotations

LANGUAGES = ("en", "de")

TEXTS: dict[str, tuple[str, str]] = {
    "chance": ("chance", "der Zufall"),
    "and": (" and ", " und "),
    "misspelt": ("'{}' is read as '{}'", "„{}“ wird als „{}“ gelesen"),
    "no_player": ("no player is called '{}'", "niemand heißt „{}“"),
    "over": ("the game is over before this move", "das Spiel ist vor diesem Zug zu Ende"),
    "may_mean": ("'{}' may mean {}", "„{}“ kann heißen: {}"),
    "no_option": ("no option is called '{}'", "keine Möglichkeit heißt „{}“"),
    "no_number": ("{}: there are {} options", "{}: es gibt {} Möglichkeiten"),
    "illegal": ("{}: '{}' is not open: {}", "{}: „{}“ geht nicht: {}"),
    "passed_over": (
        "{} is to answer now ({}), and the record goes on with {}",
        "jetzt ist {} gefragt ({}), und die Aufzeichnung geht mit {} weiter",
    ),
    "missed": (
        "the record passes over {}, who held {}, as move {} shows; here it goes on with {}",
        "die Aufzeichnung übergeht {} mit: {} auf der Hand, wie Zug {} zeigt; "
        "sie geht hier mit {} weiter",
    ),
    "revoked": ("{} held {}, as move {} shows", "{} hatte {}, wie Zug {} zeigt"),
    "goes_on": ("then the game says: {}", "dann sagt das Spiel: {}"),
    "hidden_choice": (
        "{}'s hidden choice before move {} (“{}”)",
        "verdeckte Wahl ({}) vor Zug {} („{}“)",
    ),
    "draws": ("draws for {} before move {}", "Gezogenes ({}) vor Zug {}"),
    "assumed": ("no move shows it, assumed: {}", "kein Zug zeigt es, angenommen: {}"),
    "needed": ("it has {} (else move {} fails)", "dabei ist {} (sonst geht Zug {} nicht)"),
    "excluded": (
        "it has none of these: {} (else move {} fails)",
        "nicht dabei ist: {} (sonst geht Zug {} nicht)",
    ),
    "excluded_one": ("it is not {} (else move {} fails)", "nicht {} (sonst geht Zug {} nicht)"),
    "shown_later": ("shown by later moves: {}", "durch spätere Züge belegt: {}"),
    "completions": (
        "hidden answers were filled in; {} other ways were tried; none gets further, "
        "but there may be more",
        "Verdecktes wurde ergänzt; {} andere Möglichkeiten wurden versucht; keine führt weiter, "
        "doch es kann noch andere geben",
    ),
    "all_completions": (
        "hidden answers were filled in; {} other ways were tried, and none gets further",
        "Verdecktes wurde ergänzt; {} andere Möglichkeiten wurden versucht, keine führt weiter",
    ),
    "wrong_points": (
        "the record ends with the points {}, the replay with {}",
        "die Aufzeichnung endet mit den Punkten {}, das Nachspiel mit {}",
    ),
    "differs": (
        "the replay differs from somewhere between answers {} and {} on: {}",
        "das Nachspiel weicht ab irgendwo zwischen den Antworten {} und {} ab: {}",
    ),
    "move_number": ("move {}", "Zug {}"),
    "record_legal": ("legal, {} answers", "legal, {} Antworten"),
    "record_illegal": ("illegal, after {} legal answers", "illegal, nach {} legalen Antworten"),
    "record_undecided": (
        "undecided, after {} answers: what nobody saw was filled in, and no way goes further",
        "unentschieden, nach {} Antworten: Verdecktes wurde ergänzt, nichts davon führt weiter",
    ),
    "record_depends": (
        "legal if the assumptions hold, {} answers",
        "legal, wenn die Annahmen stimmen, {} Antworten",
    ),
    "record_exact": ("EXACT, as it was recorded", "EXAKT, wie aufgezeichnet"),
    "record_differs": (
        "DIFFERS from what was recorded",
        "ANDERS als aufgezeichnet",
    ),
    "pack_is_the_same": (
        "the pack is the same, so other moves were made",
        "das Spiel ist unverändert, also waren die Züge andere",
    ),
    "pack_changed": (
        "the pack has changed since it was recorded: {}",
        "das Spiel wurde seit der Aufzeichnung geändert: {}",
    ),
}


def said(key: str, language: str, *parts: object) -> str:
    """Return a sentence with its gaps filled.

    >>> said("no_option", "en", "witc")
    "no option is called 'witc'"
    """
    index = LANGUAGES.index(language) if language in LANGUAGES else 0
    return TEXTS[key][index].format(*parts)


def listed(parts: list[str], language: str) -> str:
    """Return names as a list in a sentence."""
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + said("and", language) + parts[-1]
