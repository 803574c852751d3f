"""Reads one application: finds its connections, reads tree and details within the limits, makes the snapshot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, ROOT, AtspiBus, ElementKey
from mac_commander.desktops.x11.atspi_details import DetailReader
from mac_commander.desktops.x11.atspi_node import CHROMIUM, Node
from mac_commander.desktops.x11.atspi_snapshot import ElementMaker
from mac_commander.desktops.x11.atspi_tables import count_cells
from mac_commander.desktops.x11.atspi_tree import LEFT, TreeReader
from mac_commander.desktops.x11.atspi_windows import Placement, are_alike, place_windows
from mac_commander.desktops.x11.dbus_calls import CallError
from mac_commander.model import App, Element, Limits, Snapshot, State, Window

TREE_SHARE = 0.8
"""Of the time allowed, for the shape of the tree: most of the work. The rest is for places and values."""

FIRST_ANSWER_SECONDS = 2.0
"""An app that has not answered one question by then is hung: the slowest start measured took 1.2 s."""

APPEARING_SECONDS = 1.0
"""A Qt app that is the first to need the registry is not in it yet at first look (cua #1927)."""

CONTENT_LIMITS = Limits(nodes=60, depth=8, seconds=1.0)
"""For the few nodes whose texts name one element; the choice of a GTK 4 (4.18) drop-down is seven levels down."""

NO_TREE = "This app has no accessibility tree; use a picture (vision) and xy."
HUNG = "The app does not answer; its elements could not be read."
ALIKE = (
    "Windows of this app are alike in title and size, and their places do not tell which is which: what is in them is "
    "left out. Move or close one, or use a picture (vision) and xy."
)
LATE = "Not all places and values could be read in time."
ONLY_FRAMES = (
    "The browser shows only its window frame: it was started without accessibility. Quit it and start it with `app`, "
    "or start it with --force-renderer-accessibility; until then use a picture (vision) and xy."
)


class Reading:
    """One snapshot in the making."""

    def __init__(self, bus: AtspiBus, app: App, windows: Sequence[Window], limits: Limits) -> None:
        self._bus = bus
        self._app = app
        self._windows = windows
        self._limits = limits
        self._elements: list[Element] = []
        self._notes: list[str] = []
        self._complete = True
        self._mute = False

    async def snapshot(self) -> Snapshot:
        """Raises `CallError` when the bus fails; an app that hangs gives an incomplete snapshot."""
        end = asyncio.get_running_loop().time() + self._limits.seconds
        names = await connections(self._bus, self._app.pid)
        if not names:
            self._mute = True
            self._notes.append(NO_TREE)
        for name in names:
            await self._read(name, end)
        notes = tuple(dict.fromkeys(self._notes))
        elements = _with_one_focus(self._elements)
        return Snapshot(self._app, tuple(self._windows), elements, self._complete, notes, self._mute)

    async def _read(self, name: str, end: float) -> None:
        now = asyncio.get_running_loop().time()
        tree = TreeReader(self._bus, name, self._limits, now + TREE_SHARE * (end - now))
        try:
            tops = await asyncio.wait_for(tree.toplevels(), min(FIRST_ANSWER_SECONDS, end - now))
        except (TimeoutError, CallError):
            self._cut_short(HUNG)
            return
        if not any(top.state & states.MODAL for top in tops):
            self._bus.leave_idle_lines(name)
        details = DetailReader(self._bus, name, self._limits.value_chars, tree.known, tree.toolkit)
        await details.place_all(tops, end)
        if len(self._windows) > 1:
            await details.find_on_screen(tops, end)
        placements = place_windows(tops, self._windows, tree.coordinates)
        if are_alike(tops, self._windows, tree.coordinates, placements):
            self._cut_short(ALIKE)
        tops = [top for top in self._ordered(tops, placements) if top.state & (states.SHOWING | states.VISIBLE)]
        await tree.fill(tops)
        await self._complete_all(name, tree, details, end)
        for note in [*tree.notes, *([LEFT] if details.lost else [])]:
            self._cut_short(note)
        if tree.toolkit == CHROMIUM and not any(node.role == roles.DOCUMENT_WEB for node in tree.known.values()):
            self._mute = True
            self._notes.append(ONLY_FRAMES)
        maker = self._maker(name, tree)
        for top in tops:
            self._elements.extend(maker.elements(top, placements.get(top.path)))
        self._notes += maker.notes

    async def _complete_all(self, name: str, tree: TreeReader, details: DetailReader, end: float) -> None:
        try:
            nodes = [node for node in tree.known.values() if node.role]
            await details.complete_all(nodes, end)
            await count_cells(self._bus, name, nodes, end)
        except TimeoutError:
            self._cut_short(LATE)

    def _ordered(self, tops: Sequence[Node], placements: dict[str, Placement]) -> list[Node]:
        """Front to back as the X windows are, those of no window last."""
        order = {window.id: place for place, window in enumerate(self._windows)}

        def place(node: Node) -> tuple[int, bool]:
            placement = placements.get(node.path)
            return (order[placement.window.id] if placement else len(order), not node.state & states.ACTIVE)

        return sorted(tops, key=place)

    def _maker(self, name: str, tree: TreeReader) -> ElementMaker:
        app = self._app
        return ElementMaker(lambda path: ElementKey(name, path, app.pid, app.started), self._windows, gtk4=tree.gtk4)

    def _cut_short(self, note: str) -> None:
        self._complete = False
        self._notes.append(note)


def _with_one_focus(elements: Sequence[Element]) -> tuple[Element, ...]:
    """Only one element has the keyboard; others that say so are current items, or documents around it."""
    focused = [element for element in elements if State.FOCUSED in element.states]
    if len(focused) < 2:
        return tuple(elements)
    real = min(focused, key=lambda element: (element.role in _SAY_FOCUSED, -element.depth))
    return tuple(e if e is real else replace(e, states=e.states - {State.FOCUSED}) for e in elements)


_SAY_FOCUSED = frozenset({"tab", "listitem", "cell", "row", "treeitem", "menuitem", "document"})


async def connections(bus: AtspiBus, pid: int) -> list[str]:
    """The process's connections that have a tree; waits a little for one that is just appearing."""
    end = asyncio.get_running_loop().time() + APPEARING_SECONDS
    while True:
        names = await bus.applications(pid)
        if names or asyncio.get_running_loop().time() >= end or not await bus.is_connected(pid):
            return names
        await asyncio.sleep(0.05)


async def describe(bus: AtspiBus, key: ElementKey, windows: Sequence[Window]) -> Element | None:
    """The element as it is now, read with what is above it (for its place) and what names it."""
    end = asyncio.get_running_loop().time() + CONTENT_LIMITS.seconds
    tree = TreeReader(bus, key.bus, CONTENT_LIMITS, end)
    node = Node(key.path)
    await tree.read_alone(node)
    chain = await _chain(bus, key, tree, node)
    if not chain:
        return None
    details = DetailReader(bus, key.bus, Limits().value_chars, {}, tree.toolkit)
    if not node.name or node.role == roles.COMBO_BOX:
        await tree.fill_content(node)
    await details.complete_all([node, *tree.known.values()], end + CONTENT_LIMITS.seconds)
    placed = [above for above in chain[1:] if above.popover or above.role in roles.PLACED]
    placed.append(chain[0])  # whatever its role: a Qt window that is a plain widget is a filler
    for above, below in pairwise(chain):
        if above.role == roles.MENU:  # all its items together tell which window it fills
            above.children = [below if n.path == below.path else n for n in await tree.children_now(above)]
            placed += above.children
    await details.place_all(placed, end + CONTENT_LIMITS.seconds)
    if len(windows) > 1:
        await details.find_on_screen(chain[:1], end + CONTENT_LIMITS.seconds)
    placement = place_windows(chain[:1], windows, tree.coordinates).get(chain[0].path)
    maker = ElementMaker(lambda path: key._replace(path=path), windows, gtk4=tree.gtk4)
    found = (element for element in maker.elements(chain[0], placement) if element.key == key)
    element = next(found, None)
    return replace(element, depth=0) if element else None


async def _chain(bus: AtspiBus, key: ElementKey, tree: TreeReader, node: Node) -> list[Node]:
    """From the accessible window down to the node, each with the next as its child; empty when it is detached."""
    chain = [node]
    if not node.role or node.state & states.DEFUNCT:
        return []
    for _step in range(Limits().depth):
        try:
            owner, path = await bus.get(key.bus, chain[0].path, ACCESSIBLE, "Parent", "(so)")
        except CallError:
            return []
        if owner == key.bus and path == ROOT:
            return chain
        parent = Node(path, children=[chain[0]])
        await tree.read_alone(parent)
        if owner != key.bus or not parent.role or any(path == known.path for known in chain):
            return []
        chain[0].parent = parent
        chain.insert(0, parent)
    return []
