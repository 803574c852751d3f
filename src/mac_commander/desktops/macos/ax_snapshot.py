"""A whole app read by accessibility: its windows, everything in them, and what could not be read."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

from ApplicationServices import (
    kAXMenuRole,
    kAXParentAttribute,
    kAXRoleAttribute,
    kAXTitleAttribute,
    kAXTopLevelUIElementAttribute,
    kAXWindowAttribute,
    kAXWindowRole,
)

from mac_commander.desktops.macos import ax, ax_content_names, ax_element, ax_tree, wake, windows
from mac_commander.desktops.macos.ax_element import Record
from mac_commander.desktops.macos.ax_tree import Walk
from mac_commander.desktops.macos.observer import Observer
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.wake import Waker
from mac_commander.desktops.macos.windows import Told
from mac_commander.model import App, Element, Limits, Rect, Snapshot, State, Window, WindowKind

UNTOLD = "the app shows windows but tells accessibility of none: look with vision=true and use xy."

LEVELS_TO_MENU = 8
"""From an item up to its menu, or from a row of a combo box's list up to its window."""

_MENU_ROOTS = (kAXMenuRole, kAXWindowRole)


@dataclass(frozen=True, slots=True)
class Reader:
    private: PrivateCalls
    waker: Waker
    observer: Observer

    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        """Raises `Hung`, `DesktopError` when not even the windows can be read; later failures are notes."""
        end = time.monotonic() + limits.seconds
        element = ax.application(app.pid)
        self.waker.greet(app.identity, element)
        seen = self._read(app, element, limits)
        if not seen.complete or not seen.windows or not wake.is_collapsed(seen.elements):
            return seen
        return self._woken(app, element, limits, seen, end)

    def _woken(self, app: App, element: Any, limits: Limits, seen: Snapshot, end: float) -> Snapshot:
        latest = [seen]

        def grown() -> bool:
            latest.append(self._read(app, element, replace(limits, seconds=max(0.0, end - time.monotonic()))))
            return not wake.is_collapsed(latest[-1].elements)

        if self.waker.may_wake(app.identity) and self.waker.wake(app.identity, element, grown, limits.seconds):
            return latest[-1]
        if seen.elements:
            return replace(seen, notes=(*seen.notes, wake.COLLAPSED), mute=True)
        return seen

    def _read(self, app: App, element: Any, limits: Limits) -> Snapshot:
        entries = windows.told(element, app.pid, self.private)
        shown = {window.id: window for window in _focused_first(windows.all_of(app, entries), entries)}
        sheets: list[Window] = []
        owners = {entry.window.id for entry in entries if entry.window.kind is not WindowKind.SHEET}

        def on_sheet(record: Record) -> int:
            sheets.append(self._sheet(app, record, -100 - len(sheets), owners))
            return sheets[-1].id

        walk = Walk.begin(limits, on_sheet, *([self.observer.hears] if limits.until_told else []))
        for entry in entries:
            if not entry.window.minimised and not walk.cut:
                walk.window(entry.element, entry.window.id, entry.window.bounds)
        for popup in shown.values():
            if popup.kind is WindowKind.POPUP and not walk.cut:
                self._read_menu(element, popup, walk)
        elements, notes = walk.finish()
        if shown and not entries:
            notes.append(UNTOLD)
        every = {**shown, **{sheet.id: sheet for sheet in sheets}}
        return Snapshot(app, tuple(every.values()), tuple(elements), not notes, tuple(notes))

    def _read_menu(self, app_element: Any, popup: Window, walk: Walk) -> None:
        """An open menu hangs in the tree below whatever opened it; from a point in it the way leads up."""
        found = ax.element_at(app_element, *popup.bounds.centre)
        for _ in range(LEVELS_TO_MENU):
            if found is None:
                return
            role, parent = ax.read_many(found, (kAXRoleAttribute, kAXParentAttribute))
            if role in _MENU_ROOTS:
                walk.window(found, popup.id, popup.bounds)
                return
            found = parent

    def _sheet(self, app: App, record: Record, nameless: int, taken: set[int]) -> Window:
        """``nameless`` is its number where macOS tells none, or that of the window that it belongs to."""
        number = self.private.window_number(record.element)
        number = nameless if number is None or number in taken else number
        bounds = record.bounds or Rect(0, 0, 0, 0)
        return Window(number, app.pid, record.text(kAXTitleAttribute), bounds, WindowKind.SHEET)

    def describe(self, element: Any, limits: Limits) -> Element:
        """One element as it is now. Raises `Stale` when it is gone, `Hung`, `DesktopError`."""
        record = ax_element.read_record(element)
        value = ax_element.read_value(record, limits.value_chars)
        number = self._window_number(element)
        told = ax_element.to_element(record, value, window=number, most=limits.value_chars)
        if told.bounds and not ax_tree.is_shown(element, told.bounds):
            told = replace(told, states=told.states | {State.OFFSCREEN})
        if not told.name and record.label_element is not None:
            told = replace(told, name=self._label(record.label_element, limits))
        if not told.name and told.role in ax_content_names.NAMED:
            told = self._named_by_content(element, told, limits)
        return ax_element.press_and_set(told, record)

    def _named_by_content(self, element: Any, told: Element, limits: Limits) -> Element:
        """As the walk over the whole tree names it, or a ref would never be found to be the same."""
        inner = replace(limits, nodes=ax_content_names.NODES + 1, depth=ax_content_names.LEVELS)
        walk = Walk.begin(inner, lambda _sheet: 0)
        walk.window(element, 0, None)
        inside, _notes = walk.finish()
        named = ax_content_names.named(replace(told, depth=-1), inside, limits.value_chars)
        return replace(named, depth=told.depth)

    def _label(self, label: Any, limits: Limits) -> str:
        record = ax_element.read_record(label)
        value = ax_element.read_value(record, limits.value_chars)
        return ax_element.to_element(record, value, most=limits.value_chars).name

    def _window_number(self, element: Any) -> int:
        """Of the sheet, when it stands in one: ``AXWindow`` names the window below that."""
        for attribute in (kAXTopLevelUIElementAttribute, kAXWindowAttribute):
            window = ax.read(element, attribute)
            number = None if window is None else self.private.window_number(window)
            if number is not None:
                return number
        return 0


def _focused_first(shown: list[Window], entries: list[Told]) -> list[Window]:
    first = entries[0].window.id if entries else None
    return sorted(shown, key=lambda window: window.id != first)
