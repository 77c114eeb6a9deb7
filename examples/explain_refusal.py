"""Why not? A refused option comes with each requirement that fails and what it rests on.

Run it: python examples/explain_refusal.py
"""

from __future__ import annotations

import broomservice as bs
from broomservice.scenario import Scenario


def position() -> bs.State:
    """Return a position in which a brave witch may deliver: two potions, three towers."""
    scenario = Scenario.of(bs.load("broom_service"), players=2, names=("Ann", "Bob"))
    scenario.put("p1_pawn_1", "prairie_4")
    scenario.put("purple_potion", "stock(p1)", 2)
    scenario.put("purple_potion", "t27")
    return scenario.begin("deliver_from", "p1", {"pawn": "p1_pawn_1"})


def main() -> None:
    """Ask about several towers, in English and in German."""
    state = position()
    decision = state.decision
    assert decision is not None
    print(decision.prompt, ", ".join(option.label for option in decision.options))
    for tower in ("t22", "t27", "t33", "t01"):
        verdict = state.explain(tower)
        print(f"{tower}: {'open' if verdict.legal else 'not open'}")
        for check in verdict.failed:
            print(f"    {check.name}: {check.sentence}")
            for citation in check.provenance.citations:
                print(f"    see {state.game.sources.title(citation)}")
    print(state.explain("t27", language="de").failed[0].sentence)
    try:
        state.play("t27")
    except bs.IllegalMove as error:
        print(f"refused: {error}")


if __name__ == "__main__":
    main()
