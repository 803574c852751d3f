"""The demo's scenes on the simulated Mac. Its journal is the witness: what reached which app, whoever was meant."""

from __future__ import annotations

import base64
import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters

from mac_commander.demo.narration import TEXT, Visitor, check, saved, say, scene, tour

EDITOR, THIEF, PASSWORDS = "TextEdit", "Chat", "1Password"

THEFT_AFTER_EVENTS = 21
"""Journal lines: 13 of the scenes before, 4 of the chord that the batch begins with, and some of its text."""

STOLEN = " Nothing of this long sentence reaches the chat that comes to the front in the middle of it."


class SimulatedTour:
    def __init__(self, folder: Path, screenshot: Path) -> None:
        self._folder = folder
        self._screenshot = screenshot
        self._journal = folder / "journal.jsonl"

    async def run(self) -> int:
        """Play all scenes; returns the exit status."""
        world = self._folder / "world.json"
        world.write_text(json.dumps(_world_with_a_thief(str(self._folder))), encoding="ascii")
        say("A Mac in memory is up: TextEdit, Finder, a chat, a password manager. Your desktop is not touched.")
        home = self._folder / "home"
        arguments = ["-P", "-m", "mac_commander", "--home", str(home), "--desktop", "simulated"]
        arguments += ["--world", str(world), "--journal", str(self._journal)]
        return await tour(StdioServerParameters(command=sys.executable, args=arguments), home, self._scenes)

    async def _scenes(self, visitor: Visitor) -> None:
        await visitor.meet()
        scene("Look at an editor, type, select all, copy")
        await visitor.call("see", app=EDITOR)
        await visitor.type_and_copy(EDITOR)
        await self._suffer_a_theft(visitor)
        await visitor.be_refused(PASSWORDS)
        await self._announce(visitor)
        await self._take_a_picture(visitor)

    async def _suffer_a_theft(self, visitor: Visitor) -> None:
        scene("Another app takes the focus in the middle of a batch")
        steps = [
            {"kind": "key", "combo": "cmd+down"},
            {"kind": "type", "text": STOLEN},
            {"kind": "key", "combo": "return"},
        ]
        outcome = json.loads(await visitor.call("act", target=EDITOR, steps=steps, fails=True))
        failed = outcome["failed_step"]
        check(failed["cause"] == "focus" and 0 < failed["delivered"] < len(STOLEN), f"it stopped for {failed}")
        leaked = "".join(line["text"] for line in self._lines("key_down", THIEF))
        check(not leaked, f"{len(leaked)} characters reached the chat")
        say("The batch stopped and says how far it got. The Mac's own journal: no key reached the chat.")
        await visitor.call("app", action="switch", name=EDITOR)

    async def _announce(self, visitor: Visitor) -> None:
        scene("Notify")
        await visitor.call("notify", message=f"Fini: {TEXT}", title="Mac-Commander")
        (banner,) = self._lines("notification")
        check(banner["message"] == f"Fini: {TEXT}", f"the banner says {banner['message']!r}")
        say(f"The Notification Center got: {banner['title']}: {banner['message']}")

    async def _take_a_picture(self, visitor: Visitor) -> None:
        scene("See the whole desktop, as the model would: windows of blocked apps are black")
        picture = base64.b64decode(await visitor.picture(all=True))
        saved(self._screenshot, lambda: self._screenshot.write_bytes(picture))

    def _lines(self, event: str, app: str | None = None) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self._journal.read_text(encoding="utf-8").splitlines()]
        return [line for line in lines if line["event"] == event and app in (None, line["app"])]


def _world_with_a_thief(name: str) -> dict[str, Any]:
    """By its name it is a Mac of its own, whose keyboard no other demo shares."""
    default = resources.files("simulated_mac").joinpath("default_world.json").read_text(encoding="utf-8")
    then = [{"after_events": THEFT_AFTER_EVENTS, "do": "activate", "app": THIEF}]
    return {**json.loads(default), "name": name, "then": then}
