"""Why an option is open, or why not: the same requirement objects that list the options."""

from broomservice.explaining.forced import without_question
from broomservice.explaining.judging import explain
from broomservice.explaining.outlook import Outlook, what_if
from broomservice.explaining.verdict import Check, Verdict

__all__ = ["Check", "Outlook", "Verdict", "explain", "what_if", "without_question"]
