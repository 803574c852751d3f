"""Which grants are there, found by trying, and who needs those that are not."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from ApplicationServices import AXIsProcessTrusted, kAXFocusedApplicationAttribute
from Quartz import CGPreflightPostEventAccess, CGPreflightScreenCaptureAccess

from mac_commander.desktops.macos import ax
from mac_commander.desktops.macos.private import PrivateCalls
from mac_commander.desktops.macos.workspace import Workspace
from mac_commander.errors import CommanderError
from mac_commander.model import Readiness

_PANE = "System Settings > Privacy & Security > {}"
_RESTART = "then quit and open {0} again"


def readiness(responsible: str) -> Readiness:
    return Readiness(accessibility(responsible), screenshots(responsible), events(responsible))


def accessibility(responsible: str) -> str:
    """Empty when accessibility works. The flag alone is not believed: after an update or a reset it has said
    granted while every call was refused (cua #1561)."""
    if not AXIsProcessTrusted():
        return _missing("Accessibility", "read or drive any app", responsible)
    try:
        ax.read(ax.system_wide(), kAXFocusedApplicationAttribute)
    except CommanderError as error:
        return (
            f"Accessibility is granted to {responsible}, but macOS refuses the calls all the same ({error}). In "
            f"{_PANE.format('Accessibility')} remove {responsible} from the list and add it again, "
            f"{_RESTART.format(responsible)}"
        )
    return ""


def screenshots(responsible: str) -> str:
    if CGPreflightScreenCaptureAccess():
        return ""
    return _missing("Screen & System Audio Recording", "take screenshots", responsible)


def events(responsible: str) -> str:
    if CGPreflightPostEventAccess():
        return ""
    return _missing("Accessibility", "send keys and clicks", responsible)


def _missing(grant: str, purpose: str, responsible: str) -> str:
    return (
        f"{grant} is not granted to {responsible}, so Mac-Commander cannot {purpose}. Turn {responsible} on in "
        f"{_PANE.format(grant)} (when it is not listed there, add it with +), {_RESTART.format(responsible)}"
    )


def responsible_program(workspace: Workspace, private: PrivateCalls, ancestors: Iterable[int]) -> str:
    """The program that macOS charges our calls to, as it says itself: the app that started us (a terminal), or our
    own where that app lets what it starts answer for itself (Claude Desktop: claude-code #55169). Where macOS does
    not say, the nearest ancestor that is an app with a bundle, else our own (hermes-agent #85345)."""
    responsible = private.responsible_for(os.getpid())
    if responsible is not None and responsible != os.getpid():
        app = workspace.app(responsible)
        return app.name if app is not None else f"the program with pid {responsible}"
    for pid in ancestors if responsible is None else ():
        app = workspace.app(pid)
        if app is not None and app.app_id:
            return app.name
    return sys.executable
