"""C structs as PyObjC has them: mutable objects with fields, made from tuples of the right length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar


class Struct:
    """One value; equal to a tuple or struct of equal members."""

    fields: ClassVar[tuple[str, ...]] = ()
    parts: ClassVar[tuple[Any, ...]] = ()
    """What turns each member into its type."""

    def __init__(self, *members: Any) -> None:
        given = members or (0,) * len(self.fields)
        if len(given) != len(self.fields):
            raise TypeError(f"{type(self).__name__}() takes {len(self.fields)} arguments, got {len(given)}")
        for name, part, member in zip(self.fields, self.parts, given, strict=True):
            setattr(self, name, part(member))

    def __iter__(self) -> Iterator[Any]:
        return (getattr(self, name) for name in self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, index: int) -> Any:
        return getattr(self, self.fields[index])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Struct | tuple | list) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # mutable, as in PyObjC

    def __repr__(self) -> str:
        members = " ".join(f"{name}={getattr(self, name)!r}" for name in self.fields)
        return f"<{type(self).__name__} {members}>"


class StructTypes:
    """The struct types of the facts, by C name."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts
        self._types: dict[str, type[Struct]] = {}

    def __getitem__(self, name: str) -> type[Struct]:
        if name not in self._types:
            fact = self._facts[name]
            parts = tuple(self._part(kind) for kind in fact["types"])
            self._types[name] = type(name, (Struct,), {"fields": tuple(fact["fields"]), "parts": parts})
        return self._types[name]

    def __contains__(self, name: str) -> bool:
        return name in self._facts

    def convert(self, name: str, value: Any) -> Struct:
        """A struct from a struct or a tuple of its length. Raises `ValueError` as PyObjC does."""
        kind = self[name]
        if isinstance(value, kind):
            return value
        if not isinstance(value, (tuple, list, Struct)) or len(value) != len(kind.fields):
            raise ValueError(f"depythonifying struct of {len(kind.fields)} members, got {_shape(value)}")
        return kind(*value)

    def _part(self, encoding: str) -> Any:
        if encoding.startswith("{"):
            name = encoding[1 : encoding.index("=")]
            return lambda value: self.convert(name, value) if value != 0 else self[name]()
        return _real if encoding in "fd" else _whole


def _shape(value: Any) -> str:
    return f"tuple of {len(value)}" if isinstance(value, tuple | list) else f"'{type(value).__name__}'"


def _real(value: Any = 0) -> float:
    if type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"depythonifying 'double', got '{type(value).__name__}'")
    return float(value)


def _whole(value: Any = 0) -> int:
    if not isinstance(value, int):
        raise ValueError(f"depythonifying 'long long', got '{type(value).__name__}'")
    return int(value)
