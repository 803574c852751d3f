"""Accessibility attributes: which ones an element has, and what they read as."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_mac import menus, pressing
from simulated_mac.elements import TEXT_ROLES, App, Element, Window
from simulated_mac.frameworks import ax_values
from simulated_mac.frameworks.ax_errors import ATTRIBUTE_UNSUPPORTED, ILLEGAL_ARGUMENT, NO_VALUE, AXFailure

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

Read = Callable[["Machine", Any], Any]
BULLET = "•"
ELECTRON_TREE_MS = 300
"""How long an Electron app takes from being asked for its tree to having one, unless the world says otherwise."""


def _no_value(_: Machine, __: Any) -> Any:
    raise AXFailure(NO_VALUE)


def _or_nothing(value: Any) -> Any:
    """Empty texts and missing things read as kAXErrorNoValue."""
    if value is None or value == "":
        raise AXFailure(NO_VALUE)
    return value


def _ref(subject: App | Element | None) -> Any:
    if subject is None:
        raise AXFailure(NO_VALUE)
    return ax_values.reference(subject)


# --- apps ----------------------------------------------------------------------------------------------------


def ax_windows(machine: Machine, app: App) -> list[Window]:
    """Front to back, minimised ones last; sheets belong to their window, other layers are no AX windows."""
    own = [window for window in machine.stack if window.app is app]
    shown = [w for w in own if w.accessible and w.layer == 0 and w.role == "AXWindow"]
    return sorted(shown, key=lambda window: window.minimised)


def _application_role(machine: Machine, app: App) -> str:
    """Chromium takes this question for somebody who needs its pages, and builds them."""
    if app.spec.get("chromium") and app.manual_accessibility_at is None:
        app.manual_accessibility_at = machine.now()
    return "AXApplication"


def _focused_window(machine: Machine, app: App) -> Any:
    window = machine.key_window(app)
    return _ref(window if window is not None and window.accessible else None)


def _main_window(machine: Machine, app: App) -> Any:
    main = app.main if app.main is not None and app.main.alive and app.main.accessible else None
    return _ref(main or next(iter(ax_windows(machine, app)), None))


def _focused_in(machine: Machine, app: App) -> Any:
    window = machine.key_window(app)
    focus = window.focus if window is not None and window.focus is not None and window.focus.alive else None
    return _ref(focus or window)


def _app_children(machine: Machine, app: App) -> Any:
    bar = [app.menu_bar] if app.menu_bar else []
    return ax_values.references([*ax_windows(machine, app), *bar])


_APP: dict[str, Read] = {
    "AXRole": lambda machine, app: _application_role(machine, app),
    "AXRoleDescription": lambda _, app: "application",
    "AXTitle": lambda _, app: app.local_name,
    "AXChildren": _app_children,
    "AXWindows": lambda machine, app: ax_values.references(ax_windows(machine, app)),
    "AXFocusedWindow": _focused_window,
    "AXMainWindow": _main_window,
    "AXFocusedUIElement": _focused_in,
    "AXMenuBar": lambda _, app: _ref(app.menu_bar),
    "AXExtrasMenuBar": _no_value,
    "AXFrontmost": lambda machine, app: machine.front is app and not machine.locked,
    "AXHidden": lambda _, app: app.hidden,
    "AXEnhancedUserInterface": lambda _, app: app.enhanced,
}

_SYSTEM: dict[str, Read] = {
    "AXRole": lambda _, __: "AXSystemWide",
    "AXFocusedApplication": lambda machine, _: _ref(None if machine.locked else _named(machine, machine.front)),
    "AXFocusedUIElement": lambda machine, _: _ref(machine.focused if _named(machine, machine.keyboard_app) else None),
}


def _named(machine: Machine, app: App | None) -> App | None:
    """The system-wide element names no Chromium app that has not built its tree (Jitouch PR#32)."""
    return app if app is not None and _awake(machine, app) else None


# --- elements ------------------------------------------------------------------------------------------------


def children(machine: Machine, element: Element) -> list[Element]:
    app = element.app
    builds_late = isinstance(element, Window) if app.spec.get("electron") else element.role == "AXWebArea"
    if builds_late and not _awake(machine, app):
        return []
    sheets = [w for w in app.windows if w.parent is element] if isinstance(element, Window) else []
    cycle = [element.parent] if element.spec.get("cycle") and element.parent else []
    return [*element.children, *sheets, *cycle]


def _awake(machine: Machine, app: App) -> bool:
    """An Electron app has a tree, and Chromium its pages, some time after somebody asked for it."""
    if not app.spec.get("electron") and not app.spec.get("chromium"):
        return True
    asked = app.manual_accessibility_at
    return asked is not None and machine.now() >= asked + app.spec.get("tree_after_ms", ELECTRON_TREE_MS) / 1000


def _parent(machine: Machine, element: Element) -> Any:
    if element.parent is None:
        return ax_values.reference(element.app)
    return ax_values.reference(element.parent)


def _owning_window(_: Machine, element: Element) -> Any:
    window: Element | None = element.window
    while window is not None and window.role == "AXSheet" and window.parent is not None:
        window = window.parent
    return _ref(window)


def _value(machine: Machine, element: Element) -> Any:
    if element.secure:
        machine.calls["a secure value was read"] += 1
        return BULLET * len(element.value or "")
    if element.value is None:
        raise AXFailure(ATTRIBUTE_UNSUPPORTED if element.role not in TEXT_ROLES else NO_VALUE)
    return int(element.value) if isinstance(element.value, bool) else element.value


def _frame(_: Machine, element: Element) -> Any:
    if element.bounds is None:
        raise AXFailure(NO_VALUE)
    b = element.bounds
    return ax_values.AXValueRef(ax_values.RECT, ((b.x, b.y), (b.width, b.height)))


def _position(_: Machine, element: Element) -> Any:
    if element.bounds is None:
        raise AXFailure(NO_VALUE)
    return ax_values.point(element.bounds.x, element.bounds.y)


def _size(_: Machine, element: Element) -> Any:
    if element.bounds is None:
        raise AXFailure(NO_VALUE)
    return ax_values.size(element.bounds.width, element.bounds.height)


def _focused(machine: Machine, element: Element) -> bool:
    window = element.window
    key = machine.key_window(element.app)
    return window is not None and window.focus is element and window is key


_ELEMENT: dict[str, Read] = {
    "AXRole": lambda _, e: e.role,
    "AXSubrole": lambda _, e: _or_nothing(e.subrole),
    "AXRoleDescription": lambda _, e: e.role.removeprefix("AX").lower(),
    "AXTitle": lambda _, e: _or_nothing(e.title),
    "AXDescription": lambda _, e: _or_nothing(e.spec.get("description")),
    "AXHelp": lambda _, e: _or_nothing(e.spec.get("help")),
    "AXIdentifier": lambda _, e: _or_nothing(e.spec.get("identifier")),
    "AXEnabled": lambda _, e: e.enabled,
    "AXFocused": _focused,
    "AXParent": _parent,
    "AXChildren": lambda machine, e: ax_values.references(children(machine, e)),
    "AXWindow": _owning_window,
    "AXTopLevelUIElement": lambda _, e: _ref(e.window),
    "AXPosition": _position,
    "AXSize": _size,
    "AXFrame": _frame,
    "AXValue": _value,
}

_TEXT: dict[str, Read] = {
    "AXPlaceholderValue": lambda _, e: _or_nothing(e.spec.get("placeholder")),
    "AXNumberOfCharacters": lambda _, e: ax_values.utf16(e.editor.text),
    "AXSelectedText": lambda _, e: "" if e.secure else e.editor.selected,
    "AXSelectedTextRange": lambda _, e: _selected_range(e),
    "AXInsertionPointLineNumber": lambda _, e: e.editor.text.count("\n", 0, e.editor.caret),
}

_WINDOW: dict[str, Read] = {
    "AXMain": lambda _, w: w.app.main is w,
    "AXFocused": lambda machine, w: machine.key_window(w.app) is w,
    "AXMinimized": lambda _, w: w.minimised,
    "AXModal": lambda _, w: w.modal,
    "AXFullScreen": lambda _, w: False,
    "AXSheets": lambda _, w: ax_values.references([s for s in w.app.windows if s.parent is w]),
    "AXDefaultButton": lambda _, w: _ref(next((e for e in w.walk() if e.spec.get("default")), None)),
}

_MENU: dict[str, Read] = {
    "AXEnabled": lambda machine, e: pressing.can_be_chosen(machine, e),
    "AXSelected": lambda _, e: False,
    "AXMenuItemCmdChar": lambda _, e: menus.command_character(_shortcut(e)),
    "AXMenuItemCmdGlyph": lambda _, e: menus.command_glyph(_shortcut(e)),
    "AXMenuItemCmdModifiers": lambda _, e: menus.command_modifiers(_shortcut(e)),
    "AXMenuItemMarkChar": lambda _, e: _or_nothing("✓" if e.spec.get("checked") else ""),
}

_ROW: dict[str, Read] = {"AXSelected": lambda _, e: e.selected, "AXIndex": lambda _, e: e.parent.children.index(e)}
_CELL: dict[str, Read] = {
    "AXRowIndexRange": lambda _, e: ax_values.text_range(_place(e.parent), 1),
    "AXColumnIndexRange": lambda _, e: ax_values.text_range(_place(e), 1),
}
_TABLE: dict[str, Read] = {
    "AXRows": lambda _, e: ax_values.references([c for c in e.children if c.role == "AXRow"]),
    "AXVisibleRows": lambda _, e: ax_values.references([c for c in e.children if c.role == "AXRow"]),
}


def _place(element: Element) -> int:
    """Among those of its kind: what else a table has, columns and a group of headings, is not counted."""
    siblings = element.parent.children if element.parent is not None else [element]
    return [sibling for sibling in siblings if sibling.role == element.role].index(element)


def _shortcut(element: Element) -> str:
    if "shortcut" not in element.spec:
        raise AXFailure(NO_VALUE)
    return str(element.spec["shortcut"])


def _selected_range(element: Element) -> Any:
    if element.editor is None:
        raise AXFailure(NO_VALUE)
    start, end = element.editor.selection
    text = element.editor.text
    first = ax_values.utf16(text, start)
    return ax_values.text_range(first, ax_values.utf16(text, end) - first)


def table(subject: Any) -> dict[str, Read]:
    """All attributes that the subject has, by name."""
    if subject == ax_values.SYSTEM_WIDE:
        return _SYSTEM
    return _APP if isinstance(subject, App) else _element_table(subject)


def _element_table(element: Element) -> dict[str, Read]:
    found = dict(_ELEMENT)
    if element.value is None and element.editor is None:
        found.pop("AXValue")
    if element.editor is not None:
        found |= _TEXT
    if isinstance(element, Window):
        found |= _WINDOW
    if element.role in ("AXMenuItem", "AXMenuBarItem"):
        found |= _MENU
    if element.role in ("AXRow", "AXCell", "AXOption", "AXRadioButton", "AXTab") or "selected" in element.spec:
        found |= _ROW
    if element.role == "AXCell" and element.parent is not None and element.parent.role == "AXRow":
        found |= _CELL
    if element.role in ("AXTable", "AXOutline", "AXList"):
        found |= _TABLE
    return found | _from_the_world(element)


def _from_the_world(element: Element) -> dict[str, Read]:
    more: dict[str, Read] = {}
    if element.expanded is not None:
        more["AXExpanded"] = lambda _, e: e.expanded
    for key, attribute in (("minimum", "AXMinValue"), ("maximum", "AXMaxValue")):
        if key in element.spec:
            more[attribute] = lambda _, e, key=key: e.spec[key]  # type: ignore[misc]
    for name in element.spec.get("attributes", {}):
        more[name] = lambda _, e, name=name: e.spec["attributes"][name]  # type: ignore[misc]
    return more


def members(machine: Machine, subject: Any, name: str) -> list[Any]:
    """What an array attribute holds, as elements where it holds elements: a reference is made of what is asked for,
    and not of hundreds of thousands. Raises `AXFailure`."""
    if name == "AXChildren" and isinstance(subject, Element):
        return children(machine, subject)
    value = read(machine, subject, name)
    if not isinstance(value, list):
        raise AXFailure(ILLEGAL_ARGUMENT)
    return value


def told(values: list[Any]) -> list[Any]:
    return [ax_values.reference(value) if isinstance(value, Element) else value for value in values]


def read(machine: Machine, subject: Any, name: str) -> Any:
    """The value. Raises `AXFailure`."""
    return read_from(table(subject), machine, subject, name)


def read_from(known: dict[str, Read], machine: Machine, subject: Any, name: str) -> Any:
    """As `read`, for several attributes of one subject, whose `table` is ``known``."""
    if name not in known:
        raise AXFailure(ATTRIBUTE_UNSUPPORTED)
    return known[name](machine, subject)
