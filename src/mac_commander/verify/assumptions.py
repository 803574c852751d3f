"""What this program assumes about macOS, and which checks of a run settle each: docs/macos.md has the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mac_commander.verify.verdict import Mark, Verdict

TYPING = ("type ASCII", "type accents", "type emoji", "type a joined family", "type lines", "type 500 characters")


@dataclass(frozen=True, slots=True)
class Assumption:
    what: str
    by: tuple[str, ...]
    """Names of checks; empty where only a person can look."""
    left: str = ""
    """What these checks leave open."""


ASSUMPTIONS = (
    Assumption("names, arguments and values of Apple's frameworks are as in the facts", ("facts about PyObjC",)),
    Assumption("calls that no package describes work", ("facts about PyObjC", "shortcut", "responsible program")),
    Assumption(
        "apps, window server and accessibility do what is reported of them",
        ("element tree", "press", "checkbox", "set a value", *TYPING, "clicks", "drag", "scroll", "table row",
         "pop-up button", "menu", "sheet", "picture", "move and resize", "minimise", "focus abort", "hung in mid-call",
         "killed in mid-call"),
        "several displays, Spaces, full screen and Stage Manager: run it again in each",
    ),
    Assumption("a person is told from our own events", ("own events", *TYPING)),
    Assumption("nothing but the user stops a batch: our own Escape does not", ("own Escape",)),
    Assumption(
        "the system's dialogs are called as in the list of what is always blocked", ("system dialogs",),
        "those it has no app for may have another id: look at each while it shows",
    ),
    Assumption("clicks go through the halo, and what is below it is what they hit", ("halo", "clicks")),
    Assumption("the halo is in no picture of a window", ("picture",), "look at a picture taken while it is lit"),
    Assumption("the Apple menu and Services are found by their place", ("Apple menu", "Services"),
               "run it in another language"),
    Assumption("no key is posted to a process: nothing rests on whether that passes by hotkeys", ("shortcut",)),
    Assumption("password fields give nothing away", ("element tree", "password field", "secure value"),
               "Safari, Chrome, and a password that is revealed"),
    Assumption("a window is pictured alone, with a sheet on it too", ("picture", "picture with a sheet"),
               "translucent windows"),
    Assumption("no modifier stays down when the server is killed", ("modifiers after a kill",)),
    Assumption("a panel that another process draws is its app's", ("open panel",)),
    Assumption("programs arrive on stdin, values on argv", ("script values",)),
    Assumption("an app's names in every language are found", ("names abroad",)),
    Assumption("secure input is seen, and who holds it", ("secure input",)),
    Assumption("a locked screen is seen", (), "lock the screen while a batch waits: it has to stop"),
    Assumption("grants belong to the program that is named", ("responsible program",),
               "look whether that program is the one in System Settings"),
    Assumption("a banner that was handed over is shown", (), "look for it"),
)  # fmt: skip

HELD, BROKEN, OPEN = "held", "broken", "open"


def settled(verdicts: Sequence[Verdict], real: bool) -> Iterator[dict[str, object]]:
    """For each assumption whether it held, by which marks, and what is left to look at. On a Mac that is not ``real``
    all stay open: it was made from them."""
    marks = {verdict.name: verdict.mark for verdict in verdicts}
    for assumption in ASSUMPTIONS:
        by = {name: marks.get(name, Mark.UNVERIFIED) for name in assumption.by}
        state = _state(by) if real else OPEN
        yield {"what": assumption.what, "state": state, "by": by, "left": assumption.left}


def _state(by: Mapping[str, Mark]) -> str:
    if Mark.FAIL in by.values():
        return BROKEN
    return HELD if by and set(by.values()) == {Mark.PASS} else OPEN


def told(found: Mapping[str, object]) -> str:
    """A line for people."""
    by = found["by"]
    missing = [name for name, mark in by.items() if mark is not Mark.PASS] if isinstance(by, dict) else []
    why = f" ({', '.join(missing)})" if missing else ""
    left = f"; left: {found['left']}" if found["left"] else ""
    return f"{str(found['state']).upper():<10} {found['what']}{why}{left}"
