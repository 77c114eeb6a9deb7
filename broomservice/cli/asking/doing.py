"""A verb alone, as in 'may Carla deliver': what is open of that kind, when, and what rules say."""

from __future__ import annotations

from collections.abc import Sequence

from broomservice.cli.asking.ahead import Stop, stops
from broomservice.cli.asking.later import spoken
from broomservice.cli.asking.questions import is_about, is_secret, known_verbs, question_of
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.sentence import Sentence
from broomservice.cli.asking.statements import about_verbs, print_statements, speak_of
from broomservice.cli.grammar import changes_meaning
from broomservice.cli.hearing import same_form, words_of
from broomservice.game import Game

MOST_STATEMENTS = 4


def do_alone(referee: Referee, sentence: Sentence, *, asked: bool) -> None:
    """Answer a sentence that names no option: by its verb, and by the rules that speak of it.

    Args:
        referee: who is asked.
        sentence: the sentence.
        asked: whether the player that it is about is asked now.
    """
    words = sentence.rest
    verbs = tuple(word for word in known_verbs(referee.state, words) if not changes_meaning(word))
    strange = [word for word in words if word not in verbs]
    known = () if verbs else speak_of(referee.game, strange, referee.language)
    known += () if not verbs else parts_of_names(referee.game, strange)
    unknown = [word for word in strange if changes_meaning(word) or word not in known]
    if not words and asked:
        say_open(referee)
        return
    if not verbs and not known:
        say_nothing_named(referee, sentence)
        return
    if unknown:
        referee.say("not_understood", ", ".join(f"'{word}'" for word in unknown))
    if asked:
        say_when(referee, verbs)
    found = about_verbs(referee.state, words, referee.language)
    print_statements(referee, found[:MOST_STATEMENTS])


def parts_of_names(game: Game, words: Sequence[str]) -> tuple[str, ...]:
    """Return those of some words that are part of a name of a thing, a sort or a place."""
    names = game.names
    things = (names.pieces, names.sites, names.families, names.site_kinds, names.places)
    texts = [one.text for sort in things for one in sort.values()]
    parts = {part for text in texts for name in text.values() for part in words_of(name)}
    return tuple(word for word in words if any(same_form(word, part) for part in parts))


def say_nothing_named(referee: Referee, sentence: Sentence) -> None:
    """Say that a sentence names nothing, and what may have been meant."""
    hint = referee.meant(referee.ear().hint(sentence.text))
    referee.say("nothing_named", sentence.text, hint)


def say_when(referee: Referee, verbs: Sequence[str]) -> None:
    """Say what the player who is asked may do of a kind: now, or after some answers, or not."""
    state = referee.state
    question = question_of(state)
    if is_open_about(referee, verbs):
        say_open(referee)
        return
    stop = None if is_secret(state) or not verbs else stop_about(referee, verbs)
    decision = state.decision_in(referee.language)
    assert decision is not None  # somebody is asked
    if stop is None:
        referee.say("not_now", referee.called(decision.player), decision.prompt)
        if question is not None:
            referee.add_source(question.provenance, indent=4)
    else:
        later = stop.state.decision_in(referee.language)
        answers = spoken(referee, [state.game.options[i] for i in stop.answers])
        referee.say("way_to", answers, later.prompt if later else "")


def is_open_about(referee: Referee, words: Sequence[str]) -> bool:
    """Whether the open question is about all of some words."""
    question = question_of(referee.state)
    return (
        bool(words)
        and question is not None
        and all(is_about(referee.state, question, one) for one in words)
    )


def say_open(referee: Referee) -> None:
    """Say what is open now, and which question it answers."""
    state = referee.state
    names = [referee.shown(state.game.options[i]) for i in state.option_ids]
    referee.say("open_now", ", ".join(names))
    referee.show_open_question()


def stop_about(referee: Referee, verbs: Sequence[str]) -> Stop | None:
    """Return the nearest question of the same player about all of some words."""
    state = referee.state
    for stop in stops(state):
        question = question_of(stop.state)
        if question is None or stop.state.player != state.player or not stop.answers:
            continue
        if all(is_about(stop.state, question, verb) for verb in verbs):
            return stop
    return None
