"""One stage for each desktop that is there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mac_commander.desktops.base import Desktop
from tests.conftest import not_run
from tests.desktops.macos.scenes import raise_scene, world
from tests.desktops.simulated_stage import FORM, OTHER, SimulatedStage
from tests.desktops.stages import Stage, X11Stage
from tests.lab import Lab
from tests.witness import TOOLKITS, Thief, Witness, missing

LONGEST_HOLD_SECONDS = 5.0
"""For which the watchdog lets us hold the X server. More than the product's: what else a busy machine runs may keep a
test from its processor for longer than that, and the watchdog is the matter of one file alone."""


@pytest.fixture(scope="module")
def x11_desktop(session_lab: Lab) -> Iterator[Desktop]:
    """Opened as the server would open it, on the lab."""
    from mac_commander.desktops.x11 import grab
    from mac_commander.desktops.x11.desktop import open_x11

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grab, "LONGEST_SECONDS", LONGEST_HOLD_SECONDS)
        for name in set(os.environ) - {"PATH", "CI"}:
            if name.startswith(("DBUS_", "XDG_", "WAYLAND", "AT_SPI", "DISPLAY", "XAUTHORITY")):
                patch.delenv(name)
        for name, value in session_lab.env.items():
            patch.setenv(name, value)
        desktop = open_x11()
        yield desktop
        desktop.close()


STAGES = [*(f"x11 {toolkit}" for toolkit in TOOLKITS), "simulated"]


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    kind, _, toolkit = request.param.partition(" ")
    if kind == "simulated":
        scene = raise_scene(tmp_path, world(FORM, OTHER))
        yield SimulatedStage(scene)
        scene.desktop.close()
        return
    lab: Lab = request.getfixturevalue("lab")
    lacking = missing(toolkit, lab)
    if lacking:
        not_run(f"the {toolkit} witness needs the Debian packages {lacking}")
    with Thief(lab) as other, Witness(lab, toolkit) as witness:
        yield X11Stage(request.getfixturevalue("x11_desktop"), lab, witness, other)
