"""The rules and rulings to be read: numbered, with passages, and never out of date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.group import commands
from broomservice.pack.documents import content_folder
from broomservice.rulebook import (
    UnknownRule,
    cases_of,
    citations_in,
    found_statements,
    sections,
    uncited,
)
from broomservice.rulings_page import packaged_games, rulings_index, rulings_page
from tests.packs import loaded

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
GAMES = tuple(game.id for game in packaged_games())


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(commands, arguments)
    assert result.exit_code == 0, result.output
    return result.output


# --- statements ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_statement_is_listed_once(name: str) -> None:
    """Without variants all statements but those of a variant are numbered, each with a source."""
    game = loaded(name)
    rules = game.documents.rules
    assert rules is not None
    plain = {key for key, node in rules["statements"].items() if "variant" not in node}
    found = game.statements()
    assert {one.id for one in found} == plain
    assert len({one.number for one in found}) == len(found)
    for one in found:
        assert one.text
        assert one.provenance.citations or one.provenance.because, one.id


def test_variants_add_their_statements() -> None:
    """The storm clouds' rules are there if they are played, and only then."""
    without = {one.id for one in loaded("broom_service").statements()}
    played = {one.id for one in loaded("broom_service", ("storm_clouds",)).statements()}
    assert "storm_count" not in without
    assert "storm_count" in played
    assert without < played


def test_sections_follow_the_rulebook() -> None:
    """The German rulebook begins with the idea of the game, then its components, then setup."""
    found = sections(loaded("broom_service"), "de")
    assert [section.heading for section in found[:3]] == [
        "Spielidee",
        "Spielmaterial",
        "Spielvorbereitung (Grundspiel)",
    ]
    assert [section.number for section in found] == list(range(1, len(found) + 1))
    assert sections(loaded("broom_service"), "en")[1].heading == "Components"


def test_requirements_stand_with_their_section() -> None:
    """That a tower is occupied is said under the delivery of a witch, where it is cited."""
    section = next(one for one in sections(loaded("broom_service")) if one.id == "delivering_witch")
    assert section.requirements["is_free"] == "{tower} is occupied"
    assert "can_fly" not in section.requirements


def test_rules_are_printed() -> None:
    """Numbers, sentences, passages and refusals; with a variant its name and rules."""
    text = printed("rules", "broom_service", "--variant", "storm_clouds")
    assert "played with: Storm clouds" in text
    assert "There are eight storm clouds." in text
    assert "“{tower} is occupied”  (is_free)" in text
    german = printed("rules", "broom_service", "--lang", "de")
    assert "1. Spielidee" in german
    assert "Es gibt acht Sturmwolken." not in german
    data = json.loads(printed("rules", "broom_service", "--json"))
    assert data[0]["statements"][0]["number"] == "1.1"


def test_statements_are_found_by_words() -> None:
    """All words must occur; no words find nothing."""
    game = loaded("broom_service")
    found = found_statements(game, "wands tower")
    assert "delivery_tower_wands" in {one.id for one in found}
    assert found_statements(game, "") == ()
    assert found_statements(game, "xyzzy") == ()


# --- one rule ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("witch_first_moves", "statement"),
        ("is_free", "requirement"),
        ("fly", "verb"),
        ("forest witch", "role"),
        ("Waldhexe", "role"),
        ("t22", "tower"),
        ("leader", "counter"),
        ("rounds", "option"),
        ("supply", "place"),
        ("lightning_points", "value"),
        ("tower", "site"),
    ],
)
def test_anything_can_be_explained(name: str, kind: str) -> None:
    """By id or by name, in the language that is read, with what it rests on."""
    language = "de" if name == "Waldhexe" else "en"
    rule = loaded("broom_service").explain_rule(name, language)
    assert rule.kind == kind
    assert rule.titles or rule.provenance.because


def test_a_statement_names_its_rulings() -> None:
    """The rulings of a statement are those whose `rules` cite it."""
    game = loaded("broom_service")
    plain = {one.id for one in game.statements()}
    case = next(case for case in cases_of(game) if plain & set(case.rules))
    name = next(name for name in case.rules if name in plain)
    assert case.id in game.explain_rule(name).rulings
    listed = next(one for one in game.statements() if one.id == name)
    assert case.id in listed.rulings


def test_a_requirement_names_its_rulings() -> None:
    """A ruling that holds a refusal to a requirement is about it."""
    game = loaded("broom_service")
    case = next(
        one for one in cases_of(game) if "is_free" in one.node["then"].get("illegal", {}).values()
    )
    assert case.id in game.explain_rule("is_free").rulings


def test_a_counter_names_the_verbs_that_change_it() -> None:
    """The leader changes at the start of a turn and when the last brave one takes over."""
    rule = loaded("broom_service").explain_rule("leader")
    assert rule.changed_by == ("turn", "compete")
    assert rule.titles == ("Broom Service, rulebook (en), “Let the magical competition begin”",)


def test_unknown_rules_get_a_hint() -> None:
    """A misspelt rule gets the likely one."""
    with pytest.raises(UnknownRule) as caught:
        loaded("broom_service").explain_rule("is_fre")
    assert caught.value.hint == "is_free"
    assert isinstance(caught.value, bs.BroomserviceError)


# --- citations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_rulings_cite_sections_that_exist(name: str) -> None:
    """A ruling's passage stands in the pack's sources.yaml."""
    game = loaded(name)
    known = game.sources.sections()
    for case in cases_of(game):
        for doc, section in citations_in(case.node):
            assert section in known.get(doc, {}), (case.id, doc, section)


def test_uncited_sections_are_found() -> None:
    """A section that is added to the sources and cited by nothing is reported."""
    game = bs.load("broom_service")
    assert ("de", "never_cited") not in uncited(game)
    sources = game.documents.sources
    assert sources is not None
    known = sources["documents"]["de"]["sections"]
    known.put("never_cited", "Nie", known.place, known.place)
    assert ("de", "never_cited") in uncited(game)


@pytest.mark.parametrize("name", GAMES)
def test_every_section_is_cited(name: str) -> None:
    """The packs of the package list no section that nothing cites; the command says so."""
    assert printed("sources", name, "--uncited") == "Every section is cited.\n"


# --- the page of rulings -------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_pages_are_up_to_date(name: str) -> None:
    """The page is what `broomservice rulings GAME --markdown` prints now."""
    page = (DOCS / "rulings" / f"{name}.md").read_text(encoding="utf-8")
    assert page == rulings_page(loaded(name)), (
        f"run: broomservice rulings {name} --markdown > docs/rulings/{name}.md"
    )


def test_index_is_up_to_date() -> None:
    """The index leads to every game's page."""
    index = (DOCS / "rulings.md").read_text(encoding="utf-8")
    assert index == rulings_index([loaded(name) for name in GAMES]), (
        "run: broomservice rulings --markdown > docs/rulings.md"
    )
    assert {path.stem for path in (DOCS / "rulings").glob("*.md")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_pages_have_every_ruling_in_full(name: str, language: str) -> None:
    """Question, answer and name of each ruling; numbers count within a topic's file."""
    game = loaded(name)
    page = rulings_page(game, language)
    for case in cases_of(game):
        assert f"{case.number}. {case.text('question', language).strip()}" in page
        assert case.text("answer", language).strip() in page
        assert f'<a id="{case.id}"></a>' in page
    assert "unknown" not in {line.partition(":")[0] for line in page.splitlines()}


def test_pages_tell_readings_and_certainty() -> None:
    """Where the rulebook can be read in two ways, both are told, with the option that decides."""
    page = rulings_page(loaded("broom_service"))
    start = page.index('<a id="no_potion_left_to_gather"></a>')
    entry = page[start : page.index("<a id=", start + 5)]
    assert "Another reading (`shortage=0`): Whatever has run out is not to be had." in entry
    assert "“Die Rollen, Sammler”" in entry
    assert "Follows from the rulebook" in page
    assert "The rulebook can be read in more than one way" in page


def test_pages_are_printed() -> None:
    """The command prints the page, or the index; numbers stay with the order in the file."""
    assert printed("rulings", "wizard_extreme", "--markdown") == rulings_page(
        loaded("wizard_extreme")
    )
    assert "(rulings/wizard_extreme.md)" in printed("rulings", "--markdown")
    folder = content_folder("cards") / "wizard_extreme" / "rulings"
    assert len(cases_of(loaded("wizard_extreme"))) == sum(
        text.count("\n    question:")
        for text in (path.read_text(encoding="utf-8") for path in folder.glob("*.yaml"))
    )
