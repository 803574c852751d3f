"""What is known at one moment about where input would go, gathered for the guard."""

from __future__ import annotations

from dataclasses import dataclass

from mac_commander.desktops.macos import ax, frontmost, keyboard, remote_views, session, windows
from mac_commander.desktops.macos.frontmost import KeyboardOwner
from mac_commander.desktops.macos.human import HumanWatch
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError
from mac_commander.events import Evidence, Owner
from mac_commander.model import App, Point


@dataclass(frozen=True, slots=True)
class Witness:
    workspace: Workspace
    private: PrivateCalls
    human: HumanWatch

    def evidence(self, point: Point | None = None) -> Evidence:
        """Every look is fresh; nothing is kept from the last one."""
        stack = windows.listed()
        front = frontmost.look(self.workspace, stack)
        # Whoever hangs would take the whole time of every further question.
        keys = KeyboardOwner(hung=True) if front.hung else frontmost.keyboard_owner(front.pid)
        state = session.read(self.private)
        owner, drawer = (None, keys.drawn_by) if point is None else self._at(point, front.pid)
        return Evidence(
            frontmost=self._app(front.pid),
            focus=None if keys.pid is None else self._owner(keys.pid),
            focus_window=None if keys.window is None else self.private.window_number(keys.window),
            drawn_by=self._app(drawer),
            hung=self._app(front.pid or front.likely) if keys.hung else None,
            point=owner,
            disagreement=front.disagreement,
            modifiers_held=keyboard.physically_held(),
            human=self.human.seen(),
            locked=state.locked,
            secure_input=self._secure_input(state.secure_input_pid, front.pid),
        )

    def _app(self, pid: int | None) -> App | None:
        return None if pid is None else self.workspace.app(pid)

    def _owner(self, pid: int) -> Owner:
        return Owner(pid, self.workspace.app(pid))

    def _at(self, point: Point, front: int | None) -> tuple[Owner | None, int | None]:
        """Whose window is there, and which other process draws what the app in front shows there.

        The first by the window server's own hit test, so that what a click would reach is what is asked about.
        """
        pid = self.pid_at(point)
        if pid is None or pid != front:
            return None if pid is None else self._owner(pid), None
        try:
            element = ax.element_at(ax.application(pid), point.x, point.y)
            return self._owner(pid), None if element is None else remote_views.drawn_by(element, pid)
        except CommanderError:
            return None, None  # unknown, and the guard refuses what is unknown

    def pid_at(self, point: Point) -> int | None:
        """Whose window is there, or whose open panel; ``None`` when nobody is known."""
        pid = windows.pid_at(point)
        return None if pid is None else remote_views.shown_for(pid, self.workspace, self.private)

    def _secure_input(self, holder: int | None, front: int | None) -> Owner | None:
        """The app in front may hold it for its own password field; keys reach it then."""
        return None if holder is None or (holder == front and holder != 0) else self._owner(holder)
