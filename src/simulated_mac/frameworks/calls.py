"""Every call from outside into the simulated Mac passes here: counted, delayed, locked, and open to faults."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simulated_mac.faults import Fault
from simulated_mac.frameworks.ax_errors import AXFailure
from simulated_mac.frameworks.ax_values import AXUIElementRef

if TYPE_CHECKING:
    from simulated_mac.frameworks.accessibility import Accessibility
    from simulated_mac.machine import Machine

ZEROES: dict[str, Any] = {"int": 0, "bool": False, "float": 0.0}
"""What an out argument holds after a call that failed, where it is no object."""

_LOCAL = ("AXUIElementCreate", "AXUIElementGetPid", "AXUIElementGetTypeID", "AXUIElementSetMessagingTimeout")
"""Calls about elements that no app has to answer."""


_WITHOUT_STATE = ("AXValue", "CGRect", "CGPoint", "CGSize", "CFGetTypeID", "CFEqual", "CFHash", "AXUIElementGetTypeID")
"""Calls that only look at what they are given; there are dozens for each element of a tree."""


class Calls:
    def __init__(self, machine: Machine, accessibility: Accessibility) -> None:
        self._machine = machine
        self._accessibility = accessibility

    def function(self, name: str, shape: Any, behaviour: Callable[..., Any]) -> Callable[..., Any]:
        """The behaviour of a C function whose facts give its answer this shape."""
        if name.startswith(_WITHOUT_STATE):
            return behaviour

        def call(*values: Any) -> Any:
            self._machine.calls[name] += 1
            try:
                self._wait(name, values)
                if name.startswith("CFRunLoop"):
                    return behaviour(*values)  # waits, so it must not hold the lock
                fault = self._fault(name, values)
                with self._machine.lock:
                    self._machine.catch_up()
                    return behaviour(*values) if fault is None else _answered(fault, shape, lambda: behaviour(*values))
            except AXFailure as failure:
                return _failed(shape, failure.code)

        return call

    def _wait(self, name: str, values: tuple[Any, ...]) -> None:
        asked = values[0] if values and isinstance(values[0], AXUIElementRef) else None
        if asked is not None and not name.startswith(_LOCAL):
            self._accessibility.wait_for(asked)

    def _fault(self, name: str, values: tuple[Any, ...]) -> Fault | None:
        """The fault that the call meets, after the time that it takes."""
        if not self._machine.faults:
            return None
        asked = values[0] if values else None
        about = values[1] if len(values) > 1 and isinstance(values[1], str) else None
        with self._machine.lock:
            fault = self._machine.faults.find(name, self._accessibility.names_of(asked), about)
        if fault is not None and fault.delay:
            time.sleep(fault.delay)
        return fault

    def method(self, name: str, receiver: Any, do: Callable[[], Any], shape: Any) -> Any:
        """A call of an Objective-C method; a fault's code is what it answers."""
        self._machine.calls[name] += 1
        if name == "run":
            return do()  # lasts as long as the program, so it must not hold the lock
        with self._machine.lock:
            self._machine.catch_up()
            if not self._machine.faults:
                return do()
            fault = self._machine.faults.find(name, getattr(receiver, "app_names", ()))
            return do() if fault is None else _answered(fault, shape, do)


def _answered(fault: Fault, shape: Any, do: Callable[[], Any]) -> Any:
    if fault.works_anyway:
        do()
    return _failed(shape, fault.code)


def _failed(shape: Any, code: int) -> Any:
    """The error, with every out argument zeroed. What has no error to give answers zero or nothing."""
    if isinstance(shape, list):
        first = code if shape[0] == "int" else ZEROES.get(shape[0])
        return first, *(ZEROES.get(part) for part in shape[1:])
    if shape == "int":
        return code
    return bool(code) if shape == "bool" else None
