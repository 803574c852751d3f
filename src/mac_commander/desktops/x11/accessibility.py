"""The accessibility side of the X11 desktop: trees, the focus, and actions addressed to elements."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from typing import Any, TypeVar

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11.atspi_actions import Actor
from mac_commander.desktops.x11.atspi_bus import AtspiBus, ElementKey, switch_on
from mac_commander.desktops.x11.atspi_focus import find_focused, focus_is_secret
from mac_commander.desktops.x11.atspi_key_listeners import keys_arrived
from mac_commander.desktops.x11.atspi_menus import pick
from mac_commander.desktops.x11.atspi_part import PartReading
from mac_commander.desktops.x11.atspi_reading import Reading, describe
from mac_commander.desktops.x11.atspi_told import Told
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.desktops.x11.session_bus import converse
from mac_commander.errors import DesktopError, Hung, Unsupported
from mac_commander.model import OLD, App, Element, Limits, Snapshot, Window

T = TypeVar("T")

CONNECT_SECONDS = 1.0
"""A bus that is there but silent has frozen other programs for 50 s (solomd #253); a live one answers in 25 ms."""

SPARE_SECONDS = 1.0
"""Beyond the deadlines of what runs on the bus: when even those are missed, the bus itself hangs."""

TOLD_SECONDS = 0.005
"""Between two looks at whether the app told of something: short against the 100 ms in which a wait ends."""

_INSTALL = "Install at-spi2-core (Debian: apt install at-spi2-core) and log in again; clicks by xy work without it."


class Accessibility:
    """AT-SPI of one desktop session. Connects at first use, and again when the bus was restarted."""

    def __init__(self, session_bus_address: str, at_spi_address: str | None = None) -> None:
        self._session_address = session_bus_address
        self._known_address = at_spi_address
        self._bus: AtspiBus | None = None
        self._told = Told()

    # --- connection ----------------------------------------------------------------------------------------

    def problem(self) -> str:
        """Empty when accessibility can be used, else a sentence that says what is missing and what to do."""
        try:
            self._connected()
        except DesktopError as error:
            return str(error)
        return ""

    def _connected(self) -> AtspiBus:
        if self._bus is not None:
            self._bus.connection.refresh()
            if self._bus.connection.connected:
                return self._bus
            self.close()
        bus = AtspiBus(self._address())
        try:
            bus.connection.run(bus.open(), CONNECT_SECONDS)
        except (CallError, TimeoutError) as error:
            bus.connection.close()
            seen = "does not answer" if isinstance(error, TimeoutError) else "cannot be reached"
            raise DesktopError(f"wanted the accessibility bus, but it {seen}. {_INSTALL}") from error
        bus.on_event = self._told.hear
        self._bus = bus
        return bus

    def _address(self) -> str:
        """From the session bus, which also switches applications' trees on; else what the X server told us."""
        if self._session_address:
            try:
                return converse(self._session_address, switch_on, CONNECT_SECONDS)
            except (CallError, TimeoutError) as error:
                if not self._known_address:
                    seen = "does not answer" if isinstance(error, TimeoutError) else "offers no org.a11y.Bus"
                    raise DesktopError(
                        f"wanted the accessibility bus, but the session bus {seen}. {_INSTALL}"
                    ) from error
        if not self._known_address:
            raise DesktopError(f"wanted the accessibility bus, but no session bus is known. {_INSTALL}")
        return self._known_address

    def close(self) -> None:
        """Disconnect."""
        self._told.forget()
        if self._bus is not None:
            self._bus.connection.close()
            self._bus = None

    def idle(self, seconds: float) -> None:
        """Let at most this much time pass; returns early when an app told of a change. Raises `DesktopError` at once
        when there is no connection: a wait is no time to look for a bus that may be silent."""
        if self._bus is None or not self._bus.connection.connected:
            raise DesktopError("wanted to wait for accessibility events, but there is no connection; look again first")
        if seconds <= 0:
            self._told.forget()
        self._bus.wait(seconds)

    def keys_arrived(self, app: App, seconds: float) -> bool:
        """Whether the keys that the app has read reached its widgets within this time. Without a connection nobody is
        asked: a barrier is no time to look for a bus that may be silent."""
        if self._bus is None or not self._bus.connection.connected:
            return True
        try:
            self._bus.connection.run(keys_arrived(self._bus, app.pid), seconds)
        except TimeoutError:
            return False
        except CallError:
            return True  # an app without a tree, or gone: nothing is on its way
        return True

    # --- looking -------------------------------------------------------------------------------------------

    def snapshot(self, app: App, windows: Sequence[Window], limits: Limits) -> Snapshot:
        """See `Desktop.snapshot`; ``windows`` are the app's X windows, front to back."""
        bus = self._connected()
        reading = Reading(bus, app, windows, limits).snapshot()
        seconds = limits.seconds + SPARE_SECONDS
        if not limits.until_told:
            return self._ask(reading, seconds)
        older = Snapshot(app, tuple(windows), (), complete=False, notes=(OLD,))
        with bus.connection.at_leisure():
            return self._ask(_unless_told(reading, self._told, older), seconds)

    def changed(self, app: App, windows: Sequence[Window], limits: Limits, also: Sequence[Element]) -> Snapshot:
        """See `Desktop.changed`."""
        bus = self._connected()
        bus.listen(True)
        return self._ask(
            PartReading(bus, app, windows, limits).snapshot(self._told, also), CALL_SECONDS + SPARE_SECONDS
        )

    def describe(self, key: Hashable, windows: Sequence[Window]) -> Element | None:
        """See `Desktop.describe`; ``windows`` are those of the element's app."""
        if not isinstance(key, ElementKey):
            return None
        return self._ask(describe(self._connected(), key, windows))

    def focused(self, app: App, windows: Sequence[Window]) -> Element | None:
        """See `Desktop.focused`: what was last told to have the focus, if it still has it; else it is looked for."""
        return self._ask(find_focused(self._connected(), app, windows))

    def types_secretly(self, app: App) -> bool | None:
        """See `Desktop.types_secretly`."""
        return self._ask(focus_is_secret(self._connected(), app))

    # --- acting --------------------------------------------------------------------------------------------

    def press(self, key: Hashable) -> None:
        """Raises `Unsupported`, `Stale` and `Hung` when nothing happened, `Uncertain` when it may have."""
        self._act(key, Actor.press)

    def focus(self, key: Hashable) -> None:
        """Like `press`."""
        self._act(key, Actor.focus)

    def reveal(self, key: Hashable) -> None:
        """Like `press`."""
        self._act(key, Actor.reveal)

    def set_value(self, key: Hashable, text: str) -> None:
        """Like `press`."""
        self._act(key, lambda actor: actor.set_value(text))

    def pick_menu(self, app: App, path: Sequence[str]) -> None:
        """Press the item at ``path`` of the app's menu bar; `Unsupported` lists what there is at the level that
        failed. Otherwise like `press`."""
        self._ask(pick(self._connected(), app, path), CALL_SECONDS + SPARE_SECONDS)

    def _act(self, key: Hashable, act: Callable[[Actor], Awaitable[None]]) -> None:
        if not isinstance(key, ElementKey):
            raise Unsupported("that is no element of this desktop")
        self._ask(_acted(self._connected(), key, act), CALL_SECONDS + SPARE_SECONDS)

    def _ask(self, work: Coroutine[Any, Any, T], seconds: float = CALL_SECONDS) -> T:
        try:
            return self._connected().connection.run(work, seconds)
        except TimeoutError:
            raise Hung("the app did not answer in time; wait, or quit it") from None
        except CallError as error:
            raise DesktopError(f"the accessibility bus failed ({error.name}); look again") from error


async def _acted(bus: AtspiBus, key: ElementKey, act: Callable[[Actor], Awaitable[None]]) -> None:
    await act(Actor(bus, key))


async def _unless_told(reading: Coroutine[Any, Any, Snapshot], told: Told, otherwise: Snapshot) -> Snapshot:
    """What it gives, or ``otherwise`` as soon as the app tells of a change: what was read is older than that."""
    look = asyncio.ensure_future(reading)
    while not told.anything and not look.done():
        await asyncio.wait([look], timeout=TOLD_SECONDS)
    if not look.done():
        look.cancel()
        return otherwise
    return await look
