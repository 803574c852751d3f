"""Application bundles: which are installed, and every name that each answers to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from Foundation import NSBundle, NSDictionary, NSFileManager

from mac_commander.desktops.macos.paths import APPLICATION_FOLDERS
from mac_commander.model import Installed

_NAME_KEYS = ("CFBundleDisplayName", "CFBundleName")
_SUFFIX = ".app"


def installed(folders: Sequence[str] = APPLICATION_FOLDERS) -> Iterator[Installed]:
    """Every app in the application folders, the system's own first; a bundle id is told once."""
    seen: set[str] = set()
    for folder in folders:
        for path in _bundles_in(folder):
            app = describe(path)
            if app is not None and (app.app_id or app.location) not in seen:
                seen.add(app.app_id or app.location)
                yield app


def _bundles_in(folder: str) -> list[str]:
    home = str(Path(folder).expanduser())
    entries, _error = NSFileManager.defaultManager().contentsOfDirectoryAtPath_error_(home, None)
    return [f"{home}/{entry}" for entry in sorted(map(str, entries or ())) if entry.endswith(_SUFFIX)]


def describe(path: str) -> Installed | None:
    """The app in that bundle, ``None`` when it is none."""
    bundle = NSBundle.bundleWithPath_(path)
    if bundle is None:
        return None
    shown = NSFileManager.defaultManager().displayNameAtPath_(path)
    name = PurePosixPath(str(shown or path)).name.removesuffix(_SUFFIX)
    others = dict.fromkeys(other for other in (PurePosixPath(path).stem, *names(bundle)) if other != name)
    return Installed(name, str(bundle.bundleIdentifier() or ""), tuple(others), path)


def names_at(path: str) -> tuple[str, ...]:
    """Every name of the app at that path; empty when there is no bundle."""
    app = describe(path) if path else None
    return (app.name, *app.aliases) if app else ()


def names(bundle: Any) -> Iterator[str]:
    """The names in its Info.plist, then in every language that it has: a blocklist written in one language must
    hold on a Mac set to another."""
    yield from _names_in(bundle.infoDictionary())
    yield from _names_in(bundle.localizedInfoDictionary())
    table = bundle.pathForResource_ofType_("InfoPlist", "loctable")
    if table is not None:
        for strings in (NSDictionary.dictionaryWithContentsOfFile_(table) or {}).values():
            yield from _names_in(strings)
        return
    for language in bundle.localizations() or ():
        strings = bundle.pathForResource_ofType_inDirectory_forLocalization_("InfoPlist", "strings", None, language)
        if strings is not None:
            yield from _names_in(NSDictionary.dictionaryWithContentsOfFile_(strings))


def _names_in(strings: Any) -> Iterator[str]:
    """``loctable`` files also hold entries that are no dictionaries."""
    if strings is None or not hasattr(strings, "get"):
        return
    for key in _NAME_KEYS:
        value = strings.get(key)
        if isinstance(value, str) and value:
            yield str(value)
