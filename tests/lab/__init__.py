"""A private desktop for tests. See README.md in this folder."""

from mac_commander.demo.private_desktop import PrivateDesktop as Lab
from mac_commander.demo.private_desktop import missing_programs
from mac_commander.demo.processes import end

__all__ = ["Lab", "end", "missing_programs"]
