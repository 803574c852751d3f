"""AppKit's screens, pasteboard, windows as the window server numbers them, and the application object."""

from __future__ import annotations

from typing import Any

from simulated_mac.bridge import extern
from simulated_mac.frameworks.cg_displays import FIRST_DISPLAY
from simulated_mac.frameworks.objc_classes import NSObject
from simulated_mac.geometry import Bounds
from simulated_mac.pasteboard import PLAIN_TEXT

MENU_BAR_HEIGHT = 24
_TEXT_TYPE = extern("NSPasteboardTypeString")


REGULAR = 0
"""``NSApplicationActivationPolicyRegular``: what a framework build of Python is, until it says otherwise."""


class NSApplication(NSObject):
    def __init__(self) -> None:
        self._policy = REGULAR

    @classmethod
    def sharedApplication(cls) -> Any:
        cls.classes["run loop"].connected = True
        return cls.classes.setdefault("the application", cls())

    def setActivationPolicy_(self, policy: int) -> bool:
        self._policy = policy
        return True

    def activationPolicy(self) -> int:
        return self._policy

    def isActive(self) -> bool:
        return False

    def finishLaunching(self) -> None:
        """Nothing is left to do here."""

    def setDelegate_(self, delegate: Any) -> None:
        self._delegate = delegate

    def run(self) -> None:
        """Tells the delegate that the app has launched, then turns the main loop for ever."""
        loop = self.classes["run loop"]
        loop.later(lambda: self._delegate.applicationDidFinishLaunching_(None))
        loop.CFRunLoopRun()


class NSScreen(NSObject):
    def __init__(self, index: int = 0) -> None:
        self._index = index

    @classmethod
    def screens(cls) -> Any:
        return [cls(index) for index in range(len(cls.machine.screens))]

    @classmethod
    def mainScreen(cls) -> Any:
        """The screen with the keyboard, which is not always the primary one."""
        return cls(0)

    def _flipped(self, bounds: Bounds) -> Any:
        """AppKit counts upwards from the bottom of the primary screen."""
        y = self.machine.main_screen.height - bounds.y - bounds.height
        return self.classes["structs"].convert("CGRect", ((bounds.x, y), (bounds.width, bounds.height)))

    def frame(self) -> Any:
        return self._flipped(Bounds(*self.machine.screens[self._index]["bounds"]))

    def visibleFrame(self) -> Any:
        b = Bounds(*self.machine.screens[self._index]["bounds"])
        return self._flipped(Bounds(b.x, b.y + MENU_BAR_HEIGHT, b.width, b.height - MENU_BAR_HEIGHT))

    def backingScaleFactor(self) -> float:
        return float(self.machine.screens[self._index].get("scale", 1))

    def deviceDescription(self) -> Any:
        return {"NSScreenNumber": FIRST_DISPLAY + self._index}

    def localizedName(self) -> str:
        return f"Simulated Display {self._index + 1}"


class NSPasteboard(NSObject):
    @classmethod
    def generalPasteboard(cls) -> Any:
        return cls()

    def changeCount(self) -> int:
        return self.machine.pasteboard.changes

    def clearContents(self) -> int:
        return self.machine.pasteboard.clear()

    def stringForType_(self, kind: str) -> Any:
        return self.machine.pasteboard.items.get(_plain(kind))

    def setString_forType_(self, text: str, kind: str) -> bool:
        self.machine.pasteboard.items[_plain(kind)] = str(text)
        return True

    def dataForType_(self, kind: str) -> Any:
        found = self.machine.pasteboard.items.get(_plain(kind))
        return found.encode() if isinstance(found, str) else found

    def setData_forType_(self, data: Any, kind: str) -> bool:
        self.machine.pasteboard.items[_plain(kind)] = bytes(data)
        return True

    def types(self) -> Any:
        return [_TEXT_TYPE if kind == PLAIN_TEXT else kind for kind in self.machine.pasteboard.items]


def _plain(kind: str) -> str:
    return PLAIN_TEXT if kind == _TEXT_TYPE else str(kind)


class NSWindow(NSObject):
    @classmethod
    def windowNumberAtPoint_belowWindowWithWindowNumber_(cls, point: Any, below: int) -> int:
        """The topmost window there that takes clicks, below the one named; counted from the bottom left."""
        x, y = point
        at = (x, cls.machine.main_screen.height - y)
        stack = list(cls.machine.stack)
        numbers = [window.number for window in stack]
        rest = stack[numbers.index(below) + 1 :] if below in numbers else stack
        takes = (w for w in rest if w.visible and not w.click_through and w.alpha > 0 and w.frame.contains(at))
        return next((window.number for window in takes if window.listed), 0)


class NSEvent(NSObject):
    @classmethod
    def mouseLocation(cls) -> Any:
        at = cls.machine.pointer.at
        return cls.classes["structs"].convert("CGPoint", (at.x, cls.machine.main_screen.height - at.y))

    @classmethod
    def doubleClickInterval(cls) -> float:
        return 0.5

    @classmethod
    def pressedMouseButtons(cls) -> int:
        return sum(
            1 << index for index, name in enumerate(("left", "right", "middle")) if name in cls.machine.pointer.down
        )


class AppKitFunctions:
    def NSApplicationLoad(self) -> bool:
        return True
