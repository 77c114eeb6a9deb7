"""What may be done at a position, and why or why not: of options that a sentence names."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from broomservice.cli.asking import turns
from broomservice.cli.asking.ahead import is_reachable
from broomservice.cli.asking.doing import do_alone, is_open_about
from broomservice.cli.asking.fitting import SORTS, Scene
from broomservice.cli.asking.later import MOST_WAYS, say_way
from broomservice.cli.asking.questions import is_secret, question_of
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.sentence import Sentence, asks_player
from broomservice.cli.grammar import changes_meaning
from broomservice.cli.rulings import print_option
from broomservice.core.table import NOBODY
from broomservice.errors import BroomserviceError
from broomservice.explain import Verdict
from broomservice.option import Option

MOST_EXPLAINED = 12
NUMBER = re.compile(r"#?\s*(\d+)\Z")


# --- may, why, why not ---------------------------------------------------------------------------


def may(referee: Referee, text: str) -> None:
    """Say whether something may be done, when the sentence begins with a verb such as may."""
    ask_about(referee, text, modal=True)


def ask_about(referee: Referee, text: str, *, modal: bool = False) -> None:
    """Say of every option that a sentence names whether it is open, and why."""
    if referee.state.over:
        referee.say("nobody_asked")
        return
    if (numbered := option_number(referee, text)) is not None:
        explain(referee, (referee.game.options[numbered],), ())
        return
    sentence = Sentence.of(referee, text, modal=modal)
    if sentence.stranger:
        say_stranger(referee, sentence.stranger)
    elif sentence.subject not in (NOBODY, referee.state.player):
        of_another(referee, sentence)
    else:
        judge(referee, sentence)


def say_stranger(referee: Referee, word: str) -> None:
    """Say that nobody is called so."""
    hint = referee.meant(referee.ear().player_hint(word))
    referee.out.print(referee.said("no_player", word) + hint)


def of_another(referee: Referee, sentence: Sentence) -> None:
    """Answer about a player who is not asked now; where all choose at once, as if they were."""
    later = turns.position_of(referee.state, sentence.subject)
    if later is None:
        turns.say_not_asked(referee, sentence.subject)
        if not sentence.options and sentence.rest:
            do_alone(referee, sentence, asked=False)
        return
    turns.say_all_at_once(referee, later, sentence.subject)
    there = attrs.evolve(referee, state=later)
    if named(there, sentence) or is_open_about(there, sentence.rest):
        judge(there, sentence)
    elif sentence.rest:
        do_alone(there, sentence.without_options(there), asked=False)


def judge(referee: Referee, sentence: Sentence) -> None:
    """Answer about the player who is asked."""
    options = named(referee, sentence)
    if not options:
        do_alone(referee, sentence.without_options(referee), asked=True)
        return
    say_unheard(referee, sentence.rest)
    verdicts = [referee.state.explain(option, referee.language) for option in options]
    fitting = [verdict for verdict in verdicts if verdict.is_an_answer]
    beside = tuple(verdict.option for verdict in verdicts if not verdict.is_an_answer)
    if fitting:
        explain(referee, [verdict.option for verdict in fitting], beside)
    elif not say_way(referee, beside) and not say_suiting(referee, beside):
        for option in options[:MOST_EXPLAINED]:
            print_option(referee.out, referee.state, option, referee.language)
        if hint := referee.ear().hint(sentence.text):
            referee.say("meant", referee.state.called(hint, referee.language))


def named(referee: Referee, sentence: Sentence) -> tuple[Option, ...]:
    """Return the options that a sentence names; a player only where one is asked for.

    Answers with names of ordinary words, such as `take`, are meant only if they can be given here
    or soon, or if nothing else is said.
    """
    options = [one for one in sentence.options if is_meant(referee, one, sentence)]
    if asks_player(referee):
        options += [referee.game.option(f"p{i + 1}") for i in sentence.others]
    return tuple(options)


def is_meant(referee: Referee, option: Option, sentence: Sentence) -> bool:
    """Whether a name stands for the option, and not just for a word of the sentence."""
    if option.kind != "label" or len(sentence.options) + len(sentence.rest) == 1:
        return True
    if option.id in referee.state.option_ids:
        return True
    return is_reachable(referee.state, option.id)


def say_unheard(referee: Referee, words: Sequence[str]) -> None:
    """Say which words that change what is meant are not understood: numbers, negations."""
    if found := [word for word in words if changes_meaning(word)]:
        referee.say("not_understood", ", ".join(f"'{word}'" for word in found))


# --- verdicts ------------------------------------------------------------------------------------


def explain(referee: Referee, options: Sequence[Option], beside: Sequence[Option]) -> None:
    """Say whether options are open; before that, what is named beside them and does not fit."""
    for option in options[:MOST_EXPLAINED]:
        verdict = referee.state.explain(option, referee.language)
        if not (beside and say_way(referee, (option, *beside))):
            say_misfits(referee, verdict, beside)
        print_option(referee.out, referee.state, option, referee.language)


def say_misfits(referee: Referee, verdict: Verdict, beside: Sequence[Option]) -> bool:
    """Say what has no part in an option; return whether there is something like that."""
    missing = [said for one in beside if (said := misfit(referee, verdict.option, one))]
    for said in missing:
        referee.out.print(said)
    others = [one for one in beside if one.kind not in SORTS]
    if others:
        referee.say("beside_first", ", ".join(map(referee.shown, others)))
    return bool(missing)


def misfit(referee: Referee, option: Option, thing: Option) -> str:
    """Return why a thing has no part in an option; empty if it has."""
    return scene_of(referee, option).misfit(thing)


def scene_of(referee: Referee, option: Option) -> Scene:
    """Return what an option is about, with what comes of it if it is open."""
    state = referee.state
    is_open = option.id in state.option_ids
    entries = state.what_if(option, language=referee.language).entries if is_open else ()
    return Scene.of(state, option, entries, referee.language)


def say_suiting(referee: Referee, things: Sequence[Option]) -> bool:
    """Say which open options have to do with all things that are named, if any have."""
    state = referee.state
    things = [one for one in things if one.kind in ("word", "piece")]
    question = question_of(state)
    if not things or is_secret(state) or question is None or question.kind == "either":
        return False
    open_ = [state.game.options[i] for i in state.option_ids if i][:MOST_EXPLAINED]
    scenes = {one: scene_of(referee, one) for one in open_}
    faults = {one: [scenes[one].misfit(thing) for thing in things] for one in open_}
    suiting = [one for one in open_ if not any(faults[one])]
    if all(scenes[one].has_no_part(thing) for one in open_ for thing in things):
        return False
    if suiting:
        referee.say("yes_with", ", ".join(map(referee.shown, suiting)))
        explain(referee, suiting[:MOST_WAYS], ())
        return True
    for found in list(faults.values())[:MOST_WAYS]:
        referee.out.print(next(fault for fault in found if fault))
    referee.show_open_question()
    return bool(open_)


def option_number(referee: Referee, text: str) -> int | None:
    """Return the id of the open option that a number stands for, as `options` counts them.

    Where a number is asked for, only `#3` counts the options.

    Raises:
        BroomserviceError: if there are not so many.
    """
    found, ids = NUMBER.match(text), referee.state.option_ids
    question = question_of(referee.state)
    if found is None or question is None or (question.type.kind == "number" and "#" not in text):
        return None
    number = int(found[1])
    if not 0 < number <= len(ids):
        raise BroomserviceError(referee.said("no_number", text, len(ids)))
    return ids[number - 1]
