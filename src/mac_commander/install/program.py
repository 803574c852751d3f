"""How this very program is started again, by a client that knows no PATH of ours."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

PACKAGE = "mac-commander"

_UVX = ("uvx", "--from", "{source}", PACKAGE)
_PIPX_RUN = ("pipx", "run", "--spec", "{source}", PACKAGE)

RUNNERS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("uv", "archive-v0"): _UVX,
    (".cache", "pipx"): _PIPX_RUN,
    ("Caches", "pipx"): _PIPX_RUN,
    ("pipx", ".cache"): _PIPX_RUN,
}
"""Folders of environments that are thrown away (pipx on Linux, on a Mac, and older), and what makes them anew."""


def command() -> list[str]:
    """Absolute program and its first arguments."""
    script = Path(sys.argv[0]).absolute()
    if script.suffix == ".py" or not script.is_file():
        return [sys.executable, "-P", "-m", "mac_commander"]
    for folder, (runner, *rest) in RUNNERS.items():
        found = shutil.which(runner)
        if found and _within(script, folder):
            return [str(Path(found).absolute()), *(word.format(source=_source()) for word in rest)]
    return [str(script)]


def _within(script: Path, folder: tuple[str, str]) -> bool:
    return folder in zip(script.parts, script.parts[1:], strict=False)


def _source() -> str:
    """Where it was installed from: the index, by the package's name, unless from a file or an address (PEP 610)."""
    try:
        told = metadata.distribution(PACKAGE).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        told = None
    return str(json.loads(told)["url"]) if told else PACKAGE
