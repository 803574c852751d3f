"""Mistakes that would show on a Mac only, each to be put into a copy of a real file of the macOS desktop.

`caught` says which check finds it: the lint, the types (mypy with the generated stubs), or both. Where neither can, the
simulated Mac has to: `tests/simulated_mac` runs those.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    name: str
    file: str
    right: str
    wrong: str
    caught: tuple[str, ...]
    rule: str = ""
    """The lint's word for it."""


LINT, TYPES = "lint", "types"

MISTAKES = (
    Planted(
        "an out argument left out",
        "ax.py",
        "AXUIElementCopyAttributeValue(element, attribute, None)",
        "AXUIElementCopyAttributeValue(element, attribute)",
        (LINT, TYPES),
        "arity",
    ),
    Planted(
        "an out argument given a value",
        "ax.py",
        "AXUIElementGetPid(element, None)",
        "AXUIElementGetPid(element, 0)",
        (LINT, TYPES),
        "out-argument",
    ),
    Planted(
        "one argument too many",
        "runloop.py",
        "CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, True)",
        "CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, True, None)",
        (LINT, TYPES),
        "arity",
    ),
    Planted(
        "a counted tail shorter than its count",
        "event_source.py",
        "kCGScrollEventUnitPixel, WHEELS, dy, dx)",
        "kCGScrollEventUnitPixel, WHEELS, dy)",
        (LINT,),
        "arity",
    ),
    Planted(
        "a result of three unpacked into two",
        "displays.py",
        "error, displays, count = CGGetActiveDisplayList",
        "error, displays = CGGetActiveDisplayList",
        (LINT, TYPES),
        "unpacking",
    ),
    Planted(
        "a bool taken for a tuple",
        "permissions.py",
        "    if not AXIsProcessTrusted():",
        "    trusted, _ = AXIsProcessTrusted()\n    if not trusted:",
        (LINT, TYPES),
        "unpacking",
    ),
    Planted(
        "a tuple taken for a bool",
        "ax.py",
        "    if not known:",
        "    if not AXValueGetValue(value, kind, None):",
        (LINT,),
        "tuple-as-truth",
    ),
    Planted(
        "a tuple compared with an error code",
        "ax.py",
        "error, pid = AXUIElementGetPid(element, None)",
        "error, pid = AXUIElementGetPid(element, None) == kAXErrorSuccess, 0",
        (LINT, TYPES),
        "tuple-compared",
    ),
    Planted(
        "keyword arguments",
        "event_source.py",
        "CGEventPost(kCGHIDEventTap, event)",
        "CGEventPost(tap=kCGHIDEventTap, event=event)",
        (LINT, TYPES),
        "keyword",
    ),
    Planted(
        "a constant that does not exist",
        "ax.py",
        "    kAXErrorNoValue,\n",
        "    kAXErrorNoValues,\n    kAXErrorNoValue,\n",
        (LINT, TYPES),
        "name",
    ),
    Planted(
        "a constant of another enum",
        "event_source.py",
        "CGEventPost(kCGHIDEventTap, event)",
        "CGEventPost(kCGEventSourceStatePrivate, event)",
        (LINT,),
        "wrong-enum",
    ),
    Planted(
        "a number for a constant",
        "ax.py",
        "AXValueCreate(kAXValueTypeCGPoint, (x, y))",
        "AXValueCreate(1, (x, y))",
        (LINT,),
        "enum-as-number",
    ),
    Planted(
        "an error code as a number",
        "ax.py",
        "if error == kAXErrorAPIDisabled:",
        "if error == -25211:",
        (LINT,),
        "enum-as-number",
    ),
    Planted(
        "an extern key spelled out",
        "windows.py",
        "info.get(kCGWindowBounds)",
        'info.get("kCGWindowBounds")',
        (LINT,),
        "spelling",
    ),
    Planted(
        "an attribute spelled out",
        "activation.py",
        "kAXFrontmostAttribute, True)",
        '"AXFrontmost", True)',
        (LINT,),
        "spelling",
    ),
    Planted(
        "a string of no constant outside the table",
        "activation.py",
        "kAXFrontmostAttribute, True)",
        '"AXManualAccessibility", True)',
        (LINT,),
        "spelling",
    ),
    Planted(
        "a property read by its own name",
        "activation.py",
        "self.running.isHidden()",
        "self.running.hidden()",
        (LINT,),
        "property",
    ),
    Planted(
        "active() of the app in front",
        "workspace.py",
        "NSWorkspace.sharedWorkspace().frontmostApplication()",
        "NSWorkspace.sharedWorkspace().frontmostApplication().active()",
        (LINT, TYPES),
        "property",
    ),
    Planted(
        "a getter not called",
        "workspace.py",
        "running is None or running.isTerminated()",
        "running is None or running.isTerminated",
        (LINT, TYPES),
        "property",
    ),
    Planted(
        "a selector misspelled",
        "workspace.py",
        "configuration.setActivates_(activates)",
        "configuration.setActivate_(activates)",
        (LINT, TYPES),
        "selector",
    ),
    Planted(
        "a selector without its last underscore",
        "workspace.py",
        "_configuration_completionHandler_(",
        "_configuration_completionHandler(",
        (LINT, TYPES),
        "selector",
    ),
    Planted(
        "a selector with an argument missing",
        "workspace.py",
        "url, configuration, finished\n",
        "url, configuration\n",
        (LINT, TYPES),
        "arity",
    ),
    Planted(
        "a selector that macOS gave up",
        "workspace.py",
        "        url = NSURL.fileURLWithPath_(what.location)\n",
        "        NSWorkspace.sharedWorkspace().launchApplication_(what.name)\n"
        "        url = NSURL.fileURLWithPath_(what.location)\n",
        (LINT,),
        "deprecated",
    ),
    Planted(
        "a block with an argument too few",
        "workspace.py",
        "def finished(app: Any, error: Any) -> None:\n            launch.app = app\n",
        "def finished(error: Any) -> None:\n",
        (LINT, TYPES),
        "callback",
    ),
    Planted(
        "a C callback with an argument too few",
        "observer.py",
        "def _noticed(_observer: Any, _element: Any, _notification: Any, _refcon: Any)",
        "def _noticed(_observer: Any, _element: Any, _notification: Any)",
        (LINT,),
        "callback",
    ),
    Planted(
        "a plain function where PyObjC wants its own",
        "observer.py",
        "AXObserverCreate(app.pid, _CALLBACK, None)",
        "AXObserverCreate(app.pid, _noticed, None)",
        (LINT,),
        "callback",
    ),
    Planted(
        "an import from where the name does not live",
        "workspace.py",
        "from Foundation import",
        "from Foundation import NSWorkspace as Elsewhere\nfrom Foundation import",
        (LINT, TYPES),
        "module",
    ),
    Planted(
        "a field that the struct does not have",
        "event_source.py",
        "float(location.x)",
        "float(location.width)",
        (TYPES,),
    ),
    Planted(
        "nothing in front, not thought of",
        "workspace.py",
        "return None if front is None else int(front.processIdentifier())",
        "return int(front.processIdentifier())",
        (TYPES,),
    ),
    Planted(
        "bytes for a string",
        "ax.py",
        "AXUIElementPerformAction(element, action)",
        "AXUIElementPerformAction(element, action.encode())",
        (TYPES,),
    ),
    Planted(
        "code points for UTF-16 units",
        "event_source.py",
        "utf16_units(text), text)",
        "len(text), text)",
        (LINT,),
        "length",
    ),
    Planted(
        "a bridged array tested for list",
        "ax.py",
        "isinstance(value, Sequence)",
        "isinstance(value, list)",
        (LINT,),
        "container",
    ),
    Planted(
        "a function loaded by hand without a reason",
        "private.py",
        '("LMGetKbdType", b"C", "")',
        '("LMGetKbdLast", b"C", "")',
        (LINT,),
        "by-hand",
    ),
)
