"""Checks on a window of our own, whose app says what reached it. Nothing here believes the server's own answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mac_commander.verify.acceptance import needs, wanted
from mac_commander.verify.bench import Bench, Check
from mac_commander.verify.witness import BLUE, TITLE, awaited, matching

TEXTS = {
    "ASCII": "The quick brown fox, 0123456789 ~!@#$%^&*()_+{}|:<>?[];',./`\\\"-=",
    "accents": "Ça été là — œuf, señor, Straße, žluťoučký, Ελλάδα, Привет, שלום",
    "emoji": "🙂 a😁𐂀 👍🏽",
    "a joined family": "before 👩‍👩‍👧‍👦 after",
    "lines": "one\ntwo\n\nfour",
    "500 characters": ("0123456789abcdefghijklmnopqrstuvwxyz—é🙂 " * 13)[:500],
}
SECRET = "not told"  # noqa: S105 - nobody's
NEAR = 48
"""Of 255, for a colour that went through a display's profile."""


def tree(bench: Bench) -> str:
    seen = bench.see().text
    for label in ("Name", "Password", "Save", "Open sheet", "Wrap lines", "Row 1"):
        wanted(f'"{label}' in seen, f"{label} is not listed")
    wanted("hunter2" not in seen and " secure" in seen, "the password field is not kept secret")
    return seen.splitlines()[-1]


def press(bench: Bench) -> str:
    bench.act({"kind": "click", "ref": bench.ref("Save")})
    bench.told("press", widget="Save")
    return "the button was pressed"


def checkbox(bench: Bench) -> str:
    ref = bench.ref("Wrap lines")
    bench.act({"kind": "click", "ref": ref})
    bench.told("press", widget="Wrap lines")
    wanted(re.search(r'"Wrap lines".* checked', bench.see().text) is not None, "it is not shown as checked")
    return "pressed, and shown as checked"


def set_value(bench: Bench) -> str:
    ref = bench.ref("Name")
    bench.act({"kind": "set", "ref": ref, "value": TEXTS["emoji"]})
    if bench.witness.has_widgets:  # AppKit tells a field's delegate of typing only
        wanted(TEXTS["emoji"] in bench.see(find="Name").text, "the field does not have the value")
    else:
        bench.told("value", widget="Name", value=TEXTS["emoji"])
    return "the field has it"


def typing(text: str) -> Check:
    def check(bench: Bench) -> str:
        keys = [{"kind": "key", "combo": "cmd+a"}, {"kind": "key", "combo": "delete"}]
        bench.act({"kind": "click", "ref": bench.ref("Notes")}, *keys)
        bench.act({"kind": "type", "text": text})
        same = awaited(bench.witness, lambda: bench.witness.text("Notes") == text)
        wanted(same, f"{len(bench.witness.text('Notes'))} characters arrived, or others, for {len(text)}")
        return f"{len(text)} characters, the same"

    return check


def password(bench: Bench) -> str:
    ref = bench.ref("Password")
    bench.witness.forget()
    steps = [{"kind": "type", "ref": ref, "text": SECRET}]
    answer = bench.client.call("act", target=bench.witness.name, steps=steps)
    wanted(answer.is_error and SECRET not in answer.text, "typing into a password field was not refused")
    wanted(not bench.witness.text("Password"), "something was typed into the password field")
    return "refused, and nothing arrived"


def shortcut(bench: Bench) -> str:
    bench.act({"kind": "key", "combo": "cmd+shift+j"})
    report = bench.told("key_down", modifiers=["cmd", "shift"])
    held = [r["modifiers"] for r in matching(bench.witness, "key_down") if "cmd" not in r["modifiers"] and r["text"]]
    wanted(str(report["text"]).lower() in ("j", "") and not held, f"keys: {report['text']!r}, {held}")
    bench.act({"kind": "type", "text": "x"})
    bench.told("key_down", modifiers=[])
    return "the key came with its modifiers, and the next one without"


def clicks(bench: Bench) -> str:
    for button, count, across in (("left", 1, 0.25), ("left", 2, 0.25), ("right", 1, 0.95)):
        at = bench.canvas_point(across)
        bench.act({"kind": "click", "xy": at, "button": button, "clicks": count})
        report = bench.told("mouse_down", button=button, clicks=count)
        wanted(_near(report["at"], at), f"the click at {at} arrived at {report['at']}")
    return "single, double and right, each at its point"


def drag(bench: Bench) -> str:
    start, end = bench.canvas_point(0.2), bench.canvas_point(0.8)
    bench.act({"kind": "drag", "from_xy": start, "to_xy": end})
    down, up = bench.told("mouse_down"), bench.told("mouse_up")
    wanted(_near(down["at"], start) and _near(up["at"], end), f"from {down['at']} to {up['at']}")
    between = len(list(matching(bench.witness, "mouse_drag")))
    wanted(between >= 2, f"{between} events on the way")
    return f"down at the start, {between} events on the way, up at the end"


def scroll(bench: Bench) -> str:
    for dx, dy in ((0, 60), (0, -60), (60, 0), (-60, 0)):
        bench.act({"kind": "scroll", "xy": bench.canvas_point(0.5), "dx": dx, "dy": dy})
        bench.told("scroll")
        x, y = (sum(r[axis] for r in matching(bench.witness, "scroll")) for axis in ("dx", "dy"))
        wanted((x * dx > 0 or y * dy > 0) != (x * dx < 0 or y * dy < 0), f"{dx},{dy} arrived as {x:g},{y:g}")
    return "both axes, both ways, told apart by their signs"


def row(bench: Bench) -> str:
    bench.act({"kind": "click", "ref": bench.ref("Row 2")})
    wanted(re.search(r'"Row 2".* selected', bench.see().text) is not None, "the row is not shown as selected")
    return "clicked, and shown as selected"


def popup(bench: Bench) -> str:
    bench.act({"kind": "click", "ref": bench.ref("Colour")})
    wanted('menuitem "Green"' in bench.see().text, "its menu is not listed")
    bench.act({"kind": "click", "ref": bench.ref("Green")})
    if bench.witness.has_widgets:
        bench.told("value", widget="Colour", value="Green")
    return f"opened, read and chosen from: {_line(bench.see().text, 'Colour')}"


def _line(text: str, name: str) -> str:
    found = next((line.strip() for line in text.splitlines() if f'"{name}' in line), "")
    wanted("Green" in found, f"it does not show what was chosen: {found}")
    return re.sub(r" \[e\d+\].*? value=", ", value=", found)


def menu(bench: Bench) -> str:
    bench.act({"kind": "menu", "path": "Verify > Ping"})
    bench.told("press", widget="Ping")
    return "the item was chosen"


def sheet(bench: Bench) -> str:
    bench.act({"kind": "click", "ref": bench.ref("Open sheet")})
    bench.told("press", widget="Open sheet")
    bench.act({"kind": "click", "ref": bench.ref("OK")})
    bench.told("press", widget="OK")
    return "opened, read and closed"


def picture(bench: Bench) -> str:
    from mac_commander.verify.pixels import colour_at

    answer = bench.see(vision=True)
    needs(answer.image is not None, answer.text.splitlines()[-1])
    assert answer.image is not None
    seen = colour_at(answer.image, answer.text, bench.canvas_point(0.1))
    wanted(all(abs(a - b) <= NEAR for a, b in zip(seen, BLUE, strict=True)), f"the blue canvas looks {seen}")
    return f"the window's picture has the canvas, {seen}, where its scale says"


def picture_with_a_sheet(bench: Bench) -> str:
    """The sheet is the window that a person would mean then."""
    from mac_commander.verify.pixels import SCALE

    bench.act({"kind": "click", "ref": bench.ref("Open sheet")})
    answer = bench.see(vision=True)
    bench.act({"kind": "click", "ref": bench.ref("OK")})
    needs(answer.image is not None, answer.text.splitlines()[-1])
    told = next((line for line in answer.text.splitlines() if SCALE.search(line)), "")
    wanted(bool(told), "the picture came without its scale")
    return f"taken: {told.strip().removeprefix('note: ')}"


def place(bench: Bench) -> str:
    bench.witness.forget()
    answer = bench.client.call(
        "app", action="switch", name=bench.witness.name, window={"move": [220, 180], "size": [600, 460]}
    )
    wanted(not answer.is_error, answer.text)
    there = awaited(bench.witness, lambda: [220, 180, 600, 460] in [r["bounds"] for r in _placed(bench)])
    wanted(there, f"it was placed at {[r['bounds'] for r in _placed(bench)][-1:]}")
    return "moved and sized, to the point"


def _placed(bench: Bench) -> list[dict[str, Any]]:
    return list(matching(bench.witness, "place"))


def minimise(bench: Bench) -> str:
    """The batch may stop after it, since no window has the keyboard any more."""
    steps = [{"kind": "menu", "path": "Window > Minimize"}]
    answer = bench.client.call("act", target=bench.witness.name, steps=steps)
    wanted(answer.value.get("steps_completed") == 1, answer.text[:600])
    seen = bench.see().text
    wanted(f'window "{TITLE}"' not in seen or "minimised" in seen, "the window is still shown")
    if bench.witness.has_widgets:
        bench.told("minimised")
    answer = bench.client.call("app", action="switch", name=bench.witness.name)
    wanted(not answer.is_error, answer.text)
    shown = re.search(rf'window "{TITLE}"(?!.* minimised)', bench.see().text)
    wanted(shown is not None, "the window did not come back")
    return "gone, told, and back"


def _near(seen: Any, asked: list[float]) -> bool:
    return all(abs(a - b) <= 1 for a, b in zip(seen, asked, strict=True))


WINDOW_CHECKS: Mapping[str, Check] = {
    "element tree": tree,
    "press": press,
    "checkbox": checkbox,
    "set a value": set_value,
    **{f"type {name}": typing(text) for name, text in TEXTS.items()},
    "password field": password,
    "shortcut": shortcut,
    "clicks": clicks,
    "drag": drag,
    "scroll": scroll,
    "table row": row,
    "pop-up button": popup,
    "menu": menu,
    "sheet": sheet,
    "picture": picture,
    "picture with a sheet": picture_with_a_sheet,
    "move and resize": place,
    "minimise": minimise,
}
"""In this order: the last two move the canvas."""
