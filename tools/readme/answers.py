"""What the five tools answer, in one run of the real server on the simulated Mac."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from mac_commander.verify.client import Answer, Client
from tools.readme.layout import block, wrapped
from tools.readme.tables import HOME

TEXT = "Ligne — \"était\" 'ok' 🙂"
STOLEN = " This sentence ends where Chat takes the front."

THEFT_AFTER_EVENTS = 18
"""Journal lines until the middle of the sentence that is typed then."""

CHANGED_AFTER_EVENTS = 20
"""Journal lines until the picture: a box of the editor is then unchecked, by nobody's doing."""

TYPED = [{"kind": "type", "text": TEXT}, {"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "cmd+c"}]
ROBBED = [
    {"kind": "key", "combo": "cmd+down"},
    {"kind": "type", "text": STOLEN},
    {"kind": "click", "ref": "e3"},
]

CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "seen": [("see", {"app": "TextEdit"})],
    "acted": [("act", {"target": "TextEdit", "steps": TYPED})],
    "failed": [("act", {"target": "TextEdit", "steps": ROBBED})],
    "more": [
        ("see", {"app": "TextEdit", "find": "save", "vision": True}),
        ("see", {"app": "TextEdit", "changes": True}),
        ("act", {"target": "TextEdit", "steps": [{"kind": "click", "ref": "e99"}]}),
        ("app", {"action": "launch", "name": "Notes", "window": {"move": [80, 60], "size": [700, 500]}}),
        ("notify", {"message": f"Done: {TEXT}"}),
    ],
    "blocked": [("act", {"target": "1Password", "steps": [{"kind": "type", "text": "hello"}]})],
    "scripts": [
        ("applescript", {}),
        ("applescript", {"name": "echo-argv", "args": ["it's", "two  spaces", '"quoted" — $HOME']}),
        ("applescript", {"script": 'do shell script "date"'}),
    ],
}
"""By the part of the README that shows them; made in this order."""


def parts() -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        world, home = Path(folder) / "world.json", Path(folder) / "home"
        world.write_text(json.dumps(_world_with_a_thief(folder)), encoding="ascii")
        with Client(["--home", str(home), "--desktop", "simulated", "--world", str(world)], {}) as client:
            made = {name: "\n\n".join(_shown(client, home, *c) for c in calls) for name, calls in CALLS.items()}
        return {**made, "log": _log(home)}


def _world_with_a_thief(name: str) -> dict[str, Any]:
    """By its name it is a Mac of its own, whose keyboard no other run shares."""
    default = resources.files("simulated_mac").joinpath("default_world.json").read_text(encoding="utf-8")
    then = [
        {"after_events": THEFT_AFTER_EVENTS, "do": "activate", "app": "Chat"},
        {
            "after_events": CHANGED_AFTER_EVENTS,
            "do": "set_value",
            "app": "TextEdit",
            "window": 0,
            "element": 0,
            "value": 0,
        },
    ]
    return {**json.loads(default), "name": name, "then": then}


def _shown(client: Client, home: Path, tool: str, arguments: dict[str, Any]) -> str:
    answer = client.call(tool, **arguments)
    call = f"{tool} {wrapped(arguments)}"
    if tool == "see":
        return block("text", f"> {call}\n{answer.text}{_image(answer)}")
    commented = call.replace("\n", "\n// ")
    return block("jsonc", f"// {commented}\n{wrapped(_placed(answer.value, home))}")


def _image(answer: Answer) -> str:
    return "\n(and the picture, as an image)" if answer.image else ""


def _placed(value: dict[str, Any], home: Path) -> dict[str, Any]:
    """With the folder that a user would have."""
    moved: dict[str, Any] = json.loads(json.dumps(value).replace(str(home), HOME))
    return moved


def _log(home: Path) -> str:
    """As `mac-commander log` tells it, on a day that stays the same."""
    argv = [sys.executable, "-m", "mac_commander", "log", "--home", str(home), "--tool", "act"]
    told = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return block("text", re.sub(r"^\S+Z", "2026-11-30T18:00:00.000Z", told, flags=re.MULTILINE).rstrip())
