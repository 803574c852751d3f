"""The demo's scenes: a real MCP client, the real server, a real editor, and what is seen of each."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from mac_commander.demo import x_client
from mac_commander.demo.private_desktop import PrivateDesktop

TEXT = "Ligne — \"était\" 'ok' 🙂"
WIDTH = 110
LINES_SHOWN = 14
"""Of one answer; the rest is counted."""

THEFT_AFTER_SECONDS = 1.0
PAUSE_MS = 3000
"""The theft falls into this pause, with room to spare on a slow machine."""


class Failed(Exception):
    """What should have happened and did not."""


class Tour:
    def __init__(self, desktop: PrivateDesktop, screenshot: Path) -> None:
        self._desktop = desktop
        self._screenshot = screenshot
        self._home = desktop.folder / "mac-commander"

    async def run(self) -> int:
        """Play all scenes; returns the exit status."""
        said = self._desktop.spawn([sys.executable, "-m", "mac_commander.demo.notification_daemon"], stdout=-1)
        _say(f"A desktop of its own is up: display {self._desktop.display}, with metacity. Yours is not touched.")
        arguments = ["-m", "mac_commander", "--home", str(self._home)]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=self._desktop.env)
        async with Client(server) as self._client:
            failure = await self._play(said)
        if failure:
            sys.stderr.write(f"\nThe demo failed: {failure}\n")
            return 1
        self._show_log()
        return 0

    async def _play(self, daemon: subprocess.Popen[bytes]) -> str:
        """What went wrong, empty when nothing did. Caught here: the client would wrap it into a group."""
        try:
            await self._meet()
            await self._write()
            await self._suffer_a_theft()
            await self._be_refused()
            await self._announce(daemon)
            await self._take_a_picture()
        except Failed as failure:
            return str(failure)
        return ""

    # --- scenes ------------------------------------------------------------------------------------------

    async def _meet(self) -> None:
        _scene("The official SDK's client starts the server and asks for its tools")
        tools = await self._client.list_tools()
        _answer(", ".join(tool.name for tool in tools.tools))

    async def _write(self) -> None:
        _scene("Launch an editor, look at it, type, select all, copy")
        await self._call("app", action="launch", name="Mousepad")
        await self._call("see", app="Mousepad", max_elements=12)
        keys = [{"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "cmd+c"}]
        await self._call("act", target="Mousepad", steps=[{"kind": "type", "text": TEXT}, *keys])
        copied = json.loads(await self._call("applescript", name="clipboard-read"))["stdout"].rstrip("\n")
        _check(copied == TEXT, f"the clipboard should hold {TEXT!r} and holds {copied!r}")
        _say("The clipboard holds exactly what was typed, dash, quotes and emoji.")

    async def _suffer_a_theft(self) -> None:
        _scene("Another program takes the focus in the middle of a batch")
        chat = self._desktop.spawn(["zenity", "--entry", "--title=Chat", "--text=Say something:"])
        window = self._desktop.wait_window(pid=chat.pid)
        steps = [
            {"kind": "key", "combo": "cmd+end"},
            {"kind": "type", "text": " first"},
            {"kind": "wait", "ms": PAUSE_MS},
            {"kind": "type", "text": "this must not reach the chat"},
        ]
        theft = asyncio.create_task(self._steal(window))
        outcome = json.loads(await self._call("act", target="Mousepad", steps=steps, fails=True))
        await theft
        _check(outcome["steps_completed"] < len(steps), "the batch should have stopped")
        seen = await self._call("see", app="Zenity", quiet=True)
        _check("must not reach" not in seen, "the text reached the chat")
        _say("The batch stopped and says why; the chat's field is empty.")
        self._desktop.end_app(chat)

    async def _steal(self, window: int) -> None:
        await asyncio.sleep(THEFT_AFTER_SECONDS)
        x_client.activate(self._desktop.display, window)

    async def _be_refused(self) -> None:
        _scene("A password manager is on the blocklist")
        await self._call("act", target="KeePassXC", steps=[{"kind": "key", "combo": "cmd+c"}], fails=True)

    async def _announce(self, daemon: subprocess.Popen[bytes]) -> None:
        _scene("Notify")
        await self._call("notify", message='Fini — c\'est "prêt" 🙂', title="Mac-Commander")
        assert daemon.stdout is not None
        banner = json.loads(daemon.stdout.readline())
        _check(banner["message"] == 'Fini — c\'est "prêt" 🙂', f"the banner says {banner['message']!r}")
        _say(f"The desktop's notification service got: {banner['title']}: {banner['message']}")

    async def _take_a_picture(self) -> None:
        _scene("See the editor's window, and the whole desktop")
        await self._call("see", app="Mousepad", vision=True, quiet=True)
        try:
            self._desktop.screenshot(self._screenshot)
        except (OSError, ValueError) as error:  # Pillow raises ValueError for an ending that it does not know
            raise Failed(f"the picture could not be saved: {error}") from None
        _say(f"The picture of the desktop is {self._screenshot}")

    def _show_log(self) -> None:
        _scene("The audit log: one line for every call, typed text only counted")
        for line in (self._home / "audit.jsonl").read_text().splitlines():
            entry = json.loads(line)
            _say(
                f"  {entry['tool']:<12} {entry['target'] or '':<10} {entry['summary'][:60]:<60} {entry['result'][:60]}"
            )

    # --- calling -----------------------------------------------------------------------------------------

    async def _call(self, tool: str, *, fails: bool = False, quiet: bool = False, **arguments: Any) -> str:
        """One call, shown with its answer. Whether it is an error must be as expected."""
        shown = json.dumps(arguments, ensure_ascii=False)
        _say(textwrap.shorten(f"> {tool} {shown}", WIDTH * 3, placeholder=" …"))
        result = await self._client.call_tool(tool, arguments)
        text = "".join(part.text for part in result.content if isinstance(part, TextContent))
        if not quiet:
            _answer(text)
        _check(bool(result.is_error) is fails, f"{tool} should {'fail' if fails else 'succeed'}: {text[:300]}")
        return text


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _scene(title: str) -> None:
    _say(f"\n── {title} " + "─" * max(0, WIDTH - len(title) - 4))


def _answer(text: str) -> None:
    lines = text.splitlines()
    for line in lines[:LINES_SHOWN]:
        _say("  " + (line if len(line) <= WIDTH * 3 else line[: WIDTH * 3] + " …"))
    if len(lines) > LINES_SHOWN:
        _say(f"  … and {len(lines) - LINES_SHOWN} more lines")


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)
