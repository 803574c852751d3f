"""What is seen at the moment of delivery: who is in front, who has the focus, who owns the point, who else
would get the input. Everything asked here is answered by the X server itself, so it can be asked while it is held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from Xlib import X
from Xlib.error import XError
from Xlib.ext import screensaver, xinput
from Xlib.protocol import request, rq

from mac_commander.desktops.x11.display import Connection, numbers_of, xid
from mac_commander.desktops.x11.owners import NO_OWNER, owners
from mac_commander.desktops.x11.unmapped_window import unmapped_window
from mac_commander.desktops.x11.windows import at_point, path_to_root, popups, window_manager
from mac_commander.desktops.x11.xtest import UNUSED_BUTTON
from mac_commander.events import Evidence, Owner
from mac_commander.model import App, Modifier

CORE_DEVICES = (1, 2, 3)
"""All masters, the core pointer, the core keyboard: what a passive XInput 2 grab may be for. GNOME's hotkeys are
on the core keyboard; a grab is found only by a probe for the same device."""

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


class Witness:
    """Asks the X server; see the module."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self._probe = unmapped_window(x)
        self._has_saver = x.has_extension(screensaver.extname)

    def look(self, question: Question, on_first_answer: Callable[[], None] = lambda: None) -> Sight:
        x = self._x
        first = x.outcomes(
            x.post(request.GetInputFocus),
            x.post(request.QueryPointer, window=x.root),
            x.post_property(x.root, "_NET_ACTIVE_WINDOW"),
            x.post_property(x.root, "_NET_SUPPORTING_WM_CHECK"),
            self._post_keyboard_probe(),
            self._post_pointer_probe(),
            *([x.post(screensaver.QueryInfo, drawable=x.root)] if self._has_saver else []),
        )
        on_first_answer()
        focus, pointer, active_reply, manager, keyboard, grabbed_pointer, *saver = first
        focused, active = xid(focus.focus), (*numbers_of(active_reply), X.NONE)[0]
        focus_owner, active_owner, managed = self._owners(focused, active, (*numbers_of(manager), X.NONE)[0])
        grabs = [_is_grabbed(keyboard), _is_grabbed(grabbed_pointer)]
        if (question.dragging and any(grabs)) or (all(grabs) and self._has_menu(focus_owner)):
            grabs = [False, False]
        path = tuple(at_point(x, *question.point)) if question.point is not None else ()
        return Sight(
            focus=focused,
            focus_owner=focus_owner,
            active=active,
            active_owner=active_owner,
            managed=managed,
            state=int(pointer.mask),
            keyboard_grabbed=grabs[0],
            pointer_grabbed=grabs[1],
            saver=any(map(_saves, saver)),
            point=path,
            point_owner=owners(x, path[-1:])[0] if path else NO_OWNER,
            hotkey=bool(question.keys) and self._is_hotkey(question.keys, focused, focus_owner, int(pointer.mask)),
            grabbed_buttons=self._grabbed_buttons(question, path, int(pointer.mask)),
        )

    def are_hotkeys(self, keys: Sequence[tuple[int, int]]) -> bool:
        """Whether one of these keys, with its modifier state, is a global hotkey right now."""
        focus, pointer = self._x.answers(
            self._x.post(request.GetInputFocus), self._x.post(request.QueryPointer, window=self._x.root)
        )
        focused = xid(focus.focus)
        pid = owners(self._x, [focused])[0] if focused not in (X.NONE, X.PointerRoot) else NO_OWNER
        return self._is_hotkey(keys, focused, pid, int(pointer.mask))

    def _owners(self, focus: int, active: int, manager: int) -> tuple[int, int, bool]:
        """Owners of focus and active window, and whether the window manager's own window exists."""
        asked = [w for w in (focus, active, manager) if w not in (X.NONE, X.PointerRoot)]
        found = dict(zip(asked, owners(self._x, asked), strict=True))
        return found.get(focus, NO_OWNER), found.get(active, NO_OWNER), found.get(manager, NO_OWNER) != NO_OWNER

    # --- who else would get it -------------------------------------------------------------------------------

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
        """An open menu or list of this process: then a grab of keyboard and mouse together, as menus take it, is
        most likely its own (the protocol does not tell whose it is)."""
        return any(f.window.pid == pid and not self._types(f.window.id) & NOT_MENUS for f in popups(self._x))

    def _types(self, window: int) -> frozenset[str]:
        names = [self._x.atom_name(a) for a in self._x.numbers(window, "_NET_WM_WINDOW_TYPE")]
        return frozenset(n.removeprefix("_NET_WM_WINDOW_TYPE_") for n in names)

    def _is_hotkey(self, keys: Sequence[tuple[int, int]], focus: int, owner: int, state: int) -> bool:
        """Whether another client waits for one of these keys on the way from the root to the focus. Core and
        XInput 2 grabs do not see each other, so both are tried."""
        x, locks = self._x, state & (X.LockMask | X.Mod2Mask)
        windows = self._foreign(path_to_root(x, focus), owner)
        probes = [(w, keycode, mods | locks) for w in windows for keycode, mods in keys]
        core = [self._try_key(*probe) for probe in probes]
        device = [self._post_device_grab(1, *probe, device) for probe in probes for device in (1, 3)]
        answers = x.outcomes(*device)
        for window, keycode, mods in probes:
            for number in (1, 3):
                self._drop_device_grab(1, window, keycode, mods, number)
        return any(c.get_error() is not None for c in core) or any(map(_refused, answers))

    def _grabbed_buttons(self, question: Question, path: Sequence[int], state: int) -> frozenset[int]:
        """Which of the wanted and the unused button another client has a passive grab for, on the way to the
        point. A window manager's synchronous grab replays the press after our proof."""
        if not question.button:
            return frozenset()
        x, mods = self._x, question.modifiers | state & (X.LockMask | X.Mod2Mask)
        numbers = (question.button, UNUSED_BUTTON)
        probes = [(w, number, mods) for w in (x.root, *path) for number in numbers]
        core = [self._try_button(*probe) for probe in probes]
        device = [self._post_device_grab(0, *probe, device) for probe in probes for device in (1, 2)]
        answers = x.outcomes(*device)
        for window, number, modifiers in probes:
            for which in (1, 2):
                self._drop_device_grab(0, window, number, modifiers, which)
        hit = {number for (_, number, _), c in zip(probes, core, strict=True) if c.get_error() is not None}
        pairs = [probe for probe in probes for _ in (1, 2)]
        return frozenset(hit | {number for (_, number, _), a in zip(pairs, answers, strict=True) if _refused(a)})

    def _foreign(self, path: Sequence[int], owner: int) -> list[int]:
        """The root, and the windows of the path that are not the focus owner's: its own grabs are its own."""
        path = [w for w in path if w not in (X.NONE, X.PointerRoot)]
        theirs = [w for w, pid in zip(path, owners(self._x, path), strict=True) if pid != owner]
        return list(dict.fromkeys([*theirs, self._x.root]))

    def _try_key(self, window: int, keycode: int, modifiers: int) -> Any:
        tried = self._x.attempt(
            request.GrabKey,
            owner_events=False,
            grab_window=window,
            modifiers=modifiers,
            key=keycode,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
        )
        self._x.send(request.UngrabKey, key=keycode, grab_window=window, modifiers=modifiers)
        return tried

    def _try_button(self, window: int, number: int, modifiers: int) -> Any:
        tried = self._x.attempt(
            request.GrabButton,
            owner_events=False,
            grab_window=window,
            event_mask=X.ButtonPressMask,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
            confine_to=X.NONE,
            cursor=X.NONE,
            button=number,
            modifiers=modifiers,
        )
        self._x.send(request.UngrabButton, button=number, grab_window=window, modifiers=modifiers)
        return tried

    def _post_device_grab(self, kind: int, window: int, detail: int, modifiers: int, device: int) -> rq.ReplyRequest:
        return self._x.post(
            xinput.XIPassiveGrabDevice,
            deviceid=device,
            grab_window=window,
            time=X.CurrentTime,
            cursor=X.NONE,
            detail=detail,
            grab_type=kind,
            grab_mode=xinput.GrabModeAsync,
            paired_device_mode=xinput.GrabModeAsync,
            owner_events=False,
            mask=[1 << (xinput.KeyPress if kind else xinput.ButtonPress)],
            modifiers=[modifiers],
        )

    def _drop_device_grab(self, kind: int, window: int, detail: int, modifiers: int, device: int) -> None:
        self._x.send(
            xinput.XIPassiveUngrabDevice,
            deviceid=device,
            grab_window=window,
            detail=detail,
            grab_type=kind,
            modifiers=[modifiers],
        )


def judged(
    x: Connection,
    sight: Sight,
    app_of: Callable[[int], App | None],
    held: frozenset[Modifier],
    human: str | None,
    question: Question,
) -> Evidence:
    """The sight in the words of the contract."""
    focus = _owner(sight.focus_owner, app_of)
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


def _refused(reply: Any) -> bool:
    """A passive device grab lists only the modifiers that failed."""
    return not isinstance(reply, XError) and bool(reply.modifiers)
