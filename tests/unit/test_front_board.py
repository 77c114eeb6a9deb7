"""The front board plays: every colour, landscape and role sees use in random games."""

from __future__ import annotations

import random
from collections import Counter

from tests.packs import loaded


def test_everything_on_the_board_is_used() -> None:
    """In a few games all colours are delivered, from all landscapes, by both druids and witches."""
    game = loaded("broom_service")
    words = list(game.names.words)
    sites = list(game.names.sites.values())
    used: Counter[str] = Counter()
    for seed in range(12):
        picker = random.Random(seed)
        state = game.start(4, seed=seed)
        while not state.over:
            decision = state.decision
            option = picker.choice(state.option_ids)
            if decision is not None and decision.point == "deliver" and option:
                tower = game.names.sites[game.options[option].label]
                used[words[tower.values["colour"]]] += 1
                for base in tower.related["bases"]:
                    used[words[sites[base].values["landscape"]]] += 1
            if decision is not None and decision.point == "lead":
                used[game.options[option].label] += 1
            state.play_in_place(option)
    colours, landscapes = ("purple", "green", "orange"), ("forest", "hill", "mountain", "prairie")
    roles = [kind.id for kind in game.names.families["role"].kinds]
    assert all(used[name] >= 5 for name in (*colours, *landscapes, *roles)), used
