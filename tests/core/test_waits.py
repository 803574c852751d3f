"""A wait for a text ends when the text has come or gone, and not before; a person and the clock end it too."""

from __future__ import annotations

import pytest

from mac_commander.model import Limits
from tests.core.test_batch import Open, failed
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, window


@pytest.mark.parametrize("kind", ["until", "gone"])
def test_it_ends_when_the_text_has_come_or_gone(stage: Open, kind: str) -> None:
    there = stage()
    journal = there.scene.machine.journal
    text, title = ("saved", "All Saved") if kind == "until" else ("save", "Done")
    there.later(500, do="set_title", app="TextEdit", window=0, element=1, title=title)
    begun = journal.milliseconds
    assert there.act({"kind": "wait", kind: text, "ms": 9000})["ok"] is True
    assert 500 <= journal.milliseconds - begun < 2000
    assert there.scene.value(title) is None, "the title is there"


@pytest.mark.parametrize(
    ("step", "said"), [({"until": "never"}, "did not appear within 300 ms"), ({"gone": "Save"}, "is still there")]
)
def test_what_does_not_come_in_time_is_told(stage: Open, step: dict[str, str], said: str) -> None:
    told = failed(stage().act({"kind": "wait", **step, "ms": 300}))
    assert (told["cause"], said in told["reason"]) == ("time", True)


@pytest.mark.parametrize("step", [{"until": "never"}, {"gone": "Save"}])
def test_a_person_ends_it(stage: Open, step: dict[str, str]) -> None:
    there = stage()
    begun = there.scene.machine.journal.milliseconds
    there.later(500, do="human_key", text="q")
    assert failed(there.act({"kind": "wait", **step, "ms": 9000}))["cause"] == "human"
    assert there.scene.machine.journal.milliseconds - begun < 2000


def test_an_app_that_cannot_be_read_whole_has_not_lost_its_text(stage: Open) -> None:
    """Deeper than is read: what is not found may still be there."""
    deep = {"role": "AXGroup", "title": "Deep", "bounds": [100, 120, 640, 300], "nested": Limits().depth + 10}
    there = stage({**TEXTEDIT, "windows": [window(deep)]}, CHAT)
    told = failed(there.act({"kind": "wait", "gone": "Save", "ms": 300}))
    assert (told["cause"], "is not known within 300 ms" in told["reason"]) == ("time", True)
