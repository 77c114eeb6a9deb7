"""The words that a sentence to the referee may begin with, and the help about them."""

from __future__ import annotations

WORDS: dict[str, tuple[str, ...]] = {
    "may": ("may", "can", "could", "darf", "kann", "könnte"),
    "why": ("why", "why not", "warum", "warum nicht", "wieso", "wieso nicht", "weshalb"),
    "must": ("must", "muss"),
    "what_if": ("what if", "was wenn", "was, wenn"),
    "options": ("options", "optionen"),
    "play": ("play", "spiele"),
    "undo": ("undo", "zurück", "zurueck"),
    "forced": ("forced", "gezwungen"),
    "score": ("score", "punkte"),
    "question": (
        *("who", "whose", "what", "when", "where", "which", "how", "does", "do", "did"),
        *("is", "are", "was", "wer", "wem", "wen", "wann", "wo", "wie", "welche", "welcher"),
        *("welches", "ist", "sind", "hat"),
    ),
    "rule": ("rule", "regel"),
    "log": ("log", "protokoll"),
    "put": ("put", "lege"),
    "set": ("set", "setze"),
    "begin": ("begin", "beginne"),
    "save": ("save", "speichern"),
    "help": ("help", "hilfe", "?"),
    "quit": ("quit", "exit", "ende"),
}
COMMANDS = {word: command for command, words in WORDS.items() for word in words}
WHOLE = frozenset({"options", "undo", "forced", "log", "help", "quit"})
HELP = (
    """\
  may PLAYER ... NAME     whether something may be done, why or why not, and the passage
  why NAME, why not NAME  the same
  may PLAYER VERB         when something of the kind is open, and what the rules say of it
  why was PLAYER not asked, why must PLAYER ..., why did PLAYER lose ...
  what if NAME            what would come of it, until the next decision
  options                 what is open now, numbered
  play NAME, play 3       do it and go on; `undo` takes it back
  forced                  what was taken by itself just now, and who was not asked, and why
  score [PLAYER]          the points, and where a player's points came from
  who leads (and why)     what a counter holds, which rules change it, what changed it last
  who, when, how ... ?    the rules that speak of it
  rule WORD               rules and parts of the game by name or by word
  log                     what has happened so far
  put PIECE PLACE [COUNT] lay pieces: put green_potion stock(p1) 2
  set COUNTER VALUE [OWNER]
  begin VERB as PLAYER with NAME=VALUE, NAME=VALUE
  save FILE               write the position into a file
  quit                    stop""",
    """\
  darf SPIELER ... NAME   ob etwas geht, warum oder warum nicht, und die Regelstelle
  warum (nicht) NAME      dasselbe
  darf SPIELER VERB       wann so etwas möglich ist, und was die Regeln dazu sagen
  warum wurde SPIELER nicht gefragt, warum muss SPIELER ..., warum hat SPIELER ... verloren
  was wenn NAME           was daraus folgt, bis zur nächsten Entscheidung
  optionen                was jetzt möglich ist, mit Nummern
  spiele NAME, spiele 3   es tun und weitermachen; „zurück“ nimmt es zurück
  gezwungen               was von selbst geschah, wer nicht gefragt wurde, und warum
  punkte [SPIELER]        der Punktestand, und woher die Punkte eines Spielers kommen
  wer führt (und warum)   was ein Zähler angibt, welche Regeln ihn ändern, was zuletzt geschah
  wer, wann, wie ... ?    die Regeln, die davon sprechen
  regel WORT              Regeln und Teile des Spiels, nach Namen oder Wort
  protokoll               was bisher geschah
  lege TEIL ORT [ANZAHL]  Teile legen: lege green_potion stock(p1) 2
  setze ZÄHLER WERT [BESITZER]
  beginne VERB als SPIELER mit NAME=WERT, NAME=WERT
  speichern DATEI         die Stellung in eine Datei schreiben
  ende                    aufhören""",
)


def command_of(text: str) -> tuple[str, str]:
    """Return the command that a sentence begins with, and the rest; no command if it has none.

    >>> command_of("Why not t12"), command_of("hill witch")
    (('why', 't12'), ('', 'hill witch'))
    """
    small = text.casefold()
    for word in sorted(COMMANDS, key=len, reverse=True):
        if small == word or small.startswith(f"{word} "):
            rest = text[len(word) :].strip()
            if COMMANDS[word] in WHOLE and rest:
                continue
            return COMMANDS[word], rest
    return "", text
