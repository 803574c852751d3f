"""`see`: one app's windows and elements, with refs; a picture of its window on request."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from mac_commander.core.arguments import Param
from mac_commander.core.blocklist import asks_the_user
from mac_commander.core.picture import Mark, encode
from mac_commander.core.reply import Image, Reply
from mac_commander.core.screen_text import quoted
from mac_commander.core.session import Session
from mac_commander.core.snapshot import Listing, Shown, changes, shown
from mac_commander.errors import CommanderError, InvalidArgument, Refused
from mac_commander.model import App, Limits, Rect
from mac_commander.tools.declaration import Tool, text_of

ELEMENTS_DEFAULT = 150
ELEMENTS_MOST = 2000
"""About 25,000 tokens: what Claude Code takes of one result at most."""

ALL_SECONDS = 6.0
"""For all apps together: a `see` answers within 8 s, whatever hangs."""

UNLISTED = "on the blocklist or a system dialog, nothing of it is listed"

FIND_MOST = 200
MARKS_MOST = 100
"""More tags than this hide the picture."""


def see(session: Session, arguments: dict[str, Any]) -> Reply:
    """Text as in the design, and at most one image."""
    if arguments["all"]:
        return _everything(session, arguments)
    app = session.resolve(arguments["app"])
    _refuse_hidden(session, app)
    notes = _standing_notes(session, arguments["vision"])
    full, windows = _listing(session, app, notes)
    notes += full.notes if full else ()
    lines = [*([str(app), *windows] if full is None else []), *_body(session, app, full, arguments, notes)]
    image = _window_image(session, app, full, arguments["marks"], notes) if arguments["vision"] else None
    if full is not None and not _is_unread(full):
        session.remember(full)
    front = session.desktop.frontmost()
    return _reply(front, [*_lying_over(session, app), *lines], notes, image)


def _lying_over(session: Session, app: App) -> Iterator[str]:
    """Windows in front of the app's that are nobody's to read: one line for each app that has some."""
    over = {w.pid for w in takewhile(lambda w: w.pid != app.pid, session.desktop.stack())}
    for other in session.desktop.apps() if over else ():
        if other.pid in over and (session.policy.blocklist.blocks(other) or asks_the_user(other)):
            yield f"in front of it: {other}: {UNLISTED}"


def _refuse_hidden(session: Session, app: App) -> None:
    if session.config.hide_blocked_apps and session.policy.blocklist.blocks(app):
        raise Refused(f"{app.name} is on the user's blocklist, and config.json hides blocked apps from see as well")


def _standing_notes(session: Session, vision: bool) -> list[str]:
    """Without a grant every answer names it; where a picture was asked for, why there is none says it already."""
    missing = session.desktop.readiness()
    screenshots = "" if vision else missing.screenshots
    notes = [text for text in (missing.accessibility, missing.input, screenshots, session.notice()) if text]
    if session.config.audit_log is None:
        notes.append("the audit log is turned off in config.json")
    return notes


def _listing(
    session: Session, app: App, notes: list[str], seconds: float = Limits().seconds
) -> tuple[Listing | None, list[str]]:
    """The app's listing, or its windows alone with the reason why there is no tree."""
    try:
        full = session.look(app, Limits(seconds=min(seconds, Limits().seconds)))
    except CommanderError as error:
        if str(error) not in notes:
            notes.append(f"no elements: {error}")
        return None, [f"window {quoted(w.title)}" for w in session.desktop.windows(app)]
    return full, []


def _body(
    session: Session, app: App, full: Listing | None, arguments: Mapping[str, Any], notes: list[str]
) -> list[str]:
    if full is None:
        return ["incomplete: 0 elements"]
    before = session.remembered(app)
    if arguments["changes"] and _is_unread(full):
        return ["changes unknown: nothing could be read"]
    if arguments["changes"] and before is not None:
        return _changed(before, full, arguments["max_elements"])
    if arguments["changes"]:
        notes.append("nothing to compare with: this is the first look at this app")
    part = shown(full, arguments["max_elements"], arguments["find"])
    _note_left_out(full, part, arguments["find"], notes)
    return [str(app), *part.lines, _count(full, part)]


def _is_unread(full: Listing) -> bool:
    """An app that did not answer: not to be compared with, or all of it would be called gone, and new the next time."""
    return not full.complete and not full.total


def _changed(before: Listing, full: Listing, most: int) -> list[str]:
    lines = changes(before, full)
    if not lines:
        return ["no changes"]
    left = len(lines) - most
    return lines[:most] + ([f"… {left} more changes: see without changes lists all"] if left > 0 else [])


def _count(full: Listing, part: Shown) -> str:
    whole = full.complete and part.elements == part.total
    return f"{'complete' if whole else 'incomplete'}: {part.elements} of {part.total} elements"


def _note_left_out(full: Listing, part: Shown, find: str | None, notes: list[str]) -> None:
    if part.elements < part.total:
        notes.append(f"{part.total - part.elements} elements not listed: narrow with find, or raise max_elements")
    if full.offscreen:
        notes.append(f"{full.offscreen} more are scrolled out of view: scroll, then see")
    if find and not part.total:
        notes.append(f"no element holds all of {quoted(find)}")


def _window_image(session: Session, app: App, full: Listing | None, marked: bool, notes: list[str]) -> Image | None:
    try:
        picture, window, black = session.window_picture(app)
        encoded = encode(picture, black, _marks(full, picture.bounds) if full and marked else [])
    except CommanderError as error:
        notes.append(f"no picture: {error}")
        return None
    blocked = "; what a blocked app shows in it is black" if black else ""
    notes.append(f"{encoded.words}, window {quoted(window.title)}{blocked}")
    return encoded.image


def _marks(full: Listing, frame: Rect) -> list[Mark]:
    """Tags for elements inside the pictured window."""
    placed = [(line.key, line.bounds) for line in full.lines if line.bounds is not None]
    return [Mark(ref, box) for ref, box in placed if frame.contains(box.centre)][:MARKS_MOST]


# --- the whole desktop, when asked ---------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    """What all apps together have had of the one budget."""

    left: int
    listed: int = 0
    total: int = 0
    whole: bool = True

    def add(self, full: Listing, part: Shown) -> None:
        self.left -= part.elements
        self.listed += part.elements
        self.total += part.total
        self.whole = self.whole and full.complete


def _everything(session: Session, arguments: Mapping[str, Any]) -> Reply:
    """All apps, the one in front first; ``max_elements`` is shared by them in that order."""
    if arguments["app"] is not None or arguments["changes"]:
        raise InvalidArgument("all: wanted without app and changes; all=true looks at every app, in full")
    front = session.desktop.frontmost()
    notes = _standing_notes(session, arguments["vision"])
    tally = _Tally(arguments["max_elements"])
    end = time.monotonic() + ALL_SECONDS
    lines: list[str] = []
    for app in sorted(session.desktop.apps(), key=lambda a: _order(a, front)):
        lines += _one_of_all(session, app, arguments["find"], tally, notes, end - time.monotonic())
    if tally.listed < tally.total:
        notes.append(
            f"{tally.total - tally.listed} elements not listed: max_elements is shared by all; name one app instead"
        )
    whole = tally.whole and tally.listed == tally.total
    lines.append(f"{'complete' if whole else 'incomplete'}: {tally.listed} of {tally.total} elements")
    image = _desktop_image(session, notes) if arguments["vision"] else None
    return _reply(front, lines, notes, image)


def _order(app: App, front: App | None) -> tuple[bool, bool, str]:
    return (front is None or app.identity != front.identity, app.hidden, app.name)


def _one_of_all(
    session: Session, app: App, find: str | None, tally: _Tally, notes: list[str], seconds: float
) -> list[str]:
    session.stop.check()
    if session.policy.hides_pixels(app):
        return [f"{app}: {UNLISTED}"]
    if seconds <= 0:
        tally.whole = False
        return [f"{app}: not read, the time for all apps is up"]
    full, windows = _listing(session, app, notes, seconds)
    if full is None:
        tally.whole = False
        return [str(app), *windows]
    notes += [f"{app.name}: {note}" for note in full.notes]
    part = shown(full, tally.left, find)
    tally.add(full, part)
    session.remember(full)
    return [str(app), *part.lines]


def _desktop_image(session: Session, notes: list[str]) -> Image | None:
    try:
        picture, black = session.desktop_picture()
        encoded = encode(picture, black)
    except CommanderError as error:
        notes.append(f"no picture: {error}")
        return None
    blocked = "; windows of blocked apps are black" if black else ""
    notes.append(f"{encoded.words}, whole desktop{blocked}; the halo shows when it is on")
    return encoded.image


def _reply(front: App | None, lines: list[str], notes: list[str], image: Image | None) -> Reply:
    first = f"frontmost: {front}" if front else "frontmost: unknown"
    if lines == ["no changes"] and front:
        first = f"frontmost: {front.name}"
    text = "\n".join([first, *lines, *(f"note: {note}" for note in dict.fromkeys(notes))])
    return Reply(text.encode("utf-8", "replace").decode(), "ok" + (", picture" if image else ""), image=image)


def _summarise(arguments: Mapping[str, Any]) -> tuple[str, str]:
    words = [name for name in ("all", "changes", "vision") if arguments.get(name) is True]
    return text_of(arguments, "app"), " ".join(["see", *words])


SEE = Tool(
    name="see",
    title="See",
    description=(
        "Snapshot of one app (frontmost unless named): windows and elements with refs like e17, centres, states, values"
    ),
    params=(
        Param("app", "string", "Exact name or id"),
        Param("all", "boolean", "Every app", default=False),
        Param("vision", "boolean", "Add its window's picture", default=False),
        Param("marks", "boolean", "Refs drawn on it", default=False),
        Param("max_elements", "integer", f"1-{ELEMENTS_MOST}, default {ELEMENTS_DEFAULT}", default=ELEMENTS_DEFAULT,
              least=1, most=ELEMENTS_MOST),
        Param("find", "string", "Only elements with these words", least=1, most=FIND_MOST),
        Param("changes", "boolean", "Only what changed since the last look", default=False),
    ),
    read_only=True,
    destructive=False,
    idempotent=True,
    open_world=True,
    handler=see,
    summarise=_summarise,
)  # fmt: skip
