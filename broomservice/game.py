"""A game: a pack compiled for its numbers of players, immutable and shareable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from broomservice import rulebook
from broomservice.compile.compiler import Compiled, Compiler, action_bases
from broomservice.compile.names import Names
from broomservice.core.errors import BroomserviceError, RuleError
from broomservice.errors import AmbiguousMove, UnknownMove
from broomservice.option import PASS, Option
from broomservice.pack.documents import (
    Documents,
    apply_variant,
    find_pack,
    load_document,
    load_documents,
)
from broomservice.pack.lint import lint
from broomservice.pack.load import Map, Seq
from broomservice.pack.problems import PackError, Place, Problems, likely
from broomservice.pack.provenance import Sources
from broomservice.rulebook import Rule, Statement
from broomservice.state import State, lines_of


@attrs.frozen
class Playout:
    """How one random game ended: points by player, and the number of decisions."""

    points: tuple[int, ...]
    decisions: int


@attrs.frozen(eq=False)
class Game:
    """A compiled pack: immutable, shareable between threads that only read.

    Made by `load`. `variants` and `option_values` are those that were applied.
    """

    id: str
    documents: Documents
    names: Names
    sources: Sources
    variants: tuple[str, ...]
    option_values: Mapping[str, int]
    options: tuple[Option, ...]
    labels: Mapping[str, Option]
    digest: str
    _compiled: dict[int, Compiled] = attrs.field(factory=dict, repr=False)

    def __repr__(self) -> str:
        extra = "".join(f" + {variant}" for variant in self.variants)
        return f"<Game {self.id}{extra}>"

    def name(self, language: str = "en") -> str:
        """Return what the game is called."""
        text = self.documents.game["name"]
        if isinstance(text, str):
            return text
        return str(text.get(language) or text.get("en") or self.id)

    @property
    def players(self) -> range:
        """The numbers of players that the game can be played with."""
        return range(self.names.least_players, self.names.most_players + 1)

    @property
    def longest(self) -> int:
        """The declared bound: no game takes more decisions."""
        return int(self.documents.game.get("longest", 100_000))

    def compiled(self, players: int) -> Compiled:
        """Return the program for a number of players; compiled on first use, then kept.

        Raises:
            BroomserviceError: if the game is not for so many players.
        """
        if players not in self.players:
            raise BroomserviceError(
                f"{self.id} is for {self.names.least_players} to {self.names.most_players} "
                f"players, not {players}"
            )
        if players not in self._compiled:
            problems = Problems()
            names = Names(self.documents, problems, dict(self.option_values))
            names.gather()
            self._compiled[players] = Compiler(names, problems, self.sources, players).compile()
        return self._compiled[players]

    def start(
        self,
        players: int,
        *,
        seed: int = 0,
        names: Iterable[str] = (),
        log: bool = True,
        chance_asks: bool = False,
    ) -> State:
        """Return the first position of a new game.

        Args:
            players: how many play.
            seed: any whole number; equal seeds and answers give equal games everywhere.
            names: what the players are called in sentences; "p1", "p2", ... if not given.
            log: whether to keep what happens, with reasons; off, games run faster.
            chance_asks: whether draws are decisions to be answered by the caller, as when
                replaying a game from a table, instead of by the seed.

        Raises:
            BroomserviceError: if the game is not for so many players.

        >>> import broomservice as bs
        >>> state = bs.load("broom_service").start(players=4, seed=7)
        >>> state.decision.player
        0
        """
        compiled = self.compiled(players)
        try:
            table = compiled.program.start(seed, chance_asks=chance_asks, logged=log)
        except RuleError as fault:
            where = lines_of(fault, compiled)
            raise RuleError(f"{fault.message}: {where}", fault.steps) from None
        called = tuple(names) or tuple(f"p{i + 1}" for i in range(players))
        if len(called) != players:
            raise BroomserviceError(f"{len(called)} names for {players} players")
        if len(set(called)) < players:
            raise BroomserviceError("two players have the same name")
        return State(self, compiled, table, called, seed)

    def playouts(self, count: int, *, players: int, seed: int = 0) -> list[Playout]:
        """Return the ends of so many random games, played wholly inside the core.

        Game number i of them depends on `seed + i` alone.

        >>> import broomservice as bs
        >>> len(bs.load("broom_service").playouts(2, players=2, seed=1))
        2
        """
        program = self.compiled(players).program
        result: list[Playout] = []
        for i in range(count):
            *points, decisions = program.playout(seed + i)
            result.append(Playout(tuple(points), decisions))
        return result

    def option(self, name: str | int | Option) -> Option:
        """Return the option of a label or an id, whether or not it is open anywhere.

        Raises:
            UnknownMove: if nothing is called so; it names the likely spelling.
            AmbiguousMove: if several things are called so.

        >>> import broomservice as bs
        >>> bs.load("broom_service").option("forest witch").label
        'forest_witch'
        """
        if isinstance(name, Option):
            return name
        if isinstance(name, int):
            if 0 <= name < len(self.options):
                return self.options[name]
            raise UnknownMove(str(name), "")
        if not isinstance(name, str):
            raise UnknownMove(str(name), "")
        if name in self.labels:
            return self.labels[name]
        wanted = plain(name)
        found = [
            option
            for option in self.options
            if wanted in {plain(option.label), *(plain(text) for text in option.text.values())}
        ]
        if len(found) > 1:
            raise AmbiguousMove(name, tuple(option.label for option in found))
        if not found:
            known = [
                text
                for option in self.options
                if option.kind != "number"
                for text in (option.label, *option.text.values())
            ]
            raise UnknownMove(name, likely(name, known))
        return found[0]

    def statements(self, language: str = "en") -> tuple[Statement, ...]:
        """Return every sentence of the rules that holds with these variants, numbered.

        >>> import broomservice as bs
        >>> bs.load("broom_service").statements()[0].number
        '1.1'
        """
        return rulebook.statements(self, language)

    def explain_rule(self, name: str, language: str = "en") -> Rule:
        """Return a statement, a requirement, a verb, a piece or another part of the game in words.

        Args:
            name: its id, or what it is called, in any language of the pack.
            language: the language of the texts.

        Raises:
            UnknownRule: if nothing is called so; it names the likely spelling.

        >>> import broomservice as bs
        >>> bs.load("broom_service").explain_rule("Waldhexe").id
        'forest_witch'
        """
        return rulebook.explain_rule(self, name, language)

    def from_json(self, text: str) -> State:
        """Return the position that `State.to_json` wrote.

        Raises:
            BroomserviceError: if it is of another game, variant or version of the pack, or is
                damaged.
        """
        return State.from_json(self, text)


def plain(text: str) -> str:
    """Return a name without the differences that people do not care about."""
    return text.strip().casefold().replace(" ", "_").replace("-", "_").replace("?", "").rstrip("!_")


def load(
    game: str | Path,
    *,
    variants: Iterable[str | Path] = (),
    options: Mapping[str, int] | None = None,
    board: str | None = None,
) -> Game:
    """Load, check and compile a game.

    Args:
        game: the id of a game that comes with this package, or the folder of a pack.
        variants: ids of the pack's variants, or paths of variant files; applied in this order.
        options: numbers for the options that the pack declares, such as the rounds.
        board: the board to play on, if not the pack's first.

    Raises:
        PackError: if the pack has mistakes; `problems` lists all of them, each with its place.

    >>> import broomservice as bs
    >>> bs.load("broom_service")
    <Game broom_service>
    """
    problems = Problems()
    documents = read_documents(game, problems)
    documents = with_variants(documents, list(variants), problems)
    documents = on_board(documents, board, problems)
    return compile_documents(documents, dict(options or {}), problems)


def on_board(documents: Documents, board: str | None, problems: Problems) -> Documents:
    """Return the documents with a board chosen, if one is named.

    Raises:
        PackError: if the variants in force do not go with the board.
    """
    before = len(problems.found)
    if board is not None:
        for name in documents.patched:
            changes = documents.variants[name].get("game", {})
            if changes.get("board", board) != board:
                problems.add(
                    changes.at("board"),
                    "wrong-value",
                    f"'{name}' is played on the board '{changes['board']}', not on '{board}'",
                    got=board,
                    expected=str(changes["board"]),
                )
        patch = Map(Place())
        patch.put("board", board, Place(), Place())
        documents = attrs.evolve(documents, game=merged_game(documents.game, patch))
    chosen = documents.boards.get(str(documents.game.get("board")))
    needs = chosen.get("needs", Seq(chosen.place)) if chosen is not None else Seq(Place())
    for i, needed in enumerate(needs):
        if needed not in documents.patched:
            problems.add(
                needs.at(i),
                "variant-needs",
                f"the board '{documents.game['board']}' is played only with '{needed}'",
                expected=needed,
            )
    if len(problems.found) > before:
        problems.raise_if_any()
    return documents


def merged_game(game: Map, patch: Map) -> Map:
    """Return the game document with a patch applied."""
    from broomservice.pack.documents import merged

    result = merged(game, patch)
    assert isinstance(result, Map)
    return result


def read_documents(game: str | Path, problems: Problems) -> Documents:
    """Return the documents of a pack.

    Raises:
        PackError: if there is no such pack, or its game.yaml cannot be used at all.
    """
    folder = find_pack(game, problems)
    if folder is None:
        raise PackError(problems.found)
    documents = load_documents(folder, problems)
    if documents is None or any(key not in documents.game for key in ("players", "play")):
        raise PackError(problems.found)
    return documents


def with_variants(
    documents: Documents, variants: list[str | Path], problems: Problems
) -> Documents:
    """Return the documents with variants applied, whatever the order in which they are named.

    Raises:
        PackError: if a variant does not exist, or the combination makes no sense.
    """
    found = [found_variant(documents, one, problems) for one in variants]
    names = list(dict.fromkeys(name for name in found if name))
    if not all(found) or not check_combination(documents, names, problems):
        problems.raise_if_any()
    for name in in_order(documents, names):
        documents = apply_variant(documents, documents.variants[name], problems)
    return documents


def in_order(documents: Documents, names: list[str]) -> list[str]:
    """Return variants so that each comes after those that it follows, else as they were named."""
    result: list[str] = []
    waiting = [name for name in documents.variants if name in names]
    while waiting:
        for name in waiting:
            follows = documents.variants[name].get("follows", ())
            if not any(other in waiting and other != name for other in follows):
                break
        else:
            name = waiting[0]
        waiting.remove(name)
        result.append(name)
    return result


def found_variant(documents: Documents, variant: str | Path, problems: Problems) -> str:
    """Return the id of a variant of the pack, or of a file; an empty string if there is none."""
    name = str(variant)
    if name in documents.variants:
        return name
    path = Path(variant)
    if not path.is_file():
        problems.unknown(
            Place(),
            "unknown-variant",
            f"there is no variant '{name}'",
            name,
            documents.variants,
        )
        return ""
    document = load_document(path, problems)
    if document is None or "variant" not in document:
        return ""
    if document.get("of") != documents.game.get("game"):
        problems.add(
            document.at("of"),
            "wrong-value",
            f"this is a variant of '{document.get('of')}', not of '{documents.game.get('game')}'",
            got=str(document.get("of")),
            expected=str(documents.game.get("game")),
            hint=likely(str(document.get("of")), [str(documents.game.get("game"))]),
        )
    documents.variants[str(document["variant"])] = document
    return str(document["variant"])


def check_combination(documents: Documents, names: list[str], problems: Problems) -> bool:
    """Refuse variants that need others, or that do not go together; return whether they do."""
    before = len(problems.found)
    for name in names:
        variant = documents.variants[name]
        needs: Seq = variant.get("needs", Seq(variant.place))
        for i, needed in enumerate(needs):
            if needed not in names:
                problems.add(
                    needs.at(i),
                    "variant-needs",
                    f"'{name}' is played only with '{needed}'",
                    expected=needed,
                )
        excludes: Seq = variant.get("excludes", Seq(variant.place))
        for i, excluded in enumerate(excludes):
            if excluded in names:
                problems.add(
                    excludes.at(i),
                    "variant-excludes",
                    f"'{name}' does not go with '{excluded}'",
                    got=excluded,
                )
    return len(problems.found) == before


def compile_documents(
    documents: Documents, option_values: dict[str, int], problems: Problems
) -> Game:
    """Return the compiled game.

    Raises:
        PackError: if the pack has mistakes.
    """
    names = Names(documents, problems, option_values)
    names.gather()
    sources = Sources(documents, problems)
    sources.collect()
    compiler = Compiler(names, problems, sources, names.most_players)
    compiler.check()
    lint(compiler)
    rulebook.check_gaps(names, problems)
    problems.raise_if_any()
    compiled = compiler.link()
    options = tuple(all_options(names))
    game = Game(
        str(documents.game["game"]),
        documents,
        names,
        sources,
        documents.patched,
        option_values,
        options,
        {option.label: option for option in options},
        digest_of(documents, option_values),
    )
    game._compiled[names.most_players] = compiled
    return game


def all_options(names: Names) -> Iterator[Option]:
    """Return everything that can ever be picked, in the order of the action space."""
    bases, count = action_bases(names)
    yield Option(PASS, "pass", "pass", 0, {"en": "pass", "de": "weiter"})
    for i in range(names.most_players):
        yield Option(bases["player"] + i, f"p{i + 1}", "player", i, {"en": f"p{i + 1}"})
    for piece in names.pieces.values():
        yield Option(bases["piece"] + piece.number, piece.id, "piece", piece.number, piece.text)
    for site in names.sites.values():
        yield Option(bases["site"] + site.number, site.id, "site", site.number, site.text)
    for word, (number, _) in names.words.items():
        yield Option(bases["word"] + number, word, "word", number, names.word_texts[word])
    for i, (label, text) in enumerate(names.labels.items()):
        yield Option(bases["label"] + i, label, "label", i, text)
    for i in range(count - bases["number"]):
        yield Option(bases["number"] + i, str(i), "number", i, {"en": str(i)})


def digest_of(documents: Documents, option_values: Mapping[str, int]) -> str:
    """Return a digest of everything that decides how the game runs."""
    content: list[Any] = [documents.game, documents.cards, dict(option_values)]
    board = documents.game.get("board")
    content.append(documents.boards.get(str(board)) if board else None)
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
