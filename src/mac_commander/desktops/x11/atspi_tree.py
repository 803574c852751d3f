"""Reads the shape of an application's accessibility tree: what is there, in which order, and what it is.

Where a toolkit offers its cache (`Cache.GetItems`: GTK 3, LibreOffice, Chromium; GTK 4 for what was read before) one
call brings all. A parent whose children are not all in it (those that manage descendants say -1; Qt and GTK 4 at
first) is asked, level by level, many at once. ``GetIndexInParent`` is not called for each: Qt counts all siblings
each time (0.9 ms, measured); once for a long list is all that is needed.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, NOTHING, ROOT, AtspiBus
from mac_commander.desktops.x11.atspi_long_lists import LONG, children_in_view
from mac_commander.desktops.x11.dbus_connection import CallError, each
from mac_commander.model import Limits

CACHE_ITEMS = "a((so)(so)(so)iiassusau)"
"""What at-spi2-atk and GTK 4 give; Qt still has the older signature, with an empty list (measured)."""

FEW_CHILDREN = 250
"""More are asked for one by one: the single call for 5,000 took 0.56 s in GTK 3 and 4.2 s in Qt (measured), and
nothing can stop it half-way."""

GTK3, GTK4, QT, CHROMIUM = "gtk", "GTK", "Qt", "Chromium"
"""``ToolkitName`` of those that need some telling apart. LibreOffice's is "gtk" too."""

SCREEN, WINDOW = 0, 1
"""``AtspiCoordType``. Relative to the screen GTK 4 knows nothing, and complains on its stderr (measured)."""

_NO_NAME = re.compile(r"(Gtk|Adw)[A-Z]\w*|Tab|Tab list")
"""GTK 4 (4.8) names an unnamed widget after its type, and a notebook's parts after their role."""

_POPOVER = re.compile(r"(Gtk|Adw)\w*Popover(Menu|MenuBarItem)?")


ANSWER_SECONDS = 1.0
"""One element that never answers must not hold up all others; 1.2 s was the slowest whole app (measured)."""

CACHE_SHARE = 0.15
"""Of the time allowed, for the cache beyond what the tree has: an app that is busy with this one answer answers nothing
else, and names without places are better than nothing (GTK 3 with 5,000 widgets on a busy machine: over 3 s, seen)."""

AFTER_CACHE_SECONDS = 0.1
"""To put together what the cache told."""

_NO_SENSE = "Some elements gave no sense when they were asked; they are left out."
LEFT = "The app went away while it was read; look again."
_NO_ANSWER = "Some elements did not answer; they are left out."


@dataclass(slots=True, eq=False)
class Node:
    """One accessible object as far as it was read."""

    path: str
    role: int = 0
    name: str = ""
    description: str = ""
    state: int = 0
    cached: bool = False
    """Read from the cache, description and interfaces included."""
    interfaces: frozenset[str] | None = None
    """Last words of the interface names; ``None`` when not asked."""
    child_count: int = -1
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    extents: tuple[int, int, int, int] | None = None
    """Relative to its window, in the toolkit's own units."""
    label: str = ""
    """What names it when it has no name of its own."""
    value: str | None = None
    value_length: int = 0
    range: tuple[float, float] | None = None
    pressable: bool = False
    popover: bool = False
    """GTK 4's own window within the tree: a pop-up of the X server."""

    @property
    def parent_role(self) -> int:
        return self.parent.role if self.parent is not None else 0

    def ancestors(self) -> Iterable[Node]:
        node = self.parent
        while node is not None:
            yield node
            node = node.parent


def coordinates(toolkit: str) -> int:
    """The kind of coordinates that this toolkit gets right: see `atspi_windows`."""
    return SCREEN if toolkit == QT else WINDOW


class TreeReader:
    """Reads one application's tree over one bus connection, within limits."""

    def __init__(self, bus: AtspiBus, name: str, limits: Limits, deadline: float) -> None:
        self._bus = bus
        self._name = name
        self._limits = limits
        self._deadline = deadline
        self._cache: dict[str, Any] = {}
        self._cached_children: dict[str, list[str]] = defaultdict(list)
        self.known: dict[str, Node] = {}
        """Everything met so far, by path; those with role 0 could not be read."""
        self.notes: list[str] = []
        self.toolkit = ""

    @property
    def gtk4(self) -> bool:
        return self.toolkit == GTK4

    @property
    def coordinates(self) -> int:
        """What places are to be relative to, for this toolkit."""
        return coordinates(self.toolkit)

    async def toplevels(self) -> list[Node]:
        """The application's windows, read but without what is in them. Raises `CallError`, and `TimeoutError` when
        the application does not answer before the deadline."""
        async with asyncio.timeout_at(self._deadline):
            self.toolkit, paths = await asyncio.gather(self._toolkit(), self._all_children(ROOT))
            found = [Node(path) for path in paths]
            await each(found, self._ask)
        return [node for node in found if node.role]

    async def fill(self, windows: Iterable[Node]) -> None:
        """Read what is in these windows. Stops with a note when a limit is reached."""
        level = list(windows)
        self.known.update((node.path, node) for node in level)
        try:
            async with asyncio.timeout_at(self._deadline + CACHE_SHARE * self._limits.seconds):
                await self._load_cache()
            async with asyncio.timeout_at(max(self._deadline, asyncio.get_running_loop().time() + AFTER_CACHE_SECONDS)):
                await self._descend(level)
        except TimeoutError:
            self.notes.append(
                f"The app did not give its whole tree within {self._limits.seconds:g} s; some elements are missing."
            )

    async def read_alone(self, node: Node) -> None:
        """Read this node and nothing around it; its role stays 0 when it is gone."""
        if not self.toolkit:
            self.toolkit = await self._toolkit()
        await self._ask(node)

    async def fill_content(self, node: Node) -> None:
        """Read what is inside one element, without the cache; what does not come in time is left out."""
        try:
            async with asyncio.timeout_at(self._deadline):
                await self._descend([node])
        except TimeoutError:
            return

    async def children_now(self, node: Node) -> list[Node]:
        """Read the children anew, whether they show or not."""
        children = [Node(path, parent=node) for path in await self._all_children(node.path)]
        await each(children, self._ask)
        return [child for child in children if child.role]

    async def _descend(self, level: list[Node]) -> None:
        for _depth in range(self._limits.depth):
            await each([node for node in level if self._worth_entering(node)], self._list_children)
            level = [child for node in level for child in node.children]
            await each([node for node in level if not node.role and not self._read_cached(node)], self._ask)
            if not level or self._full():
                return
        self.notes.append(f"The tree is deeper than {self._limits.depth} levels; what is below was not read.")

    def _full(self) -> bool:
        if len(self.known) < self._limits.nodes:
            return False
        self.notes.append(f"The tree has more than {self._limits.nodes} elements; the rest was not read.")
        return True

    async def _list_children(self, node: Node) -> None:
        cached = self._cached_children.get(node.path, [])
        if len(cached) == node.child_count:
            self._adopt(node, cached)
            return
        try:
            if node.child_count < 0:
                node.child_count = await self._bus.get(self._name, node.path, ACCESSIBLE, "ChildCount", "i")
            if node.child_count <= FEW_CHILDREN:
                self._adopt(node, await self._all_children(node.path))
            else:
                await self._list_by_parts(node)
        except CallError as error:
            self._note_failure(error)
            self._adopt(node, cached)

    async def _list_by_parts(self, node: Node) -> None:
        """Some children at a time, each part read before the next is asked for, so that what there was time for is
        whole. Of a long list, those in view."""
        wanted = range(node.child_count)
        if node.child_count > LONG and node.role in roles.LISTS:
            clips = [above.path for above in node.ancestors() if above.role in (roles.SCROLL_PANE, roles.VIEWPORT)]
            wanted = await children_in_view(self._bus, self._name, node.path, clips, node.child_count, self.coordinates)
            self._note(f"A list of {node.child_count} was read only around its visible part; scroll it to read more.")
        for start in range(0, len(wanted), FEW_CHILDREN):
            if len(self.known) >= self._limits.nodes:
                return
            part = self._adopt(node, await self._some_children(node, wanted[start : start + FEW_CHILDREN]))
            await each([child for child in part if not self._read_cached(child)], self._ask)

    def _adopt(self, node: Node, paths: Iterable[str]) -> list[Node]:
        """Make these its children, but for those met before: a tree that holds itself must end."""
        room = self._limits.nodes - len(self.known)
        fresh = [path for path in dict.fromkeys(paths) if path not in self.known and path != NOTHING][:room]
        children = [Node(path, parent=node) for path in fresh]
        self.known.update((child.path, child) for child in children)
        node.children.extend(children)
        return children

    def _worth_entering(self, node: Node) -> bool:
        """Not below what cannot be seen (closed menus, hidden pages) nor into a password field. The button of a GTK 4
        drop-down is entered: the choice is in it."""
        if node.child_count == 0 or node.role == roles.PASSWORD:
            return False
        drawn_by = 0 if node.parent_role == roles.COMBO_BOX else roles.DRAWN_BY.get(node.role, 0)
        if node.name and 0 <= node.child_count <= drawn_by:
            return False
        return bool(node.state & (states.SHOWING | states.VISIBLE))

    async def _all_children(self, path: str) -> list[str]:
        children = await self._bus.call(self._name, path, ACCESSIBLE, "GetChildren", gives="a(so)")
        return [child for owner, child in children if owner == self._name]

    async def _some_children(self, node: Node, indexes: range) -> list[str]:
        found: dict[int, str] = {}

        async def ask(index: int) -> None:
            owner, path = await self._bus.call(
                self._name, node.path, ACCESSIBLE, "GetChildAtIndex", "i", index, gives="(so)"
            )
            if owner == self._name:
                found[index] = path

        await each(indexes, ask)
        return [found[index] for index in sorted(found)]

    async def _load_cache(self) -> None:
        try:
            items = await self._bus.call(
                self._name, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", gives=CACHE_ITEMS
            )
        except CallError:
            return  # no cache here: every parent will be asked
        for item in items:
            (_, path), _application, (_, parent) = item[0], item[1], item[2]
            self._cache[path] = item
            if not self.gtk4:  # 4.18 tells of a hidden child in the menu bar's place (measured)
                self._cached_children[parent].append(path)
        for siblings in self._cached_children.values():
            siblings.sort(key=lambda path: self._cache[path][3])

    def _read_cached(self, node: Node) -> bool:
        item = self._cache.get(node.path)
        if item is None:
            return False
        _, _, _, _index, node.child_count, interfaces, node.name, node.role, node.description, words = item
        node.cached = True
        node.interfaces = frozenset(interface.rpartition(".")[2] for interface in interfaces)
        node.state = states.joined(words)
        self._judge_name(node)
        return True

    async def _ask(self, node: Node) -> None:
        """Role stays 0 for what is gone by now, or does not answer."""
        role = self._bus.call(self._name, node.path, ACCESSIBLE, "GetRole", gives="u")
        state = self._bus.call(self._name, node.path, ACCESSIBLE, "GetState", gives="au")
        name = self._bus.get(self._name, node.path, ACCESSIBLE, "Name", "s")
        count = self._bus.get(self._name, node.path, ACCESSIBLE, "ChildCount", "i")
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                node.state = states.joined(await state)
                node.name, node.child_count = await name, await count
                self._judge_name(node)
                node.role = await role
        except CallError as error:
            self._note_failure(error)
        except TimeoutError:
            self._note(_NO_ANSWER)

    def _judge_name(self, node: Node) -> None:
        """Drop what is no name; Mousepad pads its menu items with spaces."""
        node.name = node.name.strip()
        if self.gtk4 and _NO_NAME.fullmatch(node.name):
            node.popover = _POPOVER.fullmatch(node.name) is not None
            node.name = ""

    async def _toolkit(self) -> str:
        try:
            return str(await self._bus.get(self._name, ROOT, "org.a11y.atspi.Application", "ToolkitName", "s"))
        except CallError:
            return ""

    def _note_failure(self, error: CallError) -> None:
        if error.program_gone:
            self._note(LEFT)
        elif not error.gone:
            self._note(_NO_SENSE)

    def _note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)
