"""AT-SPI role numbers and the word each has in `roles.ROLES`.

The numbers are those of ``AtspiRole`` in at-spi2-core's ``atspi-constants.h``, all that are defined up to 2.56. Roles
are told apart by number and never by name: GTK 4 calls a password entry "text box" but numbers it 40 (measured).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mac_commander.desktops.x11 import atspi_states as states
from mac_commander.roles import INTERACTIVE

DIALOG, FRAME, WINDOW = 16, 23, 69
LIST_BOX, PAGE_TAB, PASSWORD, SCROLL_BAR, SCROLL_PANE, VIEWPORT = 98, 37, 40, 48, 49, 68
LIST, LIST_ITEM, MENU, MENU_BAR, MENU_ITEM, POPUP_MENU = 31, 32, 33, 34, 35, 41
CHECK_MENU_ITEM, RADIO_MENU_ITEM = 8, 45
COMBO_BOX, ENTRY, SLIDER, SPIN_BUTTON, TEXT = 11, 79, 51, 52, 61
CELL, ROW, TABLE, TERMINAL, TREE, TREE_TABLE = 56, 90, 55, 60, 65, 66
CANVAS, DOCUMENT_WEB, LABEL, PARAGRAPH = 6, 95, 29, 73

WORDS: Mapping[int, str] = MappingProxyType(
    {
        0: "unknown",  # invalid
        1: "label",  # accelerator label
        2: "alert",  # alert
        3: "image",  # animation
        4: "image",  # arrow
        5: "group",  # calendar
        6: "canvas",  # canvas
        7: "checkbox",  # check box
        8: "menuitemcheckbox",  # check menu item
        9: "colorwell",  # color chooser
        10: "columnheader",  # column header
        11: "combobox",  # combo box
        12: "datefield",  # date editor
        13: "button",  # desktop icon
        14: "group",  # desktop frame
        15: "spinbutton",  # dial
        16: "dialog",  # dialog
        17: "group",  # directory pane
        18: "canvas",  # drawing area
        19: "dialog",  # file chooser
        20: "generic",  # filler
        21: "generic",  # focus traversable
        22: "dialog",  # font chooser
        23: "window",  # frame
        24: "generic",  # glass pane
        25: "group",  # html container
        26: "image",  # icon
        27: "image",  # image
        28: "window",  # internal frame
        29: "label",  # label
        30: "group",  # layered pane
        31: "list",  # list
        32: "listitem",  # list item
        33: "menu",  # menu
        34: "menubar",  # menu bar
        35: "menuitem",  # menu item
        36: "group",  # option pane
        37: "tab",  # page tab
        38: "tablist",  # page tab list
        39: "group",  # panel
        40: "textfield",  # password text
        41: "menu",  # popup menu
        42: "progressbar",  # progress bar
        43: "button",  # push button
        44: "radio",  # radio button
        45: "menuitemradio",  # radio menu item
        46: "generic",  # root pane
        47: "rowheader",  # row header
        48: "scrollbar",  # scroll bar
        49: "scrollarea",  # scroll pane
        50: "separator",  # separator
        51: "slider",  # slider
        52: "spinbutton",  # spin button
        53: "splitgroup",  # split pane
        54: "statusbar",  # status bar
        55: "table",  # table
        56: "cell",  # table cell
        57: "columnheader",  # table column header
        58: "rowheader",  # table row header
        59: "menuitem",  # tear-off menu item
        60: "terminal",  # terminal
        61: "textfield",  # text
        62: "togglebutton",  # toggle button
        63: "toolbar",  # tool bar
        64: "tooltip",  # tool tip
        65: "tree",  # tree
        66: "tree",  # tree table
        67: "unknown",  # unknown
        68: "generic",  # viewport
        69: "window",  # window
        70: "unknown",  # extended
        71: "group",  # header
        72: "group",  # footer
        73: "paragraph",  # paragraph
        74: "group",  # ruler
        75: "application",  # application
        76: "combobox",  # autocomplete
        77: "textfield",  # edit bar
        78: "group",  # embedded
        79: "textfield",  # entry
        80: "image",  # chart
        81: "label",  # caption
        82: "document",  # document frame
        83: "heading",  # heading
        84: "group",  # page
        85: "group",  # section
        86: "generic",  # redundant object
        87: "form",  # form
        88: "link",  # link
        89: "window",  # input method window
        90: "row",  # table row
        91: "treeitem",  # tree item
        92: "document",  # document spreadsheet
        93: "document",  # document presentation
        94: "document",  # document text
        95: "document",  # document web
        96: "document",  # document email
        97: "group",  # comment
        98: "list",  # list box
        99: "group",  # grouping
        100: "image",  # image map
        101: "alert",  # notification
        102: "group",  # info bar
        103: "meter",  # level bar
        104: "group",  # title bar
        105: "group",  # block quote
        106: "group",  # audio
        107: "group",  # video
        108: "group",  # definition
        109: "article",  # article
        110: "landmark",  # landmark
        111: "group",  # log
        112: "group",  # marquee
        113: "label",  # math
        114: "slider",  # rating
        115: "timer",  # timer
        116: "label",  # static
        117: "label",  # math fraction
        118: "label",  # math root
        119: "label",  # subscript
        120: "label",  # superscript
        121: "list",  # description list
        122: "label",  # description term
        123: "label",  # description value
        124: "label",  # footnote
        125: "group",  # content deletion
        126: "group",  # content insertion
        127: "label",  # mark
        128: "label",  # suggestion
        129: "menubutton",  # push button menu
        130: "switch",  # switch
    }
)

TOPLEVELS = frozenset({2, DIALOG, 9, 19, 22, FRAME, 28, WINDOW, 89})
"""What an application's children may be: alert, dialogs, frame, internal frame, window, input method window."""

SCROLLERS = frozenset(
    {LIST, LIST_BOX, SCROLL_PANE, VIEWPORT, TABLE, TREE, TREE_TABLE, DOCUMENT_WEB, 82, 92, 94, TERMINAL, TEXT}
)
"""Inside these something may be out of sight and still be there; elsewhere what does not show is a hidden page."""

LISTS = frozenset({LIST, LIST_BOX, TABLE, TREE, TREE_TABLE})
"""Their children are items. Qt (6.12) says of one that is out of sight that it is not visible."""

TABLES = frozenset({TABLE, TREE, TREE_TABLE})

MENU_ITEMS = frozenset({MENU, MENU_ITEM, CHECK_MENU_ITEM, RADIO_MENU_ITEM, 59})

TEXTS = frozenset({COMBO_BOX, ENTRY, SPIN_BUTTON, TEXT, TERMINAL, 12, 76, 77})
"""Their text is a value of its own, beside the name. Elsewhere the text is the name."""

TOLD_BY_TEXT = frozenset({LABEL, PARAGRAPH, 81, 83, 116})
"""Label, paragraph, caption, heading, static: what they say may be in their text alone (seen in LibreOffice)."""

NUMBERS = frozenset({15, 42, 48, SLIDER, SPIN_BUTTON, 103, 114})
"""Dial, progress bar, scroll bar, slider, spin button, level bar, rating: the number is the value."""


OPAQUE: Mapping[int, str] = MappingProxyType({5: "calendar", 6: "canvas", 18: "drawing"})
"""What may hold a lot and tell nothing of it, like GTK 3's calendar: named in a note."""

DRAWN_BY: Mapping[int, int] = MappingProxyType(
    {
        7: 2,
        CHECK_MENU_ITEM: 2,
        26: 1,
        27: 1,
        29: 1,
        42: 1,
        43: 1,
        44: 2,
        RADIO_MENU_ITEM: 2,
        50: 1,
        62: 1,
        116: 1,
        130: 2,
    }
)
"""Roles whose children only draw them, as ARIA has it ("children presentational"), and how many do so: a label, and an
indicator. Not entered when they have a name and no more children than that."""

PRESSED = frozenset(
    {7, CHECK_MENU_ITEM, COMBO_BOX, 13, 26, MENU, MENU_ITEM, PAGE_TAB, 43, 44, RADIO_MENU_ITEM, 62, 88, 129, 130}
)
"""What is there to be pressed."""


PUSHED = frozenset({CHECK_MENU_ITEM, MENU, MENU_ITEM, 43, RADIO_MENU_ITEM, 62, 88, 129})
"""Those of them that always have a press action."""

PUSHED_GTK4 = frozenset({43, 62})
"""The same in GTK 4 (4.8), where check buttons and menu items have none."""

PUSHED_QT = PUSHED | {7, 44, PAGE_TAB}
"""Qt's buttons of every kind toggle, and its tabs press."""

NAMED_BY_CONTENT = INTERACTIVE - {"textfield", "textarea", "combobox", "slider", "scrollbar", "spinbutton"}
"""Words of the roles that the texts in them name when they have no name, as ARIA has it."""

ITEMS = frozenset({LIST_ITEM, PAGE_TAB, MENU, MENU_ITEM, 56, 90, 91})
"""Current ones are called focused even when the keyboard is elsewhere."""

PLACED = SCROLLERS | TOPLEVELS | {MENU, MENU_BAR, POPUP_MENU}
"""Containers whose own place decides that of what is in them."""

VALUED = TEXTS | NUMBERS | {COMBO_BOX}

SET_BY_NUMBER = frozenset({15, 48, SLIDER, SPIN_BUTTON, 114})


_INNER_FRAMES = frozenset({FRAME, 28, WINDOW})
"""Within a window they are no windows of their own."""


def word(role: int, state: int, parent: int) -> str:
    """The role's word, with what only its states or its parent's role can tell."""
    if role in (TEXT, ENTRY) and state & states.MULTI_LINE:
        return "textarea"
    if role == PARAGRAPH and state & states.EDITABLE:
        return "textarea"
    if role == MENU and parent in (MENU, MENU_BAR):
        return "menuitem"
    return "group" if role in _INNER_FRAMES and parent else WORDS.get(role, "unknown")
