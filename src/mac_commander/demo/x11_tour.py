"""The demo's scenes on a private X desktop: a real editor, a real thief of the focus, and what is seen of each."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from mcp import StdioServerParameters

from mac_commander.demo import x_client
from mac_commander.demo.narration import Visitor, check, saved, say, scene, tour
from mac_commander.demo.private_desktop import PrivateDesktop

PROGRAMS = {"mousepad": "mousepad", "zenity": "zenity", "xclip": "xclip"}
"""What the scenes drive, by the Debian package that has it."""

THEFT_AFTER_SECONDS = 1.0
PAUSE_MS = 3000
"""The theft falls into this pause, with room to spare on a slow machine."""


class X11Tour:
    def __init__(self, desktop: PrivateDesktop, screenshot: Path) -> None:
        self._desktop = desktop
        self._screenshot = screenshot

    async def run(self) -> int:
        """Play all scenes; returns the exit status."""
        self._daemon = self._desktop.spawn(
            [sys.executable, "-P", "-m", "mac_commander.demo.notification_daemon"], stdout=-1
        )
        say(f"A desktop of its own is up: display {self._desktop.display}, with metacity. Yours is not touched.")
        home = self._desktop.folder / "mac-commander"
        arguments = ["-P", "-m", "mac_commander", "--home", str(home)]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=self._desktop.env)
        return await tour(server, home, self._scenes)

    async def _scenes(self, visitor: Visitor) -> None:
        await visitor.meet()
        scene("Launch an editor, look at it, type, select all, copy")
        await visitor.call("app", action="launch", name="Mousepad")
        await visitor.call("see", app="Mousepad", max_elements=12)
        await visitor.type_and_copy("Mousepad")
        await self._suffer_a_theft(visitor)
        await visitor.be_refused("KeePassXC")
        await _announce(visitor, self._daemon)
        scene("See the editor's window, and the whole desktop")
        await visitor.picture(app="Mousepad")
        saved(self._screenshot, lambda: self._desktop.screenshot(self._screenshot))

    async def _suffer_a_theft(self, visitor: Visitor) -> None:
        scene("Another program takes the focus in the middle of a batch")
        chat = self._desktop.spawn(["zenity", "--entry", "--title=Chat", "--text=Say something:"])
        window = self._desktop.wait_window(pid=chat.pid)
        steps = [
            {"kind": "key", "combo": "cmd+end"},
            {"kind": "type", "text": " first"},
            {"kind": "wait", "ms": PAUSE_MS},
            {"kind": "type", "text": "this must not reach the chat"},
        ]
        theft = asyncio.create_task(self._steal(window))
        outcome = json.loads(await visitor.call("act", target="Mousepad", steps=steps, fails=True))
        await theft
        check(outcome["steps_completed"] < len(steps), "the batch should have stopped")
        seen = await visitor.call("see", app="Zenity", quiet=True)
        check("must not reach" not in seen, "the text reached the chat")
        say("The batch stopped and says why; the chat's field is empty.")
        self._desktop.end_app(chat)

    async def _steal(self, window: int) -> None:
        await asyncio.sleep(THEFT_AFTER_SECONDS)
        x_client.activate(self._desktop.display, window)


async def _announce(visitor: Visitor, daemon: subprocess.Popen[bytes]) -> None:
    scene("Notify")
    await visitor.call("notify", message='Fini — c\'est "prêt" 🙂', title="Mac-Commander")
    assert daemon.stdout is not None
    banner = json.loads(daemon.stdout.readline())
    check(banner["message"] == 'Fini — c\'est "prêt" 🙂', f"the banner says {banner['message']!r}")
    say(f"The desktop's notification service got: {banner['title']}: {banner['message']}")
