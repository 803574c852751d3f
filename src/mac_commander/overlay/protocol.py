"""What goes between server and helper: two fixed words down a pipe, and one exit code back.

Nothing that a model or an app wrote ever travels here, so that nobody can steer or restyle the halo.
"""

from __future__ import annotations

from enum import IntEnum

PING = b"ping\n"
"""A tool call starts."""

HIDE = b"hide\n"
"""It has returned."""

KINDS = ("x11", "macos", "simulated")
"""Desktops that a helper can be started for."""


class Ending(IntEnum):
    """Why the helper ended. Every other code is a crash, and worth another start."""

    END_OF_INPUT = 0
    NO_DISPLAY = 10
    NO_CLICK_THROUGH = 11
    NO_CAIRO = 12
    NO_VISUAL = 13

    @property
    def explanation(self) -> str:
        """For the one note to the user: what is missing and what to do about it."""
        return EXPLANATIONS[self]


EXPLANATIONS = {
    Ending.END_OF_INPUT: "it was asked to end",
    Ending.NO_DISPLAY: "the display could not be opened or went away",
    Ending.NO_CLICK_THROUGH: "its windows could not be made click-through (on X11 that takes the SHAPE extension 1.1)",
    Ending.NO_CAIRO: "the Cairo library (libcairo.so.2) could not be loaded; install your system's package of it",
    Ending.NO_VISUAL: "this X server has no 24-bit or 32-bit TrueColor visual",
}


class WordReader:
    """Splits what came down the pipe into words, however it was cut on the way."""

    LONGEST = 16
    """A line without end is not one of ours; its beginning is not kept beyond this."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bool]:
        """``True`` for each ping and ``False`` for each hide that is complete now; other lines are ignored."""
        *lines, rest = (self._rest + data).split(b"\n")
        self._rest = rest[: self.LONGEST]
        words = [line + b"\n" for line in lines]
        return [word == PING for word in words if word in (PING, HIDE)]
