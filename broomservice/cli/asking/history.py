"""Why something happened: who was not asked, what one had to do, points and pieces lost or won."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from broomservice.cli.asking import facts, turns
from broomservice.cli.asking.choices import say_stranger
from broomservice.cli.asking.doing import MOST_STATEMENTS
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.sentence import is_content
from broomservice.cli.asking.statements import about_verbs, nearest, print_statements
from broomservice.cli.grammar import (
    ASKING,
    FORCING,
    GAINING,
    GRAMMAR,
    LOSING,
    NEGATIONS,
    POINTS,
    SKIPPING,
    a_set,
    number_in,
)
from broomservice.cli.hearing import same_form, words_of
from broomservice.cli.rulings import print_verdict
from broomservice.explaining.forced import NOTHING_ELSE
from broomservice.game import Game
from broomservice.log import LogEntry
from broomservice.option import Option
from broomservice.rulebook import explain_rule

MOST_LINES = 5
MOST_SCORES = 3
MOST_VERDICTS = 3
MOST_PASSAGES = 2
LEAST_ABOUT = 3
NO_NAMES = a_set("anybody anyone nobody everybody somebody niemand jemand")
UNASKED = ("forced", "skipped")


# --- not asked, had to ---------------------------------------------------------------------------


def forced(referee: Referee, _: str) -> None:
    """Show what was taken by itself since the last answer, and who was not asked."""
    found = unasked(referee, ())
    if not found:
        referee.say("nothing_forced")
    tell_unasked(referee, found)


def why_not_asked(referee: Referee, text: str) -> None:
    """Say why somebody was not asked, or that they are asked now."""
    players = referee.ear().hear(text).players
    if not players and (stranger := stranger_in(referee, text)):
        say_stranger(referee, stranger)
        return
    found = unasked(referee, players)
    state = referee.state
    if found:
        tell_unasked(referee, found)
    elif not state.over and (state.player in players or not players):
        referee.say("never_forced", names_of(referee, players))
        referee.show_open_question()
    elif not state.over and players:
        turns.say_not_asked(referee, players[0])
    else:
        referee.say("never_forced", names_of(referee, players))


def stranger_in(referee: Referee, text: str) -> str:
    """Return the word that stands where a player should, right behind the verb; or nothing."""
    words = words_of(text)
    if len(words) > 1 and words[1] == "t":
        words = (words[0], *words[2:])
    if len(words) < LEAST_ABOUT or words[1] not in referee.ear().hear(text).rest:
        return ""
    known = GRAMMAR | NEGATIONS | ASKING | SKIPPING | NO_NAMES
    return "" if words[1] in known else words[1]


def why_forced(referee: Referee, text: str) -> None:
    """Say why somebody had to do something: it was forced, or only that is open now."""
    heard = referee.ear().hear(text)
    found = unasked(referee, heard.players)
    tell_unasked(referee, found)
    state = referee.state
    asked = not state.over and (not heard.players or state.player in heard.players)
    if asked and (heard.options or not found):
        say_open(referee, heard.options)
    elif not found:
        referee.say("never_forced", names_of(referee, heard.players))
    words = [word for word in heard.rest if is_content(word) and word not in FORCING]
    about = about_verbs(referee.state, words, referee.language) if words else ()
    print_statements(referee, about[:MOST_PASSAGES])


def say_open(referee: Referee, options: Sequence[Option]) -> None:
    """Say what is asked, and of these options, or the first open ones, whether they are open."""
    state = referee.state
    referee.show_open_question()
    answers = [one.id for one in options if state.explain(one).is_an_answer]
    for option in (answers or list(state.option_ids))[:MOST_VERDICTS]:
        verdict = state.explain(option, referee.language)
        print_verdict(referee.out, referee.game, verdict, referee.language)


def unasked(referee: Referee, players: Collection[int]) -> list[LogEntry]:
    """Return what was forced or skipped since the last answer; of players also what was before."""
    now = referee.state.explain_forced(referee.language)
    found = [entry for entry in now if not players or entry.player in players]
    if found or not players:
        return found
    log = referee.state.log_in(referee.language)
    earlier = [entry for entry in log if entry.kind in UNASKED and entry.player in players]
    return earlier[-MOST_SCORES:]


def tell_unasked(referee: Referee, found: Iterable[LogEntry]) -> None:
    """Tell what was forced or skipped, with the requirements that left nothing else."""
    for entry in found:
        referee.out.print(f"  {entry.text}")
        referee.add_source(entry.provenance)
        add_checks(referee, entry)


def add_checks(referee: Referee, entry: LogEntry) -> None:
    """Add the requirements that failed, where the log knows them and the line does not say them."""
    for check in entry.checks:
        if check.name == NOTHING_ELSE:
            continue
        if check.sentence not in entry.text:
            referee.add(f"✗ {check.sentence}", indent=6)
        if check.provenance != entry.provenance:
            referee.add_source(check.provenance, indent=8)


def names_of(referee: Referee, players: Collection[int]) -> str:
    """Return the names of players, or `anybody`."""
    names = [referee.state.names[player] for player in players]
    return ", ".join(names) or referee.said("anybody")


# --- lost and won --------------------------------------------------------------------------------


def why_moved(referee: Referee, text: str) -> None:
    """Say why somebody lost or won points or pieces, as the log tells it."""
    words = words_of(text)
    heard = referee.ear().hear(text)
    signs = {-1 for word in words if word in LOSING} | {1 for word in words if word in GAINING}
    if signs == {-1, 1}:
        signs = {-1}
    if set(words) & POINTS or names_points(referee, text):
        tell_scores(referee, heard.players, signs, number_in(words))
        return
    pieces = pieces_named(referee, text)
    lines = lines_about(referee, pieces, heard.players, signs)
    if not lines:
        referee.say("not_in_log")
        rest = " ".join(word for word in words if is_content(word))
        print_statements(referee, nearest(referee.game, rest, referee.language)[:MOST_STATEMENTS])
    tell_lines(referee, lines)


def names_points(referee: Referee, text: str) -> bool:
    """Whether a sentence says what the points of the game are called."""
    score = str(referee.game.documents.game.get("score", ""))
    counters = referee.game.names.counters
    forms = referee.ear().counter_forms(score) if score in counters else set()
    return any(form[-1] in words_of(text) for form in forms)


def tell_scores(
    referee: Referee, players: Collection[int], signs: Collection[int], amount: int | None
) -> None:
    """Tell the last points that were lost or won, of this amount if there are such."""
    found = [
        entry
        for entry in referee.state.log_in(referee.language)
        if entry.kind == "score"
        and (not players or entry.player in players)
        and any(entry.amount * sign > 0 for sign in signs)
    ]
    exact = [entry for entry in found if abs(entry.amount) == amount]
    if not found:
        referee.say("not_in_log")
    tell_lines(referee, (exact or found)[-MOST_SCORES:])


def pieces_named(referee: Referee, text: str) -> list[int]:
    """Return the pieces that a sentence names, in full or by a part of the name, as `witch`."""
    heard = referee.ear().hear(text)
    found = [option.number for option in heard.options if option.kind == "piece"]
    if found:
        return found
    words = [word for word in words_of(text) if is_content(word)]
    words = [word for word in words if word not in LOSING | GAINING]
    return [
        piece.number
        for piece in referee.game.names.pieces.values()
        if any(
            same_form(word, part)
            for name in piece.text.values()
            for part in words_of(name)
            for word in words
        )
    ]


def lines_about(
    referee: Referee, pieces: Sequence[int], players: Collection[int], signs: Collection[int]
) -> list[LogEntry]:
    """Return the last lines of the log about pieces of players: sentences, or moves alone."""
    log = referee.state.log_in(referee.language)
    names = {referee.speaker().piece(piece).casefold() for piece in pieces}
    who = {referee.state.names[player].casefold() for player in players}
    told = [
        i
        for i, entry in enumerate(log)
        if entry.kind in ("tell", "score", *UNASKED)
        and any(name in entry.text.casefold() for name in names)
        and (not who or entry.player in players or any(n in entry.text.casefold() for n in who))
    ]
    if told:
        return [log[i] for i in sorted({*told[-MOST_LINES:], *unasked_before(log, told)})]
    owners = referee.state._compiled.plan.layout.owners
    return [
        entry
        for entry in log
        if entry.kind == "move"
        and entry.piece in pieces
        and any(owners[entry.source if sign < 0 else entry.target] in players for sign in signs)
    ][-MOST_LINES:]


def unasked_before(log: Sequence[LogEntry], lines: Sequence[int]) -> Iterator[int]:
    """Return the lines right before the last ones that say that somebody was not asked."""
    for line in lines[-MOST_LINES:]:
        before = line - 1
        while before > 0 and log[before].kind == "move":
            before -= 1
        if before >= 0 and log[before].kind in UNASKED:
            yield before


def tell_lines(referee: Referee, lines: Sequence[LogEntry]) -> None:
    """Tell lines of the log; what several in a row rest on is said once."""
    for i, entry in enumerate(lines):
        referee.out.print(f"  {entry.text.strip('- ')}")
        add_checks(referee, entry)
        last = i + 1 == len(lines)
        if entry.step is not None and (last or lines[i + 1].provenance != entry.provenance):
            referee.add_source(entry.provenance)


# --- counters ------------------------------------------------------------------------------------


def why_counter(referee: Referee, counters: Sequence[str]) -> None:
    """Say what counters hold, and what happened last in the verbs that change them."""
    for name in counters:
        facts.show_counter(referee, name)
        rule = explain_rule(referee.game, name, referee.language)
        verbs = {*rule.changed_by, *called_by(referee.game, rule.changed_by)}
        log = referee.state.log_in(referee.language)
        tell_lines(referee, [one for one in log if is_told_in(one, verbs)][-MOST_LINES:])
        known = {one.id: one for one in referee.game.statements(referee.language)}
        near = nearest(referee.game, rule.name, referee.language)
        passages = [known[one] for one in rule.statements if one in known]
        found = [one for one in near if one in passages] or list(near) or passages
        print_statements(referee, found[:MOST_STATEMENTS])


def is_told_in(entry: LogEntry, verbs: Collection[str]) -> bool:
    """Whether a line of the log tells what happened in some verbs."""
    tells = entry.kind in ("tell", *UNASKED)
    return tells and entry.step is not None and entry.step.verb in verbs


def called_by(game: Game, verbs: Iterable[str]) -> set[str]:
    """Return the verbs that some verbs call."""
    known = game.names.section("verbs")
    return {name for verb in verbs for name in words_in(known[verb].get("do")) if name in known}


def words_in(steps: Any) -> Iterator[str]:
    """Return the keywords of steps, of those within them too."""
    if isinstance(steps, Mapping):
        for keyword, part in steps.items():
            yield str(keyword)
            yield from words_in(part)
    elif isinstance(steps, list):
        for part in steps:
            yield from (part,) if isinstance(part, str) else words_in(part)
