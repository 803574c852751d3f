"""The user's settings: read once, from one place, strictly. What cannot be read whole locks the server."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mac_commander.core import trusted_file
from mac_commander.core.names import normal
from mac_commander.core.trusted_file import Distrusted
from mac_commander.errors import Locked

SIZE_MOST = 1 << 20
"""Room for 10,000 blocklist entries; a larger file is not a config."""

MISSION_BLOCKLIST = (
    "1Password", "com.1password.", "Passwords", "com.apple.Passwords", "System Settings",
    "com.apple.systempreferences", "Keychain Access", "com.apple.keychainaccess",
)  # fmt: skip
"""Names and bundle ids: display names are localised, and an id need not share a word with them."""

REMOTE_BLOCKLIST = ("com.apple.ScreenSharing", "com.apple.ScreenContinuity")
"""Screen Sharing and iPhone Mirroring: input to them leaves this machine, where no proof can follow it."""

LINUX_BLOCKLIST = (
    "KeePassXC", "org.keepassxc", "KeePass", "Bitwarden", "seahorse", "Passwords and Keys", "kwalletmanager",
    "gnome-control-center", "org.gnome.Settings", "systemsettings", "xfce4-settings", "mate-control-center",
    "cinnamon-settings", "lxqt-config",
)  # fmt: skip
"""Password managers and settings apps of Linux desktops, by program, window class and desktop-file id."""


def default_blocklist(platform: str = sys.platform) -> tuple[str, ...]:
    """What `config.json` says when the user has not said anything."""
    return MISSION_BLOCKLIST + (REMOTE_BLOCKLIST if platform == "darwin" else LINUX_BLOCKLIST)


@dataclass(frozen=True, slots=True)
class Config:
    """Settings for the life of one server. Nothing in a tool call changes them."""

    home: Path
    input_blocklist: tuple[str, ...] = field(default_factory=default_blocklist)
    audit_log: Path | None = None
    """``None`` turns the log off, and every `see` then says so."""
    overlay: bool = True
    allow_raw_applescript: bool = False
    allow_secure_typing: bool = False
    hide_blocked_apps: bool = False
    pin_scripts: bool = False
    config_sha256: str = ""
    """Of the file as loaded; empty for the built-in defaults."""
    pins: Mapping[str, str] | None = None
    """With ``pin_scripts``: sha256 of each script file as it was when the server looked first."""

    @property
    def scripts(self) -> Path:
        return self.home / "scripts"


_SWITCHES = ("overlay", "allow_raw_applescript", "allow_secure_typing", "hide_blocked_apps", "pin_scripts")
_KEYS = ("input_blocklist", "audit_log", *_SWITCHES)


def defaults(home: Path) -> Config:
    return Config(home, audit_log=home / "audit.jsonl")


def load(home: Path) -> Config:
    """The settings in ``home``; a missing file is written with the defaults.

    Raises `Locked` with file, line, column and what to mend.
    """
    path = home / "config.json"
    raw = _read(path)
    if raw is None:
        _write_defaults(path)
        return defaults(home)
    return _Reader(path, raw).config(home)


def _read(path: Path) -> bytes | None:
    try:
        with trusted_file.opened(path, os.O_RDONLY, trusted_file.OTHERS_WRITE) as fd:
            return trusted_file.read(fd, SIZE_MOST)
    except FileNotFoundError:
        return None
    except Distrusted as error:
        raise _locked(path, str(error)) from None


def _locked(path: Path, reason: str) -> Locked:
    stop = "" if reason.endswith("?") else "."
    return Locked(
        f"{path} {reason}{stop} Every call is refused until the user has mended it and restarted the server "
        "(deleting the file brings the defaults back)"
    )


def _write_defaults(path: Path) -> None:
    """Appears whole or not at all, and never over a file that another server wrote meanwhile. A folder that
    cannot be written is no error: the defaults hold without the file, and `home.prepare` said so."""
    made = defaults(path.parent)
    values = {"input_blocklist": list(made.input_blocklist), "audit_log": str(made.audit_log)}
    values |= {key: getattr(made, key) for key in _SWITCHES}
    draft = path.with_name(f".config.{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
        os.link(draft, path)
    except FileExistsError:
        pass
    except OSError:
        return
    finally:
        draft.unlink(missing_ok=True)


class _Duplicate(ValueError):
    pass


class _Reader:
    """One file's text, so that every complaint can name its place."""

    def __init__(self, path: Path, raw: bytes) -> None:
        self._path = path
        self._raw = raw
        self._text = raw.decode("utf-8", "replace")  # for places: one character for each wrong byte
        self._check_encoding()

    def config(self, home: Path) -> Config:
        values = self._values()
        for key in values:
            if key not in _KEYS:
                raise self._at_key(key, self._unknown(key))
        read = Config(
            home,
            self._blocklist(values.get("input_blocklist", list(default_blocklist()))),
            self._audit_log(values.get("audit_log", str(home / "audit.jsonl")), home),
            config_sha256=hashlib.sha256(self._raw).hexdigest(),
        )
        switches: dict[str, Any] = {key: self._switch(key, values[key]) for key in _SWITCHES if key in values}
        return replace(read, **switches)

    def _check_encoding(self) -> None:
        try:
            self._raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._at(len(self._raw[: error.start].decode("utf-8")), "is not UTF-8 text") from None
        if self._text.startswith("\ufeff"):
            raise self._at(0, "begins with a byte order mark; save it as plain UTF-8")

    def _values(self) -> dict[str, Any]:
        try:
            values = json.loads(self._text, object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise self._at(error.pos, f"is not JSON: {error.msg}") from None
        except _Duplicate as error:
            raise self._at_key(str(error), f"says {str(error)!r} twice", which=1) from None
        except RecursionError:
            raise self._at(0, "is nested too deep") from None
        except ValueError as error:
            raise self._at(0, f"is not JSON: {error}") from None
        if not isinstance(values, dict):
            raise self._at(0, 'must hold one JSON object, like {"overlay": true}')
        return values

    def _unknown(self, key: str) -> str:
        near = {k.casefold(): k for k in _KEYS}
        close = get_close_matches(key.casefold(), near, 1)
        hint = f"did you mean {near[close[0]]!r}?" if close else f"known are {', '.join(_KEYS)}"
        return f"has an unknown key {key[:60]!r}; {hint}"

    def _switch(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise self._at_key(key, f"wants true or false for {key!r}, without quotes")
        return value

    def _blocklist(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(term, str) for term in value):
            raise self._at_key("input_blocklist", "wants a list of names and ids in quotes for 'input_blocklist'")
        for term in value:
            if not re.search(r"\w", normal(term)):
                raise self._at_key(
                    "input_blocklist", f"has the blocklist entry {term[:60]!r}: it names nothing, or everything"
                )
        return tuple(value)

    def _audit_log(self, value: Any, home: Path) -> Path | None:
        if value is None:
            return None
        wrong = "wants an absolute path, or null for no log, for 'audit_log'"
        if not isinstance(value, str) or not value.startswith("/") or "\0" in value:
            raise self._at_key("audit_log", wrong)
        path = Path(os.path.normpath(value))
        place = _place(path)
        if value.endswith("/") or place == _place(home / "config.json") or _place(home / "scripts") in place.parents:
            raise self._at_key("audit_log", f"{wrong}; not a folder, not this file and not among the scripts")
        if "Mobile Documents" in path.parts:
            raise self._at_key("audit_log", f"{wrong}; not in iCloud, where lines of two machines would mix")
        return path

    def _at_key(self, key: str, reason: str, which: int = 0) -> Locked:
        """``which`` picks among several keys of that name, counted from 0."""
        found = [m.start() for m in re.finditer(r'"(?:[^"\\]|\\.)*"(\s*:)?', self._text) if _names(m, key)]
        return self._at(found[which] if which < len(found) else 0, reason)

    def _at(self, position: int, reason: str) -> Locked:
        before = self._text[:position]
        line = before.count("\n") + 1
        column = position - (before.rfind("\n") + 1) + 1
        return _locked(self._path, f"(line {line}, column {column}) {reason}")


def _place(path: Path) -> Path:
    """Where it leads, past links, in lower case: most Macs do not tell `Config.json` from `config.json`."""
    return Path(os.path.realpath(path).casefold())


def _names(match: re.Match[str], key: str) -> bool:
    return match[1] is not None and json.loads(match[0][: len(match[0]) - len(match[1])], strict=False) == key


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise _Duplicate(key)
        values[key] = value
    return values


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is not a JSON value")
