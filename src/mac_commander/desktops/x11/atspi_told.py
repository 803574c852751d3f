"""Which elements of one app told of a change that what they say, or whether they show, may have had."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dbus_fast import Message

from mac_commander.desktops.x11.atspi_bus import NOTHING

TOLD_MOST = 100
"""Elements kept; an app that changes more at once is better looked at as a whole."""

_SAYS_MORE = ("accessible-name", "accessible-description", "accessible-value", "accessible-role")

_SHOWS_MORE = ("showing", "visible", "selected", "expanded")
"""With it all that is in the element may have come into sight: a page of tabs tells of itself alone."""


class Reference(NamedTuple):
    """An object of an app: its connection's name and the path."""

    bus: str
    path: str


class Told:
    """Listens to one app at a time, and forgets what somebody took."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._elements: dict[Reference, bool] = {}
        self._lost = False

    @property
    def anything(self) -> bool:
        return bool(self._elements) or self._lost

    def forget(self) -> None:
        """Nobody listens any more: the next one who takes begins anew."""
        self._names, self._elements, self._lost = frozenset(), {}, False

    def take(self, names: Iterable[str]) -> Mapping[Reference, bool] | None:
        """What was told since the last time, and whether all that is in it is meant; ``None`` when that is not known:
        nobody listened to all of these connections, or they told too much. From here on they are listened to."""
        listened, told = frozenset(names), self._elements
        known = listened == self._names and not self._lost
        self._names, self._elements, self._lost = listened, {}, False
        return told if known else None

    def hear(self, message: Message) -> None:
        """An event of ``org.a11y.atspi.Event.Object``."""
        if message.sender not in self._names or not message.path:
            return
        here = Reference(message.sender, message.path)
        match message.member, message.body:
            case "PropertyChange", [str(kind), *_] if kind in _SAYS_MORE:
                self._note(here, whole=False)
            case "TextChanged", _:
                self._note(here, whole=False)
            case "StateChanged", [str(kind), int(now), *_] if kind in _SHOWS_MORE:
                self._note(here, whole=bool(now))
            case "ChildrenChanged", [str(kind), _, _, child, *_]:
                added = _child(message.sender, child) if kind.startswith("add") else None
                self._note(added or here, whole=kind.startswith("add"))

    def _note(self, element: Reference, *, whole: bool) -> None:
        if len(self._elements) >= TOLD_MOST and element not in self._elements:
            self._lost = True
            return
        self._elements[element] = whole or self._elements.get(element, False)


def _child(sender: str, told: Any) -> Reference | None:
    """``None`` where the app does not say which."""
    value = getattr(told, "value", None)
    if not isinstance(value, list | tuple) or len(value) != 2 or value[0] != sender or value[1] == NOTHING:
        return None
    return Reference(str(value[0]), str(value[1]))
