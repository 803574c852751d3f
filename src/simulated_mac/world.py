"""The world file: what is on the simulated Mac when it starts, and what happens to it later.

Beyond the keys every world needs there are some that only hostile scenes use; all are optional:

* world: ``name`` (tells this Mac from another of the same world), ``layout`` (us de fr dvorak ru), ``input_method``,
  ``secure_input`` (the name of the app that holds it), ``human_holds`` (modifiers a person holds down), ``locked``,
  ``faults``.
* app: ``electron`` or ``chromium`` (its pages are built when it is asked for its role) with ``tree_after_ms``,
  ``hung``, ``slow_ms`` (each accessibility call), ``launch_ms``, ``activates`` (``false``: requests to come to the
  front are swallowed), ``behaves`` (``calculator``, ``chat``), ``background`` (no Dock entry), ``hosts_us`` (it
  started the program that uses the Mac: a client, a terminal), ``disclaims`` (it let that program answer for itself:
  the grants that count are the program's own then), ``serves`` (the name of the app that macOS holds responsible
  for it: it shows that app's open panels).
* window: ``accessible``, ``listed`` (in CGWindowList), ``layer``, ``alpha``, ``click_through``, ``minimised``,
  ``subrole``, ``sheet`` or ``role``: ``AXSheet``, ``modal``, ``place_takes`` (how often a frame must be set until
  it holds), ``takes_keyboard`` (a panel that gets the keys although its app is not in front).
* element: ``drawn_by`` (the pid of another process, which draws it and what is in it, and answers for both),
  ``settable``, ``focusable``, ``placeholder``, ``selected``, ``expanded``, ``minimum``, ``maximum``, ``attributes``
  (more AX attributes, by name), ``default`` (pressed by Return), ``closes`` (its window, when
  pressed), ``nested`` (so many times in itself), ``copies`` (so many of it beside one another, titles numbered),
  ``cycle`` (its parent is among its children); ``shortcut``, ``items`` and ``checked`` for menus.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from simulated_mac.schema import (
    Check,
    WorldError,
    anything,
    bounds,
    either,
    flag,
    many,
    mapping,
    not_negative,
    number,
    numbers,
    one_of,
    positive,
    record,
    text,
    whole,
    wrong,
)

LAYOUTS = ("us", "de", "fr", "dvorak", "ru")
MODIFIERS = ("cmd", "shift", "alt", "ctrl", "fn", "capslock")
ACTIONS = (
    *("activate", "launch", "die", "open_window", "close_window", "move_window", "replace", "human_key"),
    *("human_mouse", "human_hold", "human_release", "lock_screen", "unlock_screen", "revoke", "grant"),
    *("hang", "answer", "secure_input", "set_value", "set_title", "layout"),
)
GRANTS = ("accessibility", "screen_recording")

_point = numbers(2, "[x, y]")
_value = either("a text, a number, true, false or null", text, flag, number, one_of(None))
_indexes = either("an index or a list of indexes", whole(0), many(whole(0)))


def _window_or_index(place: str, value: Any) -> Any:
    return WINDOW(place, value) if isinstance(value, dict) else whole(0)(place, value)


def element_fields() -> Mapping[str, Check]:
    return {
        **dict.fromkeys(("role", "subrole", "title", "description", "help", "identifier", "placeholder"), text),
        **dict.fromkeys(("enabled", "focused", "settable", "focusable", "selected", "expanded"), flag),
        "value": _value,
        "actions": many(text),
        "children": many(ELEMENT),
        "bounds": bounds,
        "opens": WINDOW,
        "minimum": number,
        "maximum": number,
        "attributes": mapping(anything),
        **dict.fromkeys(("default", "closes", "cycle"), flag),
        **dict.fromkeys(("nested", "copies", "drawn_by"), whole(1)),
    }


def _menu_fields() -> Mapping[str, Check]:
    menu_only: dict[str, Check] = {"items": many(MENU), "shortcut": text, "checked": flag}
    return {**element_fields(), **menu_only, "children": many(MENU)}


def window_fields() -> Mapping[str, Check]:
    return {
        **dict.fromkeys(("title", "subrole", "identifier"), text),
        "role": one_of("AXWindow", "AXSheet"),
        **dict.fromkeys(
            ("accessible", "listed", "click_through", "minimised", "sheet", "modal", "main", "takes_keyboard"), flag
        ),
        "bounds": bounds,
        "elements": many(ELEMENT),
        "layer": whole(),
        "alpha": number,
        "place_takes": whole(1),
    }


def app_fields() -> Mapping[str, Check]:
    return {
        **dict.fromkeys(("name", "bundle_id", "path", "executable", "serves"), text),
        **dict.fromkeys(
            ("frontmost", "hidden", "running", "electron", "chromium", "hung", "activates", "background"), flag
        ),
        **dict.fromkeys(("hosts_us", "disclaims"), flag),
        "names": mapping(text),
        "pid": whole(1),
        "quits": one_of(True, False, "asks"),
        "windows": many(WINDOW),
        "menus": many(MENU),
        **dict.fromkeys(("slow_ms", "launch_ms", "tree_after_ms"), not_negative),
        "behaves": one_of("calculator", "chat"),
    }


def _then_fields() -> Mapping[str, Check]:
    return {
        "after_events": whole(0),
        "after_ms": not_negative,
        "do": one_of(*ACTIONS),
        **dict.fromkeys(("app", "text", "title"), text),
        "modifier": one_of(*MODIFIERS),
        "window": _window_or_index,
        "element": _indexes,
        "to": _point,
        "with": ELEMENT,
        "value": _value,
        "grant": one_of(*GRANTS),
        "layout": one_of(*LAYOUTS),
    }


def fault_fields() -> Mapping[str, Check]:
    return {
        "call": text,
        "code": whole(),
        "works_anyway": flag,
        "nth": whole(1),
        "times": whole(1),
        "app": text,
        "attribute": text,
        "delay_ms": not_negative,
    }


def world_fields() -> Mapping[str, Check]:
    return {
        "name": text,
        "locale": text,
        "screens": many(_SCREEN),
        "grants": record(lambda: dict.fromkeys(GRANTS, flag)),
        "apps": many(APP),
        "then": many(_THEN),
        "faults": many(_FAULT),
        "layout": one_of(*LAYOUTS),
        "input_method": flag,
        "secure_input": text,
        "human_holds": many(one_of(*MODIFIERS)),
        "locked": flag,
        "pasteboard": text,
    }


def _screen_fields() -> Mapping[str, Check]:
    return {"bounds": bounds, "scale": positive}


ELEMENT = record(element_fields, required=("role",))
MENU = record(_menu_fields)
WINDOW = record(window_fields, required=("bounds",))
APP = record(app_fields, required=("name",))
_THEN = record(_then_fields, required=("do",))
_FAULT = record(fault_fields, required=("call", "code"))
_SCREEN = record(_screen_fields, required=("bounds",))
WORLD = record(world_fields, required=("apps",))

_NEEDS = {
    **dict.fromkeys(("activate", "launch", "die", "hang", "answer", "secure_input"), ("app",)),
    **dict.fromkeys(("open_window", "close_window"), ("app", "window")),
    "move_window": ("app", "window", "to"),
    "replace": ("app", "window", "element", "with"),
    "set_value": ("app", "window", "element", "value"),
    "set_title": ("app", "window", "element", "title"),
    "human_key": ("text",),
    "human_mouse": ("to",),
    "human_hold": ("modifier",),
    "human_release": ("modifier",),
    "revoke": ("grant",),
    "grant": ("grant",),
    "layout": ("layout",),
}


def read(path: Path) -> dict[str, Any]:
    """The checked world in the file. Raises `WorldError` naming the place, `OSError` when it cannot be read."""
    return parse(path.read_bytes())


def parse(document: bytes) -> dict[str, Any]:
    try:
        raw = json.loads(document.decode("utf-8"), object_pairs_hook=_no_twins)
    except json.JSONDecodeError as error:
        raise WorldError(f"line {error.lineno} column {error.colno}: {error.msg}") from None
    except UnicodeDecodeError as error:
        raise WorldError(f"byte {error.start}: not UTF-8") from None
    except RecursionError:
        raise WorldError("the world: nested too deeply to be read") from None
    return check(raw)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise WorldError(f"{key}: given twice in one object")
    return dict(pairs)


def check(raw: Any) -> dict[str, Any]:
    world: dict[str, Any] = WORLD("", raw)
    _check_apps(world["apps"])
    for index, entry in enumerate(world.get("then", ())):
        _check_then(f"then[{index}]", entry, world["apps"])
    if "secure_input" in world:
        _known_app("secure_input", world["secure_input"], world["apps"])
    if world.get("screens") == []:
        raise WorldError("screens: wanted at least one")
    return world


def _check_apps(apps: list[dict[str, Any]]) -> None:
    pids: dict[int, int] = {}
    front: list[int] = []
    for index, app in enumerate(apps):
        if not app["name"].strip():
            raise wrong(f"apps[{index}].name", "a name", app["name"])
        if "pid" in app and app["pid"] in pids:
            raise WorldError(f"apps[{index}].pid: {app['pid']} is the pid of apps[{pids[app['pid']]}] already")
        if "pid" in app:
            pids[app["pid"]] = index
        if app.get("frontmost"):
            front.append(index)
            if len(front) > 1:
                raise WorldError(f"apps[{index}].frontmost: apps[{front[0]}] is frontmost already")
            if not app.get("running", True):
                raise WorldError(f"apps[{index}].frontmost: an app that is not running cannot be in front")


def _check_then(place: str, entry: dict[str, Any], apps: list[dict[str, Any]]) -> None:
    if ("after_events" in entry) == ("after_ms" in entry):
        raise WorldError(f"{place}: wanted either after_events or after_ms")
    for key in _NEEDS.get(entry["do"], ()):
        if key not in entry:
            raise WorldError(f"{place}.{key}: missing, {entry['do']} needs it")
    if "app" in entry:
        _known_app(f"{place}.app", entry["app"], apps)
    if entry["do"] == "open_window" and not isinstance(entry["window"], dict):
        raise wrong(f"{place}.window", "a window", entry["window"])
    if entry["do"] != "open_window" and isinstance(entry.get("window"), dict):
        raise wrong(f"{place}.window", "the window's index", entry["window"])


def _known_app(place: str, name: str, apps: list[dict[str, Any]]) -> None:
    if not any(name in (app["name"], app.get("bundle_id"), *app.get("names", {}).values()) for app in apps):
        raise WorldError(f"{place}: no app {name!r} in apps")
