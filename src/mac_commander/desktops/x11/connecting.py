"""Reaching the X server of a session, and who it is."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import cast

from Xlib import display as xlib_display
from Xlib import error as xlib_error

from mac_commander.desktops.x11.environment import Session
from mac_commander.errors import DesktopError


def connect(session: Session) -> xlib_display.Display:
    """python-xlib finds the cookie through the environment alone, so it is set for the time of the call."""
    before = os.environ.get("XAUTHORITY")
    try:
        if session.xauthority:
            os.environ["XAUTHORITY"] = session.xauthority
        return xlib_display.Display(session.display)
    except (xlib_error.DisplayError, OSError, OverflowError) as failed:
        raise DesktopError(
            f"wanted the X display {session.display}, but it cannot be reached ({failed}). Is it running, and is "
            f"XAUTHORITY right (now {session.xauthority or 'not set'})?"
        ) from failed
    finally:
        if session.xauthority:
            os.environ.pop("XAUTHORITY")
        if before is not None:
            os.environ["XAUTHORITY"] = before


def peer_pid(connected: socket.socket) -> int:
    """Pid of the X server; 0 over TCP, and where sockets do not tell."""
    if connected.family != socket.AF_UNIX or sys.platform != "linux":
        return 0
    credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return cast(int, struct.unpack("3i", credentials)[0])
