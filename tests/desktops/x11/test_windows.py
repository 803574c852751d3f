"""Windows as the X server and the window manager have them: places, states, stacking, pictures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest

from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.desktops.x11.environment import find_session
from mac_commander.errors import DesktopError, Unsupported
from mac_commander.model import Picture, Point, Rect, Window, WindowKind
from tests.desktops.x11.conftest import Hands, app_of, in_front, wait
from tests.lab import Lab, end
from tests.witness import Thief, Witness

THIEF_COLOUR = b"\xff\x44\x44"


def main(hands: Hands) -> Window:
    return next(w for w in hands.desktop.windows(hands.target) if w.main)


def test_placing_ten_times_does_not_drift(desktop: X11Desktop, witness: Witness) -> None:
    hands = in_front(desktop, witness)
    wanted = Rect(140, 110, 700, 560)
    for _ in range(10):
        placed = desktop.place(main(hands), Point(wanted.x, wanted.y), (wanted.width, wanted.height))
        assert placed == wanted
    moved = desktop.place(main(hands), Point(60, 80), None)
    assert moved == Rect(60, 80, 700, 560)
    assert desktop.place(main(hands), None, (720, 570)) == Rect(60, 80, 720, 570)


def test_hidden_and_brought_back(hands: Hands) -> None:
    desktop, target = hands.desktop, hands.target
    desktop.hide(target)
    assert wait(lambda: desktop.is_hidden(target))
    assert desktop.windows(target)[-1].minimised
    assert app_of(desktop, target.pid).hidden
    assert not any(w.pid == target.pid for w in desktop.stack())
    with pytest.raises(DesktopError, match="minimised"):
        desktop.capture(desktop.windows(target)[-1])
    desktop.activate(target)
    assert wait(lambda: desktop.frontmost() == target)
    assert not desktop.is_hidden(target)


def test_dialogs_and_popups_are_told_apart(hands: Hands, editor: Witness) -> None:
    desktop, target = hands.desktop, hands.target
    editor.tell("dialog")
    assert wait(lambda: any(w.kind is WindowKind.DIALOG for w in desktop.windows(target)))
    assert wait(lambda: next(w for w in desktop.windows(target) if w.main).kind is WindowKind.DIALOG)


def test_the_stack_is_front_to_back_and_leaves_click_through_windows_out(
    hands: Hands, editor: Witness, thief: Thief, lab: Lab
) -> None:
    desktop = hands.desktop
    desktop.activate(hands.target)
    assert wait(lambda: desktop.frontmost() == hands.target)
    assert [w.pid for w in desktop.stack()] == [editor.pid, thief.pid]
    box = editor.bounds("Save")
    glass = subprocess.Popen(
        [sys.executable, "-c", CLICK_THROUGH, *[str(int(v)) for v in box]],
        env=lab.env,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert glass.stdout is not None
    glass.stdout.readline()
    try:
        assert [w.pid for w in desktop.stack()] == [editor.pid, thief.pid]
        assert desktop.evidence(box.centre).point == (editor.pid, hands.target)
    finally:
        glass.kill()
        glass.wait()
        glass.stdout.close()


CLICK_THROUGH = """
import sys, time
from Xlib import X, display
from Xlib.ext import shape
d = display.Display()
w = d.screen().root.create_window(*map(int, sys.argv[1:5]), 0, X.CopyFromParent, override_redirect=1)
w.shape_rectangles(shape.SO.Set, shape.SK.Input, 0, 0, 0, [])
w.map()
d.sync()
print("up", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("coverage", ["none", "part", "whole"])
def test_a_picture_has_no_pixel_of_another_window(
    desktop: X11Desktop, witness: Witness, thief: Thief, coverage: str
) -> None:
    hands = in_front(desktop, witness)
    uncovered = still(hands)
    box = main(hands).bounds
    if coverage == "part":
        thief.ask("cover", int(box.x) + 40, int(box.y) + 60, 200, 150)
    if coverage == "whole":
        thief.ask("cover", int(box.x) - 20, int(box.y) - 40, int(box.width) + 40, int(box.height) + 80)

    def pictured() -> bool:
        """All of it but for a caret that blinks or a scroll bar that fades; if those are many, look again."""
        picture = desktop.capture(main(hands))
        assert (picture.width, picture.height) == (int(box.width), int(box.height))
        assert picture.bounds == box
        assert foreign(picture) == 0
        return same_share(picture, uncovered) > 0.97

    assert wait(pictured)
    whole = desktop.capture_desktop()
    assert foreign(whole) > 1_000, "the thief is on the screen, or nothing is proven"


def still(hands: Hands) -> Picture:
    """A picture once the window is painted and its focus colours have faded in."""
    seen = [hands.desktop.capture(main(hands))]

    def unchanged() -> bool:
        hands.desktop.idle(0.3)
        seen.append(hands.desktop.capture(main(hands)))
        return same_share(seen[-1], seen[-2]) > 0.99

    assert wait(unchanged)
    return seen[-1]


def foreign(picture: Picture) -> int:
    """Pixels in the thief's colour."""
    return sum(picture.rgb[i : i + 3] == THIEF_COLOUR for i in range(0, len(picture.rgb), 3))


def same_share(one: Picture, other: Picture) -> float:
    rows = range(0, len(one.rgb), 3 * 7)
    return sum(one.rgb[i : i + 3] == other.rgb[i : i + 3] for i in rows) / len(rows)


def test_a_window_id_that_went_to_another_process_is_not_pictured(hands: Hands, thief: Thief) -> None:
    with pytest.raises(DesktopError, match="gone"):
        hands.desktop.capture(replace(main(hands), pid=thief.pid))


def test_quitting_asks_and_never_kills(hands: Hands, editor: Witness) -> None:
    hands.desktop.request_quit(hands.target)
    assert wait(lambda: not hands.desktop.is_running(hands.target))
    assert hands.desktop.windows(hands.target) == ()


def test_windows_of_an_app_that_died_are_empty(hands: Hands, editor: Witness) -> None:
    end(editor.process)
    assert wait(lambda: hands.desktop.windows(hands.target) == ())
    assert not hands.desktop.is_running(hands.target)
    with pytest.raises(DesktopError):
        hands.desktop.activate(hands.target)


@pytest.fixture
def bare_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A display without a window manager."""
    with Lab(tmp_path_factory.mktemp("lab"), window_manager="none") as lab:
        yield lab


def test_without_a_window_manager(bare_lab: Lab) -> None:
    desktop = X11Desktop(find_session(bare_lab.env))
    try:
        with Witness(bare_lab, "gtk3") as witness:
            witness.ask("focus", "Notes")
            hands = in_front(desktop, witness)
            hands.type("typed without a manager")
            assert witness.values["Notes"] == "typed without a manager"
            with pytest.raises(Unsupported, match="no window manager runs"):
                desktop.hide(hands.target)
            placed = desktop.place(main(hands), Point(50, 60), (640, 500))
            assert (placed.x, placed.y) == (50, 60)
    finally:
        desktop.close()


SPLASH = """
import sys
from Xlib import X, Xatom, display
d = display.Display()
screen = d.screen()
w = screen.root.create_window(300, 300, 200, 100, 0, screen.root_depth, X.InputOutput)
kind = d.intern_atom("_NET_WM_WINDOW_TYPE_SPLASH")
w.change_property(d.intern_atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [kind])
w.map()
d.sync()
print(w.id, flush=True)
sys.stdin.read()
"""


def test_a_splash_is_no_window_of_an_app(desktop: X11Desktop, lab: Lab) -> None:
    splash = subprocess.Popen(
        [sys.executable, "-c", SPLASH], env=lab.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert splash.stdout is not None
    number = int(splash.stdout.readline())
    try:
        assert wait(lambda: any(w.id == number for w in desktop.stack()))
        assert splash.pid not in [a.pid for a in desktop.apps()]
    finally:
        splash.communicate()
