"""The talk with a referee: each sentence goes to what answers it, until nothing more is asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from rich.text import Text

from broomservice.cli.asking import acting, arranging, choices, facts, history, leading, wondering
from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.words import COMMANDS, HELP, command_of
from broomservice.cli.play import Stopped
from broomservice.cli.texts import LANGUAGES
from broomservice.errors import BroomserviceError, EngineError
from broomservice.scenario import ScenarioError


def talk(referee: Referee) -> None:
    """Answer what is typed until nothing more comes."""
    referee.out.print(Text(referee.game.name(referee.language), style="bold"))
    referee.say("ask_welcome", referee.state.names[0])
    referee.show_question()
    complete(completions(referee))
    try:
        while True:
            referee.out.print("> ", end="")
            answer(referee, input())
    except (EOFError, KeyboardInterrupt, Stopped):
        referee.out.print()
        referee.say("goodbye")


def answer_all(referee: Referee, sentences: Iterable[str]) -> None:
    """Answer some sentences, each shown before its answer."""
    try:
        for line in sentences:
            referee.out.print(Text(f"> {line}", style="bold"))
            answer(referee, line)
    except Stopped:
        return


def answer(referee: Referee, line: str) -> None:
    """Answer one sentence; a mistake is said, and nothing is changed by it.

    Raises:
        Stopped: if the sentence is that nothing more is asked.
    """
    text = " ".join(line.split()).rstrip("?!. ") or line.strip()
    if not text:
        return
    command, rest = command_of(text)
    try:
        HANDLERS[command](referee, text if command == "question" else rest)
    except EngineError:
        raise
    except ScenarioError as error:
        referee.out.print(error.text(referee.language))
    except BroomserviceError as error:
        referee.out.print(str(error))


def answer_anything(referee: Referee, text: str) -> None:
    """Answer a sentence that begins with no command: about a counter, or an option."""
    if not facts.show_counters(referee, text):
        choices.ask_about(referee, text)


def show_help(referee: Referee, _: str) -> None:
    """List what can be asked."""
    referee.out.print(HELP[LANGUAGES.index(referee.language)])


def stop(_referee: Referee, _: str) -> None:
    """Ask nothing more.

    Raises:
        Stopped: always.
    """
    raise Stopped


HANDLERS: dict[str, Callable[[Referee, str], None]] = {
    "may": choices.may,
    "why": leading.why,
    "must": history.why_forced,
    "question": wondering.wonder,
    "what_if": acting.what_if,
    "options": acting.show_options,
    "play": acting.play,
    "undo": acting.undo,
    "forced": history.forced,
    "score": facts.score,
    "rule": facts.show_rules,
    "log": facts.tell_log,
    "put": arranging.put,
    "set": arranging.set_counter,
    "begin": arranging.begin,
    "save": arranging.save,
    "help": show_help,
    "quit": stop,
    "": answer_anything,
}


# --- completion -----------------------------------------------------------------------------------


def completions(referee: Referee) -> list[str]:
    """Return what a sentence may be completed with."""
    game = referee.game
    labels = [option.label for option in game.options if option.kind != "number"]
    return sorted({*COMMANDS, *labels, *referee.state.names, *game.names.counters})


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
