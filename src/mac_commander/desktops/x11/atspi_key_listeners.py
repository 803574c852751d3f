"""Waits until Qt's widgets have the keys that their app has read.

Qt offers every key to the accessibility registry's listeners (``DeviceEventController.NotifyListenersSync``) and gives
it to the widget when the registry has answered, so an answered ping of the window says only that the key was read:
in 40 of 60 trials the field lacked the last letters then (Qt 6.8; 5 of 60 in 6.4). The bus keeps the order of what
one program sends another, so three questions, to the app, the registry and the app again, come after all that.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from mac_commander.desktops.x11.atspi_bus import APPLICATION, ROOT, AtspiBus
from mac_commander.desktops.x11.atspi_node import QT

LISTENER_SECONDS = 0.2
"""For the registry's answer. Qt itself gives the key to its widget after 0.1 s without one."""


async def keys_arrived(bus: AtspiBus, pid: int) -> None:
    """Return when the widgets have all keys that the app has read so far; other toolkits offer keys to nobody.

    Raises `CallError` when the app has left, and waits for as long as the app is busy.
    """
    for name in await _connections(bus, pid):
        if await _toolkit(bus, name) == QT:
            await _connections(bus, pid)
            await _toolkit(bus, name)


async def _connections(bus: AtspiBus, pid: int) -> list[str]:
    """Asks the registry; none when it does not answer, and by then Qt waits for it no longer either."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LISTENER_SECONDS):
            return await bus.applications(pid)
    return []


async def _toolkit(bus: AtspiBus, name: str) -> str:
    return str(await bus.get(name, ROOT, APPLICATION, "ToolkitName", "s"))
