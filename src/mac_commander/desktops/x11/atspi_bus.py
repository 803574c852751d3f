"""The accessibility bus: finding it, switching applications' trees on, whose connection is whose, focus events.

Applications built on at-spi2-atk (GTK 3, Chromium, LibreOffice) offer their cache only after somebody registered
for an event, on a connection that is still open (measured); so the first thing done here is to register.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from dbus_fast import Message, Variant

from mac_commander.desktops.x11.dbus_calls import Call, CallError
from mac_commander.desktops.x11.dbus_connection import Connection

ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
APPLICATION = "org.a11y.atspi.Application"
COMPONENT = "org.a11y.atspi.Component"
EDITABLE_TEXT = "org.a11y.atspi.EditableText"
SELECTION = "org.a11y.atspi.Selection"
TABLE = "org.a11y.atspi.Table"
TEXT = "org.a11y.atspi.Text"
VALUE = "org.a11y.atspi.Value"

ROOT = "/org/a11y/atspi/accessible/root"
NOTHING = "/org/a11y/atspi/null"
"""The path of "no object"."""

REGISTRY = "org.a11y.atspi.Registry"
DBUS = "org.freedesktop.DBus"

EVENTS = (
    "object:state-changed",
    "object:children-changed",
    "object:property-change",
    "object:text-changed",
    "window:activate",
)
"""What applications are asked to tell. They tell the bus; we take in all of it only while we wait."""

_FOCUS_RULE = "type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged',arg0='focused'"
_ALL_RULE = "type='signal',interface='org.a11y.atspi.Event.Object'"


DIALOG_SECONDS = 30.0
"""By then a press has opened the dialog that it opens, also on a busy machine."""

LINES_MOST = 200
"""Connections to apps that are kept; each is a file of ours."""


class ElementKey(NamedTuple):
    """One accessible object. The bus never uses a connection's name again, the toolkits never a path; with the
    process's start time this also outlives a restart of the bus."""

    bus: str
    path: str
    pid: int
    started: float


class AtspiBus:
    """A connection to the accessibility bus on which applications' trees are switched on."""

    def __init__(self, address: str) -> None:
        self.connection = Connection(address)
        self.connection.on_signal = self._on_signal
        self.on_event: Callable[[Message], None] = lambda _event: None
        """Told of each event of an object while somebody listens."""
        self._focused: dict[str, str] = {}
        self._changed = False
        """Something was told that no wait has ended for yet."""
        self._listening = False
        self._lines: list[tuple[str, float, Connection]] = []
        """Connections to apps themselves: the app's name on the bus, when it was pressed, the connection."""

    def call(
        self, bus: str, path: str, interface: str, member: str, signature: str = "", *body: Any, gives: str
    ) -> Awaitable[Any]:
        return self.connection.call(bus, path, interface, member, signature, body, gives=gives)

    def get(self, bus: str, path: str, interface: str, name: str, gives: str) -> Awaitable[Any]:
        return self.connection.get(bus, path, interface, name, gives)

    def ask_all(self, calls: Sequence[Call], end: float) -> Awaitable[list[Any]]:
        """See `Connection.ask_all`."""
        return self.connection.ask_all(calls, end)

    async def open(self) -> None:
        """Connect, register for `EVENTS`, follow the focus. Raises `CallError`."""
        await self.connection.open()
        await self._match("AddMatch", _FOCUS_RULE)
        registry_path = "/org/a11y/atspi/registry"
        for event in EVENTS:
            await self.connection.call(
                REGISTRY, registry_path, REGISTRY, "RegisterEvent", "sass", (event, [], ""), gives=""
            )

    async def applications(self, pid: int) -> list[str]:
        """Connections of this process that have a tree. Asks the bus alone, never an application."""
        children = await self.call(REGISTRY, ROOT, ACCESSIBLE, "GetChildren", gives="a(so)")
        names = list(dict.fromkeys(name for name, _path in children))
        owners = await asyncio.gather(*(self._owner(name) for name in names))
        return [name for name, owner in zip(names, owners, strict=True) if owner == pid]

    async def is_connected(self, pid: int) -> bool:
        """Whether the process has any connection to this bus: its tree may be about to appear."""
        names = await self.call(DBUS, "/org/freedesktop/DBus", DBUS, "ListNames", gives="as")
        owners = await asyncio.gather(*(self._owner(name) for name in names if name.startswith(":")))
        return pid in owners

    async def focused(self, bus: str) -> str | None:
        """Path of the object of this connection that was last told to have the focus; it may have lost it since."""
        # The answer to any call comes after all signals sent before it.
        await self.call(DBUS, "/org/freedesktop/DBus", DBUS, "GetId", gives="s")
        return self._focused.get(bus)

    def keep(self, name: str, line: Connection) -> None:
        """Stay connected to the app of this name: what it was told over ``line`` may still be going on.

        GTK 3 runs a modal dialog inside the press that opened it. At the next key in the dialog at-spi2-atk (2.38)
        handles all of the app's connections anew, and waits for itself when there is anything on the one in the middle
        of which it is, also its end: to leave too early is to freeze the app for good (seen in Mousepad).
        """
        if len(self._lines) >= LINES_MOST:
            self._lines.pop(0)[2].disconnect()
        self._lines.append((name, asyncio.get_running_loop().time(), line))

    def leave_idle_lines(self, name: str) -> None:
        """Disconnect from the app: it shows no modal dialog."""
        latest = asyncio.get_running_loop().time() - DIALOG_SECONDS
        for kept in [kept for kept in self._lines if kept[0] == name and kept[1] < latest]:
            self._lines.remove(kept)
            kept[2].disconnect()

    def wait(self, seconds: float) -> None:
        """Let at most this much time pass; returns early when an application told of a change.

        What is told while somebody looks between two waits counts too. A wait of no time at all ends that: nobody
        empties our queue between two calls, and what is not unsubscribed would pile up in the bus for hours.
        """
        self.listen(seconds > 0)
        self.connection.turn(seconds, lambda: self._changed or not self.connection.connected)
        self._changed = False

    def listen(self, wanted: bool) -> None:
        """Whether `on_event` and `wait` are told of changes."""
        if wanted is not self._listening:
            self._listening = wanted
            member = "AddMatch" if wanted else "RemoveMatch"
            self.connection.post(DBUS, "/org/freedesktop/DBus", DBUS, member, "s", [_ALL_RULE])

    def _match(self, member: str, rule: str) -> Awaitable[Any]:
        return self.call(DBUS, "/org/freedesktop/DBus", DBUS, member, "s", rule, gives="")

    async def _owner(self, name: str) -> int:
        member = "GetConnectionUnixProcessID"
        try:
            return int(await self.call(DBUS, "/org/freedesktop/DBus", DBUS, member, "s", name, gives="u"))
        except CallError:
            return 0

    def _on_signal(self, message: Message) -> None:
        if message.interface != "org.a11y.atspi.Event.Object" or not message.body:
            return
        self._changed = True
        self.on_event(message)
        if message.member == "StateChanged" and message.body[0] == "focused" and message.sender and message.path:
            self._follow_focus(message.sender, message.path, bool(message.body[1:2] and message.body[1]))

    def _follow_focus(self, sender: str, path: str, gained: bool) -> None:
        if gained:
            self._focused[sender] = path
        elif self._focused.get(sender) == path:
            del self._focused[sender]


async def switch_on(session: Connection) -> str:
    """Tell the desktop that assistive technology is present; returns the accessibility bus's address.

    Chromium looks at ``IsEnabled`` once, when it starts (measured). Raises `CallError`.
    """
    destination, path = "org.a11y.Bus", "/org/a11y/bus"
    address = await session.call(destination, path, "org.a11y.Bus", "GetAddress", gives="s")
    value = ["org.a11y.Status", "IsEnabled", Variant("b", True)]
    await session.call(destination, path, "org.freedesktop.DBus.Properties", "Set", "ssv", value, gives="")
    return str(address)
