"""Whose turn it is: who is asked, why somebody is not, and after which answer they are."""

from __future__ import annotations

from broomservice.cli.asking.ahead import Way
from broomservice.cli.asking.questions import is_secret, question_of
from broomservice.cli.asking.referee import Referee
from broomservice.core.table import CHANCE
from broomservice.state import State

MOST_LOOKED_AT = 20
MOST_SHOWN = 4
MOST_SECRET = 80


def say_not_asked(referee: Referee, player: int) -> None:
    """Say that somebody else is asked, by which rule, and who is asked after each answer."""
    state = referee.state
    asked = referee.called(int(state.player))
    if is_secret(state):
        referee.say("all_at_once", asked)
    else:
        referee.say("not_asked", asked, state.names[player])
    referee.show_open_question()
    if not is_secret(state) and state.player != CHANCE:
        for line in outlooks(referee, player):
            referee.out.print(f"  {line}")


def outlooks(referee: Referee, player: int) -> list[str]:
    """Return who is asked next after each answer, answers that lead to the same together."""
    state = referee.state
    ends: dict[tuple[str, ...], list[str]] = {}
    for option in state.option_ids[:MOST_LOOKED_AT]:
        way = Way((), state).after(option, referee.language)
        if way is not None:
            name = referee.shown(state.game.options[option])
            ends.setdefault(end_of(referee, way, player), []).append(name)
    lines: list[str] = []
    for (said, *told), names in ends.items():
        after = referee.said("after", ", ".join(names))
        if len(ends) == 1 and len(names) > 1:
            after = referee.said("after_any")
        lines += [said.replace("\0", after), *(f"  {text}" for text in told)]
    return lines[:MOST_SHOWN]


def end_of(referee: Referee, way: Way, player: int) -> tuple[str, ...]:
    """Return who is asked at the end of a way, and what a player did there without a question."""
    decision = way.state.decision_in(referee.language)
    if decision is None:
        said = referee.said("next_over", "\0")
    elif decision.player == CHANCE:
        said = referee.said("next_chance", "\0")
    else:
        said = referee.said("next_asked", "\0", referee.called(decision.player), decision.prompt)
    told = [
        entry.text
        for entry in way.entries
        if entry.kind in ("forced", "skipped") and entry.player == player
    ]
    return (said, *told)


# --- all at once ---------------------------------------------------------------------------------


def position_of(state: State, player: int) -> State | None:
    """Return the position in which a player is asked what all choose at once; None if not so."""
    if not is_secret(state):
        return None
    later = state.copy()
    for _ in range(MOST_SECRET):
        if later.player == player:
            return later
        if not is_secret(later) or later.player == CHANCE:
            return None
        later.play_in_place(later.option_ids[0])
    return None


def say_all_at_once(referee: Referee, later: State, player: int) -> None:
    """Say that all choose at the same time, and what a player will be asked."""
    referee.say("all_at_once", referee.called(int(referee.state.player)))
    decision = later.decision_in(referee.language)
    assert decision is not None  # somebody is asked there
    referee.say("will_be_asked", referee.called(player), decision.prompt)
    question = question_of(later)
    if question is not None:
        referee.add_source(question.provenance, indent=4)
