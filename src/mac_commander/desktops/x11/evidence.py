"""What is seen at the moment of delivery: who is in front, who has the focus, who owns the point, who else
would get the input. Everything asked here is answered by the X server itself, so it can be asked while it is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from Xlib import X
from Xlib.error import XError
from Xlib.ext import screensaver
from Xlib.protocol import request, rq

from mac_commander.desktops.x11.display import Connection, numbers_of, xid
from mac_commander.desktops.x11.owners import NO_OWNER, is_part_of, owners
from mac_commander.desktops.x11.passive_grabs import PassiveGrabs
from mac_commander.desktops.x11.unmapped_window import unmapped_window
from mac_commander.desktops.x11.windows import DEEPEST_NESTING, at_point, popups, window_manager
from mac_commander.desktops.x11.xtest import UNUSED_BUTTON
from mac_commander.events import Evidence, Owner
from mac_commander.model import App, Modifier, Window

NOT_MENUS = frozenset({"TOOLTIP", "NOTIFICATION", "DND", "SPLASH", "UTILITY"})
"""Window types of pop-ups that never hold the keyboard for a menu."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is about to be sent, as far as the proof depends on it."""

    point: tuple[int, int] | None = None
    keys: tuple[tuple[int, int], ...] = ()
    """Keycodes with the modifier state they are pressed under, to be looked up among the global hotkeys."""
    button: int = 0
    """The button that is to be pressed at the point, 0 for none."""
    modifiers: int = 0
    """State under which the button is pressed."""
    shieldable: bool = True
    """The unused button may be pressed around it. Not for drags: GTK takes the first button for the gesture's."""
    dragging: bool = False
    """We hold a button in the target: the grabs that come with it are the target's."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The server's answers, window ids and pids only."""

    focus: int
    focus_owner: int
    keys_owner: int
    """Who gets the keys: the focus's owner, unless the pointer is over a window of another program inside the focus."""
    active: int
    active_owner: int
    managed: bool
    """An EWMH window manager runs."""
    state: int
    """Modifiers, buttons and keyboard group (X11 protocol, KeyButMask and bits 13, 14)."""
    keyboard_grabbed: bool
    pointer_grabbed: bool
    saver: bool = False
    """The screen saver shows, or the screen is blank: a locker most likely waits behind it."""
    point: tuple[int, ...] = ()
    point_owner: int = NO_OWNER
    hotkey: bool = False
    grabbed_buttons: frozenset[int] = field(default_factory=frozenset)

    @property
    def shield(self) -> bool:
        """The click must be shielded by the unused button from a passive grab, and can be."""
        return bool(self.grabbed_buttons) and UNUSED_BUTTON not in self.grabbed_buttons


@dataclass(frozen=True, slots=True)
class AtOnce:
    """What one round trip tells. The fields are those of `Sight`, the grabs whoever's they are."""

    focus: int
    active: int
    manager: int
    """The window manager's own window, 0 when none is named."""
    state: int
    keyboard_grabbed: bool
    pointer_grabbed: bool
    saver: bool


class Witness:
    """Asks the X server; see the module."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self._probe = unmapped_window(x)
        self._passive = PassiveGrabs(x)
        self._has_saver = x.has_extension(screensaver.extname)

    def look(self, question: Question, on_first_answer: Callable[[], None] = lambda: None) -> Sight:
        at_once = self._at_once()
        on_first_answer()
        focus_owner, active_owner, managed = self._owners(at_once.focus, at_once.active, at_once.manager)
        keys_owner, hotkey = self._keys_go_to(question, at_once, focus_owner)
        path, point_owner, buttons = self._clicks_go_to(question, at_once, focus_owner)
        is_own = self._grabs_are_its_own(question, at_once, focus_owner)
        return Sight(
            focus=at_once.focus,
            focus_owner=focus_owner,
            keys_owner=keys_owner,
            active=at_once.active,
            active_owner=active_owner,
            managed=managed,
            state=at_once.state,
            keyboard_grabbed=at_once.keyboard_grabbed and not is_own,
            pointer_grabbed=at_once.pointer_grabbed and not is_own,
            saver=at_once.saver,
            point=path,
            point_owner=point_owner,
            hotkey=hotkey,
            grabbed_buttons=buttons,
        )

    def _at_once(self) -> AtOnce:
        x = self._x
        focus, pointer, active, manager, keyboard, grabbed_pointer, *saver = x.outcomes(
            x.post(request.GetInputFocus),
            x.post(request.QueryPointer, window=x.root),
            x.post_property(x.root, "_NET_ACTIVE_WINDOW"),
            x.post_property(x.root, "_NET_SUPPORTING_WM_CHECK"),
            self._post_keyboard_probe(),
            self._post_pointer_probe(),
            *([x.post(screensaver.QueryInfo, drawable=x.root)] if self._has_saver else []),
        )
        return AtOnce(
            focus=xid(focus.focus),
            active=(*numbers_of(active), X.NONE)[0],
            manager=(*numbers_of(manager), X.NONE)[0],
            state=int(pointer.mask),
            keyboard_grabbed=_is_grabbed(keyboard),
            pointer_grabbed=_is_grabbed(grabbed_pointer),
            saver=any(map(_saves, saver)),
        )

    def _keys_go_to(self, question: Question, at_once: AtOnce, focus_owner: int) -> tuple[int, bool]:
        """The process that gets keys now, and whether one of the question's is somebody's hotkey."""
        if question.point is not None:
            return focus_owner, False
        inside = self._inside(at_once.focus)
        taker = self._taker(inside, focus_owner)
        if not question.keys:
            return taker, False
        return taker, self._passive.has_key(question.keys, at_once.focus, inside, focus_owner, at_once.state)

    def _clicks_go_to(
        self, question: Question, at_once: AtOnce, focus_owner: int
    ) -> tuple[tuple[int, ...], int, frozenset[int]]:
        """The windows at the question's point, their owner, and which buttons others wait for there."""
        if question.point is None:
            return (), NO_OWNER, frozenset()
        path = tuple(at_point(self._x, *question.point))
        buttons = self._passive.buttons(question.button, question.modifiers, path, at_once.state)
        return path, self._owner_at(path, focus_owner), buttons

    def _grabs_are_its_own(self, question: Question, at_once: AtOnce, focus_owner: int) -> bool:
        """Whether keyboard and mouse are held by the target itself: for our drag, or for a menu of its own."""
        grabs = (at_once.keyboard_grabbed, at_once.pointer_grabbed)
        return (question.dragging and any(grabs)) or (all(grabs) and self._has_menu(focus_owner))

    def are_hotkeys(self, keys: Sequence[tuple[int, int]]) -> bool:
        """Whether one of these keys, with its modifier state, is a global hotkey right now."""
        focus, pointer = self._x.answers(
            self._x.post(request.GetInputFocus), self._x.post(request.QueryPointer, window=self._x.root)
        )
        focused = xid(focus.focus)
        pid = owners(self._x, [focused])[0] if focused not in (X.NONE, X.PointerRoot) else NO_OWNER
        return self._passive.has_key(keys, focused, self._inside(focused), pid, int(pointer.mask))

    def _owners(self, focus: int, active: int, manager: int) -> tuple[int, int, bool]:
        """Owners of focus and active window, and whether the window manager's own window exists."""
        asked = [w for w in (focus, active, manager) if w not in (X.NONE, X.PointerRoot)]
        found = dict(zip(asked, owners(self._x, asked), strict=True))
        return found.get(focus, NO_OWNER), found.get(active, NO_OWNER), found.get(manager, NO_OWNER) != NO_OWNER

    # --- who else would get it -------------------------------------------------------------------------------

    def _inside(self, focus: int) -> list[int]:
        """The windows inside the focus that the pointer is over, outermost first. The last one gets the keys before
        the focus does (X11 protocol, KeyPress), whoever's it is: an embedded window took what was typed (seen)."""
        path = [focus]
        while path[-1] not in (X.NONE, X.PointerRoot) and len(path) < DEEPEST_NESTING:
            reply = self._x.outcomes(self._x.post(request.QueryPointer, window=path[-1]))[0]
            path.append(X.NONE if isinstance(reply, XError) else xid(reply.child))
        return [window for window in path[1:] if window != X.NONE]

    def _taker(self, path: Sequence[int], holder: int) -> int:
        """The first owner on the path who is not the holder or a part of it; without one the holder."""
        return next((pid for pid in owners(self._x, path) if pid != holder and not is_part_of(pid, holder)), holder)

    def _owner_at(self, path: Sequence[int], holder: int) -> int:
        """Of the innermost window; the holder when that one is a part of it inside a window of its own."""
        pids = owners(self._x, path)
        if not pids:
            return NO_OWNER
        return holder if holder in pids and is_part_of(pids[-1], holder) else pids[-1]

    def _post_keyboard_probe(self) -> rq.ReplyRequest:
        """A grab of a window that is not on the screen never succeeds, and the server looks for another
        client's grab first: `AlreadyGrabbed` or `GrabNotViewable`, without any side effect."""
        return self._x.post(
            request.GrabKeyboard,
            owner_events=False,
            grab_window=self._probe,
            time=X.CurrentTime,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
        )

    def _post_pointer_probe(self) -> rq.ReplyRequest:
        return self._x.post(
            request.GrabPointer,
            owner_events=False,
            grab_window=self._probe,
            event_mask=0,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
            confine_to=X.NONE,
            cursor=X.NONE,
            time=X.CurrentTime,
        )

    def _has_menu(self, pid: int) -> bool:
        """An open menu or list of this process, with nothing over it: then a grab of keyboard and mouse together, as
        menus take it, is most likely its own (the protocol does not tell whose it is). A locker, which takes both
        too, covers it."""
        menus = [f.window for f in popups(self._x) if f.window.pid == pid and not self._types(f.window.id) & NOT_MENUS]
        return any(self._is_on_top(menu) for menu in menus)

    def _is_on_top(self, window: Window) -> bool:
        return window.id in at_point(self._x, *map(int, window.bounds.centre))

    def _types(self, window: int) -> frozenset[str]:
        names = [self._x.atom_name(a) for a in self._x.numbers(window, "_NET_WM_WINDOW_TYPE")]
        return frozenset(n.removeprefix("_NET_WM_WINDOW_TYPE_") for n in names)


def judged(
    x: Connection,
    sight: Sight,
    app_of: Callable[[int], App | None],
    held: frozenset[Modifier],
    human: str | None,
    question: Question,
) -> Evidence:
    """The sight in the words of the contract."""
    focus = _owner(sight.keys_owner, app_of)
    front, disagreement = _frontmost(sight, app_of)
    replayed = bool(sight.grabbed_buttons - {UNUSED_BUTTON}) and not (sight.shield and question.shieldable)
    return Evidence(
        frontmost=front,
        focus=focus,
        focus_window=sight.focus or None,
        point=_owner(sight.point_owner, app_of) if question.point is not None else None,
        disagreement=disagreement,
        keyboard_grabbed=sight.keyboard_grabbed,
        pointer_grabbed=sight.pointer_grabbed,
        hotkey=sight.hotkey,
        modifiers_held=held,
        human=human,
        locked=sight.saver,
        replayed=window_manager(x) or "another program" if replayed else "",
    )


def _owner(pid: int, app_of: Callable[[int], App | None]) -> Owner | None:
    return None if pid == NO_OWNER else Owner(pid, app_of(pid))


def _frontmost(sight: Sight, app_of: Callable[[int], App | None]) -> tuple[App | None, str]:
    """The app that both the window manager and the keyboard focus name, or what each said."""
    focused = app_of(sight.focus_owner) if sight.focus_owner != NO_OWNER else None
    if not sight.managed:
        return focused, "" if focused else f"no window manager runs, and {_focus_words(sight, focused)}"
    if sight.active_owner == sight.focus_owner and focused is not None:
        return focused, ""
    active = app_of(sight.active_owner) if sight.active_owner != NO_OWNER else None
    says = f"the window manager says that {active} is in front" if active else "the window manager names no window"
    return None, f"{says}; {_focus_words(sight, focused)}"


def _focus_words(sight: Sight, focused: App | None) -> str:
    if focused is not None:
        return f"the keyboard focus is with {focused}"
    if sight.focus == X.PointerRoot:
        return "the keyboard focus follows the pointer"
    if sight.focus_owner == NO_OWNER:
        return "no window has the keyboard focus"
    return f"the keyboard focus is with process {sight.focus_owner}, which is no app"


def _is_grabbed(reply: Any) -> bool:
    return not isinstance(reply, XError) and reply.status in (X.AlreadyGrabbed, X.GrabFrozen)


def _saves(reply: Any) -> bool:
    """``ScreenSaverOn`` of MIT-SCREEN-SAVER."""
    return not isinstance(reply, XError) and reply.state == screensaver.StateOn
