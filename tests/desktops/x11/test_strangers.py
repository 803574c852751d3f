"""Windows of other programs in, on and over the target's own: what is inside a window is not its owner's for that."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from Xlib import XK, X
from Xlib.display import Display

from mac_commander.desktops.x11 import windows
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.errors import DesktopError, Refused
from mac_commander.events import ClickAt, PressChord, TypeText
from mac_commander.model import Chord
from tests.desktops.x11.conftest import Hands, app_of, wait
from tests.lab import Lab
from tests.witness import Witness

KEYS = X.KeyPressMask | X.KeyReleaseMask


@pytest.fixture
def stranger(lab: Lab) -> Iterator[Display]:
    """Another program: the test itself."""
    display = Display(lab.display)
    yield display
    display.close()


@pytest.fixture
def plain(desktop: X11Desktop, lab: Lab) -> Hands:
    """An app whose keys go to its window itself. GTK's go to a tiny one of their own, which nothing can lie in."""
    return alone(desktop, lab, FAMILY.partition("if os.fork")[0] + "time.sleep(60)")


def alone(desktop: X11Desktop, lab: Lab, program: str) -> Hands:
    app = lab.spawn([sys.executable, "-c", program])
    assert wait(lambda: any(a.pid == app.pid for a in desktop.apps()), 15)
    hands = Hands(desktop, app_of(desktop, app.pid))
    desktop.activate(hands.target)
    assert wait(lambda: desktop.frontmost() == hands.target)
    desktop.watch_human()
    return hands


def embedded(stranger: Display, hands: Hands) -> Any:
    """A window of the stranger in the target's window, at its top left, with the pointer over it."""
    outer = hands.desktop.windows(hands.target)[0]
    inner = stranger.create_resource_object("window", outer.id).create_window(
        0, 0, 80, 80, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent, event_mask=KEYS
    )
    inner.map()
    stranger.screen().root.warp_pointer(int(outer.bounds.x) + 40, int(outer.bounds.y) + 40)
    stranger.sync()
    hands.desktop.watch_human()
    return inner


def keys_taken(stranger: Display) -> int:
    stranger.sync()
    return sum(stranger.next_event().type == X.KeyPress for _ in range(stranger.pending_events()))


def test_keys_do_not_go_to_an_embedded_window_below_the_pointer(plain: Hands, stranger: Display) -> None:
    inner = embedded(stranger, plain)
    with pytest.raises(Refused, match="has the keyboard"):
        plain.send(TypeText("secret"))
    assert plain.judged[-1].focus is not None
    assert plain.judged[-1].focus.pid == os.getpid()
    inner.destroy()
    stranger.sync()
    plain.send(TypeText("mine"))
    assert keys_taken(stranger) == 0


@pytest.mark.parametrize("group", [TypeText("banana"), PressChord(Chord(frozenset(), "a"))])
def test_a_key_that_a_stranger_waits_for_on_the_targets_window_is_not_pressed(
    hands: Hands, editor: Witness, stranger: Display, group: TypeText | PressChord
) -> None:
    window = stranger.create_resource_object("window", hands.desktop.windows(hands.target)[0].id)
    keycode = stranger.keysym_to_keycode(XK.string_to_keysym("a"))
    window.grab_key(keycode, X.AnyModifier, False, X.GrabModeAsync, X.GrabModeAsync)
    stranger.sync()
    with pytest.raises(Refused, match="global hotkey"):
        hands.send(group)
    window.ungrab_key(keycode, X.AnyModifier)
    stranger.sync()
    hands.desktop.watch_human()
    hands.send(group)
    assert keys_taken(stranger) == 0


def test_a_grab_is_not_a_menus_own_when_something_covers_it(hands: Hands, editor: Witness, stranger: Display) -> None:
    """A locker takes keyboard and mouse as a menu does. It lies over everything, even when it cannot be seen."""
    witness = hands.desktop._delivery._witness
    hands.send(ClickAt(editor.bounds("Colour").centre))
    assert wait(lambda: witness._has_menu(hands.target.pid))
    locker = stranger.screen().root.create_window(
        0, 0, 1280, 800, 0, 0, X.InputOnly, X.CopyFromParent, override_redirect=True
    )
    locker.map()
    stranger.sync()
    assert not witness._has_menu(hands.target.pid)
    locker.destroy()
    stranger.sync()
    assert witness._has_menu(hands.target.pid)
    hands.send(PressChord(Chord(frozenset(), "escape")))


FAMILY = """
import os, sys, time
from Xlib import X
from Xlib.display import Display

def window(display, parent):
    made = parent.create_window(0, 0, 200, 200, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent,
                                event_mask=X.ButtonPressMask | X.ExposureMask)
    made.set_wm_class("family", "Family")
    made.map()
    display.sync()
    return made

mother = Display()
outer = window(mother, mother.screen().root)
if os.fork() == 0:
    child = Display()
    window(child, child.create_resource_object("window", outer.id))
    time.sleep(60)
time.sleep(60)
"""
"""As a browser and the process that draws for it."""


def test_a_part_of_the_app_may_draw_inside_its_window(desktop: X11Desktop, lab: Lab) -> None:
    hands = alone(desktop, lab, FAMILY)
    centre = desktop.windows(hands.target)[0].bounds.centre
    assert wait(lambda: len(windows.at_point(desktop._x, *map(int, centre))) > 2)
    hands.send(ClickAt(centre))
    hands.send(TypeText("x"))


def test_a_giant_window_gets_no_picture(desktop: X11Desktop, stranger: Display) -> None:
    """The X server would have to copy it, and serve nobody meanwhile."""
    giant = stranger.screen().root.create_window(0, 0, 9000, 9000, 0, X.CopyFromParent, override_redirect=True)
    giant.map()
    stranger.sync()
    with pytest.raises(DesktopError, match="9000 by 9000"):
        desktop.capture(windows.read(desktop._x, [giant.id])[0].window)
