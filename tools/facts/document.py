"""The file `facts.json`: how it is written, read, and compared without what only the headers tell."""

import json
from pathlib import Path
from typing import Any

from tools.facts.shapes import Facts
from tools.facts.usage import ROOT

FACTS = ROOT / "src" / "simulated_mac" / "facts.json"
WIDTH = 150
"""An entry that fits in so many columns stands on one line, so that a change of one name is one line of a diff."""


def write(facts: Facts) -> str:
    """The text of facts.json: sorted, one line for each entry that fits on one."""
    return _pretty(facts, 0) + "\n"


def _pretty(value: Any, depth: int) -> str:
    compact = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or (depth > 1 and len(compact) + depth <= WIDTH):
        return compact
    pad, end = " " * (depth + 1), " " * depth
    if isinstance(value, list):
        return "[\n" + ",\n".join(pad + _pretty(v, depth + 1) for v in value) + f"\n{end}]"
    lines = (f"{pad}{json.dumps(k)}: {_pretty(v, depth + 1)}" for k, v in sorted(value.items()))
    return "{\n" + ",\n".join(lines) + f"\n{end}}}"


def load(path: Path = FACTS) -> Facts:
    facts: Facts = json.loads(path.read_text(encoding="utf-8"))
    return facts


def wheel_part(facts: Facts) -> dict[str, Any]:
    """What the wheels alone say of functions and constants: nothing that headers or C callers tell."""
    trimmed: dict[str, Any] = json.loads(json.dumps(facts))
    for entry in (*trimmed["functions"].values(), *trimmed["constants"].values()):
        entry.pop("header", None)
        entry.pop("hand_written", None)
        for argument in entry.get("arguments", []):
            for told_by_headers in ("name", "nullable", "enum"):
                argument.pop(told_by_headers, None)
    return trimmed


def differences(committed: dict[str, Any], made: dict[str, Any], place: str = "facts.json") -> list[str]:
    """The places where two documents differ, as deep as both are dictionaries."""
    found: list[str] = []
    for key in sorted({*committed, *made}):
        here = f"{place}: {key}"
        if key not in made:
            found.append(f"{here} is no longer used, or no longer in the packages")
        elif key not in committed:
            found.append(f"{here} is used but not in the file")
        elif isinstance(committed[key], dict) and isinstance(made[key], dict):
            found += differences(committed[key], made[key], here)
        elif committed[key] != made[key]:
            found.append(f"{here} is {committed[key]!r}, the packages say {made[key]!r}")
    return found
