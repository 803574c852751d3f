"""What no framework's metadata describes: PyObjC's own `objc` module, and the few functions that are loaded by hand.

Both tables are short on purpose. `OBJC` was read in the pyobjc-core source and is held to the wheel, in which each name
must stand; `UNVERIFIED` rests on Apple's headers or other people's programs, and `verify` on a Mac exercises each.
"""

from typing import Any

OBJC: dict[str, dict[str, Any]] = {
    "NULL": {"kind": "value"},
    "nil": {"kind": "value"},
    "autorelease_pool": {"kind": "function", "least": 0, "most": 0},
    "callbackFor": {"kind": "function", "least": 1, "most": 2},
    "error": {"kind": "exception"},
    "loadBundleFunctions": {"kind": "function", "least": 3, "most": 4},
    "loadBundleVariables": {"kind": "function", "least": 3, "most": 4},
    "lookUpClass": {"kind": "function", "least": 1, "most": 1},
    "nosuchclass_error": {"kind": "exception"},
    "objc_object": {"kind": "class"},
    "options": {"kind": "value"},
    "protocolNamed": {"kind": "function", "least": 1, "most": 1},
    "pyobjc_unicode": {"kind": "class"},
    "python_method": {"kind": "function", "least": 1, "most": 1},
    "recycleAutoreleasePool": {"kind": "function", "least": 0, "most": 0},
    "super": {"kind": "function", "least": 0, "most": 2},
    "ApiDeprecationWarning": {"kind": "exception"},
}

UNVERIFIED: dict[str, str] = {
    "_AXUIElementGetWindow": "private; (element, None) -> (AXError, CGWindowID); it may be absent, which is normal",
    "IsSecureEventInputEnabled": "Carbon, <CarbonEventsCore.h>; () -> bool; in no PyObjC package",
    "TISCopyCurrentKeyboardLayoutInputSource": (
        "HIToolbox, <TextInputSources.h>; () -> TISInputSourceRef; main thread only"
    ),
    "TISCopyCurrentKeyboardInputSource": ("HIToolbox, <TextInputSources.h>; () -> TISInputSourceRef; main thread only"),
    "TISCopyCurrentASCIICapableKeyboardLayoutInputSource": (
        "HIToolbox, <TextInputSources.h>; () -> TISInputSourceRef; main thread only"
    ),
    "TISGetInputSourceProperty": ("HIToolbox, <TextInputSources.h>; (source, key) -> pointer; main thread only"),
    "kTISPropertyUnicodeKeyLayoutData": "HIToolbox, <TextInputSources.h>; CFStringRef; value only in Apple's binary",
    "kTISPropertyInputSourceID": "HIToolbox, <TextInputSources.h>; CFStringRef; value only in Apple's binary",
    "kTISPropertyInputSourceType": "HIToolbox, <TextInputSources.h>; CFStringRef; value only in Apple's binary",
    "kTISPropertyLocalizedName": "HIToolbox, <TextInputSources.h>; CFStringRef; value only in Apple's binary",
    "kTISTypeKeyboardLayout": "HIToolbox, <TextInputSources.h>; CFStringRef; value only in Apple's binary",
    "UCKeyTranslate": "CoreServices, <UnicodeUtilities.h>; ten arguments; main thread only",
    "LMGetKbdType": "HIToolbox, <Events.h>; () -> UInt8",
    "responsibility_get_pid_responsible_for_pid": "libSystem, private; (pid) -> pid; it may be absent",
}
