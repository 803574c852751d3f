"""docs/simulated-mac.md says what there is, and all of it."""

from __future__ import annotations

import re
from pathlib import Path

from simulated_mac import world as worlds

TEXT = (Path(__file__).parents[2] / "docs" / "simulated-mac.md").read_text(encoding="utf-8")


def table(heading: str) -> set[str]:
    """The names in one row of the table of keys."""
    row = re.search(rf"^\| {heading} \| (.*) \|$", TEXT, re.MULTILINE)
    assert row is not None
    return set(re.findall(r"`([a-z_]+)`", row[1]))


def test_the_example_is_a_world() -> None:
    example = re.search(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert example is not None
    assert len(worlds.parse(example[1].encode())["apps"]) == 2


def test_every_key_is_told() -> None:
    fields = {
        "the world": worlds.world_fields(),
        "an app": worlds.app_fields(),
        "a window": worlds.window_fields(),
        "an element": worlds.element_fields(),
    }
    for heading, known in fields.items():
        assert set(known) - table(heading) == set(), heading


def test_every_deed_is_told() -> None:
    told = set(re.findall(r"`([a-z_]+)`", TEXT[TEXT.index("`then` entries") : TEXT.index("`faults` make")]))
    assert set(worlds.ACTIONS) - told == set()
    faults = set(re.findall(r"`([a-z_]+)`", TEXT[TEXT.index("`faults` make") : TEXT.index("## Journal")]))
    assert set(worlds.fault_fields()) - faults == set()
