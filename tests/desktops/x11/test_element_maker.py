"""From nodes as they were read to elements: what is listed, in which order, and what is said of the rest."""

from __future__ import annotations

from mac_commander.desktops.x11 import atspi_roles as roles
from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.desktops.x11.atspi_bus import ElementKey
from mac_commander.desktops.x11.atspi_node import Node
from mac_commander.desktops.x11.atspi_snapshot import ElementMaker
from mac_commander.desktops.x11.atspi_windows import Placement
from mac_commander.model import Element, Point, Rect, Window

SHOWS = states.SHOWING | states.VISIBLE | states.SENSITIVE
BUTTON, CALENDAR, PANEL = 43, 5, 39
WINDOW = Window(1, 5, "Form", Rect(0, 0, 400, 300))


def node(role: int, name: str = "", *children: Node, at: tuple[int, int, int, int] | None = None, **more: int) -> Node:
    made = Node(f"/{role}/{name}/{at}", role, name, state=SHOWS | more.get("state", 0), extents=at)
    made.children = list(children)
    made.child_count = len(children)
    for child in children:
        child.parent = made
    return made


def made(*children: Node) -> tuple[list[Element], list[str]]:
    maker = ElementMaker(lambda path: ElementKey(":1", path, 5, 1.0), (WINDOW,), gtk4=False)
    found = list(maker.elements(node(roles.FRAME, "Form", *children), Placement(WINDOW, Point(0, 0))))
    return found, maker.notes


def said(*children: Node) -> list[str]:
    return [element.name or element.value or "" for element in made(*children)[0]]


def test_what_a_paragraph_holds_is_read() -> None:
    """A browser's paragraph has no name; its text and links are in it."""
    text, link = node(roles.LABEL, "Some text, and "), node(88, "a link")
    assert said(node(roles.PARAGRAPH, "", text, link), node(BUTTON, "Buy")) == ["Some text, and ", "a link", "Buy"]


def test_an_empty_line_is_nothing_to_read() -> None:
    blank = node(roles.PARAGRAPH)
    assert said(blank, node(BUTTON, "Buy")) == ["Buy"]


def test_a_grid_that_is_told_backwards_is_turned_round() -> None:
    fields = [
        node(roles.ENTRY, "", at=(85, 77, 204, 34)),
        node(roles.LABEL, "City", at=(20, 77, 26, 34)),
        node(CALENDAR, ""),  # has told no place
        node(roles.ENTRY, "", at=(85, 37, 204, 34)),
        node(roles.LABEL, "Name", at=(20, 37, 39, 34)),
    ]
    assert said(node(PANEL, "", *fields)) == ["Name", "", "City", ""]


def test_other_orders_are_the_apps_own() -> None:
    labels = [node(roles.LABEL, text, at=at) for text, at in (
        ("below", (0, 50, 40, 10)), ("above", (0, 10, 40, 10)), ("between", (0, 30, 40, 10)),
    )]  # fmt: skip
    assert said(node(PANEL, "", *labels)) == ["below", "above", "between"]


def test_what_cannot_be_read_is_said() -> None:
    calendar = node(CALENDAR, "", at=(10, 20, 200, 100), state=states.FOCUSABLE)
    grip = node(CALENDAR, "x", at=(10, 20, 20, 10), state=states.FOCUSABLE)
    picture = node(18, "", at=(10, 20, 200, 100))
    assert made(calendar, grip, picture)[1] == [
        "Nothing in the calendar at 110,70 can be read: use a picture and xy.",
    ]


def test_a_menu_bar_of_no_height_is_left_out_with_its_menus() -> None:
    """LibreOffice keeps one beside the real one, whose menus claim to show."""
    bars = [
        node(roles.MENU_BAR, "", node(roles.MENU, name, at=(0, 0, 40, 20)), at=(0, 0, 400, height))
        for name, height in (("Flat", 0), ("File", 20))
    ]
    assert said(*bars) == ["", "File"], "the bar that shows, and its menu"
