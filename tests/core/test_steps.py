from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.arguments import check
from mac_commander.core.step_words import summarise
from mac_commander.core.steps import (
    BATCH_TEXT_MOST,
    TAKES,
    TEXT_MOST,
    Click,
    Drag,
    Key,
    Menu,
    Scroll,
    Type,
    Wait,
    parse,
)
from mac_commander.errors import InvalidArgument
from mac_commander.model import Button, Modifier, Point
from mac_commander.tools.act import ACT

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_a_batch_of_each_kind() -> None:
    steps = parse(
        [
            {"kind": "click", "ref": "e17", "button": "right", "clicks": 2, "modifiers": ["cmd"]},
            {"kind": "type", "text": "Ligne — \"était\" 'ok' 🙂\r\n", "submit": True},
            {"kind": "key", "combo": "cmd+shift+4", "repeat": 3},
            {"kind": "scroll", "xy": [-1900.5, 20], "dx": 0, "dy": -300},
            {"kind": "drag", "from_ref": "e1", "to_xy": [5, 6]},
            {"kind": "wait", "ms": 99_999},
            {"kind": "wait", "until": "Saved"},
            {"kind": "hover", "ref": "e2"},
            {"kind": "set", "ref": "e2", "value": ""},
            {"kind": "menu", "path": "File > Save As…"},
            {"kind": "type", "text": "x", "ref": "e3"},
            {"kind": "scroll", "ref": "e3", "dx": 40},
            {"kind": "wait", "gone": "Saving", "ms": 500},
        ]
    )
    assert steps[0] == Click("e17", Button.RIGHT, 2, frozenset({Modifier.CMD}))
    assert steps[1] == Type("Ligne — \"était\" 'ok' 🙂\n", True)
    assert isinstance(steps[2], Key)
    assert steps[2].repeat == 3
    assert steps[3] == Scroll(Point(-1900.5, 20), 0, -300)
    assert steps[4] == Drag("e1", Point(5, 6))
    assert steps[5] == Wait(10_000, capped=True)
    assert steps[6] == Wait(10_000, "Saved")
    assert steps[9] == Menu(("File", "Save As…"))
    assert steps[10] == Type("x", False, "e3")
    assert steps[11] == Scroll("e3", 40, 0)
    assert steps[12] == Wait(500, None, "Saving")


@pytest.mark.parametrize(
    ("step", "where"),
    [
        ({}, r"steps\[0\]\.kind: missing"),
        ({"kind": "press"}, r"steps\[0\]\.kind: wanted one of click"),
        ({"kind": "press", "combi": "a"}, r"unknown key 'combi'; did you mean 'combo'"),
        ({"kind": "click"}, r"steps\[0\]: wanted either ref .* got neither"),
        ({"kind": "click", "ref": "e1", "xy": [1, 2]}, "got both"),
        ({"kind": "click", "ref": "17"}, r"steps\[0\]\.ref: wanted a ref like e17"),
        ({"kind": "click", "ref": "e0"}, "wanted a ref"),
        ({"kind": "click", "xy": [1]}, r"steps\[0\]\.xy: wanted an array of 2 items, got 1"),
        ({"kind": "click", "xy": [1, "2"]}, r"steps\[0\]\.xy\[1\]: wanted a number from -100000 to 100000, got text"),
        ({"kind": "click", "xy": [1, True]}, "got a boolean"),
        ({"kind": "click", "xy": [float("nan"), 1]}, "finite"),
        ({"kind": "click", "xy": [1e308, 1]}, "wanted a number from"),
        ({"kind": "click", "ref": "e1", "clicks": 4}, r"steps\[0\]\.clicks: wanted an integer from 1 to 3, got 4"),
        ({"kind": "click", "ref": "e1", "clicks": 2.0}, "got a number"),
        ({"kind": "click", "ref": "e1", "text": "x"}, r"steps\[0\]\.text: does not go with click"),
        ({"kind": "type"}, r"steps\[0\]\.text: missing"),
        ({"kind": "type", "txt": "x"}, r"unknown key 'txt'; did you mean 'text'"),
        ({"kind": "key", "keystroke": "cmd+s"}, r"unknown key 'keystroke'; known here: kind, combo, repeat$"),
        ({"kind": "type", "text": "a\x1b"}, r"character 1 \(U\+001B\)"),
        ({"kind": "type", "text": "a\x00"}, r"U\+0000"),
        ({"kind": "type", "text": "\ud83d"}, r"U\+D83D"),
        ({"kind": "type", "text": "\uf700"}, r"U\+F700"),
        ({"kind": "type", "text": "x" * (TEXT_MOST + 1)}, "text of at most 10000 characters"),
        ({"kind": "key", "combo": "cmd"}, "no key besides modifiers"),
        ({"kind": "key", "combo": "a", "repeat": 101}, "from 1 to 100"),
        ({"kind": "scroll", "ref": "e1"}, "dx or dy"),
        ({"kind": "scroll", "ref": "e1", "dy": 10**9}, "from -4000 to 4000"),
        ({"kind": "scroll", "ref": "e1", "dy": 2.5}, "an integer"),
        ({"kind": "drag", "from_ref": "e1"}, "to_ref"),
        ({"kind": "wait"}, r"steps\[0\]\.ms: missing; wait takes ms, until, gone$"),
        ({"kind": "wait", "ms": -1}, "from 0"),
        ({"kind": "wait", "until": "a", "gone": "b"}, "got both"),
        ({"kind": "set", "ref": "e1"}, "value: missing"),
        ({"kind": "menu", "path": "File"}, "2 to 6 names"),
        ({"kind": "menu", "path": "File > "}, "2 to 6 names"),
        ({"kind": "menu", "path": "a>b>c>d>e>f>g"}, "2 to 6 names"),
        ({"kind": "click", "ref": "e1", "modifiers": ["super"]}, "wanted one of cmd"),
    ],
)
def test_a_wrong_step_is_named(step: dict[str, Any], where: str) -> None:
    with pytest.raises(InvalidArgument, match=where):
        parse([step])


def test_the_text_of_a_batch_is_bounded() -> None:
    with pytest.raises(InvalidArgument, match=f"at most {BATCH_TEXT_MOST}"):
        parse([{"kind": "type", "text": "x" * TEXT_MOST}] * 3)


@given(
    st.dictionaries(
        st.sampled_from(["kind", "ref", "xy", "text", "combo", "ms", "dx", "value", "path", "x"]), json_values
    )
)
def test_any_object_is_read_or_refused(step: dict[str, Any]) -> None:
    with suppress(InvalidArgument):
        assert len(parse([step])) == 1


@given(json_values | st.lists(st.dictionaries(st.sampled_from(["kind", "text", "ref", "combo"]), json_values)))
def test_any_batch_can_be_told_in_the_log(raw: Any) -> None:
    assert isinstance(summarise(raw), str)


def test_the_log_tells_kinds_and_counts_text() -> None:
    batch = [
        {"kind": "click", "ref": "e151"},
        {"kind": "type", "text": "x" * 20},
        {"kind": "key", "combo": "cmd+a"},
        {"kind": "key", "combo": "k"},
        {"kind": "set", "ref": "e3", "value": "secret"},
    ]
    assert summarise(batch) == "click(e151), type(20 chars), key(cmd+a), key(1 char), set(e3, 6 chars)"


def test_the_log_tells_a_step_that_came_as_its_json_text() -> None:
    """It is carried out, so the log must name it."""
    batch = ['{"kind": "menu", "path": "File > Delete"}', {"kind": "click", "xy": "[10, 20]"}]
    assert [type(step).__name__ for step in parse(arguments(batch))] == ["Menu", "Click"]
    assert summarise(batch) == "menu(File > Delete), click(10,20)"


def test_no_step_hides_behind_many_others() -> None:
    batch = [{"kind": "wait", "ms": 1}] * 70 + ['{"kind": "menu", "path": "File > Delete"}', {"kind": "nonsense"}]
    assert summarise(batch).endswith("wait(1 ms), … 32 more: 30 wait, 1 menu, 1 invalid step")


def arguments(batch: list[Any]) -> Any:
    return check(ACT.params, {"target": "TextEdit", "steps": batch})["steps"]


@pytest.mark.parametrize("kind", list(TAKES))
def test_a_canary_in_any_text_field_stays_out_of_the_log(kind: str) -> None:
    canary = "hunter2-canary"
    step = {"kind": kind, "text": canary, "value": canary, "combo": canary, "ref": canary, "until": canary}
    assert "canary" not in summarise([step])
