"""AXObserver: notifications about elements, delivered when the main run loop turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulated_mac.bridge import CFObject, pyobjc_unicode
from simulated_mac.elements import Element
from simulated_mac.frameworks import ax_values
from simulated_mac.frameworks.ax_errors import (
    API_DISABLED,
    CANNOT_COMPLETE,
    ILLEGAL_ARGUMENT,
    NOTIFICATION_ALREADY_REGISTERED,
    NOTIFICATION_NOT_REGISTERED,
    SUCCESS,
    AXFailure,
)
from simulated_mac.frameworks.ax_values import AXUIElementRef
from simulated_mac.frameworks.run_loop import CFRunLoopSourceRef

if TYPE_CHECKING:
    from simulated_mac.machine import Machine


class AXObserverRef(CFObject):
    kind = "AXObserverRef"

    def __init__(self, machine: Machine, pid: int, callback: Any, with_info: bool) -> None:
        super().__init__()
        self._machine = machine
        self.pid = pid
        self._callback = callback
        self._with_info = with_info
        self.registered: dict[tuple[Any, str], Any] = {}
        self.waiting = machine.notices.subscribe(pid)
        self.source = CFRunLoopSourceRef(self.deliver)

    def deliver(self) -> bool:
        with self._machine.lock:
            taken = [self.waiting.popleft() for _ in range(len(self.waiting))]
        wanted = [(name, subject) for name, subject in taken if self._registration(name, subject) is not None]
        for name, subject in wanted:
            element = ax_values.reference(subject)
            more = [None] if self._with_info else []
            self._callback(self, element, pyobjc_unicode(name), *more, self._registration(name, subject)[0])
        return bool(wanted)

    def _registration(self, name: str, subject: Any) -> Any:
        """The refcon that it was registered with, in a box; ``None`` when it was not. The app's element hears
        of everything in the app, except of the end of elements."""
        whom = [ax_values.reference(subject).identity]
        if name != "AXUIElementDestroyed" or not isinstance(subject, Element):
            whom.append(self.pid)
        return next((self.registered[who, name] for who in whom if (who, name) in self.registered), None)


class Observers:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def AXObserverCreate(self, pid: int, callback: Any) -> tuple[int, Any]:
        return self._create(pid, callback, with_info=False)

    def AXObserverCreateWithInfoCallback(self, pid: int, callback: Any) -> tuple[int, Any]:
        return self._create(pid, callback, with_info=True)

    def _create(self, pid: int, callback: Any, with_info: bool) -> tuple[int, Any]:
        if self._machine.app_of(pid) is None:
            return ILLEGAL_ARGUMENT, None
        return SUCCESS, AXObserverRef(self._machine, pid, callback, with_info)

    def AXObserverGetRunLoopSource(self, observer: AXObserverRef) -> CFRunLoopSourceRef:
        return observer.source

    def AXObserverAddNotification(
        self, observer: AXObserverRef, element: AXUIElementRef, notification: str, refcon: Any
    ) -> int:
        if not self._machine.grants["accessibility"]:
            raise AXFailure(API_DISABLED)
        app = self._machine.app_of(element.pid)
        if app is not None and app.hung:
            raise AXFailure(CANNOT_COMPLETE)
        if (element.identity, notification) in observer.registered:
            return NOTIFICATION_ALREADY_REGISTERED
        observer.registered[element.identity, notification] = (refcon,)
        return SUCCESS

    def AXObserverRemoveNotification(self, observer: AXObserverRef, element: AXUIElementRef, notification: str) -> int:
        if observer.registered.pop((element.identity, notification), None) is None:
            return NOTIFICATION_NOT_REGISTERED
        return SUCCESS
