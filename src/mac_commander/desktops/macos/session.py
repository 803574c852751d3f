"""The login session: locked or not, and who holds secure event input."""

from __future__ import annotations

from dataclasses import dataclass

from Quartz import CGDisplayIsAsleep, CGMainDisplayID, CGSessionCopyCurrentDictionary

from mac_commander.desktops.macos.private import PrivateCalls

_LOCKED = "CGSSessionScreenIsLocked"
_ON_CONSOLE = "kCGSSessionOnConsoleKey"
_SECURE_INPUT_PID = "kCGSSessionSecureInputPID"
"""Keys of the window server's session dictionary. PyObjC has no constants for the first and the last; the second
is the value of ``kCGSessionOnConsoleKey`` (CGSession.h)."""


@dataclass(frozen=True, slots=True)
class Session:
    locked: bool
    """The screen is locked or asleep, another user's session is in front, or there is no session with a screen."""
    secure_input_pid: int | None = None
    """Who holds secure event input, 0 when nobody is named; ``None`` when nobody holds it. The system may name
    the wrong process (openradar 48953777)."""


def read(private: PrivateCalls) -> Session:
    session = CGSessionCopyCurrentDictionary()
    if session is None:
        return Session(locked=True)
    locked = bool(session.get(_LOCKED, False)) or session.get(_ON_CONSOLE, True) in (False, 0)
    locked = locked or bool(CGDisplayIsAsleep(CGMainDisplayID()))
    holder = int(session.get(_SECURE_INPUT_PID) or 0)
    held = private.secure_input()
    if held is None:
        held = holder != 0
    return Session(locked, holder if held else None)
