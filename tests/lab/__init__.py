"""A private desktop for tests. See README.md in this folder."""

from mac_commander.demo.private_desktop import PrivateDesktop as Lab
from mac_commander.demo.private_desktop import end, missing_programs

__all__ = ["Lab", "end", "missing_programs"]
