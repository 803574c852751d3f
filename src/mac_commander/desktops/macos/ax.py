"""AXUIElement calls, their answers as plain Python values and their errors as words. No other file makes one.

Every function here makes exactly one accessibility call, bounded by the messaging timeout that `bounded` sets.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from ApplicationServices import (
    AXUIElementCopyActionNames,
    AXUIElementCopyAttributeValue,
    AXUIElementCopyAttributeValues,
    AXUIElementCopyElementAtPosition,
    AXUIElementCopyMultipleAttributeValues,
    AXUIElementCopyParameterizedAttributeValue,
    AXUIElementCreateApplication,
    AXUIElementCreateSystemWide,
    AXUIElementGetPid,
    AXUIElementIsAttributeSettable,
    AXUIElementPerformAction,
    AXUIElementSetAttributeValue,
    AXUIElementSetMessagingTimeout,
    kAXErrorActionUnsupported,
    kAXErrorAPIDisabled,
    kAXErrorAttributeUnsupported,
    kAXErrorCannotComplete,
    kAXErrorFailure,
    kAXErrorIllegalArgument,
    kAXErrorInvalidUIElement,
    kAXErrorInvalidUIElementObserver,
    kAXErrorNotEnoughPrecision,
    kAXErrorNotificationAlreadyRegistered,
    kAXErrorNotificationNotRegistered,
    kAXErrorNotificationUnsupported,
    kAXErrorNotImplemented,
    kAXErrorNoValue,
    kAXErrorParameterizedAttributeUnsupported,
    kAXErrorSuccess,
    kAXPressAction,
    kAXStringForRangeParameterizedAttribute,
)

from mac_commander.desktops.macos.ax_value import NOTHING, plain, range_value
from mac_commander.errors import CommanderError, DesktopError, Hung, Stale, Uncertain, Unsupported

MESSAGING_SECONDS = 1.0
"""How long one app may take over one call. A guard makes up to four and must answer within 5 s."""

AT_ONCE_SECONDS = 0.05
"""An app that hangs is found out when the time for its answer is over. The same error at once says of one element that
the process that draws it, or the page that it was on, cannot be reached; the app may be well."""

WORDS: Mapping[int, str] = {
    kAXErrorFailure: "the app reported a failure",
    kAXErrorIllegalArgument: "the app does not accept this value",
    kAXErrorInvalidUIElement: "the element is gone",
    kAXErrorInvalidUIElementObserver: "the accessibility observer is gone",
    kAXErrorCannotComplete: "the app did not answer in time",
    kAXErrorAttributeUnsupported: "the element does not have this attribute",
    kAXErrorActionUnsupported: "the element does not have this action",
    kAXErrorNotificationUnsupported: "the element does not send this notification",
    kAXErrorNotImplemented: "the app does not implement accessibility",
    kAXErrorNotificationAlreadyRegistered: "the notification is registered already",
    kAXErrorNotificationNotRegistered: "the notification is not registered",
    kAXErrorAPIDisabled: "macOS does not let this program use accessibility: see mac-commander doctor",
    kAXErrorNoValue: "the attribute has no value",
    kAXErrorParameterizedAttributeUnsupported: "the element does not have this attribute",
    kAXErrorNotEnoughPrecision: "the value is not precise enough",
}
"""Every ``kAXError`` in words (AXError.h)."""

_KINDS: Mapping[int, type[CommanderError]] = {
    kAXErrorInvalidUIElement: Stale,
    kAXErrorCannotComplete: Hung,
    kAXErrorAttributeUnsupported: Unsupported,
    kAXErrorActionUnsupported: Unsupported,
    kAXErrorNotificationUnsupported: Unsupported,
    kAXErrorNotImplemented: Unsupported,
    kAXErrorParameterizedAttributeUnsupported: Unsupported,
}

_CERTAINLY_NOT_DONE = frozenset((kAXErrorActionUnsupported, kAXErrorInvalidUIElement, kAXErrorAPIDisabled))
"""After any other error an action may have worked: Electron answers -25205 to presses that did (electron #37465),
and a press that opens a menu does not answer until the menu closes (hs._asm.axuielement #13)."""


def failure(error: int, wanted: str) -> CommanderError:
    """The typed error for a code, worded: what was wanted, what was seen."""
    kind = _KINDS.get(error, DesktopError)
    return kind(f"{wanted}: {WORDS.get(error, 'the app answered with an unknown error')} (AXError {error})")


class APIDisabled(DesktopError):
    """The Accessibility grant is missing: nothing was read and nothing was done."""


class Unanswered(Uncertain):
    """The app did not answer while it acted."""


class Unreached(DesktopError):
    """The message did not arrive: what it is about is going away, or not there yet. Others may be."""


def _check(error: int, wanted: str, begun: float = -AT_ONCE_SECONDS) -> None:
    """``begun``: when the call was made, for those that an app may hold up."""
    if error == kAXErrorAPIDisabled:
        raise APIDisabled(f"{wanted}: {WORDS[error]} (AXError {error})")
    if error == kAXErrorCannotComplete and time.monotonic() - begun < AT_ONCE_SECONDS:
        raise Unreached(f"{wanted}: it could not be reached (AXError {error}): it is gone, or not there yet. See again")
    if error != kAXErrorSuccess:
        raise failure(error, wanted)


# --- elements to begin with --------------------------------------------------------------------------------


def system_wide() -> Any:
    """The element that stands for the whole desktop; its timeout is the default for all elements."""
    return bounded(AXUIElementCreateSystemWide())


def application(pid: int) -> Any:
    """The app's root element."""
    return bounded(AXUIElementCreateApplication(pid))


def bounded(element: Any, seconds: float = MESSAGING_SECONDS) -> Any:
    """The element, with a limit on how long its calls may take. Equal references do not share one
    (AXorcist #45), so it is set on each that is made here.

    Raises `DesktopError` when the limit cannot be set: a read without one may block for ever (Peekaboo #473).
    """
    error = AXUIElementSetMessagingTimeout(element, seconds)
    if error == kAXErrorAPIDisabled:
        _check(error, "limit how long an app may take to answer")
    if error != kAXErrorSuccess:
        raise DesktopError(
            f"accessibility calls cannot be limited in time (AXError {error}: {WORDS.get(error, 'unknown')}), so none "
            "is made: one could block for ever. Try again"
        )
    return element


# --- reading -----------------------------------------------------------------------------------------------


def read(element: Any, attribute: str) -> Any:
    """One attribute as a plain value, ``None`` when it has none. Raises `Stale`, `Hung`, `DesktopError`."""
    begun = time.monotonic()
    error, value = AXUIElementCopyAttributeValue(element, attribute, None)
    if error in NOTHING:
        return None
    _check(error, f"read {attribute}", begun)
    return plain(value)


def read_many(element: Any, attributes: Sequence[str]) -> list[Any]:
    """Several attributes in one call, in order; ``None`` for each that the element does not have, and `Failed`
    for each that could not be told."""
    begun = time.monotonic()
    error, values = AXUIElementCopyMultipleAttributeValues(element, attributes, 0, None)
    _check(error, "read an element", begun)
    if values is None or len(values) != len(attributes):
        raise DesktopError("read an element: the app answered with too few values. Try again")
    return [plain(value) for value in values]


def read_range(element: Any, attribute: str, start: int, count: int) -> list[Any]:
    """Some members of an array attribute, fewer at its end. Works where the whole array fails (vimac #386)."""
    begun = time.monotonic()
    error, values = AXUIElementCopyAttributeValues(element, attribute, start, count, None)
    if error in NOTHING or (error == kAXErrorIllegalArgument and start > 0):
        return []  # a start beyond the end is an illegal argument
    _check(error, f"read {attribute}", begun)
    return [plain(value) for value in values or ()]


def read_text(element: Any, start: int, count: int) -> str | None:
    """A part of a text element's text, ``None`` when it cannot give parts."""
    span = range_value(start, count)
    error, text = AXUIElementCopyParameterizedAttributeValue(
        element, kAXStringForRangeParameterizedAttribute, span, None
    )
    if error in (*NOTHING, kAXErrorParameterizedAttributeUnsupported, kAXErrorIllegalArgument):
        return None
    _check(error, "read text")
    return str(text) if isinstance(text, str) else None


def element_at(app: Any, x: float, y: float) -> Any:
    """The app's deepest element at that point, ``None`` when there is none."""
    begun = time.monotonic()
    error, element = AXUIElementCopyElementAtPosition(app, x, y, None)
    if error in NOTHING:
        return None
    _check(error, "find the element at a point", begun)
    return element


def pid_of(element: Any) -> int:
    error, pid = AXUIElementGetPid(element, None)
    _check(error, "find the process of an element")
    return int(pid)


def actions(element: Any) -> frozenset[str]:
    error, names = AXUIElementCopyActionNames(element, None)
    if error in (*NOTHING, kAXErrorActionUnsupported):
        return frozenset()
    _check(error, "read an element's actions")
    return frozenset(str(name) for name in names or ())


def settable(element: Any, attribute: str) -> bool:
    error, answer = AXUIElementIsAttributeSettable(element, attribute, None)
    if error in NOTHING:
        return False
    _check(error, f"ask whether {attribute} can be set")
    return bool(answer)


# --- doing -------------------------------------------------------------------------------------------------


def perform(element: Any, action: str, wanted: str) -> None:
    """One action. Raises `Unsupported`, `Stale` or `APIDisabled` when it certainly did not happen, `Uncertain`
    after every other error: it must then not be repeated."""
    _check_done(AXUIElementPerformAction(element, action), wanted)


def press(element: Any, wanted: str) -> None:
    """``AXPress`` of an element that lists it. Raises `Stale`, `APIDisabled` or `Uncertain`: that there is no such
    action is no more to be believed than that there is no such attribute, so no click follows it."""
    error = AXUIElementPerformAction(element, kAXPressAction)
    if error == kAXErrorActionUnsupported:
        raise _uncertain(error, wanted)
    _check_done(error, wanted)


def write(element: Any, attribute: str, value: Any, wanted: str) -> None:
    """Set one attribute; errors as for `perform`, and `Unsupported` for a value that is not accepted."""
    error = AXUIElementSetAttributeValue(element, attribute, value)
    if error == kAXErrorIllegalArgument:
        raise Unsupported(f"{wanted}: {WORDS[error]} (AXError {error})")
    _check_done(error, wanted)


def ask_to_write(element: Any, attribute: str, value: Any) -> int:
    """Set one attribute and give the raw answer: for requests whose effect is looked at, not their answer."""
    return int(AXUIElementSetAttributeValue(element, attribute, value))


def ask_to_perform(element: Any, action: str) -> int:
    """One action and its raw answer, for requests whose effect is looked at."""
    return int(AXUIElementPerformAction(element, action))


def _check_done(error: int, wanted: str) -> None:
    if error == kAXErrorSuccess:
        return
    if error in _CERTAINLY_NOT_DONE:
        _check(error, wanted)
    raise _uncertain(error, wanted, Unanswered if error == kAXErrorCannotComplete else Uncertain)


def _uncertain(error: int, wanted: str, kind: type[Uncertain] = Uncertain) -> Uncertain:
    return kind(
        f"{wanted}: {WORDS.get(error, 'the app answered with an unknown error')} (AXError {error}), but it may have "
        "happened all the same. Look with see before doing it again"
    )
