"""The halo of the simulated Mac: keeps the protocol, shows nothing."""

from __future__ import annotations

import os

from mac_commander.overlay.protocol import Ending, WordReader


def run(stdin: int) -> Ending:
    """Take words until the input ends."""
    words = WordReader()
    while data := os.read(stdin, 4096):
        words.feed(data)
    return Ending.END_OF_INPUT
