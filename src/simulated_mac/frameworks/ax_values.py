"""AXUIElement and AXValue objects, and what is behind them."""

from __future__ import annotations

from typing import Any

from simulated_mac.bridge import CFObject
from simulated_mac.elements import App, Element

POINT, SIZE, RECT, RANGE, ERROR = 1, 2, 3, 4, 5
"""``kAXValueType*`` of AXValueConstants.h."""

STRUCTS = {POINT: "CGPoint", SIZE: "CGSize", RECT: "CGRect", RANGE: "CFRange"}

SYSTEM_WIDE = "system-wide"


class AXUIElementRef(CFObject):
    """A reference; equal ones name the same element, but each has a messaging timeout of its own."""

    kind = "AXUIElementRef"

    def __init__(self, subject: Any, pid: int) -> None:
        """``subject``: an `Element`, a pid for an app's root, or `SYSTEM_WIDE`."""
        super().__init__(subject)
        self.pid = pid
        self.timeout: float | None = None


class AXValueRef(CFObject):
    """A struct or an error in a box."""

    kind = "AXValueRef"

    def __init__(self, value_type: int, value: Any) -> None:
        super().__init__((value_type, tuple(value) if value_type != ERROR else value))
        self.value_type = value_type
        self.value = value


def reference(subject: App | Element) -> AXUIElementRef:
    if isinstance(subject, App):
        return AXUIElementRef(subject.pid, subject.pid)
    return AXUIElementRef(subject, subject.drawn_by or subject.app.pid)


def references(subjects: list[Any]) -> list[AXUIElementRef]:
    return [reference(subject) for subject in subjects]


def point(x: float, y: float) -> AXValueRef:
    return AXValueRef(POINT, (float(x), float(y)))


def size(width: float, height: float) -> AXValueRef:
    return AXValueRef(SIZE, (float(width), float(height)))


def text_range(location: int, length: int) -> AXValueRef:
    return AXValueRef(RANGE, (location, length))


def error(code: int) -> AXValueRef:
    return AXValueRef(ERROR, code)


def utf16(text: str, upto: int | None = None) -> int:
    """The length in UTF-16 units, as NSRange counts."""
    return len(text[:upto].encode("utf-16-le", "surrogatepass")) // 2


def code_points(text: str, units: int) -> int:
    """The place in the text that so many UTF-16 units lead to."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
