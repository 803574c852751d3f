"""Asks what the shape of the tree does not hold: where an element is, its value, what names it, whether it presses."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from typing import Any

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import (
    ACCESSIBLE,
    ACTION,
    COMPONENT,
    NOTHING,
    SELECTION,
    TEXT,
    VALUE,
    AtspiBus,
)
from mac_commander.desktops.x11.atspi_node import GTK3, GTK4, QT, SCREEN, Node, coordinates
from mac_commander.desktops.x11.dbus_calls import UNANSWERED, Call, CallError
from mac_commander.desktops.x11.dbus_rounds import Questions, in_rounds
from mac_commander.roles import CONTENT, INTERACTIVE

LABELLED_BY = 2
"""``AtspiRelationType``."""

EMBEDDED = "\ufffc"
"""Stands in a text for an object in it: all that Chromium's select has."""

PRESS_ACTIONS = "click press toggle check uncheck select jump open showmenu activate switch dodefault".split()
"""Names of the actions that are a press, spaces left out, best first: GTK's "click", Qt's "Press", "Toggle" and
"Show Menu", Chromium's verbs (``AXDefaultActionVerb``). "Set Focus", "clipboard.cut" or "showContextMenu" are not."""

MOST_ACTIONS = 12
"""A GTK 4 label has eight, the most seen."""


class DetailReader:
    """Completes nodes of one application."""

    def __init__(self, bus: AtspiBus, name: str, value_chars: int, known: Mapping[str, Node], toolkit: str) -> None:
        self._bus = bus
        self._name = name
        self._asks = Questions()
        self._value_chars = value_chars
        self._known = known
        self._gtk4 = toolkit == GTK4
        self._tells_showing = not self._gtk4
        self._qt = toolkit == QT
        self._pushed = roles.PUSHED_GTK4 if self._gtk4 else roles.PUSHED_QT if self._qt else roles.PUSHED
        self._forgives = toolkit in (GTK3, QT)
        self._coordinates = coordinates(toolkit)
        self.lost = False
        """The app went away in the middle."""

    async def complete_all(self, nodes: Iterable[Node], end: float) -> None:
        """Ask all that is worth asking about these nodes. Raises `TimeoutError` at ``end`` (of the loop's clock)."""
        worth = [node for node in nodes if self._is_worth(node)]
        await self.place_all([node for node in worth if states.shown(node.state, self._tells_showing)], end)
        works = [self._complete(node) for node in worth if self._says_more(node)]
        if not await in_rounds(lambda calls: self._bus.ask_all(calls, end), works):
            raise TimeoutError

    def _is_worth(self, node: Node) -> bool:
        word = _word(node)
        listed = word in INTERACTIVE or word in CONTENT or node.name
        return bool(listed) or node.popover or node.role in roles.PLACED or node.role in roles.OPAQUE

    def _says_more(self, node: Node) -> bool:
        return node.role in roles.VALUED or node.role in roles.TOLD_BY_TEXT or _word(node) in INTERACTIVE

    async def _complete(self, node: Node) -> None:
        """What is not needed costs no call: 5,000 elements are thousands of each."""
        if _word(node) in INTERACTIVE:
            await self._actions(node)
            if self._is_named_elsewhere(node):
                await self._label(node)
        if node.role in roles.VALUED and node.role != roles.PASSWORD:
            await self._value(node)
        elif node.role in roles.TOLD_BY_TEXT and not node.name and not node.child_count:
            await self._text(node)

    def _is_named_elsewhere(self, node: Node) -> bool:
        by_content = _word(node) in roles.NAMED_BY_CONTENT and node.children and not self._hides_label(node)
        return not node.name and not by_content

    def _hides_label(self, node: Node) -> bool:
        """GTK 4 (4.18) lists a menu item's label nowhere: the item's relation leads to it, and it has but a text."""
        return self._gtk4 and node.role in roles.MENU_ITEMS

    async def place_all(self, nodes: Sequence[Node], end: float) -> None:
        """Ask where they are in their window. What is scrolled away has no place."""
        for node, extents in await self._extents(nodes, self._coordinates, end):
            node.extents = extents

    async def find_on_screen(self, windows: Sequence[Node], end: float) -> None:
        """Ask where windows are on the screen, which GTK 4 does not know, and Qt's places tell already."""
        if self._coordinates == SCREEN or self._gtk4:
            return
        for node, extents in await self._extents(windows, SCREEN, end):
            node.on_screen = extents

    async def _extents(self, nodes: Sequence[Node], coordinates: int, end: float) -> list[tuple[Node, Any]]:
        """Of those that answered."""
        asked = [
            Call.of(self._name, node.path, COMPONENT, "GetExtents", "u", (coordinates,), gives="(iiii)")
            for node in nodes
        ]
        answers = await self._bus.ask_all(asked, end)
        self.lost = self.lost or any(isinstance(answer, CallError) and answer.program_gone for answer in answers)
        told = zip(nodes, answers, strict=True)
        return [(node, at) for node, at in told if at is not UNANSWERED and not isinstance(at, CallError)]

    async def _actions(self, node: Node) -> None:
        """A push button's press is part of every toolkit, so it is not asked for; pressing tells."""
        if node.interfaces is not None and not self._gtk4:  # there every widget has the interface
            node.pressable = "Action" in node.interfaces and node.role in roles.PRESSED
        elif node.role in self._pushed:
            node.pressable = True
        elif node.role in roles.PRESSED:
            node.pressable = (
                press_action(await self._try(action_names(self._asks, self._name, node.path)) or (), node.role)
                is not None
            )

    async def _label(self, node: Node) -> None:
        """Its label's text, else its description, else its placeholder. One is asked for when there is no other.

        Qt (5.15 to 6.12) has told the label as the name, but for a combo box, and tells a placeholder as description;
        there the relation costs a look at all siblings (0.6 ms among 5,000, measured).
        """
        node.label = await self._label_text(node) or await self._described(node) or await self._placeholder(node)

    async def _label_text(self, node: Node) -> str:
        if self._qt and node.role != roles.COMBO_BOX:
            return ""
        told = await self._try(self._call(node, ACCESSIBLE, "GetRelationSet", gives="a(ua(so))"))
        labels = [path for kind, targets in told or [] if kind == LABELLED_BY for _bus, path in targets]
        names = [await self._name_of(path) or await self._text_of(path) for path in labels[:3]]
        return " ".join(filter(None, names))

    async def _placeholder(self, node: Node) -> str:
        told = None if self._qt else await self._try(self._call(node, ACCESSIBLE, "GetAttributes", gives="a{ss}"))
        return str((told or {}).get("placeholder-text", ""))

    async def _described(self, node: Node) -> str:
        """GTK 3 describes a slider by its number: that is no label."""
        return "" if node.role in roles.NUMBERS else await self._description(node)

    async def _description(self, node: Node) -> str:
        if node.cached:
            return node.description
        return await self._try(self._asks.get(self._name, node.path, ACCESSIBLE, "Description", "s")) or ""

    async def _name_of(self, path: str) -> str:
        known = self._known.get(path)
        if known is not None:
            return known.name
        return await self._try(self._asks.get(self._name, path, ACCESSIBLE, "Name", "s")) or ""

    async def _text_of(self, path: str) -> str:
        label = Node(path)
        await self._text(label)
        return label.value or ""

    async def _value(self, node: Node) -> None:
        if node.interfaces is None and self._qt and node.role in (roles.ENTRY, roles.TEXT):
            node.interfaces = _QT_TEXT
        if node.interfaces is None:
            found = await self._try(self._call(node, ACCESSIBLE, "GetInterfaces", gives="as"))
            node.interfaces = frozenset(name.rpartition(".")[2] for name in found or [])
        if "Value" in node.interfaces and node.role in roles.NUMBERS:
            await self._number(node)
        elif "Text" in node.interfaces and node.role in roles.TEXTS:
            await self._text(node)
        if node.role == roles.COMBO_BOX and not (node.value or "").strip(EMBEDDED):
            await self._chosen(node)
            if node.name == node.value and node.name:  # the name is what is chosen: GTK 3 without a label, Qt always
                node.name = ""
                await self._label(node)

    async def _number(self, node: Node) -> None:
        now, least, most = [
            await self._try(self._asks.get(self._name, node.path, VALUE, name, "d")) for name in _VALUE_PROPERTIES
        ]
        if now is not None:
            _set_value(node, f"{now:.10g}")
        if least is not None and most is not None:
            node.range = (least, most)

    async def _text(self, node: Node) -> None:
        """GTK 4's ``GetText(0, -1)`` gives nothing (4.8, measured), so the end is asked for; and no more is asked for
        than will be shown, since a text view may hold megabytes. Some take an end beyond theirs: one call."""
        if self._forgives:
            text = await self._try(self._call(node, TEXT, "GetText", "ii", 0, self._value_chars + 1, gives="s"))
            if text and len(text) <= self._value_chars:
                _set_value(node, text)
                return
        count = await self._try(self._asks.get(self._name, node.path, TEXT, "CharacterCount", "i"))
        if count is None:
            return
        end = min(count, self._value_chars)
        text = await self._try(self._call(node, TEXT, "GetText", "ii", 0, end, gives="s")) if end > 0 else ""
        if text is not None:
            whole = count <= self._value_chars  # then its own length is right; Qt counts UTF-16 units
            node.value, node.value_length = text[: self._value_chars], len(text) if whole else count

    async def _chosen(self, node: Node) -> None:
        """The chosen item's name: of the box itself (GTK 3) or of what is in it (Chromium). Qt on Linux gives it as the
        box's own name, and the label as a relation."""
        if self._qt:
            _set_value(node, node.name[: self._value_chars])
            return
        chosen = await self._selected_child(node.path)
        if chosen is None:
            inside = await self._try(self._call(node, ACCESSIBLE, "GetChildAtIndex", "i", 0, gives="(so)"))
            chosen = await self._selected_child(inside[1]) if inside else None
        if chosen is None:
            return
        _set_value(node, (await self._name_of(chosen))[: self._value_chars])

    async def _selected_child(self, path: str) -> str | None:
        child = await self._try(self._asks.call(self._name, path, SELECTION, "GetSelectedChild", "i", 0, gives="(so)"))
        return child[1] if child and child[1] != NOTHING else None

    def _call(
        self, node: Node, interface: str, member: str, signature: str = "", *body: Any, gives: str
    ) -> Awaitable[Any]:
        return self._asks.call(self._name, node.path, interface, member, signature, *body, gives=gives)

    async def _try(self, asked: Awaitable[Any]) -> Any:
        """``None`` when the element does not have that, or is gone by now."""
        try:
            return await asked
        except CallError as error:
            self.lost = self.lost or error.program_gone
            return None


_VALUE_PROPERTIES = ("CurrentValue", "MinimumValue", "MaximumValue")

_QT_TEXT = frozenset({"Text", "EditableText"})
"""Every text widget of Qt has both."""


def _word(node: Node) -> str:
    return roles.word(node.role, node.state, node.parent_role)


def _set_value(node: Node, text: str) -> None:
    node.value, node.value_length = text, len(text)


async def action_names(bus: AtspiBus | Questions, name: str, path: str) -> list[str]:
    """Names for programs, in order. ``GetActions`` gives those for people: translated, and empty in Chromium (seen).
    Raises `CallError`."""
    count = await bus.get(name, path, ACTION, "NActions", "i")
    asked = [bus.call(name, path, ACTION, "GetName", "i", i, gives="s") for i in range(min(count, MOST_ACTIONS))]
    return [await answer for answer in asked]


def press_action(names: Sequence[str], role: int) -> int | None:
    """Index of the action that is a press, ``None`` when there is none. Only for what is there to be pressed: in
    entries "activate" is Return, in lists and tables a double click."""
    if role not in roles.PRESSED:
        return None
    lowered = [name.casefold().replace(" ", "") for name in names]
    return next((lowered.index(name) for name in PRESS_ACTIONS if name in lowered), None)


def is_settable(node: Node) -> bool:
    """Whether a new value can be given through accessibility."""
    interfaces = node.interfaces or frozenset()
    if node.role in roles.SET_BY_NUMBER and "Value" in interfaces:
        return not node.state & states.READ_ONLY
    if node.role == roles.PASSWORD or node.role in roles.TEXTS:
        editable = bool(node.state & states.EDITABLE)
        return editable and (node.role == roles.PASSWORD or "EditableText" in interfaces)
    return False
