"""Every ruling that comes with a pack holds, under each of its readings."""

from pathlib import Path

import pytest

from broomservice import known_games
from broomservice.pack.documents import content_folder
from broomservice.rulings import Bench, Case, load_cases

CASES: list[Case] = []
for game in known_games():
    folder = content_folder("cards") / game / "rulings"
    if folder.is_dir():
        CASES.extend(load_cases(folder))
BENCHES = {game: Bench(game) for game in known_games()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.id}")
def test_ruling(case: Case) -> None:
    """The rules answer a ruling's question as the ruling does."""
    for outcome in BENCHES[case.game].run(case):
        assert outcome.holds, (case.place, outcome.reading, outcome.failures)


def test_ids_are_unique() -> None:
    """A ruling's id is never used twice in a game."""
    seen = [(case.game, case.id) for case in CASES]
    assert len(seen) == len(set(seen))


def test_cited_statements_exist() -> None:
    """The statements that rulings hold the game to stand in its rules.yaml."""
    from broomservice.pack.documents import load_document
    from broomservice.pack.problems import Problems

    for game in known_games():
        path = Path(content_folder("cards")) / game / "rules.yaml"
        if not path.is_file():
            continue
        document = load_document(path, Problems())
        assert document is not None
        known = set(document["statements"])
        for case in CASES:
            if case.game == game:
                assert set(case.rules) <= known, (case.id, set(case.rules) - known)
