"""The rules and rulings to be read: numbered, with passages, and never out of date."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import broomservice as bs
from broomservice.cli.group import commands
from broomservice.compile.types import PLAYER
from broomservice.pack.documents import content_folder
from broomservice.pack.problems import Place
from broomservice.rulebook import (
    Statement,
    UnknownRule,
    cases_of,
    changes_of,
    citations_in,
    found_statements,
    sections,
    uncited,
)
from broomservice.rulebook.general import Generally
from broomservice.rulebook.naming import found_name
from broomservice.rulebook.numbers import Numbers
from broomservice.rulings_page import packaged_games, rulings_index, rulings_page
from tests.packs import COMBINATIONS, loaded

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
HEARTS = ROOT / "examples" / "hearts"
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
    """A refusal without gaps stands where it is cited; one with gaps is told by statements."""
    every = {one.id: one for one in sections(loaded("wizard_extreme"))}
    assert every["prediction"].requirements == {
        "is_free_magician": "the black magician is already taken"
    }
    assert "follows" not in every["tricks"].requirements


def test_rules_are_printed() -> None:
    """Numbers, sentences, passages and refusals; with a variant its name and rules."""
    text = printed("rules", "broom_service", "--variant", "storm_clouds")
    assert "played with: Storm clouds" in text
    assert "There are eight storm clouds." in text
    assert "is occupied and takes no further potion.  (delivery_tower_filled)" in text
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
    assert "Broom Service, rulebook (en), “Let the magical competition begin”" in rule.titles


def test_unknown_rules_get_a_hint() -> None:
    """A misspelt rule gets the likely one."""
    with pytest.raises(UnknownRule) as caught:
        loaded("broom_service").explain_rule("is_fre")
    assert caught.value.hint == "is_free"
    assert isinstance(caught.value, bs.BroomserviceError)


# --- numbers that are played ---------------------------------------------------------------------

SHORT_EVENING = ROOT / "examples" / "house_rules" / "short_evening.yaml"
CALM_EVENING = """\
# yaml-language-server: $schema=x/variant.schema.json
variant: calm_evening
of: broom_service
name: {en: Calm evening, de: Ruhiger Abend}
text:
  en: Nobody is brave in the first round, and thanks are worth a point.
  de: Niemand ist im ersten Durchgang mutig, und Dank ist einen Punkt wert.
game:
  rules:
    calm_start:
      name: {en: calm start, de: ruhiger Beginn}
      ban:
        - at: announcement
          option: brave
          when: round_number == 1
          else:
            en: "{me} may not be brave in the first round"
            de: "{me} darf im ersten Durchgang nicht mutig sein"
      triggers:
        - after: delivered
          when: tower.colour == purple
          do:
            - tell: {en: "{me} is thanked at {tower}.", de: "{me} wird an {tower} gedankt."}
            - score: 1
              because: {en: thanks, de: Dank}
cards:
  event:
    black_market: null
"""


@pytest.fixture
def calm_evening(tmp_path: Path) -> Path:
    """The file of a house rule with a text, a ban, a trigger and a card taken out."""
    path = tmp_path / "calm.yaml"
    path.write_text(CALM_EVENING, encoding="utf-8")
    return path


def statement(game: bs.Game, name: str, language: str = "en") -> Statement:
    return next(one for one in game.statements(language) if one.id == name)


def test_options_are_in_the_sentences() -> None:
    """A game of three rounds, begun with 15 points, is told so, and marked as changed."""
    text = printed("rules", "broom_service", "--option", "rounds=3", "--option", "start_points=15")
    assert "A game has 3 rounds." in text
    assert "Every player begins with 15 points." in text
    assert "seven rounds" not in text
    assert "changed: Rounds: 3 (otherwise 7); Points at the start: 15 (otherwise 10)\n" in text
    assert text.count("        changed: Rounds: 3 (otherwise 7)\n") >= 3
    assert "Chosen for this game" in text
    assert "changed: " not in printed("rules", "broom_service")


def test_house_rules_are_in_the_sentences() -> None:
    """Short evening: 4 rounds, and 2 points for a bewitched role instead of 3."""
    game = bs.load("broom_service", variants=[SHORT_EVENING])
    assert statement(game, "bewitched_loss").text.endswith("loses 2 points.")
    assert statement(game, "bewitched_loss", "de").text.endswith("verliert 2 Siegpunkte.")
    (change,) = statement(game, "bewitched_loss").changes
    assert (change.was, change.now, change.by) == ("3", "2", "short_evening")
    assert statement(game, "round_count").text == "A game has 4 rounds."
    assert statement(game, "short_evening").text.startswith("Four rounds, 15 points")
    assert statement(loaded("broom_service"), "bewitched_loss").text.endswith("loses 3 points.")


def test_an_option_goes_before_a_house_rule() -> None:
    """What is chosen at the table is in force, and told to be chosen."""
    game = bs.load("broom_service", variants=[SHORT_EVENING], options={"rounds": 5})
    assert statement(game, "round_count").text == "A game has 5 rounds."
    assert {change.name: change.by for change in changes_of(game)} == {
        "rounds": "",
        "start_points": "short_evening",
        "bewitched_loss": "short_evening",
    }


def test_meanings_are_in_the_sentences() -> None:
    """An option that stands for a reading is told by what its number means."""
    with_substitute = statement(loaded("broom_service"), "gatherer_supply_replace", "de")
    assert with_substitute.text == "Fehlt eine Ressource im Vorrat, gilt: es wird Ersatz genommen."
    without = bs.load("broom_service", options={"shortage": 0})
    assert statement(without, "gatherer_supply_replace").text == (
        "When a resource has run out, one goes without."
    )


def test_options_of_variants_are_told() -> None:
    """The number of heavy clouds belongs to the storm clouds, and is told with them."""
    game = bs.load("broom_service", variants=["storm_clouds"], options={"heavy_clouds": 12})
    assert statement(game, "storm_fewer_heavy").note.endswith("mixed in are 12.")
    assert statement(game, "heavy_clouds").text == "Heavy clouds mixed in: 12 (otherwise 24)."


@pytest.mark.parametrize("name", GAMES)
def test_every_option_is_told(name: str) -> None:
    """Whatever option is chosen otherwise, the rulebook says so."""
    others: dict[str, int] = {}
    for option, node in loaded(name).names.section("options").items():
        low, high = node["range"]
        others[option] = low if node["default"] != low else high
    game = bs.load(name, options=others)
    assert [change.name for change in changes_of(game)] == list(others)
    assert [one.id for one in sections(game)[-1].statements] == list(others)


def test_house_rules_are_told_in_full(calm_evening: Path) -> None:
    """A house rule's text, its ban, its trigger, and the card that it takes out."""
    text = printed("rules", "broom_service", "--variant", str(calm_evening))
    assert "played with: Calm evening" in text
    section = text[text.index(". Calm evening\n") :]
    assert "Nobody is brave in the first round, and thanks are worth a point." in section
    assert "calm start: somebody may not be brave in the first round." in section
    assert "if round_number == 1" in section
    assert "calm start: somebody is thanked at a tower; score +1." in section
    assert "after “delivered”, if tower.colour == purple" in section
    assert "Black Market is left out." in section
    assert "house rule 'calm_evening'" in section
    german = printed("rules", "broom_service", "--variant", str(calm_evening), "--lang", "de")
    assert "ruhiger Beginn: jemand darf im ersten Durchgang nicht mutig sein." in german
    assert "Schwarzmarkt fällt weg." in german


def test_a_house_rule_gives_its_own_reason(tmp_path: Path) -> None:
    """Where a rule of a variant says what it rests on, that is printed; else the variant."""
    path = tmp_path / "coffee_break.yaml"
    rule = """variant: coffee_break
of: broom_service
game:
  rules:
    coffee_break:
      name: a coffee break
      offer: [{at: cowardly_action, do: [{score: 1, because: coffee break}]}]
"""
    path.write_text(rule, encoding="utf-8")
    arguments = ("rules", "broom_service", "--variant", str(path))
    assert "assumed. house rule 'coffee_break'" in printed(*arguments)
    source = "      source: assumed\n      because: We play it so at home.\n"
    path.write_text(rule + source, encoding="utf-8")
    text = printed(*arguments)
    assert "assumed. We play it so at home." in text
    assert "house rule 'coffee_break'" not in text


def test_variants_can_be_explained(calm_evening: Path) -> None:
    """A variant by its id or its name, with its text, whether it is played or not."""
    game = bs.load("broom_service", variants=[calm_evening])
    rule = game.explain_rule("Ruhiger Abend")
    assert (rule.id, rule.kind, rule.name) == ("calm_evening", "variant", "Calm evening")
    assert rule.text.startswith("Nobody is brave in the first round")
    assert game.explain_rule("calm_start").text.startswith("calm start: somebody may not be brave")
    assert loaded("broom_service").explain_rule("storm_clouds").text.startswith("Eight storm")


@pytest.mark.parametrize("path", sorted(SHORT_EVENING.parent.glob("*.yaml")), ids=lambda p: p.stem)
def test_every_house_rule_has_a_section(path: Path) -> None:
    """Each house rule among the examples says at least its text, and what it does."""
    game = bs.load("broom_service", variants=[path])
    found = [section for section in sections(game) if section.id == path.stem]
    assert len(found) == 1
    assert len(found[0].statements) >= 2


def test_gaps_are_checked(tmp_path: Path) -> None:
    """A gap that no number of the pack fills is a mistake, in its line and column."""
    folder = tmp_path / "hearts"
    shutil.copytree(HEARTS, folder)
    path = folder / "rules.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("somebody has {target}", "somebody has {targte}").replace(
            "agreed on: {hands}", "agreed on: {hands / 2}"
        ),
        encoding="utf-8",
    )
    with pytest.raises(bs.PackError) as caught:
        bs.load(folder)
    (name, syntax) = caught.value.problems
    assert (name.code, name.got, name.hint) == ("unknown-name", "targte", "target")
    assert syntax.code == "expression-syntax"
    line = path.read_text(encoding="utf-8").splitlines()[name.place.line - 1]
    assert line[name.place.column - 1 :].startswith("targte")


def test_gaps_hold_tables_and_sums() -> None:
    """Entries of tables by number and by word, beyond the end the last, and + - *."""
    numbers = Numbers({"steps": [0, 4, 9], "worth": {"red": 5}, "rounds": 7}, {})
    for gap, said in {
        "steps[1]": "4",
        "steps[9]": "9",
        "worth[red]": "5",
        "worth[blue]": "0",
        "10 - rounds": "3",
        "2 * rounds + 1": "15",
        "-rounds": "-7",
    }.items():
        assert numbers.filled(f"a {{{gap}}} b", "en") == f"a {said} b", gap


# --- no gaps ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*GAMES, str(HEARTS)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_gap_is_printed(name: str, language: str) -> None:
    """What is printed of the rules, with every variant too, is sentences."""
    game = loaded(name)
    assert "{" not in printed("rules", name, "--lang", language)
    for part in (*game.names.requirements, *game.names.verbs):
        rule = game.explain_rule(part, language)
        assert "{" not in rule.text + rule.refusal, part
    for variants in COMBINATIONS[name][1:]:
        every = sections(loaded(name, variants), language)
        texts = [one.text + one.note for section in every for one in section.statements]
        assert not any("{" in text for text in texts)


def test_sentences_are_said_of_nothing_in_particular() -> None:
    """Gaps become sorts of things, with their articles in English."""
    generally = Generally.of(loaded("wizard_extreme"), "en")
    names = loaded("wizard_extreme").names
    types = {"seal": names.type_named("seal", Place()), "other": PLAYER}
    for text, said in {
        "{seal} is gone": "a seal is gone",
        "a {seal} is gone": "a seal is gone",
        "no {seal} is left, but the {seal}": "no seal is left, but the seal",
        "{seal} pays for {seal}": "a seal pays for the seal",
        "{other} has {seal}": "somebody has a seal",
        "{size(hand)} cards": "… cards",
        "{nonsense} it is": "… it is",
    }.items():
        assert generally.sentence(text, types) == said
    regions = Generally.of(loaded("broom_service"), "en")
    borders = loaded("broom_service").names.requirements["borders"]
    assert regions.refusal(borders) == "a region does not border another region"


# --- finding --------------------------------------------------------------------------------------


def found(words: str, language: str = "en", game: str = "broom_service") -> list[str]:
    statements = found_statements(loaded(game), words, language)
    return [f"{one.text} {one.note}".strip() for one in statements]


def test_words_are_found_by_their_beginning() -> None:
    """No part of a word in the middle of another: neither *entscheiden* nor *sieht*."""
    heath = found("Heide", "de")
    assert heath
    assert all(re.search(r"\bHeide", text) for text in heath)
    assert not any("sieht" in text for text in found("See", "de"))
    assert all(re.search(r"\b5\b", text) for text in found("5"))


def test_umlauts_and_case_do_not_matter() -> None:
    """*tranke*, *traenke* and *TRÄNKE* are one word; *Trank* is its beginning."""
    wanted = found("Tränke", "de")
    assert wanted
    assert found("tranke", "de") == found("TRAENKE", "de") == wanted
    assert set(wanted) < set(found("Trank", "de"))


def test_whole_words_come_first() -> None:
    """What has the word itself stands before what only has a longer one."""
    texts = [one.text for one in found_statements(loaded("broom_service"), "Trank", "de")]
    whole = [re.search(r"\bTrank\b", text) is not None for text in texts]
    assert whole[0]
    assert not whole[-1]
    assert whole == sorted(whole, reverse=True)


def test_remarks_and_numbers_are_found() -> None:
    """Potions says 25 in a remark only; a number with a point is that of the statement."""
    (one,) = found_statements(loaded("potions"), "25")
    assert one.text == "The game ends as soon as somebody has 30 points."
    assert "25" in one.note
    game = loaded("broom_service")
    assert found_statements(game, "5.1")[0].number == "5.1"


def test_ids_are_a_last_resort() -> None:
    """Words of ids find a statement only if no text and no heading has them."""
    assert [one.id for one in found_statements(loaded("broom_service"), "more or less round")]
    (one,) = found_statements(loaded("broom_service"), "idea_two_actions")
    assert one.id == "idea_two_actions"
    assert all(re.search(r"\bend", text, re.I) for text in found("end"))


def test_remarks_are_told_at_the_table() -> None:
    """Whoever asks for 25 points in Potions reads which section says what, and what holds."""
    told = printed("ask", "potions", "--say", "rule 25")
    assert "The game ends as soon as somebody has 30 points." in told
    remark = "This section says 25, the one on the end 30; the option end_points decides."
    assert remark in told
    assert remark in printed("rules", "potions")


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Waldhexe", "waldhexe", "FOREST WITCH", "forest-witch"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_names_are_known_in_every_language(name: str, language: str) -> None:
    """Whatever `explain` knows by a name is known here too, in any case."""
    rule = loaded("broom_service").explain_rule(name, language)
    assert rule.id == "forest_witch"
    assert rule.name == {"en": "forest witch", "de": "Waldhexe"}[language]


def test_whatever_can_be_picked_can_be_explained() -> None:
    """Every option of every game, by its label and its names."""
    for name in (*GAMES, str(HEARTS)):
        game = loaded(name)
        things = [one for one in game.options if one.kind in ("piece", "site", "word", "label")]
        for option in things[::7]:
            for text in (option.label, *option.text.values()):
                assert found_name(game, text).id, text


def test_unknown_names_are_doubted_in_both_languages() -> None:
    """A misspelt name gets the likely one of its own language."""
    for name, hint in {"Waldhexee": "Waldhexe", "forest wich": "forest_witch"}.items():
        with pytest.raises(UnknownRule) as caught:
            loaded("broom_service").explain_rule(name)
        assert caught.value.hint == hint


def test_a_requirement_is_told_by_its_statement() -> None:
    """That a tower is occupied: the rule itself, and the refusal as a sentence."""
    rule = loaded("broom_service").explain_rule("is_free")
    assert rule.text == loaded("broom_service").explain_rule("delivery_tower_filled").text
    assert rule.refusal == "a tower is occupied"
    assert "delivery_empty_tower" in rule.statements


@pytest.mark.parametrize("name", ["turn", "fly", "is_free", "t12", "hill_4", "rounds"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_is_told_like_a_program(name: str, language: str) -> None:
    """Verbs, requirements and sites have a text, without brackets of a program."""
    rule = loaded("broom_service").explain_rule(name, language)
    assert rule.text
    assert not re.search(r"\w\(|[{}]", rule.text)
    assert rule.titles or rule.provenance.because


def test_sites_are_told_by_their_attributes() -> None:
    """A tower: its colour, shape and points, and the regions that it is supplied from."""
    game = loaded("broom_service")
    tower = game.names.sites["t12"]
    rule = game.explain_rule("t12", "de")
    assert rule.attributes["colour"] in ("grün", "violett", "orange")
    assert rule.attributes["shape"] in ("rund", "eckig")
    assert rule.attributes["Siegpunkte"] == str(tower.values["points"])
    assert "Berg 1" in rule.attributes["bases"]
    assert rule.attributes["bases"] in rule.text


# --- hearts ---------------------------------------------------------------------------------------


def test_the_tutorial_game_can_be_read() -> None:
    """Hearts has its rules as sentences in two languages, with the numbers that are played."""
    text = printed("rules", str(HEARTS), "--option", "target=50")
    assert "Whoever has a card of the suit that was led plays one." in text
    assert "somebody has 50 points at the end of a hand" in text
    german = printed("rules", str(HEARTS), "--lang", "de", "--option", "target=50")
    assert "Wer die angespielte Farbe hat, muss sie bedienen." in german
    assert "sobald nach einem Blatt jemand 50 Punkte hat" in german


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
