"""Installed programs, as their ``.desktop`` files tell (freedesktop Desktop Entry Specification 1.5).

A folder that only root can write comes before one that the user, or anything running as the user, can write: a file
there must not take the place of a system program of the same id.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mac_commander.model import Installed

LARGEST_FILE = 256 * 1024
"""The largest seen, LibreOffice's with all its languages, has 40 kB."""

MOST_FILES = 5_000
"""More than any desktop has; ends the reading of a folder that is none."""

MOST_FOLDERS_DEEP = 4
"""Sub-folders are part of an id ("kde/x.desktop" is "kde-x"); two levels are the most seen."""

INTERPRETERS = re.compile(r"(python|perl|ruby|node|java|mono|bash|dash|sh|env|electron|wine|flatpak|snap)[\d.\-]*")
"""Programs that run others: being one of them says nothing about which app it is."""

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)')
_VALUE_ESCAPES = {r"\s": " ", r"\n": "\n", r"\t": "\t", r"\r": "\r", "\\\\": "\\"}
_FIELD_CODE = re.compile(r"%(.)")


@dataclass(frozen=True, slots=True)
class DesktopFile:
    """One application entry."""

    app_id: str
    location: Path
    names: Mapping[str, str]
    """By language, ``""`` for the default."""
    argv: tuple[str, ...]
    """Program and arguments without field codes; empty when ``Exec`` cannot be read."""
    wm_class: str = ""
    try_exec: str = ""
    terminal: bool = False
    no_display: bool = False
    dbus_activatable: bool = False

    @property
    def program(self) -> str:
        return self.argv[0] if self.argv else ""

    def found(self, path: str) -> bool:
        """Whether its program is there, along this search path."""
        programs = [name for name in (self.try_exec, self.program) if name]
        return all(shutil.which(name, path=path) for name in programs) and bool(programs or self.dbus_activatable)


class DesktopFiles:
    """The entries of one user's session, re-read where a file changed."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._read: dict[Path, tuple[tuple[int, int, int], DesktopFile | None]] = {}

    def installed(self) -> tuple[Installed, ...]:
        """All that can be launched and is meant to be seen, system folders first."""
        path = self._environment.get("PATH", os.defpath)
        entries = self.entries()
        return tuple(self._described(e) for e in entries if not (e.no_display or e.terminal) and e.found(path))

    def entries(self) -> tuple[DesktopFile, ...]:
        """All entries, the hidden ones too; of several with one id, the first by folder."""
        found: dict[str, DesktopFile] = {}
        for folder in _folders(self._environment):
            for app_id, path in _files(folder):
                entry = self._entry(app_id, path) if app_id not in found else None
                if entry is not None:
                    found[app_id] = entry
        return tuple(found.values())

    def entry(self, what: Installed) -> DesktopFile | None:
        """The file behind it as it is now, ``None`` when it is gone or no longer the one with that id."""
        return next((e for e in self.entries() if e.app_id == what.app_id and str(e.location) == what.location), None)

    def identify(self, wm_class: Sequence[str], executable: str, gtk_app_id: str = "") -> Installed | None:
        """Which entry a running program belongs to: by the id that GTK apps give, by its window class (instance
        and class), then by its executable when just one entry starts that."""
        entries = self.entries()
        classes = {name.casefold() for name in wm_class if name}
        tests = (
            lambda e: bool(gtk_app_id) and e.app_id == gtk_app_id,
            lambda e: e.wm_class.casefold() in classes,
            lambda e: e.app_id.casefold() in classes,
            lambda e: e.app_id.rpartition(".")[2].casefold() in classes,
        )
        for test in tests:
            fits = [entry for entry in entries if test(entry)]
            if fits:
                return self._described(fits[0])
        fits = [entry for entry in entries if self._starts(entry, executable)]
        return self._described(fits[0]) if len(fits) == 1 else None

    def _starts(self, entry: DesktopFile, executable: str) -> bool:
        name = Path(executable).name
        if not name or INTERPRETERS.fullmatch(name) or Path(entry.program).name != name:
            return False
        found = shutil.which(entry.program, path=self._environment.get("PATH", os.defpath))
        return found is not None and Path(found).resolve() == Path(executable).resolve()

    def _described(self, entry: DesktopFile) -> Installed:
        name = _in_language(entry.names, _languages(self._environment))
        others = [*entry.names.values(), entry.app_id.rpartition(".")[2], entry.wm_class, Path(entry.program).name]
        aliases = tuple(dict.fromkeys(other for other in others if other and other not in (name, entry.app_id)))
        return Installed(name, entry.app_id, aliases, str(entry.location))

    def _entry(self, app_id: str, path: Path) -> DesktopFile | None:
        try:
            info = path.stat()
        except OSError:
            return None
        mark = (info.st_mtime_ns, info.st_size, info.st_ino)
        known = self._read.get(path)
        if known is None or known[0] != mark:
            known = (mark, read_file(app_id, path) if stat.S_ISREG(info.st_mode) else None)
            self._read[path] = known
        return known[1]


def read_file(app_id: str, path: Path) -> DesktopFile | None:
    """``None`` for what is no application entry, or is marked as deleted."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_FILE).decode("utf-8", "replace")
    except OSError:
        return None
    values = _main_section(text)
    if values.get("Type") != "Application" or values.get("Hidden") == "true" or not values.get("Name"):
        return None
    names = {"": values["Name"]} | {k[5:-1]: v for k, v in values.items() if k.startswith("Name[") and k.endswith("]")}
    return DesktopFile(
        app_id=app_id,
        location=path,
        names=names,
        argv=split_exec(values.get("Exec", "")),
        wm_class=values.get("StartupWMClass", ""),
        try_exec=values.get("TryExec", ""),
        terminal=values.get("Terminal") == "true",
        no_display=values.get("NoDisplay") == "true",
        dbus_activatable=values.get("DBusActivatable") == "true",
    )


def split_exec(command: str) -> tuple[str, ...]:
    """The words of an ``Exec`` value by the specification's quoting, field codes dropped; no shell has a part in
    it, so what a shell would expand stays as it is. Empty when a quote is not closed or a word is half quoted."""
    words: list[str] = []
    place = 0
    for match in _QUOTED.finditer(command):
        between = command[place : match.start()]
        if between.strip() or (words and not between):
            return ()
        quoted, plain = match.groups()
        word = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else _without_field_codes(plain)
        if quoted is not None or word:
            words.append(word)
        place = match.end()
    return () if command[place:].strip() else tuple(words)


def _without_field_codes(word: str) -> str:
    return _FIELD_CODE.sub(lambda match: "%" if match.group(1) == "%" else "", word)


def _main_section(text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line
        elif section == "[Desktop Entry]" and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            values.setdefault(key.strip(), _unescaped(value.strip()))
    return values


def _unescaped(value: str) -> str:
    return re.sub(r"\\[sntr\\]", lambda match: _VALUE_ESCAPES[match.group()], value)


def _folders(environment: Mapping[str, str]) -> list[Path]:
    """Application folders, those that only root can write first."""
    home = environment.get("XDG_DATA_HOME") or str(Path(environment.get("HOME", "/nonexistent")) / ".local/share")
    system = (environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share").split(":")
    every = [Path(base) / "applications" for base in [*system, home] if base.startswith("/")]
    mine = Path(home) / "applications"
    return sorted(dict.fromkeys(every), key=lambda folder: folder == mine or not _only_root_writes(folder))


def _only_root_writes(folder: Path) -> bool:
    try:
        info = folder.stat()
    except OSError:
        return False
    return info.st_uid == 0 and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _files(folder: Path, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Path]]:
    try:
        entries = sorted(folder.iterdir())[:MOST_FILES]
    except OSError:
        return
    for path in entries:
        if path.suffix == ".desktop":
            yield prefix + path.stem, path
        elif depth < MOST_FOLDERS_DEEP and path.is_dir() and not path.is_symlink():
            yield from _files(path, f"{prefix}{path.name}-", depth + 1)


def _languages(environment: Mapping[str, str]) -> list[str]:
    """Keys to look a name up by, most exact first: ``de_AT`` then ``de``."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    base, _, modifier = locale.partition("@")
    country = base.partition(".")[0]
    language = country.partition("_")[0]
    exact = [f"{country}@{modifier}", f"{language}@{modifier}"] if modifier else []
    return [*exact, country, language, ""]


def _in_language(names: Mapping[str, str], languages: Sequence[str]) -> str:
    return next((names[language] for language in languages if language in names), names[""])
