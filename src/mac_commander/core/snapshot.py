"""From an app's tree to the lines a model reads: containers folded, one element a line, nothing said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from mac_commander import roles
from mac_commander.core.refs import RefTable
from mac_commander.core.screen_text import NAME_SHOWN, escaped, quoted
from mac_commander.model import App, Element, Rect, Snapshot, State, Window, WindowKind

CHANGES_MOST = 20
"""Lines of `changes` in an `act` result: what a batch did, not a second snapshot."""

MADE_AGAIN_LISTED = 5
"""So many elements that only got a new ref are told one by one."""

_SILENT = frozenset({"generic", "group", "scrollarea", "splitgroup", "unknown", "column", "canvas", "region"})
"""Containers that are folded even when a toolkit gave them a name."""

_NAMED_BY_WHAT_IS_IN_THEM = frozenset({"row", "cell", "gridcell", "listitem", "treeitem", "option"})

_WRAPPERS = roles.CONTENT | {"cell", "gridcell", "rowheader", "columnheader", "listitem"}
"""Roles that often only repeat the name of what they stand in or next to."""


_READ = frozenset({"label", "heading", "paragraph"})
"""Their text is what they are; it is said as their name."""

CONTENT_SHOWN = 200
"""Characters of a text that is there to be read, as many as of a value."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a listing. Lines with equal ``key`` are about the same thing; ``body`` is the line without
    its place, so that a moved window changes one line and not all of them."""

    key: str
    depth: int
    body: str
    place: str = ""
    element: bool = True
    bounds: Rect | None = None
    """Of an element that has a ref."""
    rank: int = 0
    """Whose turn it is at the budget: that of its window."""
    window: int = 0
    """Number of the window it is about, or in."""

    @property
    def text(self) -> str:
        return self.body.replace("\0", f" {self.place}" if self.place else "", 1)

    @property
    def settled(self) -> str:
        return self.body.replace("\0", "", 1)


@dataclass(frozen=True, slots=True)
class Listing:
    """All that can be told of one app, before any budget."""

    app: App
    lines: tuple[Line, ...]
    offscreen: int
    """Elements scrolled out of view: counted, not listed."""
    complete: bool
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(line.element for line in self.lines)


def listing(snapshot: Snapshot, refs: RefTable) -> Listing:
    """Lines for all windows and elements worth reading, window by window."""
    lines: list[Line] = []
    offscreen = 0
    for window in snapshot.windows:
        inside = [e for e in snapshot.elements if e.window == window.id]
        visible = [e for e in inside if State.OFFSCREEN not in e.states]
        offscreen += sum(State.OFFSCREEN in e.states and _listed(e) for e in inside)
        if window.kind is WindowKind.POPUP and not any(map(_listed, visible)):
            continue
        lines += [_window_line(window), *_element_lines(snapshot.app, window, visible, refs)]
    return Listing(snapshot.app, tuple(_unique(lines)), offscreen, snapshot.complete, snapshot.notes)


def _rank(window: Window) -> int:
    """What lies over the others asks for an answer first: menus and dialogs, then the window with the keyboard."""
    if window.kind is not WindowKind.WINDOW:
        return 0
    return 1 if window.main else 2


def _window_line(window: Window) -> Line:
    b = window.bounds
    main, minimised = " main" if window.main else "", " minimised" if window.minimised else ""
    place = f"at {b.x:.0f},{b.y:.0f} size {b.width:.0f}x{b.height:.0f}"
    body = f"{window.kind} {quoted(window.title)}{main}{minimised}\0"
    return Line(f"w{window.id}", 0, body, place, element=False, window=window.id)


def _element_lines(app: App, window: Window, elements: Sequence[Element], refs: RefTable) -> Iterator[Line]:
    """Depth is that of listed ancestors, so folded containers leave no gap."""
    rank = _rank(window)
    above: list[Element] = []
    for element, after in zip_longest(elements, elements[1:]):
        while above and above[-1].depth >= element.depth:
            above.pop()
        if not _listed(element) or _repeats(element, above[-1] if above else None, after):
            continue
        yield _line(element, refs.ref(app, element) if element.role in roles.INTERACTIVE else "", len(above) + 1, rank)
        above.append(element)


def _listed(element: Element) -> bool:
    if element.role in roles.INTERACTIVE:
        return True
    if element.role == "rowheader" and element.name.isdigit():
        return False  # each cell says its row
    if element.role in roles.CONTENT:
        return bool(element.name.strip() or (element.value or "").strip())
    return bool(element.name.strip()) and element.role not in _SILENT


def _repeats(element: Element, parent: Element | None, after: Element | None) -> bool:
    """A label inside or just before the thing it names says nothing new; nor does a cell that only shows its text."""
    around = parent.states if parent is not None else frozenset()
    if element.states - around - {State.DISABLED, State.READONLY}:
        return False
    if element.role in roles.CONTAINERS and after is not None and after.depth > element.depth:
        return element.name == after.name  # a list of tabs that is called by the tab in front
    said = element.name or element.value or ""
    if element.role == "textfield":  # what AppKit shows the texts of a row in; once it is edited it has the focus
        return bool(said) and not element.name and parent is not None and _names_by_content(parent, said)
    if element.role not in _WRAPPERS:
        return False
    if element.role == "cell" and not said and parent is not None and parent.role == "cell":
        return True  # an icon
    inside = parent is not None and _says(parent, said) and (element.role in roles.CONTENT or _only_shows(element))
    before = element.role == "label" and after is not None and said == after.name and after.role in roles.INTERACTIVE
    return inside or before


def _says(parent: Element, text: str) -> bool:
    return text == parent.name or _names_by_content(parent, text)


def _names_by_content(parent: Element, text: str) -> bool:
    return parent.role in _NAMED_BY_WHAT_IS_IN_THEM and text in parent.name


def _only_shows(element: Element) -> bool:
    return not element.pressable and not element.settable and element.role != "columnheader"


def _line(element: Element, ref: str, depth: int, rank: int) -> Line:
    words = [element.role]
    said = element.name or (element.value if element.role in _READ else "")
    if said:
        words.append(quoted(said, CONTENT_SHOWN if element.role in _READ else NAME_SHOWN))
    if ref:
        words.append(f"[{ref}]")
    place = f"{element.bounds.centre.x:.0f},{element.bounds.centre.y:.0f}" if ref and element.bounds else ""
    body = " ".join(words) + "\0" + "".join(f" {w}" for w in _details(element))
    bounds = element.bounds if ref else None
    key = ref or f"{element.role} {element.name}"
    return Line(key, depth, body, place, bounds=bounds, rank=rank, window=element.window)


def _details(element: Element) -> Iterator[str]:
    if element.states:
        yield from (s.value for s in State if s in element.states and s is not State.OFFSCREEN)
    unsaid = element.value is not None and element.value != element.name and (element.name or element.role not in _READ)
    if element.value is not None and unsaid and (element.value or element.settable):
        whole = max(element.value_length, len(element.value))
        cut = f" ({whole} chars)" if whole > len(element.value) else ""
        yield f'value="{escaped(element.value, len(element.value))}"{cut}'
    if element.range is not None:
        yield f"range {element.range[0]:g}..{element.range[1]:g}"
    if element.cell is not None:
        yield f"row {element.cell[0]} column {element.cell[1]}"


def _unique(lines: Iterable[Line]) -> Iterator[Line]:
    """Labels have no ref: equal ones are told apart by their order."""
    seen: Counter[str] = Counter()
    for line in lines:
        seen[line.key] += 1
        again = seen[line.key]
        yield replace(line, key=f"{line.key} #{again}") if again > 1 else line


# --- What of it is shown -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines within a budget, and the honest count."""

    lines: tuple[str, ...]
    elements: int
    total: int


def shown(full: Listing, budget: int, find: str | None = None) -> Shown:
    """At most ``budget`` elements; with ``find`` only those whose role, label or value holds all its words."""
    words = find.casefold().split() if find else []
    wanted = [line for line in full.lines if not line.element or _has(line, words)]
    total = sum(line.element for line in wanted)
    taken = {line.key for line in sorted(filter(_is_element, wanted), key=lambda line: line.rank)[:budget]}
    within = [line for line in wanted if not line.element or line.key in taken]
    out = ["  " * (min(line.depth, 1) if words else line.depth) + line.text for line in within]
    return Shown(tuple(out), len(taken), total)


def _is_element(line: Line) -> bool:
    return line.element


def _has(line: Line, words: Sequence[str]) -> bool:
    text = line.settled.casefold()
    return all(word in text for word in words)


def changes(old: Listing, new: Listing) -> list[str]:
    """``+``, ``-`` and ``~`` lines by ref: what is there, gone or different since the old listing. What was in a window
    that is gone went with it."""
    before = {line.key: line for line in old.lines}
    now = {line.key: line for line in new.lines}
    windows = {line.window for line in new.lines}
    gone = [line for key, line in before.items() if key not in now and (not line.element or line.window in windows)]
    fresh = [line for key, line in now.items() if key not in before]
    again = _made_again(gone, fresh)
    changed = [f"~ {line.text}" for key, line in now.items() if key in before and _differs(before[key], line)]
    said = (
        [f"~ {again.total()} elements were made again as they were and have new refs: see lists them"] if again else []
    )
    added, removed = (_without(lines, again) for lines in (fresh, gone))
    return [f"+ {line.text}" for line in added] + changed + said + [f"- {line.settled}" for line in removed]


def _made_again(gone: Sequence[Line], fresh: Sequence[Line]) -> Counter[str]:
    """Apps rebuild lists that look the same afterwards; Qt does so to its trees at every look. Empty for a few."""
    again = Counter(map(_nameless, gone)) & Counter(map(_nameless, fresh))
    return again if again.total() > MADE_AGAIN_LISTED else Counter()


def _without(lines: Sequence[Line], again: Counter[str]) -> Iterator[Line]:
    left = Counter(again)
    for line in lines:
        if left[_nameless(line)] > 0:
            left[_nameless(line)] -= 1
        else:
            yield line


def _nameless(line: Line) -> str:
    """All but the ref."""
    return line.text.replace(f"[{line.key}]", "", 1)


def _differs(old: Line, new: Line) -> bool:
    if new.element:
        return old.settled != new.settled
    return old.text != new.text


def bounded(lines: Sequence[str], most: int = CHANGES_MOST) -> list[str]:
    """At most ``most`` lines, the last one telling how many were left out."""
    if len(lines) <= most:
        return list(lines)
    return [*lines[: most - 1], f"… {len(lines) - most + 1} more: see lists everything"]
