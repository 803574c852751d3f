"""A notification daemon that writes down what it is given: ``argv`` is its capabilities, or ``silent``."""

from __future__ import annotations

import asyncio
import json
import sys

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

NAME = "org.freedesktop.Notifications"


async def main() -> None:
    bus = await MessageBus().connect()

    def answer(message: Message) -> Message | bool:
        if message.message_type is not MessageType.METHOD_CALL or message.interface != NAME:
            return False
        if "silent" in sys.argv:
            return True
        if message.member == "GetCapabilities":
            return Message.new_method_return(message, "as", [sys.argv[1:]])
        app, replaces, icon, title, body, actions, hints, expires = message.body
        hints = {name: hint.value for name, hint in hints.items()}
        print(json.dumps([app, replaces, icon, title, body, actions, hints, expires]), flush=True)
        return Message.new_method_return(message, "u", [7])

    bus.add_message_handler(answer)
    await bus.request_name(NAME)
    print("ready", flush=True)
    await bus.wait_for_disconnect()


asyncio.run(main())
