"""The adversary: an X client that takes focus, grabs or covers a place when told, and reports what it got.

Plain python-xlib under the tests' own Python: no compiler needed, and a storm still steals thousands of times a second.
"""

from __future__ import annotations

import os
import random
import select
import time
from typing import Any

from wire import Commands, report
from Xlib import XK, X, Xatom
from Xlib.display import Display
from Xlib.error import CatchError
from Xlib.protocol.event import ClientMessage

EVENTS = {X.KeyPress: "key_down", X.KeyRelease: "key_up", X.ButtonPress: "mouse_down", X.ButtonRelease: "mouse_up"}
MASK = X.KeyPressMask | X.KeyReleaseMask | X.ButtonPressMask | X.ButtonReleaseMask | X.FocusChangeMask
MODIFIERS = {"shift": X.ShiftMask, "ctrl": X.ControlMask, "alt": X.Mod1Mask, "super": X.Mod4Mask}


class Thief:
    def __init__(self) -> None:
        self.display = Display()
        self.display.set_error_handler(CatchError())  # a target may go away in mid-storm
        self.root = self.display.screen().root
        self.window = self.make_window((900, 560, 300, 200), override=False)
        self.popup = self.make_window((0, 0, 10, 10), override=True)
        self.window.change_property(self.atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [os.getpid()])
        # No focus for being new (EWMH): on a busy machine it came long after the test had taken the front back.
        self.window.change_property(self.atom("_NET_WM_USER_TIME"), Xatom.CARDINAL, 32, [0])
        self.window.set_wm_name("Thief")
        self.window.set_wm_class("thief", "Thief")
        self.window.map()

    def make_window(self, box: tuple[int, int, int, int], *, override: bool) -> Any:
        return self.root.create_window(
            *box, 0, X.CopyFromParent, background_pixel=0xFF4444, override_redirect=override, event_mask=MASK
        )

    def atom(self, name: str) -> int:
        return self.display.intern_atom(name)

    # --- commands ----------------------------------------------------------------------------------------

    def claim(self, pid: int, instance: str, name: str) -> None:
        """To be another process and another program, in the properties that a client sets itself."""
        for window in (self.window, self.popup):
            window.change_property(self.atom("_NET_WM_PID"), Xatom.CARDINAL, 32, [pid])
            window.set_wm_class(instance, name)
            window.set_wm_name(name)
        self.display.sync()

    def window_id(self) -> int:
        return self.window.id

    def focus(self) -> None:
        """Take the input focus without asking the window manager."""
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.flush()

    def give_focus(self, window: int) -> None:
        target = self.display.create_resource_object("window", window)
        target.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.flush()

    def activate(self, window: int | None = None) -> None:
        """Ask the window manager for the front, as a pager would; for another window when one is given."""
        self.window.raise_window()
        target = self.display.create_resource_object("window", window or self.window.id)
        message = ClientMessage(window=target, client_type=self.atom("_NET_ACTIVE_WINDOW"), data=(32, [2, 0, 0, 0, 0]))
        self.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self.display.flush()

    def cover(self, x: int, y: int, width: int, height: int) -> None:
        """Map a pop-up window, unknown to the window manager, over that place of the screen."""
        self.popup.configure(x=x, y=y, width=width, height=height, stack_mode=X.Above)
        self.popup.map()
        self.display.flush()

    def embed(self, window: int, x: int, y: int) -> None:
        """Put the pop-up into another program's window."""
        self.popup.reparent(self.display.create_resource_object("window", window), x, y)
        self.popup.map()
        self.display.sync()

    def take_out(self) -> None:
        self.popup.unmap()
        self.popup.reparent(self.root, 0, 0)
        self.display.sync()

    def uncover(self) -> None:
        self.popup.unmap()
        self.display.flush()

    def grab_keyboard(self) -> bool:
        return self.window.grab_keyboard(False, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime) == X.GrabSuccess

    def grab_pointer(self) -> bool:
        mask = X.ButtonPressMask | X.ButtonReleaseMask
        modes = (X.GrabModeAsync, X.GrabModeAsync)
        return self.window.grab_pointer(False, mask, *modes, X.NONE, X.NONE, X.CurrentTime) == X.GrabSuccess

    def ungrab(self) -> None:
        self.display.ungrab_keyboard(X.CurrentTime)
        self.display.ungrab_pointer(X.CurrentTime)
        self.display.sync()

    def hotkey(self, key: str, *modifiers: str) -> None:
        """Own a global hotkey by a passive grab on the root window."""
        mask = 0
        for word in modifiers:
            mask |= MODIFIERS[word]
        keycode = self.display.keysym_to_keycode(XK.string_to_keysym(key))
        self.root.grab_key(keycode, mask, False, X.GrabModeAsync, X.GrabModeAsync)
        self.display.sync()

    def storm(self, mode: str, target: int, seconds: float, every: float, hold: float) -> int:
        """Steal again and again: wait at random up to ``every``, hold up to ``hold`` (both in seconds), give the
        focus back. ``mode`` is ``focus`` (past the window manager), ``activate`` or ``grab``. Returns the steals."""
        take, give = {
            "focus": (self.focus, lambda: self.give_focus(target)),
            "activate": (self.activate, lambda: self.activate(target)),
            "grab": (self.grab_keyboard, self.ungrab),
        }[mode]
        chance = random.Random(20)
        steals, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(chance.uniform(0, every))
            take()
            steals += 1
            time.sleep(chance.uniform(0, hold))
            give()
            self.drain()
        return steals

    def cover_storm(self, box: list[int], seconds: float, every: float, hold: float) -> int:
        """Cover and uncover a place again and again."""
        chance = random.Random(20)
        covers, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(chance.uniform(0, every))
            self.cover(*box)
            covers += 1
            time.sleep(chance.uniform(0, hold))
            self.uncover()
            self.drain()
        return covers

    def settle(self) -> None:
        """Everything the server had for us has been reported when this answers."""
        self.display.sync()
        self.drain()

    # --- what came ---------------------------------------------------------------------------------------

    def drain(self) -> None:
        while self.display.pending_events():
            event = self.display.next_event()
            if event.type in EVENTS:
                report(EVENTS[event.type], "thief", detail=event.detail, text=self.text(event))
            elif event.type == X.FocusIn:
                report("focus_in", "thief", mode=event.mode)
            elif event.type == X.MappingNotify:
                self.display.refresh_keyboard_mapping(event)

    def text(self, event: Any) -> str:
        if event.type not in (X.KeyPress, X.KeyRelease):
            return ""
        keysym = self.display.keycode_to_keysym(event.detail, event.state & X.ShiftMask)
        return self.display.lookup_string(keysym) or ""

    def commands(self) -> Commands:
        names = (
            "window_id claim focus give_focus activate cover uncover embed take_out grab_keyboard grab_pointer ungrab "
            "hotkey storm cover_storm settle"
        )
        return Commands({name: getattr(self, name) for name in names.split()})


def main() -> None:
    thief = Thief()
    commands = thief.commands()
    thief.settle()
    report("ready", "thief", pid=os.getpid())
    while True:
        ready, _, _ = select.select([0, thief.display.fileno()], [], [])
        thief.drain()
        if 0 in ready:
            commands.read()
            thief.drain()


if __name__ == "__main__":
    main()
