"""What a blocked app draws is in no picture: beside, over and inside other windows, in its frame, by a second name."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from Xlib.display import Display

from mac_commander.core.config import Config
from mac_commander.core.picture import encode
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.desktops.x11.desktop import X11Desktop
from mac_commander.errors import Refused
from mac_commander.model import Picture, Rect
from tests.desktops.x11.conftest import Hands, wait
from tests.lab import Lab

MAGENTA = (255, 0, 255)

DRAW = """
import sys, time
from Xlib import X
from Xlib.display import Display
from Xlib.ext import shape

display = Display()
root = display.screen().root

def draw(name, left, *, over=False, through=False, parent=root, kind=""):
    made = parent.create_window(left, 300, 90, 90, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent,
                                background_pixel=0xFF00FF, override_redirect=over, event_mask=X.StructureNotifyMask)
    made.set_wm_class(name.lower(), name)
    made.set_wm_name("SECRET")
    if kind:
        made.change_property(display.intern_atom("_NET_WM_WINDOW_TYPE"), display.intern_atom("ATOM"), 32,
                             [display.intern_atom(kind)])
    if through:
        made.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
    made.map()
    display.sync()
    return made

SCENE
print("ready", flush=True)
time.sleep(60)
"""

Draw = Callable[[str], int]


@pytest.fixture
def draw(lab: Lab) -> Iterator[Draw]:
    """Run a program that draws this scene in magenta; its pid."""
    started: list[subprocess.Popen[bytes]] = []

    def run(scene: str) -> int:
        app = lab.spawn([sys.executable, "-c", DRAW.replace("SCENE", scene)], stdout=subprocess.PIPE)
        assert app.stdout is not None
        started.append(app)
        assert app.stdout.readline() == b"ready\n"
        return app.pid

    yield run
    for app in started:
        assert app.stdout is not None
        app.stdout.close()


@pytest.fixture
def session(desktop: X11Desktop, tmp_path: Path) -> Session:
    return Session(desktop, Config(tmp_path, input_blocklist=("Vault",)), Stop())


def magenta(picture: Picture, black: list[Rect]) -> int:
    image = Image.open(io.BytesIO(encode(picture, black).image.data)).convert("RGB")
    return sum(count for count, colour in image.getcolors(1 << 24) or [] if colour == MAGENTA)


def raw(picture: Picture) -> int:
    return magenta(picture, [])


def test_the_whole_desktop_shows_nothing_of_it(session: Session, draw: Draw) -> None:
    draw(
        'draw("Vault", 50)\n'
        'draw("Vault", 250, through=True)\n'
        'draw("Vault", 450, over=True)\n'
        'draw("Vault", 650, over=True, through=True)\n'
    )
    assert wait(lambda: raw(session.desktop.capture_desktop()) >= 4 * 90 * 90)
    assert magenta(*session.desktop_picture()) == 0


def test_its_title_is_in_no_picture(session: Session, draw: Draw, lab: Lab) -> None:
    pid = draw('draw("Vault", 50)')
    assert wait(lambda: any(a.pid == pid for a in session.desktop.apps()))
    window = next(w for w in session.desktop.stack() if w.pid == pid)
    display = Display(lab.display)
    frame = display.create_resource_object("window", window.id).query_tree().parent.get_geometry()
    display.close()
    _, black = session.desktop_picture()
    assert any(box.width >= frame.width and box.height >= frame.height for box in black)
    assert frame.height > window.bounds.height, "the window manager framed it"


def test_a_picture_of_another_window_shows_nothing_of_what_it_drew_inside(
    session: Session, hands: Hands, draw: Draw
) -> None:
    outer = session.desktop.windows(hands.target)[0].id
    draw(f'draw("Vault", 50, parent=display.create_resource_object("window", {outer}))')
    window = session.main_window(hands.target)
    assert window is not None
    assert wait(lambda: raw(session.desktop.capture(window)) > 0)
    picture, _, black = session.window_picture(hands.target)
    assert magenta(picture, black) == 0
    assert magenta(*session.desktop_picture()) == 0


def test_a_second_window_of_another_name_counts(session: Session, draw: Draw) -> None:
    """One process may show windows of several apps, as ``ssh -X`` does."""
    pid = draw('draw("Notes", 50)\ntime.sleep(1)\ndraw("Vault", 250)')
    assert wait(lambda: len([w for w in session.desktop.stack() if w.pid == pid]) == 2)
    app = session.resolve("Notes")
    with pytest.raises(Refused, match="blocklist"):
        session.policy.refuse_input(app, "Notes")
    with pytest.raises(Refused, match="blocklist"):
        session.window_picture(app)
    assert magenta(*session.desktop_picture()) == 0


def test_a_wallpaper_and_a_panel_are_no_unknown_windows(session: Session, draw: Draw) -> None:
    draw(
        'draw("Wallpaper", 50, kind="_NET_WM_WINDOW_TYPE_DESKTOP")\ndraw("Panel", 250, kind="_NET_WM_WINDOW_TYPE_DOCK")'
    )
    assert wait(lambda: raw(session.desktop.capture_desktop()) >= 2 * 90 * 90)
    assert magenta(*session.desktop_picture()) >= 2 * 90 * 90
