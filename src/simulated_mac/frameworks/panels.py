"""AppKit for a program with windows of its own: panels that the window server shows, views that draw themselves."""

from __future__ import annotations

from typing import Any, ClassVar

from simulated_mac.canvas import CLEAR, Canvas, Rgba, text_size
from simulated_mac.elements import App, Window
from simulated_mac.frameworks.objc_classes import NSObject
from simulated_mac.geometry import Bounds

OURS = "python"
"""Whose windows these are: the program that runs on the simulated Mac."""


class NSPanel(NSObject):
    """A window of this program. What is set while it is out of sight counts when it is ordered front."""

    def initWithContentRect_styleMask_backing_defer_(self, rect: Any, style: int, backing: int, defer: bool) -> Any:
        (x, y), (width, height) = rect
        top = self.machine.main_screen.height - y - height
        spec = {"bounds": [x, top, width, height], "accessible": False, "title": ""}
        owner = next((app for app in self.machine.apps if app.name == OURS), None)
        self._owner = owner or App({"name": OURS, "background": True}, self.machine.locale)
        self._owner.running = True
        if owner is None:
            self.machine.apps.append(self._owner)
        self._spec, self._window, self._drawn = spec, None, None
        self._properties: dict[str, Any] = {"alpha": 1.0, "click_through": False, "layer": 0}
        return self

    _window: Window | None
    _drawn: Any

    def _set(self, name: str, value: Any) -> None:
        self._properties[name] = value
        if self._window is not None:
            setattr(self._window, name, value)

    def setIgnoresMouseEvents_(self, ignores: bool) -> None:
        self._set("click_through", bool(ignores))

    def ignoresMouseEvents(self) -> bool:
        return bool(self._properties["click_through"])

    def setLevel_(self, level: int) -> None:
        self._set("layer", int(level))

    def setAlphaValue_(self, alpha: float) -> None:
        self._set("alpha", float(alpha))

    def setContentView_(self, view: Any) -> None:
        self._drawn = view._rendered()

    def isVisible(self) -> bool:
        return self._window is not None

    def orderFrontRegardless(self) -> None:
        if self._window is None:
            self._window = self.machine.windows.add(self._owner, {**self._spec, **self._properties}, on_top=True)
            self._window.drawn = self._drawn

    def orderOut_(self, sender: Any) -> None:
        if self._window is not None:
            self.machine.windows.close(self._window)
            self._window = None

    def setCollectionBehavior_(self, behaviour: int) -> None:
        """There is one Space here."""

    def setSharingType_(self, sharing: int) -> None:
        """Pictures of single windows never contain it here."""

    def setHidesOnDeactivate_(self, hides: bool) -> None:
        """This program is never active."""

    def setCanHide_(self, can: bool) -> None:
        """Nobody hides it here."""

    def setReleasedWhenClosed_(self, released: bool) -> None:
        """Python keeps it."""

    def setOpaque_(self, opaque: bool) -> None:
        """The view says what is opaque."""

    def setBackgroundColor_(self, colour: Any) -> None:
        """The halo's is clear, and so is every panel's here."""

    def setHasShadow_(self, has: bool) -> None:
        """There are no shadows here."""


class NSView(NSObject):
    def initWithFrame_(self, frame: Any) -> Any:
        self._frame = frame
        return self

    def bounds(self) -> Any:
        _, size = self._frame
        return self.classes["structs"].convert("CGRect", ((0, 0), tuple(size)))

    def isFlipped(self) -> bool:
        return False

    def drawRect_(self, dirty: Any) -> None:
        """A plain view draws nothing."""

    def _rendered(self) -> Any:
        """What it draws, on a canvas at the main screen's scale."""
        _, size = self._frame
        scale = float(self.machine.screens[0].get("scale", 1))
        canvas = Canvas(tuple(size), scale, self.isFlipped())
        self.classes["canvas"] = canvas
        self.drawRect_(self.bounds())
        return canvas.image


class NSColor(NSObject):
    rgba: Rgba = CLEAR

    @classmethod
    def colorWithSRGBRed_green_blue_alpha_(cls, red: float, green: float, blue: float, alpha: float) -> Any:
        made = cls()
        made.rgba = (red, green, blue, alpha)
        return made

    @classmethod
    def clearColor(cls) -> Any:
        return cls()

    def set(self) -> None:
        self.classes["canvas"].colour = self.rgba


class NSFont(NSObject):
    points: float = 13.0
    bold: bool = False

    @classmethod
    def boldSystemFontOfSize_(cls, points: float) -> Any:
        made = cls()
        made.points, made.bold = float(points), True
        return made


class NSAttributedString(NSObject):
    """All of it in one font and one colour."""

    _styles: ClassVar[tuple[type, type]] = (NSFont, NSColor)

    def initWithString_attributes_(self, text: str, style: Any) -> Any:
        self._text = str(text)
        self._font = next(v for v in style.values() if isinstance(v, NSFont))
        self._colour = next(v for v in style.values() if isinstance(v, NSColor))
        return self

    def size(self) -> Any:
        return self.classes["structs"].convert("CGSize", text_size(self._text, self._font.points, self._font.bold))

    def drawAtPoint_(self, point: Any) -> None:
        self._colour.set()
        self.classes["canvas"].text(self._text, *point, self._font.points, self._font.bold)


class NSBezierPath(NSObject):
    """A rectangle, rounded or not."""

    _line = 1.0

    @classmethod
    def bezierPathWithRect_(cls, rect: Any) -> Any:
        return cls.bezierPathWithRoundedRect_xRadius_yRadius_(rect, 0, 0)

    @classmethod
    def bezierPathWithRoundedRect_xRadius_yRadius_(cls, rect: Any, x_radius: float, y_radius: float) -> Any:
        made = cls()
        made._bounds, made._radius = bounds_of(rect), float(x_radius)
        return made

    _bounds: Bounds
    _radius: float

    def setLineWidth_(self, width: float) -> None:
        self._line = float(width)

    def fill(self) -> None:
        self.classes["canvas"].fill_rounded(self._bounds, self._radius)

    def stroke(self) -> None:
        self.classes["canvas"].stroke_rounded(self._bounds, self._radius, self._line)


class NSTimer(NSObject):
    @classmethod
    def scheduledTimerWithTimeInterval_target_selector_userInfo_repeats_(
        cls, seconds: float, target: Any, selector: Any, info: Any, repeats: bool
    ) -> Any:
        timer = cls()
        call = getattr(target, str(selector).replace(":", "_"))
        cls.classes["run loop"].after(float(seconds), float(seconds) if repeats else 0.0, lambda: call(timer))
        return timer


def bounds_of(rect: Any) -> Bounds:
    (x, y), (width, height) = rect
    return Bounds(x, y, width, height)


class DrawingFunctions:
    """AppKit's C functions that draw."""

    def __init__(self, classes: dict[str, Any]) -> None:
        self._classes = classes

    def NSRectFillUsingOperation(self, rect: Any, operation: int) -> None:
        self._classes["canvas"].fill(bounds_of(rect))
