"""The walk over an app's accessibility tree: iterative, bounded in nodes, depth and time, each element once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ApplicationServices import (
    kAXChildrenAttribute,
    kAXParentAttribute,
    kAXPositionAttribute,
    kAXRoleAttribute,
    kAXScrollAreaRole,
    kAXSheetRole,
    kAXSizeAttribute,
    kAXWindowRole,
)

from mac_commander.desktops.macos import ax, ax_content_names, ax_element, ax_roles
from mac_commander.desktops.macos.ax_element import Record
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.errors import DesktopError, Hung, Stale
from mac_commander.model import OLD, Element, Limits, Rect, State

RANGE = 256
"""How many children are asked for in one call where there may be thousands: an answer of some 20 kB."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in the tree an element was found."""

    element: Any
    depth: int
    window: int
    clip: Rect | None
    """The part of the screen that shows it; ``None`` when unknown."""
    in_ranges: bool = False
    """Ask for its children in ranges: there may be thousands."""
    in_shown_row: bool = False
    """Part of the name of something that shows: read even where it sticks out of sight."""


@dataclass
class Walk:
    """One reading of one app. ``elements`` grows in reading order; ``notes`` says what cut it short."""

    limits: Limits
    deadline: float
    on_sheet: Callable[[Record], int]
    """Told of each sheet that is met inside a window; gives the window id for what is in it."""
    interrupted: Callable[[], bool] = lambda: False
    """Whether what is read is older than what was told: then it ends."""
    elements: list[Element] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _seen: set[ElementKey] = field(default_factory=set)
    _labels: dict[int, Any] = field(default_factory=dict)
    _unreadable: int = 0
    _too_deep: bool = False

    @classmethod
    def begin(
        cls, limits: Limits, on_sheet: Callable[[Record], int], interrupted: Callable[[], bool] = lambda: False
    ) -> Walk:
        return cls(limits, time.monotonic() + limits.seconds, on_sheet, interrupted)

    @property
    def cut(self) -> bool:
        """Whether the whole walk must end: nothing more will be read."""
        return bool(self.notes)

    def window(self, root: Any, number: int, bounds: Rect | None) -> None:
        """Read everything below a window. A window met inside another one is not read twice."""
        key = ElementKey(root)
        if key in self._seen:
            return
        self._seen.add(key)
        self._read(self._children(_Place(root, -1, number, bounds), None))

    def part(self, element: Any, number: int, bounds: Rect | None, way: Sequence[Record]) -> None:
        """Read an element and what is in it where `window` would: ``way`` lies between, the uppermost first."""
        place: _Place | None = _Place(element, 0, number, bounds)
        for record in way:
            place = place and self._inner(self._inside(replace(place, element=record.element), record), record)
        if place is not None:
            self._read(iter([replace(place, element=element)]))

    def labels_apart(self) -> list[ElementKey]:
        """Elements that name others and were not read."""
        return [key for key in map(ElementKey, self._labels.values()) if key not in self._seen]

    def _read(self, places: Iterator[_Place]) -> None:
        opened = [places]
        while opened and not self._over():
            place = self._next(opened[-1])
            if place is None:
                opened.pop()
            else:
                opened.append(self._visit(place))

    def finish(self) -> tuple[list[Element], list[str]]:
        """The elements with the names that other elements give them, and notes on what is missing."""
        if self._too_deep:
            self.notes.append(f"deeper than {self.limits.depth} levels: what is below was not read.")
        if self._unreadable:
            self.notes.append(f"{self._unreadable} elements could not be read: the app answered with errors.")
        return self._named(), self.notes

    def _over(self) -> bool:
        if not self.cut and len(self._seen) >= self.limits.nodes:
            self.notes.append(f"stopped after {self.limits.nodes} elements.")
        if not self.cut and time.monotonic() >= self.deadline:
            self.notes.append(f"stopped after {self.limits.seconds:g} s: the app answers slowly.")
        if not self.cut and self.interrupted():
            self.notes.append(OLD)
        return self.cut

    def _next(self, children: Iterator[_Place]) -> _Place | None:
        """The next child, ``None`` after the last, and where the app cannot tell any more of them."""
        try:
            return next(children, None)
        except DesktopError as error:
            self._failed(error)
        except Stale:
            pass  # as in `_visit`
        return None

    def _visit(self, place: _Place) -> Iterator[_Place]:
        """Add the element and give its children, each asked for when its turn has come."""
        key = ElementKey(place.element)
        if key in self._seen:
            return iter(())
        self._seen.add(key)
        wanted = ax_element.ATTRIBUTES if place.in_ranges else ax_element.ATTRIBUTES_AND_CHILDREN
        try:
            record = ax_element.read_record(place.element, wanted)
            place = self._inside(place, record)
            self._add(record, place)
            return self._children(place, record)
        except DesktopError as error:
            self._failed(error)
        except Stale:
            pass  # it went away while we read: it is no longer part of the app
        return iter(())

    def _inside(self, place: _Place, record: Record) -> _Place:
        if record.role != kAXSheetRole:
            return place
        return replace(place, window=self.on_sheet(record), depth=-1, clip=record.bounds)

    def _add(self, record: Record, place: _Place) -> None:
        """Of what is scrolled out of sight no value is read: it is counted, and its turn comes when it is seen."""
        if place.depth < 0:
            return  # a sheet is told as a window
        most = self.limits.value_chars
        hidden = bool(record.bounds and place.clip and not place.clip.intersects(record.bounds))
        unread = hidden and not place.in_shown_row
        value = ax_element.Value() if unread else ax_element.read_value(record, most)
        element = ax_element.to_element(record, value, depth=place.depth, window=place.window, most=most)
        if hidden:
            element = replace(element, states=element.states | {State.OFFSCREEN})
        if not element.name and record.label_element is not None:
            self._labels[len(self.elements)] = record.label_element
        self.elements.append(element)

    def _children(self, place: _Place, record: Record | None) -> Iterator[_Place]:
        inner = self._inner(place, record)
        if inner is None:
            return
        whole = record and not record.children_failed and not place.in_ranges
        for child in record.children if record and whole else self._in_ranges(place.element):
            yield replace(inner, element=child)

    def _inner(self, place: _Place, record: Record | None) -> _Place | None:
        """Where each of its children stands; ``None`` for what has no children of its own."""
        if record is not None and (record.role in ax_roles.CHILDLESS or record.secure):
            return None
        if place.depth + 1 >= self.limits.depth:
            self._too_deep = True
            return None
        role = record.role if record else kAXWindowRole
        clip = _clipped(place.clip, record) if record and role == kAXScrollAreaRole else place.clip
        in_row = place.in_shown_row or (record is not None and _is_shown_row(record, place.clip))
        return _Place(place.element, place.depth + 1, place.window, clip, role in ax_roles.MAY_BE_LONG, in_row)

    def _in_ranges(self, parent: Any) -> Iterator[Any]:
        """Children range by range: the next one is asked for when all of the last were read, so that what there is
        time for is read of however many there are."""
        members, last = _first_children(parent)
        start = 0
        while True:
            yield from (member for member in members if member is not None)
            if last:
                return
            start += RANGE
            members = ax.read_range(parent, kAXChildrenAttribute, start, RANGE)
            last = len(members) < RANGE

    def _failed(self, error: DesktopError) -> None:
        """One element that cannot be read is counted; an app that does not answer ends the walk, for each
        further call would cost its whole time again."""
        if isinstance(error, Hung):
            self.notes.append("stopped: the app did not answer in time.")
        elif isinstance(error, ax.APIDisabled):
            self.notes.append("stopped: macOS took the accessibility permission away.")
        else:
            self._unreadable += 1

    def _named(self) -> list[Element]:
        """Names from other elements, found among those read already: no further call."""
        names = {element.key: element.name for element in self.elements}
        named = list(self.elements)
        for index, label in self._labels.items():
            name = names.get(ElementKey(label), "")
            named[index] = replace(named[index], name=name)
        return ax_content_names.with_content_names(named, self.limits.value_chars)


def _first_children(parent: Any) -> tuple[list[Any], bool]:
    """And whether these are all. Some apps tell no ranges, others nothing but (vimac #386): then all are asked for."""
    try:
        members = ax.read_range(parent, kAXChildrenAttribute, 0, RANGE)
    except (Hung, ax.APIDisabled):
        raise
    except DesktopError:
        whole = ax.read(parent, kAXChildrenAttribute)
        return (whole if isinstance(whole, list) else []), True
    return members, len(members) < RANGE


def _is_shown_row(record: Record, clip: Rect | None) -> bool:
    shows = record.bounds is None or clip is None or clip.intersects(record.bounds)
    return record.word in ax_content_names.NAMED and shows


PARENTS_MOST = 60
"""How far up `is_shown` looks; Chromium's deepest pages nest about 40 levels."""

_CLIPPING = frozenset((kAXScrollAreaRole, kAXWindowRole, kAXSheetRole))
_PARENT = (kAXRoleAttribute, kAXPositionAttribute, kAXSizeAttribute, kAXParentAttribute)


def is_shown(element: Any, bounds: Rect) -> bool:
    """Whether any of it lies in all the scroll areas, and the window, that it is in. One call for each parent.

    Raises `Stale`, `Hung`, `DesktopError`.
    """
    parent = ax.read(element, kAXParentAttribute)
    for _ in range(PARENTS_MOST):
        if parent is None:
            break
        record = ax_element.read_record(parent, _PARENT)
        frame = record.bounds if record.role in _CLIPPING else None
        if frame is not None and not frame.intersects(bounds):
            return False
        if record.role in (kAXWindowRole, kAXSheetRole):
            break
        parent = record.values.get(kAXParentAttribute)
    return True


def _clipped(clip: Rect | None, record: Record) -> Rect | None:
    bounds = record.bounds
    if clip is None or bounds is None:
        return bounds or clip
    left, top = max(clip.x, bounds.x), max(clip.y, bounds.y)
    right = min(clip.x + clip.width, bounds.x + bounds.width)
    bottom = min(clip.y + clip.height, bounds.y + bounds.height)
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))
