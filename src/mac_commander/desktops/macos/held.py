"""What we hold down, told to whoever must let go of it when this process dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Tell = Callable[[tuple[str, ...]], None]


def key(code: int) -> str:
    return f"key:{code}"


def button(number: int) -> str:
    return f"button:{number}"


class Held:
    """Names in the order in which they went down. Every change is told *before* anything goes down and after it
    came up: a kill between two events must find the name on record."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._names: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def down(self, *names: str) -> None:
        self._names += [name for name in names if name not in self._names]
        self._tell(self.names)

    def up(self, *names: str) -> None:
        self._names = [name for name in self._names if name not in names]
        self._tell(self.names)

    @contextmanager
    def while_down(self, *names: str) -> Iterator[None]:
        """For what goes down and up again in the block. After an exception the names stay: they are still down."""
        self.down(*names)
        yield
        self.up(*names)
