"""Short talks on the session bus: connect, ask, leave. Nothing stays open between two tool calls."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11.dbus_connection import Connection

T = TypeVar("T")


def converse(address: str, talk: Callable[[Connection], Coroutine[Any, Any, T]], seconds: float = CALL_SECONDS) -> T:
    """Connect, have ``talk``, disconnect. Raises `CallError`, and `TimeoutError` when all of it takes longer."""
    bus = Connection(address)

    async def whole() -> T:
        await bus.open()
        return await talk(bus)

    try:
        return bus.run(whole(), seconds)
    finally:
        bus.close()
