"""An entry goes into any JSON there can be, and comes out again: every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.install.edits import LeftAlone
from mac_commander.install.json_edit import JSON, JSONC
from mac_commander.install.json_scan import DEPTH_MOST, scan

ENTRY = {"command": "/bin/mac-commander", "args": ["--home", "/tmp/é"]}
SECTION, NAME = "mcpServers", "mac-commander"

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
servers = st.dictionaries(st.text().filter(lambda name: name != NAME), values, max_size=4)
trivia = st.sampled_from(["", " ", "\n", "\r\n", "\t", " // note }\n", "/* { */", "\n  ", "\n\n\t"])


@st.composite
def files(draw: st.DrawFn, spaces: st.SearchStrategy[str]) -> str:
    """JSON as people and programs write it: any spaces between any tokens, our section there or not."""
    data: dict[str, Any] = draw(st.dictionaries(st.text().filter(lambda key: key != SECTION), values, max_size=4))
    if draw(st.booleans()):
        data[SECTION] = draw(servers)
    if draw(st.booleans()):
        return json.dumps(data, indent=draw(st.sampled_from([None, 2, 4, "\t"])), ensure_ascii=draw(st.booleans()))
    return _spaced(draw, spaces, data)


def _spaced(draw: st.DrawFn, spaces: st.SearchStrategy[str], value: Any) -> str:
    space = lambda: draw(spaces)  # noqa: E731 - a word, said often
    if isinstance(value, dict):
        members = [f"{space()}{json.dumps(k)}{space()}:{_spaced(draw, spaces, v)}" for k, v in value.items()]
        return f"{space()}{{{','.join(members)}{space()}}}{space()}"
    if isinstance(value, list):
        return f"{space()}[{','.join(_spaced(draw, spaces, v) for v in value)}{space()}]{space()}"
    return f"{space()}{json.dumps(value)}{space()}"


def without_one_run(longer: str, shorter: str) -> str:
    """What was put in, when ``longer`` is ``shorter`` with one run of characters more; else the test fails."""
    start = next((i for i, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    added = len(longer) - len(shorter)
    assert any(longer[:i] + longer[i + added :] == shorter for i in range(start, max(start - added, 0) - 1, -1))
    return longer[start : start + added]


@given(files(st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n    "])))
def test_what_is_put_in_is_one_run_and_nothing_else_changes(text: str) -> None:
    after = JSON.put(text, SECTION, NAME, ENTRY)
    without_one_run(after, text)
    wanted = json.loads(text)
    wanted.setdefault(SECTION, {})[NAME] = ENTRY
    assert json.loads(after) == wanted
    assert JSON.servers(after, SECTION)[NAME] == ENTRY


@given(files(trivia))
def test_comments_stay_where_they_are(text: str) -> None:
    after = JSONC.put(text, SECTION, NAME, ENTRY)
    without_one_run(after, text)
    assert JSONC.servers(after, SECTION) == {**JSONC.servers(text, SECTION), NAME: ENTRY}
    assert scan(JSONC.drop(after, SECTION, NAME), comments=True).value == {
        **scan(text, comments=True).value,
        SECTION: JSONC.servers(text, SECTION),
    }


@given(files(st.sampled_from(["", " ", "\n", "\t"])))
def test_putting_it_in_twice_is_putting_it_in_once(text: str) -> None:
    once = JSON.put(text, SECTION, NAME, ENTRY)
    assert JSON.put(once, SECTION, NAME, ENTRY) == once


@given(files(trivia), st.data())
def test_where_there_are_other_servers_taking_it_out_is_the_exact_inverse(text: str, data: st.DataObject) -> None:
    if not JSONC.servers(text, SECTION):
        return
    assert JSONC.drop(JSONC.put(text, SECTION, NAME, ENTRY), SECTION, NAME) == text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ('{"mcpServers": {"a": 1, "mac-commander": {}}}', '{"mcpServers": {"a": 1}}'),
        ('{"mcpServers": {"mac-commander": {}}}', '{"mcpServers": {}}'),
        (
            '{"mcpServers": {"a": 1,\n  "mac-commander": {}, // mine\n  "b": 2}}',
            '{"mcpServers": {"a": 1, // mine\n  "b": 2}}',
        ),
        ('{"mcpServers": {\n  "a": 1, // one\n  "mac-commander": {}\n}}', '{"mcpServers": {\n  "a": 1 // one\n}}'),
        ('{"mcpServers": {\n  "a": 1,\n  "mac-commander": {},\n}}', '{"mcpServers": {\n  "a": 1,\n}}'),
    ],
)
def test_it_comes_out_from_wherever_the_user_moved_it(text: str, after: str) -> None:
    assert JSONC.drop(text, SECTION, NAME) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{\n\t"theme": "dark"\n}\n',
            '{\n\t"mcpServers": {\n\t\t"mac-commander": {\n\t\t\t"command": "x"\n\t\t}\n\t},\n\t"theme": "dark"\n}\n',
        ),
        ('{"a":1}', '{"mcpServers": {"mac-commander": {"command": "x"}}, "a":1}'),
        ("{}", '{"mcpServers": {"mac-commander": {"command": "x"}}}'),
        ("{\n}\n", '{\n  "mcpServers": {\n    "mac-commander": {\n      "command": "x"\n    }\n  }\n}\n'),
        (
            '{\n  "mcpServers": {}\n}\n',
            '{\n  "mcpServers": {\n    "mac-commander": {\n      "command": "x"\n    }\n  }\n}\n',
        ),
        (
            '{ // a\n "mcpServers": { // b\n  "c": 1\n }\n}'.replace("\n", "\r\n"),
            '{ // a\n "mcpServers": { // b\n  "mac-commander": {\n   "command": "x"\n  },\n  "c": 1\n }\n}'.replace(
                "\n", "\r\n"
            ),
        ),
    ],
)
def test_it_looks_like_the_rest_of_the_file(before: str, after: str) -> None:
    assert JSONC.put(before, SECTION, NAME, {"command": "x"}) == after


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "line 1, column 2"),
        ('{\n  "a": 1,\n}', "line 3, column 1: wanted another item"),
        ('{"a": 1 "b": 2}', "wanted ',' or '}', found '\"'"),
        ("[]", "an object at the top"),
        ('{"a": 01}', "line 1, column 8"),
        ('{"a": nul}', "a value"),
        ("{a: 1}", "a name in double quotes"),
        ('{"a": "\t"}', "a value"),
        ("{} {}", "the end of the file"),
        ('{"a" 1}', "':'"),
        ('{"a": 1} // note', "the end of the file"),
        ('{"a": ' + "[" * (DEPTH_MOST + 1) + "]" * (DEPTH_MOST + 1) + "}", "levels"),
        ('{"a": ' + "9" * 5000 + "}", "a number"),
        ('{"mcpServers": [], "a": 1}', '"mcpServers" is not an object'),
        ('{"mcpServers": null}', "is not an object"),
        ('{"mcpServers": {}, "mcpServers": {}}', "there 2 times"),
        ('{"mcpServers": {"mac-commander": 1, "mac-commander": 2}}', "there 2 times"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, says: str) -> None:
    with pytest.raises(LeftAlone, match=says.replace("[", r"\[")):
        JSON.put(text, SECTION, NAME, ENTRY)


@given(values)
def test_the_scanner_reads_what_json_reads(value: Any) -> None:
    text = json.dumps({"v": value})
    assert scan(text, comments=False).value == json.loads(text)


@given(st.text(alphabet='{}[]",:1e-.tfn/* \n\\u', max_size=30))
def test_the_scanner_takes_nothing_that_json_refuses(text: str) -> None:
    try:
        scan(text, comments=False)
    except LeftAlone:
        with pytest.raises((ValueError, AssertionError)):
            assert isinstance(json.loads(text), dict)
    else:
        assert isinstance(json.loads(text), dict)
