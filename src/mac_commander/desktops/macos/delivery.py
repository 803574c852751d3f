"""Sending one event group, once the guard has allowed it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ApplicationServices import kAXFocusedAttribute, kAXValueAttribute

from mac_commander.desktops.macos import (
    ax,
    ax_element,
    ax_names,
    ax_roles,
    frontmost,
    kept_items,
    menu_bar,
    opening,
    remote_views,
)
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.desktops.macos.event_source import EventSource
from mac_commander.desktops.macos.evidence import Witness
from mac_commander.desktops.macos.held import Held
from mac_commander.desktops.macos.keyboard import Keyboard
from mac_commander.desktops.macos.pointer import Pointer
from mac_commander.errors import Cause, Refused, Stale, Uncertain, Unsupported
from mac_commander.events import (
    ClickAt,
    DragEnd,
    DragMove,
    DragStart,
    FocusElement,
    Group,
    MovePointer,
    PickMenu,
    PointerGroup,
    PressChord,
    PressElement,
    RevealElement,
    ScrollAt,
    SetValue,
    TypeText,
)
from mac_commander.model import App, Point


class FrontLost(Uncertain):
    """Another app came to the front between two events of one group: the rest was not sent."""

    cause = Cause.FOCUS


class PointLost(Uncertain):
    """Another app's window came over the point between two events of one group: the rest was not sent."""

    cause = Cause.DIALOG


@dataclass(frozen=True, slots=True)
class Delivery:
    source: EventSource
    down: Held
    keyboard: Keyboard
    pointer: Pointer
    witness: Witness

    def send(self, group: Group, target: App) -> None:
        """Raises what `Desktop.deliver` says; `FrontLost` when the front is lost between two events of the group."""
        before = self.source.posted.total()
        with self.source.while_allowed(lambda at: self._still_allowed(target, at, self.source.posted.total() > before)):
            self._send(group, target)

    def _send(self, group: Group, target: App) -> None:
        match group:
            case TypeText(text):
                self.keyboard.type_text(text)
            case PressChord(chord):
                self.keyboard.press(chord)
            case PressElement(key):
                element = _element(key, target)
                kept_items.refuse(element, target)
                opening.press(element, "press the element", target.pid)
            case FocusElement(key):
                ax.write(_element(key, target), kAXFocusedAttribute, True, "focus the element")
            case SetValue(key, value):
                _set_value(_element(key, target), value)
            case RevealElement(key):
                ax.perform(_element(key, target), ax_names.SCROLL_TO_VISIBLE, "scroll the element into view")
            case PickMenu(path):
                item = menu_bar.find(ax.application(target.pid), path)
                kept_items.refuse(item.element, target)
                opening.press(item.element, f"pick the menu item {item.title!r}", target.pid)
            case _:
                self._point(group, target)

    def _point(self, group: PointerGroup, target: App) -> None:
        match group:
            case MovePointer(at):
                self.pointer.move(at)
            case ClickAt(at):
                kept_items.refuse_at(at, target)
                self.pointer.click(group)
            case ScrollAt(at, dx, dy):
                self.pointer.scroll(at, dx, dy)
            case DragStart(at):
                self.pointer.start_drag(at)
            case DragMove(at):
                self.pointer.drag(at)
            case DragEnd(at):
                self.pointer.end_drag(at)

    def _still_allowed(self, target: App, at: Point | None, begun: bool) -> None:
        """One quick look, for the time between two events of a group that was proven as a whole: who is in front, and
        for the pointer who owns the point. A window can open over it while the pointer arrives."""
        if (pid := frontmost.focused_pid(target.pid)) != target.pid:
            seen = "it is not known which app is" if pid is None else f"process {pid} is"
            lost = f"focus lost in the middle: expected {target.name} in front, {seen}. Look with see"
            raise FrontLost(lost) if begun else Refused(lost, cause=Cause.FOCUS)
        if at is not None and self.witness.pid_at(at) != target.pid:
            covered = f"a window came over the point in the middle, and is not of {target.name}. Look with see"
            raise PointLost(covered) if begun else Refused(covered, cause=Cause.DIALOG)

    def release(self) -> None:
        """Let go of all buttons and keys, each key-up with flags 0."""
        self.pointer.release()
        for name in reversed(self.down.names):
            kind, _, number = name.partition(":")
            if kind == "key" and self.source.is_down(name):
                self.source.key(int(number), False, 0)
            self.down.up(name)


def _element(key: object, target: App) -> Any:
    """The live element. Raises `Stale` when it is not one of the target's: nothing is sent to another app."""
    if not isinstance(key, ElementKey):
        raise Stale("this is no element of this desktop: take a fresh see")
    if ax.pid_of(key.element) != target.pid and remote_views.owner(key.element) != target.pid:
        raise Stale(f"the element belongs to another process than {target}: take a fresh see")
    return key.element


def _set_value(element: Any, value: str) -> None:
    """Numbers for what holds a number, text for all others. What is there now is never read: it may be secret."""
    record = ax_element.read_record(element)
    if not ax.settable(element, kAXValueAttribute):
        raise Unsupported(f"the value of this {record.word} cannot be set. Use type, click or key")
    number = record.role in ax_roles.RANGED or record.role in ax_roles.TOGGLED
    ax.write(element, kAXValueAttribute, _number(value, record.word) if number else value, "set the value")


def _number(text: str, word: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Unsupported(f"the value of this {word} is a number; nothing was set") from None


def untypable(text: str) -> str:
    """Characters that no event can carry: halves of surrogate pairs."""
    return "".join(dict.fromkeys(char for char in text if 0xD800 <= ord(char) <= 0xDFFF))
