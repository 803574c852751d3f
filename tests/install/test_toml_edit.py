"""The same for Codex's TOML."""

from __future__ import annotations

import json
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mac_commander.install.edits import LeftAlone
from mac_commander.install.toml_edit import TOML

ENTRY = {"command": "/bin/mac-commander", "args": ["--home", '/tmp/"é\\'], "startup_timeout_sec": 20}
SECTION, NAME = "mcp_servers", "mac-commander"

BEFORE = """\
# mine
model = "x"   # kept

[mcp_servers.other]
command = "o"
note = '''
[mcp_servers.mac-commander]
looks = "like it"
'''

[profiles.a]
b = 1
"""


def test_it_is_added_at_the_end_and_comes_out_without_a_trace() -> None:
    after = TOML.put(BEFORE, SECTION, NAME, ENTRY)
    assert after.startswith(BEFORE)
    assert TOML.servers(after, SECTION)[NAME] == ENTRY
    assert tomllib.loads(after)["profiles"] == {"a": {"b": 1}}


@pytest.mark.parametrize(
    "before", ["", "a = 1\n", "a = 1\r\n", "[mcp_servers]\n", "[mcp_servers.x]\ncommand = 'y'\n\n"]
)
def test_taking_it_out_is_the_inverse(before: str) -> None:
    assert TOML.drop(TOML.put(before, SECTION, NAME, ENTRY), SECTION, NAME) == before


def test_a_changed_entry_takes_the_place_of_the_old_one() -> None:
    once = TOML.put("a = 1\n", SECTION, NAME, ENTRY)
    assert TOML.put(once, SECTION, NAME, ENTRY) == once
    changed = TOML.put(once, SECTION, NAME, {"command": "y"})
    assert tomllib.loads(changed) == {"a": 1, "mcp_servers": {NAME: {"command": "y"}}}


def test_what_follows_keeps_its_comments_and_its_own_tables_go_along() -> None:
    own = '[mcp_servers."mac-commander"]\ncommand = "x"\n[mcp_servers.mac-commander.env]\nA = "1"\n'
    after = "\n# next\n[next]\nb = 1\n"
    assert TOML.drop(own + after, SECTION, NAME) == after


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a = ", "not valid TOML"),
        ("mcp_servers = 1", "not a table"),
        ("mcp_servers = {a = {command = 'b'}}", "by hand"),
        ("[mcp_servers]\nmac-commander = {command = 'b'}", "by hand"),
        (BEFORE + "[mcp_servers]\nmac-commander.command = 'b'", "by hand"),
    ],
)
def test_what_cannot_be_edited_is_left_alone(text: str, says: str) -> None:
    with pytest.raises(LeftAlone, match=says):
        TOML.put(text, SECTION, NAME, ENTRY)


names = st.from_regex(r"[a-z_-]{1,8}", fullmatch=True).filter(lambda name: name not in (SECTION, NAME))
scalars = st.booleans() | st.integers(-(2**62), 2**62) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.dictionaries(names, scalars, max_size=3), st.dictionaries(names, st.dictionaries(names, scalars), max_size=3))
def test_any_file_keeps_every_byte(top: dict[str, object], servers: dict[str, dict[str, object]]) -> None:
    def lines(table: dict[str, object]) -> str:
        return "".join(f"{k} = {json.dumps(v).replace(chr(127), chr(92) + 'u007f')}\n" for k, v in table.items())

    text = lines(top) + "".join(f"[{SECTION}.{name}]\n{lines(table)}" for name, table in servers.items())
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # JSON's surrogate pairs are not TOML's
        return
    after = TOML.put(text, SECTION, NAME, ENTRY)
    assert after.startswith(text)
    assert TOML.drop(after, SECTION, NAME) == text
