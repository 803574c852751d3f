"""The one folder that is the user's: ``config.json``, ``audit.jsonl`` and ``scripts/``."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from importlib import resources
from pathlib import Path

from mac_commander.errors import Locked

VARIABLE = "MAC_COMMANDER_HOME"
CONFIG = "config.json"
LOG = "audit.jsonl"
SCRIPTS = "scripts"

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def locate(option: str | None) -> Path:
    """``--home``, else the environment variable, else the platform's per-user application folder."""
    chosen = option or os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return platformdirs.user_data_path(_name(), appauthor=False)


def _name() -> str:
    return "Mac-Commander" if sys.platform == "darwin" else "mac-commander"


def logs() -> Path:
    """The platform's per-user folder for logs, where reports go that nobody named a place for. Not made here."""
    import platformdirs

    return platformdirs.user_log_path(_name(), appauthor=False)


def prepare(home: Path) -> str:
    """Make the folder (0700) and its scripts when they are not there. Returns what went wrong, for stderr, as one
    line; the server then runs on the built-in defaults.

    Raises `Locked` when the folder is there but cannot be trusted.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        check_folder(home)
        _ship_scripts(home / SCRIPTS)
    except OSError as error:
        return f"{home}: {error.strerror}; running on the built-in defaults (choose another folder with --home)"
    return ""


def check_folder(folder: Path) -> None:
    """Raise `Locked` unless the folder is the user's and only the user can write to it."""
    seen = folder.stat()
    if seen.st_uid != os.getuid():
        raise Locked(f"{folder} belongs to user {seen.st_uid}, not to you; its files cannot be trusted: use --home")
    if seen.st_mode & WRITABLE_BY_OTHERS:
        raise Locked(f"{folder} can be written by others, so its files cannot be trusted: chmod go-w {folder}")


def _ship_scripts(folder: Path) -> None:
    """A folder that is there stays as the user left it, also when it is empty."""
    if folder.exists():
        return
    making = folder.with_name(f".{folder.name}.{os.getpid()}")
    making.mkdir(mode=0o700)
    for source in _shipped():
        target = making / source.name
        target.write_bytes(source.read_bytes())
        target.chmod(0o600)
    try:
        making.rename(folder)
    except OSError:  # another server was quicker
        shutil.rmtree(making)


def _shipped() -> list[Path]:
    """On Linux macOS' too, which the simulated Mac runs; each desktop sees only what it has an interpreter for."""
    root = Path(str(resources.files("mac_commander"))) / "scripts"
    folders = [root / "macos"] if sys.platform == "darwin" else [root / "linux", root / "macos"]
    return sorted(p for p in [*(f for folder in folders for f in folder.iterdir()), root / "README.md"] if p.is_file())
