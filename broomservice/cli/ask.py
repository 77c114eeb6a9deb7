"""`broomservice ask`: settle a question at the table, at a position, in plain sentences."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
import click
from rich.console import Console
from rich.text import Text

from broomservice.cli.common import (
    choices_of,
    console,
    examples,
    game_argument,
    game_options,
    language_option,
    players_of,
    players_option,
    seed_option,
)
from broomservice.cli.hearing import Ear, Heard
from broomservice.cli.play import read_position, reason_of
from broomservice.cli.rulings import grounds, print_verdict
from broomservice.cli.texts import LANGUAGES, listed, said
from broomservice.core.table import CHANCE, NOBODY
from broomservice.errors import BroomserviceError, EngineError
from broomservice.game import Game
from broomservice.log import LogEntry
from broomservice.option import Option
from broomservice.rulebook import Rule, UnknownRule, explain_rule, found_statements
from broomservice.scenario import Scenario
from broomservice.state import State

MOST_SHOWN = 12
MOST_RULINGS = 5
COMMANDS: dict[str, str] = {
    "why not": "why",
    "warum nicht": "why",
    "why": "why",
    "warum": "why",
    "may": "why",
    "can": "why",
    "darf": "why",
    "kann": "why",
    "what if": "what_if",
    "was wenn": "what_if",
    "was, wenn": "what_if",
    "options": "options",
    "optionen": "options",
    "play": "play",
    "spiele": "play",
    "undo": "undo",
    "zurück": "undo",
    "zurueck": "undo",
    "score": "score",
    "punkte": "score",
    "who": "counter",
    "wer": "counter",
    "rule": "rule",
    "regel": "rule",
    "forced": "forced",
    "gezwungen": "forced",
    "log": "log",
    "protokoll": "log",
    "put": "put",
    "lege": "put",
    "set": "set",
    "setze": "set",
    "begin": "begin",
    "beginne": "begin",
    "save": "save",
    "speichern": "save",
    "help": "help",
    "hilfe": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
    "ende": "quit",
}
WHOLE = frozenset({"options", "undo", "forced", "log", "help", "quit"})
BEGIN = re.compile(
    r"(?P<verb>\S+)(?:\s+(?:as|als)\s+(?P<who>\S+))?(?:\s+(?:with|mit)\s+(?P<values>.+))?\Z"
)
VALUE = re.compile(r"(\w+)\s*=\s*(.+?)\s*(?=,|\s\w+\s*=|\Z)")
PREPOSITIONS = frozenset({"in", "into", "on", "to", "at", "auf", "nach", "zu"})
HELP = (
    """\
  may PLAYER ... NAME     whether something may be done, why or why not, and the passage
  why NAME, why not NAME  the same
  what if NAME            what would come of it, until the next decision
  options                 what is open now
  play NAME               do it and go on; `undo` takes it back
  forced                  what was taken by itself just now, and who was not asked, and why
  score [PLAYER]          the points, and where a player's points came from
  who leads, COUNTER      what a counter holds, and which rules change it
  rule WORD               rules and parts of the game by name or by word
  log                     what has happened so far
  put PIECE PLACE [COUNT] lay pieces: put green_potion stock(p1) 2
  set COUNTER VALUE [OWNER]
  begin VERB as PLAYER with NAME=VALUE, NAME=VALUE
  save FILE               write the position into a file
  quit                    stop""",
    """\
  darf SPIELER ... NAME   ob etwas geht, warum oder warum nicht, und die Regelstelle
  warum (nicht) NAME      dasselbe
  was wenn NAME           was daraus folgt, bis zur nächsten Entscheidung
  optionen                was jetzt möglich ist
  spiele NAME             es tun und weitermachen; „zurück“ nimmt es zurück
  gezwungen               was von selbst geschah, wer nicht gefragt wurde, und warum
  punkte [SPIELER]        der Punktestand, und woher die Punkte eines Spielers kommen
  wer ..., ZÄHLER         was ein Zähler angibt, und welche Regeln ihn ändern
  regel WORT              Regeln und Teile des Spiels, nach Namen oder Wort
  protokoll               was bisher geschah
  lege TEIL ORT [ANZAHL]  Teile legen: lege green_potion stock(p1) 2
  setze ZÄHLER WERT [BESITZER]
  beginne VERB als SPIELER mit NAME=WERT, NAME=WERT
  speichern DATEI         die Stellung in eine Datei schreiben
  ende                    aufhören""",
)


@click.command(
    epilog=examples(
        'ask broom_service --say "options"',
        'ask --players 3 --names Ann,Bob,Carla --say "may ann lead a hill witch"',
        "ask broom_service --position saved.json --lang de",
    )
)
@game_argument
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False),
    help="A saved position.",
)
@click.option("--names", "called", default="", help="What the players are called, with commas.")
@click.option(
    "--say",
    "sayings",
    multiple=True,
    metavar="TEXT",
    help="Answer this instead of what is typed, then stop; may be repeated.",
)
@players_option
@seed_option
@game_options
@language_option
def ask(
    game: str | None,
    position: str | None,
    called: str,
    sayings: tuple[str, ...],
    players: int | None,
    seed: int,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    language: str,
) -> None:
    """Ask a referee: may one do this, why not, what if.

    At a saved position, at the start of a game, or at a position put together with `put`, `set`
    and `begin`. The referee sees everything, also what is hidden from players. Names are found in
    any sentence; `help` lists what can be asked.
    """
    chosen = choices_of(game, variants, options, board).load()
    names = tuple(name.strip() for name in called.split(",") if name.strip())
    if position is not None:
        state = read_position(chosen, position)
        if names:
            seated = checked_names(names, state.players)
            state = State(chosen, state._compiled, state._table, seated)
    else:
        count = len(names) if names and players is None else players_of(chosen, players)
        state = chosen.start(count, seed=seed, names=checked_names(names, count) if names else ())
    referee = Referee(console(), chosen, state, language)
    referee.hear_all(sayings) if sayings else referee.run()


def checked_names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Return names, one for each player."""
    if len(names) != players or len(set(names)) < players:
        raise click.UsageError(f"--names: {players} different names are needed")
    return names


class Stopped(Exception):
    """There is nothing more to ask."""


@attrs.define
class Referee:
    """Answers sentences about a position. `past` is what can be taken back.

    `laid` remembers what was put where by hand, so that later pieces are taken from elsewhere.
    """

    out: Console
    game: Game
    state: State
    language: str
    past: list[tuple[State, set[tuple[int, int]]]] = attrs.field(factory=list)
    laid: set[tuple[int, int]] = attrs.field(factory=set)

    # --- hearing ------------------------------------------------------------------------------

    def run(self) -> None:
        """Answer what is typed until nothing more comes."""
        self.out.print(Text(self.game.name(self.language), style="bold"))
        self.out.print(said("ask_welcome", self.language, self.state.names[0]))
        self.show_question()
        complete(self.completions())
        try:
            while True:
                self.out.print("> ", end="")
                self.hear(input())
        except (EOFError, KeyboardInterrupt, Stopped):
            self.out.print()
            self.out.print(said("goodbye", self.language))

    def hear_all(self, sayings: Iterable[str]) -> None:
        """Answer some sentences."""
        try:
            for line in sayings:
                self.out.print(Text(f"> {line}", style="bold"))
                self.hear(line)
        except Stopped:
            return

    def completions(self) -> list[str]:
        """Return what a sentence may be completed with."""
        labels = [option.label for option in self.game.options if option.kind != "number"]
        return sorted({*COMMANDS, *labels, *self.state.names, *self.game.names.counters})

    def hear(self, line: str) -> None:
        """Answer one sentence; a mistake is said, and nothing is changed by it."""
        text = " ".join(line.split()).rstrip("?!. ") or line.strip()
        if not text:
            return
        command, rest = command_of(text)
        try:
            self.handlers()[command](rest)
        except EngineError:
            raise
        except BroomserviceError as error:
            self.out.print(str(error))

    def handlers(self) -> dict[str, Callable[[str], None]]:
        """Return what does each command."""
        return {
            "why": self.why,
            "what_if": self.what_if,
            "options": self.options,
            "play": self.play,
            "undo": self.undo,
            "score": self.score,
            "counter": self.counter,
            "rule": self.rule,
            "forced": self.forced,
            "log": self.log,
            "put": self.put,
            "set": self.set_counter,
            "begin": self.begin,
            "save": self.save,
            "help": self.help,
            "quit": self.quit,
            "": self.anything,
        }

    def heard(self, text: str) -> Heard | None:
        """Return what a sentence names, or None after saying that it names nothing."""
        ear = Ear.of(self.state)
        found = ear.hear(text)
        if found.options or found.players:
            return found
        hint = ear.hint(text)
        meant = f" {said('meant', self.language, hint)}" if hint else ""
        self.out.print(said("nothing_named", self.language, text, meant))
        return None

    def anything(self, text: str) -> None:
        """Answer a sentence that begins with no command: about a counter, or an option."""
        ear = Ear.of(self.state)
        about = list(ear.counters(text, self.language))
        if about and (not ear.hear(text).options or ear.is_counter(text, self.language)):
            self.counter(text)
        else:
            self.why(text)

    # --- what may be done ---------------------------------------------------------------------

    def named(self, text: str) -> tuple[Option, ...]:
        """Return the options that a sentence names at the open question; says why there are none.

        A player is meant as an option only where a player is asked for, or if nothing else is.
        """
        if self.state.over:
            self.out.print(said("nobody_asked", self.language))
            return ()
        heard = self.heard(text)
        if heard is None:
            return ()
        asks_player = any(self.game.options[i].kind == "player" for i in self.state.option_ids)
        as_players = tuple(self.game.option(f"p{i + 1}") for i in heard.players)
        if asks_player or not heard.options:
            return (*heard.options, *as_players)
        if heard.players and self.state.player not in heard.players:
            others = listed([self.state.names[i] for i in heard.players], self.language)
            self.out.print(said("not_asked", self.language, self.decider(self.state), others))
            self.show_question()
            return ()
        return heard.options

    def why(self, text: str) -> None:
        """Say of every option that a sentence names whether it is open, and why."""
        options = self.named(text)
        verdicts = [self.state.explain(option, self.language) for option in options]
        fitting = [verdict for verdict in verdicts if verdict.is_an_answer]
        for verdict in (fitting or verdicts)[:MOST_SHOWN]:
            print_verdict(self.out, self.game, verdict, self.language)
        if verdicts and not fitting and (hint := Ear.of(self.state).hint(text)):
            self.out.print(said("meant", self.language, hint))
        beside = [one.option for one in verdicts if fitting and one not in fitting]
        if beside:
            names = ", ".join(map(self.shown, beside))
            self.out.print(Text(said("beside", self.language, names), style="dim"))

    def open_one(self, text: str) -> Option | None:
        """Return the one option that is meant, or None after saying why there is none."""
        options = self.named(text)
        open_ = [option for option in options if option.id in self.state.option_ids]
        if len(open_) == 1:
            return open_[0]
        if len(open_) > 1:
            names = ", ".join(map(self.shown, open_))
            self.out.print(said("may_mean", self.language, text, names))
        elif options:
            self.why(text)
        return None

    def what_if(self, text: str) -> None:
        """Say what would come of an option."""
        option = self.open_one(text)
        if option is None:
            return
        outlook = self.state.what_if(option, language=self.language)
        self.tell(outlook.entries)
        if outlook.over:
            self.out.print(said("then_over", self.language))
        elif outlook.player is not None:
            who = self.called(outlook.player)
            self.out.print(said("then_asked", self.language, who, outlook.prompt))

    def options(self, _: str) -> None:
        """Show what is open."""
        self.show_question()
        for i in self.state.option_ids:
            option = self.game.options[i]
            self.out.print(
                f"  {self.shown(option)}"
                + (f"  ({option.label})" if self.shown(option) != option.label else "")
            )

    def play(self, text: str) -> None:
        """Do something and go on."""
        option = self.open_one(text)
        if option is None:
            return
        before = len(self.state.log)
        self.go_to(self.state.play(option), set())
        self.tell(self.state.log_in(self.language)[before + 1 :])
        self.show_question()

    def undo(self, _: str) -> None:
        """Take back the last change."""
        if not self.past:
            self.out.print(said("nothing_to_undo", self.language))
            return
        self.state, self.laid = self.past.pop()
        self.out.print(said("taken_back", self.language))
        self.show_question()

    def go_to(self, state: State, laid: set[tuple[int, int]]) -> None:
        """Go on at another position."""
        self.past.append((self.state, self.laid))
        self.state, self.laid = state, laid

    # --- what is so ---------------------------------------------------------------------------

    def score(self, text: str) -> None:
        """Show the points, and where those of a named player came from."""
        heard = Ear.of(self.state).hear(text)
        for i, (name, points) in enumerate(zip(self.state.names, self.state.points, strict=True)):
            if not heard.players or i in heard.players:
                self.out.print(f"  {name}: {points}")
        for entry in self.state.log_in(self.language):
            if entry.kind == "score" and entry.player in heard.players:
                self.out.print(f"    {entry.text}")
                self.show_source(entry)

    def show_source(self, entry: LogEntry) -> None:
        """Show what a line of the log rests on."""
        source = grounds(self.game, entry.provenance, self.language)
        self.out.print(Text(f"        {source}", style="dim"))

    def counter(self, text: str) -> None:
        """Show the counters that a sentence is about, and the rules that change them."""
        found = list(Ear.of(self.state).counters(text, self.language))
        if not found:
            self.out.print(said("no_rule", self.language, text))
        speaker = self.state.speaker(self.language)
        for name in found:
            counter = self.game.names.counters[name]
            rule = explain_rule(self.game, name, self.language)
            if counter.per is None:
                value = speaker.thing(counter.type, self.state.counter(name))
                self.out.print(f"  {rule.name}: {value}")
            elif counter.per.kind == "player":
                for i, player in enumerate(self.state.names):
                    value = speaker.thing(counter.type, self.state.counter(name, i))
                    self.out.print(f"  {rule.name} ({player}): {value}")
            self.show_rule_source(rule)

    def show_rule_source(self, rule: Rule) -> None:
        """Show what a rule rests on, and for a counter the verbs that change it."""
        if rule.changed_by:
            verbs = ", ".join(rule.changed_by)
            self.out.print(
                Text(f"      {said('set_by', self.language, rule.name, verbs)}", style="dim")
            )
        source = grounds(self.game, rule.provenance, self.language)
        self.out.print(Text(f"      {source}", style="dim"))

    def rule(self, text: str) -> None:
        """Show the rule or the part of the game of this name, else the rules with these words."""
        found = found_statements(self.game, text, self.language)
        try:
            rule = explain_rule(self.game, text, self.language)
        except UnknownRule as error:
            if not found:
                hint = f" {said('meant', self.language, error.hint)}" if error.hint else ""
                self.out.print(said("no_rule", self.language, text) + hint)
        else:
            self.out.print(Text(f"  {rule.name} ({rule.kind})", style="bold"))
            if rule.text:
                self.out.print(f"    {rule.text}")
            self.show_rule_source(rule)
            if rule.rulings:
                names = ", ".join(rule.rulings[:MOST_RULINGS])
                self.out.print(Text(f"      {said('cited_by', self.language, names)}", style="dim"))
        for one in found[:MOST_SHOWN]:
            self.out.print(f"  {one.number}  {one.text}")
            source = grounds(self.game, one.provenance, self.language)
            self.out.print(Text(f"        {source}", style="dim"))
        if len(found) > MOST_SHOWN:
            self.out.print(f"  {said('more', self.language, len(found) - MOST_SHOWN)}")

    def forced(self, _: str) -> None:
        """Show what was taken by itself since the last answer, and who was not asked."""
        entries = self.state.explain_forced(self.language)
        for entry in entries:
            self.out.print(f"  {entry.text}")
            self.show_source(entry)
        if not entries:
            self.out.print(said("nothing_happens", self.language))

    def log(self, _: str) -> None:
        """Tell what has happened so far."""
        self.tell(self.state.log_in(self.language))

    # --- putting together ---------------------------------------------------------------------

    def scenario(self) -> Scenario:
        """Return the position to be changed by hand."""
        state = self.state
        return Scenario(self.game, state._table.copy(), state.players, state.names, set(self.laid))

    def put(self, text: str) -> None:
        """Lay pieces in a place."""
        words = text.split()
        count = int(words.pop()) if len(words) > 2 and words[-1].isdecimal() else 1
        ear = Ear.of(self.state)
        for end in range(len(words) - 1, 0, -1):
            piece = ear.label(" ".join(words[:end]))
            if piece in self.game.names.pieces:
                where = words[end:]
                if where[0].casefold() in PREPOSITIONS and len(where) > 1:
                    where = where[1:]
                scenario = self.scenario()
                scenario.put(piece, ear.place(" ".join(where)), count)
                self.put_right(scenario)
                return
        if len(words) > 1:
            self.scenario().put(words[0], ear.place(" ".join(words[1:])), count)
        self.out.print(said("put_how", self.language))

    def set_counter(self, text: str) -> None:
        """Set a counter."""
        words = text.replace("=", " ").split()
        if len(words) not in (2, 3):
            self.out.print(said("set_how", self.language))
            return
        ear = Ear.of(self.state)
        scenario = self.scenario()
        number = words[1].lstrip("-")
        value = int(words[1]) if number.isdecimal() else ear.label(words[1])
        scenario.set(words[0], value, ear.label(words[2]) if len(words) > 2 else None)
        self.put_right(scenario)

    def put_right(self, scenario: Scenario) -> None:
        """Go on at a position changed by hand: the open question is worked out anew."""
        table = scenario.table
        table.options, table.decider = [], NOBODY
        if table.stack:
            table.proceed(table.code[table.stack[-1][0]])
        self.go_to(State(self.game, self.state._compiled, table, self.state.names), scenario.laid)
        self.out.print(said("done", self.language))
        self.show_question()

    def begin(self, text: str) -> None:
        """Begin a verb at this position."""
        found = BEGIN.match(text)
        if found is None:
            self.out.print(said("begin_how", self.language))
            return
        ear = Ear.of(self.state)
        values = {
            name: value_of(ear, value) for name, value in VALUE.findall(found["values"] or "")
        }
        who = ear.player(found["who"]) if found["who"] else None
        scenario = self.scenario()
        self.go_to(scenario.begin(found["verb"], who, values), scenario.laid)
        happened = self.state.log_in(self.language)[len(scenario.table.log or ()) :]
        if happened:
            self.tell(happened)
        self.show_question()

    def save(self, path: str) -> None:
        """Write the position into a file."""
        if not path:
            self.out.print(said("file_needed", self.language, "save"))
            return
        try:
            Path(path).write_text(self.state.to_json(), encoding="utf-8")
        except OSError as error:
            self.out.print(said("cannot_file", self.language, path, reason_of(error)))
        else:
            self.out.print(said("saved", self.language, path))

    def help(self, _: str) -> None:
        """List what can be asked."""
        self.out.print(HELP[LANGUAGES.index(self.language)])

    def quit(self, _: str) -> None:
        """Stop.

        Raises:
            Stopped: always.
        """
        raise Stopped

    # --- what is shown ------------------------------------------------------------------------

    def shown(self, option: Option) -> str:
        """Return what an option is called."""
        return self.state.speaker(self.language).option(option)

    def called(self, player: int) -> str:
        """Return who is asked."""
        return said("chance", self.language) if player == CHANCE else self.state.names[player]

    def decider(self, state: State) -> str:
        """Return who is asked in a position."""
        return self.called(int(state.player))

    def show_question(self) -> None:
        """Show who is asked what."""
        decision = self.state.decision_in(self.language)
        if decision is None:
            self.out.print(said("nobody_asked", self.language))
        else:
            who = self.decider(self.state)
            self.out.print(said("now_asked", self.language, who, decision.prompt))

    def tell(self, entries: Iterable[LogEntry]) -> None:
        """Tell lines of the log, with what points rest on; moves of pieces only if alone."""
        every = list(entries)
        lines = [entry for entry in every if entry.kind not in ("move", "skipped", "hook")]
        for entry in lines or every:
            self.out.print(f"  {entry.text}")
            if entry.kind == "score":
                self.show_source(entry)
        if not every:
            self.out.print(said("nothing_happens", self.language))


def command_of(text: str) -> tuple[str, str]:
    """Return the command that a sentence begins with, and the rest; no command if it has none."""
    small = text.casefold()
    for word in sorted(COMMANDS, key=len, reverse=True):
        if small == word or small.startswith(f"{word} "):
            rest = text[len(word) :].strip()
            if COMMANDS[word] in WHOLE and rest:
                continue
            return COMMANDS[word], rest
    return "", text


def value_of(ear: Ear, text: str) -> str | int | bool:
    """Return an argument as scenarios take it."""
    if text.casefold() in ("true", "yes", "ja", "false", "no", "nein"):
        return text.casefold() in ("true", "yes", "ja")
    return int(text) if text.isdecimal() else ear.label(text)


def complete(words: list[str]) -> None:
    """Complete what is typed with the tab key, where a terminal can."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:
        return

    def completer(begun: str, number: int) -> str | None:
        found = [word for word in words if word.startswith(begun)]
        return found[number] if number < len(found) else None

    readline.set_completer(completer)
    readline.parse_and_bind("tab: complete")
