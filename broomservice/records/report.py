"""Checking a record: the first move that is illegal and why, or what it depends on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from broomservice.core.errors import RuleError
from broomservice.core.table import CHANCE
from broomservice.log import entries
from broomservice.pack.provenance import Provenance
from broomservice.records.changes import FAR, could_be_open
from broomservice.records.dependence import Dependence, Tester
from broomservice.records.findings import Assumption, Finding, Report
from broomservice.records.matching import Failure, Script, start
from broomservice.records.missed import Missed, exchange, find_missed, forced_otherwise
from broomservice.records.names import open_number, player_named
from broomservice.records.prints import document_digests, fingerprint
from broomservice.records.running import Run
from broomservice.records.search import Search
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
    missed = find_missed(search.best)
    return Checker(record, game, language, search, first, missed).report()


@attrs.frozen
class Checker:
    """Puts what was found about a record into words."""

    record: Record
    game: Game
    language: str
    search: Search
    first: Run
    missed_duty: Missed | None

    def report(self) -> Report:
        """Return the report."""
        cursor, failure = self.search.best.cursor, self.search.best.failure
        findings = list(self.spelling())
        if failure is not None:
            findings += self.wrong(failure)
            if self.search.tries and not self.is_explained() and cursor.blocks:
                findings.append(
                    self.finding(
                        "note",
                        "completions",
                        self.number(failure.at),
                        self.say(
                            "completions" if self.is_open_question() else "all_completions",
                            self.search.tries,
                        ),
                    )
                )
        exact, differing = self.exactness(failure)
        findings += differing
        assumptions = tuple(self.assumptions()) if failure is None else ()
        open_ = [one for one in assumptions if one.matters]
        verdict = "depends" if open_ else "legal"
        if any(one.level == "error" for one in findings):
            gave_up = not self.is_explained() and self.is_open_question()
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

    def is_explained(self) -> bool:
        """Whether a duty that was missed explains the failure."""
        return self.missed_duty is not None and self.after_missed(self.missed_duty) is not None

    def is_open_question(self) -> bool:
        """Whether some hidden answers that were not tried may make the record legal.

        A hidden number, say how many cards were chosen, may change much at once.
        """
        best = self.search.best
        if best.failure is None or not best.cursor.blocks:
            return False
        mover = best.cursor.script.players[best.cursor.order[best.failure.at]]
        has_numbers = any(
            not block.is_piece and block.key[0] >= best.failure.at - FAR
            for block in best.cursor.blocks
        )
        return not self.search.is_exhausted or has_numbers or could_be_open(best.failure, mover)

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
        order = self.search.best.cursor.order
        return order[at] if at < len(order) else len(order) - 1

    # --- what is wrong ----------------------------------------------------------------------------

    def spelling(self) -> Iterator[Finding]:
        """Return warnings about misspelt names."""
        texts = self.record.moves
        for number, hint in sorted(self.search.best.cursor.warned.items()):
            yield self.finding(
                "warning",
                "misspelt",
                number,
                self.say("misspelt", texts[number].text, hint),
                hint=hint,
            )
        for number, hint in self.search.best.cursor.script.misspelt.items():
            yield self.finding(
                "warning",
                "misspelt",
                number,
                self.say("misspelt", texts[number].player, hint),
                hint=hint,
            )

    def wrong(self, failure: Failure) -> Iterator[Finding]:
        """Return what is wrong with the first move that fails."""
        missed = self.missed_duty
        if missed is not None and (told := self.after_missed(missed)) is not None:
            yield self.missed(missed)
            mover = self.record.moves[self.number(missed.passed.at)].player
            is_own = player_named(mover, self.record.players)[0] == missed.owner
            if told[0] and missed.passed.code == "passed-over" and not is_own:
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
            text = self.say("no_option", move.text)
            if open_number(move.text) is not None:
                text = self.say("no_number", move.text, len(state.option_ids))
            hint = failure.meaning.hint
            yield self.finding("error", "unknown-move", number, text, hint=hint)
        else:
            yield self.illegal(number, failure.meaning.option, state)

    def at_first(self, failure: Failure) -> Failure:
        """Return a failure in the position where its move was first tried, if that says more."""
        cursor = self.search.best.cursor
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
            hint=self.search.best.cursor.script.spellings.suggestion(
                state, self.record.moves[number].text, option
            ),
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
        """Return that a duty was missed, as a later move shows."""
        number, shown = self.number(missed.passed.at), self.number(missed.shown) + 1
        owner, option = self.name(missed.owner), self.option(missed.option)
        mover, text = self.record.moves[number].player, self.record.moves[number].text
        state, wanted = missed.passed.run.state, missed.passed.meaning.option
        is_own = self.search.best.cursor.script.players[number] == missed.owner
        if missed.passed.code == "passed-over" and is_own:
            then = forced_otherwise(missed)
            if then is not None:
                state = then
                wanted = self.search.best.cursor.script.spellings.read(state, text).option
        if wanted >= 0:
            found = self.illegal(number, wanted, state)
            proof = self.say("revoked", owner, option, shown)
            return attrs.evolve(found, code="missed", message=f"{found.message} ({proof})")
        return self.finding(
            "error",
            "missed",
            number,
            self.say("missed", owner, option, shown, mover),
            source=self.asking_source(missed.passed.run.state),
        )

    def after_missed(self, missed: Missed) -> tuple[str, str] | None:
        """Lay the piece that was held back, and return what the game then says, and the passage.

        None if this does not explain the record; no sentence if the game says nothing.
        """
        cursor = self.search.best.cursor
        trial = cursor.copy()
        if not exchange(trial, missed.block, missed.option):
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
        """Return what was filled in, and what of it matters."""
        for found in Tester(self.search.best).dependences():
            move = self.number(found.block.key[0])
            shown, needed, excluded = (
                tuple((self.option(option), self.number(at) + 1) for option, at in some)
                for some in (found.shown, found.needed, found.excluded)
            )
            yield Assumption(
                found.block.owner,
                found.block.prompt,
                move,
                shown,
                needed,
                excluded,
                tuple(self.option(option) for option in found.filled),
                self.depends(found, move),
            )

    def depends(self, found: Dependence, move: int) -> str:
        """Return in words what a record depends on."""
        key = "draws" if found.block.is_draw else "hidden_choice"
        owner = self.name(found.block.owner) if found.block.owner != CHANCE else self.say("chance")
        decision = found.block.before.run.state.decision_in(self.language)
        parts = [self.say(key, owner, move + 1, decision.prompt if decision else "")]
        if not found.is_tested:
            names = [self.option(option) for option, _ in found.needed]
            parts.append(self.say("assumed", listed(names, self.language)))
        else:
            parts += self.by_move("needed", found.needed)
            parts += self.by_move("excluded", found.excluded)
        if found.shown:
            known = ", ".join(
                f"{self.option(option)} ({self.number(at) + 1})" for option, at in found.shown
            )
            parts.append(self.say("shown_later", known))
        return "; ".join(parts)

    def by_move(self, key: str, found: tuple[tuple[int, int], ...]) -> Iterator[str]:
        """Return what must be or must not be, together for each move that fails otherwise."""
        moves: dict[int, list[int]] = {}
        for option, at in found:
            moves.setdefault(self.number(at) + 1, []).append(option)
        for move, options in sorted(moves.items()):
            names = [self.option(option) for option in sorted(options)]
            which = key if len(names) > 1 or key == "needed" else "excluded_one"
            yield self.say(which, listed(names, self.language), move)

    # --- exact, or since when not -----------------------------------------------------------------

    def exactness(self, failure: Failure | None) -> tuple[str, list[Finding]]:
        """Return whether the replay is what the record pins down, and from where on it differs."""
        pins = self.record.pins
        if pins is None:
            return "unknown", []
        changed = self.changed_documents()
        cursor = self.search.best.cursor
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
        answers = self.search.best.cursor.run.answers
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
