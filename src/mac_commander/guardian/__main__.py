"""The guardian's own process: listen until the server is gone, then let go of what it held and pay what it owed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from mac_commander.guardian.record import READY_LINE, Record, told

Release = Callable[[tuple[str, ...]], None]


def main() -> int:
    """Serve one server until its end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends with the server, never before it
    os.write(1, READY_LINE)
    os.close(1)
    record = Record()
    release = _release(record)
    for line in _lines():
        before, record = record, told(record, line)
        if (record.kind, record.environment) != (before.kind, before.environment):
            release = _release(record)
    try:
        if record.held:
            release(record.held)
    finally:  # a desktop that died with the server must not cost the line
        if record.owed is not None:
            _pay(*record.owed)
    return 0


def _lines() -> Iterator[str]:
    with os.fdopen(0, "rb", buffering=0) as pipe:
        rest = b""
        while chunk := pipe.read(65536):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", "replace")


def _release(record: Record) -> Release:
    """Loaded before it is needed: at the end every millisecond counts."""
    os.environ.update(record.environment)
    if record.kind == "x11":
        from mac_commander.desktops.x11.release import release

        return release
    if record.kind == "macos":
        from mac_commander.desktops.macos.release import release as release_mac

        return release_mac
    return lambda _held: None


def _pay(path: str, line: str) -> None:
    from mac_commander.core.audit import append_line
    from mac_commander.errors import Locked

    try:
        append_line(Path(path), line.encode() + b"\n")
    except Locked as error:
        sys.stderr.write(f"mac-commander guardian: {error}\n")


if __name__ == "__main__":
    sys.exit(main())
