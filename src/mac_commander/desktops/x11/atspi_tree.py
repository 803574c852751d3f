"""Reads the shape of an application's accessibility tree: what is there, in which order, and what it is.

What a toolkit's cache has (`atspi_cache`) is taken from it. A parent whose children are not all in it (those that
manage descendants say -1; Qt and GTK 4) is asked, level by level, many at once. ``GetIndexInParent`` is not called for
each: Qt counts all siblings each time (0.9 ms, measured); once for a long list is all that is needed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ACCESSIBLE, NOTHING, ROOT, AtspiBus
from mac_commander.desktops.x11.atspi_cache import Cache, ask_cache
from mac_commander.desktops.x11.atspi_long_lists import LONG, children_in_view
from mac_commander.desktops.x11.atspi_node import GTK4, Node, coordinates
from mac_commander.desktops.x11.dbus_calls import UNANSWERED, Call, CallError
from mac_commander.model import Limits

CHILDREN = "a(so)"

ONE_BY_ONE = 2_500
"""More children are asked for one by one where toolkits count through them for each (GTK 3, Qt): the single call for
5,000 took 0.6 s in GTK 3 and 2 s in Qt (measured), and nothing can stop it half-way. One by one Qt takes twice as long,
but what there was time for is whole."""

PART = 250
"""So many of them are asked for and read before the next."""

CACHE_FROM, CACHE_MOST = 16, 2_500
"""So many elements that are new on one level are taken from GTK 4's cache, which now has all of these. Fewer are asked
for sooner than all of the cache. Of more it counts all siblings for each (4.8): 5,000 took it 2.7 s, asking them one by
one 1.5 s (measured)."""

_NO_NAME = re.compile(r"(Gtk|Adw)[A-Z]\w*|Tab|Tab list")
"""GTK 4 (4.8) names an unnamed widget after its type, and a notebook's parts after their role."""

_RICH_TEXT = re.compile(r"<(p|html|qt|b|div|span)[ >]")
_TAG = re.compile(r"<[^<>]{1,200}>")

_POPOVER = re.compile(r"(Gtk|Adw)\w*Popover(Menu|MenuBarItem)?")


CACHE_SHARE = 0.15
"""Of the time allowed, for the cache beyond what the tree has: an app that is busy with this one answer answers nothing
else, and names without places are better than nothing (GTK 3 with 5,000 widgets on a busy machine: over 3 s, seen)."""

AFTER_CACHE_SECONDS = 0.1
"""To put together what the cache told."""

_NO_SENSE = "Some elements gave no sense when they were asked; they are left out."
LEFT = "The app went away while it was read; look again."
_NO_ANSWER = "Some elements did not answer; they are left out."


class TreeReader:
    """Reads one application's tree over one bus connection, within limits."""

    def __init__(self, bus: AtspiBus, name: str, limits: Limits, deadline: float) -> None:
        self._bus = bus
        self._name = name
        self._limits = limits
        self._deadline = deadline
        self._cache = Cache((), tells_children=False)
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
            toolkit, children = self._toolkit(), self._call(ROOT, "GetChildren", gives=CHILDREN)
            self.toolkit = await toolkit
            found = [Node(path) for path in self._own(await children)]
        await self._ask(found)
        return [node for node in found if node.role]

    async def fill(self, windows: Iterable[Node]) -> None:
        """Read what is in these windows. Stops with a note when a limit is reached."""
        level = list(windows)
        self.known.update((node.path, node) for node in level)
        try:
            if not self.gtk4:
                async with asyncio.timeout_at(self._deadline + CACHE_SHARE * self._limits.seconds):
                    await self._load_cache()
            self._deadline = max(self._deadline, asyncio.get_running_loop().time() + AFTER_CACHE_SECONDS)
            await self._descend(level)
        except TimeoutError:
            self.notes.append(
                f"The app did not give its whole tree within {self._limits.seconds:g} s; some elements are missing."
            )

    async def read_alone(self, *nodes: Node) -> None:
        """Read these nodes and nothing around them; the role of one that is gone stays 0."""
        if not self.toolkit:
            self.toolkit = await self._toolkit()
        await self._ask(nodes)

    async def fill_content(self, *nodes: Node) -> None:
        """Read what is inside these elements, without the cache; what does not come in time is left out."""
        with suppress(TimeoutError):
            await self._descend(list(nodes))

    async def children_now(self, node: Node) -> list[Node]:
        """Read the children anew, whether they show or not."""
        answer = await self._call(node.path, "GetChildren", gives=CHILDREN)
        children = [Node(path, parent=node) for path in self._own(answer)]
        await self._ask(children)
        return [child for child in children if child.role]

    async def _descend(self, level: list[Node]) -> None:
        for _depth in range(self._limits.depth):
            await self._list_children([node for node in level if self.enters(node)])
            level = [child for node in level for child in node.children]
            await self._read([node for node in level if not node.role])
            if not level or self._full():
                return
        self.notes.append(f"The tree is deeper than {self._limits.depth} levels; what is below was not read.")

    async def _read(self, nodes: Sequence[Node]) -> None:
        """From the cache where it has them. GTK 4 puts into it what is asked for, also as somebody's child."""
        strange = [node for node in nodes if not self._read_cached(node)]
        if self.gtk4 and CACHE_FROM <= len(strange) <= CACHE_MOST:
            async with asyncio.timeout_at(self._deadline):
                await self._load_cache()
            strange = [node for node in strange if not self._read_cached(node)]
        await self._ask(strange)

    def _full(self) -> bool:
        if len(self.known) < self._limits.nodes:
            return False
        self.notes.append(f"The tree has more than {self._limits.nodes} elements; the rest was not read.")
        return True

    async def _list_children(self, nodes: Sequence[Node]) -> None:
        await self._count([node for node in nodes if node.child_count < 0])
        asked = [node for node in nodes if self._lists_at_once(node)]
        answers = await self._all([self._question(node.path, "GetChildren", gives=CHILDREN) for node in asked])
        told = dict(zip(asked, map(self._sense, answers), strict=True))
        for node in nodes:
            if told.get(node) is not None:
                self._adopt(node, self._own(told[node]))
            elif node in told or self._is_cached_whole(node):
                self._adopt(node, self._cache.children(node.path))
            else:
                await self._list_by_parts(node)

    def _is_cached_whole(self, node: Node) -> bool:
        return len(self._cache.children(node.path)) == node.child_count

    def _lists_at_once(self, node: Node) -> bool:
        if self._is_cached_whole(node) or (node.child_count > LONG and node.role in roles.LISTS):
            return False
        return self.gtk4 or node.child_count <= ONE_BY_ONE

    async def _count(self, nodes: Sequence[Node]) -> None:
        answers = await self._all([self._property(node.path, "ChildCount", "i") for node in nodes])
        for node, answer in zip(nodes, answers, strict=True):
            node.child_count = self._sense(answer) or 0

    async def _list_by_parts(self, node: Node) -> None:
        """Some children at a time, each part read before the next is asked for, so that what there was time for is
        whole. Of a long list, those in view."""
        wanted = range(node.child_count)
        if node.child_count > LONG and node.role in roles.LISTS:
            clips = [above.path for above in node.ancestors() if above.role in (roles.SCROLL_PANE, roles.VIEWPORT)]
            async with asyncio.timeout_at(self._deadline):
                wanted = await children_in_view(
                    self._bus, self._name, node.path, clips, node.child_count, self.coordinates
                )
            self._note(f"A list of {node.child_count} was read only around its visible part; scroll it to read more.")
        node.first_child = wanted.start
        for start in range(0, len(wanted), PART):
            if len(self.known) >= self._limits.nodes:
                return
            await self._read(self._adopt(node, await self._some_children(node, wanted[start : start + PART])))

    def _adopt(self, node: Node, paths: Iterable[str]) -> list[Node]:
        """Make these its children, but for those met before: a tree that holds itself must end."""
        room = self._limits.nodes - len(self.known)
        fresh = [path for path in dict.fromkeys(paths) if path not in self.known and path != NOTHING][:room]
        children = [Node(path, parent=node) for path in fresh]
        self.known.update((child.path, child) for child in children)
        node.children.extend(children)
        return children

    def enters(self, node: Node) -> bool:
        """Not below what cannot be seen (closed menus, hidden pages) nor into a password field. The button of a GTK 4
        drop-down is entered: the choice is in it."""
        if node.child_count == 0 or node.role == roles.PASSWORD:
            return False
        drawn_by = 0 if node.parent_role == roles.COMBO_BOX else roles.DRAWN_BY.get(node.role, 0)
        if node.name and 0 <= node.child_count <= drawn_by:
            return False
        return bool(node.state & (states.SHOWING | states.VISIBLE))

    def _own(self, references: Sequence[tuple[str, str]]) -> list[str]:
        return [path for owner, path in references if owner == self._name]

    async def _some_children(self, node: Node, indexes: range) -> list[str]:
        asked = [self._question(node.path, "GetChildAtIndex", "i", i, gives="(so)") for i in indexes]
        told = map(self._sense, await self._all(asked))
        return self._own([reference for reference in told if reference is not None])

    async def _load_cache(self) -> None:
        with suppress(CallError):  # no cache here: every parent will be asked
            self._cache = Cache(await ask_cache(self._bus, self._name), tells_children=not self.gtk4)

    def _read_cached(self, node: Node) -> bool:
        item = self._cache.item(node.path)
        if item is None:
            return False
        _, _, _, _index, node.child_count, interfaces, node.name, node.role, node.description, words = item
        node.cached = True
        node.interfaces = frozenset(interface.rpartition(".")[2] for interface in interfaces)
        node.state = states.joined(words)
        self._judge_name(node)
        return True

    async def _ask(self, nodes: Sequence[Node]) -> None:
        """Role stays 0 for what is gone by now, or does not answer."""
        asked = [question for node in nodes for question in self._questions(node.path)]
        answers = await self._all(asked)
        for node, told in zip(nodes, zip(*[iter(answers)] * 4, strict=True), strict=True):
            role, state, name, count = map(self._sense, told)
            if None not in (role, state, name, count):
                node.name, node.child_count, node.state = name, count, states.joined(state)
                self._judge_name(node)
                node.role = role

    def _questions(self, path: str) -> Iterator[Call]:
        yield self._question(path, "GetRole", gives="u")
        yield self._question(path, "GetState", gives="au")
        yield self._property(path, "Name", "s")
        yield self._property(path, "ChildCount", "i")

    def _question(self, path: str, member: str, signature: str = "", *body: Any, gives: str) -> Call:
        return Call.of(self._name, path, ACCESSIBLE, member, signature, body, gives=gives)

    def _property(self, path: str, name: str, gives: str) -> Call:
        return Call.to_get(self._name, path, ACCESSIBLE, name, gives)

    def _call(self, path: str, member: str, *, gives: str) -> Awaitable[Any]:
        return self._bus.call(self._name, path, ACCESSIBLE, member, gives=gives)

    async def _all(self, calls: Sequence[Call]) -> list[Any]:
        """Raises `TimeoutError` when the deadline is over before anything is asked: what came by then is used."""
        if calls and asyncio.get_running_loop().time() >= self._deadline:
            raise TimeoutError
        return await self._bus.ask_all(calls, self._deadline)

    def _sense(self, answer: Any) -> Any:
        """The answer, or ``None`` and a note on why there is none."""
        if isinstance(answer, CallError):
            self._note_failure(answer)
        elif answer is UNANSWERED:
            self._note(_NO_ANSWER)
        else:
            return answer
        return None

    def _judge_name(self, node: Node) -> None:
        """Drop what is no name; Mousepad pads its menu items with spaces, Qt calls a button by a tip that is rich
        text."""
        node.name = node.name.strip()
        if _RICH_TEXT.match(node.name):
            node.name = _TAG.sub("", node.name).strip()
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
