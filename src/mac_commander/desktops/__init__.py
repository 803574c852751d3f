"""The desktops, and the one function that picks one."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from mac_commander.desktops.base import Desktop
from mac_commander.errors import CommanderError, Locked

KINDS = ("auto", "macos", "x11", "simulated")
"""What `--desktop` takes. ``auto`` is macOS on a Mac and X11 elsewhere; never the simulation."""


SEAT_DIGITS = 16
"""Of a digest, to tell worlds apart."""


def open_desktop(kind: str = "auto", world: Path | None = None, journal: Path | None = None) -> Desktop:
    """The desktop of that kind, connected. ``world`` and ``journal`` are for the simulated Mac.

    Raises `Locked` with what is missing and what to do.
    """
    try:
        return _open(kind, world, journal)
    except CommanderError as error:
        raise Locked(str(error)) from None
    except ImportError as error:
        raise Locked(f"the {kind} desktop cannot be used here: {error.name or 'a package'} is not installed") from None


def _open(kind: str, world: Path | None, journal: Path | None) -> Desktop:
    if kind == "simulated":
        return _open_simulated(world, journal)
    if kind == "macos" or (kind == "auto" and sys.platform == "darwin"):
        from mac_commander.desktops.macos.desktop import open_macos

        return open_macos()
    from mac_commander.desktops.x11.desktop import open_x11

    return open_x11()


def _open_simulated(world: Path | None, journal: Path | None) -> Desktop:
    """The macOS desktop's own code over the simulated frameworks, which must be there before it is imported."""
    import simulated_mac

    try:
        machine = simulated_mac.install(world, journal)
    except (simulated_mac.WorldError, OSError) as error:
        raise Locked(f"the simulated Mac cannot start: {error}. Correct the file and restart the server") from None
    from mac_commander.desktops.macos.desktop import open_macos

    return open_macos(machine.osascript, machine.screencapture, _simulated_seat(world), machine.ancestors)


def _simulated_seat(world: Path | None) -> str:
    """Servers of one world share its keyboard, wherever each has its file, so that they can be seen to refuse each
    other; other worlds are others' Macs."""
    if world is None:
        return "simulated"
    return f"simulated {hashlib.sha256(world.read_bytes()).hexdigest()[:SEAT_DIGITS]}"
