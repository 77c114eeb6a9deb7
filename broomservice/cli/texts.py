"""What the command line itself says, in the languages that it speaks."""

from __future__ import annotations

LANGUAGES = ("en", "de")

TEXTS: dict[str, tuple[str, str]] = {
    # tables
    "players": ("players", "Spieler"),
    "boards": ("boards", "Spielpläne"),
    "variants": ("variants", "Varianten"),
    "options": ("options", "Einstellungen"),
    "none": ("none", "keine"),
    "default": ("default", "üblich"),
    "points": ("points", "Punkte"),
    "seat": ("seat", "Platz"),
    "bot": ("bot", "Bot"),
    "mean": ("mean", "Mittel"),
    "least": ("least", "kleinste"),
    "lower": ("25%", "25 %"),
    "median": ("median", "Median"),
    "upper": ("75%", "75 %"),
    "most": ("most", "größte"),
    "wins": ("wins alone", "Siege allein"),
    "shared": ("shared", "geteilt"),
    "all_seats": ("all", "alle"),
    "decisions": ("decisions", "Entscheidungen"),
    "games": ("games", "Partien"),
    "first_seed": ("first seed", "erster Startwert"),
    "bound": ("declared bound: {}", "angegebene Grenze: {}"),
    "answers_at": ("{}: asked {} times", "{}: {} mal gefragt"),
    "answer": ("answer", "Antwort"),
    "open": ("open", "möglich"),
    "taken": ("taken", "gewählt"),
    "share": ("taken of open", "gewählt von möglich"),
    "more": ("and {} more", "und {} weitere"),
    "fast_note": (
        "fast: the answers are not counted, and whoever has the most points wins",
        "schnell: Antworten werden nicht gezählt, und die meisten Punkte gewinnen",
    ),
    # a game told
    "setup": ("Setup", "Spielvorbereitung"),
    "drawn": ("Drawn: {}", "Gezogen: {}"),
    "where_from": ("Where the points come from", "Woher die Punkte kommen"),
    "at_start": ("at the start", "zu Beginn"),
    "total": ("total", "Summe"),
    "wins_with": ("{} wins with {} points.", "{} gewinnt mit {} Punkten."),
    "share_victory": ("{} share the victory.", "{} gewinnen gemeinsam."),
    "and": (" and ", " und "),
    "is_over": ("The game is over.", "Das Spiel ist zu Ende."),
    # playing
    "welcome": (
        "Type the number or the name of an option; 'help' lists what else there is.",
        "Nummer oder Name einer Möglichkeit eingeben; „hilfe“ zeigt, was es sonst gibt.",
    ),
    "pick_several": (
        "  {} in all; name them together, with commas between",
        "  {} insgesamt; zusammen nennen, mit Kommas dazwischen",
    ),
    "pass_screen": (
        "Pass the screen to {}, then press Enter.",
        "Jetzt ist {} an der Reihe: Bildschirm weitergeben, dann Eingabetaste.",
    ),
    "no_such": ("No option is called '{}'.", "Keine Möglichkeit heißt „{}“."),
    "meant": ("Did you mean '{}'?", "Ist „{}“ gemeint?"),
    "may_mean": ("'{}' may mean {}.", "„{}“ kann heißen: {}."),
    "number_range": ("Type a number from 1 to {}.", "Eine Nummer von 1 bis {} eingeben."),
    "not_open": ("{} is not open:", "{} geht jetzt nicht:"),
    "is_open": ("{} is open.", "{} ist möglich."),
    "may_be_part": (
        "{} may be chosen, with {} more.",
        "{}: kann gewählt werden, mit {} weiteren.",
    ),
    "met": ("met: {}", "erfüllt: {}"),
    "nothing_to_undo": ("There is nothing to take back.", "Es gibt nichts zurückzunehmen."),
    "taken_back": ("Taken back.", "Zurückgenommen."),
    "saved": ("Saved in {}.", "Gespeichert in {}."),
    "loaded": ("Loaded from {}.", "Geladen aus {}."),
    "file_needed": ("Say which file: '{} FILE'.", "Bitte eine Datei nennen: „{} DATEI“."),
    "name_needed": ("Say what: '{} NAME'.", "Bitte sagen, was: „{} NAME“."),
    "cannot_file": ("{}: {}", "{}: {}"),
    "goodbye": ("Goodbye.", "Auf Wiedersehen."),
    "nothing_yet": ("Nothing has happened yet.", "Noch ist nichts geschehen."),
    "hidden": ("hidden", "verdeckt"),
    # checks, sources, rulings
    "in_order": ("{}: in order", "{}: in Ordnung"),
    "problems": ("{} problems", "{} Fehler"),
    "one_problem": ("1 problem", "1 Fehler"),
    "warnings": ("{} warnings", "{} Warnungen"),
    "one_warning": ("1 warning", "1 Warnung"),
    "cited": ("cited", "belegt"),
    "deduced": ("deduced", "gefolgert"),
    "assumed": ("assumed", "angenommen"),
    "unknown": ("unknown", "unbekannt"),
    "facts": ("{} facts", "{} Angaben"),
    "question": ("Question", "Frage"),
    "ruling": ("Answer", "Antwort"),
    "source": ("Source", "Quelle"),
    "reading": ("Read as {}", "Gelesen als {}"),
    "ambiguous": (
        "The rulebook can be read in several ways; the answer is the reading preferred here.",
        "Die Regel lässt sich verschieden lesen; die Antwort ist die hier bevorzugte Lesart.",
    ),
    "ruling_holds": ("holds", "stimmt"),
    "ruling_fails": ("does not hold", "stimmt nicht"),
    "rests_on_assumed": (
        "This rests on what no rulebook says: {}",
        "Das beruht auf Angenommenem: {}",
    ),
    "cited_by": ("rulings: {}", "Fälle: {}"),
    "refused": ("refused with", "abgelehnt mit"),
    "section_uncited": ("nothing cites this", "nichts beruft sich darauf"),
    "all_cited": ("Every section is cited.", "Auf jeden Abschnitt beruft sich etwas."),
    "played_with": ("played with: {}", "gespielt mit: {}"),
    "now_instead": ("{}: {} (otherwise {})", "{}: {} (sonst {})"),
    "quoted": ("“{}”", "„{}“"),
    "changed_in": ("changed: {}", "geändert: {}"),
    # settling a question at the table
    "ask_welcome": (
        "Ask, as in 'may {} ...' or 'why not NAME'; 'help' lists what else there is.",
        "Fragen, etwa „darf {} ...“ oder „warum nicht NAME“; „hilfe“ zeigt, was es sonst gibt.",
    ),
    "now_asked": ("{} is asked: {}", "{} wird gefragt: {}"),
    "nobody_asked": (
        "Nobody is asked anything here. 'begin VERB as PLAYER' starts something; 'help' says how.",
        "Hier wird niemand gefragt. „beginne VERB als SPIELER“ fängt etwas an; siehe „hilfe“.",
    ),
    "not_asked": ("It is {} who is asked, not {}.", "Gefragt ist {}, nicht {}."),
    "beside": ("(Not what is asked about: {}.)", "(Danach ist nicht gefragt: {}.)"),
    "nothing_named": (
        "Nothing in '{}' is the name of an option.{} 'options' lists what is open.",
        "In „{}“ steht kein Name einer Möglichkeit.{} „optionen“ zeigt, was möglich ist.",
    ),
    "then_asked": ("Then {} is asked: {}", "Dann wird {} gefragt: {}"),
    "then_over": ("Then it is over.", "Dann ist es zu Ende."),
    "nothing_happens": ("Nothing else happens.", "Sonst geschieht nichts."),
    "set_by": ("{} is changed by: {}.", "{} ändert sich durch: {}."),
    "no_rule": ("No rule speaks of '{}'.", "Keine Regel spricht von „{}“."),
    "done": ("Done.", "Erledigt."),
    "file_or_text": ("'{}': {}", "„{}“: {}"),
    "begin_how": (
        "Write 'begin VERB as PLAYER with NAME=VALUE'.",
        "So: „beginne VERB als SPIELER mit NAME=WERT“.",
    ),
    "put_how": ("Write 'put PIECE PLACE [COUNT]'.", "So: „lege TEIL ORT [ANZAHL]“."),
    "set_how": ("Write 'set COUNTER VALUE [OWNER]'.", "So: „setze ZÄHLER WERT [BESITZER]“."),
    "rule_how": ("Write 'rule WORD'.", "So: „regel WORT“."),
    "chance": ("chance", "der Zufall"),
    "nothing": ("nothing", "nichts"),
    "rulings_hold": ("{} of {} rulings hold", "{} von {} Entscheidungen stimmen"),
}

HELP = (
    """\
  NUMBER or NAME   take an option
  why NAME         why something is open, or why not, and the rulebook passage
  table            everything that you may see
  score            the points
  log              what has happened so far
  undo             take back your last answer
  save FILE        write the position into a file
  load FILE        go on from a saved position
  quit             stop""",
    """\
  NUMMER oder NAME   eine Möglichkeit wählen
  warum NAME         warum etwas geht oder nicht, und die Stelle der Spielregel
  tisch              alles, was du sehen darfst
  punkte             der Punktestand
  protokoll          was bisher geschah
  zurück             die letzte eigene Antwort zurücknehmen
  speichern DATEI    die Stellung in eine Datei schreiben
  laden DATEI        von einer gespeicherten Stellung weiterspielen
  ende               aufhören""",
)


def said(key: str, language: str, *parts: object) -> str:
    """Return a sentence of the command line, its gaps filled.

    >>> said("wins_with", "de", "p1", 31)
    'p1 gewinnt mit 31 Punkten.'
    """
    return TEXTS[key][LANGUAGES.index(language)].format(*parts)


def listed(parts: list[str], language: str) -> str:
    """Return names as a list in a sentence.

    >>> listed(["p1", "p2", "p3"], "en")
    'p1, p2 and p3'
    """
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + said("and", language) + parts[-1]
