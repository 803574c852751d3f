"""Elements, windows and apps: the live objects that accessibility shows and events reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulated_mac.editing import Editor
from simulated_mac.geometry import Bounds

TEXT_ROLES = frozenset(("AXTextField", "AXTextArea", "AXComboBox", "AXSearchField", "AXSecureTextField"))
"""Roles whose value is edited by keys."""

TITLE_BAR = 28
"""Height of a window's title bar in points; a drag that begins there moves the window."""

_PRESSABLE = frozenset(
    "AXButton AXCheckBox AXRadioButton AXPopUpButton AXMenuButton AXMenuItem AXMenuBarItem AXLink AXDisclosureTriangle "
    "AXComboBox AXSwitch AXToggle".split()
)
_ACTIONS = {
    "AXSlider": ("AXIncrement", "AXDecrement"),
    "AXIncrementor": ("AXIncrement", "AXDecrement"),
    "AXTextField": ("AXShowMenu", "AXConfirm"),
    "AXSecureTextField": ("AXShowMenu", "AXConfirm"),
    "AXTextArea": ("AXShowMenu",),
    "AXMenuItem": ("AXPick", "AXCancel", "AXPress"),
    "AXMenuBarItem": ("AXPress", "AXCancel", "AXPick"),
    "AXWindow": ("AXRaise",),
    "AXSheet": ("AXRaise",),
    "AXRow": ("AXShowDefaultUI", "AXOpen"),
}


class Element:
    """One accessibility object. Once ``alive`` is false every call about it fails for ever."""

    def __init__(self, spec: dict[str, Any], parent: Element | None, app: App) -> None:
        self.spec = spec
        self.parent = parent
        self.app = app
        self.drawn_by: int | None = spec.get("drawn_by", parent.drawn_by if parent else None)
        """The process that draws it in a window of its app's, and answers for it: a web page's, an open panel's."""
        self.alive = True
        self.role: str = spec.get("role", "AXUnknown")
        self.subrole: str = spec.get("subrole", "")
        self.title: str = spec.get("title", "")
        self.enabled: bool = spec.get("enabled", True)
        self.selected: bool = spec.get("selected", False)
        self.expanded: bool | None = spec.get("expanded")
        self.bounds = Bounds(*spec["bounds"]) if "bounds" in spec else None
        self.scrolled = (0.0, 0.0)
        self.editor: Editor | None = None
        self._value: Any = spec.get("value")
        self._edit_text(spec)
        self.children = [made for child in spec.get("children", ()) for made in elements_of(child, self)]

    def _edit_text(self, spec: dict[str, Any]) -> None:
        if self.role in TEXT_ROLES:
            text = spec.get("value") or ""
            self.editor = Editor(str(text), len(str(text)), len(str(text)), multiline=self.role == "AXTextArea")

    @property
    def value(self) -> Any:
        return self.editor.text if self.editor else self._value

    @value.setter
    def value(self, value: Any) -> None:
        if self.editor:
            self.editor.replace_all(str(value))
        else:
            self._value = value

    @property
    def quantity(self) -> float:
        """The value of what has a range; a world may say anything there."""
        return self.value if isinstance(self.value, int | float) else 0

    @property
    def secure(self) -> bool:
        return self.subrole == "AXSecureTextField" or self.role == "AXSecureTextField"

    @property
    def focusable(self) -> bool:
        can = self.spec.get("focusable", self.role in TEXT_ROLES or self.spec.get("focused", False))
        return bool(can) and self.enabled

    @property
    def actions(self) -> tuple[str, ...]:
        if "actions" in self.spec:
            return tuple(self.spec["actions"])
        return _ACTIONS.get(self.role) or (("AXPress",) if self.role in _PRESSABLE else ())

    @property
    def window(self) -> Window | None:
        """The window or sheet it is in."""
        node: Element | None = self
        while node is not None and not isinstance(node, Window):
            node = node.parent
        return node

    @property
    def label(self) -> str:
        return self.title or self.spec.get("description", "") or self.spec.get("identifier", "")

    def walk(self) -> Iterator[Element]:
        """Itself and all below, depth first, without recursion: a scene may be thousands deep."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def end(self) -> None:
        for node in self.walk():
            node.alive = False

    def shift(self, dx: float, dy: float) -> None:
        for node in self.walk():
            node.bounds = node.bounds and node.bounds.moved(dx, dy)


def elements_of(spec: dict[str, Any], parent: Element) -> list[Element]:
    """One element, or as many as the spec says."""
    copies = spec.get("copies", 1)
    if copies > 1:
        titles = (f"{spec.get('title', '')} {number}".strip() for number in range(1, copies + 1))
        return [_nested({**spec, "title": title}, parent) for title in titles]
    return [_nested(spec, parent)]


def _nested(spec: dict[str, Any], parent: Element) -> Element:
    """The element, in itself as often as the spec says: made outside in, for a scene may be thousands deep."""
    first = last = Element(spec, parent, parent.app)
    for _ in range(spec.get("nested", 1) - 1):
        inner = Element(spec, last, last.app)
        last.children.append(inner)
        last = inner
    return first


class Window(Element):
    """A window, sheet or menu, which is an element too."""

    def __init__(self, spec: dict[str, Any], app: App, number: int) -> None:
        is_sheet = spec.get("sheet") or spec.get("role") == "AXSheet"
        kind = {"role": "AXSheet"} if is_sheet else {"role": "AXWindow"}
        subrole = {} if is_sheet else {"subrole": "AXStandardWindow"}
        super().__init__({**kind, **subrole, **spec, "children": spec.get("elements", [])}, None, app)
        self.number = number
        self.minimised: bool = spec.get("minimised", False)
        self.accessible: bool = spec.get("accessible", True)
        self.listed: bool = spec.get("listed", True)
        self.layer: int = spec.get("layer", 0)
        self.alpha: float = spec.get("alpha", 1.0)
        self.click_through: bool = spec.get("click_through", False)
        self.drawn: Any = None
        """The picture of a window that draws itself."""
        self.modal: bool = spec.get("modal", bool(is_sheet))
        self.place_takes: int = spec.get("place_takes", 1)
        self.focus: Element | None = self._first_focus()

    def _first_focus(self) -> Element | None:
        asked = next((node for node in self.walk() if node.spec.get("focused")), None)
        return asked or next((node for node in self.walk() if node.role in TEXT_ROLES and node.focusable), None)

    @property
    def frame(self) -> Bounds:
        return self.bounds or Bounds(0, 0, 0, 0)

    @property
    def visible(self) -> bool:
        return self.alive and not self.minimised and not self.app.hidden and self.app.running

    def move_to(self, x: float, y: float) -> None:
        self.shift(x - self.frame.x, y - self.frame.y)

    def resize(self, width: float, height: float) -> None:
        self.bounds = Bounds(self.frame.x, self.frame.y, max(width, 1), max(height, 1))

    def element_at(self, point: tuple[float, float]) -> Element:
        """The deepest element there, the window itself when there is none."""
        found: Element = self
        while True:
            inside = [c for c in found.children if c.bounds and c.bounds.contains(point) and not isinstance(c, Window)]
            if not inside:
                return self._outside_the_tree(found, point)
            found = inside[-1]

    def _outside_the_tree(self, found: Element, point: tuple[float, float]) -> Element:
        """Children may stick out of their parent, or have one without bounds."""
        if found is not self:
            return found
        inside = [n for n in self.walk() if n.bounds and n is not self and n.bounds.contains(point)]
        return inside[-1] if inside else self


class App:
    """An installed app; while it runs it has a pid, windows and a menu bar."""

    def __init__(self, spec: dict[str, Any], locale: str) -> None:
        self.spec = spec
        self.name: str = spec["name"]
        self.names: dict[str, str] = spec.get("names", {})
        self.local_name: str = self.names.get(locale, self.name)
        self.bundle_id: str = spec.get("bundle_id", "")
        self.path: str = spec.get("path", self._usual_path())
        self.pid = 0
        self.started = 0.0
        self.running = False
        self.finished_launching = False
        self.hidden: bool = spec.get("hidden", False)
        self.hung: bool = spec.get("hung", False)
        self.windows: list[Window] = []
        """In the order in which they came, the world's first; how they lie is `Machine.stack`."""
        self.menu_bar: Element | None = None
        self.main: Window | None = None
        self.manual_accessibility_at: float | None = None
        self.enhanced = False
        self.ready_at: float | None = None

    def _usual_path(self) -> str:
        folder = "/System/Applications" if self.bundle_id.startswith("com.apple.") else "/Applications"
        return f"{folder}/{self.name}.app"

    @property
    def executable(self) -> str:
        return str(self.spec.get("executable", f"{self.path}/Contents/MacOS/{self.name}"))

    def answers_to(self, name: str) -> bool:
        return name in (self.name, self.local_name, self.bundle_id, *self.names.values())

    @property
    def shown_windows(self) -> list[Window]:
        return [window for window in self.windows if window.visible]
