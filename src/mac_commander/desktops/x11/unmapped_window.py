"""A window of ours that is never shown: for probes, and for questions to the window manager."""

from __future__ import annotations

from Xlib import X
from Xlib.protocol import request

from mac_commander.desktops.x11.display import Connection


def unmapped_window(x: Connection) -> int:
    """A window of ours that is never shown."""
    window = x.new_id()
    x.send(
        request.CreateWindow,
        depth=0,
        wid=window,
        parent=x.root,
        x=-10,
        y=-10,
        width=1,
        height=1,
        border_width=0,
        window_class=X.InputOnly,
        visual=X.CopyFromParent,
        attrs={"override_redirect": True},
    )
    return window
