"""Which row and column a cell is in, counted from what was read.

GTK 3 and Qt put all cells in the table itself, row after row; browsers put rows between. Qt's cells do not tell it
themselves (6.4, seen).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11.atspi_bus import TABLE, AtspiBus
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.dbus_calls import Call


async def count_cells(bus: AtspiBus, name: str, nodes: Iterable[Node], end: float) -> None:
    """Tell the cells among the nodes where they are, as far as their tables can be asked before ``end``."""
    everything = list(nodes)
    for parent in dict.fromkeys(node.parent for node in everything if node.role == roles.ROW):
        if parent is not None:
            _count_in_rows(parent)
    tables = [node for node in everything if node.role in roles.TABLES and _cells(node)]
    columns = await bus.ask_all([Call.to_get(name, node.path, TABLE, "NColumns", "i") for node in tables], end)
    for table, count in zip(tables, columns, strict=True):
        if isinstance(count, int) and count > 1:
            _number(_cells(table), count, await _before(bus, name, table, count, end))


def _cells(node: Node) -> list[Node]:
    return [child for child in node.children if child.role == roles.CELL]


def _count_in_rows(parent: Node) -> None:
    """Rows of headings are not counted."""
    rows = [cells for child in parent.children if child.role == roles.ROW and (cells := _cells(child))]
    for row, cells in enumerate(rows, 1):
        if len(cells) > 1:
            for column, cell in enumerate(cells, 1):
                cell.cell = (row, column)


async def _before(bus: AtspiBus, name: str, table: Node, columns: int, end: float) -> int:
    """How many cells come before the first one that was read: of a long list only a part is."""
    if not table.first_child:
        return 0
    place = table.first_child + table.children.index(_cells(table)[0])
    asked = [
        Call.of(name, table.path, TABLE, member, "i", (place,), gives="i")
        for member in ("GetRowAtIndex", "GetColumnAtIndex")
    ]
    row, column = await bus.ask_all(asked, end)
    return row * columns + column if isinstance(row, int) and isinstance(column, int) else place


def _number(cells: Sequence[Node], columns: int, before: int) -> None:
    for place, cell in enumerate(cells, before):
        cell.cell = (place // columns + 1, place % columns + 1)
