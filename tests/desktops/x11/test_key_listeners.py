"""Qt offers each key to the accessibility registry before its widgets get it: a barrier waits for that too."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mac_commander.desktops.x11.desktop import X11Desktop
from tests.desktops.x11.conftest import in_front
from tests.lab import Lab
from tests.witness import Witness

TRIALS = 20
"""Without the wait, 2 of 3 trials failed with Qt 6.8 and 1 of 12 with 6.4."""


@contextmanager
def silent_registry(lab: Lab) -> Iterator[None]:
    """It answers nothing: Qt holds each key back for 0.1 s."""
    (pid,) = _registries(lab)
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _registries(lab: Lab) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            program, *_ = (process / "cmdline").read_bytes().split(b"\0")
            variables = (process / "environ").read_bytes().split(b"\0")
            if program.endswith(b"at-spi2-registryd") and f"DISPLAY={lab.display}".encode() in variables:
                found.append(int(process.name))
    return found


def test_the_widgets_have_the_keys_when_the_barrier_answers(desktop: X11Desktop, witness: Witness) -> None:
    hands = in_front(desktop, witness)
    desktop.focused(hands.target)
    witness.ask("focus", "Name")
    for trial in range(TRIALS):
        hands.type("abc")
        assert witness.values["Name"] == "abc" * (trial + 1)


def test_a_silent_registry_holds_up_keys_but_not_for_long(desktop: X11Desktop, lab: Lab, witness: Witness) -> None:
    hands = in_front(desktop, witness)
    desktop.focused(hands.target)
    witness.ask("focus", "Name")
    with silent_registry(lab):
        hands.type("abc")
        assert witness.values["Name"] == "abc"
