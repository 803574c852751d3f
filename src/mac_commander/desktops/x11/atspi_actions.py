"""What is done to an element through accessibility: no pointer, no keyboard, no focus needed.

Each asks first and acts once. An action whose answer does not come may have worked: it is `Uncertain`, and
nobody presses twice (a press that opens a modal dialog answers only when the dialog is closed).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from dbus_fast import Variant

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import (
    ACCESSIBLE,
    ACTION,
    APPLICATION,
    COMPONENT,
    EDITABLE_TEXT,
    ROOT,
    TEXT,
    VALUE,
    AtspiBus,
    ElementKey,
)
from mac_commander.desktops.x11.atspi_details import action_names, press_action
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.desktops.x11.dbus_connection import Connection
from mac_commander.errors import CommanderError, Hung, Stale, Uncertain, Unsupported

SCROLL_ANYWHERE = 6
"""``AtspiScrollType``: as little as brings it into view."""

QUIET_SECONDS = 0.3
"""How long a press may stay unanswered before the app is asked whether it is busy with it; 3 ms is usual (measured)."""

REFUSALS = frozenset(
    {"NotSupported", "InvalidArgs", "UnknownMethod", "UnknownInterface", "UnknownObject", "ServiceUnknown"}
)
"""D-Bus errors by which an app, or the bus, says that it did nothing."""


class Actor:
    """Acts on one element. Raises `Unsupported`, `Stale` and `Hung` when nothing happened, `Uncertain` when it may
    have."""

    def __init__(self, bus: AtspiBus, key: ElementKey, seconds: float = CALL_SECONDS) -> None:
        self._bus = bus
        self._key = key
        self._end = asyncio.get_running_loop().time() + seconds

    async def press(self) -> None:
        """Do the element's press action."""
        role = await self._ask(self._call(ACCESSIBLE, "GetRole", gives="u"))
        index = press_action(await self._ask(action_names(self._bus, self._key.bus, self._key.path)), role)
        if index is None:
            raise Unsupported("the element has no press action of its own; click it with the mouse instead")
        line = await self._private_line()
        if line is None:
            done = await self._act(ACTION, "DoAction", "i", index, gives="b")
        else:
            done = await self._press_apart(line, index)
        if not done:
            raise Unsupported("the app refused to press the element (it may be disabled); nothing happened")

    async def _private_line(self) -> Connection | None:
        """A connection to the app itself, where it has one to offer (at-spi2-atk: GTK 3, LibreOffice, Chromium).

        GTK 3 runs a modal dialog inside the call that opened it, and until the dialog is closed it handles nothing
        more from the connection that the call came by: on the bus its whole tree would be dead (seen in Mousepad).
        """
        asked = self._bus.call(self._key.bus, ROOT, APPLICATION, "GetApplicationBusAddress", gives="s")
        try:
            async with asyncio.timeout_at(self._end):
                line = Connection(await asked, asyncio.get_running_loop())
                await line.open()
        except CallError:
            return None
        except TimeoutError:
            raise Hung("the app does not answer; nothing was done to it") from None
        return line

    async def _press_apart(self, line: Connection, index: int) -> bool:
        answer = asyncio.ensure_future(line.call(None, self._key.path, ACTION, "DoAction", "i", [index], gives="b"))
        try:
            return await self._answered_or_busy(answer)
        finally:
            answer.cancel()
            self._bus.keep(self._key.bus, line)

    async def _answered_or_busy(self, answer: asyncio.Future[Any]) -> bool:
        """An app that answers other questions but not this one is in the middle of it: it pressed."""
        while asyncio.get_running_loop().time() < self._end:
            done, _pending = await asyncio.wait([answer], timeout=QUIET_SECONDS)
            if done:
                return bool(await self._judged(answer))
            if isinstance(await self._refusal(), Unsupported):
                return True
        raise Uncertain("the app was told to, but did not answer, so it may have happened; look first")

    async def focus(self) -> None:
        """Give it the keyboard within its window."""
        if not await self._act(COMPONENT, "GrabFocus", gives="b"):
            raise Unsupported("the element does not take the keyboard; nothing happened")

    async def reveal(self) -> None:
        """Scroll it into view."""
        if not await self._act(COMPONENT, "ScrollTo", "u", SCROLL_ANYWHERE, gives="b"):
            raise Unsupported("the app cannot scroll the element into view by itself; use a scroll step")

    async def set_value(self, text: str) -> None:
        """Replace its text, or set its number."""
        names = await self._ask(self._call(ACCESSIBLE, "GetInterfaces", gives="as"))
        if VALUE in names:
            await self._set_number(text)
        elif EDITABLE_TEXT in names:
            await self._set_text(text)
        else:
            raise Unsupported("the element's value cannot be set through accessibility; focus it and type instead")

    async def _set_number(self, text: str) -> None:
        try:
            number = float(text)
        except ValueError:
            raise Unsupported("the element takes a number, and the value given is none; nothing happened") from None
        least = await self._ask(self._property(VALUE, "MinimumValue", "d"))
        most = await self._ask(self._property(VALUE, "MaximumValue", "d"))
        if not least <= number <= most:
            raise Unsupported(f"the element takes a number from {least:g} to {most:g}; nothing happened")
        value = Variant("d", number)
        await self._act("org.freedesktop.DBus.Properties", "Set", "ssv", VALUE, "CurrentValue", value, gives="")

    async def _set_text(self, text: str) -> None:
        if not await self._act(EDITABLE_TEXT, "SetTextContents", "s", text, gives="b"):
            raise Unsupported("the element is read-only; nothing happened")
        try:
            async with asyncio.timeout_at(self._end):
                count = await self._property(TEXT, "CharacterCount", "i")
        except (CallError, TimeoutError) as error:
            raise Uncertain("the value was set, but the element does not tell what it holds now") from error
        if count not in (len(text), len(text.encode("utf-16-le")) // 2):  # Qt counts UTF-16 units
            raise Uncertain(f"the value was set, but the element now holds {count} characters instead of {len(text)}")

    async def _ask(self, asked: Awaitable[Any]) -> Any:
        """A question before the act: without an answer nothing happened."""
        try:
            async with asyncio.timeout_at(self._end):
                return await asked
        except CallError as error:
            raise await self._refusal() from error
        except TimeoutError:
            raise Hung("the app does not answer; nothing was done to it") from None

    async def _act(self, interface: str, member: str, signature: str = "", *body: Any, gives: str) -> Any:
        """The act itself: without an answer it may have worked."""
        return await self._judged(self._call(interface, member, signature, *body, gives=gives))

    async def _judged(self, answer: Awaitable[Any]) -> Any:
        try:
            async with asyncio.timeout_at(self._end):
                return await answer
        except CallError as error:
            if error.name.rpartition(".")[2] in REFUSALS:
                raise await self._refusal() from error
            raise Uncertain(f"the app failed at it ({error.name}), so it may have happened; look first") from error
        except TimeoutError:
            raise Uncertain("the app was told to, but did not answer, so it may have happened; look first") from None

    async def _refusal(self) -> CommanderError:
        """Toolkits use one error for "no such object" and "it cannot do that": whether it still is there decides."""
        try:
            async with asyncio.timeout_at(self._end):
                state = states.joined(await self._call(ACCESSIBLE, "GetState", gives="au"))
        except CallError:
            state = states.DEFUNCT
        except TimeoutError:
            return Hung("the app does not answer; nothing was done to it")
        if state & states.DEFUNCT:
            return Stale("the element is gone from its app; look at the app again with `see`")
        return Unsupported("the element cannot do that through accessibility; nothing happened")

    def _call(self, interface: str, member: str, signature: str = "", *body: Any, gives: str) -> Awaitable[Any]:
        return self._bus.call(self._key.bus, self._key.path, interface, member, signature, *body, gives=gives)

    def _property(self, interface: str, name: str, gives: str) -> Awaitable[Any]:
        return self._bus.get(self._key.bus, self._key.path, interface, name, gives)
