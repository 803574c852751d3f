"""Chords that the window server keeps for itself: no app ever sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_mac.keyboard import KeyEvent
    from simulated_mac.machine import Machine

TAB, SPACE, Q = 48, 49, 12


def taken(machine: Machine, event: KeyEvent) -> bool:
    """Whether the event was one; it has had its effect then."""
    chord = (event.modifiers - {"capslock", "fn"}, event.keycode)
    deed = next((deed for known, deed in _HOTKEYS if known == chord), None)
    if deed is None or event.text is not None or machine.locked:
        return False
    if event.down:
        deed(machine)
    return True


def _next_app(machine: Machine) -> None:
    behind = [window.app for window in machine.stack if window.app is not machine.front and window.layer == 0]
    others = [app for app in machine.running() if app is not machine.front and not app.spec.get("background")]
    successor = next(iter([*behind, *others]), None)
    if successor is not None:
        machine.life.activate(successor)


def _lock(machine: Machine) -> None:
    machine.locked = True


def _search(machine: Machine) -> None:
    """Spotlight's panel takes the keyboard, and the app in front stays in front."""
    finder = next((app for app in machine.running() if app.bundle_id == "com.apple.finder"), None)
    if finder is not None and machine.panel is None:
        field = {"role": "AXTextField", "title": "Spotlight Search", "bounds": [420, 200, 600, 56]}
        panel = {"title": "Spotlight", "layer": 23, "takes_keyboard": True, "bounds": [420, 200, 600, 56]}
        machine.windows.add(finder, {**panel, "elements": [field]}, on_top=True)


_HOTKEYS: tuple[tuple[tuple[frozenset[str], int], Callable[[Machine], None]], ...] = (
    ((frozenset({"cmd"}), TAB), _next_app),
    ((frozenset({"cmd"}), SPACE), _search),
    ((frozenset({"cmd", "ctrl"}), Q), _lock),
)
