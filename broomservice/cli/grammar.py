"""Words of English and German that the referee knows besides the names of a game."""

from __future__ import annotations

ENDINGS = ("en", "er", "es", "em", "e", "n", "s")

ARTICLES = "a an the some any der die das den dem des ein eine einen einem einer eines"
PREPOSITIONS = """
    at in into on onto to of for from with by about after before between
    an auf aus bei bis für im ins mit nach um von vom vor zu zum zur am beim über
"""
PRONOUNS = """
    i me my mine we us our you your he she him her his they them their it its one this that these
    those here there myself who whom whose which what where when how
    ich mich mir mein meine meinen meiner wir uns unser du dich dir dein er sie ihn ihr ihm es man
    dies diese dieser dieses hier da dort selbst sich wer wen wem wessen welche welcher welches
    was wo wann wie
"""
HELPERS = """
    is are am be been being was were do does did has have had will would can cannot could may might
    must should let s t d ll re ve m
    ist sind bin bist sein war waren habe hat haben hatte hast wird werden wurde wurden worden kann
    können könnte konnte darf dürfen durfte muss müssen soll sollen tun tut machen
"""
LINKS = """
    and or but so if then than as also too just now still yet even again please why because
    many much ok okay well only
    und oder aber wenn dann als auch nun jetzt noch schon mal bitte warum wieso weshalb weil denn
    dass ob viel viele nur doch
"""


def a_set(*texts: str) -> frozenset[str]:
    """Return the words of texts."""
    return frozenset(" ".join(texts).split())


GRAMMAR = a_set(ARTICLES, PREPOSITIONS, PRONOUNS, HELPERS, LINKS)
STARTS = a_set(ARTICLES, PRONOUNS, LINKS, "not nicht")
PERMITTING = a_set("may can could might darf kann könnte")
MODALS = a_set("may can cannot could might must should does do did darf kann konnte muss soll")
NEGATIONS = a_set("not no never without nicht nie ohne kein keine keinen keinem keiner")
NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            ("zero", "null"),
            ("one", "eins", "einen"),
            ("two", "zwei"),
            ("three", "drei"),
            ("four", "vier"),
            ("five", "fünf"),
            ("six", "sechs"),
            ("seven", "sieben"),
            ("eight", "acht"),
            ("nine", "neun"),
            ("ten", "zehn"),
        )
    )
    for word in words
}
SYNONYMS = {
    "führt": ("leader",),
    "führe": ("leader",),
    "anführt": ("leader",),
}
LOSING = a_set(
    "lose loses lost losing pay pays paid give gives gave",
    "verliere verliert verlor verloren verlieren zahlen zahlt zahlte gezahlt",
    "abgeben abgegeben",
)
GAINING = a_set(
    "gain gains gained get gets got receive received score scores scored earn earned win won",
    "take takes took taken have has had",
    "bekomme bekommt bekam bekommen erhalten erhält erhielt gewinnen gewonnen gewann",
    "nehmen nimmt nahm genommen",
)
POINTS = a_set("point points punkt punkte punkten siegpunkt siegpunkte strafpunkte")
ASKING = a_set("asked gefragt")
SKIPPING = a_set("skipped übersprungen ausgelassen")
FORCING = a_set("must muss musste müssen forced gezwungen")
TURNS = a_set("turn asked dran gefragt reihe zug")
OPENNESS = a_set("open allowed legal possible permitted free möglich erlaubt offen frei zulässig")


def changes_meaning(word: str) -> bool:
    """Whether a word that is no name changes what is meant: a number, or a negation.

    >>> changes_meaning("five"), changes_meaning("without"), changes_meaning("gladly")
    (True, True, False)
    """
    return word in NEGATIONS or word in NUMBERS or word.isdecimal()


def number_in(words: tuple[str, ...]) -> int | None:
    """Return the first number that is said among words, in digits or letters.

    >>> number_in(("why", "three", "points")), number_in(("12", "punkte")), number_in(("points",))
    (3, 12, None)
    """
    for word in words:
        if word.isdecimal():
            return int(word)
        if word in NUMBERS:
            return NUMBERS[word]
    return None
