"""Reads what an app told of, and nothing else, as a look at the whole app would: for waits, in windows of any size.

Each element is read with its way up to its window, which tells what clips it, and by the same walk. What is gone may
stand there again as another object: AppKit tells of few elements that come.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ApplicationServices import kAXMenuRole, kAXParentAttribute

from mac_commander.desktops.base import keeps_quiet
from mac_commander.desktops.macos import ax, ax_content_names, ax_element, windows
from mac_commander.desktops.macos.ax_element import Record
from mac_commander.desktops.macos.ax_tree import PARENTS_MOST, Walk
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.windows import Told
from mac_commander.errors import Stale
from mac_commander.model import App, Element, Limits, Snapshot

PART_NODES = 200
"""Elements in what was told of; beyond, the whole is looked at."""

PART_SECONDS = 1.0
"""For all of it: an app that needs longer is busy, and looked at when it is not."""

_ATTRIBUTES = (*ax_element.ATTRIBUTES, kAXParentAttribute)


def read(
    app: App, told: Sequence[ElementKey], also: Sequence[Element], limits: Limits, private: PrivateCalls
) -> Snapshot:
    """``told`` is what the app told of. Raises `Hung`, `DesktopError`, `Stale` when it cannot be asked."""
    entries = windows.told(ax.application(app.pid), app.pid, private)
    roots = {ElementKey(entry.element): entry for entry in entries}
    in_sheets: list[Record] = []
    walk = Walk.begin(replace(limits, nodes=PART_NODES, seconds=PART_SECONDS), _sheets(in_sheets))
    asked = [e.key for e in also if isinstance(e.key, ElementKey)]
    whole = _read_all(walk, [key for key in told if key not in roots], roots)
    announced = {element.key for element in walk.elements}
    whole = _read_all(walk, asked, roots) and _read_all(walk, walk.labels_apart(), roots) and whole
    elements, notes = walk.finish()
    lost = set(asked) - {element.key for element in elements}
    more = notes or in_sheets or lost or keeps_quiet(also, elements, announced)
    return Snapshot(app, tuple(windows.all_of(app, entries)), tuple(elements), whole and not more)


def _read_all(walk: Walk, keys: Sequence[ElementKey], roots: Mapping[ElementKey, Told]) -> bool:
    return all([_read(walk, key.element, roots) for key in keys])  # noqa: C419 - each is to be read


def _sheets(met: list[Record]) -> Any:
    """What is in a sheet has the number of a window that only the whole look gives."""

    def on_sheet(record: Record) -> int:
        met.append(record)
        return 0

    return on_sheet


def _read(walk: Walk, element: Any, roots: Mapping[ElementKey, Told]) -> bool:
    """Whether what there is to read was read: not in menus, which hang in no window."""
    try:
        way = _way(element, roots)
    except Stale:
        return True  # it is gone
    if way is None:
        return False
    root, records = way
    if root is None or root.window.minimised:
        return True
    gathering = (i for i, record in enumerate(records) if record.word in ax_content_names.NAMED)
    upper = next(gathering, None)  # named by what is in it, so that it changed with it
    if upper is not None:
        element, records = records[upper].element, records[:upper]
    walk.part(element, root.window.id, root.window.bounds, records)
    return True


def _way(element: Any, roots: Mapping[ElementKey, Told]) -> tuple[Told | None, list[Record]] | None:
    """Its window and what lies between, the uppermost first; no window where it is in none that is told."""
    between: list[Record] = []
    above = ax.read(element, kAXParentAttribute)
    for _ in range(PARENTS_MOST):
        if above is None:
            break
        if (root := roots.get(ElementKey(above))) is not None:
            return root, between[::-1]
        between.append(ax_element.read_record(above, _ATTRIBUTES))
        if between[-1].role == kAXMenuRole:
            return None
        above = between[-1].values.get(kAXParentAttribute)
    return None if above is not None else (None, [])
