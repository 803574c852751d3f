"""The mouse: where the pointer is, which buttons are down, and what clicks and drags do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulated_mac import clicking, popups
from simulated_mac.elements import App, Element, Window
from simulated_mac.geometry import Point
from simulated_mac.keyboard import HUMAN, PROGRAM

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

BUTTONS = ("left", "right", "middle")
DRAG_EVENTS_NEEDED = 2
"""Apps miss a drag that jumps from its start to its end (cliclick #13)."""


@dataclass(frozen=True)
class PointerEvent:
    kind: str
    """``down``, ``up``, ``move``, ``drag`` or ``scroll``."""
    at: Point
    button: str = "left"
    clicks: int = 0
    """The click state that the event carries; 0 is no click to an app (cliclick #194)."""
    flags: int = 0
    dx: float = 0
    dy: float = 0
    source: str = PROGRAM
    user_data: int = 0


class Pointer:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.at = Point(0, 0)
        self.down: set[str] = set()
        self.pressed: Element | None = None
        self.grabbed: Window | None = None
        """The window whose title bar the button went down on."""
        self.receiver: App | None = None
        """Who got the button down: drags and the button up go there too."""
        self.began = Point(0, 0)
        self.dragged = 0

    def post(self, event: PointerEvent) -> None:
        self._machine.keyboard.count(_counter(event), event.source)
        self._machine.watchers.tell(event)
        self.at = event.at
        _HANDLERS[event.kind](self, event)

    def human_moves(self, to: tuple[float, float]) -> None:
        kind = "drag" if self.down else "move"
        self.post(PointerEvent(kind, Point(*to), flags=self._machine.keyboard.human_flags, source=HUMAN))

    def warp(self, x: float, y: float) -> None:
        """The pointer is elsewhere, and no event says so."""
        self.at = Point(x, y)

    # --- events ------------------------------------------------------------------------------------------------

    def _record(self, event: PointerEvent, name: str, app: App | None, **more: Any) -> None:
        fields: dict[str, Any] = {"at": [event.at.x, event.at.y], **more, "flags": event.flags}
        if event.source == HUMAN:
            fields["source"] = HUMAN
        self._machine.record(name, app, **fields)

    def _on_move(self, event: PointerEvent) -> None:
        self._record(event, "mouse_move", self._machine.app_at(event.at))

    def _on_scroll(self, event: PointerEvent) -> None:
        app = self._machine.app_at(event.at)
        self._record(event, "scroll", app, dx=event.dx, dy=event.dy)
        clicking.scroll(self._machine, event)

    def _on_down(self, event: PointerEvent) -> None:
        window = self._machine.window_at(event.at)
        app = self._machine.app_at(event.at)
        menu = None if window else self._machine.menu_element_at(event.at)
        self.down.add(event.button)
        self.receiver, self.began, self.dragged = app, event.at, 0
        was_front = app is self._machine.front
        self._record(event, "mouse_down", app, button=event.button, clicks=event.clicks)
        self.pressed = menu
        self.grabbed = None
        if app is None or self._machine.locked or not app.running or app.hung:
            return
        if not was_front and app is not self._machine.login:
            self._machine.life.activate(app)
        if window is None or window.layer != popups.LAYER:
            popups.close_all(self._machine)
        if window is not None and window.alive:
            self._press_in(window, event, was_front)

    def _press_in(self, window: Window, event: PointerEvent, was_front: bool) -> None:
        element = window.element_at(event.at)
        if window.layer == popups.LAYER:
            self.pressed = element
            return
        self.grabbed = clicking.title_bar(window, event.at, element)
        self._machine.windows.raise_window(window)
        if self._machine.blocked(window):
            return
        self.pressed = element if was_front else None  # the click that brings an app to the front does no more
        if self.pressed is not None and event.clicks and event.button == "left":
            clicking.begin(self._machine, element, event)

    def _on_drag(self, event: PointerEvent) -> None:
        self.dragged += 1
        self._record(
            event,
            "mouse_drag",
            self.receiver or self._machine.app_at(event.at),
            button=event.button,
            clicks=event.clicks,
        )
        if self.pressed is not None and self.pressed.alive and self.grabbed is None:
            clicking.drag(self._machine, self.pressed, event, self.dragged)

    def _on_up(self, event: PointerEvent) -> None:
        app = self.receiver if event.button in self.down else self._machine.app_at(event.at)
        pressed, grabbed = self.pressed, self.grabbed
        self.down.discard(event.button)
        self.pressed = self.grabbed = self.receiver = None
        self._record(event, "mouse_up", app, button=event.button, clicks=event.clicks)
        if grabbed is not None and grabbed.alive and self.dragged >= DRAG_EVENTS_NEEDED:
            to = grabbed.frame.moved(event.at.x - self.began.x, event.at.y - self.began.y)
            self._machine.windows.move(grabbed, to.x, to.y)
        elif pressed is not None and pressed.alive and not pressed.app.hung and event.clicks:
            clicking.end(self._machine, pressed, event)


def _counter(event: PointerEvent) -> str:
    """The window server counts the events of each button apart."""
    return f"{event.button}_mouse_{event.kind}" if event.kind in ("down", "up", "drag") else f"mouse_{event.kind}"


_HANDLERS = {
    "down": Pointer._on_down,
    "up": Pointer._on_up,
    "move": Pointer._on_move,
    "drag": Pointer._on_drag,
    "scroll": Pointer._on_scroll,
}
