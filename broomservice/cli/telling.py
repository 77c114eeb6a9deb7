"""A game told in sentences: what the log says, without what was said already.

The pack's sentences and the points lead. An answer is told only where no sentence that follows
says it; secret answers are told by the pieces that they moved.

A sentence of the pack like `--- Round 1 ---` heads a section, one like `-- p1 leads --` a turn.
Without such sentences a turn begins where a verb that the course of play repeats asks anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from broomservice.bots import Bot
from broomservice.cli.texts import said
from broomservice.game import Game
from broomservice.log import LogEntry, entries
from broomservice.render import Speaker
from broomservice.state import State

LOOPS = ("while", "repeat")
SENTENCES_AHEAD = 3


@attrs.frozen
class Line:
    """One line of the story.

    `kind` is "section", "turn" (a paragraph; its text may be empty), "tell", "score", "answer",
    "hand" (pieces that a secret answer moved) or "draw"; `player` is whom it is about, or -1.
    """

    kind: str
    text: str
    player: int = -1


def tell_game(state: State, bots: Sequence[Bot], language: str) -> tuple[Line, ...]:
    """Play a game to its end, in place, and return it told."""
    prompts: dict[int, str] = {}
    while not state.over:
        note_prompt(state, prompts, language)
        state.play_in_place(bots[state.player].choose(state))
    return tuple(Teller.of(state, language).tell(entries(state, language), prompts))


def note_prompt(state: State, prompts: dict[int, str], language: str) -> None:
    """Keep what is asked now, by the line of the log that the answer will be."""
    decision = state.decision_in(language)
    if decision is not None and state._table.log is not None:
        prompts[len(state._table.log)] = decision.prompt


def heads_turns(state: State) -> bool:
    """Whether the pack itself says where a turn begins."""
    firsts = (
        parts[0]
        for template in state._compiled.sentences.values()
        for parts in template.parts.values()
        if parts
    )
    return any(isinstance(part, str) and part.startswith("-- ") for part in firsts)


def repeated_verbs(game: Game) -> frozenset[str]:
    """Return the verbs that the course of play repeats by `while` or `repeat`."""
    document = game.documents.game
    verbs: Mapping[str, Any] = document.get("verbs", {})
    bodies = [document["play"], *(verb["do"] for verb in verbs.values())]
    called: set[str] = set()
    for body in bodies:
        for steps in loop_bodies(body):
            for step in steps:
                called.add(step if isinstance(step, str) else next(iter(step)))
    return frozenset(called & set(verbs))


def loop_bodies(steps: Any) -> Iterator[list[Any]]:
    """Return the lists of steps that are repeated anywhere in these steps."""
    if isinstance(steps, Mapping):
        if any(loop in steps for loop in LOOPS):
            yield list(steps.get("do", ()))
        for part in steps.values():
            yield from loop_bodies(part)
    elif isinstance(steps, Sequence) and not isinstance(steps, str):
        for part in steps:
            yield from loop_bodies(part)


@attrs.define
class Teller:
    """Tells lines of a log; it remembers where in a turn the story is."""

    game: Game
    speaker: Speaker
    place_names: Sequence[str]
    place_sees: Sequence[str]
    repeated: frozenset[str]
    language: str
    asked: set[tuple[str, int, int]] = attrs.field(factory=set)
    last_line: int = 0
    in_setup: bool = True

    @classmethod
    def of(cls, state: State, language: str) -> Teller:
        """Return what tells the games of this position's pack."""
        plan = state._compiled.plan
        return cls(
            state.game,
            state.speaker(language),
            plan.place_names,
            plan.place_sees,
            frozenset() if heads_turns(state) else repeated_verbs(state.game),
            language,
        )

    def tell(
        self, log: Sequence[LogEntry], prompts: Mapping[int, str], first: int = 0
    ) -> Iterator[Line]:
        """Return the story of a log from one of its lines on.

        Args:
            log: the whole log, perhaps without what a player may not know.
            prompts: what was asked, by the line of the answer.
            first: the line to begin with; 0 is the first.
        """
        i = first
        while i < len(log):
            entry = log[i]
            end = i + 1
            if entry.kind in ("tell", "score"):
                yield from self.sentence(entry)
            elif entry.kind == "answer" and is_secret(entry):
                end = secret_end(log, i)
                yield from self.secret_moves(log, i, end)
            elif entry.kind == "answer" and entry.option >= 0:
                yield from self.answer(log, i, prompts.get(i, ""))
            elif entry.kind == "draw" and entry.option >= 0:
                end = draws_end(log, i)
                yield from self.drawn(log, i, end)
            elif entry.kind == "hook" and entry.piece >= 0:
                yield from self.hook(log, i)
            i = end

    # --- sentences ------------------------------------------------------------------------------

    def sentence(self, entry: LogEntry) -> Iterator[Line]:
        """Return a sentence of the pack, or points."""
        text = entry.text
        if entry.kind == "tell" and text.startswith("--") and text.endswith("--"):
            self.asked.clear()
            self.last_line, self.in_setup = 0, False
            yield Line("section" if text.startswith("---") else "turn", text.strip("- "))
            return
        self.pass_line(entry)
        yield Line(entry.kind, text, entry.player)

    def answer(self, log: Sequence[LogEntry], i: int, prompt: str) -> Iterator[Line]:
        """Return an answer that no sentence says; before it a paragraph, if a turn begins."""
        entry = log[i]
        if self.begins_turn(entry):
            self.asked.clear()
            yield Line("turn", "")
        self.pass_line(entry)
        option = self.game.options[entry.option]
        shown = self.option_text(entry.option)
        if option.kind == "pass" or not said_ahead(shown, log, i):
            name = self.speaker.names[entry.player] if entry.player >= 0 else ""
            text = f"{name}: {prompt} {shown}" if prompt else f"{name}: {shown}"
            yield Line("answer", text, entry.player)

    def begins_turn(self, entry: LogEntry) -> bool:
        """Whether a repeated verb asks anew: from its top, or the same player again."""
        step = entry.step
        if step is None or step.verb not in self.repeated:
            return False
        key = (step.verb, step.place.line, entry.player)
        anew = not self.asked or key in self.asked or step.place.line < self.last_line
        if anew:
            self.asked.clear()
            self.last_line = 0
        self.asked.add(key)
        return anew

    def pass_line(self, entry: LogEntry) -> None:
        """Remember how far a repeated verb has come."""
        if entry.step is not None and entry.step.verb in self.repeated:
            self.last_line = entry.step.place.line

    def option_text(self, number: int) -> str:
        """Return what an answer is called; a player by name."""
        option = self.game.options[number]
        if option.kind == "player" and option.number < len(self.speaker.names):
            return self.speaker.names[option.number]
        return self.speaker.option(option)

    # --- pieces ---------------------------------------------------------------------------------

    def secret_moves(self, log: Sequence[LogEntry], first: int, end: int) -> Iterator[Line]:
        """Return the pieces that secret answers moved, together for each place they went to."""
        ways = {
            self.way(log[i + 1])
            for i in range(first, end - 1)
            if log[i].kind == "answer"
            and log[i + 1].kind == "move"
            and self.is_option(log[i], log[i + 1].piece)
        }
        moved: dict[int, list[str]] = {}
        for entry in log[first:end]:
            if entry.kind == "move" and entry.piece >= 0 and self.way(entry) in ways:
                moved.setdefault(entry.target, []).append(self.piece(entry.piece))
        for target, pieces in moved.items():
            yield Line("hand", f"{self.speaker.place(target)}: {', '.join(pieces)}")

    def is_option(self, answer: LogEntry, piece: int) -> bool:
        """Whether an answer picked this piece."""
        if answer.option < 0:
            return False
        option = self.game.options[answer.option]
        return option.kind == "piece" and option.number == piece

    def way(self, move: LogEntry) -> tuple[str, str]:
        """Return the sorts of places between which a piece goes, whoever owns them."""
        return (
            self.place_names[move.source].partition("(")[0],
            self.place_names[move.target].partition("(")[0],
        )

    def drawn(self, log: Sequence[LogEntry], i: int, end: int) -> Iterator[Line]:
        """Return what chance drew for all to see, if no sentence says it."""
        found: list[str] = []
        for j in range(i, end):
            move = log[j + 1] if j + 1 < len(log) else None
            if log[j].kind != "draw" or log[j].option < 0:
                continue
            option = self.game.options[log[j].option]
            if said_ahead(self.speaker.option(option), log, j):
                continue
            if move is None or move.kind != "move" or move.piece != option.number:
                found.append(self.speaker.option(option))
            elif self.place_sees[move.target] == "all":
                where = self.speaker.place(move.target)
                found.append(f"{self.speaker.option(option)} → {where}")
        if found and self.in_setup:
            self.in_setup = False
            yield Line("section", said("setup", self.language))
        if found:
            yield Line("draw", said("drawn", self.language, "; ".join(found)))

    def hook(self, log: Sequence[LogEntry], i: int) -> Iterator[Line]:
        """Return the piece whose rule acts, if no sentence does; apart if it is nobody's turn."""
        if log[i].player < 0:
            yield Line("turn", "")
        piece = self.piece(log[i].piece)
        if not said_ahead(piece, log, i):
            yield Line("answer", f"({piece})")

    def piece(self, number: int) -> str:
        """Return what a piece is called."""
        return self.speaker.piece(number)


def is_secret(entry: LogEntry) -> bool:
    """Whether an answer was given secretly."""
    return entry.step is not None and entry.step.secret >= 0


def secret_end(log: Sequence[LogEntry], first: int) -> int:
    """Return the end of the secret answers and moves that begin at a line."""
    end = first + 1
    while end < len(log) and (
        log[end].kind in ("move", "forced", "skipped")
        or (log[end].kind == "answer" and is_secret(log[end]))
    ):
        end += 1
    return end


def draws_end(log: Sequence[LogEntry], first: int) -> int:
    """Return the end of the draws, with their moves, of the step that draws at a line."""
    end = first + 1
    while end < len(log) and (
        log[end].kind == "move" or (log[end].kind == "draw" and log[end].step is log[first].step)
    ):
        end += 1
    return end


def said_ahead(text: str, log: Sequence[LogEntry], i: int) -> bool:
    """Whether one of the next sentences says a text."""
    sentences = 0
    wanted = text.casefold()
    for entry in log[i + 1 : i + 40]:
        if entry.kind in ("tell", "score"):
            if wanted in entry.text.casefold():
                return True
            if entry.text.startswith("--"):
                return False
            sentences += 1
            if sentences == SENTENCES_AHEAD:
                return False
    return False
