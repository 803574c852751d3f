"""Banners through org.freedesktop.Notifications (Desktop Notifications Specification 1.2)."""

from __future__ import annotations

from typing import Any

from dbus_fast import Variant

from mac_commander.desktops.x11.dbus_calls import NO_BUS, CallError
from mac_commander.desktops.x11.dbus_connection import Connection
from mac_commander.desktops.x11.session_bus import converse
from mac_commander.errors import DesktopError, Hung
from mac_commander.model import Notification

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"

APP_NAME = "Mac-Commander"

NEW = 0
"""Replaces no other banner."""

DAEMONS_CHOICE = -1
"""How long it stays."""

_NOBODY = (
    "wanted to show a notification, but no notification daemon runs on this desktop; "
    "start one (Debian: dunst, xfce4-notifyd or mate-notification-daemon)"
)


class Notifier:
    """Hands banners to the session's notification daemon."""

    def __init__(self, session_bus_address: str) -> None:
        self._address = session_bus_address

    def notify(self, notification: Notification) -> str:
        """Returns a sentence about what is known of it. Raises `DesktopError`, `Hung`."""

        async def talk(bus: Connection) -> None:
            capabilities = await bus.call(NAME, PATH, NAME, "GetCapabilities", gives="as")
            body = _body(notification, markup="body-markup" in capabilities)
            hints: dict[str, Any] = {"sound-name": Variant("s", notification.sound)} if notification.sound else {}
            values = [APP_NAME, NEW, "", notification.title, body, [], hints, DAEMONS_CHOICE]
            await bus.call(NAME, PATH, NAME, "Notify", "susssasa{sv}i", values, gives="u")

        try:
            converse(self._address, talk)
        except TimeoutError:
            raise Hung("the notification daemon does not answer; restart it") from None
        except CallError as error:
            raise DesktopError(_failure(error)) from error
        return "Handed to the notification daemon; whether it shows depends on its settings (do not disturb)."


def _failure(error: CallError) -> str:
    if error.name == NO_BUS:
        return "wanted to show a notification, but the session bus cannot be reached"
    return _NOBODY if error.gone else f"the notification daemon refused the notification ({error.name})"


def _body(notification: Notification, *, markup: bool) -> str:
    """The subtitle is the first line. Where the daemon reads markup, what looks like it is escaped, so that the text
    arrives as it is."""
    text = "\n".join(filter(None, (notification.subtitle, notification.message)))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if markup else text
