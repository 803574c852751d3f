"""What one server knows and may do: the desktop, the policy, the refs, and the last look at each app."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Protocol

from mac_commander.core.blocklist import Blocklist, Policy
from mac_commander.core.config import Config
from mac_commander.core.finder import refuse_throwing_away
from mac_commander.core.keyboard_lock import keyboard_lock
from mac_commander.core.names import check_app_name, matches, near, stem
from mac_commander.core.progress import Progress, silent
from mac_commander.core.quota import Quota
from mac_commander.core.refs import RefTable, candidates, check_same, described
from mac_commander.core.snapshot import Listing, listing
from mac_commander.core.stop import Stop
from mac_commander.desktops.base import Desktop
from mac_commander.errors import Cause, DesktopError, NoSuchApp, Refused, Stale
from mac_commander.model import App, Element, Identity, Installed, Limits, Picture, Rect, Window, WindowKind

FRONT_SECONDS = 3.0
"""The mission's: how long a target may take to come to the front."""

STALE_LOOK_SECONDS = 1.0
"""What a stale answer may spend on naming live candidates."""

APPS_REMEMBERED = 50
"""Last listings kept, for `changes`; the oldest goes."""


class Keeper(Protocol):
    """The guardian process, as the session needs it."""

    def require(self) -> None:
        """Raise `Refused` unless it listens."""

    def hold(self, names: tuple[str, ...]) -> None:
        """What is down; see ``Desktop.on_hold``."""


BANNERS_MOST = 20
BANNERS_SECONDS = 60.0
"""So many in a minute: more would hide the user's own notifications."""


class Session:
    """Shared by the tools. Everything that shows, starts or stops something goes through here or core/batch."""

    def __init__(self, desktop: Desktop, config: Config, stop: Stop, guardian: Keeper | None = None) -> None:
        self.desktop = desktop
        self._guardian = guardian
        if guardian is not None:
            desktop.on_hold = guardian.hold
        self.config = config
        self.stop = stop
        self.progress: Progress = silent
        """Set by the dispatcher for each call."""
        self.notice: Callable[[], str] = lambda: ""
        """A sentence for the user about a helper process, told once; empty when there is none."""
        self.refs = RefTable()
        self.banners = Quota(BANNERS_MOST, BANNERS_SECONDS)
        self.policy = Policy(Blocklist(config.input_blocklist), desktop.ancestors())
        self._last: dict[Identity, Listing] = {}

    def wait(self, seconds: float, done: Callable[[], bool] | None = None) -> bool:
        """Let time pass, looking at the stop flag; ends early when ``done()``. Returns whether it did."""
        return self.stop.wait(seconds, self.desktop.idle, done)

    @contextmanager
    def at_the_keyboard(self) -> Iterator[None]:
        """For the time of a batch: the only server at this keyboard, with a guardian that lets go if we die.

        Raises `Refused` naming who holds the keyboard, or that the guardian cannot be had.
        """
        with keyboard_lock(self.desktop.seat):
            if self._guardian is not None:
                self._guardian.require()
            try:
                yield
            finally:
                self.desktop.release_all()

    # --- which app -----------------------------------------------------------------------------------------

    def resolve(self, name: str | None, where: str = "app") -> App:
        """The running app of exactly that name or id; the frontmost when no name is given. Changes nothing.

        Raises `NoSuchApp` with near names, `Refused` when several answer to it or the front is unknown.
        """
        self.policy.know_hosts(self.desktop.ancestors())
        if name is None:
            return self._frontmost()
        check_app_name(name, where)
        running = self.desktop.apps()
        found = _best(name, running)
        if not found:
            raise self._no_such_app(name, running)
        return found[0] if len(found) == 1 else self._one_of(name, found)

    def input_target(self, name: str) -> App:
        """As `resolve`, for input. A blocked app that does not run is refused by whichever of its names, as a running
        one is, and not reported missing."""
        try:
            return self.resolve(name, "target")
        except NoSuchApp:
            with suppress(NoSuchApp):
                self.policy.refuse_input(not_running(self.find_installed(name)), name)
            raise

    def _frontmost(self) -> App:
        front = self.desktop.frontmost()
        if front is None:
            raise Refused("no app is known to be in front: name one (app)")
        return front

    def _one_of(self, name: str, found: Sequence[App]) -> App:
        """Of several processes of one program the one in front is meant; of different programs none is."""
        front = self.desktop.frontmost()
        same = len(set(map(_program, found))) == 1
        if same and front is not None and front.identity in {a.identity for a in found}:
            return front
        one_program = "ask the user to bring the one that is meant to the front; see(all=true) lists them all"
        way_out = one_program if same else "name one by its id, or close the others"
        raise Refused(
            f"{len(found)} running apps answer to {name!r}: {'; '.join(map(str, found[:5]))}. To go on: {way_out}"
        )

    def _no_such_app(self, name: str, running: Sequence[App]) -> NoSuchApp:
        every = {n: a.name for a in running for n in (a.name, a.app_id, *a.aliases) if n}
        close = dict.fromkeys(every[n] for n in near(name, list(every)))
        hint = f"near names that run: {', '.join(close)}" if close else f"running: {_names(running)}"
        return NoSuchApp(f"no running app is called {name!r}; {hint}. Start one with app(launch)")

    def find_installed(self, name: str) -> Installed:
        """The installed app of exactly that name or id. Raises `NoSuchApp` with near names, `Refused`."""
        check_app_name(name, "name")
        everything = self.desktop.installed()
        found = [i for i in everything if stem(i.app_id) == stem(name)]
        found = found or [i for i in everything if matches(name, [i.name])]
        found = found or [i for i in everything if matches(name, i.aliases)]
        if len({i.app_id for i in found}) > 1:
            raise Refused(f"several installed apps answer to {name!r}: {', '.join(i.app_id for i in found[:5])}")
        if not found:
            close = near(name, [i.name for i in everything])
            raise NoSuchApp(
                f"no installed app is called {name!r}" + (f"; near names: {', '.join(close)}" if close else "")
            )
        return found[0]

    # --- coming to the front ---------------------------------------------------------------------------------

    def bring_to_front(self, app: App) -> None:
        """Activate and wait up to `FRONT_SECONDS` for two looks in a row that find it in front. An app that is there
        without a window to be seen is activated too: that brings a minimised one back.

        Raises `Refused` naming who is in front instead.
        """
        if self._is_front(app) and not self.desktop.is_hidden(app):
            return
        self.desktop.activate(app)
        if not self.wait(FRONT_SECONDS, lambda: self._is_front(app) and self._is_front(app)):
            front = self.desktop.frontmost()
            who = front.name if front else "no known app"
            raise Refused(
                f"{app.name} did not come to the front within {FRONT_SECONDS:g} s: {who} is frontmost",
                cause=Cause.FOCUS,
                frontmost=front,
            )

    def _is_front(self, app: App) -> bool:
        front = self.desktop.frontmost()
        return front is not None and front.identity == app.identity

    # --- looking ---------------------------------------------------------------------------------------------

    def look(self, app: App, limits: Limits | None = None) -> Listing:
        """A fresh listing of the app; not remembered."""
        return listing(self.desktop.snapshot(app, limits or Limits()), self.refs)

    def remember(self, seen: Listing) -> None:
        """What the next `changes` of this app is told against."""
        self._last.pop(seen.app.identity, None)
        self._last[seen.app.identity] = seen
        while len(self._last) > APPS_REMEMBERED:
            del self._last[next(iter(self._last))]

    def remembered(self, app: App) -> Listing | None:
        return self._last.get(app.identity)

    def element(self, text: str, target: App) -> Element:
        """The live element of a ref.

        Raises `Stale` with what it was and live candidates, `Refused` for a ref of another app and for a command
        that no model gives.
        """
        ref = self.refs.find(text, target)
        try:
            element = check_same(ref, self.desktop.describe(ref.key))
        except Stale as stale:
            live = self.desktop.snapshot(target, Limits(seconds=STALE_LOOK_SECONDS)).elements
            words = [f"{self.refs.ref(target, e)} {described(e.role, e.name)}" for e in candidates(ref, live)]
            hint = f"like it now: {'; '.join(words)}" if words else "nothing like it is there now"
            raise Stale(f"{stale}. {hint}") from None
        refuse_throwing_away(target, element.role, element.name)
        return element

    def main_window(self, app: App) -> Window | None:
        """The window a person would mean: the main one, else the topmost that is no pop-up."""
        seen = [w for w in self.desktop.windows(app) if not w.minimised and w.kind is not WindowKind.POPUP]
        return next((w for w in seen if w.main), seen[0] if seen else None)

    # --- pictures --------------------------------------------------------------------------------------------

    def window_picture(self, app: App) -> tuple[Picture, Window, list[Rect]]:
        """The app's main window, and the rectangles of blocked windows inside it to paint black: those seen before and
        after. Raises `Refused` for a blocklisted app, `DesktopError` when there is no window."""
        self.policy.blocklist.refuse_app(app, app.name)
        if self.policy.hides_pixels(app):
            raise Refused(f"{app.name} is a system dialog or locker: no screenshot of it is taken")
        window = self.main_window(app)
        if window is None:
            raise DesktopError(f"{app.name} shows no window (hidden, minimised or windowless)")
        before = self._hidden(window)
        picture = self.desktop.capture(window)
        return picture, window, before + self._hidden(window)

    def desktop_picture(self) -> tuple[Picture, list[Rect]]:
        """All screens, and the rectangles of blocked windows as above."""
        before = self._hidden()
        picture = self.desktop.capture_desktop()
        return picture, before + self._hidden()

    def _hidden(self, within: Window | None = None) -> list[Rect]:
        shown = self.desktop.shown(within)
        return [box for owner, box in shown if owner is None or self.policy.hides_pixels(owner)]


def not_running(what: Installed) -> App:
    """What is installed, as the policy judges apps."""
    return App(0, 0.0, what.name, what.app_id, what.aliases, what.location)


def _best(name: str, apps: Sequence[App]) -> list[App]:
    """By id, else by display name, else by any other name: exact each time."""
    by_id = [a for a in apps if stem(a.app_id) == stem(name)]
    by_name = by_id or [a for a in apps if matches(name, [a.name])]
    return by_name or [a for a in apps if matches(name, a.aliases)]


def _program(app: App) -> tuple[str, ...]:
    """What two processes must share to be one program: more than a name, which a window may claim. An app without an
    id may be a script of an interpreter that runs many."""
    return (app.app_id, app.executable) if app.app_id else (*sorted(app.every_name),)


def _names(apps: Sequence[App]) -> str:
    return ", ".join(sorted({a.name for a in apps})[:20]) or "none"
