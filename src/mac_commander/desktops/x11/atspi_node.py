"""One accessible object as far as it was read, and the toolkits that need some telling apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

GTK3, GTK4, QT, CHROMIUM = "gtk", "GTK", "Qt", "Chromium"
"""Their ``ToolkitName``. LibreOffice's is "gtk" too."""

SCREEN, WINDOW = 0, 1
"""``AtspiCoordType``. Relative to the screen GTK 4 knows nothing, and complains on its stderr (measured)."""


@dataclass(slots=True, eq=False)
class Node:
    """What is not known yet has its default."""

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
    on_screen: tuple[int, int, int, int] | None = None
    """Of one of several windows: relative to the screen, where the toolkit knows and ``extents`` do not tell."""
    label: str = ""
    """What names it when it has no name of its own."""
    value: str | None = None
    value_length: int = 0
    range: tuple[float, float] | None = None
    pressable: bool = False
    first_child: int = 0
    """Index of the first child that was asked for: of a long list only a part is."""
    cell: tuple[int, int] | None = None
    """Row and column, from 1."""
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
