"""Turns nodes that were read into the model's elements: names, states, places, reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ElementKey
from mac_commander.desktops.x11.atspi_details import is_settable
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.atspi_windows import Extents, Placement, has_place, is_flat_bar, place_popup, union
from mac_commander.model import Element, Rect, State, Window
from mac_commander.roles import in_columns

NAME_CHARS = 500
"""A name is for reading; some web pages name an element by its whole text."""

_SAYING = ("label", "image", "heading", "paragraph")
"""What is in something and names it; in GTK 3 also the cells in a cell, an icon and a text."""

OPAQUE_POINTS = 60.0
"""Smaller than this on a side there is nothing in it to act on: a grip, a colour sample."""

_MEANINGLESS = frozenset(
    {"generic", "group", "unknown", "separator", "scrollarea", "canvas", "label", "paragraph", "image", "landmark"}
)
"""Listed only with a name."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where in the walk an element is met."""

    placement: Placement | None
    clip: Rect | None
    depth: int


class ElementMaker:
    """Makes the elements of one application."""

    def __init__(self, key: Callable[[str], ElementKey], windows: Sequence[Window], *, gtk4: bool) -> None:
        self._key = key
        self._windows = windows
        self._gtk4 = gtk4
        self.notes: list[str] = []
        """On what shows and cannot be read."""

    def elements(self, top: Node, placement: Placement | None) -> Iterator[Element]:
        """What is in one accessible window, depth first. Explicit stack: trees may be deeper than Python's own."""
        start = Spot(placement, placement.window.bounds if placement else None, 0)
        stack = [(child, start) for child in reversed(in_reading_order(top.children))]
        while stack:
            node, spot = stack.pop()
            if not self._exists(node) or is_flat_bar(node) or _is_blank_paragraph(node):
                continue
            spot = self._in_popup(node, spot)
            self._note_opaque(node, spot)
            element = self.element(node, spot)
            if element is not None:
                yield element
            if node.children and node.role != roles.PASSWORD:
                inner = self._inside(node, spot, element is not None)
                stack.extend((child, inner) for child in reversed(in_reading_order(node.children)))

    def _note_opaque(self, node: Node, spot: Spot) -> None:
        if node.role not in roles.OPAQUE or node.children or spot.placement is None:
            return
        bounds = spot.placement.rect(node.extents)
        acts = node.role == roles.CANVAS or node.state & states.FOCUSABLE  # else it is a picture
        if acts and bounds is not None and min(bounds.width, bounds.height) >= OPAQUE_POINTS:
            what, at = roles.OPAQUE[node.role], bounds.centre
            self.notes.append(f"Nothing in the {what} at {at.x:.0f},{at.y:.0f} can be read: use a picture and xy.")

    def element(self, node: Node, spot: Spot) -> Element | None:
        """``None`` for what carries no meaning of its own."""
        role = roles.word(node.role, node.state, node.parent_role)
        name = self._name(node, role)[:NAME_CHARS]
        has_no_place = node.extents is not None and not has_place(node.extents)
        if not name and (has_no_place or (role in _MEANINGLESS and not node.value)):
            return None
        secure = node.role == roles.PASSWORD
        bounds = spot.placement.rect(node.extents) if spot.placement else None
        said = states.said(node.state, role, secure)
        if not self._can_be_seen(node, bounds, spot.clip):
            said |= {State.OFFSCREEN}
        return Element(
            key=self._key(node.path),
            role=role,
            name=name,
            value=None if secure else self._value(node),
            value_length=0 if secure else node.value_length or len(self._value(node) or ""),
            states=said,
            bounds=bounds,
            depth=spot.depth,
            window=spot.placement.window.id if spot.placement else 0,
            pressable=node.pressable,
            settable=is_settable(node),
            range=node.range,
            cell=node.cell,
        )

    def _name(self, node: Node, role: str) -> str:
        """Without a label GTK 4 (4.18) names a drop-down by its choice, which is its value."""
        own = "" if node.role == roles.COMBO_BOX and node.name == self._value(node) else node.name
        return own or node.label or self._name_from_content(node, role)

    def _value(self, node: Node) -> str | None:
        """GTK 4's drop-down shows its choice as a label deep inside it."""
        if node.value is None and node.role == roles.COMBO_BOX:
            return self._content(node) or None
        return node.value

    def _exists(self, node: Node) -> bool:
        """Left out: what died, closed menus, pages of tabs that are not in front. What is scrolled away stays."""
        if not node.role:
            return False
        if not node.state & (states.SHOWING | states.VISIBLE):
            return node.parent_role in roles.LISTS and self._is_scrolled_away(node)
        if self._gtk4:
            return node.extents is None or has_place(node.extents)
        return bool(node.state & states.SHOWING) or self._is_scrolled_away(node)

    def _is_scrolled_away(self, node: Node) -> bool:
        """GTK 3 says the same of a row out of sight as of a page that is not in front (measured); where it is tells."""
        if node.role == roles.SCROLL_BAR:
            return False
        for ancestor in node.ancestors():
            if ancestor.role in (roles.MENU, roles.POPUP_MENU):
                return False
            if ancestor.role == roles.PAGE_TAB and not ancestor.state & states.SELECTED:
                return False
            if ancestor.role in roles.SCROLLERS and ancestor.state & states.SHOWING:
                return True
        return False

    def _can_be_seen(self, node: Node, bounds: Rect | None, clip: Rect | None) -> bool:
        if not states.shown(node.state, showing_is_told=not self._gtk4):
            return False
        if node.extents is not None and not has_place(node.extents):  # GTK 3's cells that are scrolled away
            return False
        return bounds is None or clip is None or bounds.intersects(clip)

    def _in_popup(self, node: Node, spot: Spot) -> Spot:
        """Menus and lists that drop down have a window of their own."""
        if spot.placement is None or node.extents is None or not self._drops_down(node):
            return spot
        popup = place_popup(node.extents, self._windows, spot.placement)
        return Spot(popup, popup.window.bounds, spot.depth) if popup else spot

    def _drops_down(self, node: Node) -> bool:
        listed = node.role == roles.LIST and node.parent_role == roles.COMBO_BOX
        menu = node.role == roles.POPUP_MENU or (self._gtk4 and node.role == roles.MENU)
        return node.popover or menu or listed

    def _inside(self, node: Node, spot: Spot, listed: bool) -> Spot:
        inner = Spot(spot.placement, spot.clip, spot.depth + listed)
        if spot.placement is None:
            return inner
        if node.role == roles.MENU:
            return self._in_menu(node, inner, spot.placement)
        bounds = spot.placement.rect(node.extents) if node.role in roles.SCROLLERS else None
        if bounds is not None and spot.clip is not None:
            return replace(inner, clip=_overlap(spot.clip, bounds))
        return inner

    def _in_menu(self, node: Node, inner: Spot, placement: Placement) -> Spot:
        """An open menu's items fill its window; without that window nobody knows where they are."""
        items = [child.extents for child in node.children if child.state & states.SHOWING and child.extents]
        shown = [extents for extents in items if has_place(extents)]
        if not shown:
            return inner
        popup = place_popup(union(shown), self._windows, placement)
        return Spot(popup, popup.window.bounds if popup else None, inner.depth)

    def _name_from_content(self, node: Node, role: str) -> str:
        """A row's cells are told apart, and empty ones kept, so that the columns can be counted."""
        if role == "row":
            return in_columns([c.name or self._content(c) for c in node.children if self._exists(c)])
        return self._content(node) if role in roles.NAMED_BY_CONTENT else ""

    def _content(self, node: Node) -> str:
        words: list[str] = []
        stack = list(reversed(node.children))
        while stack and sum(map(len, words)) < NAME_CHARS:
            inner = stack.pop()
            if inner.role == roles.PASSWORD or not self._exists(inner):
                continue
            said = inner.name or (inner.value or "" if inner.role in roles.TOLD_BY_TEXT else "")
            if said and (inner.role == roles.CELL or roles.word(inner.role, 0, 0) in _SAYING):
                words.append(said)
            else:
                stack.extend(reversed(inner.children))
        return " ".join(words)


def in_reading_order(nodes: Sequence[Node]) -> Sequence[Node]:
    """GTK 3's grid tells what is in it backwards: each label comes after its field.
    Turned round only when every one begins above, or left of, the one told before it."""
    spots = [node.extents for node in nodes if node.extents is not None and has_place(node.extents)]
    backwards = len(spots) > 1 and all(_is_before(later, earlier) for earlier, later in pairwise(spots))
    return nodes[::-1] if backwards else nodes


def _is_before(one: Extents, other: Extents) -> bool:
    """In another row above it, or in its row and left of it."""
    above = one[1] + one[3] <= other[1]
    below = other[1] + other[3] <= one[1]
    return above or (not below and one[0] + one[2] <= other[0])


def _is_blank_paragraph(node: Node) -> bool:
    """An empty line among others is nothing to read; the one with the caret is a place to type. In a browser what a
    paragraph says is in it."""
    empty = node.role == roles.PARAGRAPH and not (node.name or (node.value or "").strip() or node.children)
    return empty and not node.state & states.FOCUSED and node.parent is not None and len(node.parent.children) > 1


def _overlap(one: Rect, other: Rect) -> Rect:
    x, y = max(one.x, other.x), max(one.y, other.y)
    right = min(one.x + one.width, other.x + other.width)
    bottom = min(one.y + one.height, other.y + other.height)
    return Rect(x, y, max(0.0, right - x), max(0.0, bottom - y))
