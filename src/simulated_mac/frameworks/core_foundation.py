"""CoreFoundation's type ids, comparison and preferences."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from simulated_mac.bridge import CFObject

UNIX_TO_CF_EPOCH = 978_307_200
"""Seconds from 1970 to 2001, where CFAbsoluteTime begins."""

_KINDS = ("CFStringRef", "CFArrayRef", "CFDictionaryRef", "CFNumberRef", "CFBooleanRef", "CFAttributedStringRef")
_OPAQUE = ("AXUIElementRef", "AXValueRef", "AXObserverRef")
_TYPE_IDS = {kind: 7 + 11 * index for index, kind in enumerate((*_KINDS, *_OPAQUE))}
"""Made up: they differ on every macOS, so code must ask for them."""

_UNKNOWN_TYPE_ID = 1


def kind_of(value: Any) -> str:
    if isinstance(value, CFObject):
        return value.kind
    if isinstance(value, bool):
        return "CFBooleanRef"
    if isinstance(value, int | float):
        return "CFNumberRef"
    if isinstance(value, str):
        return "CFStringRef"
    if isinstance(value, Mapping):
        return "CFDictionaryRef"
    return "CFArrayRef" if isinstance(value, Sequence) else ""


class CoreFoundation:
    def CFGetTypeID(self, value: Any) -> int:
        return _TYPE_IDS.get(kind_of(value), _UNKNOWN_TYPE_ID)

    def CFEqual(self, first: Any, second: Any) -> bool:
        return bool(first == second)

    def CFHash(self, value: Any) -> int:
        return hash(value) & (2**64 - 1)

    def CFCopyDescription(self, value: Any) -> str:
        return repr(value)

    def CFGetRetainCount(self, value: Any) -> int:
        return 1

    def CFRelease(self, value: Any) -> None:
        """Nothing to free: Python's own references keep these objects."""

    def CFArrayGetCount(self, array: Any) -> int:
        return len(array)

    def CFArrayGetValueAtIndex(self, array: Any, index: int) -> Any:
        return array[index]

    def CFAbsoluteTimeGetCurrent(self) -> float:
        return time.time() - UNIX_TO_CF_EPOCH

    def CFPreferencesCopyAppValue(self, key: str, application: str) -> Any:
        return None

    def CFStringGetTypeID(self) -> int:
        return _TYPE_IDS["CFStringRef"]

    def CFArrayGetTypeID(self) -> int:
        return _TYPE_IDS["CFArrayRef"]

    def CFDictionaryGetTypeID(self) -> int:
        return _TYPE_IDS["CFDictionaryRef"]

    def CFNumberGetTypeID(self) -> int:
        return _TYPE_IDS["CFNumberRef"]

    def CFBooleanGetTypeID(self) -> int:
        return _TYPE_IDS["CFBooleanRef"]

    def CFAttributedStringGetTypeID(self) -> int:
        return _TYPE_IDS["CFAttributedStringRef"]

    def AXUIElementGetTypeID(self) -> int:
        return _TYPE_IDS["AXUIElementRef"]

    def AXValueGetTypeID(self) -> int:
        return _TYPE_IDS["AXValueRef"]

    def AXObserverGetTypeID(self) -> int:
        return _TYPE_IDS["AXObserverRef"]
