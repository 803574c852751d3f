"""Values as PyObjC hands them to Python: look-alikes of str, int, list and dict that are none of them quite.

Read in PyObjC's sources (12.2 and 13.0): NSString is a str subclass, NSNumber a subclass of int or float except
for the two booleans, NSArray and NSDictionary are proxies that behave as a sequence and a mapping, and
CoreFoundation objects compare by value, never by ``is``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any


class pyobjc_unicode(str):
    """An NSString."""

    __slots__ = ()

    def nsstring(self) -> pyobjc_unicode:
        return self


class OC_PythonLong(int):
    """An NSNumber with a whole number."""

    __slots__ = ()


class OC_PythonFloat(float):
    """An NSNumber with a fraction."""

    __slots__ = ()


class NSArray(Sequence[Any]):
    """A CFArray: a sequence, but no list."""

    __hash__ = object.__hash__

    def __init__(self, members: Sequence[Any] = ()) -> None:
        self._members = [to_python(member) for member in members]

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __getitem__(self, index: Any) -> Any:
        found = self._members[index]
        return NSArray(found) if isinstance(index, slice) else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and list(self) == list(other)

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self._members))})"

    def count(self) -> int:  # type: ignore[override]
        return len(self._members)

    def objectAtIndex_(self, index: int) -> Any:
        return self._members[index]


class NSDictionary(Mapping[Any, Any]):
    """A CFDictionary: a mapping, but no dict. A value is handed over when it is asked for: few ever are."""

    def __init__(self, members: Mapping[Any, Any]) -> None:
        self._members = dict(members)

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members)

    def __getitem__(self, key: Any) -> Any:
        return to_python(self._members[key])

    def __contains__(self, key: object) -> bool:
        return key in self._members

    def objectForKey_(self, key: Any) -> Any:
        return to_python(self._members.get(key))


class NSData:
    """Bytes that ``bytes()`` and ``memoryview()`` accept, but that are no bytes object."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __bytes__(self) -> bytes:
        return self._data

    def __len__(self) -> int:
        return len(self._data)

    def length(self) -> int:
        return len(self._data)

    def bytes(self) -> memoryview:
        return memoryview(self._data)


class CFObject:
    """An opaque CoreFoundation object. ``identity`` is what makes two references name the same thing."""

    kind = "CFTypeRef"

    def __init__(self, identity: Any = None) -> None:
        self.identity: Any = object() if identity is None else identity

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.identity == self.identity

    def __hash__(self) -> int:
        return hash((self.kind, self.identity))

    def __repr__(self) -> str:
        return f"<{self.kind} at {id(self):#x}>"


def to_python(value: Any) -> Any:
    """A value of the simulation as PyObjC would hand it over: what is one of Python's own types, and no subclass."""
    handed_over = _HANDED_OVER.get(type(value))
    return value if handed_over is None else handed_over(value)


_HANDED_OVER: dict[type, Callable[[Any], Any]] = {
    str: pyobjc_unicode,
    int: OC_PythonLong,
    float: OC_PythonFloat,
    bytes: NSData,
    list: NSArray,
    tuple: NSArray,
    dict: NSDictionary,
}


class Extern(pyobjc_unicode):
    """A constant whose value is in Apple's binaries: its name is certain, its spelling is not.

    The text is deliberately not the one that people know, so that code which spells it is found out.
    """

    __slots__ = ()


def extern(name: str) -> Extern:
    return Extern(f"extern:{name}:{sum(map(ord, name)):x}")
