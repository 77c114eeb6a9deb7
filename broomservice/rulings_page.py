"""The rulings of a game as a page to be read: grouped, numbered, with answers and passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from broomservice.pack.documents import known_games
from broomservice.render import in_language
from broomservice.rulebook import cases_of, in_words

if TYPE_CHECKING:
    from broomservice.game import Game
    from broomservice.rulings import Case

WORDS: dict[str, dict[str, str]] = {
    "title": {"en": "Rulings: {}", "de": "Regelfragen: {}"},
    "made": {
        "en": "This page is made from the game's rulings by `broomservice rulings {} --markdown`.",
        "de": "Diese Seite entsteht aus den Fällen durch"
        " `broomservice rulings {} --markdown --lang de`.",
    },
    "run": {
        "en": "Every answer is run against the rules, under each reading. A number stays with its"
        " question as long as new ones are added at the end of a topic; the name in small"
        " type never changes.",
        "de": "Jede Antwort wird an den Regeln geprüft, in jeder Lesart. Die Nummer bleibt bei"
        " ihrer Frage, solange neue am Ende eines Themas stehen; der klein gedruckte Name"
        " ändert sich nie.",
    },
    "questions": {"en": "{} questions", "de": "{} Fragen"},
    "cited": {"en": "The rulebook says so", "de": "So steht es in der Regel"},
    "deduced": {"en": "Follows from the rulebook", "de": "Folgt aus der Regel"},
    "ambiguous": {
        "en": "The rulebook can be read in more than one way",
        "de": "Die Regel lässt mehrere Lesarten zu",
    },
    "assumed": {"en": "No rulebook says so", "de": "Das steht in keiner Regel"},
    "variants": {"en": "Played with: {}.", "de": "Gespielt mit: {}."},
    "reading": {
        "en": "Another reading (`{}`): {}",
        "de": "Eine andere Lesart (`{}`): {}",
    },
    "index": {
        "en": "What players ask, with the answers of this package, run against the rules.",
        "de": "Was Spieler fragen, mit den Antworten dieses Pakets, an den Regeln geprüft.",
    },
    "index_title": {"en": "Rulings", "de": "Regelfragen"},
}


def said(key: str, language: str, *parts: object) -> str:
    """Return a sentence of the page, its gaps filled."""
    return in_language(WORDS[key], language).format(*parts)


def rulings_page(game: Game, language: str = "en") -> str:
    """Return a game's rulings as Markdown: by topic, each with answer, passage and readings."""
    topics = by_topic(cases_of(game))
    lines = [
        f"# {said('title', language, game.name(language))}",
        "",
        said("made", language, game.id),
        said("run", language),
        "",
    ]
    for stem, cases in topics:
        count = said("questions", language, len(cases))
        lines.append(f"- [{heading(cases[0], language)}](#{stem}) ({count})")
    for stem, cases in topics:
        lines += ["", f'<a id="{stem}"></a>', "", f"## {heading(cases[0], language)}"]
        for case in cases:
            lines += ["", *ruling_lines(game, stem, case, language)]
    return "\n".join(lines) + "\n"


def rulings_index(games: Sequence[Game], language: str = "en") -> str:
    """Return the page that leads to the rulings of each game."""
    lines = [f"# {said('index_title', language)}", "", said("index", language), ""]
    for game in games:
        count = said("questions", language, len(cases_of(game)))
        lines.append(f"- [{game.name(language)}](rulings/{game.id}.md) ({count})")
    return "\n".join(lines) + "\n"


def packaged_games() -> tuple[Game, ...]:
    """Return the games of the package that have rulings."""
    from broomservice.game import load

    games = tuple(load(name) for name in known_games())
    return tuple(game for game in games if cases_of(game))


def by_topic(cases: Sequence[Case]) -> list[tuple[str, list[Case]]]:
    """Return the cases of each file, by the file's name."""
    topics: dict[str, list[Case]] = {}
    for case in cases:
        topics.setdefault(Path(case.place.file).stem, []).append(case)
    return list(topics.items())


def heading(case: Case, language: str) -> str:
    """Return what a topic is called."""
    return in_language(case.headings, language) or case.topic


def ruling_lines(game: Game, stem: str, case: Case, language: str) -> Iterator[str]:
    """Return one question with its answer, what it rests on, and other readings."""
    yield f'<a id="{case.id}"></a>'
    yield ""
    yield f"### {stem.replace('_', ' ')} {case.number}. {case.text('question', language).strip()}"
    yield ""
    if variants := case.node.get("variants", ()):
        names = ", ".join(variant_name(game, name, language) for name in variants)
        yield said("variants", language, names)
        yield ""
    yield case.text("answer", language).strip()
    for reading in case.node.get("readings", ()):
        yield ""
        words = wording(game, reading, language)
        yield f"- {said('reading', language, options_of(reading), words)}"
    yield ""
    yield f"<sub>{grounds(game, case, language)} `{case.id}`</sub>"


def variant_name(game: Game, name: str, language: str) -> str:
    """Return what a variant is called."""
    node = game.documents.variants.get(name)
    return in_words(node.get("name", name), language) if node is not None else name


def options_of(reading: Any) -> str:
    """Return the options that a reading sets."""
    return ", ".join(f"{name}={value}" for name, value in reading["options"].items())


def wording(game: Game, reading: Any, language: str) -> str:
    """Return a reading in words: its own, or those of the options that it sets."""
    if "text" in reading:
        return in_words(reading["text"], language).strip()
    options = game.names.section("options")
    parts: list[str] = []
    for name, value in reading["options"].items():
        node = options.get(name, {})
        meaning = in_words(node.get("meanings", {}).get(str(value), str(value)), language)
        parts.append(f"{in_words(node.get('name', name), language)}: {meaning}")
    return "; ".join(parts) + "."


def grounds(game: Game, case: Case, language: str) -> str:
    """Return what an answer rests on, and how surely."""
    provenance = game.sources.read(case.node)
    certainty = str(case.node.get("certainty", provenance.certainty))
    titles = "; ".join(game.sources.title(citation) for citation in provenance.citations)
    head = said(certainty, language) if certainty in WORDS else certainty
    parts = [f"{head}: {titles}" if titles else head, provenance.because]
    return " ".join(part if part.endswith(".") else f"{part}." for part in parts if part)
