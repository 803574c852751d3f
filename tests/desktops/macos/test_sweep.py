"""All five tools under every accessibility error from every accessibility call that the code makes.

Whatever fails: the reply is a typed error or a truthful success, the audit line is there, nothing is sent after a
proof failed, nothing reaches an app that was not meant, and nothing stays down.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mac_commander.core.batch
import mac_commander.core.perform
import mac_commander.core.session
import mac_commander.core.stop
import mac_commander.tools.app
from mac_commander.core.audit import AuditLog
from mac_commander.core.config import Config
from mac_commander.core.dispatch import Dispatcher, Grounds, Job
from mac_commander.core.reply import Reply
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.desktops.base import Judge
from mac_commander.errors import CommanderError
from mac_commander.events import Evidence, Group
from mac_commander.model import App
from mac_commander.tools import TOOLS
from simulated_mac.faults import Faults
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app

SOURCES = Path(__file__).parents[3] / "src"
FACTS = json.loads((SOURCES / "simulated_mac/facts.json").read_text(encoding="utf-8"))
_ENUMS = {name: fact["value"] for name, fact in FACTS["constants"].items() if fact["kind"] == "enum"}
CODES = sorted({value for name, value in _ENUMS.items() if name.startswith("kAXError") and value})
UNKNOWN_CODE = -1
MENUS = [{"title": "File", "items": [{"title": "New"}]}]
CALLS_BEFORE_LATE = 3
"""A late fault lets so many calls of its kind succeed first: it strikes in the middle of things."""
WHOLE = os.environ.get("SWEEP") == "all"
"""``SWEEP=all pytest tests/desktops/macos/test_sweep.py``: every request, early and late, also with calls that work
although they say that they failed. Some eight minutes; else the quick part."""


def calls_made() -> list[str]:
    """The accessibility functions that answer with an AXError and that the macOS code imports."""
    names: set[str] = set()
    for file in (SOURCES / "mac_commander/desktops/macos").glob("*.py"):
        imports = (n for n in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(n, ast.ImportFrom))
        names |= {alias.name for node in imports for alias in node.names}
    results = {name: fact["result"] for name, fact in FACTS["functions"].items() if name.startswith("AX")}
    fallible = {n for n, r in results.items() if r == "int" or (isinstance(r, list) and r[0] == "int")}
    return sorted((names & fallible) - {"AXValueGetType", "AXValueGetTypeID", "AXUIElementGetTypeID"})


REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("see", {"app": "TextEdit"}),
    ("see", {"all": True}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "click", "ref": "Save"}, {"kind": "type", "text": "ab"}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "set", "ref": "Text", "value": "x"}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "menu", "path": "File > New"}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "type", "ref": "Text", "text": "cd", "submit": True}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "click", "xy": [300, 300]}, {"kind": "key", "combo": "cmd+a"}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "scroll", "xy": [300, 300], "dx": 0, "dy": -40}]}),
    ("act", {"target": "TextEdit", "steps": [{"kind": "drag", "from_xy": [300, 200], "to_xy": [400, 300]}]}),
    ("app", {"action": "switch", "name": "TextEdit", "window": {"move": [120, 90], "size": [600, 400]}}),
    ("app", {"action": "hide", "name": "Chat"}),
    ("app", {"action": "launch", "name": "TextEdit"}),
    ("notify", {"message": "done"}),
    ("applescript", {}),
)  # fmt: skip
QUICK = (REQUESTS[0], REQUESTS[2], REQUESTS[5], REQUESTS[9], *REQUESTS[-2:])
"""One of each tool, and of each way to act."""


class Client:
    """Calls tools as the server does, on one open desktop."""

    def __init__(self, scene: Scene, home: Path, labels: tuple[str, ...] = ("Save", "Text")) -> None:
        self.scene = scene
        self.log = home / "audit.jsonl"
        self.config = Config(home, audit_log=self.log)
        self.session = Session(scene.desktop, self.config, Stop())
        self.refs = self._refs(labels)
        scene.desktop.deliver = self._watched(scene.desktop.deliver)  # type: ignore[method-assign]
        self.sent_after_refusal: list[str] = []
        self.untyped: list[str] = []

    def _refs(self, labels: tuple[str, ...]) -> dict[str, str]:
        target = self.scene.app()
        listing = self.session.look(target)
        keyed = {e.name: e for e in self.scene.look().elements}
        return {name: self.session.refs.ref(listing.app, keyed[name]) for name in labels}

    def _watched(self, deliver: Callable[[Group, App, Judge], None]) -> Callable[[Group, App, Judge], None]:
        def watched(group: Group, target: App, judge: Judge) -> None:
            events = self.scene.events()
            refused = []

            def noted(evidence: Evidence) -> None:
                try:
                    judge(evidence)
                except CommanderError:
                    refused.append(group)
                    raise

            try:
                deliver(group, target, noted)
            except CommanderError:
                raise
            except Exception as error:
                self.untyped.append(f"{type(group).__name__}: {error!r}")
                raise
            finally:
                if refused and self.scene.events() != events:
                    self.sent_after_refusal.append(type(group).__name__)

        return watched

    def call(self, requests: tuple[tuple[str, dict[str, Any]], ...]) -> list[Reply]:
        replies: list[Reply] = []
        dispatcher = Dispatcher(lambda: Grounds(self.config, AuditLog(self.log)), lambda *_: self.session)
        for name, arguments in requests:
            tool = next(tool for tool in TOOLS if tool.name == name)
            dispatcher.submit(Job(tool.call(self._with_refs(arguments)), replies.append, lambda *_: None))
        dispatcher.close()
        dispatcher.run()
        return replies

    def _with_refs(self, arguments: dict[str, Any]) -> dict[str, Any]:
        steps = [
            {k: self.refs.get(v, v) if k == "ref" else v for k, v in s.items()} for s in arguments.get("steps", ())
        ]
        return {**arguments, "steps": steps, "settle_ms": 0} if steps else arguments


@pytest.fixture
def client(raised: Raise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    scene = raised(app(TEXTEDIT, menus=MENUS), CHAT)
    hurry(monkeypatch)
    return Client(scene, tmp_path)


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waited for in vain is waited for shortly: the sweep is about what is said and sent."""
    from mac_commander.desktops.macos import activation, keyboard, pointer, wake

    for module, names in (
        (mac_commander.core.stop, ("SLICE_SECONDS",)),
        (mac_commander.core.session, ("FRONT_SECONDS", "STALE_LOOK_SECONDS")),
        (mac_commander.core.batch, ("MODIFIER_SECONDS", "WATCH_SECONDS")),
        (mac_commander.core.perform, ("FOCUS_SECONDS", "SUBMIT_SECONDS", "DRAG_SECONDS", "DRAG_HOLD_SECONDS")),
        (mac_commander.tools.app, ("LAUNCH_SECONDS", "QUIT_SECONDS", "HIDE_SECONDS", "WINDOW_SECONDS")),
        (activation, ("OBSERVE_SECONDS", "LOOK_SECONDS")),
        (keyboard, ("KEY_SECONDS",)),
        (wake, ("WAKE_SECONDS", "LOOK_SECONDS")),
        (pointer, ("HOVER_SECONDS", "PRESS_SECONDS", "REPEAT_SECONDS", "DROP_SECONDS")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, 0.001)


def test_the_calls_swept_are_those_made() -> None:
    assert len(CODES) == 15
    assert {"AXUIElementCopyMultipleAttributeValues", "AXUIElementPerformAction", "AXObserverCreate"} <= set(
        calls_made()
    )


def test_all_is_well_without_faults(client: Client) -> None:
    replies = client.call(REQUESTS)
    wrong = [r.text for (name, _), r in zip(REQUESTS, replies, strict=True) if r.is_error and name != "notify"]
    assert not wrong


@pytest.mark.parametrize("works_anyway", [False, True] if WHOLE else [False])
@pytest.mark.parametrize("nth", [1, CALLS_BEFORE_LATE] if WHOLE else [1])
@pytest.mark.parametrize("call", calls_made())
def test_every_error_of_every_call(client: Client, call: str, nth: int, works_anyway: bool) -> None:
    requests = REQUESTS if WHOLE else QUICK
    for code in (*CODES, UNKNOWN_CODE):
        fault = {"call": call, "code": code, "nth": nth, "times": 10_000, "works_anyway": works_anyway}
        client.scene.machine.faults = Faults([fault])
        lines = len(client.log.read_text().splitlines()) if client.log.exists() else 0
        replies = client.call(requests)
        client.scene.machine.faults = Faults([])
        assert "error: internal" not in [r.result for r in replies], f"{code}: {[r.text for r in replies]}"
        assert len(client.log.read_text().splitlines()) - lines == len(requests)
    assert not client.untyped
    assert not client.sent_after_refusal
    assert {e["app"] for e in client.scene.events("key_down", "mouse_down", "scroll")} <= {"TextEdit"}
    assert not client.scene.machine.keyboard.down
    assert not client.scene.machine.pointer.down
