"""Reads what an app told of, and nothing else, as a look at the whole app would: for waits, in windows of any size.

An element stands as it does in the whole only together with what is above it (whether that shows, what clips it), and
where its content names it, with that. So each is read with its way up to its window, and given by the same maker.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from mac_commander.desktops.base import keeps_quiet
from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, AtspiBus, ElementKey
from mac_commander.desktops.x11.atspi_details import DetailReader
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.atspi_snapshot import ElementMaker
from mac_commander.desktops.x11.atspi_told import Reference, Told
from mac_commander.desktops.x11.atspi_tree import TreeReader
from mac_commander.desktops.x11.atspi_windows import are_alike, place_windows
from mac_commander.desktops.x11.dbus_calls import UNANSWERED, Call, CallError
from mac_commander.model import App, Element, Limits, Snapshot, Window

PART_NODES = 200
"""Elements in what was told of; beyond, the whole is looked at. A page of tabs or a dialog has fewer."""

PART_SECONDS = 1.0
"""For all of it: an app that needs longer is busy, and looked at when it is not."""

FEW_CHILDREN = 20
"""So many are read with what has them, also where only its own words changed: they may be its name."""


Roots = dict[Node, bool]
"""Elements that are wanted, and whether with all that is in them."""


@dataclass(frozen=True, slots=True)
class _Part:
    elements: Sequence[Element]
    complete: bool
    told: Set[ElementKey] = frozenset()
    """What the app told of, and what is in it."""


class PartReading:
    """One partial snapshot in the making."""

    def __init__(self, bus: AtspiBus, app: App, windows: Sequence[Window], limits: Limits) -> None:
        self._bus = bus
        self._app = app
        self._windows = windows
        self._limits = replace(limits, nodes=PART_NODES, seconds=PART_SECONDS)

    async def snapshot(self, told: Told, also: Sequence[Element]) -> Snapshot:
        """Raises `CallError` when the bus fails."""
        names = await self._bus.applications(self._app.pid)
        news = told.take(names)
        asked = {Reference(e.key.bus, e.key.path): False for e in also if isinstance(e.key, ElementKey)}
        wanted = asked | dict(news or {})
        elements: list[Element] = []
        complete = news is not None and all(reference.bus in names for reference in wanted)
        for name in names:
            paths = {reference.path: whole for reference, whole in wanted.items() if reference.bus == name}
            quiet = {reference.path for reference in asked if reference not in (news or {})}
            part = await self._part(name, paths, quiet) if paths else _Part((), True)
            elements.extend(part.elements)
            before = [e for e in also if isinstance(e.key, ElementKey) and e.key.bus == name]
            complete = complete and part.complete and not _more_changed(part, before)
        return Snapshot(self._app, tuple(self._windows), tuple(elements), complete)

    async def _part(self, name: str, paths: Mapping[str, bool], quiet: Set[str]) -> _Part:
        """``quiet`` are those of the paths that the app did not tell of."""
        end = asyncio.get_running_loop().time() + PART_SECONDS
        tree = TreeReader(self._bus, name, self._limits, end)
        try:
            return await self._below(name, tree, paths, quiet, end)
        except (TimeoutError, CallError):
            return _Part((), False)

    async def _below(
        self, name: str, tree: TreeReader, paths: Mapping[str, bool], quiet: Set[str], end: float
    ) -> _Part:
        tops = await tree.toplevels()
        details = DetailReader(self._bus, name, self._limits.value_chars, tree.known, tree.toolkit)
        await details.place_all(tops, end)
        if len(self._windows) > 1:
            await details.find_on_screen(tops, end)
        shown = {top.path: top for top in tops if top.state & (states.SHOWING | states.VISIBLE)}
        ways = linked(await self._climb(name, paths, shown, end), shown)
        await tree.read_alone(*dict.fromkeys(node for way in ways.values() for node in way[1:]))
        roots, too_much = _roots(tree, ways, paths)
        tree.known.update((node.path, node) for way in ways.values() for node in way if not _is_inside(node, roots))
        await tree.fill_content(*(root for root, whole in roots.items() if whole))
        await details.complete_all([node for node in tree.known.values() if node.role], end)
        wanted = {node.path for root in roots for node in _walk(root)}
        placements = place_windows(tops, self._windows, tree.coordinates)
        maker = ElementMaker(lambda path: self._key(name, path), self._windows, gtk4=tree.gtk4)
        made = [e for top in shown.values() for e in maker.elements(top, placements.get(top.path))]
        late = asyncio.get_running_loop().time() >= end
        listed = [e for e in made if isinstance(e.key, ElementKey) and e.key.path in wanted]
        of_told = [root for root in roots for path, way in ways.items() if path not in quiet and root in way]
        told = frozenset(self._key(name, node.path) for root in of_told for node in _walk(root))
        alike = are_alike(tops, self._windows, tree.coordinates, placements)
        return _Part(listed, not (too_much or late or alike or tree.notes or details.lost), told)

    def _key(self, name: str, path: str) -> ElementKey:
        return ElementKey(name, path, self._app.pid, self._app.started)

    async def _climb(self, name: str, paths: Iterable[str], tops: Collection[str], end: float) -> list[list[str]]:
        """The ways from the windows down to these elements; none for what is in none of the windows."""
        parents: dict[str, str] = {}
        below = [path for path in paths if path not in tops]
        for _level in range(self._limits.depth):
            answers = await self._bus.ask_all([_parent_of(name, path) for path in below], end)
            if UNANSWERED in answers:
                raise TimeoutError
            told = zip(below, answers, strict=True)
            found = {path: at[1] for path, at in told if not isinstance(at, CallError) and at[0] == name}
            parents |= found
            below = [path for path in dict.fromkeys(found.values()) if path not in tops and path not in parents]
            if not below:
                break
        return [way for path in paths if (way := _way(path, parents, tops))]


def _more_changed(part: _Part, before: Sequence[Element]) -> bool:
    """What is gone may stand there again as another object that nobody was told of: GTK makes its objects when they are
    asked for, Qt's views tell of no row that comes (seen)."""
    lost = {element.key for element in before} - {element.key for element in part.elements}
    return bool(lost) or keeps_quiet(before, part.elements, part.told)


def _parent_of(name: str, path: str) -> Call:
    return Call.to_get(name, path, ACCESSIBLE, "Parent", "(so)")


def _way(path: str, parents: Mapping[str, str], tops: Collection[str]) -> list[str]:
    way = [path]
    while way[0] not in tops:
        above = parents.get(way[0])
        if above is None or above in way:
            return []
        way.insert(0, above)
    return way


def linked(ways: Iterable[Sequence[str]], tops: Mapping[str, Node]) -> dict[str, list[Node]]:
    """The nodes of each way, by the path that it leads to; what several have in common is one node."""
    nodes = dict(tops)
    for way in ways:
        for above, path in pairwise(way):
            if path not in nodes:
                nodes[path] = Node(path, parent=nodes[above])
                nodes[above].children.append(nodes[path])
    return {way[-1]: [nodes[path] for path in way] for way in ways}


def _roots(tree: TreeReader, ways: Mapping[str, Sequence[Node]], paths: Mapping[str, bool]) -> tuple[Roots, bool]:
    """What to give, and whether with all that is in it; and whether that would be too much."""
    roots: Roots = {}
    too_much = False
    for path, way in ways.items():
        if not way[-1].role or not all(map(tree.enters, way[:-1])):
            continue
        root = next(filter(_gathers, way[1:]), way[-1])
        whole = paths[path] or root is not way[-1] or _gathers(root) or 0 < root.child_count <= FEW_CHILDREN
        too_much = too_much or (whole and (len(way) == 1 or root.child_count > PART_NODES))
        roots[root] = roots.get(root, False) or whole
    if too_much:
        return {}, True
    outer = {root: whole for root, whole in roots.items() if not _is_inside(root, roots)}
    for root in (root for root, whole in outer.items() if whole):
        root.children.clear()  # read anew, with those beside
    return outer, False


def _gathers(node: Node) -> bool:
    """What is in it says its name or value, or where it is."""
    named_by_content = not node.name and roles.word(node.role, node.state, node.parent_role) in roles.NAMED_BY_CONTENT
    return named_by_content or node.role in (roles.COMBO_BOX, roles.MENU)


def _is_inside(node: Node, roots: Roots) -> bool:
    """One of these is above it and is read with all that is in it."""
    return any(roots.get(above) for above in node.ancestors())


def _walk(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children
