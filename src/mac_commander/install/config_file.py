"""A client's configuration file: read whole, replaced whole, the bytes of before kept beside it."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mac_commander.install.edits import LeftAlone

BACKUP_SUFFIX = ".before-mac-commander"

SIZE_MOST = 64 << 20
"""Claude Code keeps its history in the same file; no file of settings is larger."""

PRIVATE = 0o600
"""Of a file that was not there: entries of other servers may hold keys later."""


@dataclass(frozen=True, slots=True)
class ConfigFile:
    path: Path

    @property
    def target(self) -> Path:
        """Behind symbolic links, which people use to keep their settings in one place."""
        return self.path.resolve()

    @property
    def backup(self) -> Path:
        return self.path.with_name(self.path.name + BACKUP_SUFFIX)

    def read(self) -> str | None:
        """Line ends as they are; ``None`` when there is no file. Raises `LeftAlone`."""
        return _read(self.path)

    def read_backup(self) -> str | None:
        return _read(self.backup)

    def write(self, text: str, *, mode: int = PRIVATE) -> None:
        """At once or not at all; the mode stays. Raises `OSError`."""
        with suppress(FileNotFoundError):
            mode = self.target.stat().st_mode & 0o7777
        _replace(self.target, text, mode)

    def keep(self, text: str) -> None:
        """Write the backup, as private as the file is."""
        _replace(self.backup, text, self.target.stat().st_mode & 0o7777)


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > SIZE_MOST:
            raise LeftAlone(f"larger than {SIZE_MOST >> 20} MB; edit it by hand")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise LeftAlone(f"not UTF-8 at byte {error.start}; save it as UTF-8, then try again") from None
    except OSError as error:
        raise LeftAlone(f"cannot be read: {error.strerror}") from None


def _replace(path: Path, text: str, mode: int) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:  # also when interrupted: no stray file beside the user's settings
        Path(name).unlink(missing_ok=True)
        raise
