"""Who owns a window, from what the X server itself knows.

``_NET_WM_PID`` is what a client claims; XRes gives the pid of the process at the other end of the connection
(measured: a client that set ``_NET_WM_PID`` to 1 was still found out). Window ids are re-used at once, so the
answer is asked for anew each time it matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from Xlib.error import XError
from Xlib.ext import res
from Xlib.protocol import rq

from mac_commander.desktops.x11 import processes
from mac_commander.desktops.x11.display import Connection

NO_OWNER = 0
"""The pid given for a window whose owner is unknown: a remote client, or one that is gone."""


def post_owner(x: Connection, window: int) -> rq.ReplyRequest:
    """Ask for the owner of a window; give the reply to `owner_of`."""
    return x.post(res.QueryClientIds, specs=[{"client": window, "mask": res.LocalClientPIDMask}])


def owner_of(reply: Any) -> int:
    """The pid in a reply to `post_owner`, or `NO_OWNER`."""
    if isinstance(reply, XError):
        return NO_OWNER
    pids = [int(identified.value[0]) for identified in reply.ids if identified.value]
    return pids[0] if pids else NO_OWNER


def owners(x: Connection, windows: Sequence[int]) -> list[int]:
    """The pid of each window's owner."""
    return [owner_of(r) for r in x.outcomes(*[post_owner(x, w) for w in windows])]


def owner(x: Connection, window: int) -> int:
    return owners(x, [window])[0]


def is_part_of(pid: int, holder: int) -> bool:
    """Whether a process whose window lies inside one of the holder's is a part of the same app: one that the holder
    started of its own program. A browser's drawing process has such windows."""
    if pid == NO_OWNER or holder not in processes.ancestors(pid):
        return False
    program, own = processes.program(pid), processes.program(holder)
    return bool(program) and program == own
