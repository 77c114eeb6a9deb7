"""Doing something at a position, or seeing what would come of it; taking it back.

Each command is a function of the referee and of what is said behind the command's word.
"""

from __future__ import annotations

from collections.abc import Sequence

from broomservice.cli.asking import turns
from broomservice.cli.asking.ahead import Way
from broomservice.cli.asking.choices import judge, misfit, named, option_number
from broomservice.cli.asking.later import later_way, spoken
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.sentence import Sentence
from broomservice.core.table import NOBODY
from broomservice.errors import IllegalMove
from broomservice.option import Option
from broomservice.picking import picks_left, play_set


def open_one(referee: Referee, text: str) -> Option | None:
    """Return the one open option that is meant, or None after saying why there is none."""
    way = meant_way(referee, text)
    if way is None:
        return None
    last = way.answers[-1]
    is_last = option_number(referee, text) == last.id or last in said_options(referee, text)
    before = way.answers[:-1] if is_last else way.answers
    if not before:
        return last
    referee.say("first_needed", spoken(referee, before))
    return None


def said_options(referee: Referee, text: str) -> tuple[Option, ...]:
    """Return the options that a sentence names."""
    return named(referee, Sentence.of(referee, text))


def meant_way(referee: Referee, text: str) -> Way | None:
    """Return the answers that are meant, one or several in a row; None after saying why not."""
    state = referee.state
    if state.over:
        referee.say("nobody_asked")
        return None
    if (numbered := option_number(referee, text)) is not None:
        return Way((), state).step(numbered, referee.language)
    sentence = Sentence.of(referee, text)
    if sentence.subject not in (NOBODY, state.player):
        turns.say_not_asked(referee, sentence.subject)
        return None
    options = named(referee, sentence)
    open_ = [option for option in options if option.id in state.option_ids]
    if not options:
        referee.say("nothing_named", text, referee.meant(referee.ear().hint(text)))
    elif len(open_) > 1:
        referee.say("may_mean", text, ", ".join(map(referee.shown, open_)))
    elif (way := later_way(referee, options)) is not None:
        return way
    elif not open_:
        judge(referee, sentence)
    else:
        return agreed(referee, open_[0], [one for one in options if one.id != open_[0].id])
    return None


def agreed(referee: Referee, option: Option, beside: Sequence[Option]) -> Way | None:
    """Return the way of one option if all else that is named goes with it; else say why not."""
    faults = [fault for one in beside if (fault := misfit(referee, option, one))]
    for fault in faults:
        referee.out.print(fault)
    return None if faults else Way((), referee.state).step(option.id, referee.language)


def what_if(referee: Referee, text: str) -> None:
    """Say what would come of an option, or of the answers that lead to it."""
    way = meant_way(referee, text)
    if way is None:
        return
    if len(way.answers) > 1:
        referee.say("after_way", spoken(referee, way.answers))
    referee.tell(way.entries)
    decision = way.state.decision_in(referee.language)
    if decision is None:
        referee.say("then_over")
    else:
        referee.say("then_asked", referee.called(decision.player), decision.prompt)


def show_options(referee: Referee, _: str) -> None:
    """Show what is open, numbered, with the label where it is not the name."""
    referee.show_question()
    for number, i in enumerate(referee.state.option_ids, 1):
        option = referee.game.options[i]
        name = referee.shown(option)
        label = f"  ({option.label})" if name != option.label else ""
        referee.out.print(f"  {number:>2}  {name}{label}")


def play(referee: Referee, text: str) -> None:
    """Do something and go on; the picks of a set may be named together."""
    answer_line = len(referee.state.log)
    if picks_left(referee.state) > 1 and "," in text:
        parts = [part for part in text.split(",") if part.strip()]
        found = [one for part in parts for one in said_options(referee, part)]
        try:
            after = play_set(referee.state, found, referee.language)
        except IllegalMove as refusal:
            referee.out.print("; ".join(check.sentence for check in refusal.reasons))
            return
        referee.go_to(after, set())
    elif (option := open_one(referee, text)) is not None:
        referee.go_to(referee.state.play(option), set())
    else:
        return
    referee.tell_from(answer_line + 1)
    referee.show_question()


def undo(referee: Referee, _: str) -> None:
    """Take back the last change."""
    if not referee.past:
        referee.say("nothing_to_undo")
        return
    referee.go_back()
    referee.say("taken_back")
    referee.show_question()
