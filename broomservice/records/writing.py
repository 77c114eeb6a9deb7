"""Writing records, so that they read back the same."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from broomservice.records.record import Record, data_of

SCHEMA = "# yaml-language-server: $schema={}/schemas/record.schema.json\n"
PLAIN = re.compile(r"[^\W\d][\w'.-]*(,? [\w'.-]+)*\Z")
_RESOLVER: Any = yaml.resolver.Resolver()


def as_json(record: Record) -> str:
    """Return a record as JSON."""
    data = data_of(record)
    data["moves"] = [
        {player: texts[0] if len(texts) == 1 else texts for player, texts in entry.items()}
        for entry in data["moves"]
    ]
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def as_yaml(record: Record) -> str:
    """Return a record as YAML, several moves of one player in a line."""
    data = data_of(record)
    lines = [f"{key}: {flow(value)}" for key, value in data.items() if key not in ("moves", "pins")]
    lines.append("moves:" if data["moves"] else "moves: []")
    for entry in data["moves"]:
        for player, texts in entry.items():
            lines.append(f"  - {scalar(player)}: {scalar(', '.join(texts))}")
    if "pins" in data:
        lines.append("pins:")
        lines += [
            f"  {key}: {flow(value)}" for key, value in data["pins"].items() if key != "prints"
        ]
        lines.append("  prints:" if data["pins"]["prints"] else "  prints: []")
        lines += [f"    - {json.dumps(value)}" for value in data["pins"]["prints"]]
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """Return a value in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(one) for one in value) + "]"
    return scalar(value) if isinstance(value, str) else json.dumps(value)


def scalar(text: str) -> str:
    """Return a text, in quotes where readers of YAML could take it for something else."""
    resolved = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))
    if PLAIN.match(text) and resolved == "tag:yaml.org,2002:str" and ", " not in text:
        return text
    parts = text.split(", ")
    if len(parts) > 1 and all(PLAIN.match(part) or part.isdecimal() for part in parts):
        return text if not text[0].isdecimal() else json.dumps(text)
    return (
        str(int(text))
        if text.isdecimal() and len(text) < 7
        else json.dumps(text, ensure_ascii=False)
    )
