"""Whether an app shows a text: what a wait with ``until`` or ``gone`` asks again and again."""

from __future__ import annotations

import time
from dataclasses import replace

from mac_commander.desktops.base import Desktop
from mac_commander.model import OLD, App, Element, Limits, Snapshot, State

VALUE_CHARS = 20_000
"""How far into a value a wait looks for its text."""

LOOK_SECONDS = 0.03
"""Between two looks at a small window when the app tells of nothing: a wait ends within 100 ms of the change."""

REST_SECONDS = 0.25
"""The same where a look takes at least as long: the app has other things to do than to answer."""

WHOLE_SECONDS = 5.0
"""So long a whole look may be put off by an app that tells of something all the time."""

WATCHED_MOST = 20
"""Elements with the text that are asked for one by one; with more of them the whole is looked at."""

UNMET = {
    True: "the text waited for is still there",
    False: "the text waited for did not appear",
    None: "the app could not be read whole, so whether it shows the text waited for is not known",
}
"""What a wait that was in vain says, by what `TextWatch.holds` told at last."""


class TextWatch:
    """A whole look at first and from time to time, since no app tells of everything; between them what it told of.

    Both give snapshots, and `shows` judges both.
    """

    def __init__(self, desktop: Desktop, app: App, text: str) -> None:
        self._desktop = desktop
        self._app = app
        self._text = text.casefold()
        self._limits = Limits(value_chars=VALUE_CHARS)
        self._shown: bool | None = None
        self._holders: tuple[Element, ...] = ()
        """What held the text when it was last looked at, seen or scrolled out of view."""
        self._looked, self._took = float("-inf"), 0.0
        """When the last whole look ended, and how long it took."""

    def holds(self) -> bool | None:
        """Whether the app shows the text now, as far as it told of its changes since the last whole look; ``None``
        when it could not be read whole, or tells nothing, and what was read does not show it."""
        told = self._desktop.changed(self._app, self._limits, self._holders[:WATCHED_MOST])
        if shows(told, self._text):
            self._holders = (*holders(told, self._text), *self._holders[WATCHED_MOST:])
            self._shown = True
            return True
        certain = told.complete and len(self._holders) <= WATCHED_MOST
        if certain and self._shown:  # all that held it were asked
            self._shown = False
        elif not certain or self._is_due():
            self._look()
        return self._shown

    def _is_due(self) -> bool:
        return time.monotonic() - self._looked >= max(LOOK_SECONDS, min(self._took, REST_SECONDS))

    def _look(self) -> None:
        begun = time.monotonic()
        may_stop = begun - self._looked < WHOLE_SECONDS
        seen = self._desktop.snapshot(self._app, replace(self._limits, until_told=may_stop))
        if shows(seen, self._text):
            self._shown = True
        elif OLD not in seen.notes:
            self._shown = False if seen.complete and not seen.mute else None
        if OLD not in seen.notes:
            self._holders = tuple(holders(seen, self._text))
            self._looked = time.monotonic()
            self._took = self._looked - begun


def shows(seen: Snapshot, text: str) -> bool:
    """Whether a window's title holds the text, or the name or value of an element that can be seen in a window.
    ``text`` is case-folded."""
    windows = {window.id for window in seen.windows}
    in_sight = (e for e in seen.elements if e.window in windows and State.OFFSCREEN not in e.states)
    return any(text in w.title.casefold() for w in seen.windows) or any(_says(e, text) for e in in_sight)


def holders(seen: Snapshot, text: str) -> list[Element]:
    """The elements that say it, also those scrolled out of view: a scroll is not always told."""
    return [element for element in seen.elements if _says(element, text)]


def _says(element: Element, text: str) -> bool:
    """A password field has no value here, whatever it holds."""
    value = "" if element.secure else element.value or ""
    return text in element.name.casefold() or text in value.casefold()
