"""Records of games as played: written at the table or by programs, checked, replayed, audited."""

from broomservice.records.findings import Assumption, Finding, Report
from broomservice.records.record import Move, Pins, Record, RecordError, is_record

__all__ = [
    "Assumption",
    "Finding",
    "Move",
    "Pins",
    "Record",
    "RecordError",
    "Report",
    "is_record",
]
