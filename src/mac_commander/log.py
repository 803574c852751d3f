"""``mac-commander log``: the audit log for people. Tolerant of torn lines, and says what is missing."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, NoReturn

from mac_commander import home
from mac_commander.core import config
from mac_commander.core.audit import digest
from mac_commander.core.screen_text import escaped
from mac_commander.errors import Locked

FOLLOW_SECONDS = 0.25
SHOWN_MOST = 3000
"""Characters of one field; no longer ones are written."""

CHAINS_MOST = 100
"""Servers whose numbering is followed at a time."""

TOOLS = ("see", "act", "app", "notify", "applescript")
"""A test compares them with the tools' own declarations, which take much longer to import."""

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_WIDTHS = {"ts": 24, "tool": 11, "target": 20}


@dataclass(frozen=True, slots=True)
class Line:
    """One call."""

    ts: str
    tool: str
    target: str
    summary: str
    result: str
    seq: int
    prev: str
    raw: str

    @classmethod
    def read(cls, raw: bytes) -> Line | None:
        """``None`` for a line that was torn or is none of ours."""
        try:
            text = raw.decode()
            given = json.loads(text)
            words = [given[key] for key in ("ts", "tool", "target", "summary", "result")]
            seq, prev = given.get("seq", 0), given.get("prev", "")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if not all(isinstance(word, str) for word in words) or not isinstance(seq, int) or not isinstance(prev, str):
            return None
        return cls(words[0], words[1], words[2], words[3], words[4], seq, prev, text)

    def plain(self) -> str:
        target = f" {escaped(self.target, SHOWN_MOST)}" if self.target else ""
        return (
            f"{self.ts} {self.tool}{target}: {escaped(self.summary, SHOWN_MOST)} -> {escaped(self.result, SHOWN_MOST)}"
        )

    def row(self, width: int) -> str:
        cells = [escaped(getattr(self, name), SHOWN_MOST)[:room].ljust(room) for name, room in _WIDTHS.items()]
        return f"{'  '.join(cells)}  {escaped(self.result, SHOWN_MOST)}  {escaped(self.summary, SHOWN_MOST)}"[:width]


class Gaps:
    """Finds lines that were lost, by their numbers. Each server counts from 1, and several may write at once."""

    def __init__(self) -> None:
        self._expected: list[int] = []
        self.missing = 0

    def follow(self, seq: int) -> int:
        """How many lines are missing before this one."""
        if seq < 1:
            return 0
        lost = 0
        if seq in self._expected:
            self._expected.remove(seq)
        elif seq > 1 and (earlier := [n for n in self._expected if n < seq]):
            lost = seq - max(earlier)
            self._expected.remove(max(earlier))
        self._expected = [*self._expected, seq + 1][-CHAINS_MOST:]
        self.missing += lost
        return lost


class Chain:
    """Finds lines that were changed: each names the one before it, of the same server, by its digest."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        """How many servers wrote a line of that digest last: two may write the same one in the same millisecond."""
        self.broken = 0

    def follow(self, line: Line, lost: int) -> None:
        """``lost`` lines are known to be missing before it: then it cannot fit."""
        if line.prev in self._last:
            self._last[line.prev] -= 1
            if not self._last[line.prev]:
                del self._last[line.prev]
        elif line.prev and not lost:
            self.broken += 1
        name = digest(line.raw.encode())
        self._last[name] = self._last.get(name, 0) + 1
        if len(self._last) > CHAINS_MOST:
            del self._last[next(iter(self._last))]


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 shown, 1 there is no log, 2 wrong usage."""
    options = _parser().parse_args(argv)
    path = _path(home.locate(options.home))
    if path is None or not path.is_file():
        sys.stderr.write(
            f"mac-commander log: no calls yet: {path or 'the log'} is not there (--home names another folder)\n"
        )
        return 1
    try:
        _show(path, options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("mac-commander log", description="Read the audit log: one line for every call.")
    parser.add_argument("--home", metavar="DIR", help="the folder of the server, when it is not the usual one")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with new lines as they come")
    parser.add_argument("-n", "--last", type=_count, metavar="N", help="only the last N of what fits")
    parser.add_argument("--tool", choices=TOOLS, metavar="TOOL", help=f"only this tool: {', '.join(TOOLS)}")
    parser.add_argument("--app", help="only targets that contain this")
    parser.add_argument("--result", help="only results that contain this, like refused")
    parser.add_argument("--since", type=_moment, metavar="WHEN", help="10m, 2h, 1d, or 2026-11-30T18:00 (UTC)")
    parser.add_argument("--format", choices=["plain", "table", "json"], default="plain")
    return parser


def _count(text: str) -> int:
    if not re.fullmatch(r"0*[1-9]\d{0,8}", text):
        raise argparse.ArgumentTypeError(f"wanted a number from 1 on, got {text!r}")
    return int(text)


def _moment(text: str) -> str:
    """The moment as the log writes it, so that text compares as time does."""
    if match := re.fullmatch(r"(\d{1,6})([smhd])", text):
        moment = datetime.now(UTC) - timedelta(**{_UNITS[match[2]]: int(match[1])})
    else:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"wanted 10m, 2h, 1d or 2026-11-30T18:00, got {text!r}") from None
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _path(folder: Path) -> Path | None:
    """Where the config says. Looks only: nothing is made."""
    if not (folder / "config.json").exists():
        return config.defaults(folder).audit_log
    try:
        return config.load(folder).audit_log
    except Locked as lock:
        sys.stderr.write(f"mac-commander log: {lock}; reading the default log\n")
        return config.defaults(folder).audit_log


def _show(path: Path, options: argparse.Namespace) -> None:
    write = _writer(options.format)
    gaps, chain, torn = Gaps(), Chain(), 0
    fitting: list[tuple[int, Line]] = []
    with path.open("rb") as file:
        for raw in _lines(file):
            line = Line.read(raw)
            if line is None:
                torn += 1
                continue
            lost = gaps.follow(line.seq)
            chain.follow(line, lost)
            if _fits(line, options):
                fitting.append((lost, line))
        for lost, line in fitting[-options.last :] if options.last else fitting:
            _mention(lost)
            write(line)
        _sum_up(gaps.missing, torn, chain.broken)
        if options.follow:
            _follow(path, file, options, write, gaps)


def _fits(line: Line, options: argparse.Namespace) -> bool:
    return (
        (options.tool is None or line.tool == options.tool)
        and (options.app is None or options.app.casefold() in line.target.casefold())
        and (options.result is None or options.result.casefold() in line.result.casefold())
        and (options.since is None or line.ts >= options.since)
    )


def _writer(kind: str) -> Callable[[Line], None]:
    width = shutil.get_terminal_size((10_000, 24)).columns if sys.stdout.isatty() else 10_000

    def write(line: Line) -> None:
        text = line.raw if kind == "json" else line.row(width) if kind == "table" else line.plain()
        sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")
        sys.stdout.flush()

    return write


def _lines(file: IO[bytes]) -> list[bytes]:
    """What was not read yet; a line is one write, so it is there whole or not at all."""
    return [line for line in file.read().splitlines() if line.strip()]


def _follow(
    path: Path, file: IO[bytes], options: argparse.Namespace, write: Callable[[Line], None], gaps: Gaps
) -> NoReturn:
    """From where ``file`` has been read to; goes on with the new file when the log is moved away."""
    while True:
        moved = not _same(path, file.fileno())
        for line in map(Line.read, _lines(file)):
            if line is not None:
                _mention(gaps.follow(line.seq))
                if _fits(line, options):
                    write(line)
        if moved:
            file.close()
            file = path.open("rb")
        time.sleep(FOLLOW_SECONDS)


def _same(path: Path, fd: int) -> bool:
    """Whether the log is still the file that is open; also while it is gone for a moment."""
    try:
        there = path.stat()
    except FileNotFoundError:
        return True
    held = os.fstat(fd)
    return (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino)


def _mention(lost: int) -> None:
    if lost:
        sys.stderr.write(f"mac-commander log: {lost} lines are missing here\n")


def _sum_up(missing: int, torn: int, broken: int) -> None:
    if broken:
        sys.stderr.write(f"mac-commander log: {broken} lines do not fit the line before them: it was changed\n")
    if torn:
        sys.stderr.write(f"mac-commander log: {torn} lines could not be read (torn, or not ours)\n")
    if missing:
        sys.stderr.write(f"mac-commander log: {missing} lines are missing in all\n")
