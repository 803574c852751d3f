"""Makes the README's pictures of the halo: the real helper on a private X display with a real app.

    python -m tools.pictures [FOLDER]

writes ``halo-light.png``, ``halo-dark.png`` and ``halo.png`` (an animated PNG of one call lighting it) to FOLDER,
``docs`` unless named. Needs what the demo needs, and ``metacity`` and ``zenity``.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from Xlib import Xatom
from Xlib.display import Display

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.overlay.client import Halo
from mac_commander.verify.client import Answer, Client

Rgb = tuple[int, int, int]

LETTER = """Dear crew,

the con is Claude's for as long as the edges glow.
It looks, it clicks, it types; then it hands back.

"""

APP = "Zenity"
TYPED = 'Aye, aye — "ça va" ✓'
"""What the animated call types: a dash, quotes and an accent, which no key of the layout has."""

LIGHT = ((250, 251, 253), (214, 226, 240))
DARK = ((20, 22, 34), (44, 40, 66))
"""Wallpapers: colours at the top left and at the bottom right."""

SETTLE_SECONDS = 1.5
"""For the compositor and the app to have painted everything."""

START_SECONDS = 20.0
"""For the helper to start, on a busy machine."""

FRAMES_PER_SECOND = 12
ANIMATION_SECONDS = 5.0
CALL_BEGINS = 0.4
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
        desktop.screenshot(path)
        dark, end = _glow(Image.open(path)), time.monotonic() + START_SECONDS
        while _glow(Image.open(path)) <= dark and time.monotonic() < end:
            halo.ping()
            time.sleep(SETTLE_SECONDS)
            desktop.screenshot(path)
        halo.close()


def _glow(picture: Image.Image) -> int:
    """How red the middle of the left edge is."""
    red, green, blue = picture.convert("RGB").crop((1, picture.height // 2, 2, picture.height // 2 + 1)).tobytes()
    return red - (green + blue) // 2


def animation(scene: Scene, path: Path) -> None:
    """One call of `act` through the real server: it lights the halo, types, and lets it go dark again."""
    with staged(scene) as desktop, Client(["--home", str(desktop.folder / "server")], desktop.env) as client:
        steps = _steps(client)
        with ThreadPoolExecutor(1) as beside:
            frames = list(_frames(desktop, lambda: beside.submit(client.call, "act", target=APP, steps=steps)))
    lit = max(range(len(frames)), key=lambda number: (_glow(frames[number]), number))
    frames = frames[lit:] + frames[:lit]  # what does not move pictures shows the first: the whole text, and the glow
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // FRAMES_PER_SECOND, loop=0)


def _steps(client: Client) -> list[dict[str, Any]]:
    """To the end of the letter, then a piece after another, as slowly as can be watched."""
    found = re.search(r"textarea .*\[(e\d+)\]", client.call("see", app=APP).text)
    assert found is not None, "the letter has no text area"
    pieces = [{"kind": "type", "text": piece} for piece in re.split(r"(?<=\W)", TYPED)]
    return [{"kind": "click", "ref": found[1]}, {"kind": "key", "combo": "ctrl+end"}, *pieces]


def _frames(desktop: PrivateDesktop, act: Callable[[], Future[Answer]]) -> Iterator[Image.Image]:
    """What the screen shows from before the call until the halo is dark. Raises `AssertionError` if it fails."""
    shot = desktop.folder / "frame.png"
    outcome: Future[Answer] | None = None
    began = time.monotonic()
    for number in range(round(ANIMATION_SECONDS * FRAMES_PER_SECOND)):
        time.sleep(max(0.0, began + number / FRAMES_PER_SECOND - time.monotonic()))
        if outcome is None and number >= CALL_BEGINS * FRAMES_PER_SECOND:
            outcome = act()
        desktop.screenshot(shot)
        with Image.open(shot) as image:
            yield image.resize(ANIMATION_SIZE, Image.Resampling.LANCZOS)
    assert outcome is not None
    assert not outcome.result().is_error, outcome.result().text


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "docs")
    folder.mkdir(exist_ok=True)
    still(Scene(), folder / "halo-light.png")
    still(Scene(wallpaper=DARK, dark=True), folder / "halo-dark.png")
    animation(Scene(wallpaper=DARK, dark=True), folder / "halo.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
