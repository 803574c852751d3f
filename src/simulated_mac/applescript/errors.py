"""How a script can end badly."""

from __future__ import annotations


class ScriptError(Exception):
    """An AppleScript error with its number, as ``osascript`` prints it."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.message, self.number = message, number


class Unknown(Exception):
    """AppleScript that this simulation does not know."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(line, text)
        self.line, self.text = line, text
