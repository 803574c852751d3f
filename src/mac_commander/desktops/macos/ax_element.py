"""One accessibility element as a value: what one call tells of it, and the second call that its value costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ApplicationServices import (
    kAXChildrenAttribute,
    kAXColumnIndexRangeAttribute,
    kAXDescriptionAttribute,
    kAXDisclosingAttribute,
    kAXElementBusyAttribute,
    kAXEnabledAttribute,
    kAXExpandedAttribute,
    kAXFocusedAttribute,
    kAXHelpAttribute,
    kAXInvalidAttribute,
    kAXMaxValueAttribute,
    kAXMinValueAttribute,
    kAXModalAttribute,
    kAXNumberOfCharactersAttribute,
    kAXPlaceholderValueAttribute,
    kAXPositionAttribute,
    kAXPressAction,
    kAXRadioButtonRole,
    kAXRoleAttribute,
    kAXRowIndexRangeAttribute,
    kAXSelectedAttribute,
    kAXSizeAttribute,
    kAXSubroleAttribute,
    kAXTextAreaRole,
    kAXTitleAttribute,
    kAXTitleUIElementAttribute,
    kAXValueAttribute,
)

from mac_commander.desktops.macos import ax, ax_names, ax_roles, ax_value
from mac_commander.desktops.macos.element_key import ElementKey
from mac_commander.model import Element, Point, Rect, State

ATTRIBUTES = (
    kAXRoleAttribute,
    kAXSubroleAttribute,
    kAXTitleAttribute,
    kAXDescriptionAttribute,
    kAXHelpAttribute,
    kAXPlaceholderValueAttribute,
    kAXTitleUIElementAttribute,
    kAXEnabledAttribute,
    kAXFocusedAttribute,
    kAXSelectedAttribute,
    kAXExpandedAttribute,
    kAXDisclosingAttribute,
    kAXElementBusyAttribute,
    kAXModalAttribute,
    kAXPositionAttribute,
    kAXSizeAttribute,
    ax_names.REQUIRED,
    kAXInvalidAttribute,
    kAXRowIndexRangeAttribute,
    kAXColumnIndexRangeAttribute,
)
"""The first call's attributes: never the value, which may be a secret."""

ATTRIBUTES_AND_CHILDREN = (*ATTRIBUTES, kAXChildrenAttribute)

_FLAGS: Mapping[str, State] = {
    kAXFocusedAttribute: State.FOCUSED,
    kAXSelectedAttribute: State.SELECTED,
    kAXElementBusyAttribute: State.BUSY,
    kAXModalAttribute: State.MODAL,
    ax_names.REQUIRED: State.REQUIRED,
}
_NOT_INVALID = (None, False, 0, "", "false")
"""``AXInvalid`` is a word of ARIA's ``aria-invalid``: ``false``, ``true``, ``grammar``, ``spelling``."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the first call told."""

    element: Any
    values: Mapping[str, Any]
    """Without those that the element lacks or could not tell."""
    children_failed: bool = False
    """It has children, but could not tell them as a whole."""

    @property
    def role(self) -> str:
        return self.text(kAXRoleAttribute)

    @property
    def subrole(self) -> str:
        return self.text(kAXSubroleAttribute)

    @property
    def word(self) -> str:
        return ax_roles.word(self.role, self.subrole)

    @property
    def secure(self) -> bool:
        return ax_roles.is_secure(self.role, self.subrole)

    @property
    def bounds(self) -> Rect | None:
        """``None`` when the app does not say, or says nonsense."""
        position, size = self.values.get(kAXPositionAttribute), self.values.get(kAXSizeAttribute)
        if not isinstance(position, Point) or not isinstance(size, tuple):
            return None
        rect = Rect(*position, *size)
        return rect if all(map(math.isfinite, rect)) else None

    @property
    def children(self) -> list[Any]:
        """Empty also when they were not asked for."""
        children = self.values.get(kAXChildrenAttribute)
        if children is None or isinstance(children, str) or not isinstance(children, Sequence):
            return []
        return [child for child in children if child is not None]

    @property
    def label_element(self) -> Any:
        """The element whose text names this one, if there is one."""
        return self.values.get(kAXTitleUIElementAttribute)

    def first_of(self, attribute: str) -> int | None:
        """Where a range of whole numbers begins."""
        match self.values.get(attribute):
            case [int(start), int()]:
                return start
        return None

    def text(self, attribute: str) -> str:
        value = self.values.get(attribute)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Value:
    """What the second call told; all empty when there was no reason for one."""

    text: str | None = None
    length: int = 0
    number: float | None = None
    range: tuple[float, float] | None = None


def read_record(element: Any, attributes: tuple[str, ...] = ATTRIBUTES) -> Record:
    """The first call. Raises as `ax.read_many`."""
    told = dict(zip(attributes, ax.read_many(element, attributes), strict=True))
    values = {
        name: value for name, value in told.items() if value is not None and not isinstance(value, ax_value.Failed)
    }
    return Record(element, values, isinstance(told.get(kAXChildrenAttribute), ax_value.Failed))


def read_value(record: Record, most: int) -> Value:
    """The second call, for roles that show a value, and never for a secure field."""
    if record.secure or record.role not in ax_roles.VALUED:
        return Value()
    if record.role == kAXTextAreaRole:
        return _long_text(record, most)
    if record.role in ax_roles.RANGED:
        return _ranged(record.element, most)
    return _shown(record, ax.read(record.element, kAXValueAttribute), most)


def _shown(record: Record, value: Any, most: int) -> Value:
    """A field without a value is an empty field."""
    empty = value is None and record.role in ax_roles.TEXTUAL
    return _value("" if empty else value, most)


def _long_text(record: Record, most: int) -> Value:
    """A text area may hold megabytes: only its beginning crosses over (chat-on-steroids #28)."""
    length = ax.read(record.element, kAXNumberOfCharactersAttribute)
    if isinstance(length, int) and length > most:
        text = ax.read_text(record.element, 0, most)
        if text is not None:
            return Value(text[:most], length)
    return _shown(record, ax.read(record.element, kAXValueAttribute), most)


def _ranged(element: Any, most: int) -> Value:
    attributes = (kAXValueAttribute, kAXMinValueAttribute, kAXMaxValueAttribute)
    value, least, greatest = ax.read_many(element, attributes)
    limits = (float(least), float(greatest)) if _is_number(least) and _is_number(greatest) else None
    return replace(_value(value, most), range=limits)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _value(value: Any, most: int) -> Value:
    if isinstance(value, str):
        return Value(value[:most], len(value))
    if _is_number(value):
        text = f"{value:g}"
        return Value(text, len(text), float(value))
    return Value()


def to_element(record: Record, value: Value, *, depth: int = 0, window: int = 0, most: int = 200) -> Element:
    """The model's element. A label's text is its name; a toggle's number is a state."""
    shown = value
    if record.word == "label" or record.role in ax_roles.TOGGLED or record.role == kAXRadioButtonRole:
        shown = Value()
    return Element(
        key=ElementKey(record.element),
        role=record.word,
        name=_name(record, value)[:most],
        value=shown.text,
        value_length=shown.length,
        states=_states(record, value),
        bounds=record.bounds,
        depth=depth,
        window=window,
        pressable=record.role in ax_roles.PRESSABLE,
        settable=record.role in ax_roles.SETTABLE,
        range=value.range,
        cell=_cell(record),
    )


def _cell(record: Record) -> tuple[int, int] | None:
    """AppKit counts from 0, in ranges: a cell may span several."""
    row, column = record.first_of(kAXRowIndexRangeAttribute), record.first_of(kAXColumnIndexRangeAttribute)
    return (row + 1, column + 1) if row is not None and column is not None else None


def press_and_set(element: Element, record: Record) -> Element:
    """The element with what it can do asked of itself, not inferred from its role: two more calls."""
    can_press = kAXPressAction in ax.actions(record.element)
    return replace(element, pressable=can_press, settable=ax.settable(record.element, kAXValueAttribute))


def _name(record: Record, value: Value) -> str:
    said = record.text(kAXTitleAttribute) or record.text(kAXDescriptionAttribute)
    if record.word == "label":
        said = value.text or said
    return said or record.text(kAXPlaceholderValueAttribute) or record.text(kAXHelpAttribute)


def _states(record: Record, value: Value) -> frozenset[State]:
    states = {state for attribute, state in _FLAGS.items() if ax_value.truth(record.values.get(attribute))}
    if ax_value.truth(record.values.get(kAXEnabledAttribute)) is False:
        states.add(State.DISABLED)
    if record.secure:
        states.add(State.SECURE)
    if record.values.get(kAXInvalidAttribute) not in _NOT_INVALID:
        states.add(State.INVALID)
    return frozenset(states | _opened(record, value) | _toggled(record, value))


def _opened(record: Record, value: Value) -> set[State]:
    told = record.values.get(kAXExpandedAttribute)
    if record.word == "treeitem" and told is None:
        told = record.values.get(kAXDisclosingAttribute)
    if record.word == "disclosure" and told is None and value.number is not None:
        told = value.number == 1
    return set() if told is None else {State.EXPANDED if told else State.COLLAPSED}


def _toggled(record: Record, value: Value) -> set[State]:
    """AXValue of a toggle: 0 off, 1 on, 2 mixed (AXAttributeConstants.h)."""
    if value.number is None or record.word == "disclosure":
        return set()
    if record.word == "tab":
        return {State.SELECTED} if value.number == 1 else set()
    if record.role not in ax_roles.TOGGLED and record.role != kAXRadioButtonRole:
        return set()
    on = State.PRESSED if record.word == "togglebutton" else State.CHECKED
    return {1.0: {on}, 2.0: {State.MIXED}}.get(value.number, set())
