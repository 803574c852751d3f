"""The identity of a live accessibility element, as a dictionary key."""

from __future__ import annotations

from typing import Any

from CoreFoundation import CFEqual, CFHash


class ElementKey:
    """Equal when CoreFoundation says that both name the same object; references are never compared by ``is``,
    a fresh one is made for every answer."""

    __slots__ = ("_hash", "element")

    def __init__(self, element: Any) -> None:
        self.element = element
        self._hash = hash(CFHash(element))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ElementKey) and bool(CFEqual(self.element, other.element))
