"""The contract behind which every desktop stands. These docstrings are the law; `tests/desktops` holds all to them.

Three rules run through it. **Unknown is not empty**: where a fact cannot be had a method raises, or gives
``None`` where its docstring says so; it never invents. **Nothing waits**: a method returns as soon as the
platform answered, or raises `Hung` after at most ``CALL_SECONDS``; waiting for a state is done by callers
through `idle`. **All on one thread**: every method is called on the main thread, and only there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import ClassVar

from mac_commander.events import Evidence, Group
from mac_commander.model import (
    App,
    Element,
    Installed,
    Interpreter,
    Limits,
    Modifier,
    Notification,
    Picture,
    Point,
    Progress,
    Readiness,
    Rect,
    Screen,
    Snapshot,
    State,
    Window,
)

CALL_SECONDS = 3.0
"""No single platform call may take longer: a guard must answer within 5 s."""

TEXT_GROUP_UTF16 = 20
"""A CGEvent keeps at most 20 UTF-16 units, the rest is dropped silently (enigo #68); X11 holds its grab for
about 1 ms at this size (measured), so both use it."""

Judge = Callable[[Evidence], None]
"""The guard's verdict: returns to allow, raises `Refused` to forbid."""

OnHold = Callable[[tuple[str, ...]], None]
"""Told what is held down: see `Desktop.on_hold`."""


class Desktop(ABC):
    """One desktop session of one user."""

    name: ClassVar[str]
    """``macos`` or ``x11``."""
    main_modifier: ClassVar[Modifier]
    """What ``cmd`` in a chord stands for here: CMD on macOS, CTRL on Linux."""

    on_hold: OnHold
    """Set by the session. Called with the names (``key:36``, ``button:1``, on X11 with ``@x,y`` for where) of all
    that stays down between two calls into this object, *before* it goes down, and again after it came up. What
    goes down and up within one indivisible delivery is not told."""

    @property
    def seat(self) -> str:
        """Which keyboard this desktop types on, for the lock that servers share: the display, where there can be
        several."""
        return self.name

    # --- looking -------------------------------------------------------------------------------------------

    @abstractmethod
    def readiness(self) -> Readiness:
        """What is missing, found by real probes, not by flags that may lie."""

    def grants_holder(self) -> str:
        """The program that the user's grants belong to; empty where there are none to give."""
        return ""

    @abstractmethod
    def screens(self) -> tuple[Screen, ...]:
        """All displays, the main one first."""

    @abstractmethod
    def apps(self) -> tuple[App, ...]:
        """All running apps with a face (a window, a menu bar or a Dock entry), fresh, no order promised."""

    @abstractmethod
    def frontmost(self) -> App | None:
        """The app in front, when all live sources agree; ``None`` when there is none or they disagree."""

    @abstractmethod
    def is_running(self, app: App) -> bool:
        """Whether this very process (pid and start time) lives."""

    @abstractmethod
    def windows(self, app: App) -> tuple[Window, ...]:
        """The app's windows, front to back, pop-ups and dialogs included, helper windows that were never shown
        left out. Minimised ones come last. Empty when it has none.

        Raises `Hung` when the app must be asked and does not answer.
        """

    @abstractmethod
    def stack(self) -> tuple[Window, ...]:
        """All visible windows of all apps, front to back; our own overlay and click-through windows left out."""

    def shown(self, within: Window | None = None) -> Sequence[tuple[App | None, Rect]]:
        """Whose pixels are where in a picture of the whole desktop, click-through windows included; or whose besides
        the app's own are in the picture of one window. ``None`` for an owner who is not known."""
        if within is not None:
            return ()
        known = {app.pid: app for app in self.apps()}
        return [(known.get(window.pid), window.bounds) for window in self.stack()]

    @abstractmethod
    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        """The app's windows and all elements that can be acted on or read, unfiltered, menus that are closed
        left out. Never fetches the value of a secure field. A deadline, a hang half-way or a limit gives what
        was read with ``complete=False`` and a note.

        Raises `DesktopError` when accessibility cannot be used at all, saying what to do.
        """

    def changed(self, app: App, limits: Limits, also: Sequence[Element] = ()) -> Snapshot:
        """A snapshot of no more than what the app told of since the last call, and of the elements ``also``: each as
        `snapshot` would give it now, and left out where that would. The first call begins to listen, and ``idle(0)``
        ends it. ``complete=False`` when more is known, or seen by ``also`` (`keeps_quiet`), to have changed: `snapshot`
        has all of it. An app may change without telling of it."""
        return Snapshot(app, self.windows(app), (), complete=False)

    @abstractmethod
    def describe(self, key: Hashable) -> Element | None:
        """The element as it is now (``depth`` 0), or ``None`` when it is gone. Raises `Hung`."""

    @abstractmethod
    def focused(self, app: App) -> Element | None:
        """The element of this app that gets its keys, ``None`` when the app does not tell."""

    def types_secretly(self, app: App) -> bool | None:
        """Whether a password field gets the app's keys; ``None`` when the app does not tell what does. Asked before
        each piece of a text: a desktop that need not read the whole element for it does not."""
        focused = self.focused(app)
        return None if focused is None else focused.secure

    @abstractmethod
    def capture(self, window: Window) -> Picture:
        """The pixels of that window and of nothing else, also when it is covered. The overlay is never in it.

        Raises `DesktopError` when it cannot be had (minimised, gone, owner changed, no permission): there is
        no wider substitute.
        """

    @abstractmethod
    def capture_desktop(self) -> Picture:
        """The pixels of all screens. Callers black out what must not be seen."""

    @abstractmethod
    def ancestors(self) -> tuple[int, ...]:
        """Pids of the processes that we descend from, nearest first, without init: the client that spawned us and its
        terminal are among them, on X11 also the terminals that a multiplexer shows it in. Fresh: one may come later."""

    # --- apps ----------------------------------------------------------------------------------------------

    @abstractmethod
    def installed(self) -> tuple[Installed, ...]:
        """All apps that `launch` could start, from the system's own folders first."""

    @abstractmethod
    def launch(self, what: Installed) -> object:
        """Ask for the app to be started, in front, without a shell. Returns a ticket for `launch_progress`.
        An app that runs already is brought to the front instead (single instance)."""

    @abstractmethod
    def launch_progress(self, ticket: object) -> Progress:
        """How far that launch has come; also finds the process that took over from the one started."""

    @abstractmethod
    def request_quit(self, app: App) -> None:
        """Ask politely, as the app's own Quit or close button would. Never ends a process."""

    @abstractmethod
    def activate(self, app: App, window: Window | None = None) -> None:
        """Ask for the app (and that window of it) to come to the front. A request: look at `frontmost`.
        Un-hides it, and un-minimises its last window when it has no other."""

    @abstractmethod
    def hide(self, app: App) -> None:
        """Ask for all windows of the app to go out of sight (macOS: hide; X11: minimise). A request."""

    @abstractmethod
    def is_hidden(self, app: App) -> bool:
        """No window of it can be seen because it was hidden or minimised."""

    @abstractmethod
    def place(self, window: Window, move: Point | None, size: tuple[float, float] | None) -> Rect:
        """Move and resize the window; coordinates are those of ``Window.bounds``. Returns the bounds read back
        after the platform settled (at most 1 s); callers compare."""

    # --- input: called by core/batch.py alone --------------------------------------------------------------

    @abstractmethod
    def watch_human(self) -> None:
        """Forget the physical input seen so far; `Evidence.human` counts from here."""

    @abstractmethod
    def evidence(self, point: Point | None = None) -> Evidence:
        """What `deliver` would show its judge for a group at this point, or for a keyboard group."""

    @abstractmethod
    def deliver(self, group: Group, target: App, judge: Judge) -> None:
        """Gather evidence, call ``judge`` with it, and send the group only when it returns. On X11 evidence and
        delivery are one indivisible act (server grab); elsewhere as close together as the platform can.
        Whatever the judge raises comes out unchanged, and then nothing was sent.

        Raises `Unsupported` when nothing was sent because it cannot be (no press action, no such menu item: the
        message lists what there is; a character that cannot be typed), `Uncertain` when an error came after it
        may have worked, `Hung`, `DesktopError`.
        """

    @abstractmethod
    def untypable(self, text: str) -> str:
        """The characters of ``text`` that `deliver` could not type now, each once; empty when all can be."""

    @abstractmethod
    def barrier(self, target: App, seconds: float) -> bool | None:
        """Wait until the target has taken all input sent so far. ``False`` when it did not answer in time,
        ``None`` when it has no way to answer."""

    @abstractmethod
    def release_all(self) -> None:
        """Let go of every key and button that we hold. A button is first taken back to where it went down, so that
        a broken drag drops nothing elsewhere. Safe at any time; never raises."""

    # --- others --------------------------------------------------------------------------------------------

    @abstractmethod
    def notify(self, notification: Notification) -> str:
        """Hand a banner to the desktop as plain text; returns a sentence about what is known of it.

        Raises `DesktopError` when there is nobody to show it.
        """

    @abstractmethod
    def interpreters(self) -> Sequence[Interpreter]:
        """What runs the user's scripts, by file suffix."""

    def session_environment(self) -> Mapping[str, str]:
        """Variables by which a script, the guardian or the halo finds this desktop session, nothing else of ours or
        the client's; empty where a process finds it by itself."""
        return {}

    @abstractmethod
    def script_help(self, exit_code: int, stderr: str) -> str:
        """A sentence that explains a script's failure (who lacks which grant), empty when there is none."""

    @abstractmethod
    def idle(self, seconds: float) -> None:
        """Let at most this much time pass while the platform's events are taken in; returns early when an
        accessibility or window event came, so that waits can look at once."""

    @abstractmethod
    def close(self) -> None:
        """Release everything held, restore what was changed (keymap, flags), disconnect. Never raises."""


def keeps_quiet(before: Sequence[Element], now: Sequence[Element], told: Collection[Hashable]) -> bool:
    """Whether one of these elements says something else now and the app did not tell of it: then others may too."""
    says = {element.key: _said(element) for element in now}
    return any(_said(e) != says.get(e.key, _said(e)) for e in before if e.key not in told)


def _said(element: Element) -> tuple[str, str | None, bool]:
    return element.name, element.value, State.OFFSCREEN in element.states
