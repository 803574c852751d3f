"""The least that shows notifications: takes them over D-Bus and writes each as one JSON line."""

from __future__ import annotations

import asyncio
import json
import sys

from dbus_fast import Message
from dbus_fast.aio import MessageBus
from dbus_fast.constants import MessageType

NAME = "org.freedesktop.Notifications"
SHOWN = 1
"""The id of every banner: nobody closes or replaces one here."""


def answer(call: Message) -> Message | None:
    """What https://specifications.freedesktop.org/notification-spec/ asks for; the rest is left to the library."""
    if call.message_type is not MessageType.METHOD_CALL or call.interface != NAME:
        return None
    if call.member == "Notify":
        _show(call.body[3], call.body[4])
        return Message.new_method_return(call, "u", [SHOWN])
    if call.member == "GetCapabilities":
        return Message.new_method_return(call, "as", [["body"]])
    if call.member == "GetServerInformation":
        return Message.new_method_return(call, "ssss", ["demo", "Mac-Commander", "1", "1.2"])
    return None


def _show(title: str, message: str) -> None:
    sys.stdout.write(json.dumps({"title": title, "message": message}) + "\n")
    sys.stdout.flush()


async def serve() -> None:
    bus = await MessageBus().connect()
    bus.add_message_handler(answer)
    await bus.request_name(NAME)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve())
