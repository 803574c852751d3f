"""Settings files as an attacker would leave them: what is not whole and known locks, and none is wider than it says."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mac_commander.core.config import Config, load
from mac_commander.errors import Locked
from tests.attack.size import many, of

FILES = of(200, 5_000)
SWITCHES = ("overlay", "allow_raw_applescript", "allow_secure_typing", "hide_blocked_apps", "pin_scripts")
KEYS = (*SWITCHES, "input_blocklist", "audit_log", "Input_Blocklist", "input_blocklst", "overlay ", "")
values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 2), st.floats(), st.text(max_size=8), st.just("/tmp/log"),
        st.sampled_from(["true", "false", "1Password", "*", " ", "~/log", "log"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)  # fmt: skip
objects = st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=6)), values, max_size=5).map(json.dumps)
right = st.fixed_dictionaries({}, optional=dict.fromkeys(SWITCHES, st.booleans())).map(json.dumps)
cut = st.tuples(right, st.integers(0, 90)).map(lambda pair: pair[0][: pair[1]])
twice = st.sampled_from(SWITCHES).map(lambda key: f'{{"{key}": false, "{key}": true}}')
other = st.one_of(values.map(json.dumps), st.text(max_size=30), st.just("[" * 10_000), st.just("\ufeff{}"), cut, twice)
files = st.one_of(objects, objects, right, other)


def is_whole(text: str) -> bool:
    """Whether the file is one that must be taken; an own reading of the rules."""
    try:
        pairs = json.loads(text, object_pairs_hook=lambda found: found)
    except (ValueError, RecursionError):
        return False
    if not isinstance(pairs, list) or not text.lstrip().startswith("{"):
        return False
    names = [name for name, _ in pairs]
    return len(set(names)) == len(names) and all(_fits(name, value) for name, value in pairs)


def _fits(name: str, value: Any) -> bool:
    if name in SWITCHES:
        return value is True or value is False
    if name == "input_blocklist":
        return isinstance(value, list) and all(isinstance(v, str) and any(map(str.isalnum, v)) for v in value)
    return name == "audit_log" and (value is None or (isinstance(value, str) and value.startswith("/")))


def loaded(text: str) -> Config | None:
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        (Path(folder) / "config.json").write_text(text, encoding="utf-8", errors="surrogatepass")
        (Path(folder) / "config.json").chmod(0o600)
        try:
            return load(Path(folder))
        except Locked:
            return None


@many(FILES, FILES)
@given(files)
def is_taken_only_when_whole(text: str) -> None:
    config = loaded(text)
    if config is None:
        return
    assert is_whole(text), text
    said = json.loads(text)
    assert config.allow_raw_applescript is said.get("allow_raw_applescript", False)
    assert config.allow_secure_typing is said.get("allow_secure_typing", False)
    assert "input_blocklist" in said or "1Password" in config.input_blocklist


def test_what_is_not_whole_locks_and_nothing_is_wider_than_it_says(reached: Callable[[str], None]) -> None:
    is_taken_only_when_whole()
    reached(f"settings: {FILES:,} files: 0 taken that are not whole, 0 wider than they say")


@many(60, 1_000)
@given(right)
def test_a_right_file_is_taken(text: str) -> None:
    assert loaded(text) is not None
