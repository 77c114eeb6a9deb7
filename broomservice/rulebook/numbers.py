"""The numbers that are played: gaps of statements filled with them, and which were changed.

A statement may have gaps with options and values of the game, `{rounds}`, `{steps[3]}`,
`{10 - hand_cards}`. An option with meanings stands for the meaning of its number.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from broomservice.pack.load import Block, Map
from broomservice.pack.problems import Place, Problems
from broomservice.rulebook.texts import in_words

if TYPE_CHECKING:
    from broomservice.compile.names import Names
    from broomservice.game import Game
    from broomservice.pack.documents import Documents

GAP = re.compile(r"\{([^{}]*)\}")
TOKEN = re.compile(r"[a-z_][a-z0-9_]*")
Amount = int | Sequence[int] | Mapping[str, int]


class Unfilled(Exception):
    """A gap that no number of the game fills: `name` is what is unknown, if it is a name."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        super().__init__(name)


@attrs.frozen
class Change:
    """A number that is played otherwise than the pack has it.

    `name` is that of the option or value, `called` what it is called, `was` and `now` what it
    would be and is, in words; `by` is the variant that changes it, empty if it was chosen.
    """

    name: str
    called: str
    was: str
    now: str
    by: str


@attrs.frozen
class Numbers:
    """Numbers and tables by name, and what single numbers of an option mean."""

    amounts: Mapping[str, Amount]
    meanings: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, documents: Documents, chosen: Mapping[str, int]) -> Numbers:
        """Return the numbers of a pack, those of variants that are not played too."""
        amounts: dict[str, Amount] = {}
        meanings: dict[str, Mapping[str, Any]] = {}
        for game in (documents.game, *patches(documents)):
            for name, node in section(game, "options").items():
                if isinstance(node, Map) and "default" in node:
                    amounts.setdefault(name, chosen.get(name, node["default"]))
                    meanings.setdefault(name, node.get("meanings", {}))
            for name, node in section(game, "values").items():
                if isinstance(node, Map) and "is" in node:
                    amounts.setdefault(name, node["is"])
        return cls(amounts, meanings)

    def filled(self, text: str, language: str) -> str:
        """Return a text with its gaps filled; a gap that nothing fills is left out of it."""

        def said(gap: re.Match[str]) -> str:
            try:
                return self.said(gap[1], language)
            except Unfilled:
                return "…"

        return GAP.sub(said, text)

    def said(self, gap: str, language: str) -> str:
        """Return what stands in a gap.

        Raises:
            Unfilled: if the game has no such number.
        """
        try:
            tree = ast.parse(gap.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            raise Unfilled from None
        number = self.number(tree)
        name = tree.id if isinstance(tree, ast.Name) else ""
        return self.meaning(name, number, language) or str(number)

    def meaning(self, name: str, number: int, language: str) -> str:
        """Return what a number of an option means; empty if it is just a number."""
        meaning = self.meanings.get(name, {}).get(str(number))
        return in_words(meaning, language) if meaning is not None else ""

    def number(self, node: ast.expr) -> int:
        """Return the number of an expression with names of numbers, tables, and + - *.

        Raises:
            Unfilled: if the game has no such number.
        """
        match node:
            case ast.Constant(value=int() as amount):
                return amount
            case ast.Name(id=name):
                found = self.amounts.get(name)
                if isinstance(found, int):
                    return found
                raise Unfilled(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self.entry(name, index)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.number(operand)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as sign, right=right):
                one, two = self.number(left), self.number(right)
                if isinstance(sign, ast.Mult):
                    return one * two
                return one + two if isinstance(sign, ast.Add) else one - two
        raise Unfilled

    def entry(self, name: str, index: ast.expr) -> int:
        """Return an entry of a table, by a number or a word.

        Raises:
            Unfilled: if the game has no such table.
        """
        table = self.amounts.get(name)
        if isinstance(table, Mapping) and isinstance(index, ast.Name):
            return table.get(index.id, 0)
        if isinstance(table, Sequence):
            return table[max(0, min(self.number(index), len(table) - 1))]
        raise Unfilled(name)

    def described(
        self,
        name: str,
        amount: Amount,
        language: str,
        words: Mapping[str, Mapping[str, str]],
        only: frozenset[str] = frozenset(),
    ) -> str:
        """Return an amount in words; of a table by words the entries of some words, or all."""
        if isinstance(amount, int):
            return self.meaning(name, amount, language) or str(amount)
        if not isinstance(amount, Mapping):
            return ", ".join(map(str, amount))
        return ", ".join(
            f"{in_words(words.get(word, word), language)} {amount.get(word, 0)}"
            for word in sorted(only) or amount
        )

    def mentioned(self, text: str) -> set[str]:
        """Return the names of numbers that the gaps of a text mention."""
        return {name for gap in GAP.findall(text) for name in TOKEN.findall(gap)} & set(
            self.amounts
        )


def patches(documents: Documents) -> Iterator[Map]:
    """Return what the variants of a pack say of its game."""
    for variant in documents.variants.values():
        yield variant.get("game", Map(variant.place))


def section(game: Map, name: str) -> Mapping[str, Any]:
    """Return a section of a game document or of a patch of one; empty if there is none."""
    found = game.get(name)
    return found if isinstance(found, Map) else {}


def numbers_of(game: Game) -> Numbers:
    """Return the numbers that are played."""
    return Numbers.of(game.documents, game.names.options)


# --- what is changed -----------------------------------------------------------------------------


def changes_of(game: Game, language: str = "en") -> tuple[Change, ...]:
    """Return the options and values that variants or choices have changed."""
    before = (game.documents.before or game.documents).game
    options = {**section(game.documents.game, "options"), **section(before, "options")}
    plain = {name: node["default"] for name, node in options.items()}
    fixed = {name: node["is"] for name, node in section(before, "values").items()}
    words, numbers = game.names.word_texts, numbers_of(game)
    result: list[Change] = []
    for name, was in {**plain, **fixed}.items():
        now = numbers.amounts.get(name, was)
        if now != was:
            only = differing(was, now)
            old, new = (numbers.described(name, one, language, words, only) for one in (was, now))
            called = called_number(game.names, name, language)
            result.append(Change(name, called, old, new, changer(game, name)))
    return tuple(result)


def differing(was: Amount, now: Amount) -> frozenset[str]:
    """Return the words whose entries differ between two tables by words."""
    if not isinstance(was, Mapping) or not isinstance(now, Mapping):
        return frozenset()
    return frozenset(word for word in {*was, *now} if was.get(word, 0) != now.get(word, 0))


def called_number(names: Names, name: str, language: str) -> str:
    """Return what an option or a value is called."""
    node = names.section("options").get(name)
    return in_words(node["name"], language) if node and "name" in node else name.replace("_", " ")


def changer(game: Game, name: str) -> str:
    """Return the variant that changes an option or a value; empty if it was chosen."""
    if name in game.option_values:
        return ""
    by = [
        variant
        for variant in game.variants
        for part in ("options", "values")
        if name in section(game.documents.variants[variant].get("game", Map(Place())), part)
    ]
    return by[-1] if by else ""


# --- checking a pack -----------------------------------------------------------------------------


def check_gaps(names: Names, problems: Problems) -> None:
    """Note the gaps of statements that no number of the pack fills."""
    rules = names.documents.rules
    if rules is None:
        return
    numbers = Numbers.of(names.documents, names.options)
    for node in rules.get("statements", {}).values():
        for part in (node, node.get("note", Map(node.place))):
            for language, text in part.items():
                if isinstance(text, str) and language not in ("source", "because", "variant"):
                    check_text(numbers, text, part.at(language), problems)


def check_text(numbers: Numbers, text: str, place: Place, problems: Problems) -> None:
    """Note the gaps of a text that no number fills, each in its column if it is in one line."""
    for gap in GAP.finditer(text):
        spot = place if isinstance(text, Block) else place.moved(gap.start(1))
        try:
            numbers.said(gap[1], "en")
        except Unfilled as error:
            if error.name:
                problems.unknown(
                    spot,
                    "unknown-name",
                    f"there is no option or number '{error.name}'",
                    error.name,
                    numbers.amounts,
                )
            else:
                problems.add(
                    spot,
                    "expression-syntax",
                    "a gap of a rule holds options and numbers, put together with + - *",
                    got=gap[1],
                )
