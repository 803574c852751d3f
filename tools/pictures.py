"""Makes the README's pictures of the halo: the real helper on a private X display with a real app.

    python -m tools.pictures [FOLDER]

writes ``halo-light.png``, ``halo-dark.png`` and ``halo.png`` (an animated PNG of one call lighting it) to FOLDER,
``docs`` unless named. Needs what the demo needs, and ``metacity`` and ``zenity``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image
from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.ext import xtest

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.overlay.client import Halo

Rgb = tuple[int, int, int]

LETTER = """Dear crew,

the con is Claude's for as long as the edges glow.
It looks, it clicks, it types; then it hands back.

"""

TYPED = "aye aye"
"""What the animated call types, by XTEST as the server does; keys that every layout has without Shift."""

LIGHT = ((250, 251, 253), (214, 226, 240))
DARK = ((20, 22, 34), (44, 40, 66))
"""Wallpapers: colours at the top left and at the bottom right."""

SETTLE_SECONDS = 1.5
"""For the compositor and the app to have painted everything."""

FRAMES_PER_SECOND = 12
ANIMATION_SECONDS = 4.0
CALL_ENDS = 2.4
ANIMATION_SIZE = (640, 400)


@dataclass(frozen=True)
class Scene:
    """What stands on the private desktop."""

    wallpaper: tuple[Rgb, Rgb] = LIGHT
    screens: Sequence[tuple[int, int]] = ((1280, 800),)
    scale: int = 1
    window_manager: str = "metacity+compositor"
    compositor: Sequence[str] = ()
    """Its command line, where the window manager is none itself."""
    dark: bool = False


@contextmanager
def staged(scene: Scene) -> Iterator[PrivateDesktop]:
    """A desktop with wallpaper, compositor and an app, all painted."""
    with (
        tempfile.TemporaryDirectory(prefix="mac-commander-pictures-") as folder,
        PrivateDesktop(_home(folder, scene), screens=scene.screens, window_manager=scene.window_manager) as desktop,
    ):
        desktop.env["GDK_SCALE"] = str(scene.scale)
        paper = hang_wallpaper(desktop.display, scene)
        if scene.compositor:
            desktop.spawn(scene.compositor)
        letter = desktop.folder / "home" / "letter.txt"
        letter.write_text(LETTER)
        editor = desktop.spawn(["zenity", "--text-info", "--editable", "--title=Letter", f"--filename={letter}"])
        place(desktop.display, desktop.wait_window(pid=editor.pid), scene)
        time.sleep(SETTLE_SECONDS)
        yield desktop
        paper.close()


def _home(folder: str, scene: Scene) -> Path:
    """A folder whose home tells GTK, and with it metacity, to be dark or light."""
    settings = Path(folder) / "home" / ".config" / "gtk-3.0" / "settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[Settings]\ngtk-application-prefer-dark-theme={int(scene.dark)}\n")
    return Path(folder)


def hang_wallpaper(name: str, scene: Scene) -> Display:
    """Set the root pixmap as wallpaper setters do; it lives as long as the connection that is returned."""
    display = Display(name)
    root = display.screen().root
    size = root.get_geometry()
    image = _gradient((size.width, size.height), scene.wallpaper)
    pixmap = root.create_pixmap(size.width, size.height, display.screen().root_depth)
    pixmap.put_pil_image(pixmap.create_gc(), 0, 0, image)
    for atom in ("_XROOTPMAP_ID", "ESETROOT_PMAP_ID"):
        root.change_property(display.get_atom(atom), Xatom.PIXMAP, 32, [pixmap.id])
    root.change_attributes(background_pixmap=pixmap)
    root.clear_area()
    display.sync()
    return display


def _gradient(size: tuple[int, int], colours: tuple[Rgb, Rgb]) -> Image.Image:
    """From one colour at the top left to the other at the bottom right."""
    down = Image.linear_gradient("L")
    across = down.transpose(Image.Transpose.ROTATE_90).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    mask = Image.blend(down, across, 0.5).resize(size, Image.Resampling.BICUBIC)
    return Image.composite(Image.new("RGB", size, colours[1]), Image.new("RGB", size, colours[0]), mask)


def place(name: str, window_id: int, scene: Scene) -> None:
    """The app in the middle of the first screen."""
    display = Display(name)
    width, height = scene.screens[0]
    window = display.create_resource_object("window", window_id)
    window.configure(x=width // 5, y=height // 6, width=width * 3 // 5, height=height * 11 // 20)
    display.sync()
    display.close()


def still(scene: Scene, path: Path) -> None:
    """One picture of the lit halo."""
    with staged(scene) as desktop:
        halo = Halo(True, "x11", desktop.env)
        halo.ping()
        time.sleep(SETTLE_SECONDS)
        desktop.screenshot(path)
        halo.close()


def animation(scene: Scene, path: Path) -> None:
    """A call that lights the halo, types a word and lets it go dark again."""
    with staged(scene) as desktop:
        halo = Halo(True, "x11", desktop.env)
        halo.ping()
        halo.hide()
        time.sleep(SETTLE_SECONDS)  # the helper has started and is dark again
        frames = list(_frames(desktop, halo))
        halo.close()
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // FRAMES_PER_SECOND, loop=0)


def _frames(desktop: PrivateDesktop, halo: Halo) -> Iterator[Image.Image]:
    shot = desktop.folder / "frame.png"
    keyboard = Display(desktop.display)
    doings = {round(at * FRAMES_PER_SECOND): do for at, do in _script(halo, keyboard).items()}
    began = time.monotonic()
    for number in range(round(ANIMATION_SECONDS * FRAMES_PER_SECOND)):
        time.sleep(max(0.0, began + number / FRAMES_PER_SECOND - time.monotonic()))
        doings.get(number, keyboard.sync)()
        desktop.screenshot(shot)
        with Image.open(shot) as image:
            yield image.resize(ANIMATION_SIZE, Image.Resampling.LANCZOS)
    keyboard.close()


def _script(halo: Halo, keyboard: Display) -> dict[float, Callable[[], None]]:
    """What is done at which second."""
    keys = {1.0 + 0.15 * i: partial(_press, keyboard, letter) for i, letter in enumerate(TYPED)}
    return {0.4: halo.ping, **keys, CALL_ENDS: halo.hide}


def _press(keyboard: Display, letter: str) -> None:
    code = keyboard.keysym_to_keycode(ord(letter))
    xtest.fake_input(keyboard, X.KeyPress, code)
    xtest.fake_input(keyboard, X.KeyRelease, code)
    keyboard.sync()


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "docs")
    folder.mkdir(exist_ok=True)
    still(Scene(), folder / "halo-light.png")
    still(Scene(wallpaper=DARK, dark=True), folder / "halo-dark.png")
    animation(Scene(wallpaper=DARK, dark=True), folder / "halo.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
