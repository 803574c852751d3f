"""Scripts of the user's that make a program out of a value: the model chooses the value, so it would choose what runs.

A hint for whoever writes scripts, not a wall: a program can be built in more ways than these modules know.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mac_commander.core.injection import applescript, javascript, python, shell

_READERS: Mapping[str, Callable[[str], list[int]]] = {
    ".applescript": applescript.risky_lines,
    ".js": javascript.risky_lines,
    ".py": python.risky_lines,
    ".sh": shell.risky_lines,
}

_QUOTES: Mapping[str, str] = {
    ".applescript": "put `quoted form of` before it",
    ".js": "quote it, or use an API that takes arguments as a list",
    ".py": "pass a list of arguments without shell=True, or use shlex.quote",
    ".sh": 'pass it as an argument of its own ("$1"), not inside a program',
}

READ_MOST = 100_000
"""Characters; a longer script is data for the most part."""


def warnings(file: str, suffix: str, text: str) -> list[str]:
    """A sentence for each line that does it, with what to write instead."""
    lines = _READERS[suffix](text[:READ_MOST]) if suffix in _READERS else []
    return [
        f"{file} line {line} makes a program out of a value that the model gives, so a value can run anything: "
        f"{_QUOTES[suffix]}"
        for line in lines
    ]
