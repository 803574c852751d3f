"""What is done to an element through accessibility: no pointer, no keyboard, no focus needed.

Each asks first and acts once. An action whose answer does not come may have worked: it is `Uncertain`, and
nobody presses twice (a press that opens a modal dialog answers only when the dialog is closed).
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from dbus_fast import Variant

from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    EDITABLE_TEXT,
    TEXT,
    VALUE,
    AtspiBus,
    ElementKey,
)
from mac_commander.desktops.x11.atspi_details import press_action
from mac_commander.desktops.x11.dbus_connection import CallError
from mac_commander.errors import CommanderError, Stale, Uncertain, Unsupported

SCROLL_ANYWHERE = 6
"""``AtspiScrollType``: as little as brings it into view."""

REFUSALS = frozenset(
    {"NotSupported", "InvalidArgs", "UnknownMethod", "UnknownInterface", "UnknownObject", "ServiceUnknown"}
)
"""D-Bus errors by which an app, or the bus, says that it did nothing."""


async def press(bus: AtspiBus, key: ElementKey) -> None:
    """Do the element's press action. Raises `Unsupported`, `Stale`, `Uncertain`."""
    role = await _ask(bus, key, bus.call(key.bus, key.path, ACCESSIBLE, "GetRole", gives="u"))
    actions = await _ask(bus, key, bus.call(key.bus, key.path, ACTION, "GetActions", gives="a(sss)"))
    index = press_action([name for name, _description, _keys in actions], role)
    if index is None:
        raise Unsupported("the element has no press action of its own; click it with the mouse instead")
    if not await _act(bus, key, bus.call(key.bus, key.path, ACTION, "DoAction", "i", index, gives="b")):
        raise Unsupported("the app refused to press the element (it may be disabled); nothing happened")


async def focus(bus: AtspiBus, key: ElementKey) -> None:
    """Give it the keyboard within its window. Raises `Unsupported`, `Stale`, `Uncertain`."""
    if not await _act(bus, key, bus.call(key.bus, key.path, COMPONENT, "GrabFocus", gives="b")):
        raise Unsupported("the element does not take the keyboard; nothing happened")


async def reveal(bus: AtspiBus, key: ElementKey) -> None:
    """Scroll it into view. Raises `Unsupported`, `Stale`, `Uncertain`."""
    if not await _act(bus, key, bus.call(key.bus, key.path, COMPONENT, "ScrollTo", "u", SCROLL_ANYWHERE, gives="b")):
        raise Unsupported("the app cannot scroll the element into view by itself; use a scroll step")


async def set_value(bus: AtspiBus, key: ElementKey, text: str) -> None:
    """Replace text, or set a number. Raises `Unsupported`, `Stale`, `Uncertain`."""
    names = await _ask(bus, key, bus.call(key.bus, key.path, ACCESSIBLE, "GetInterfaces", gives="as"))
    if VALUE in names:
        await _set_number(bus, key, text)
    elif EDITABLE_TEXT in names:
        await _set_text(bus, key, text)
    else:
        raise Unsupported("the element's value cannot be set through accessibility; focus it and type instead")


async def _set_number(bus: AtspiBus, key: ElementKey, text: str) -> None:
    try:
        number = float(text)
    except ValueError:
        raise Unsupported("the element takes a number, and the value given is none; nothing happened") from None
    least = await _ask(bus, key, bus.get(key.bus, key.path, VALUE, "MinimumValue", "d"))
    most = await _ask(bus, key, bus.get(key.bus, key.path, VALUE, "MaximumValue", "d"))
    if not least <= number <= most:
        raise Unsupported(f"the element takes a number from {least:g} to {most:g}; nothing happened")
    properties, body = "org.freedesktop.DBus.Properties", (VALUE, "CurrentValue", Variant("d", number))
    await _act(bus, key, bus.call(key.bus, key.path, properties, "Set", "ssv", *body, gives=""))


async def _set_text(bus: AtspiBus, key: ElementKey, text: str) -> None:
    if not await _act(bus, key, bus.call(key.bus, key.path, EDITABLE_TEXT, "SetTextContents", "s", text, gives="b")):
        raise Unsupported("the element is read-only; nothing happened")
    try:
        count = await bus.get(key.bus, key.path, TEXT, "CharacterCount", "i")
    except CallError as error:
        raise Uncertain("the value was set, but the element does not tell what it holds now") from error
    if count not in (len(text), len(text.encode("utf-16-le")) // 2):  # Qt counts UTF-16 units
        raise Uncertain(f"the value was set, but the element now holds {count} characters instead of {len(text)}")


async def _ask(bus: AtspiBus, key: ElementKey, asked: Awaitable[Any]) -> Any:
    """A question before the act: an error means that nothing happened."""
    try:
        return await asked
    except CallError as error:
        raise await _refusal(bus, key) from error


async def _act(bus: AtspiBus, key: ElementKey, asked: Awaitable[Any]) -> Any:
    """The act itself: without an answer from the app it may have worked."""
    try:
        return await asked
    except CallError as error:
        if error.name.rpartition(".")[2] in REFUSALS:
            raise await _refusal(bus, key) from error
        raise Uncertain(
            f"the app failed at it ({error.name}), so it may have happened; look before repeating"
        ) from error


async def _refusal(bus: AtspiBus, key: ElementKey) -> CommanderError:
    """Toolkits use one error for "no such object" and "it cannot do that": whether it still is there decides."""
    try:
        state = states.joined(await bus.call(key.bus, key.path, ACCESSIBLE, "GetState", gives="au"))
    except CallError:
        state = states.DEFUNCT
    if state & states.DEFUNCT:
        return Stale("the element is gone from its app; look at the app again with `see`")
    return Unsupported("the element cannot do that through accessibility; nothing happened")
