"""A record: a game as played, as a person writes it at the table or a program by the thousand."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.core.table import CHANCE
from broomservice.pack.documents import content_folder, known_games
from broomservice.pack.problems import PackError, Place
from broomservice.records.prints import EVERY, document_digests, fingerprint
from broomservice.records.running import Run, was_asked

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.records.findings import Finding, Report
    from broomservice.state import State

UNKNOWN = "?"
SUFFIXES = (".yaml", ".yml")


class RecordError(BroomserviceError):
    """A record cannot be made, or cannot be replayed; `findings` say what is wrong with it."""

    def __init__(self, message: str, findings: tuple[Finding, ...] = ()) -> None:
        self.findings = findings
        super().__init__(message)


@attrs.frozen
class Move:
    """One answer as it is written: by whom, its text ("?" if nobody saw it), and where it stands.

    Moves with the same `entry` are written together; -1 stands for an entry of its own.
    """

    player: str
    text: str
    line: int = 0
    column: int = 0
    entry: int = -1


@attrs.frozen
class Pins:
    """What a program noted while the game was played, to tell whether a replay is exact.

    Digests of the pack and of its documents, fingerprints after each `every` answers and at the
    end, and the points at the end.
    """

    pack: str
    documents: Mapping[str, str]
    every: int
    prints: tuple[str, ...]
    end: str
    points: tuple[int, ...]


@attrs.frozen
class Record:
    """A game as played: which game, who played, and the moves.

    `seed` is None if the draws are among the moves, by the player "chance". `board` is empty for
    the pack's first one. `places` tells where in its file it names the game and what is chosen.

    >>> import broomservice as bs
    >>> state = bs.load("broom_service").start(players=2, seed=4).play("forest_witch")
    >>> record = state.record()
    >>> [move.text for move in record.moves], record.check().verdict
    (['forest_witch'], 'legal')
    """

    game: str
    players: tuple[str, ...]
    moves: tuple[Move, ...]
    variants: tuple[str, ...] = ()
    board: str = ""
    options: Mapping[str, int] = attrs.field(factory=dict)
    seed: int | None = None
    pins: Pins | None = None
    file: str = ""
    places: Mapping[str, Place] = attrs.field(factory=dict, eq=False, repr=False)

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """Return the record in a YAML or JSON file.

        Raises:
            PackError: if the file is no record; `problems` lists all its mistakes.
        """
        from broomservice.records.reading import read_record

        return read_record(Path(path))

    @classmethod
    def from_state(cls, state: State, *, draws: bool = False) -> Record:
        """Return the record of a game up to a position.

        Args:
            state: a position reached by playing from the start of the game, with its log on.
            draws: whether to write what chance gave even if a seed gave it.

        Raises:
            RecordError: if the log is off, or the position was not reached by playing.
        """
        return record_of(state, draws=draws)

    def save(self, path: str | Path) -> None:
        """Write the record: JSON if the name ends with .json, else YAML.

        Raises:
            RecordError: if the file cannot be written.
        """
        from broomservice.records.writing import as_json, as_yaml

        record = attrs.evolve(
            self,
            game=seen_from(Path(path), self.game),
            variants=tuple(seen_from(Path(path), name) for name in self.variants),
        )
        text = as_json(record) if Path(path).suffix == ".json" else as_yaml(record)
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror}") from None

    def load_game(self) -> Game:
        """Return the game that the record is of.

        Raises:
            PackError: if there is no such game, or it has mistakes; what the record asks for in
                vain is shown in the record's own line.
        """
        from broomservice.records.placing import placed

        folder = Path(self.file).parent
        variants = tuple(
            str(folder / name) if name.endswith(SUFFIXES) else name for name in self.variants
        )
        is_known = self.game in known_games()
        load, name = (known_game, self.game) if is_known else (loaded_game, str(folder / self.game))
        try:
            return load(name, variants, self.board, tuple(self.options.items()))
        except PackError as error:
            raise placed(self, error) from None

    def check(self, game: Game | None = None, *, language: str = "en") -> Report:
        """Return whether the record is legal, illegal, or depends on what nobody saw, and why.

        Args:
            game: the game, if it is loaded already; else it is loaded.
            language: the language of the sentences.

        Raises:
            PackError: if the game cannot be loaded, or is not for so many players.
        """
        from broomservice.records.placing import check_players
        from broomservice.records.report import check_record

        game = game or self.load_game()
        check_players(self, game)
        return check_record(self, game, language)

    def replay(self, game: Game | None = None) -> Iterator[State]:
        """Return the positions: the first one, and that after each answer.

        Raises:
            RecordError: if the record is illegal.
        """
        report = self.check(game)
        if not report:
            wrong = report.errors[0]
            raise RecordError(str(wrong), report.findings)
        state = report.beginning()
        yield state
        for answer in report.answers:
            state = state.play(answer.option)
            yield state


def seen_from(file: Path, name: str) -> str:
    """Return a path as it is seen from a file; an id stays as it is."""
    path = Path(name)
    if not path.is_absolute():
        return name
    seen = Path(os.path.relpath(path, file.resolve().parent)).as_posix()
    return seen if "/" in seen else f"./{seen}"


@lru_cache(maxsize=8)
def known_game(
    game: str, variants: tuple[str, ...], board: str, options: tuple[tuple[str, int], ...]
) -> Game:
    """Return a game that comes with the package; the last ones are kept."""
    return loaded_game(game, variants, board, options)


def loaded_game(
    game: str, variants: tuple[str, ...], board: str, options: tuple[tuple[str, int], ...]
) -> Game:
    """Return a game."""
    from broomservice.game import load

    return load(game, variants=variants, options=dict(options), board=board or None)


# --- from a position ------------------------------------------------------------------------------


def record_of(state: State, *, draws: bool) -> Record:
    """Return the record of a game up to a position; see `Record.from_state`."""
    log = state._table.log
    if log is None:
        raise RecordError("a game without a log cannot be recorded: start it with log=True")
    asks = state._table.chance_asks
    seed = None if draws or asks else state._seed
    questions = state._compiled.questions
    answers = [
        (line[1], line[2])
        for line in log
        if was_asked(line, questions) and (seed is None or line[1] != CHANCE)
    ]
    run, prints = replayed(state, seed, answers)
    if not same(run.state, state):
        raise RecordError("this position was not reached by playing from the start of the game")
    game = state.game
    pins = Pins(
        game.digest,
        document_digests(game),
        EVERY,
        tuple(prints),
        fingerprint(run.state),
        state.points,
    )
    moves = tuple(
        Move("chance" if player == CHANCE else state.names[player], game.options[option].label)
        for player, option in answers
    )
    return Record(
        game_name(game),
        state.names,
        moves,
        variant_names(game),
        str(game.documents.game.get("board") or ""),
        dict(game.option_values),
        seed,
        pins,
    )


def replayed(
    state: State, seed: int | None, answers: list[tuple[int, int]]
) -> tuple[Run, list[str]]:
    """Return the game played anew with these answers, with fingerprints on the way."""
    run = Run.begin(state.game, state.names, seed or 0, chance_asks=seed is None)
    prints: list[str] = []
    for i, (player, option) in enumerate(answers, start=1):
        if player != run.state.player or option not in run.state.option_ids:
            break
        try:
            run.answer(option, i)
        except RuleError:
            break
        if i % EVERY == 0:
            prints.append(fingerprint(run.state))
    return run, prints


def same(one: State, two: State) -> bool:
    """Whether positions are the same but for the generator of chance."""
    return one._table.cells == two._table.cells and one._table.stack == two._table.stack


def game_name(game: Game) -> str:
    """Return how a record names a game: its id, or the folder of a pack of one's own."""
    if game.documents.folder.resolve() == (content_folder("cards") / game.id).resolve():
        return game.id
    return str(game.documents.folder.resolve())


def variant_names(game: Game) -> tuple[str, ...]:
    """Return how a record names the variants: ids, or files from outside of the pack."""
    result: list[str] = []
    for name in game.variants:
        file = Path(game.documents.variants[name].place.file).resolve()
        inside = game.documents.folder.resolve() in file.parents
        result.append(name if inside else str(file))
    return tuple(result)


def is_record(path: Path) -> bool:
    """Whether a file is a record: its first key says so."""
    try:
        with path.open(encoding="utf-8") as file:
            head = file.read(4000)
    except (OSError, UnicodeDecodeError):
        return False
    lines = (line.strip() for line in head.splitlines())
    first = next((line for line in lines if line not in ("", "{", "---") and line[0] != "#"), "")
    return first.lstrip("{ ").replace('"', "").replace(" ", "").startswith("record:")


def seed_of(value: Any) -> int | None:
    """Return a seed as written; large ones are texts."""
    return None if value is None else int(value)


def data_of(record: Record) -> dict[str, Any]:
    """Return a record as plain data, moves of one player in a row together."""
    result: dict[str, Any] = {"record": record.game}
    if record.variants:
        result["variants"] = list(record.variants)
    if record.board:
        result["board"] = record.board
    if record.options:
        result["options"] = dict(record.options)
    result["players"] = list(record.players)
    if record.seed is None:
        result["chance"] = "asked"
    else:
        big = abs(record.seed) > 1_000_000
        result["seed"] = str(record.seed) if big else record.seed
    result["moves"] = [{player: texts} for player, texts in entries_of(record)]
    if record.pins is not None:
        pins = attrs.asdict(record.pins)
        result["pins"] = json.loads(json.dumps(pins))
    return result


def entries_of(record: Record) -> Iterator[tuple[str, list[str]]]:
    """Return the moves as they are written together: by entry, or in a row by one player."""
    player, entry, width = "", -2, 0
    texts: list[str] = []
    for move in record.moves:
        goes_on = (
            move.player == player
            and move.entry == entry
            and (
                entry >= 0
                or (width + len(move.text) < 84 and UNKNOWN not in (move.text, texts[-1]))
            )
        )
        if texts and not goes_on:
            yield player, texts
            texts, width = [], 0
        player, entry = move.player, move.entry
        texts.append(move.text)
        width += len(move.text) + 2
    if texts:
        yield player, texts
