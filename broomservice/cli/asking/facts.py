"""What is so at a position: points, counters, rules, and what has happened.

Each command is a function of the referee and of what is said behind the command's word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.text import Text

from broomservice.cli.asking.referee import Referee
from broomservice.cli.asking.statements import nearest, print_statements
from broomservice.cli.grammar import GRAMMAR, POINTS
from broomservice.rulebook import Rule, UnknownRule, explain_rule, found_statements

MOST_STATEMENTS = 12
MOST_NEAREST = 4
MOST_RULINGS = 5


def score(referee: Referee, text: str) -> None:
    """Show the points, and where those of a named player came from."""
    state, heard = referee.state, referee.ear().hear(text)
    players = heard.players
    strangers = [word for word in heard.rest if word not in GRAMMAR | POINTS]
    for word in strangers:
        hint = referee.meant(referee.ear().player_hint(word))
        referee.out.print(referee.said("no_player", word) + hint)
    if strangers and not players:
        return
    for i in sorted(players) or range(state.players):
        referee.out.print(f"  {state.names[i]}: {state.points[i]}")
    for entry in state.log_in(referee.language):
        if entry.kind == "score" and entry.player in players:
            referee.out.print(f"    {entry.text}")
            referee.add_source(entry.provenance)


def show_counter(referee: Referee, name: str, players: Collection[int] = ()) -> None:
    """Show what a counter holds, perhaps of some players only, and the rules that change it."""
    rule = explain_rule(referee.game, name, referee.language)
    for owner, value in counter_values(referee, name):
        if owner < 0 or not players or owner in players:
            whose = f" ({referee.state.names[owner]})" if owner >= 0 else ""
            referee.out.print(f"  {rule.name}{whose}: {value}")
    add_rule_source(referee, rule)


def show_counters(referee: Referee, text: str) -> bool:
    """Show the counters that a sentence is about; return whether there are any."""
    ear = referee.ear()
    found = list(ear.counters(text))
    for name in found:
        show_counter(referee, name, ear.hear(text).players)
    return bool(found)


def counter_values(referee: Referee, name: str) -> Iterator[tuple[int, str]]:
    """Return what a counter of the game holds (for -1), or that of each player."""
    state, counter = referee.state, referee.game.names.counters[name]
    speaker = referee.speaker()
    if counter.per is None:
        yield -1, speaker.thing(counter.type, state.counter(name))
    elif counter.per.kind == "player":
        for i in range(state.players):
            yield i, speaker.thing(counter.type, state.counter(name, i))


def show_rules(referee: Referee, text: str) -> None:
    """Show the rule or the part of the game of this name, and the rules with these words.

    Behind those come the rules from the same passages.
    """
    if not text:
        referee.say("rule_how")
        return
    game, language = referee.game, referee.language
    found = list(found_statements(game, text, language))
    told = ""
    try:
        rule = explain_rule(game, text, language)
    except UnknownRule as error:
        if not found:
            referee.out.print(referee.said("no_rule", text) + referee.meant(error.hint))
        elif "_" in text and error.hint:
            referee.say("meant", error.hint)
    else:
        show_rule(referee, rule)
        told = rule.text
        if "_" in text:
            found = []
        elif not found:
            found = list(found_statements(game, rule.name, language))
        every = {one.id: one for one in game.statements(language)}
        found += [every[name] for name in rule.statements if every[name] not in found]
    shown = [one for one in found if one.text != told]
    print_statements(referee, shown[:MOST_STATEMENTS])
    if len(shown) > MOST_STATEMENTS:
        referee.out.print(f"  {referee.said('more', len(shown) - MOST_STATEMENTS)}")


def show_nearest(referee: Referee, text: str) -> None:
    """Show the rules that speak of most of what a sentence says."""
    found = nearest(referee.game, text, referee.language)
    if not found:
        referee.say("no_rule", text)
    print_statements(referee, found[:MOST_NEAREST])


def show_rule(referee: Referee, rule: Rule) -> None:
    """Show a rule or a part of the game."""
    referee.out.print(Text(f"  {rule.name} ({rule.kind})", style="bold"))
    if rule.text:
        referee.out.print(f"    {rule.text}")
    if rule.note:
        referee.add(rule.note, indent=6)
    if rule.refusal and rule.refusal != rule.text:
        referee.out.print(f"    {referee.said('refused')}: {rule.refusal}")
    if rule.attributes and rule.text != (attributes := listed_attributes(rule)):
        referee.out.print(f"    {attributes}")
    add_rule_source(referee, rule)
    if rule.rulings:
        names = ", ".join(rule.rulings[:MOST_RULINGS])
        referee.add(referee.said("cited_by", names), indent=6)


def listed_attributes(rule: Rule) -> str:
    """Return the attributes of a thing in one line."""
    return "; ".join(f"{name}: {value}" for name, value in rule.attributes.items())


def add_rule_source(referee: Referee, rule: Rule) -> None:
    """Show what a rule rests on, and for a counter the verbs that change it."""
    if rule.changed_by:
        referee.add(referee.said("set_by", rule.name, ", ".join(rule.changed_by)), indent=6)
    referee.add_source(rule.provenance, indent=6)


def tell_log(referee: Referee, _: str) -> None:
    """Tell what has happened so far."""
    referee.tell_from(0)
