"""One file, one tool; these are all of them."""

from __future__ import annotations

from mac_commander.tools.act import ACT
from mac_commander.tools.app import APP
from mac_commander.tools.applescript import APPLESCRIPT
from mac_commander.tools.declaration import Tool
from mac_commander.tools.notify import NOTIFY
from mac_commander.tools.see import SEE

TOOLS: tuple[Tool, ...] = (SEE, ACT, APP, NOTIFY, APPLESCRIPT)
