"""Keys and buttons that another client waits for wherever they are pressed: found by trying to grab them ourselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from Xlib import X
from Xlib.error import XError
from Xlib.ext import res, xinput
from Xlib.protocol import request, rq

from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.owners import owners
from mac_commander.desktops.x11.windows import path_to_root
from mac_commander.desktops.x11.xtest import UNUSED_BUTTON

KEYBOARDS, POINTERS = (1, 3), (1, 2)
"""What a passive XInput 2 grab may be for: all masters (1), or the core keyboard or pointer alone. GNOME's hotkeys are
on the core keyboard; a grab is found only by a probe for the same device."""


class PassiveGrabs:
    """Asks the X server; what is tried is dropped again at once. Only while nobody else can act."""

    def __init__(self, x: Connection) -> None:
        self._x = x

    def has_key(
        self, keys: Sequence[tuple[int, int]], focus: int, inside: Sequence[int], owner: int, state: int
    ) -> bool:
        """Whether another client waits for one of these keys on the way from the root to the focus, and on to the
        pointer. Core and XInput 2 grabs do not see each other, so both are tried."""
        locks = state & (X.LockMask | X.Mod2Mask)
        windows = self._passed([*inside, *path_to_root(self._x, focus)], focus, owner)
        any_key = {(X.AnyKey, mods | locks) for _, mods in keys}
        if len(any_key) < len(keys) and not self._waits(windows, sorted(any_key)):
            return False  # the usual case by far, and a tenth of the requests
        return self._waits(windows, [(keycode, mods | locks) for keycode, mods in keys])

    def _waits(self, windows: Sequence[int], keys: Sequence[tuple[int, int]]) -> bool:
        """Whether another client has a grab that one of these keys with its modifiers, or `X.AnyKey`, overlaps."""
        probes = [(window, *key) for window in windows for key in keys]
        core = [self._try_key(*probe) for probe in probes]
        answers = self._x.outcomes(*[self._try_device(1, *probe, device) for probe in probes for device in KEYBOARDS])
        return any(c.get_error() is not None for c in core) or any(map(_refused, answers))

    def buttons(self, button: int, modifiers: int, path: Sequence[int], state: int) -> frozenset[int]:
        """Which of the wanted (0 for none) and the unused button another client has a passive grab for, on the way to
        the point. A window manager's synchronous grab replays the press after our proof."""
        if not button:
            return frozenset()
        x, mods = self._x, modifiers | state & (X.LockMask | X.Mod2Mask)
        numbers = (button, UNUSED_BUTTON)
        probes = [(w, number, mods) for w in (x.root, *path) for number in numbers]
        core = [self._try_button(*probe) for probe in probes]
        answers = x.outcomes(*[self._try_device(0, *probe, device) for probe in probes for device in POINTERS])
        hit = {number for (_, number, _), c in zip(probes, core, strict=True) if c.get_error() is not None}
        pairs = [probe for probe in probes for _ in POINTERS]
        return frozenset(hit | {number for (_, number, _), a in zip(pairs, answers, strict=True) if _refused(a)})

    def _passed(self, path: Sequence[int], focus: int, owner: int) -> list[int]:
        """The windows of the path and the root, without those of a focus owner who has passive grabs: on them the
        server does not tell its own grab from another's. Most toolkits have none (xterm's menus have, seen)."""
        path = [w for w in path if w not in (X.NONE, X.PointerRoot)]
        if self._has_passive_grabs(focus):
            path = [w for w, pid in zip(path, owners(self._x, path), strict=True) if pid != owner]
        return list(dict.fromkeys([*path, self._x.root]))

    def _has_passive_grabs(self, window: int) -> bool:
        """Whether the window's client waits for a key or button of its own choice somewhere."""
        if window in (X.NONE, X.PointerRoot):
            return False
        reply = self._x.outcomes(self._x.post(res.QueryClientResources, client=window))[0]
        return not isinstance(reply, XError) and self._x.atom("PASSIVE GRAB") in [t.resource_type for t in reply.types]

    def _try_key(self, window: int, keycode: int, modifiers: int) -> Any:
        tried = self._x.attempt(
            request.GrabKey,
            owner_events=False,
            grab_window=window,
            modifiers=modifiers,
            key=keycode,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
        )
        self._x.send(request.UngrabKey, key=keycode, grab_window=window, modifiers=modifiers)
        return tried

    def _try_button(self, window: int, number: int, modifiers: int) -> Any:
        tried = self._x.attempt(
            request.GrabButton,
            owner_events=False,
            grab_window=window,
            event_mask=X.ButtonPressMask,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
            confine_to=X.NONE,
            cursor=X.NONE,
            button=number,
            modifiers=modifiers,
        )
        self._x.send(request.UngrabButton, button=number, grab_window=window, modifiers=modifiers)
        return tried

    def _try_device(self, kind: int, window: int, detail: int, modifiers: int, device: int) -> rq.ReplyRequest:
        """A key (``kind`` 1) or button (0) of one device."""
        what = {"deviceid": device, "grab_window": window, "detail": detail, "grab_type": kind}
        tried = self._x.post(
            xinput.XIPassiveGrabDevice,
            **what,
            time=X.CurrentTime,
            cursor=X.NONE,
            grab_mode=xinput.GrabModeAsync,
            paired_device_mode=xinput.GrabModeAsync,
            owner_events=False,
            mask=[1 << (xinput.KeyPress if kind else xinput.ButtonPress)],
            modifiers=[modifiers],
        )
        self._x.send(xinput.XIPassiveUngrabDevice, **what, modifiers=[modifiers])
        return tried


def _refused(reply: Any) -> bool:
    """A passive device grab lists only the modifiers that failed."""
    return not isinstance(reply, XError) and bool(reply.modifiers)
