"""Every field of every tool with every value at, before and past its limits: nothing out of range is accepted, and
a call with one such value sends nothing, whatever else is in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mac_commander.core.arguments import Param
from mac_commander.core.steps import FIELDS, TAKES
from mac_commander.tools import TOOLS
from tests.attack.client import Hijacked
from tests.attack.oracle import PRESSES

WHOLE: dict[str, dict[str, Any]] = {
    "see": {"app": "TextEdit"},
    "act": {"target": "TextEdit", "steps": [{"kind": "type", "text": "x"}], "settle_ms": 0},
    "app": {"action": "switch", "name": "TextEdit"},
    "notify": {"message": "x"},
    "applescript": {"name": "echo-argv"},
}
PLACE = {"xy": [300, 300]}
STEPS: dict[str, dict[str, Any]] = {
    "click": PLACE, "type": {"text": "x"}, "key": {"combo": "a"}, "scroll": PLACE | {"dy": 1}, "hover": PLACE,
    "drag": {"from_xy": [300, 300], "to_xy": [310, 310]}, "wait": {"ms": 1}, "set": {"ref": "e1", "value": "x"},
    "menu": {"path": "File > New"},
}  # fmt: skip
ALWAYS_WRONG = (math.nan, math.inf, -math.inf, 10**18, {"a": 1}, [[]])
CAPPED = {"ms"}
"""The mission caps these and says so; only nonsense is refused."""


def values(param: Param) -> Iterator[Any]:
    """What is out of range, or of another type, for this parameter."""
    yield from ALWAYS_WRONG
    wrong = {"string": (True, 1, 1.5), "integer": (True, "1", 1.5, -0.5), "number": (True, "1")}
    wrong |= {"boolean": (0, 1, "true"), "array": (True, 1, "x", {}), "object": (True, 1, "x", [])}
    yield from wrong[param.kind]
    if param.choices:
        yield from ("", "KILL", param.choices[0] + " ", param.choices[0].upper())
    if param.kind in ("integer", "number"):
        yield from () if param.least is None else (param.least - 1,)
        yield from () if param.most is None or param.name in CAPPED else (param.most + 1,)
    if param.kind == "string" and param.most is not None:
        yield "x" * (int(param.most) + 1)
    if param.kind == "array" and param.most is not None:
        yield [0.0] * (int(param.most) + 1)


def calls() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for tool in TOOLS:
        for param in tool.params:
            for value in values(param):
                yield tool.name, param.name, {**WHOLE[tool.name], param.name: value}
        yield tool.name, "unknown", {**WHOLE[tool.name], "unknown": 1}
    for kind, base in STEPS.items():
        for param in FIELDS:
            for value in values(param) if param.name in TAKES[kind] | {"kind"} else ("x",):
                steps = [{"kind": "type", "text": "first"}, {"kind": kind, **base, param.name: value}]
                yield "act", f"{kind}.{param.name}", {**WHOLE["act"], "steps": steps}


@pytest.fixture
def client() -> Iterator[Hijacked]:
    client = Hijacked("us")
    yield client
    client.close()


def test_nothing_out_of_range_is_accepted_and_nothing_is_sent(client: Hijacked, reached: Callable[[str], None]) -> None:
    accepted, tried = [], 0
    for tool, place, arguments in calls():
        before = len(client.events())
        assert client.call(tool, arguments) == []
        tried += 1
        if not client.last.is_error or [e for e in client.events()[before:] if e["event"] in PRESSES]:
            accepted.append((tool, place, str(arguments)[:200]))
    assert accepted == []
    assert tried > 700
    reached(f"bounds: 0 of {tried} calls accepted, 0 events")
