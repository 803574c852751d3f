"""A Mac desktop in memory that code written for PyObjC runs on unchanged.

``install(world, journal)`` puts stand-ins for AppKit, ApplicationServices, Quartz, Foundation, CoreFoundation and
objc where imports find them, and gives the `Machine` behind them.
"""

from __future__ import annotations

from simulated_mac.installation import install
from simulated_mac.machine import Machine
from simulated_mac.schema import WorldError

__all__ = ["Machine", "WorldError", "install"]
