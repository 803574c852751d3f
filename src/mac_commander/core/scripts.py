"""The user's scripts: a folder read anew for each call, chosen from by name, run from the very bytes that were read.

The boundary is who writes a script, not what it may do: the user writes, the model picks and supplies values.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mac_commander.core import trusted_file
from mac_commander.core.config import Config
from mac_commander.core.names import near
from mac_commander.core.trusted_file import Distrusted
from mac_commander.errors import InvalidArgument, Refused
from mac_commander.model import Interpreter

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,63}")
"""What a script may be called; a name is looked up in the listing, never joined to a path."""

SUFFIXES = frozenset((".applescript", ".js", ".py", ".sh"))
"""Of all platforms; each desktop sees only what it has an interpreter for."""

SIZE_MOST = 1 << 20
"""Bytes; larger files are data with a script's name."""

LISTED_MOST = 200
"""More than a model can choose from."""

COMMENT_MOST = 120
BODY_MOST = 80
"""Characters of the first body line that stand in the audit log."""

DIGEST_SHOWN = 16
"""Hex digits of a sha256 in the log: 64 bits, beyond finding a second script to fit by chance."""

ARGUMENTS_MOST = 32
ARGUMENT_BYTES_MOST = 8 * 1024
"""Together below the 128 KiB that Linux takes for one argument and any system's limit for all of them."""


@dataclass(frozen=True, slots=True)
class Script:
    """One script as it was read."""

    name: str
    file: str
    body: bytes = field(repr=False)
    interpreter: Interpreter

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()

    @property
    def about(self) -> str:
        """Its first comment line, which tells what it does."""
        return next((text[:COMMENT_MOST] for comment, text in self._lines() if comment and text), "")

    @property
    def first_body_line(self) -> str:
        return next((text[:BODY_MOST] for comment, text in self._lines() if not comment), "")

    def _lines(self) -> Iterator[tuple[bool, str]]:
        """Whether it is a comment, and its text, for each line that is not empty."""
        mark = self.interpreter.comment
        for number, line in enumerate(self.body.decode("utf-8", "replace").lstrip("\ufeff").splitlines()):
            text = line.strip()
            if text and not (number == 0 and text.startswith("#!")):
                yield text.startswith(mark), text.removeprefix(mark).strip() if text.startswith(mark) else text


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is there now. ``refused`` says why a file that looks like a script is none."""

    scripts: Mapping[str, Script]
    refused: Mapping[str, str]
    cut: bool = False


def fingerprint(body: bytes) -> str:
    """How a script is named in the log: ``sha256:0123456789abcdef 43c/3L``."""
    text = body.decode("utf-8", "replace")
    lines = len(text.splitlines())
    return f"sha256:{hashlib.sha256(body).hexdigest()[:DIGEST_SHOWN]} {len(text)}c/{lines}L"


def catalogue(config: Config, interpreters: Sequence[Interpreter]) -> Catalogue:
    """Read the folder. Raises `Refused` when the folder itself cannot be trusted."""
    by_suffix = {i.suffix: i for i in interpreters}
    found: dict[str, Script] = {}
    refused: dict[str, str] = {}
    files = _files(config.scripts, frozenset(by_suffix))
    for file, body in files[:LISTED_MOST]:
        name, suffix = Path(file).stem, Path(file).suffix
        reason = body if isinstance(body, str) else _unpinned(config, file, body)
        if reason:
            refused[name] = f"{file} {reason}"
        elif isinstance(body, bytes):
            _add(Script(name, file, body, by_suffix[suffix]), found, refused)
    return Catalogue(found, refused, len(files) > LISTED_MOST)


def _add(script: Script, found: dict[str, Script], refused: dict[str, str]) -> None:
    """Names that differ in case or suffix alone are one name, and nobody knows which is meant."""
    twins = [n for n in [*found, *refused] if n.casefold() == script.name.casefold()]
    for twin in twins:
        refused[twin] = f"several files answer to the name {twin!r}: rename all but one"
        found.pop(twin, None)
    if twins:
        refused[script.name] = refused[twins[0]]
    else:
        found[script.name] = script


def _unpinned(config: Config, file: str, body: bytes) -> str:
    if config.pins is None or config.pins.get(file) == hashlib.sha256(body).hexdigest():
        return ""
    return "is not what it was when the server started, and config.json says pin_scripts"


def _files(folder: Path, suffixes: frozenset[str]) -> list[tuple[str, bytes | str]]:
    """Name and content of each script file, or the reason why it is not read."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Refused(f"the scripts folder {folder} cannot be opened as a plain folder: {error.strerror}") from None
    try:
        if reason := trusted_file.distrust(os.fstat(fd), trusted_file.OTHERS_WRITE):
            raise Refused(f"the scripts folder {folder} {reason}")
        names = sorted(os.listdir(fd))  # noqa: PTH208 - of the folder that was checked, whatever its path leads to now
        fit = [n for n in names if Path(n).suffix in suffixes and NAME.fullmatch(Path(n).stem)]
        return [(n, _content(fd, n)) for n in fit]
    finally:
        os.close(fd)


def _content(folder: int, file: str) -> bytes | str:
    try:
        with trusted_file.opened(file, os.O_RDONLY, trusted_file.OTHERS_WRITE, folder=folder) as fd:
            return trusted_file.read(fd, SIZE_MOST)
    except FileNotFoundError:
        return "went away while it was read"
    except Distrusted as error:
        return str(error)


def pick(catalogue: Catalogue, name: str) -> Script:
    """The script of exactly that name. Raises `InvalidArgument` with what there is, `Refused` with the reason."""
    if not NAME.fullmatch(name):
        raise InvalidArgument(
            "name: wanted a script's name from the catalogue (letters, digits, spaces, _ and -, at most 64), not a path"
        )
    if name in catalogue.scripts:
        return catalogue.scripts[name]
    if name in catalogue.refused:
        raise Refused(f"the script is refused: {catalogue.refused[name]}")
    close = near(name, list(catalogue.scripts)) or list(catalogue.scripts)
    raise InvalidArgument(f"name: no script is called {name!r}; there are {', '.join(close) or 'none'}")


def check_values(values: Sequence[str]) -> None:
    """Raise `InvalidArgument`, never quoting a value, for what cannot travel on argv."""
    for index, value in enumerate(values):
        if "\0" in value:
            raise InvalidArgument(f"args[{index}]: wanted text without NUL characters")
        try:
            size = len(value.encode())
        except UnicodeEncodeError:
            raise InvalidArgument(f"args[{index}]: wanted whole characters, got half a surrogate pair") from None
        if size > ARGUMENT_BYTES_MOST:
            raise InvalidArgument(f"args[{index}]: wanted at most {ARGUMENT_BYTES_MOST} bytes, got {size}")


def pinned(config: Config) -> Config:
    """The config with the scripts' present content in ``pins``, when the user asked for it."""
    if not config.pin_scripts:
        return config
    files = _files(config.scripts, SUFFIXES)
    return replace(config, pins={f: hashlib.sha256(b).hexdigest() for f, b in files if isinstance(b, bytes)})


def texts(config: Config) -> Iterator[tuple[str, str]]:
    """File name and text of each script that would run; nothing when the folder cannot be trusted."""
    try:
        files = _files(config.scripts, SUFFIXES)[:LISTED_MOST]
    except Refused:  # told by each call that wants a script
        return
    yield from ((file, body.decode("utf-8", "replace")) for file, body in files if isinstance(body, bytes))
