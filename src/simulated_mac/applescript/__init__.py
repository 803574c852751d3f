"""A little AppleScript: enough for clipboard, argv, notifications and looking at the front app.

What is not known is refused by its line; nothing is ever guessed or skipped.
"""

from __future__ import annotations

from simulated_mac.applescript.errors import ScriptError, Unknown
from simulated_mac.applescript.run import Interpreter

__all__ = ["Interpreter", "ScriptError", "Unknown"]
