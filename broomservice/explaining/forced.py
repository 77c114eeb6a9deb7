"""Why something was taken by itself, or somebody not asked: the same requirements again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from broomservice.core import questions as q
from broomservice.core.expressions import ME
from broomservice.explaining.judging import Judge
from broomservice.explaining.verdict import Check
from broomservice.explaining.words import said
from broomservice.log import LogEntry, entries, skipped_text, taken_text

if TYPE_CHECKING:
    from broomservice.option import Option
    from broomservice.state import State

MOST_REASONS = 4
NOTHING_ELSE = "nothing_else"


def without_question(state: State, language: str = "en") -> tuple[LogEntry, ...]:
    """Return what was taken by itself, or skipped, since the last answer that somebody gave."""
    log = entries(state, language)
    moments = {moment[0]: moment for moment in state._table.moments}
    result: list[LogEntry] = []
    for number in range(len(log) - 1, -1, -1):
        entry = log[number]
        if entry.kind == "answer":
            break
        if entry.kind in ("forced", "skipped"):
            moment = moments.get(number)
            result.append(entry if moment is None else reasoned(state, entry, moment, language))
    return tuple(reversed(result))


def reasoned(state: State, entry: LogEntry, moment: list[int], language: str) -> LogEntry:
    """Return a line of the log with the requirements that left nothing else open."""
    then = at_moment(state, moment)
    frame = then._table.stack[-1]
    speaker = then.speaker(language)
    prompt = speaker.fill(then._compiled.questions[frame[0]].prompt, then._table.cells, frame)
    decided = list(deciding(then, entry.option, language))
    checks = tuple(check for check, _ in decided)
    why = "; ".join(
        check.sentence + (said("likewise", language, count=str(more)) if more else "")
        for check, more in decided
        if check.name != NOTHING_ELSE
    )
    if entry.kind == "forced":
        taken = speaker.option(then.game.options[entry.option])
        text = taken_text(speaker.names[entry.player], taken, prompt, why, language)
    else:
        text = skipped_text(speaker.names[entry.player], prompt, why, language)
    return attrs.evolve(entry, text=text, checks=checks)


def at_moment(state: State, moment: list[int]) -> State:
    """Return the position in which a question was not put."""
    line, size, *numbers = moment
    then = state.copy()
    table = then._table
    table.stack = [numbers[:size]]
    table.cells = numbers[size:]
    table.decider = table.stack[0][ME]
    taken = (table.log or [])[line][2]
    table.options = [taken] if taken >= 0 else []
    return then


def deciding(then: State, taken: int, language: str) -> Iterator[tuple[Check, int]]:
    """Return what closed the other options: each requirement with one example, and how many more.

    What closes the fewest options comes first. That something lies elsewhere goes without saying.
    """
    found: dict[str, Check] = {}
    closed: Counter[str] = Counter()
    for option in candidates(then):
        if option.id == taken:
            continue
        failed = [check for check in Judge.of(then, option, language).checks() if not check.holds]
        if failed and all(check.kind != "place" for check in failed):
            for check in failed:
                found.setdefault(check.name, check)
                closed[check.name] += 1
    rarest = sorted(found, key=lambda name: closed[name])
    for name in rarest[:MOST_REASONS]:
        yield found[name], closed[name] - 1
    if not found:
        question = then._compiled.questions[then._table.stack[-1][0]]
        key = "nothing_else" if taken >= 0 else "nothing_there"
        yield Check(NOTHING_ELSE, False, said(key, language), question.provenance), 0


def candidates(then: State) -> Iterator[Option]:
    """Return what the question that was not put is about."""
    table, compiled = then._table, then._compiled
    effect = table.code[table.stack[-1][0]]
    question = compiled.questions[effect.number]
    options = then.game.options
    if isinstance(effect, q.Either):
        for one in question.alternatives:
            yield options[one.label]
        for hook in effect.offers:
            yield options[hook.option]
    elif question.type.kind != "number":
        for number in compiled.universe.of(question.type):
            yield options[question.base + number]
