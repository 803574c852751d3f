"""What the tours share: a real MCP client whose every call is shown with its answer, for people at a terminal."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import ImageContent, TextContent

TEXT = "Ligne — \"était\" 'ok' 🙂"
"""A dash, both kinds of quotes, accents and an emoji: what is lost when text goes through a shell or a layout."""

WIDTH = 110
LINES_SHOWN = 16
"""Of one answer; the rest is counted."""


class Failed(Exception):
    """What should have happened and did not."""


class Visitor:
    """The official SDK's client, telling what it does."""

    def __init__(self, client: Client, home: Path) -> None:
        self._client = client
        self._log = home / "audit.jsonl"

    async def meet(self) -> None:
        scene("The official SDK's client starts the server and asks for its tools")
        tools = await self._client.list_tools()
        _answer(", ".join(tool.name for tool in tools.tools))

    async def call(self, tool: str, *, fails: bool = False, quiet: bool = False, **arguments: Any) -> str:
        """One call, shown with its answer. Raises `Failed` unless it is an error exactly when it should be one."""
        text, _ = await self._call(tool, fails, quiet, arguments)
        return text

    async def picture(self, **arguments: Any) -> str:
        """The image that ``see`` gives with these arguments, in base64. Raises `Failed` when there is none."""
        text, images = await self._call("see", False, True, {"vision": True, **arguments})
        check(bool(images), f"see should give a picture: {text[-300:]}")
        return images[0]

    async def _call(self, tool: str, fails: bool, quiet: bool, arguments: dict[str, Any]) -> tuple[str, list[str]]:
        shown = json.dumps(arguments, ensure_ascii=False)
        say(textwrap.shorten(f"> {tool} {shown}", WIDTH * 3, placeholder=" …"))
        result = await self._client.call_tool(tool, arguments)
        text = "".join(part.text for part in result.content if isinstance(part, TextContent))
        if not quiet:
            _answer(text)
        check(bool(result.is_error) is fails, f"{tool} should {'fail' if fails else 'succeed'}: {text[:300]}")
        return text, [part.data for part in result.content if isinstance(part, ImageContent)]

    async def type_and_copy(self, editor: str) -> None:
        """Type `TEXT` into the app, select all, copy; what a script then reads from the clipboard must be the same."""
        keys = [{"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "cmd+c"}]
        await self.call("act", target=editor, steps=[{"kind": "type", "text": TEXT}, *keys])
        copied = json.loads(await self.call("applescript", name="clipboard-read"))["stdout"].rstrip("\n")
        check(copied == TEXT, f"the clipboard should hold {TEXT!r} and holds {copied!r}")
        say("The clipboard holds exactly what was typed, dash, quotes and emoji.")

    async def be_refused(self, password_manager: str) -> None:
        scene("A password manager is on the blocklist")
        await self.call("act", target=password_manager, steps=[{"kind": "key", "combo": "cmd+c"}], fails=True)

    def show_log(self) -> None:
        scene("The audit log: one line for every call, typed text only counted")
        for line in self._log.read_text(encoding="ascii").splitlines():
            entry = json.loads(line)
            target, summary, result = (str(entry[key] or "") for key in ("target", "summary", "result"))
            say(f"  {entry['tool']:<12} {target:<14} {summary[:54]:<54} {result[:58]}")


async def tour(server: StdioServerParameters, home: Path, scenes: Callable[[Visitor], Awaitable[None]]) -> int:
    """Start the server, play the scenes, show its log; returns the exit status."""
    async with Client(server) as client:
        visitor = Visitor(client, home)
        failure = await _play(visitor, scenes)
    if failure:
        sys.stderr.write(f"\nThe demo failed: {failure}\n")
        return 1
    visitor.show_log()
    return 0


async def _play(visitor: Visitor, scenes: Callable[[Visitor], Awaitable[None]]) -> str:
    """What went wrong, empty when nothing did. Caught here: the client would wrap it into a group."""
    try:
        await scenes(visitor)
    except Failed as failure:
        return str(failure)
    return ""


def saved(picture: Path, save: Callable[[], object]) -> None:
    """Save the picture, and say where. Raises `Failed` when it cannot be."""
    try:
        save()
    except (OSError, ValueError) as error:  # Pillow raises ValueError for an ending that it does not know
        raise Failed(f"the picture could not be saved: {error}") from None
    say(f"The picture of the desktop is {picture}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def scene(title: str) -> None:
    say(f"\n── {title} " + "─" * max(0, WIDTH - len(title) - 4))


def check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)


def _answer(text: str) -> None:
    lines = text.splitlines()
    for line in lines[:LINES_SHOWN]:
        say("  " + (line if len(line) <= WIDTH * 3 else line[: WIDTH * 3] + " …"))
    if len(lines) > LINES_SHOWN:
        say(f"  … and {len(lines) - LINES_SHOWN} more lines")
