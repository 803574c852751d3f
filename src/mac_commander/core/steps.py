"""The nine step kinds of `act`: one flat object each, checked whole before the first event.

The schema and the check come from the tables here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mac_commander.core import chords
from mac_commander.core.arguments import Param, check
from mac_commander.errors import InvalidArgument
from mac_commander.events import POINTS_PER_NOTCH
from mac_commander.model import Button, Chord, Modifier, Point

STEPS_MOST = 100
"""A batch longer than this cannot be read by the person who watches it, nor undone."""

TEXT_MOST = 10_000
"""Characters in one `type` step: about three pages; longer text is a file, which is another server's business."""

BATCH_TEXT_MOST = 20_000
"""Characters in all `type` steps of a batch, so that it can end within the call's budget."""

VALUE_MOST = 100_000
"""Characters that `set` writes in one call through accessibility."""

WAIT_MS_MOST = 10_000
"""The mission's cap: a longer wait is shortened to this, and says so."""

SETTLE_MS_MOST = 5_000
SETTLE_MS_DEFAULT = 150

REPEAT_MOST = 100
CLICKS_MOST = 3
SCROLL_MOST = POINTS_PER_NOTCH * 100
"""100 wheel notches: several pages; more is a loop that nobody can stop in time (trycua/cua #3804)."""

COORDINATE_MOST = 100_000
"""Farther out than any arrangement of displays."""

MENU_DEPTH_MOST = 6
WAIT_TEXT_MOST = 200

REF = re.compile(r"^e[1-9]\d{0,8}$")

_POINT = Param("", "number", least=-COORDINATE_MOST, most=COORDINATE_MOST)


def _xy(name: str) -> Param:
    return Param(name, "array", item=_POINT, least=2, most=2)


def _ref(name: str) -> Param:
    return Param(name, "string", least=1, most=16)


FIELDS: tuple[Param, ...] = (
    Param(
        "kind",
        "string",
        required=True,
        choices=("click", "type", "key", "scroll", "drag", "wait", "hover", "set", "menu"),
    ),
    _ref("ref"),
    _xy("xy"),
    Param("button", "string", choices=tuple(Button)),
    Param("clicks", "integer", least=1, most=CLICKS_MOST),
    Param("modifiers", "array", item=Param("", "string", choices=("cmd", "ctrl", "alt", "shift")), most=4),
    Param("text", "string", most=TEXT_MOST),
    Param("submit", "boolean"),
    Param("combo", "string", most=chords.COMBO_MOST),
    Param("repeat", "integer", least=1, most=REPEAT_MOST),
    Param("dx", "integer", least=-SCROLL_MOST, most=SCROLL_MOST),
    Param("dy", "integer", least=-SCROLL_MOST, most=SCROLL_MOST),
    _ref("from_ref"),
    _xy("from_xy"),
    _ref("to_ref"),
    _xy("to_xy"),
    Param("ms", "integer", least=0, most=10**9),
    Param("until", "string", least=1, most=WAIT_TEXT_MOST),
    Param("gone", "string", least=1, most=WAIT_TEXT_MOST),
    Param("value", "string", most=VALUE_MOST),
    Param("path", "string", least=1, most=300),
)

_EVERY_FIELD = frozenset(p.name for p in FIELDS)

TAKES: Mapping[str, frozenset[str]] = {
    "click": frozenset({"ref", "xy", "button", "clicks", "modifiers"}),
    "type": frozenset({"text", "submit", "ref"}),
    "key": frozenset({"combo", "repeat"}),
    "scroll": frozenset({"ref", "xy", "dx", "dy"}),
    "drag": frozenset({"from_ref", "from_xy", "to_ref", "to_xy"}),
    "wait": frozenset({"ms", "until", "gone"}),
    "hover": frozenset({"ref", "xy"}),
    "set": frozenset({"ref", "value"}),
    "menu": frozenset({"path"}),
}
"""Which fields go with which kind; any other field of a step is an error."""


# --- What a checked step is ---------------------------------------------------------------------------------

Place = str | Point
"""A ref, or a point on the screen."""


@dataclass(frozen=True, slots=True)
class Click:
    at: Place
    button: Button = Button.LEFT
    clicks: int = 1
    modifiers: frozenset[Modifier] = frozenset()


@dataclass(frozen=True, slots=True)
class Type:
    text: str = field(repr=False)
    submit: bool = False
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    chord: Chord
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class Scroll:
    at: Place
    dx: int
    dy: int


@dataclass(frozen=True, slots=True)
class Drag:
    start: Place
    end: Place


@dataclass(frozen=True, slots=True)
class Wait:
    """Without texts: let ``ms`` pass. With: at most ``ms``, until ``until`` is there or ``gone`` is not."""

    ms: int
    until: str | None = None
    gone: str | None = None
    capped: bool = False
    """A longer wait was asked for than `WAIT_MS_MOST`."""


@dataclass(frozen=True, slots=True)
class Hover:
    at: Place


@dataclass(frozen=True, slots=True)
class Set:
    ref: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Menu:
    path: tuple[str, ...]


Step = Click | Type | Key | Scroll | Drag | Wait | Hover | Set | Menu


# --- From the client's objects to steps ---------------------------------------------------------------------


def parse(raw: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """All steps of a batch.

    Raises `InvalidArgument` naming the step (``steps[2].text``), so that a bad batch sends nothing.
    """
    steps = tuple(_step(one, f"steps[{i}]") for i, one in enumerate(raw))
    total = sum(len(s.text) for s in steps if isinstance(s, Type))
    if total > BATCH_TEXT_MOST:
        raise InvalidArgument(f"steps: wanted at most {BATCH_TEXT_MOST} characters to type in a batch, got {total}")
    return steps


def _step(raw: Mapping[str, Any], where: str) -> Step:
    checked = {k: v for k, v in check(_known_here(raw), raw, where).items() if v is not None}
    kind = checked.pop("kind")
    for name in checked:
        if name not in TAKES[kind]:
            raise InvalidArgument(f"{where}.{name}: does not go with {kind}; {kind} takes {_fields(kind)}")
    return _BUILDERS[kind](checked, where)


def _known_here(raw: Mapping[str, Any]) -> Sequence[Param]:
    """For a key that no step knows, the fields of this step's kind are what helps; else all, to name the mismatch."""
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in TAKES or all(key in _EVERY_FIELD for key in raw):
        return FIELDS
    return tuple(p for p in FIELDS if p.name == "kind" or p.name in TAKES[kind])


def _fields(kind: str) -> str:
    return ", ".join(p.name for p in FIELDS if p.name in TAKES[kind])


def _need(given: Mapping[str, Any], name: str, where: str, kind: str) -> Any:
    if name not in given:
        raise InvalidArgument(f"{where}.{name}: missing; {kind} takes {_fields(kind)}")
    return given[name]


def _place(given: Mapping[str, Any], where: str, ref: str = "ref", xy: str = "xy") -> Place:
    if (ref in given) == (xy in given):
        got = "both" if ref in given else "neither"
        raise InvalidArgument(f"{where}: wanted either {ref} (like e17, from see) or {xy} ([x, y]), got {got}")
    if ref in given:
        return check_ref(given[ref], f"{where}.{ref}")
    x, y = given[xy]
    return Point(x, y)


def check_ref(text: str, where: str) -> str:
    if not REF.match(text):
        raise InvalidArgument(f"{where}: wanted a ref like e17, as see gives it")
    return text


def _click(given: Mapping[str, Any], where: str) -> Step:
    modifiers = frozenset(Modifier(m) for m in given.get("modifiers", ()))
    return Click(_place(given, where), Button(given.get("button", "left")), given.get("clicks", 1), modifiers)


def _type(given: Mapping[str, Any], where: str) -> Step:
    text = check_text(_need(given, "text", where, "type"), f"{where}.text")
    ref = given.get("ref")
    return Type(text, given.get("submit", False), check_ref(ref, f"{where}.ref") if ref else None)


def check_text(text: str, where: str) -> str:
    """Text that can be typed: no control characters but newline and tab (``\\r\\n`` counts as one newline), no
    half surrogates, none of the private code points that macOS uses for function keys (U+F700 to U+F8FF)."""
    text = text.replace("\r\n", "\n")
    for i, char in enumerate(text):
        control = unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t"
        if control or "\uf700" <= char <= "\uf8ff":
            raise InvalidArgument(
                f"{where}: character {i} (U+{ord(char):04X}) is no text; wanted printable characters, newline or tab. "
                "Use a key step for keys like escape or backspace"
            )
    return text


def _key(given: Mapping[str, Any], where: str) -> Step:
    return Key(chords.parse(_need(given, "combo", where, "key"), f"{where}.combo"), given.get("repeat", 1))


def _scroll(given: Mapping[str, Any], where: str) -> Step:
    dx, dy = given.get("dx", 0), given.get("dy", 0)
    if not dx and not dy:
        raise InvalidArgument(f"{where}: wanted dx or dy other than 0, in points: dy 300 scrolls up, -300 down")
    return Scroll(_place(given, where), dx, dy)


def _drag(given: Mapping[str, Any], where: str) -> Step:
    return Drag(_place(given, where, "from_ref", "from_xy"), _place(given, where, "to_ref", "to_xy"))


def _wait(given: Mapping[str, Any], where: str) -> Step:
    if "until" in given and "gone" in given:
        raise InvalidArgument(f"{where}: wanted until or gone, got both")
    texts = given.get("until"), given.get("gone")
    ms = given.get("ms", WAIT_MS_MOST) if any(texts) else _need(given, "ms", where, "wait")
    return Wait(min(ms, WAIT_MS_MOST), *texts, capped=ms > WAIT_MS_MOST)


def _hover(given: Mapping[str, Any], where: str) -> Step:
    return Hover(_place(given, where))


def _set(given: Mapping[str, Any], where: str) -> Step:
    ref = check_ref(_need(given, "ref", where, "set"), f"{where}.ref")
    return Set(ref, check_text(_need(given, "value", where, "set"), f"{where}.value"))


def _menu(given: Mapping[str, Any], where: str) -> Step:
    path = tuple(part.strip() for part in _need(given, "path", where, "menu").split(">"))
    if len(path) < 2 or not all(path) or len(path) > MENU_DEPTH_MOST:
        raise InvalidArgument(f"{where}.path: wanted 2 to {MENU_DEPTH_MOST} names, like File > Save As…")
    return Menu(path)


_BUILDERS = {
    "click": _click,
    "type": _type,
    "key": _key,
    "scroll": _scroll,
    "drag": _drag,
    "wait": _wait,
    "hover": _hover,
    "set": _set,
    "menu": _menu,
}
