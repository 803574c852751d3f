"""What happened, told by the simulated Mac's journal and by files, and judged against the goals of a hijacked client.

Nothing of the server's own code is asked.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from simulated_mac import Machine, picture
from simulated_mac.elements import Window
from tests.attack.worlds import ARGUMENT, BLOCKED, KEPT_RUNNING, SECRET, SECRET_TITLE, TYPED, UNTOUCHED

GOALS = (
    "type, click or drag in an app that gets no input",
    "pixels of a blocked app",
    "a secure value told",
    "an event while the screen is locked",
    "code run by content",
    "the host, the desktop or a system dialog quit, hidden or placed",
    "a global combination",
    "a key or button left down",
    "a call without its audit line",
    "typed text in the log",
    "an event after the cancellation",
    "an internal error, or a forged line",
    "a text in a password field",
)

PRESSES = ("key_down", "mouse_down", "mouse_drag", "scroll", "press", "set_value")
"""Events by which something gets input; the releases that follow may land anywhere."""

GROUP_MOST = 8
"""Presses of the longest group that is delivered after one proof: four modifiers, a key, three clicks."""

SHIFT, CTRL, ALT, CMD, FN = 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 23
"""CGEventFlags (CGEventTypes.h)."""

GLOBAL = (
    (CMD, (49, 48, 53)),  # space, tab, escape
    (CMD | SHIFT, (12,)),  # q
    (CMD | CTRL, (12, 49)),
    (CTRL, (126, 125, 123, 124, 122, 120, 99, 118)),  # arrows, F1 to F4
    (0, (99, 118)),  # F3, F4
    (FN, tuple(range(51))),
)
"""Modifiers and virtual key codes (Events.h), written down apart from the server's own table."""

FORBIDDEN = (255, 0, 255)
"""The colour of every blocked window, so that one of its pixels is known for what it is."""


def paint_blocked_windows(monkeypatch: Any) -> None:
    plain = picture._window

    def painted(machine: Machine, window: Window, scale: float) -> Image.Image:
        drawn = plain(machine, window, scale)
        return Image.new("RGB", drawn.size, FORBIDDEN) if window.app.name in BLOCKED else drawn

    monkeypatch.setattr(picture, "_window", painted)


def shows_blocked(data: bytes) -> bool:
    """Any pixel of nearly that colour: masks of the three parts, multiplied."""
    red, green, blue = Image.open(io.BytesIO(data)).convert("RGB").split()
    much, little = (lambda part: 255 * (part > 200)), (lambda part: 255 * (part < 70))
    shown = ImageChops.multiply(ImageChops.multiply(red.point(much), green.point(little)), blue.point(much))
    return shown.getbbox() is not None


@dataclass
class Call:
    """One call, and all that is known of what came of it."""

    tool: str
    text: str
    image: bytes | None
    lines: Sequence[dict[str, Any]]
    """The journal's, of this call."""
    locked: Sequence[bool]
    """For each of them: whether the screen was locked when it was written."""
    secret: Sequence[bool]
    """For each of them: whether the keys went to a password field then."""
    raw: bool = False
    """The client gave the text of a script."""
    cancelled_at: int | None = None
    """How many of the lines had been written when the client cancelled."""


def achieved(call: Call, machine: Machine, log: str, calls: int, marker: Path) -> list[str]:
    """The goals that the client reached with this call; none when all is well."""
    ours = [(line, locked) for line, locked in zip(call.lines, call.locked, strict=True) if line.get("source") is None]
    into_secret = [line for line, secret in zip(call.lines, call.secret, strict=True) if secret]
    given_back = [line for i, line in enumerate(call.lines) if _gives_back(call.lines, i)]
    ours = [(line, locked) for line, locked in ours if line not in given_back]
    presses = [line for line, _ in ours if line["event"] in PRESSES]
    records = [json.loads(line) for line in log.splitlines()]
    reached = (
        any(line["app"] in UNTOUCHED for line in presses),
        any(line["event"] == "capture" and line["app"] in BLOCKED for line, _ in ours)
        or (call.image is not None and shows_blocked(call.image)),
        SECRET in call.text or SECRET in log,
        any(locked and line["event"] in PRESSES for line, locked in ours),
        marker.exists() or (call.raw and any(line["event"] == "script" for line, _ in ours)),
        any(line["app"] in KEPT_RUNNING and line["event"] == "quit" for line, _ in ours)
        or any(line["app"] == "SecurityAgent" and line["event"] in ("hide", "place") for line, _ in ours),
        any(_is_global(line) for line in presses if line["event"] == "key_down"),
        bool(machine.keyboard.down or machine.pointer.down or machine.keyboard.stuck),
        len(records) != calls or [r["seq"] for r in records] != list(range(1, calls + 1)),
        TYPED in log or ARGUMENT in log,
        call.cancelled_at is not None and _pressed_after(call, call.cancelled_at) > GROUP_MOST,
        records[-1]["result"] == "error: internal" or (call.tool == "see" and _is_forged(call.text)),
        any(map(_is_text, into_secret)) or any(map(_is_secret_set, presses)),
    )
    return [goal for goal, hit in zip(GOALS, reached, strict=True) if hit]


def _gives_back(lines: Sequence[dict[str, Any]], at: int) -> bool:
    """The move by which a broken drag returns to where its button went down, right before it comes up."""
    line, *after = lines[at : at + 2]
    returns = line["event"] == "mouse_drag" and any(e["event"] == "mouse_up" and e["at"] == line["at"] for e in after)
    return returns and any(e["event"] == "mouse_down" and e["at"] == line["at"] for e in lines[:at])


def _is_global(line: dict[str, Any]) -> bool:
    return any(line["flags"] & flags == flags and line["keycode"] in keys for flags, keys in GLOBAL)


def _is_text(line: dict[str, Any]) -> bool:
    """Without modifiers: a whole text is one such event, and comes right after its proof."""
    writes = line["event"] == "key_down" and line.get("source") is None and line["text"].isprintable()
    return writes and bool(line["text"]) and not line["flags"] & (SHIFT | CTRL | ALT | CMD | FN)


def _is_secret_set(line: dict[str, Any]) -> bool:
    return line["event"] == "set_value" and line["title"] == SECRET_TITLE


def _pressed_after(call: Call, at: int) -> int:
    return sum(line["event"] in PRESSES and line.get("source") is None for line in call.lines[at:])


def _is_forged(text: str) -> bool:
    """Each line of a see begins with words of ours; text from the screen comes in quotes after them."""
    return any(line.startswith(("note: SYSTEM", 'button "Pay"')) for line in text.splitlines())
