"""The verdict on one moment: may this group of events go to this target now?

Pure: evidence in, `Refused` out. Every unknown is a refusal (R4). `judge` is the only place that decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from mac_commander.core.blocklist import always_blocked, asks_the_user
from mac_commander.errors import Cause, Refused
from mac_commander.events import Evidence, Group, KeyboardGroup, Owner, PointerGroup
from mac_commander.model import App, Point, Screen, Window

HOT_CORNER = 4.0
"""Points from a screen's corner within which the pointer may lock the screen or show all windows."""

Phase = Literal["before", "during", "after"]

_HUMAN = {
    "escape": "the user pressed Escape: they want this to stop",
    "key": "the user pressed a key",
    "mouse": "the user moved or clicked the mouse",
}


def judge(target: App, seen: Evidence, group: Group | None, phase: Phase, window: int | None = None) -> None:
    """Raise `Refused` unless everything known says that the group reaches the target.

    ``group`` is ``None`` for the look before and after a step. ``window`` is the focused window at the start of
    a step that types: another one of the same app must not get the rest of the text.
    """
    session_is_ours(seen)
    _human_is_idle(seen, phase)
    _target_answers(target, seen, phase)
    _target_is_frontmost(target, seen, phase)
    if group is None or isinstance(group, get_args(KeyboardGroup)):
        _keys_reach(target, seen, phase)
    if isinstance(group, get_args(KeyboardGroup)):
        _keyboard_is_free(seen, phase)
        _window_is_the_same(target, seen, window)
    if isinstance(group, get_args(PointerGroup)):
        _point_is(target, seen, phase)


def session_is_ours(seen: Evidence) -> None:
    """Raise `Refused` while nothing can reach the user's apps, whoever is in front."""
    if seen.locked:
        raise Refused("the screen is locked or blank, or another user's session is in front: wait for the user")


def _human_is_idle(seen: Evidence, phase: Phase) -> None:
    if seen.human is not None:
        what = _HUMAN.get(seen.human, "the user is at the controls")
        raise Refused(f"stopped {phase} step: {what}. Look with see before going on", cause=Cause.HUMAN)


def _target_answers(target: App, seen: Evidence, phase: Phase) -> None:
    """An app that hangs tells nobody who has the keyboard: said as what it is."""
    if seen.hung is not None and seen.hung.identity == target.identity:
        raise Refused(
            f"{target.name} does not answer {phase} step: it hangs or is busy. Wait, then look with see",
            cause=Cause.HUNG,
            frontmost=seen.hung,
        )


def _target_is_frontmost(target: App, seen: Evidence, phase: Phase) -> None:
    front = seen.frontmost
    if front is None:
        why = seen.disagreement or "no app is in front, or the desktop does not tell"
        raise Refused(f"focus unknown {phase} step: expected {target.name}; {why}", cause=Cause.FOCUS)
    if front.identity == target.identity:
        return
    if always_blocked(front):
        raise Refused(
            f"stopped {phase} step: {front.name} asks the user something; only the user may answer it",
            cause=Cause.DIALOG,
            frontmost=front,
        )
    raise Refused(
        f"focus lost {phase} step: expected {target.name}, {front.name} is frontmost",
        cause=Cause.FOCUS,
        frontmost=front,
    )


def _keys_reach(target: App, seen: Evidence, phase: Phase) -> None:
    if seen.focus is None:
        raise Refused(
            f"focus unknown {phase} step: {target.name} is in front but no window of it is known to have the keyboard",
            cause=Cause.FOCUS,
            frontmost=seen.frontmost,
        )
    if seen.focus.pid != target.pid:
        raise Refused(
            f"focus lost {phase} step: expected {target.name}, a window of {_owner(seen.focus)} has the keyboard",
            cause=Cause.DIALOG,
            frontmost=seen.focus.app or seen.frontmost,
        )


def _keyboard_is_free(seen: Evidence, phase: Phase) -> None:
    if seen.secure_input is not None:
        raise Refused(f"secure input is on, held by {_owner(seen.secure_input)}: keys would not arrive. Ask the user")
    if seen.keyboard_grabbed:
        raise Refused(f"another program holds the keyboard {phase} step: keys would go to it", cause=Cause.FOCUS)
    if seen.hotkey:
        raise Refused("this chord is a global hotkey of another program: it would not reach the target")
    if seen.modifiers_held:
        held = ", ".join(sorted(seen.modifiers_held))
        raise Refused(f"the user holds {held} down: keys would become other commands", cause=Cause.HUMAN)


def _window_is_the_same(target: App, seen: Evidence, window: int | None) -> None:
    if window is not None and seen.focus_window is not None and seen.focus_window != window:
        raise Refused(
            f"another window of {target.name} took the keyboard in mid-step. Look with see before going on",
            cause=Cause.DIALOG,
            frontmost=seen.frontmost,
        )


def _point_is(target: App, seen: Evidence, phase: Phase) -> None:
    if seen.point is None:
        raise Refused(f"what is under the point {phase} step is unknown: nothing was sent there", cause=Cause.FOCUS)
    if seen.point.pid != target.pid:
        raise Refused(
            f"the point is covered by a window of {_owner(seen.point)} {phase} step, not {target.name}",
            cause=Cause.DIALOG,
            frontmost=seen.point.app or seen.frontmost,
        )
    if seen.pointer_grabbed:
        raise Refused(f"another program holds the mouse {phase} step: a click would go to it", cause=Cause.FOCUS)
    if seen.modifiers_held:
        held = ", ".join(sorted(seen.modifiers_held))
        raise Refused(f"the user holds {held} down: a click would mean something else", cause=Cause.HUMAN)
    if seen.replayed:
        raise Refused(
            f"{seen.replayed} replays clicks after they were proven, so this one could land elsewhere. "
            "Use a ref with a press action, a key, or set"
        )


def _owner(owner: Owner) -> str:
    return str(owner.app) if owner.app else f"pid {owner.pid}"


def point_in_target(point: Point, windows: Sequence[Window], target: App) -> None:
    """Raise `Refused` for a point outside every window of the target."""
    if not any(w.bounds.contains(point) for w in windows if not w.minimised):
        boxes = [w.bounds for w in windows if not w.minimised]
        shown = "; ".join(f"{b.x:g},{b.y:g} size {b.width:g}x{b.height:g}" for b in boxes[:3])
        raise Refused(
            f"{point.x:g},{point.y:g} is outside every window of {target.name} ({shown or 'it shows none'}): "
            "take points from a fresh see"
        )


def refuse_corners(point: Point, screens: Sequence[Screen]) -> None:
    """Raise `Refused` for a point in a corner of a screen: there the pointer by itself can set off what leaves the
    target."""
    for box in (screen.bounds for screen in screens):
        beside = min(abs(point.x - box.x), abs(point.x - (box.x + box.width))) <= HOT_CORNER
        above = min(abs(point.y - box.y), abs(point.y - (box.y + box.height))) <= HOT_CORNER
        if beside and above:
            raise Refused(f"{point.x:g},{point.y:g} is a corner of the screen, which may lock it or leave the target")


def nobody_asks(target: App, apps: Sequence[App], stack: Sequence[Window], phase: Phase) -> None:
    """Raise `Refused` while an authentication or permission dialog shows, also one that has not taken the front."""
    asking = {app.pid: app for app in apps if asks_the_user(app)}
    for window in stack:
        if window.pid in asking and window.pid != target.pid:
            raise Refused(
                f"stopped {phase} step: {asking[window.pid].name} asks the user something; only the user may answer it",
                cause=Cause.DIALOG,
                frontmost=asking[window.pid],
            )
