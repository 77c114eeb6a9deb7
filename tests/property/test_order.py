"""The order of files, sections and keys that means nothing changes nothing."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import yaml

import broomservice as bs
from tests.packs import ROOT

MEANINGLESS = (
    "options",
    "values",
    "places",
    "counters",
    "announcements",
    "definitions",
    "requirements",
    "verbs",
    "invariants",
)


def shuffled(node: Any, picker: random.Random, *, keep: bool = False) -> Any:
    """Return a part of a pack with its keys in another order, unless the order means something."""
    if isinstance(node, dict):
        keys = list(node)
        if not keep:
            picker.shuffle(keys)
        ordered = (
            "either",
            "any_order",
            "move",
            "let",
            "set",
            "add",
            "parts",
            "attributes",
            "each",
            "types",
            "is",
            "parameters",
        )
        return {key: shuffled(node[key], picker, keep=key in ordered) for key in keys}
    if isinstance(node, list):
        return [shuffled(part, picker) for part in node]
    return node


def rewritten(text: str, picker: random.Random) -> str:
    """Return a document with shuffled keys below those whose order is declared."""
    first = text.split("\n", 1)[0]
    document = yaml.safe_load(text)
    head = next(iter(document))
    result = {head: document[head]}
    rest = [key for key in document if key != head]
    picker.shuffle(rest)
    for key in rest:
        ordered = key not in MEANINGLESS
        content = document[key]
        if isinstance(content, dict) and ordered:
            result[key] = {
                name: shuffled(part, picker, keep=key == "words") for name, part in content.items()
            }
        else:
            result[key] = shuffled(content, picker)
    return first + "\n" + yaml.safe_dump(result, sort_keys=False, allow_unicode=True)


def played(game: bs.Game) -> list[str]:
    """Return what is chosen in a few random games, with the points at their ends."""
    result: list[str] = []
    for seed in range(3):
        picker = random.Random(seed)
        state = game.start(4, seed=seed)
        while not state.over:
            result.append(game.options[choice := picker.choice(state.option_ids)].label)
            state.play_in_place(choice)
        result.append(str(state.points))
    return result


def test_shuffled_files_and_keys(tmp_path: Path) -> None:
    """A pack with its files renamed and its keys shuffled plays the same games."""
    picker = random.Random(5)
    source, target = ROOT / "cards" / "broom_service", tmp_path / "cards" / "broom_service"
    target.mkdir(parents=True)
    shutil.copytree(ROOT / "boards", tmp_path / "boards")
    shutil.copytree(source / "variants", target / "variants")
    for i, path in enumerate(sorted(source.glob("*.yaml"), reverse=True)):
        name = path.name if path.name == "game.yaml" else f"{i}_{path.name}"
        (target / name).write_text(rewritten(path.read_text(encoding="utf-8"), picker))
    assert played(bs.load(target)) == played(bs.load("broom_service"))
