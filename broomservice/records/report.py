"""Checking a record: the first move that is illegal and why, or what it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from broomservice.core.errors import RuleError
from broomservice.core.table import CHANCE
from broomservice.log import entries
from broomservice.pack.provenance import Provenance
from broomservice.records.findings import Assumption, Finding, Report
from broomservice.records.hidden import Block
from broomservice.records.matching import Cursor, Failure, Script, start
from broomservice.records.prints import document_digests, fingerprint
from broomservice.records.running import Run
from broomservice.records.search import MOST_TRIES, Missed, Search, held_options
from broomservice.records.texts import listed, said

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.records.record import Record
    from broomservice.state import State


def check_record(record: Record, game: Game, language: str) -> Report:
    """Return what is to be said of a record."""
    first = Run.begin(game, record.players, record.seed or 0, chance_asks=record.seed is None)
    script = Script.of(record, first)
    search = Search.of(start(record, script, first))
    return Checker(record, game, language, search, first).report()


@attrs.frozen
class Checker:
    """Puts what was found about a record into words."""

    record: Record
    game: Game
    language: str
    search: Search
    first: Run

    def report(self) -> Report:
        """Return the report."""
        cursor, failure = self.search.cursor, self.search.failure
        findings = list(self.spelling())
        if failure is not None:
            findings += self.wrong(failure)
            if self.search.tries and self.search.missed is None:
                findings.append(
                    self.finding(
                        "note",
                        "completions",
                        self.number(failure.at),
                        self.say("completions", self.search.tries),
                    )
                )
        exact, differing = self.exactness(failure)
        findings += differing
        assumptions = tuple(self.assumptions()) if failure is None else ()
        open_ = [one for one in assumptions if one.assumed]
        verdict = "depends" if open_ else "legal"
        if any(one.level == "error" for one in findings):
            gave_up = self.search.tries >= MOST_TRIES and self.search.missed is None
            verdict = "undecided" if gave_up else "illegal"
        findings += [self.finding("note", "depends", one.move, one.text) for one in open_]
        return Report(
            verdict,
            exact,
            tuple(findings),
            assumptions,
            tuple(cursor.run.answers),
            cursor.run.state,
            cursor.run,
            self.first,
        )

    # --- in words -------------------------------------------------------------------------------

    def say(self, key: str, *parts: object) -> str:
        """Return a sentence."""
        return said(key, self.language, *parts)

    def finding(
        self,
        level: str,
        code: str,
        number: int,
        message: str,
        *,
        hint: str = "",
        source: str = "",
    ) -> Finding:
        """Return a finding about a move; `number` counts from 0, -1 for the whole record."""
        line = column = 0
        if 0 <= number < len(self.record.moves):
            line, column = self.record.moves[number].line, self.record.moves[number].column
        return Finding(
            level, code, message, number + 1, line, column, hint, source, self.record.file
        )

    def name(self, player: int) -> str:
        """Return what a player is called."""
        return self.say("chance") if player < 0 else self.record.players[player]

    def option(self, option: int) -> str:
        """Return what an option is called."""
        speaker = self.first.state.speaker(self.language)
        return speaker.option(self.game.options[option])

    def titles(self, provenance: Provenance) -> str:
        """Return the passages that something rests on."""
        return "; ".join(self.game.sources.title(one) for one in provenance.citations)

    def number(self, at: int) -> int:
        """Return the number, from 0, of the move that is taken in a place."""
        order = self.search.cursor.order
        return order[at] if at < len(order) else len(order) - 1

    # --- what is wrong ----------------------------------------------------------------------------

    def spelling(self) -> Iterator[Finding]:
        """Return warnings about misspelt names."""
        texts = self.record.moves
        for number, hint in sorted(self.search.cursor.warned.items()):
            yield self.finding(
                "warning",
                "misspelt",
                number,
                self.say("misspelt", texts[number].text, hint),
                hint=hint,
            )
        for number, hint in self.search.cursor.script.misspelt.items():
            yield self.finding(
                "warning",
                "misspelt",
                number,
                self.say("misspelt", texts[number].player, hint),
                hint=hint,
            )

    def wrong(self, failure: Failure) -> Iterator[Finding]:
        """Return what is wrong with the first move that fails."""
        missed = self.search.missed
        if missed is not None and (told := self.after_missed(missed)) is not None:
            yield self.missed(missed)
            if told:
                yield self.finding(
                    "note",
                    "goes-on",
                    self.number(missed.shown),
                    self.say("goes_on", *told[:1]),
                    source=told[1],
                )
            return
        failure = self.at_first(failure)
        number = self.number(failure.at)
        move = self.record.moves[number]
        state = failure.run.state
        if failure.code == "unknown-player":
            yield self.finding("error", failure.code, number, self.say("no_player", move.player))
        elif failure.code == "rules-fail":
            yield self.finding("error", failure.code, number, failure.detail)
        elif failure.code == "over":
            yield self.finding("error", failure.code, number, self.say("over"))
        elif failure.code == "passed-over":
            yield self.passed_over(number, state)
        elif failure.code == "ambiguous-move":
            names = ", ".join(failure.meaning.candidates)
            yield self.finding(
                "error", failure.code, number, self.say("may_mean", move.text, names)
            )
        elif failure.meaning.option < 0:
            yield self.finding(
                "error",
                "unknown-move",
                number,
                self.say("no_option", move.text),
                hint=failure.meaning.hint,
            )
        else:
            yield self.illegal(number, failure.meaning.option, state)

    def at_first(self, failure: Failure) -> Failure:
        """Return a failure in the position where its move was first tried, if that says more."""
        cursor = self.search.cursor
        for block in cursor.blocks:
            if block.key[0] != failure.at or not cursor.order[failure.at :]:
                continue
            run = block.before.run
            number = cursor.order[failure.at]
            move = self.record.moves[number]
            if move.text != "?" and run.state.player == cursor.script.players[number]:
                meaning = cursor.script.spellings.read(run.state, move.text)
                if meaning.option >= 0 and meaning.option not in run.state.option_ids:
                    return Failure(failure.at, "illegal-move", run, meaning)
        return failure

    def illegal(self, number: int, option: int, state: State) -> Finding:
        """Return why an option is not open."""
        verdict = state.explain(self.game.option(option), self.language)
        reasons = verdict.failed
        sentences = "; ".join(check.sentence for check in reasons)
        sources = "; ".join(
            dict.fromkeys(title for check in reasons if (title := self.titles(check.provenance)))
        )
        decision = state.decision_in(self.language)
        asked = f" ({decision.prompt})" if decision else ""
        return self.finding(
            "error",
            "illegal-move",
            number,
            self.say("illegal", self.name(state.player) + asked, self.option(option), sentences),
            source=sources or self.asking_source(state),
        )

    def passed_over(self, number: int, state: State) -> Finding:
        """Return that somebody else is asked than the record says."""
        decision = state.decision_in(self.language)
        prompt = decision.prompt if decision else ""
        return self.finding(
            "error",
            "passed-over",
            number,
            self.say(
                "passed_over", self.name(state.player), prompt, self.record.moves[number].player
            ),
            source=self.asking_source(state),
        )

    def asking_source(self, state: State) -> str:
        """Return the passage that the verb which asks rests on."""
        if state.over:
            return ""
        question = state._compiled.questions[state._table.stack[-1][0]]
        for fact in self.game.sources.facts:
            if fact.what == "verb" and fact.name == question.verb:
                return self.titles(fact.provenance)
        return ""

    # --- a duty that was missed -----------------------------------------------------------------

    def missed(self, missed: Missed) -> Finding:
        """Return that a player was passed over, as a later move shows."""
        passed, shown = self.number(missed.passed), self.number(missed.shown)
        return self.finding(
            "error",
            "missed",
            passed,
            self.say(
                "missed",
                self.name(missed.owner),
                self.option(missed.option),
                shown + 1,
                self.record.moves[passed].player,
            ),
            source=self.missed_source(missed),
        )

    def missed_source(self, missed: Missed) -> str:
        """Return the passage of the question that the player should have answered."""
        block = self.search.latest(missed.owner)
        assert block is not None
        plan = self.search.world[block.key]
        kept = tuple(one for one in plan.lacks if one[0] != missed.option)
        cursor = block.before.copy()
        failure = cursor.advance(
            {
                **self.search.world,
                block.key: attrs.evolve(plan, lacks=kept).holding(missed.option, missed.shown),
            }
        )
        return self.asking_source(failure.run.state) if failure is not None else ""

    def after_missed(self, missed: Missed) -> tuple[str, str] | None:
        """Lay the piece that was held back, and return what the game then says, and the passage.

        None if this does not explain the record; no sentence if the game says nothing.
        """
        cursor = self.search.cursor
        block = self.search.latest(missed.owner)
        trial = cursor.copy()
        if block is None or not exchange(trial, block, missed.option):
            return None
        assert trial.run.table.log is not None
        known = len(trial.run.table.log)
        number = trial.order[trial.at]
        try:
            meaning = trial.script.spellings.read(trial.run.state, self.record.moves[number].text)
            if meaning.option not in trial.run.state.option_ids:
                return ("", "") if meaning.option == missed.option else None
            trial.take(meaning.option)
        except RuleError:
            return None
        for entry in entries(trial.run.state, self.language)[known:]:
            if entry.kind == "tell" and entry.step is not None:
                verb = entry.step.verb
                facts = [
                    one
                    for one in self.game.sources.facts
                    if one.what == "verb" and one.name == verb
                ]
                return entry.text, self.titles(facts[0].provenance) if facts else ""
        return "", ""

    # --- what it depends on -----------------------------------------------------------------------

    def assumptions(self) -> Iterator[Assumption]:
        """Return what was filled in."""
        cursor = self.search.cursor
        for block in cursor.blocks:
            plan = dict(self.search.world[block.key].has) if block.key in self.search.world else {}
            shown: list[tuple[str, int]] = []
            assumed: list[str] = []
            for option in held_options(cursor, block):
                at = cursor.shown.get((block.key, option), plan.get(option, -1))
                if at >= 0:
                    shown.append((self.option(option), self.number(at) + 1))
                else:
                    assumed.append(self.option(option))
            move = self.number(block.key[0])
            yield Assumption(
                block.owner,
                block.prompt,
                move,
                tuple(shown),
                tuple(assumed),
                self.depends(block, move, shown, assumed),
            )

    def depends(
        self, block: Block, move: int, shown: list[tuple[str, int]], assumed: list[str]
    ) -> str:
        """Return in words what a record depends on."""
        key = "draws" if block.is_draw else "hidden_choice"
        owner = self.name(block.owner) if block.owner != CHANCE else self.say("chance")
        parts = [self.say(key, owner, move + 1)]
        if assumed:
            parts.append(self.say("assumed", listed(assumed, self.language)))
        if shown:
            known = ", ".join(f"{name} ({number})" for name, number in shown)
            parts.append(self.say("shown_later", known))
        return "; ".join(parts)

    # --- exact, or since when not -----------------------------------------------------------------

    def exactness(self, failure: Failure | None) -> tuple[str, list[Finding]]:
        """Return whether the replay is what the record pins down, and from where on it differs."""
        pins = self.record.pins
        if pins is None:
            return "unknown", []
        changed = self.changed_documents()
        cursor = self.search.cursor
        made = cursor.prints
        for i, (old, new) in enumerate(zip(pins.prints, made, strict=False)):
            if old != new:
                return "differs", [self.differs(i * pins.every, (i + 1) * pins.every, changed)]
        if failure is not None:
            at = self.number(failure.at)
            note = [self.finding("note", "changed", at, changed)] if changed else []
            return "differs", note
        if len(pins.prints) != len(made) or pins.end != fingerprint(cursor.run.state):
            last = len(cursor.run.answers)
            return "differs", [self.differs(len(made) * pins.every, last, changed)]
        if pins.points != cursor.run.state.points:
            return "differs", [
                self.finding(
                    "error",
                    "wrong-points",
                    len(cursor.order) - 1,
                    self.say("wrong_points", str(pins.points), str(cursor.run.state.points)),
                )
            ]
        notes = [self.finding("note", "changed", -1, changed)] if changed else []
        return "exact", notes

    def differs(self, after: int, until: int, changed: str) -> Finding:
        """Return that the replay differs from some answer on, and why."""
        answers = self.search.cursor.run.answers
        index = min(after, len(answers) - 1)
        number = self.number(answers[index].move) if answers else -1
        cause = changed or self.say("pack_is_the_same")
        level = "warning" if changed else "error"
        return self.finding(level, "differs", number, self.say("differs", after + 1, until, cause))

    def changed_documents(self) -> str:
        """Return which documents of the pack have changed since, in words."""
        pins = self.record.pins
        if pins is None or pins.pack == self.game.digest:
            return ""
        now = document_digests(self.game)
        names = [
            name
            for name in sorted({*now, *pins.documents})
            if now.get(name) != pins.documents.get(name)
        ]
        return self.say("pack_changed", ", ".join(names) or "?")


def exchange(cursor: Cursor, block: Block, option: int) -> bool:
    """Put a piece into a player's hidden place, in exchange for one that was filled in there."""
    table, options = cursor.run.table, cursor.run.state.game.options
    piece = options[option].number
    source = table.layout.whereabouts[piece]
    for filler in held_options(cursor, block):
        other = options[filler].number
        if (block.key, filler) in cursor.shown:
            continue
        for place in range(table.layout.places):
            if table.layout.owners[place] != block.owner or not table.holding(place, other):
                continue
            origin = origin_of(cursor, piece, block.owner)
            if origin == place or origin < 0:
                continue
            table.move(other, place, origin, 1)
            table.move(piece, origin, place, 1)
            cursor.run.table.ask_again()
            return source >= -1
    return False


def origin_of(cursor: Cursor, piece: int, owner: int) -> int:
    """Return where a piece lies: with its owner, or else anywhere."""
    table = cursor.run.table
    places = [place for place in range(table.layout.places) if table.holding(place, piece)]
    own = [place for place in places if table.layout.owners[place] == owner]
    return next(iter(own or places), -1)
