"""A game's rules and rulings to be read: by section, by name, by word, with the numbers played."""

from broomservice.rulebook.cases import cases_of, citations_in, uncited
from broomservice.rulebook.finding import found_statements
from broomservice.rulebook.naming import Rule, UnknownRule, explain_rule
from broomservice.rulebook.numbers import Change, changes_of, check_gaps
from broomservice.rulebook.statements import Section, Statement, sections, statements
from broomservice.rulebook.texts import in_words

__all__ = [
    "Change",
    "Rule",
    "Section",
    "Statement",
    "UnknownRule",
    "cases_of",
    "changes_of",
    "check_gaps",
    "citations_in",
    "explain_rule",
    "found_statements",
    "in_words",
    "sections",
    "statements",
    "uncited",
]
