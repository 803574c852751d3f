"""Foundation: URLs, dates, errors, bundles and the few files that an installed app has."""

from __future__ import annotations

import threading
from pathlib import Path, PurePosixPath
from typing import Any

from simulated_mac.bridge import NSDictionary as DictionaryProxy
from simulated_mac.elements import App
from simulated_mac.frameworks.objc_classes import NSObject

NO_SUCH_FILE = 260
"""``NSFileReadNoSuchFileError``."""

_STRINGS = "Contents/Resources/{}.lproj/InfoPlist.strings"


class NSURL(NSObject):
    def __init__(self, path: str = "", scheme: str = "file") -> None:
        self._path, self._scheme = path, scheme

    @classmethod
    def fileURLWithPath_(cls, path: str) -> Any:
        return cls(str(path))

    @classmethod
    def URLWithString_(cls, text: str) -> Any:
        scheme, _, rest = str(text).partition("://")
        return cls(rest, scheme) if rest else None

    def path(self) -> str:
        return self._path

    def absoluteString(self) -> str:
        return f"{self._scheme}://{self._path}"

    def lastPathComponent(self) -> str:
        return PurePosixPath(self._path).name

    def isFileURL(self) -> bool:
        return self._scheme == "file"


class NSDate(NSObject):
    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds

    def timeIntervalSince1970(self) -> float:
        return self._seconds


class NSError(NSObject):
    def __init__(self, code: int = 0, description: str = "") -> None:
        self._code, self._description = code, description

    def code(self) -> int:
        return self._code

    def domain(self) -> str:
        return "NSCocoaErrorDomain"

    def localizedDescription(self) -> str:
        return self._description


class NSDictionary(NSObject):
    @classmethod
    def dictionaryWithContentsOfFile_(cls, path: str) -> Any:
        """The strings of one language of one app."""
        for app in cls.machine.apps:
            for language, name in app.names.items():
                if path == f"{app.path}/{_STRINGS.format(language)}":
                    return DictionaryProxy({"CFBundleDisplayName": name, "CFBundleName": name})
        return None

    def objectForKey_(self, key: Any) -> Any:
        return None


class NSBundle(NSObject):
    """An app's bundle, or a framework's."""

    def __init__(self, path: str = "", app: App | None = None) -> None:
        self._path, self._app = path, app

    @classmethod
    def bundleWithPath_(cls, path: str) -> Any:
        app = next((app for app in cls.machine.apps if app.path == path), None)
        return cls(path, app) if app is not None or path.endswith(".framework") else None

    @classmethod
    def bundleWithURL_(cls, url: Any) -> Any:
        return cls.bundleWithPath_(url.path())

    @classmethod
    def bundleWithIdentifier_(cls, identifier: str) -> Any:
        app = next((app for app in cls.machine.apps if app.bundle_id == identifier), None)
        return cls(app.path, app) if app is not None else cls(f"{identifier}.framework")

    @classmethod
    def mainBundle(cls) -> Any:
        return cls("/usr/bin")

    def bundlePath(self) -> str:
        return self._path

    def bundleIdentifier(self) -> str | None:
        return self._app.bundle_id or None if self._app else None

    def executablePath(self) -> str | None:
        return self._app.executable if self._app else None

    def infoDictionary(self) -> Any:
        if self._app is None:
            return DictionaryProxy({})
        app = self._app
        return DictionaryProxy({"CFBundleName": app.name, "CFBundleIdentifier": app.bundle_id})

    def objectForInfoDictionaryKey_(self, key: str) -> Any:
        return self.infoDictionary().get(key)

    def localizedInfoDictionary(self) -> Any:
        name = self._app.names.get(self.machine.locale) if self._app else None
        return DictionaryProxy({"CFBundleDisplayName": name}) if name else None

    def localizations(self) -> Any:
        return list(self._app.names) if self._app else []

    def preferredLocalizations(self) -> Any:
        return [self.machine.locale]

    def pathForResource_ofType_(self, name: str, kind: str) -> Any:
        return None

    def pathForResource_ofType_inDirectory_forLocalization_(
        self, name: str, kind: str, directory: Any, language: str
    ) -> Any:
        known = self._app is not None and language in self._app.names and (name, kind) == ("InfoPlist", "strings")
        return f"{self._path}/{_STRINGS.format(language)}" if known else None


class NSFileManager(NSObject):
    """The application folders of the simulated disk."""

    @classmethod
    def defaultManager(cls) -> Any:
        return cls()

    def contentsOfDirectoryAtPath_error_(self, path: str) -> Any:
        inside = [PurePosixPath(a.path) for a in self.machine.apps if str(PurePosixPath(a.path).parent) == path]
        known = inside or path in ("/Applications", "/System/Applications")
        if not known:
            return None, self.classes["NSError"](NO_SUCH_FILE, f"The folder “{path}” doesn’t exist.")
        return [bundle.name for bundle in inside], None

    def displayNameAtPath_(self, path: str) -> str:
        app = next((app for app in self.machine.apps if app.path == path), None)
        return app.local_name if app else PurePosixPath(path).name

    def fileExistsAtPath_(self, path: str) -> bool:
        return any(app.path == path or app.executable == path for app in self.machine.apps)


class NSLocale(NSObject):
    @classmethod
    def currentLocale(cls) -> Any:
        return cls()

    @classmethod
    def preferredLanguages(cls) -> Any:
        return [cls.machine.locale]


class NSThread(NSObject):
    @classmethod
    def isMainThread(cls) -> bool:
        return threading.current_thread() is threading.main_thread()


class NSProcessInfo(NSObject):
    @classmethod
    def processInfo(cls) -> Any:
        return cls()

    def operatingSystemVersionString(self) -> str:
        return "Version 0.0 (simulated)"

    def operatingSystemVersion(self) -> Any:
        return self.classes["structs"].convert("NSOperatingSystemVersion", (26, 0, 0))

    def isOperatingSystemAtLeastVersion_(self, version: Any) -> bool:
        return tuple(version) <= (26, 0, 0)

    def beginActivityWithOptions_reason_(self, options: int, reason: str) -> Any:
        return self.classes["NSObject"]()

    def endActivity_(self, activity: Any) -> None:
        """Nothing naps here."""


class FoundationFunctions:
    def NSHomeDirectory(self) -> str:
        return str(Path.home())

    def NSBeep(self) -> None:
        """Silent."""
