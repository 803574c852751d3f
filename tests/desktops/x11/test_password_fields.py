"""No piece of a text goes into a password field, however late the target moves the focus there."""

from __future__ import annotations

from pathlib import Path

import pytest

from mac_commander.core.batch import Batch
from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.steps import Type
from mac_commander.core.stop import Stop
from mac_commander.desktops.x11.desktop import X11Desktop
from tests.desktops.x11.conftest import drained, in_front, wait
from tests.witness import Witness

NAME = "a name of 20 letters"
"""A whole piece: while the target takes it in, it answers questions about its focus in between."""


@pytest.mark.parametrize("busy_seconds", [0.0, 0.7])
def test_a_tab_into_one_ends_the_text(
    desktop: X11Desktop, witness: Witness, tmp_path: Path, busy_seconds: float
) -> None:
    hands = in_front(desktop, witness)
    witness.ask("focus", "Name")
    assert wait(lambda: (focused := desktop.focused(hands.target)) is not None and focused.name == "Name")
    session = Session(desktop, Config(tmp_path), Stop())
    if busy_seconds:
        witness.tell("hang", busy_seconds)
    with drained(witness):
        failure = Batch(session, [Type(f"{NAME}\tsecret")], 0).run(hands.target.name).failure
    assert failure is not None
    assert "password field" in failure.reason
    assert (failure.delivered, failure.of) == (21, 27)
    witness.ask("focus", "Notes")
    assert (witness.values["Name"], witness.values["Password"]) == (NAME, "")
