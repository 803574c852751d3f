"""The mission's acceptance tests, through the real server on a real client's wire."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mac_commander.core.screen_text import escaped
from mac_commander.verify.client import Answer, Client
from mac_commander.verify.verdict import Unverified

TEXT = "Ligne — \"était\" 'ok' 🙂"
"""The mission's: quotes, a dash and an emoji, each of which broke what it replaces."""

VALUES = ("it's", "a & b", 'q"uote', "--", "-e", "é🙂", "two  spaces", "back\\slash")
BLOCKED = "1Password"
ON_A_MAC, ON_X11 = ("TextEdit", "Finder"), ("Mousepad", "XTerm")
"""The editor that is typed into, and an app that takes the front from it."""

LACKS = ("is not granted", "at-spi2-core", "is at the keyboard")
"""In the server's answers: accessibility cannot be used, on a Mac or on X11, or another server types just now."""

Check = Callable[["Stage"], str]
"""Returns what was seen, for PASS. Raises `AssertionError` for FAIL and `Unverified`."""


@dataclass(frozen=True, slots=True)
class Stage:
    client: Client
    kind: str
    home: Path
    robbed: Callable[[Sequence[Mapping[str, Any]]], Answer]
    """`act` on the editor with these steps, while the other app takes the front after the first."""

    @property
    def editor(self) -> str:
        return apps(self.kind)[0]

    def call(self, tool: str, **arguments: Any) -> Answer:
        return self.client.call(tool, **arguments)

    def script(self, name: str, *values: str) -> str:
        answer = self.call("applescript", name=name, args=list(values))
        wanted(not answer.is_error, f"script {name}: {answer.text[:300]}")
        return str(answer.value.get("stdout", ""))


def apps(kind: str) -> tuple[str, str]:
    return ON_X11 if kind == "x11" else ON_A_MAC


def wanted(holds: bool, seen: str) -> None:
    """The check fails, saying what was seen, unless it holds."""
    if not holds:
        raise AssertionError(seen)


def needs(kind: bool, what: str) -> None:
    if not kind:
        raise Unverified(what)


def notify(stage: Stage) -> str:
    answer = stage.call("notify", message=TEXT, title="Mac-Commander verify")
    needs("no notification daemon" not in answer.text, answer.reason)
    wanted(not answer.is_error, answer.text)
    return "the banner was handed over; look whether it was shown"


def argv(stage: Stage) -> str:
    printed = stage.script("echo-argv", *VALUES)
    wanted(printed.removesuffix("\n").split("\n") == list(VALUES), f"printed {printed!r}")
    return f"{len(VALUES)} values byte for byte"


def see_one_app(stage: Stage) -> str:
    app = apps(stage.kind)[stage.kind != "x11"]  # Finder always runs
    if stage.kind == "x11":
        _start_editor(stage)
    answer = stage.call("see", app=app)
    could_be_tried(answer)
    wanted(not answer.is_error, answer.text)
    headers = [line for line in answer.text.splitlines()[1:] if "pid " in line and not line.startswith(("note", " "))]
    wanted(len(headers) == 1 and headers[0].startswith(app), f"headers of several apps: {headers}")
    return f"{answer.text.splitlines()[-1]}"


def _start_editor(stage: Stage) -> None:
    opened = stage.call("app", action="launch", name=stage.editor)
    if stage.kind == "x11":
        needs(not opened.is_error, f"{stage.editor} is not there to be driven: {opened.reason}")
    wanted(not opened.is_error, opened.text)


def type_and_copy(stage: Stage) -> str:
    """Type into a document of our own, copy it, compare, close it. The clipboard is put back whatever happens."""
    with _clipboard_kept(stage), _own_document(stage) as typed:
        steps = [{"kind": "type", "text": typed}, {"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "cmd+c"}]
        answer = stage.call("act", target=stage.editor, steps=steps)
        could_be_tried(answer)
        wanted(answer.value.get("ok") is True, answer.text)
        copied = stage.script("clipboard-read").removesuffix("\n")
        wanted(copied == typed, f"{len(copied)} characters came back for {len(typed)}")
    return f"{len(typed)} characters typed, selected, copied, the same"


@contextmanager
def _clipboard_kept(stage: Stage) -> Iterator[None]:
    """Left alone when it cannot be read as text: what else is on it could not be put back."""
    kept = stage.call("applescript", name="clipboard-read")
    needs(not kept.is_error, f"no text is on the clipboard; copy some and run this again ({kept.reason})")
    before = str(kept.value.get("stdout", "")).removesuffix("\n")
    try:
        yield
    finally:
        if before:
            stage.script("clipboard-write", before)


@contextmanager
def _own_document(stage: Stage) -> Iterator[str]:
    """A new document, and the text to type into it. It is closed only when it holds exactly that text."""
    _start_editor(stage)
    made = stage.call(
        "act", target=stage.editor, steps=[{"kind": "key", "combo": "cmd+n"}, {"kind": "wait", "ms": 500}]
    )
    could_be_tried(made)
    wanted(made.value.get("ok") is True, made.text)
    typed = f"{TEXT} {secrets.token_hex(4)}"
    try:
        yield typed
    finally:
        _close_own(stage, typed)


def _close_own(stage: Stage, typed: str) -> None:
    shown = stage.call("see", app=stage.editor, find=typed.rsplit(" ", 1)[1])
    if f'value="{escaped(typed, len(typed))}"' in shown.text and "focused" in shown.text:
        keys = [
            {"kind": "key", "combo": "cmd+a"},
            {"kind": "key", "combo": "delete"},
            {"kind": "key", "combo": "cmd+w"},
        ]
        stage.call("act", target=stage.editor, steps=keys)


def blocklist(stage: Stage) -> str:
    answer = stage.call("act", target=BLOCKED, steps=[{"kind": "type", "text": "never"}])
    reason = json.dumps(answer.value)
    wanted(answer.is_error and "block" in reason, answer.text)
    wanted(answer.value.get("failed_step", {}).get("index") == -1, answer.text)
    return "refused before anything was looked up"


def focus_abort(stage: Stage) -> str:
    steps: list[dict[str, Any]] = [
        {"kind": "key", "combo": "right"},
        {"kind": "wait", "ms": 4000},
        {"kind": "key", "combo": "left"},
    ]
    _start_editor(stage)
    answer = stage.robbed(steps)
    could_be_tried(answer)
    failed: Mapping[str, Any] = answer.value.get("failed_step", {})
    wanted(answer.value.get("ok") is False, f"the batch went on: {answer.text}")
    wanted(failed.get("cause") == "focus", answer.text)
    return f"stopped at step {failed.get('index')}: {failed.get('reason')}"


def one_line_each(stage: Stage) -> str:
    lines = (stage.home / "audit.jsonl").read_text(encoding="ascii").splitlines()
    wanted(len(lines) == stage.client.calls, f"{len(lines)} lines for {stage.client.calls} calls")
    wanted(not [line for line in lines if "était" in json.loads(line)["summary"] and "act" in line], "typed text in it")
    return f"{len(lines)} lines for {stage.client.calls} calls"


CHECKS: Mapping[str, Check] = {
    "notify": notify,
    "script values": argv,
    "see one app": see_one_app,
    "type, select, copy": type_and_copy,
    "blocklist": blocklist,
    "focus abort": focus_abort,
    "audit log": one_line_each,
}
"""In this order: the last one counts the calls of all others."""


def could_be_tried(answer: Answer) -> None:
    """Raises `Unverified` with what the answer says is missing."""
    told = [answer.reason] if answer.value else answer.text.splitlines()
    lacking = [line for line in told if any(lack in line for lack in LACKS)]
    needs(not lacking, "; ".join(lacking[:1]))
