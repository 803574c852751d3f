from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.arguments import Param, check, schema
from mac_commander.errors import InvalidArgument
from mac_commander.tools import TOOLS

PARAMS = (
    Param("name", "string", "A name", required=True, least=1, most=5),
    Param("count", "integer", default=3, least=0, most=10),
    Param("ratio", "number", least=-1, most=1),
    Param("deep", "boolean", default=False),
    Param("mode", "string", choices=("fast", "slow")),
    Param("points", "array", item=Param("", "array", item=Param("", "number"), least=2, most=2), most=3),
    Param("window", "object", fields=(Param("size", "array", item=Param("", "integer")),)),
)

PORTABLE = {"type", "description", "properties", "required", "items", "enum"}


def test_defaults_are_filled_in() -> None:
    assert check(PARAMS, {"name": "x"}) == {
        "name": "x", "count": 3, "ratio": None, "deep": False, "mode": None, "points": None, "window": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "name: missing; wanted text of 1 to 5 characters"),
        ({"name": ""}, "name: wanted text of 1 to 5 characters, got 0"),
        ({"name": 7}, "name: wanted text of 1 to 5 characters, got an integer"),
        ({"name": "x", "count": True}, "count: wanted an integer from 0 to 10, got a boolean"),
        ({"name": "x", "count": 7.0}, "count: wanted an integer from 0 to 10, got a number"),
        ({"name": "x", "count": "7"}, "count: wanted an integer from 0 to 10, got text"),
        ({"name": "x", "count": 11}, "count: wanted an integer from 0 to 10, got 11"),
        ({"name": "x", "count": 10**5000}, "got a number with many digits"),
        ({"name": "x", "ratio": math.nan}, "ratio: wanted a finite number, got nan"),
        ({"name": "x", "ratio": math.inf}, "ratio: wanted a finite number, got inf"),
        ({"name": "x", "deep": 1}, "deep: wanted true or false, got an integer"),
        ({"name": "x", "deep": "yes"}, "deep: wanted true or false, got text"),
        ({"name": "x", "mode": "fats"}, "mode: wanted one of fast, slow, got 'fats'; did you mean 'fast'?"),
        ({"name": "x", "mode": "FAST"}, "mode: wanted one of fast, slow"),
        ({"name": "x", "points": [[1, 2], [3]]}, r"points\[1\]: wanted an array of 2 items, got 1"),
        ({"name": "x", "points": [[1, None]]}, r"points\[0\]\[1\]: missing"),
        ({"name": "x", "points": "[[1,"}, "points: wanted an array .* got text that is not the JSON of one"),
        ({"name": "x", "window": {"sise": [1]}}, "window: unknown key 'sise'; did you mean 'size'"),
        ({"name": "x", "windwo": {}}, "arguments: unknown key 'windwo'; did you mean 'window'"),
        ({"pid": 3}, "arguments: unknown key 'pid'; wanted name, which is missing"),
    ],
)
def test_what_is_wrong_is_named(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        check(PARAMS, given_)


def test_arrays_and_objects_may_come_as_their_json_text() -> None:
    assert check(PARAMS, {"name": "x", "points": "[[1, 2.5]]"})["points"] == [[1, 2.5]]
    with pytest.raises(InvalidArgument, match=r"points\[0\]\[0\]: wanted a finite"):
        check(PARAMS, {"name": "x", "points": "[[NaN, 1]]"})
    with pytest.raises(InvalidArgument, match="got text"):
        check(PARAMS, {"name": "x", "points": json.dumps("[[1, 2]]")})


def portable(node: Any) -> bool:
    """Only the keywords that every client takes (clients' own issue threads)."""
    if not isinstance(node, dict) or not set(node) <= PORTABLE or not isinstance(node.get("type"), str):
        return False
    enum_ok = "enum" not in node or (node["type"] == "string" and all(isinstance(v, str) for v in node["enum"]))
    items_ok = node["type"] != "array" or "items" in node
    inner = [*node.get("properties", {}).values(), *([node["items"]] if "items" in node else [])]
    return enum_ok and items_ok and all(portable(n) for n in inner)


def test_every_tools_schema_is_portable() -> None:
    for tool in TOOLS:
        assert portable(schema(tool.params)), tool.name


numbers = (
    st.integers() | st.floats() | st.booleans() | st.none() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
)


@given(numbers)
def test_nothing_out_of_range_passes(value: Any) -> None:
    try:
        count = check(PARAMS, {"name": "x", "count": value})["count"]
    except InvalidArgument:
        return
    assert value is None or (type(value) is int and 0 <= count <= 10)
