"""A rules engine for table games, with a declarative card language.

>>> import broomservice as bs
>>> game = bs.load("broom_service")
>>> state = game.start(players=4, seed=7)
>>> state = state.play(state.decision.options[0])
"""

import os

if os.environ.get("BROOMSERVICE_PURE") == "1":
    from broomservice import pure

    pure.insist()

from broomservice.errors import (
    AmbiguousMove,
    BroomserviceError,
    EngineError,
    IllegalMove,
    PackError,
    RuleError,
    UnknownMove,
)
from broomservice.explain import Verdict
from broomservice.game import Game, load
from broomservice.option import Option
from broomservice.pack.documents import known_games
from broomservice.records import Record
from broomservice.state import Decision, State

__version__ = "0.1.0"

__all__ = [
    "AmbiguousMove",
    "BroomserviceError",
    "Decision",
    "EngineError",
    "Game",
    "IllegalMove",
    "Option",
    "PackError",
    "Record",
    "RuleError",
    "State",
    "UnknownMove",
    "Verdict",
    "known_games",
    "load",
]
