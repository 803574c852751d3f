"""Words and X events in, windows out: the helper's only loop."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Mapping

from Xlib import X, error
from Xlib.display import Display
from Xlib.ext import shape
from Xlib.protocol.rq import Event

from mac_commander.overlay.protocol import Ending, WordReader
from mac_commander.overlay.timeline import FRAME, AnyTimeline, SteadyTimeline, Timeline
from mac_commander.overlay.x11 import screens
from mac_commander.overlay.x11.glow import Glow, NoVisual
from mac_commander.overlay.x11.panel import WM_CLASS, NotClickThrough

READ_BYTES = 65536
"""A whole pipe of words at once: after a pause only the last of them counts for long."""

RISE_SECONDS = 0.1
"""Between two raises: another window that wants to be on top, too, must not turn this into a race."""

INPUT_SHAPES = (1, 1)
"""The version of SHAPE that brought input areas."""


def run(stdin: int, env: Mapping[str, str]) -> Ending:
    """Serve words from this descriptor until it ends."""
    try:
        display = Display(env.get("DISPLAY"))
    except (error.DisplayError, error.ConnectionClosedError, OSError):
        return Ending.NO_DISPLAY
    if not _has_input_shapes(display):
        return Ending.NO_CLICK_THROUGH
    try:
        return Loop(display, stdin, env).run()
    except NotClickThrough:
        return Ending.NO_CLICK_THROUGH
    except NoVisual:
        return Ending.NO_VISUAL
    except (error.ConnectionClosedError, ConnectionError):
        return Ending.NO_DISPLAY


def _has_input_shapes(display: Display) -> bool:
    if not display.has_extension("SHAPE"):
        return False
    version = shape.query_version(display)
    return (version.major_version, version.minor_version) >= INPUT_SHAPES


class Loop:
    """Holds the one glow, and makes it anew when the screens have changed."""

    def __init__(self, display: Display, stdin: int, env: Mapping[str, str]) -> None:
        self._display = display
        self._stdin = stdin
        self._env = env
        self._words = WordReader()
        self._layout = screens.read_layout(display, env)
        self._layout_atoms = screens.layout_atoms(display)
        self._layout_stale = False
        self._glow = Glow(display, self._layout)
        self._timeline = self._dark_timeline()
        self._lit = False
        self._rise_at: float | None = None

    def _dark_timeline(self) -> AnyTimeline:
        return Timeline() if self._glow.translucent and not self._layout.still else SteadyTimeline()

    def run(self) -> Ending:
        while True:
            self._take_events()
            now = time.monotonic()
            self._show(now)
            self._display.flush()
            if self._readable(self._timeout(now)) and not self._take_words():
                return Ending.END_OF_INPUT

    def _readable(self, seconds: float | None) -> bool:
        """Wait until there is something to do; whether words came."""
        if self._display.pending_events():
            return False
        descriptors = [self._stdin, self._display.fileno()]
        return self._stdin in select.select(descriptors, [], [], seconds)[0]

    def _timeout(self, now: float) -> float | None:
        """Until the next frame, judged by the moment that was shown last: a fade that has ended since then has
        not been shown at its end."""
        waits = [FRAME] if self._timeline.moving(now) else []
        if self._rise_at is not None:
            waits.append(max(0.0, self._rise_at - now))
        return min(waits, default=None)

    def _take_words(self) -> bool:
        """Whether the pipe is still open."""
        data = os.read(self._stdin, READ_BYTES)
        for lit in self._words.feed(data):
            self._timeline = self._timeline.told(lit, time.monotonic())
            self._layout_stale |= lit  # while dark nothing was watched, and a compositor comes without an event
        return bool(data)

    # --- X events ------------------------------------------------------------------------------------------

    def _take_events(self) -> None:
        while self._display.pending_events():
            self._take(self._display.next_event())

    def _take(self, event: Event) -> None:
        if self._changes_layout(event):
            self._layout_stale = True
        elif self._rise_at is None and self._covers(event):
            self._rise_at = time.monotonic() + RISE_SECONDS

    def _changes_layout(self, event: Event) -> bool:
        if event.type == X.PropertyNotify:
            return event.atom in self._layout_atoms
        if event.type == X.ConfigureNotify:
            return bool(event.window == self._display.screen().root)
        return bool(event.type >= X.LASTEvent)  # an extension's: RandR's are the only ones asked for

    def _covers(self, event: Event) -> bool:
        """Whether this may have put another window over ours."""
        if event.type == X.VisibilityNotify:
            return bool(event.state != X.VisibilityUnobscured)
        restacked = event.type in (X.MapNotify, X.ConfigureNotify, X.CirculateNotify)
        return restacked and not self._glow.owns(event.window.id) and not _is_halo(event)

    # --- windows -------------------------------------------------------------------------------------------

    def _show(self, now: float) -> None:
        lit = self._timeline.level(now) > 0
        if lit != self._lit:
            self._lit = lit
            screens.watch(self._display, lit=lit)
        if lit and self._layout_stale:
            self._follow_screens(now)
        self._glow.set_level(self._timeline.level(now))
        if self._rise_at is not None and now >= self._rise_at:
            self._rise_at = None
            if lit:
                self._glow.rise()

    def _follow_screens(self, now: float) -> None:
        """Make the windows anew when anything that they depend on has changed."""
        self._layout_stale = False
        layout = screens.read_layout(self._display, self._env)
        if layout == self._layout:
            return
        old, self._layout = self._glow, layout
        self._glow = Glow(self._display, layout)
        timeline = self._dark_timeline()
        if type(timeline) is not type(self._timeline):
            self._timeline = timeline.told(self._timeline.lit, now)
        self._glow.set_level(self._timeline.level(now))
        old.destroy()


def _is_halo(event: Event) -> bool:
    """Another server's halo: two that raise themselves over one another would never rest."""
    try:
        return bool(event.window.get_wm_class() == WM_CLASS)
    except error.XError:
        return True  # gone already: it covers nothing
