"""The real helper on a private X display: what it shows, where, over what; and that nobody's input notices it.

What is on the screen is asked from the X server by a connection of the test's own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import BadDrawable, BadWindow
from Xlib.ext import composite, shape, xtest
from Xlib.xobject.drawable import Window

from mac_commander.model import Rect
from mac_commander.overlay import design
from mac_commander.overlay.client import Halo
from mac_commander.overlay.protocol import PING, Ending
from mac_commander.overlay.x11.panel import WM_CLASS
from mac_commander.overlay.x11.xsettings import ANIMATIONS
from tests.conftest import not_run
from tests.lab import Lab
from tests.overlay.test_client import gone, until
from tests.overlay.test_xsettings import written
from tests.witness import Witness, missing

SCREEN = Rect(0, 0, 1280, 800)


@dataclass(frozen=True)
class Seen:
    """One window of the halo, as the X server tells it."""

    id: int
    bounds: Rect
    level: float
    clickable: bool
    pid: int


class Eyes:
    """A connection that looks at the display."""

    def __init__(self, name: str) -> None:
        self.display = Display(name)
        self.root = self.display.screen().root

    def halo(self) -> list[Seen]:
        """Its visible windows, bottom first."""
        found = []
        for window in self.root.query_tree().children:
            with contextlib.suppress(BadWindow, BadDrawable):  # it went while we looked
                if self._is_shown_halo(window):
                    found.append(self._seen(window))
        return found

    def lit(self) -> bool:
        windows = self.halo()
        return bool(windows) and all(w.level == 1 for w in windows)

    def pill(self) -> Seen:
        """The only window that does not touch an edge of a monitor with a whole side: the last made."""
        return max(self.halo(), key=lambda w: w.id)

    def focus(self) -> int:
        focus = self.display.get_input_focus().focus
        return int(getattr(focus, "id", focus))

    def pixels(self) -> Image.Image:
        size = self.root.get_geometry()
        raw = self.root.get_image(0, 0, size.width, size.height, X.ZPixmap, 0xFFFFFFFF)
        return Image.frombytes("RGB", (size.width, size.height), raw.data, "raw", "BGRX")

    def calm_pixels(self) -> Image.Image:
        """The screen once two looks at it are the same: compositors and apps paint when they like."""
        looks = [self.pixels()]

        def same() -> bool:
            time.sleep(0.2)
            looks.append(self.pixels())
            return looks[-2].tobytes() == looks[-1].tobytes()

        assert until(same)
        return looks[-1]

    def _is_shown_halo(self, window: Window) -> bool:
        return window.get_wm_class() == WM_CLASS and window.get_attributes().map_state == X.IsViewable

    def _seen(self, window: Window) -> Seen:
        at = window.get_geometry()
        return Seen(
            window.id,
            Rect(at.x, at.y, at.width, at.height),
            (self._cardinal(window, "_NET_WM_WINDOW_OPACITY", 0xFFFFFFFF)) / 0xFFFFFFFF,
            bool(shape.get_rectangles(window, shape.SK.Input).rectangles),
            self._cardinal(window, "_NET_WM_PID", 0),
        )

    def _cardinal(self, window: Window, name: str, default: int) -> int:
        found = window.get_full_property(self.display.get_atom(name), X.AnyPropertyType)
        return int(found.value[0]) if found is not None else default


@pytest.fixture
def eyes(lab: Lab) -> Iterator[Eyes]:
    it = Eyes(lab.display)
    yield it
    it.display.close()


@pytest.fixture
def halo(lab: Lab) -> Iterator[Halo]:
    it = Halo(True, "x11", lab.env)
    yield it
    it.close()


def light(halo: Halo, eyes: Eyes) -> list[Seen]:
    halo.ping()
    assert until(eyes.lit), f"no halo; {halo.note()}"
    return eyes.halo()


# --- what is there ---------------------------------------------------------------------------------------------


def test_four_strips_and_a_pill_come_and_go(halo: Halo, eyes: Eyes) -> None:
    windows = light(halo, eyes)
    assert len(windows) == 5
    assert not any(w.clickable for w in windows)
    assert {w.pid for w in windows} == {halo.pid}
    strips = {w.bounds for w in windows} - {eyes.pill().bounds}
    assert strips == set(design.bands(SCREEN, design.FRAME_WIDTH)), "no compositor: the thin frame"
    halo.hide()
    assert until(lambda: not eyes.halo())


def test_without_a_compositor_it_is_a_bright_opaque_frame(halo: Halo, eyes: Eyes) -> None:
    light(halo, eyes)
    pixels = eyes.calm_pixels()
    rose = tuple(round(255 * part) for part in design.ROSE_GOLD)
    assert [pixels.getpixel(at) for at in ((640, 2), (640, 797), (2, 400), (1277, 400))] == [rose] * 4


def test_it_has_no_place_among_the_managed_windows(halo: Halo, eyes: Eyes) -> None:
    before = eyes.focus()
    windows = {w.id for w in light(halo, eyes)}
    for name in ("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW"):
        found = eyes.root.get_full_property(eyes.display.get_atom(name), X.AnyPropertyType)
        assert found is None or not windows & set(found.value)
    assert eyes.focus() == before


def test_with_a_compositor_it_fades(tmp_path: Path) -> None:
    with Lab(tmp_path, window_manager="metacity+compositor", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        halo.ping()
        levels = set()
        assert until(lambda: levels.update(w.level for w in eyes.halo()) or eyes.lit())
        assert len(levels) > 3, "it jumped"
        strips = [w.bounds for w in eyes.halo() if w.id != eyes.pill().id]
        assert set(strips) == set(design.bands(SCREEN, design.GLOW_DEPTH))
        halo.hide()
        assert until(lambda: levels.update(w.level for w in eyes.halo()) or not eyes.halo())
        halo.close()
        eyes.display.close()


def test_every_call_ends_dark(tmp_path: Path) -> None:
    """A helper that judged by another moment than the one it showed stayed a shade above dark, once in twenty."""
    with Lab(tmp_path, window_manager="metacity+compositor", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        for _ in range(10):
            light(halo, eyes)
            halo.hide()
            assert until(lambda: not eyes.halo())
        halo.close()
        eyes.display.close()


def test_a_glow_that_bleeds_to_nothing(tmp_path: Path) -> None:
    with Lab(tmp_path, window_manager="metacity+compositor", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        before = eyes.calm_pixels()
        light(halo, eyes)
        after = eyes.calm_pixels()
        column = [after.getpixel((640, y)) for y in range(80)]
        reds = [c[0] - before.getpixel((640, y))[0] for y, c in enumerate(column)]
        assert column[0] != column[10] != before.getpixel((640, 10))
        assert reds[3:] == sorted(reds[3:], reverse=True), "the glow falls, and only falls"
        assert column[75] == before.getpixel((640, 75))
        assert after.getpixel((640, 400)) == before.getpixel((640, 400))
        corners = {after.getpixel(at) for at in ((0, 0), (1279, 0), (0, 799), (1279, 799))}
        assert len(corners) == 1, "four corners alike"
        halo.close()
        eyes.display.close()


# --- where it is -------------------------------------------------------------------------------------------------


def test_every_monitor_glows_and_the_main_one_has_the_pill(tmp_path: Path) -> None:
    with Lab(tmp_path, screens=[(1280, 800), (1024, 768)], window_manager="openbox", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        windows = light(halo, eyes)
        strips = {w.bounds for w in windows if w.id != eyes.pill().id}
        second = Rect(1280, 0, 1024, 768)
        assert strips == {*design.bands(SCREEN, design.FRAME_WIDTH), *design.bands(second, design.FRAME_WIDTH)}
        assert eyes.pill().bounds.centre.x == pytest.approx(640, abs=1)

        # The second monitor is pulled out while it is lit.
        subprocess.run(["xrandr", "--delmonitor", "LAB-1"], env=lab.env, check=True)
        assert until(lambda: len(eyes.halo()) == 5 and eyes.lit()), "the monitor's glow stayed without it"
        halo.close()
        eyes.display.close()


def test_a_smaller_screen_is_followed(tmp_path: Path) -> None:
    with Lab(tmp_path, window_manager="openbox", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        light(halo, eyes)
        timings = "65.00 1024 1048 1184 1344 768 771 777 806"
        for arguments in (f"--newmode small {timings}", "--addmode screen small", "--output screen --mode small"):
            subprocess.run(["xrandr", *arguments.split()], env=lab.env, check=True)
        expected = set(design.bands(Rect(0, 0, 1024, 768), design.FRAME_WIDTH))
        assert until(lambda: expected < {w.bounds for w in eyes.halo()}), eyes.halo()
        assert eyes.pill().bounds.centre.x == pytest.approx(512, abs=1)
        halo.close()
        eyes.display.close()


def add_panel(eyes: Eyes, bounds: Rect, strut: int) -> Window:
    """A real panel at the bottom is only its strut to everybody else."""
    x, y, width, height = map(int, bounds)
    panel = eyes.root.create_window(x, y, width, height, 0, X.CopyFromParent)
    atom = eyes.display.get_atom
    panel.change_property(atom("_NET_WM_WINDOW_TYPE"), Xatom.ATOM, 32, [atom("_NET_WM_WINDOW_TYPE_DOCK")])
    numbers = [0, 0, 0, strut, *[0] * 6, x, x + width - 1]
    panel.change_property(atom("_NET_WM_STRUT_PARTIAL"), Xatom.CARDINAL, 32, numbers)
    panel.map()
    eyes.display.sync()
    return panel


def pill_bottom(eyes: Eyes) -> float:
    pill = eyes.pill().bounds
    return pill.y + pill.height - design.PILL_GLOW + design.PILL_LIFT


def test_the_pill_stands_above_a_panel(lab: Lab, halo: Halo, eyes: Eyes) -> None:
    light(halo, eyes)
    assert pill_bottom(eyes) == 800
    panel = add_panel(eyes, Rect(0, 760, 1280, 40), 40)
    assert until(lambda: eyes.lit() and pill_bottom(eyes) == 760), "a panel that comes while it is lit"
    panel.destroy()
    eyes.display.sync()


@pytest.mark.parametrize("window_manager", ["metacity", "xfwm4", "openbox"])
def test_only_a_panel_of_the_main_monitor_lifts_the_pill(window_manager: str, tmp_path: Path) -> None:
    screens = [(1280, 800), (1024, 600)]
    with Lab(tmp_path, window_manager=window_manager, screens=screens, accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        add_panel(eyes, Rect(1280, 560, 1024, 40), 240)
        light(halo, eyes)
        assert until(lambda: eyes.lit() and pill_bottom(eyes) == 800)
        add_panel(eyes, Rect(0, 760, 1280, 40), 40)
        assert until(lambda: eyes.lit() and pill_bottom(eyes) == 760)
        halo.close()
        eyes.display.close()


def test_twice_the_scale_is_twice_the_size(lab: Lab, eyes: Eyes) -> None:
    halo = Halo(True, "x11", lab.env | {"GDK_SCALE": "2"})
    windows = light(halo, eyes)
    assert set(design.bands(SCREEN, 2 * design.FRAME_WIDTH)) < {w.bounds for w in windows}
    assert eyes.pill().bounds.height == 2 * (design.PILL_HEIGHT + 2 * design.PILL_GLOW)
    halo.close()


def test_it_comes_back_above_a_window_that_covered_it(halo: Halo, eyes: Eyes) -> None:
    light(halo, eyes)
    cover = eyes.root.create_window(0, 0, 1280, 800, 0, X.CopyFromParent, override_redirect=True)
    cover.map()
    eyes.display.sync()

    def on_top() -> bool:
        stack = [w.id for w in eyes.root.query_tree().children]
        return all(stack.index(w.id) > stack.index(cover.id) for w in eyes.halo())

    assert until(on_top)
    cover.destroy()
    eyes.display.sync()


# --- what the desktop wants ---------------------------------------------------------------------------------------


def test_a_compositor_that_comes_and_goes_while_it_is_lit(tmp_path: Path) -> None:
    """Without one, translucent windows would be black bars over the apps."""
    thin, deep = (set(design.bands(SCREEN, depth)) for depth in (design.FRAME_WIDTH, design.GLOW_DEPTH))
    with Lab(tmp_path, window_manager="none", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        light(halo, eyes)
        compositor = lab.spawn(["metacity", "--composite"])
        assert until(lambda: deep < {w.bounds for w in eyes.halo()})
        compositor.terminate()
        assert until(lambda: thin < {w.bounds for w in eyes.halo()})
        halo.close()
        eyes.display.close()


def test_the_users_resolution_counts(tmp_path: Path) -> None:
    with Lab(tmp_path, window_manager="openbox", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        light(halo, eyes)
        eyes.root.change_property(Xatom.RESOURCE_MANAGER, Xatom.STRING, 8, b"Xft.antialias:\t1\nXft.dpi:\t144\n")
        eyes.display.sync()
        assert until(lambda: set(design.bands(SCREEN, 1.5 * design.FRAME_WIDTH)) < {w.bounds for w in eyes.halo()})
        halo.close()
        eyes.display.close()


def test_no_fades_for_who_wants_no_motion(tmp_path: Path) -> None:
    with Lab(tmp_path, window_manager="metacity+compositor", accessibility=False) as lab:
        eyes, halo = Eyes(lab.display), Halo(True, "x11", lab.env)
        atom = eyes.display.get_atom
        daemon = eyes.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        settings = atom("_XSETTINGS_SETTINGS")
        daemon.change_property(settings, settings, 8, written({"Net/ThemeName": "Adwaita", ANIMATIONS: 0}))
        daemon.set_selection_owner(atom("_XSETTINGS_S0"), X.CurrentTime)
        eyes.display.sync()
        levels: set[float] = set()
        halo.ping()
        assert until(lambda: levels.update(w.level for w in eyes.halo()) or eyes.lit())
        halo.hide()
        assert until(lambda: levels.update(w.level for w in eyes.halo()) or not eyes.halo())
        assert levels == {1.0}
        halo.close()
        eyes.display.close()


# --- it never counts ----------------------------------------------------------------------------------------------


def test_clicks_and_keys_go_through_it_and_the_focus_stays(lab: Lab, halo: Halo, eyes: Eyes) -> None:
    lacking = missing("gtk3", lab)
    if lacking:
        not_run(f"needs {lacking}")
    with Witness(lab, "gtk3") as app:
        window = eyes.display.create_resource_object("window", app.window)
        window.configure(x=0, y=0, width=1280, height=800)
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        eyes.display.sync()
        app.tell("focus", "Notes")
        time.sleep(0.3)
        light(halo, eyes)
        focus = eyes.focus()
        app.forget()
        body = eyes.pill().bounds.centre
        under = [(2, 400), (1277, 300), (400, 798), (int(body.x), int(body.y))]
        for x, y in under * 5:
            xtest.fake_input(eyes.display, X.MotionNotify, x=x, y=y)
            xtest.fake_input(eyes.display, X.ButtonPress, 2)
            xtest.fake_input(eyes.display, X.ButtonRelease, 2)
        for _ in range(100):
            code = eyes.display.keysym_to_keycode(ord("a"))
            xtest.fake_input(eyes.display, X.KeyPress, code)
            xtest.fake_input(eyes.display, X.KeyRelease, code)
        eyes.display.sync()
        until(lambda: len(app.events("key_up")) == 100)
        assert [tuple(e["at"]) for e in app.events("mouse_down")] == under * 5
        assert len(app.events("key_down")) == 100
        assert eyes.lit()
        assert eyes.focus() == focus


def test_a_picture_of_a_window_does_not_contain_it(lab: Lab, halo: Halo, eyes: Eyes) -> None:
    app = eyes.root.create_window(
        0, 0, 1280, 800, 0, X.CopyFromParent, override_redirect=True, background_pixel=0x123456
    )
    composite.redirect_window(app, composite.RedirectAutomatic)
    app.map()
    eyes.display.sync()
    light(halo, eyes)
    pixmap = composite.name_window_pixmap(app)
    raw = pixmap.get_image(0, 0, 1280, 800, X.ZPixmap, 0xFFFFFFFF)
    colours = Image.frombytes("RGB", (1280, 800), raw.data, "raw", "BGRX").getcolors()
    assert colours == [(1280 * 800, (0x12, 0x34, 0x56))]
    app.destroy()
    eyes.display.sync()


# --- it ends --------------------------------------------------------------------------------------------------------


def test_it_is_gone_when_its_server_is(halo: Halo, eyes: Eyes) -> None:
    light(halo, eyes)
    pid = halo.pid
    assert pid is not None
    halo.close()
    assert until(lambda: not eyes.halo() and gone(pid))


def test_a_stopped_helper_that_goes_on_ends_dark(halo: Halo, eyes: Eyes) -> None:
    light(halo, eyes)
    assert halo.pid is not None
    os.kill(halo.pid, signal.SIGSTOP)
    for _ in range(50):
        halo.hide()
        halo.ping()
    halo.hide()
    os.kill(halo.pid, signal.SIGCONT)
    assert until(lambda: not eyes.halo())


def test_a_display_that_goes_away_ends_it_for_good(tmp_path: Path) -> None:
    halo = Halo(True, "x11", os.environ)
    with Lab(tmp_path, window_manager="none", accessibility=False) as lab:
        halo = Halo(True, "x11", lab.env)
        halo.ping()
        eyes = Eyes(lab.display)
        assert until(eyes.lit)
        pid = halo.pid
        assert pid is not None
        eyes.display.close()
    assert until(lambda: gone(pid))
    halo.ping()
    assert "display" in halo.note()
    halo.close()


@pytest.mark.parametrize(
    "doctored",
    ["loop.INPUT_SHAPES = (99, 0)", "panel.shape.rectangles = lambda *_: None"],
    ids=["the extension is too old", "the server does not do it"],
)
def test_what_cannot_be_click_through_is_not_shown(doctored: str, lab: Lab, eyes: Eyes) -> None:
    imports = "import os, sys; from mac_commander.overlay.x11 import loop, panel"
    program = f"{imports}; {doctored}; sys.exit(loop.run(0, os.environ))"
    ended = subprocess.run([sys.executable, "-c", program], input=PING, env=lab.env, timeout=20)
    assert ended.returncode == Ending.NO_CLICK_THROUGH
    assert not eyes.halo()
