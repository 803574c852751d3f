"""Refs are identities: ``eN`` names one element of one process, for as long as it stays what it was.

A number is never given twice in a server's life. The table is bounded; what falls out answers `Stale`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from mac_commander.core.screen_text import quoted
from mac_commander.errors import Refused, Stale
from mac_commander.model import App, Element, Identity

REFS_MOST = 20_000
"""As many as the largest snapshot has nodes; about 4 MB."""

CANDIDATES = 3
"""Live elements named in a stale answer."""

_ALIKE = 0.6
"""A name this similar is worth showing as a candidate (difflib's own default)."""


@dataclass(frozen=True, slots=True)
class Ref:
    number: int
    process: Identity
    app_name: str
    key: Hashable
    role: str
    name: str

    def __str__(self) -> str:
        return f"e{self.number}"

    @property
    def words(self) -> str:
        return described(self.role, self.name)


def described(role: str, name: str) -> str:
    """``button "Save"``: what the screen says in quotes, escaped."""
    return f"{role} {quoted(name)}" if name else role


class RefTable:
    """From elements to refs and back."""

    def __init__(self) -> None:
        self._by_number: OrderedDict[int, Ref] = OrderedDict()
        self._by_element: dict[tuple[Identity, Hashable], int] = {}
        self._next = 1

    def ref(self, app: App, element: Element) -> str:
        """The element's ref: the one it had while its object, role and name are the same, else a new one."""
        place = (app.identity, element.key)
        known = self._by_number.get(self._by_element.get(place, 0))
        if known and (known.role, known.name) == (element.role, element.name):
            self._by_number.move_to_end(known.number)
            return str(known)
        new = Ref(self._next, app.identity, app.name, element.key, element.role, element.name)
        self._next += 1
        self._by_number[new.number] = new
        self._by_element[place] = new.number
        self._trim()
        return str(new)

    def _trim(self) -> None:
        while len(self._by_number) > REFS_MOST:
            number, old = self._by_number.popitem(last=False)
            place = (old.process, old.key)
            if self._by_element.get(place) == number:
                del self._by_element[place]

    def find(self, text: str, target: App) -> Ref:
        """The ref of that text.

        Raises `Stale` when it is unknown, and `Refused` when it belongs to another app or an earlier process.
        """
        ref = self._by_number.get(int(text[1:]))
        if ref is None:
            raise Stale(f"{text} is not known here (any more): take a new ref from see")
        if ref.process != target.identity:
            if ref.app_name == target.name:
                raise Stale(f"{text} was {ref.words} of an earlier {target.name}, which ended: take a new ref from see")
            raise Refused(f"{text} is {ref.words} of {ref.app_name}, not of the target {target.name}")
        return ref


def check_same(ref: Ref, now: Element | None) -> Element:
    """The live element, when it still is what the ref was given for. Raises `Stale`."""
    if now is None:
        raise Stale(f"{ref} was {ref.words}; it is gone")
    if (now.role, now.name) != (ref.role, ref.name):
        raise Stale(f"{ref} was {ref.words}; its place is taken by {described(now.role, now.name)}")
    return now


def candidates(ref: Ref, elements: Sequence[Element]) -> list[Element]:
    """Up to `CANDIDATES` live elements that the model may have meant: same role, likest name first."""

    def likeness(element: Element) -> float:
        return SequenceMatcher(None, element.name.casefold(), ref.name.casefold()).ratio()

    same_role = [e for e in elements if e.role == ref.role]
    alike = [e for e in same_role if likeness(e) >= _ALIKE]
    return sorted(alike, key=likeness, reverse=True)[:CANDIDATES]
