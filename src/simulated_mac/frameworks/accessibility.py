"""HIServices' accessibility calls: ``AXUIElement*``, ``AXValue*``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from simulated_mac.elements import App, Element, Window
from simulated_mac.frameworks import ax_read, ax_values, ax_write
from simulated_mac.frameworks.ax_errors import (
    API_DISABLED,
    ATTRIBUTE_UNSUPPORTED,
    CANNOT_COMPLETE,
    ILLEGAL_ARGUMENT,
    INVALID_ELEMENT,
    NO_VALUE,
    PARAMETERIZED_ATTRIBUTE_UNSUPPORTED,
    SUCCESS,
    AXFailure,
)
from simulated_mac.frameworks.ax_values import AXUIElementRef, AXValueRef
from simulated_mac.structs import StructTypes

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

DEFAULT_TIMEOUT = 6.0
"""Seconds that macOS waits for an app when nobody said otherwise."""

STOP_ON_ERROR = 1


class Accessibility:
    def __init__(self, machine: Machine, structs: StructTypes) -> None:
        self._machine = machine
        self._structs = structs
        self._default_timeout = DEFAULT_TIMEOUT

    # --- what a reference stands for ---------------------------------------------------------------------------

    def wait_for(self, element: Any) -> None:
        """Let pass the time that this element's app takes, called without the machine's lock.

        Raises `AXFailure` when the app takes longer than the caller allows.
        """
        app = self._machine.front if element.identity == ax_values.SYSTEM_WIDE else self._app(element)
        if app is None:
            return
        limit = element.timeout or self._default_timeout
        takes = float("inf") if app.hung else app.spec.get("slow_ms", 0) / 1000
        if takes:
            time.sleep(min(takes, limit))
        if takes > limit:
            raise AXFailure(CANNOT_COMPLETE)

    def _app(self, element: Any) -> App | None:
        return self._machine.app_of(element.pid) if isinstance(element, AXUIElementRef) else None

    def names_of(self, element: Any) -> tuple[str, ...]:
        """Names of the app that a reference belongs to, for the world's faults."""
        app = self._app(element)
        return (app.name, app.bundle_id, app.local_name) if app else ()

    def _subject(self, element: AXUIElementRef) -> Any:
        if not self._machine.grants["accessibility"]:
            raise AXFailure(API_DISABLED)
        if element.identity == ax_values.SYSTEM_WIDE:
            return element.identity
        if isinstance(element.identity, Element):
            if not element.identity.alive:
                raise AXFailure(INVALID_ELEMENT)
            return element.identity
        app = self._machine.app_of(element.pid)
        if app is None:
            raise AXFailure(INVALID_ELEMENT)
        return app

    # --- permission --------------------------------------------------------------------------------------------

    def AXIsProcessTrusted(self) -> bool:
        return self._machine.grants["accessibility"]

    def AXAPIEnabled(self) -> bool:
        return self._machine.grants["accessibility"]

    def AXIsProcessTrustedWithOptions(self, options: Any) -> bool:
        return self._machine.grants["accessibility"]

    # --- references --------------------------------------------------------------------------------------------

    def AXUIElementCreateApplication(self, pid: int) -> AXUIElementRef:
        return AXUIElementRef(pid, pid)

    def AXUIElementCreateSystemWide(self) -> AXUIElementRef:
        return AXUIElementRef(ax_values.SYSTEM_WIDE, 0)

    def AXUIElementSetMessagingTimeout(self, element: AXUIElementRef, seconds: float) -> int:
        """On this very reference; on the system-wide element, for all that have none of their own."""
        if seconds < 0:
            return ILLEGAL_ARGUMENT
        if element.identity == ax_values.SYSTEM_WIDE:
            self._default_timeout = seconds or DEFAULT_TIMEOUT
        else:
            element.timeout = seconds or None
        return SUCCESS

    def AXUIElementGetPid(self, element: AXUIElementRef) -> tuple[int, int]:
        return SUCCESS, element.pid

    # --- reading -----------------------------------------------------------------------------------------------

    def AXUIElementCopyAttributeNames(self, element: AXUIElementRef) -> tuple[int, Any]:
        return SUCCESS, list(ax_read.table(self._subject(element)))

    def AXUIElementCopyAttributeValue(self, element: AXUIElementRef, attribute: str) -> tuple[int, Any]:
        return SUCCESS, ax_read.read(self._machine, self._subject(element), attribute)

    def AXUIElementCopyMultipleAttributeValues(
        self, element: AXUIElementRef, attributes: Any, options: int
    ) -> tuple[int, Any]:
        """One slot for each; an attribute that cannot be read is an AXValue with its error in it."""
        subject = self._subject(element)
        known = ax_read.table(subject)
        values: list[Any] = []
        for attribute in attributes:
            try:
                values.append(ax_read.read_from(known, self._machine, subject, attribute))
            except AXFailure as failure:
                if options & STOP_ON_ERROR:
                    return failure.code, None
                values.append(ax_values.error(failure.code))
        return SUCCESS, values

    def AXUIElementCopyAttributeValues(
        self, element: AXUIElementRef, attribute: str, index: int, most: int
    ) -> tuple[int, Any]:
        members = ax_read.members(self._machine, self._subject(element), attribute)
        if index < 0 or most < 0 or index > len(members) or (index == len(members) and index > 0):
            raise AXFailure(ILLEGAL_ARGUMENT)
        return SUCCESS, ax_read.told(members[index : index + most])

    def AXUIElementGetAttributeValueCount(self, element: AXUIElementRef, attribute: str) -> tuple[int, int]:
        return SUCCESS, len(ax_read.members(self._machine, self._subject(element), attribute))

    def AXUIElementIsAttributeSettable(self, element: AXUIElementRef, attribute: str) -> tuple[int, bool]:
        subject = self._subject(element)
        if attribute not in ax_read.table(subject) and attribute not in ax_write.table(subject):
            raise AXFailure(ATTRIBUTE_UNSUPPORTED)
        return SUCCESS, attribute in ax_write.table(subject) and attribute != "AXManualAccessibility"

    def AXUIElementCopyActionNames(self, element: AXUIElementRef) -> tuple[int, Any]:
        return SUCCESS, list(ax_write.actions(self._subject(element)))

    def AXUIElementCopyActionDescription(self, element: AXUIElementRef, action: str) -> tuple[int, Any]:
        if action not in ax_write.actions(self._subject(element)):
            raise AXFailure(NO_VALUE)
        return SUCCESS, action.removeprefix("AX").lower()

    def AXUIElementCopyParameterizedAttributeNames(self, element: AXUIElementRef) -> tuple[int, Any]:
        subject = self._subject(element)
        has_text = isinstance(subject, Element) and subject.editor is not None
        return SUCCESS, ["AXStringForRange"] if has_text else []

    def AXUIElementCopyParameterizedAttributeValue(
        self, element: AXUIElementRef, attribute: str, parameter: Any
    ) -> tuple[int, Any]:
        subject = self._subject(element)
        if attribute != "AXStringForRange" or not isinstance(subject, Element) or subject.editor is None:
            raise AXFailure(PARAMETERIZED_ATTRIBUTE_UNSUPPORTED)
        if not isinstance(parameter, AXValueRef) or parameter.value_type != ax_values.RANGE or subject.secure:
            raise AXFailure(ILLEGAL_ARGUMENT)
        location, length = parameter.value
        units = subject.editor.text.encode("utf-16-le", "surrogatepass")
        if location + length > len(units) // 2:
            raise AXFailure(ILLEGAL_ARGUMENT)
        return SUCCESS, units[2 * location : 2 * (location + length)].decode("utf-16-le", "replace")

    def AXUIElementCopyElementAtPosition(self, element: AXUIElementRef, x: float, y: float) -> tuple[int, Any]:
        subject = self._subject(element)
        window = self._window_for(subject, (x, y))
        if window is not None:
            return SUCCESS, ax_values.reference(window.element_at((x, y)))
        menu = self._machine.menu_element_at((x, y))
        if menu is None or (isinstance(subject, App) and menu.app is not subject):
            raise AXFailure(NO_VALUE)
        return SUCCESS, ax_values.reference(menu)

    def _window_for(self, subject: Any, point: tuple[float, float]) -> Window | None:
        """For an app its own window there, also when another app's covers it."""
        if not isinstance(subject, App):
            window = self._machine.window_at(point)
            return window if window is not None and window.accessible else None
        own = [window for window in self._machine.stack if window.app is subject and window.visible]
        return next((window for window in own if window.accessible and window.frame.contains(point)), None)

    # --- doing -------------------------------------------------------------------------------------------------

    def AXUIElementSetAttributeValue(self, element: AXUIElementRef, attribute: str, value: Any) -> int:
        ax_write.write(self._machine, self._subject(element), attribute, value)
        return SUCCESS

    def AXUIElementPerformAction(self, element: AXUIElementRef, action: str) -> int:
        ax_write.perform(self._machine, self._subject(element), action)
        return SUCCESS

    # --- boxes -------------------------------------------------------------------------------------------------

    def AXValueCreate(self, value_type: int, value: Any) -> AXValueRef | None:
        if value_type not in ax_values.STRUCTS:
            raise ValueError(f"Unknown value type: {value_type}")
        return AXValueRef(value_type, tuple(self._structs.convert(ax_values.STRUCTS[value_type], value)))

    def AXValueGetType(self, value: AXValueRef) -> int:
        return value.value_type

    def AXValueGetValue(self, value: AXValueRef, value_type: int) -> tuple[bool, Any]:
        if value_type == ax_values.ERROR:
            return (True, int(value.value)) if value.value_type == ax_values.ERROR else (False, None)
        if value_type not in ax_values.STRUCTS:
            raise ValueError(f"Unknown value type: {value_type}")
        if value.value_type != value_type:
            return False, None
        return True, self._structs.convert(ax_values.STRUCTS[value_type], value.value)

    # --- the private one ---------------------------------------------------------------------------------------

    def _AXUIElementGetWindow(self, element: AXUIElementRef) -> tuple[int, int]:
        subject = self._subject(element)
        window = subject.window if isinstance(subject, Element) else None
        if window is None or not window.listed:
            raise AXFailure(ILLEGAL_ARGUMENT)
        return SUCCESS, window.number
