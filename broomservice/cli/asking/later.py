"""What is not open yet: by which answers in a row it is reached, or why it is in no way."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from broomservice.cli.asking.ahead import Stop, Way, stops, way_to
from broomservice.cli.asking.fitting import Scene
from broomservice.cli.asking.questions import is_secret
from broomservice.cli.asking.referee import Referee
from broomservice.cli.rulings import print_verdict
from broomservice.explain import Verdict
from broomservice.option import PASS, Option

MOST_WAYS = 4


def say_way(referee: Referee, options: Sequence[Option]) -> bool:
    """Say by which answers in a row options are reached; return whether that says it all."""
    state = referee.state
    wanted = [one for one in options if one.kind != "word"]
    later = [one for one in wanted if one.id not in state.option_ids and one.kind != "pass"]
    way = later_way(referee, options)
    if way is not None:
        return say_found(referee, way, [one for one in options if one.kind == "word"])
    return not is_secret(state) and any(say_no_way(referee, one) for one in later)


def later_way(referee: Referee, options: Sequence[Option]) -> Way | None:
    """Return the answers in a row by which all options are taken, some of them not open yet."""
    state = referee.state
    wanted = {one.id for one in options if one.kind != "word"}
    if not wanted - set(state.option_ids) - {PASS} or is_secret(state):
        return None
    return way_to(state, wanted, referee.language)


def say_found(referee: Referee, way: Way, words: Sequence[Option]) -> bool:
    """Say which answers lead where somebody wants, and what does not fit on the way."""
    scene = Scene.of(referee.state, way.answers[-1], way.entries, referee.language)
    faults = [fault for word in words if (fault := scene.misfit(word))]
    for fault in faults:
        referee.out.print(fault)
    if not faults:
        referee.say("yes_way", spoken(referee, way.answers))
        for entry in way.entries:
            if entry.kind == "forced":
                referee.add(entry.text, indent=2)
        first = referee.state.explain(way.answers[0], referee.language)
        print_verdict(referee.out, referee.game, first, referee.language)
    return True


def say_no_way(referee: Referee, option: Option) -> bool:
    """Say why an option is not open on any way to a question that it would answer."""
    state, refused = referee.state, dict[tuple[str, ...], tuple[Stop, Verdict]]()
    for stop in stops(state):
        if stop.answers and stop.state.player == state.player:
            verdict = stop.state.explain(option, referee.language)
            reasons = tuple(check.sentence for check in verdict.failed)
            if verdict.is_an_answer and not verdict.legal:
                refused.setdefault(reasons, (stop, verdict))
    if not refused:
        return False
    referee.say("in_no_way", referee.shown(option), referee.called(int(state.player)))
    for stop, verdict in list(refused.values())[:MOST_WAYS]:
        answers = [state.game.options[i] for i in stop.answers]
        referee.out.print(f" {referee.said('after', spoken(referee, answers))}:")
        print_verdict(referee.out, referee.game, refused_only(verdict), referee.language)
    return True


def refused_only(verdict: Verdict) -> Verdict:
    """Return a verdict without the requirements that hold."""
    return attrs.evolve(verdict, checks=verdict.failed)


def spoken(referee: Referee, answers: Sequence[Option]) -> str:
    """Return answers in a row."""
    return referee.said("then").join(map(referee.shown, answers))
