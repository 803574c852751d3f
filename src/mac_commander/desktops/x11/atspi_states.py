"""AT-SPI state bits (``AtspiStateType`` in at-spi2-core's ``atspi-constants.h``) and what `see` says of them.

A state set travels as two 32-bit words, the low one first; here it is one whole number.
"""

from __future__ import annotations

from collections.abc import Sequence

from mac_commander.model import State

ACTIVE = 1 << 1
BUSY = 1 << 3
CHECKED = 1 << 4
COLLAPSED = 1 << 5
DEFUNCT = 1 << 6
EDITABLE = 1 << 7
ENABLED = 1 << 8
EXPANDABLE = 1 << 9
EXPANDED = 1 << 10
FOCUSABLE = 1 << 11
FOCUSED = 1 << 12
ICONIFIED = 1 << 15
MODAL = 1 << 16
MULTI_LINE = 1 << 17
PRESSED = 1 << 20
SELECTED = 1 << 23
SENSITIVE = 1 << 24
SHOWING = 1 << 25
VISIBLE = 1 << 30
MANAGES_DESCENDANTS = 1 << 31
INDETERMINATE = 1 << 32
REQUIRED = 1 << 33
INVALID_ENTRY = 1 << 36
CHECKABLE = 1 << 41
READ_ONLY = 1 << 43

_SAID = {
    FOCUSED: State.FOCUSED,
    CHECKED: State.CHECKED,
    INDETERMINATE: State.MIXED,
    SELECTED: State.SELECTED,
    EXPANDED: State.EXPANDED,
    PRESSED: State.PRESSED,
    BUSY: State.BUSY,
    REQUIRED: State.REQUIRED,
    INVALID_ENTRY: State.INVALID,
    MODAL: State.MODAL,
}

_ANY_SAID = sum(_SAID)

_EDITED = frozenset({"textfield", "textarea"})
_SET = frozenset({"spinbutton", "slider", "combobox"})
_PRESSED_WHEN_CHECKED = frozenset({"togglebutton", "menubutton"})


def joined(words: Sequence[int]) -> int:
    """The two words of a state set as one number."""
    return sum(word << (32 * place) for place, word in enumerate(words[:2]))


def shown(bits: int, showing_is_told: bool) -> bool:
    """Whether it can be seen. GTK 4 (4.8) never sets SHOWING: there VISIBLE is all that is told."""
    return bool(bits & (SHOWING if showing_is_told else VISIBLE))


def said(bits: int, role: str, secure: bool) -> frozenset[State]:
    """The states in the model's words, for an element of this role.

    Enabled is SENSITIVE: GTK 4 does not set ENABLED (measured). ``CHECKED`` of a toggle button is ARIA's pressed.
    """
    states = {state for bit, state in _SAID.items() if bits & bit} if bits & _ANY_SAID else set()
    if not bits & (SENSITIVE | ENABLED):
        states.add(State.DISABLED)
    if bits & EXPANDABLE and not bits & EXPANDED:
        states.add(State.COLLAPSED)
    if role in _PRESSED_WHEN_CHECKED and State.CHECKED in states:
        states = states - {State.CHECKED} | {State.PRESSED}
    if (role in _EDITED and not bits & EDITABLE) or (role in _SET and bits & READ_ONLY):
        states.add(State.READONLY)
    if secure:
        states.add(State.SECURE)
    return frozenset(states)
