"""`broomservice play`: people at the terminal, with bots in the other seats."""

from __future__ import annotations

from pathlib import Path

import attrs
import click
from rich.console import Console
from rich.text import Text

from broomservice.bots import Bot, bots_for
from broomservice.cli.common import (
    bot_names,
    bots_option,
    choices_of,
    console,
    examples,
    game_options,
    language_option,
    players_of,
    players_option,
    seed_option,
)
from broomservice.cli.demo import print_ending, print_lines
from broomservice.cli.rulings import print_option
from broomservice.cli.seeing import NOTHING, Sight
from broomservice.cli.telling import Teller, note_prompt
from broomservice.cli.texts import HELP, LANGUAGES, said
from broomservice.core.errors import BroomserviceError
from broomservice.errors import AmbiguousMove, IllegalMove, UnknownMove
from broomservice.game import Game, plain
from broomservice.option import Option
from broomservice.picking import play_set, possible
from broomservice.state import Decision, State

WORDS = {
    "why": "why",
    "warum": "why",
    "undo": "undo",
    "zurück": "undo",
    "zurueck": "undo",
    "save": "save",
    "speichern": "save",
    "load": "load",
    "laden": "load",
    "log": "log",
    "protokoll": "log",
    "score": "score",
    "punkte": "score",
    "table": "table",
    "tisch": "table",
    "help": "help",
    "hilfe": "help",
    "?": "help",
    "quit": "quit",
    "ende": "quit",
    "exit": "quit",
}
WITH_NAME = frozenset({"why", "save", "load"})


class Stopped(Exception):
    """The people at the terminal have left."""


@click.command(
    epilog=examples(
        "play",
        "play --players 3 --humans Ann,Bob --bots greedy",
        "play --humans 1=Ann,4=Ben --lang de --option rounds=3",
        "play --load saved.json",
    )
)
@click.argument("game", required=False, default=None)
@click.option(
    "--humans",
    default="1",
    show_default=True,
    metavar="SEATS",
    help="Who is human: seats such as 1,3, or names such as Ann,Bob, or both: 1=Ann,3=Bob.",
)
@players_option
@seed_option
@game_options
@bots_option
@click.option(
    "--load",
    "saved",
    type=click.Path(exists=True, dir_okay=False),
    help="A saved position.",
)
@language_option
def play(
    game: str | None,
    humans: str,
    players: int | None,
    seed: int,
    variants: tuple[str, ...],
    board: str | None,
    options: tuple[str, ...],
    bots: str,
    saved: str | None,
    language: str,
) -> None:
    """Play at the terminal, with bots or people.

    Type the number or the name of an option, or `why NAME`, `undo`, `save FILE`, `load FILE`,
    `table`, `log`, `score`, `help`, `quit`. What a player may not know is never shown.
    """
    chosen = choices_of(game, variants, options, board).load()
    if saved is not None:
        state = read_position(chosen, saved)
    else:
        count = players_of(chosen, players)
        state = chosen.start(count, seed=seed, names=names_of(humans, count))
    seats = seats_of(humans, state.players)
    played = bots_for(bot_names(bots, state.players), state.players, seed)
    Session(console(), chosen, state, frozenset(seats), played, language).run()


def seats_of(text: str, players: int) -> dict[int, str]:
    """Return the seats of the humans, counted from 0, with the names that were given."""
    seats: dict[int, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        number, _, name = part.partition("=")
        if not number.isdecimal():
            number, name = str(next(i for i in range(players + 2) if i not in seats) + 1), part
        if not 1 <= int(number) <= players or int(number) - 1 in seats:
            raise click.UsageError(f"--humans {text}: {part} is no free seat from 1 to {players}")
        seats[int(number) - 1] = name
    return seats


def names_of(text: str, players: int) -> tuple[str, ...]:
    """Return what all players are called; p1, p2 and so on if they have no other name."""
    seats = seats_of(text, players)
    names = tuple(seats.get(i) or f"p{i + 1}" for i in range(players))
    if len(set(names)) < players:
        raise click.UsageError(f"--humans {text}: two players have the same name")
    return names


def read_position(game: Game, path: str) -> State:
    """Return a saved position.

    Raises:
        BroomserviceError: if the file cannot be read, or is no position of this game.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BroomserviceError(f"{path}: {reason_of(error)}") from None
    return game.from_json(text)


def reason_of(error: Exception) -> str:
    """Return what went wrong with a file, without its name."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


@attrs.define
class Session:
    """People and bots around one position.

    `viewer` is the person who looks at the screen, `told` how much of the log each person was told
    (if nothing yet: what came before the line `begun`), and `past` what can be taken back: the
    positions in which a person was asked.
    """

    out: Console
    game: Game
    state: State
    humans: frozenset[int]
    bots: list[Bot]
    language: str
    viewer: int = -1
    begun: int = 0
    told: dict[int, int] = attrs.field(factory=dict)
    past: list[State] = attrs.field(factory=list)
    prompts: dict[int, str] = attrs.field(factory=dict)
    seen: dict[str, str] = attrs.field(factory=dict)
    teller: Teller = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.teller = Teller.of(self.state, self.language)
        if len(self.humans) == 1:
            self.viewer = min(self.humans)

    def run(self) -> None:
        """Play until the game is over or the people leave."""
        self.out.print(Text(self.game.name(self.language), style="bold"))
        if self.humans:
            self.out.print(said("welcome", self.language))
        try:
            self.play_on()
        except Stopped:
            self.out.print(said("goodbye", self.language))

    def play_on(self) -> None:
        """Answer decisions until the game is over."""
        while not self.state.over:
            if self.state.player in self.humans:
                self.turn_screen()
                self.tell_news()
                self.ask()
            else:
                note_prompt(self.state, self.prompts, self.language)
                self.answer(self.bots[self.state.player].choose(self.state))
        self.tell_news()
        self.out.print()
        print_ending(self.out, self.state, self.language)

    def answer(self, option: int) -> None:
        """Go on with an answer; older positions stay as they were."""
        self.state = self.state.play(option)

    # --- what is shown --------------------------------------------------------------------------

    def sight(self) -> Sight:
        """Return what the person at the screen sees; before anybody sat down, what all see."""
        return Sight.of(self.state, self.viewer, self.language)

    def turn_screen(self) -> None:
        """Hand the screen to another person, with nothing left on it that they may not see."""
        player = self.state.player
        if player == self.viewer:
            return
        if len(self.humans) > 1:
            self.out.clear()
            self.out.print(said("pass_screen", self.language, self.state.names[player]))
            self.read_line("")
            self.out.clear()
        self.viewer = player
        self.seen.clear()

    def tell_news(self) -> None:
        """Tell what has happened since the last time."""
        log = self.sight().view.log
        lines = self.teller.tell(log, self.prompts, self.told.get(self.viewer, self.begun))
        print_lines(
            self.out,
            (
                line
                for line in lines
                if line.kind != "hand" and (line.kind, line.player) != ("answer", self.viewer)
            ),
        )
        self.told[self.viewer] = len(log)

    def show_own(self, decision: Decision) -> None:
        """Show what lies before the person at the screen, where it has changed.

        Places whose pieces can be picked now are left out: the options show them.
        """
        picked = {option.label for option in decision.options if option.kind == "piece"}
        for name, text, pieces in self.sight().holdings(own=True):
            if self.seen.get(name, NOTHING) != text and not picked & set(pieces):
                self.out.print(Text(f"  {name}: {text}", style="cyan"))
                self.seen[name] = text

    def show_options(self, decision: Decision) -> None:
        """Show the question with its options, numbered unless they are numbers themselves."""
        name = self.state.names[decision.player]
        self.out.print(Text(f"\n{name}: {decision.prompt}", style="bold"))
        if are_numbers(decision):
            labels = ", ".join(self.shown(option) for option in decision.options)
            self.out.print(f"  {labels}")
            return
        if decision.picks > 1:
            self.out.print(said("pick_several", self.language, decision.picks), style="dim")
        sight = self.sight()
        for i, option in enumerate(self.listed(decision), 1):
            line = Text(f"  {i:>2}  {self.shown(option)}")
            if about := sight.about(option):
                line.append(f"  ({about})", style="dim")
            self.out.print(line)

    def listed(self, decision: Decision) -> tuple[Option, ...]:
        """Return what can be named: the options, or all that can be part of the set."""
        return possible(self.state) if decision.picks > 1 else decision.options

    def shown(self, option: Option) -> str:
        """Return what an option is called."""
        return self.teller.option_text(option.id)

    # --- what is typed --------------------------------------------------------------------------

    def read_line(self, prompt: str) -> str:
        """Return what is typed next.

        Raises:
            Stopped: at the end of the input, or when it is broken off.
        """
        self.out.print(prompt, end="")
        try:
            return input().strip()
        except (EOFError, KeyboardInterrupt):
            self.out.print()
            raise Stopped from None

    def ask(self) -> None:
        """Put the open question until it is answered, or the position is another one."""
        decision = self.state.decision_in(self.language)
        assert decision is not None
        self.show_own(decision)
        self.show_options(decision)
        here = self.state
        while self.state is here:
            line = self.read_line("> ")
            if line:
                self.obey(line, decision)

    def obey(self, line: str, decision: Decision) -> None:
        """Do what was typed: a word of the session, or an option."""
        word, _, rest = line.partition(" ")
        command = WORDS.get(word.casefold())
        if command is None or (command not in WITH_NAME and rest.strip()):
            self.take(line, decision)
        elif command in WITH_NAME and not rest.strip():
            key = "name_needed" if command == "why" else "file_needed"
            self.out.print(said(key, self.language, word))
        else:
            self.do(command, rest.strip(), decision)

    def do(self, command: str, rest: str, decision: Decision) -> None:
        """Do what a word of the session asks for."""
        if command == "why":
            self.why(rest, decision)
        elif command == "save":
            self.save(rest)
        elif command == "load":
            self.load(rest)
        elif command == "undo":
            self.undo()
        elif command == "log":
            self.show_log()
        elif command == "score":
            self.show_points()
        elif command == "table":
            self.show_table()
        elif command == "help":
            self.out.print(HELP[LANGUAGES.index(self.language)])
        else:
            raise Stopped

    def take(self, line: str, decision: Decision) -> None:
        """Answer with an option, or with a whole set, or say why that cannot be."""
        if decision.picks > 1 and "," in line:
            self.take_set(line.split(","), decision)
            return
        option = self.named(line, decision)
        if option is None:
            return
        if option not in decision.options:
            self.explain(option)
            return
        self.past.append(self.state)
        note_prompt(self.state, self.prompts, self.language)
        self.answer(option.id)

    def take_set(self, parts: list[str], decision: Decision) -> None:
        """Answer with several things at once, or say why that cannot be."""
        chosen = [self.named(part.strip(), decision) for part in parts if part.strip()]
        options = [option for option in chosen if option is not None]
        if len(options) < len(chosen):
            return
        before = self.state
        try:
            after = play_set(before, options, self.language)
        except IllegalMove as refusal:
            self.out.print(Text("; ".join(one.sentence for one in refusal.reasons), style="red"))
            return
        self.past.append(before)
        note_prompt(before, self.prompts, self.language)
        self.state = after

    def named(self, text: str, decision: Decision) -> Option | None:
        """Return the option that was meant, or None after saying what is wrong."""
        listed = self.listed(decision)
        if text.isdecimal() and not are_numbers(decision):
            if 1 <= int(text) <= len(listed):
                return listed[int(text) - 1]
            self.out.print(said("number_range", self.language, len(listed)))
            return None
        found = self.matching(text, listed)
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            names = ", ".join(map(self.shown, found))
            self.out.print(said("may_mean", self.language, text, names))
            return None
        return self.known(text)

    def matching(self, text: str, options: tuple[Option, ...]) -> list[Option]:
        """Return the open options of this name; else those that begin so; else that contain it."""
        wanted = plain(text)
        names = {
            option.id: {
                plain(option.label),
                plain(self.shown(option)),
                *map(plain, option.text.values()),
            }
            for option in options
        }
        for fits in (str.__eq__, str.startswith, str.__contains__):
            found = [
                option for option in options if any(fits(name, wanted) for name in names[option.id])
            ]
            if found and wanted:
                return found
        return []

    def known(self, text: str) -> Option | None:
        """Return the option of this name though it is not open, or None after saying so."""
        for i, name in enumerate(self.state.names):
            if plain(name) == plain(text):
                return self.game.option(f"p{i + 1}")
        try:
            return self.game.option(text)
        except UnknownMove as error:
            called = self.state.called(error.hint, self.language)
            hint = f" {said('meant', self.language, called)}" if called else ""
            self.out.print(said("no_such", self.language, text) + hint)
        except AmbiguousMove as error:
            names = ", ".join(error.candidates)
            self.out.print(said("may_mean", self.language, text, names))
        return None

    # --- the words of the session ---------------------------------------------------------------

    def why(self, name: str, decision: Decision) -> None:
        """Explain an option, given its number or name."""
        option = self.named(name, decision)
        if option is not None:
            self.explain(option)

    def explain(self, option: Option) -> None:
        """Say whether an option is open, and why."""
        print_option(self.out, self.state, option, self.language)

    def save(self, path: str) -> None:
        """Write the position into a file."""
        try:
            Path(path).write_text(self.state.to_json(), encoding="utf-8")
        except OSError as error:
            self.out.print(said("cannot_file", self.language, path, reason_of(error)))
        else:
            self.out.print(said("saved", self.language, path))

    def load(self, path: str) -> None:
        """Go on from a saved position."""
        try:
            state = read_position(self.game, path)
        except BroomserviceError as error:
            self.out.print(str(error))
            return
        if state.players != self.state.players:
            self.out.print(
                said(
                    "cannot_file",
                    self.language,
                    path,
                    f"{state.players} {said('players', self.language)}",
                )
            )
            return
        self.past.clear()
        self.prompts.clear()
        self.go_to(state)
        self.out.print(said("loaded", self.language, path))

    def undo(self) -> None:
        """Go back to the last position in which a person was asked."""
        if not self.past:
            self.out.print(said("nothing_to_undo", self.language))
            return
        self.go_to(self.past.pop())
        self.out.print(said("taken_back", self.language))

    def go_to(self, state: State) -> None:
        """Go on from another position, whose story is taken as told."""
        self.state = state
        self.teller = Teller.of(state, self.language)
        self.begun = len(state._table.log or ())
        self.told.clear()
        self.seen.clear()

    def show_log(self) -> None:
        """Tell what has happened so far."""
        lines = list(Teller.of(self.state, self.language).tell(self.sight().view.log, self.prompts))
        if not lines:
            self.out.print(said("nothing_yet", self.language))
        print_lines(self.out, lines)

    def show_points(self) -> None:
        """Show everybody's points."""
        for name, points in zip(self.state.names, self.state.points, strict=True):
            self.out.print(f"  {name}: {points}")

    def show_table(self) -> None:
        """Show everything that the person at the screen may see."""
        for own in (False, True):
            for name, text, _ in self.sight().holdings(own=own):
                self.out.print(f"  {name}: {text}")


def are_numbers(decision: Decision) -> bool:
    """Whether a decision asks for a number, so that its options are not numbered."""
    return any(option.kind == "number" for option in decision.options)
