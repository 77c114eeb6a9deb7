"""Rulings: small cases with their answers, run against the rules.

A case puts a position together (`given`), gives answers (`when`) and says what then holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.core.table import CHANCE
from broomservice.errors import IllegalMove
from broomservice.explain import Check, Verdict
from broomservice.game import Game, load
from broomservice.pack.documents import load_document
from broomservice.pack.load import Map
from broomservice.pack.problems import Place, Problems
from broomservice.rulings_words import said, wording
from broomservice.scenario import Scenario
from broomservice.state import State


class AnswerRefused(BroomserviceError):
    """An answer that a case gives cannot be given; the message is in the language of the run."""


@attrs.frozen
class Case:
    """One ruling: its id, where it stands, and what the file says of it.

    `headings` is the topic by language; `number` counts the rulings of the file from 1.
    """

    id: str
    game: str
    topic: str
    place: Place
    node: Map
    headings: Mapping[str, str] = attrs.field(factory=dict, eq=False, repr=False)
    number: int = 0

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule statements that the case holds the game to."""
        return tuple(self.node.get("rules", ()))

    def text(self, key: str, language: str = "en") -> str:
        """Return the question or the answer in a language."""
        content = self.node.get(key, "")
        if isinstance(content, Mapping):
            return str(content.get(language) or content.get("en") or "")
        return str(content)


@attrs.frozen
class Outcome:
    """How a case came out: its failures are sentences, none if it holds."""

    case: Case
    reading: str
    failures: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether everything came out as the case says."""
        return not self.failures


def load_cases(path: Path) -> tuple[Case, ...]:
    """Return the cases of a file, or of all files in a folder.

    Raises:
        PackError: if a file is malformed.
    """
    problems = Problems()
    cases = read_cases(path, problems)
    problems.raise_if_any()
    return cases


def read_cases(path: Path, problems: Problems) -> tuple[Case, ...]:
    """Return the cases of a file or folder that can be read; mistakes and warnings are noted."""
    files = sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    cases: list[Case] = []
    for file in files:
        document = load_document(file, problems)
        if document is None:
            continue
        if "rulings" not in document:
            problems.add(document.place, "unknown-document", "this is no file of rulings")
            continue
        topic = document.get("topic", "")
        headings = dict(topic) if isinstance(topic, Mapping) else {"en": str(topic)}
        title = str(headings.get("en", ""))
        nodes: Map = document.get("cases", Map(document.place))
        for number, (name, node) in enumerate(nodes.items(), 1):
            place = nodes.key_at(name)
            cases.append(Case(name, document["rulings"], title, place, node, headings, number))
    return tuple(cases)


@attrs.define
class Bench:
    """Runs cases; games are loaded once for each combination of variants, board and options.

    `language` is that of the sentences about what came out otherwise.
    """

    game: str | Path
    variants: tuple[str | Path, ...] = ()
    language: str = "en"
    games: dict[Any, Game] = attrs.field(factory=dict)

    def game_for(self, case: Case, options: Mapping[str, int]) -> Game:
        """Return the game that a case is about."""
        variants = (*self.variants, *case.node.get("variants", ()))
        board = case.node.get("board")
        key = (variants, board, tuple(sorted(options.items())))
        if key not in self.games:
            self.games[key] = load(self.game, variants=variants, options=options, board=board)
        return self.games[key]

    def run(self, case: Case) -> Iterator[Outcome]:
        """Run a case as it stands, and under each of its other readings."""
        options = dict(case.node.get("options", {}))
        yield self.judged(case, "", options, case.node["then"])
        for reading in case.node.get("readings", ()):
            other = {**options, **reading["options"]}
            name = ", ".join(f"{key}={value}" for key, value in reading["options"].items())
            yield self.judged(case, name, other, reading["then"])

    def judged(self, case: Case, reading: str, options: Mapping[str, int], then: Map) -> Outcome:
        game = self.game_for(case, options)
        try:
            run = Run.of(game, case, self.language)
            run.answer_all(case.node.get("when", ()))
            failures = tuple(run.compare(then))
        except BroomserviceError as error:
            expected = isinstance(error, RuleError) and str(then.get("error", "\0")) in str(error)
            failures = () if expected else (wording(error, self.language),)
        return Outcome(case, reading, failures)


@attrs.define
class Run:
    """One case while it runs."""

    state: State
    scenario: Scenario
    before: tuple[int, ...]
    language: str = "en"

    @classmethod
    def of(cls, game: Game, case: Case, language: str = "en") -> Run:
        """Put the position of a case together."""
        node = case.node
        given: Map = node["given"]
        players = node.get("players", game.names.least_players)
        asked = any(str(answer).startswith("chance:") for answer in node.get("when", ()))
        scenario = Scenario.of(game, players, seed=given.get("seed", 0), chance_asks=asked)
        for place, pieces in given.get("put", {}).items():
            for piece, count in pieces.items():
                scenario.put(piece, place, count)
        for counter, value in given.get("set", {}).items():
            if isinstance(value, Mapping):
                for owner, number in value.items():
                    scenario.set(counter, number, owner)
            else:
                scenario.set(counter, value)
        if "seats" in given:
            scenario.seat(list(given["seats"]))
        program = game.compiled(players).program
        before = tuple(scenario.table.cells[program.points : program.points + players])
        if "begin" in given:
            begin = given["begin"]
            state = scenario.begin(begin["verb"], begin.get("as"), begin.get("with"))
        else:
            state = game.start(players, seed=given.get("seed", 0), chance_asks=asked)
        return cls(state, scenario, before, language)

    def said(self, key: str, *parts: object) -> str:
        """Return a sentence in the language of the run."""
        return said(key, self.language, *parts)

    def because(self, checks: Iterable[Check]) -> str:
        """Return the sentences of requirements that fail, each with its name."""
        return "; ".join(self.said("because", check.sentence, check.name) for check in checks)

    def explained(self, name: object) -> Verdict:
        """Return whether an option is open now, and why, in the language of the run."""
        return self.state.explain(str(name), self.language)

    @property
    def asked(self) -> str:
        """Who is asked, as a case writes it: a player, chance, or nobody."""
        number = self.state.player
        return "chance" if number == CHANCE else f"p{number + 1}" if number >= 0 else "nobody"

    def named(self, names: Iterable[object]) -> str:
        """Return names as a list in a sentence, or that there are none."""
        return ", ".join(map(str, names)) or self.said("nothing")

    def answer_all(self, answers: Any) -> None:
        """Give the answers of a case.

        Raises:
            AnswerRefused: if somebody else is asked than the case says, or an answer is not open.
        """
        for i, answer in enumerate(answers, 1):
            player, _, option = str(answer).rpartition(":")
            if player and player.strip() != self.asked:
                who = self.said("nobody") if self.state.over else self.asked
                raise AnswerRefused(self.said("other_asked", i, answer, who, self.state.short()))
            try:
                self.state.play_in_place(option.strip())
            except IllegalMove:
                reasons = self.because(self.explained(option.strip()).failed)
                raise AnswerRefused(
                    self.said("answer_refused", i, answer, reasons, self.state.short())
                ) from None

    def compare(self, then: Map) -> Iterator[str]:
        """Return what came out otherwise than the case says."""
        checks: dict[str, Callable[[Any], Iterable[str]]] = {
            "legal": self.legal,
            "illegal": self.illegal,
            "options": self.options,
            "forced": self.forced,
            "points": self.points,
            "gained": self.gained,
            "pieces": self.pieces,
            "counters": self.counters,
            "decides": self.decides,
            "asks": self.asks,
            "over": self.over,
            "winners": self.winners,
            "error": lambda wanted: [self.said("no_error", wanted)],
        }
        for key, wanted in then.items():
            yield from checks[key](wanted)

    def legal(self, wanted: Any) -> Iterator[str]:
        for name in wanted:
            verdict = self.explained(name)
            if not verdict.legal:
                yield self.said("not_open", name, self.because(verdict.failed))

    def illegal(self, wanted: Any) -> Iterator[str]:
        for name, requirement in wanted.items():
            verdict = self.explained(name)
            if verdict.legal:
                yield self.said("open", name, requirement)
            elif requirement not in [check.name for check in verdict.failed]:
                reasons = self.because(verdict.failed)
                yield self.said("other_reason", name, reasons, requirement) + self.forced_note()

    def options(self, wanted: Any) -> Iterator[str]:
        options = self.state.game.options
        open_now = [options[i].label for i in self.state.option_ids]
        names = [self.state.game.option(str(name)).label for name in wanted]
        if sorted(names) != sorted(open_now):
            yield self.said("options", self.named(open_now), self.named(names))

    def taken(self) -> list[str]:
        """Return what was taken without asking since the last answer."""
        options = self.state.game.options
        entries = self.state.explain_forced(self.language)
        return [options[entry.option].label for entry in entries if entry.kind == "forced"]

    def forced_note(self) -> str:
        """Return that something was taken before without asking, if so: there it was refused."""
        taken = self.taken()
        return self.said("forced_note", self.named(taken)) if taken else ""

    def forced(self, wanted: Any) -> Iterator[str]:
        taken = self.taken()
        for name in wanted:
            if self.state.option(str(name)).label not in taken:
                yield self.said("forced", name, self.named(taken))

    def points(self, wanted: Any) -> Iterator[str]:
        for name, number in wanted.items():
            have = self.state.points[self.scenario.player(name)]
            if have != number:
                yield self.said("points", name, have, number)

    def gained(self, wanted: Any) -> Iterator[str]:
        for name, number in wanted.items():
            player = self.scenario.player(name)
            have = self.state.points[player] - self.before[player]
            if have != number:
                yield self.said("gained", name, have, number)

    def pieces(self, wanted: Any) -> Iterator[str]:
        table, names = self.state._table, self.state.game.names
        for place, pieces in wanted.items():
            number = self.scenario.place(place)
            for piece, count in pieces.items():
                if piece == "size":
                    have = sum(table.holding(number, i) for i in range(len(names.pieces)))
                elif piece in names.pieces:
                    have = table.holding(number, names.pieces[piece].number)
                else:
                    raise self.scenario.unknown("piece", piece, names.pieces)
                if have != count:
                    yield self.said("pieces", place, have, piece, count)

    def counters(self, wanted: Any) -> Iterator[str]:
        for name, value in wanted.items():
            for owner, number in value.items() if isinstance(value, Mapping) else [(None, value)]:
                check = attrs.evolve(self.scenario, table=self.state._table.copy())
                have = list(check.table.cells)
                check.set(name, number, owner)
                if have != check.table.cells:
                    shown = name if owner is None else f"{name}({owner})"
                    yield self.said("counter", shown, number)

    def decides(self, wanted: Any) -> Iterator[str]:
        if self.asked != wanted:
            yield self.said("decides", self.asked, wanted)

    def asks(self, wanted: Any) -> Iterator[str]:
        if self.state.over:
            yield self.said("asks_nothing", wanted)
            return
        question = self.state._compiled.questions[self.state._table.stack[-1][0]]
        if wanted not in (question.point, question.verb):
            yield self.said("asks", question.point or question.verb, wanted)

    def over(self, wanted: Any) -> Iterator[str]:
        if self.state.over != wanted:
            yield self.said("over") if self.state.over else self.said("goes_on", self.state.short())

    def winners(self, wanted: Any) -> Iterator[str]:
        names = [f"p{i + 1}" for i in self.state.winners]
        if sorted(names) != sorted(wanted):
            have = ", ".join(names) or self.said("nobody")
            yield self.said("winners", have, ", ".join(wanted))
