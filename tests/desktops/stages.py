"""What the contract suite needs of each desktop: the desktop, one app on it, and a witness of what reached that app.

The app is the form of `tests/witness` everywhere: on X11 in three toolkits, on the simulated Mac as a world file.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from mac_commander.demo import x_client
from mac_commander.desktops.base import Desktop
from mac_commander.model import App, Element, Limits, Rect, Window
from tests.lab import Lab
from tests.witness import Thief, Witness

SOON = 4.0
"""More than anything here takes; a wait for what must not happen is never written."""


class Stage(ABC):
    """One desktop with the form app in front, and another app behind it that can come to the front."""

    def __init__(self, desktop: Desktop) -> None:
        self.desktop = desktop

    # --- what the desktop says, for tests --------------------------------------------------------------------

    @property
    def app(self) -> App:
        """The form app, as the desktop knows it."""
        return self.app_of(self.pid)

    def app_of(self, pid: int) -> App:
        self.until(lambda: any(a.pid == pid for a in self.desktop.apps()))
        return next(a for a in self.desktop.apps() if a.pid == pid)

    @property
    def window(self) -> Window:
        return next(w for w in self.desktop.windows(self.app) if w.main)

    def elements(self) -> tuple[Element, ...]:
        return self.desktop.snapshot(self.app, Limits()).elements

    def element(self, name: str, role: str | None = None) -> Element:
        """The element of that name; its own container of the same name is not meant."""
        found = [e for e in self.elements() if e.name == name and role in (None, e.role)]
        assert found, f"no {role or 'element'} {name!r} in {[(e.role, e.name) for e in self.elements()]}"
        return next((e for e in found if e.pressable or e.settable), found[-1])

    def until(self, done: Callable[[], Any], seconds: float = SOON) -> None:
        """Let the desktop turn its events until ``done()``."""
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, "it did not happen"
            self.desktop.idle(0.02)

    lacks: frozenset[str] = frozenset()
    """What this toolkit offers no way for; the desktop must then refuse in words and send nothing."""

    other_roles: Mapping[str, str] = {}
    """Where the toolkit gives another role than the form means, by name."""

    # --- what really happened ------------------------------------------------------------------------------

    pid: int

    @abstractmethod
    def text(self, name: str) -> str:
        """What the field holds."""

    @abstractmethod
    def value(self, name: str) -> Any:
        """What the checkbox, slider… holds."""

    @abstractmethod
    def activations(self, name: str) -> int:
        """How often the button, or menu item, did its work."""

    @abstractmethod
    def events(self, event: str, name: str | None = None) -> list[dict[str, Any]]:
        """Input events that reached the app."""

    @abstractmethod
    def bounds(self, name: str) -> Rect:
        """Where the element is on the screen, not asked through accessibility."""

    @abstractmethod
    def focus(self, name: str) -> None:
        """Give the field the keyboard inside its app."""

    # --- the world's own doings ------------------------------------------------------------------------------

    other_pid: int

    @abstractmethod
    def come_forward(self) -> None:
        """The form app is in front."""

    @abstractmethod
    def steal(self) -> None:
        """The other app takes the front."""

    @abstractmethod
    def open_dialog(self) -> None: ...

    @abstractmethod
    def rename(self, name: str, label: str) -> None: ...

    @abstractmethod
    def replace(self, name: str) -> None:
        """Another button of the same name in its place."""


class X11Stage(Stage):
    """No toolkit here scrolls a list's row into view through accessibility (Chromium does). In GTK 4 nothing can be
    focused or picked from the menu bar either, and (up to 4.8) a radio button is a checkbox."""

    lacks = frozenset({"reveal"})

    def __init__(self, desktop: Desktop, lab: Lab, witness: Witness, other: Thief) -> None:
        super().__init__(desktop)
        self.lab, self.witness, self.other = lab, witness, other
        self.pid, self.other_pid = witness.pid, other.pid
        if witness.toolkit == "gtk4":
            self.lacks |= {"focus", "menu"}
            self.other_roles = {"Left": "checkbox", "Right": "checkbox"}
        self.come_forward()

    def text(self, name: str) -> str:
        return str(self.value(name))

    def value(self, name: str) -> Any:
        return self.witness.values[name]

    def activations(self, name: str) -> int:
        return len(self.witness.events("activate", name) + self.witness.events("menu", name))

    def events(self, event: str, name: str | None = None) -> list[dict[str, Any]]:
        return self.witness.events(event, name)

    def bounds(self, name: str) -> Rect:
        return self.witness.bounds(name)

    def focus(self, name: str) -> None:
        assert self.witness.ask("focus", name) in (name, "")

    def come_forward(self) -> None:
        self.other.ask("activate", self.witness.window)
        self.until(lambda: x_client.active_window(self.lab.display) == self.witness.window)

    def steal(self) -> None:
        self.other.ask("activate")
        self.until(lambda: x_client.active_window(self.lab.display) == self.other.window)

    def open_dialog(self) -> None:
        self.witness.ask("dialog")
        self.witness.wait("opened", "dialog")

    def rename(self, name: str, label: str) -> None:
        self.witness.ask("rename", name, label)

    def replace(self, name: str) -> None:
        self.witness.ask("replace", name)
