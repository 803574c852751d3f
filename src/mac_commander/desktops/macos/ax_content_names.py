"""Names of rows, cells and items that have none of their own: what is in them says it, as ARIA names by content.

AppKit's rows and cells carry neither title nor description. A view that is used again for another row is the same
object with other content, so without this its ref would quietly mean the other row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from mac_commander.model import Element
from mac_commander.roles import in_columns

NAMED = frozenset({"row", "cell", "gridcell", "listitem", "treeitem", "option"})
ROWS = frozenset({"row", "treeitem"})

SAYING = frozenset({"label", "heading", "paragraph", "link", "image", "textfield"})
"""Roles whose text counts. Finder shows names of files in text fields."""

NODES = 60
LEVELS = 6
"""How much of what is inside is looked at: more than any row has that is read at a glance. The same for the whole tree
as for one element, or the same row would get two names."""


def with_content_names(elements: Sequence[Element], most: int) -> list[Element]:
    """``elements`` depth first, as read; those of `NAMED` without a name get one of at most ``most`` characters."""
    return [named(e, _inside(elements, i), most) if _lacks_name(e) else e for i, e in enumerate(elements)]


def _lacks_name(element: Element) -> bool:
    return element.role in NAMED and not element.name


def named(element: Element, inside: Sequence[Element], most: int) -> Element:
    """The element, named by what is inside."""
    columns = [" ".join(_words(column)) for column in _columns(element, inside)]
    name = in_columns(columns) if element.role in ROWS else " ".join(filter(None, columns))
    return replace(element, name=name[:most])


def _inside(elements: Sequence[Element], index: int) -> list[Element]:
    outer, found = elements[index], []
    for element in islice(elements, index + 1, index + 1 + NODES):
        if element.depth <= outer.depth or element.window != outer.window:
            break
        if element.depth - outer.depth <= LEVELS:
            found.append(element)
    return found


def _columns(outer: Element, inside: Sequence[Element]) -> Iterator[list[Element]]:
    column: list[Element] = []
    for element in inside:
        if element.depth == outer.depth + 1 and column:
            yield column
            column = []
        column.append(element)
    yield column


def _words(column: Sequence[Element]) -> Iterator[str]:
    """What is in something that was said is not said again."""
    below = None
    for element in column:
        if below is not None and element.depth > below:
            continue
        below = None
        text = (element.name or element.value or "") if element.role in SAYING and not element.secure else ""
        if text.strip():
            yield text.strip()
            below = element.depth
