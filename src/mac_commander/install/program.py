"""How this very program is started again, by a client that knows no PATH of ours."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

RUNNERS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("uv", "archive-v0"): ("uvx", "mac-commander"),
    ("pipx", ".cache"): ("pipx", "run", "mac-commander"),
}
"""Folders of environments that are thrown away, and what makes them anew."""


def command() -> list[str]:
    """Absolute program and its first arguments."""
    script = Path(sys.argv[0]).absolute()
    if script.suffix == ".py" or not script.is_file():
        return [sys.executable, "-m", "mac_commander"]
    for folder, (runner, *rest) in RUNNERS.items():
        found = shutil.which(runner)
        if found and _within(script, folder):
            return [str(Path(found).absolute()), *rest]
    return [str(script)]


def _within(script: Path, folder: tuple[str, str]) -> bool:
    return folder in zip(script.parts, script.parts[1:], strict=False)
