"""The packs, variants and numbers of players that tests run over."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import broomservice as bs

ROOT = Path(__file__).resolve().parents[1]
BACK = ("mountain_tiles", "forest_tiles", "hill_tiles", "back_board")
COMBINATIONS: dict[str, list[tuple[str, ...]]] = {
    "broom_service": [
        (),
        ("storm_clouds",),
        ("mountain_tiles",),
        ("storm_clouds", "mountain_tiles"),
        BACK,
        ("storm_clouds", *BACK),
    ],
    "wizard_extreme": [()],
    "potions": [(), ("chaos_round",), ("quick_game",), ("throne",)],
    str(ROOT / "examples" / "hearts"): [()],
}
SETTINGS = [
    (game, variants, players)
    for game, combinations in COMBINATIONS.items()
    for variants in combinations
    for players in bs.load(game).players
]


@cache
def loaded(game: str, variants: tuple[str, ...] = ()) -> bs.Game:
    """Return a game, loaded once."""
    return bs.load(game, variants=variants)


def label(setting: object) -> str:
    """Return a short name of a game, its variants or a number, for the names of tests."""
    if isinstance(setting, tuple):
        return "+".join(setting) or "plain"
    return Path(str(setting)).name
