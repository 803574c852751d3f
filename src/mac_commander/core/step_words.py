"""What the audit log says of a batch: kinds, refs, points, chords and counts; never typed text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from mac_commander.core import chords
from mac_commander.core.arguments import unwrapped
from mac_commander.core.steps import REF, TAKES
from mac_commander.errors import CommanderError

SUMMARY_STEPS_MOST = 40
"""Steps named in one log line; the rest is counted by kind."""

MENU_SHOWN = 80
"""Characters of a menu path in the log."""


def summarise(raw: Any, secret: Collection[int] = ()) -> str:
    """``click(e151), type(20 chars), key(cmd+a)`` from whatever a client sent, valid or not; never typed text, and
    nothing at all of what was for a password field: ``secret`` has the indexes of such steps."""
    if not isinstance(raw, list):
        return "no steps"
    shown = [_summary(one, hidden=i in secret) for i, one in enumerate(raw[:SUMMARY_STEPS_MOST])]
    rest = Counter(_kind(unwrapped(one)) for one in raw[SUMMARY_STEPS_MOST:])
    kinds = ", ".join(f"{count} {kind}" for kind, count in rest.items())
    return ", ".join(shown + ([f"… {rest.total()} more: {kinds}"] if rest else []))


def _kind(raw: Any) -> str:
    kind = raw.get("kind") if isinstance(raw, dict) else None
    return kind if isinstance(kind, str) and kind in TAKES else "invalid step"


def _summary(raw: Any, *, hidden: bool) -> str:
    raw = unwrapped(raw)
    kind = _kind(raw)
    if kind not in TAKES:
        return kind
    if hidden:
        return f"{kind}(password field)"
    return f"{kind}({_detail(kind, raw)})"


def _detail(kind: str, raw: Mapping[str, Any]) -> str:
    if kind == "type":
        return _count(raw.get("text"))
    if kind == "set":
        return f"{_target(raw)}, {_count(raw.get('value'))}"
    if kind == "key":
        return _combo(raw.get("combo")) + (f" x{raw['repeat']}" if isinstance(raw.get("repeat"), int) else "")
    if kind == "drag":
        return f"{_target(raw, 'from_ref', 'from_xy')} to {_target(raw, 'to_ref', 'to_xy')}"
    if kind == "wait":
        return f"{raw['ms']} ms" if isinstance(raw.get("ms"), int) else "text"
    if kind == "menu":
        path = raw.get("path")
        return path[:MENU_SHOWN] if isinstance(path, str) else "no path"
    return _target(raw)


def _count(text: Any) -> str:
    return f"{len(text)} chars" if isinstance(text, str) else "no text"


def _target(raw: Mapping[str, Any], ref: str = "ref", xy: str = "xy") -> str:
    value = raw.get(ref)
    if isinstance(value, str) and REF.match(value):
        return value
    point = unwrapped(raw.get(xy))
    if isinstance(point, list) and len(point) == 2 and all(isinstance(v, int | float) for v in point):
        return f"{point[0]:.15g},{point[1]:.15g}"
    return "nowhere"


def _combo(combo: Any) -> str:
    try:
        return chords.count_or_name(chords.parse(combo)) if isinstance(combo, str) else "no combo"
    except CommanderError:
        return "invalid combo"
