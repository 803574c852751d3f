"""Makes the README's pictures of the halo: the real helper on a private X display with a real app.

    python -m tools.pictures [FOLDER]

writes ``halo-light.png``, ``halo-dark.png`` and ``halo.png`` (an animated PNG of one call lighting it) to FOLDER,
``docs`` unless named. Needs what the demo needs, and ``picom`` and ``zenity``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from Xlib import Xatom
from Xlib.display import Display

from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.overlay.client import Halo

Rgb = tuple[int, int, int]

TEXT = """Dear crew,

the con is Claude's for as long as the edges glow.
It types, it clicks, it looks; then it hands back.

Touch any key to take over.
"""

LIGHT = ((250, 251, 253), (214, 226, 240))
DARK = ((20, 22, 34), (44, 40, 66))
"""Wallpapers: colours at the top left and at the bottom right."""

SETTLE_SECONDS = 1.5
"""For the compositor and the app to have painted everything."""

FRAMES_PER_SECOND = 15
CALL_SECONDS = 1.2
ANIMATION_SIZE = (640, 400)


@dataclass(frozen=True)
class Scene:
    """What stands on the private desktop."""

    wallpaper: tuple[Rgb, Rgb] = LIGHT
    screens: Sequence[tuple[int, int]] = ((1280, 800),)
    scale: int = 1
    compositor: Sequence[str] = ("picom", "--backend", "xrender", "--config", "/dev/null")
    window_manager: str = "metacity"
    dark: bool = False


@contextmanager
def staged(scene: Scene) -> Iterator[PrivateDesktop]:
    """A desktop with wallpaper, compositor and an app, all painted."""
    with PrivateDesktop(screens=scene.screens, window_manager=scene.window_manager) as desktop:
        desktop.env["GDK_SCALE"] = str(scene.scale)
        if scene.dark:
            desktop.env["GTK_THEME"] = "Adwaita:dark"
        paper = hang_wallpaper(desktop.display, scene)
        if scene.compositor:
            desktop.spawn(scene.compositor)
        letter = desktop.folder / "home" / "letter.txt"
        letter.write_text(TEXT)
        editor = desktop.spawn(["zenity", "--text-info", "--editable", "--title=Letter", f"--filename={letter}"])
        place(desktop.display, desktop.wait_window(pid=editor.pid), scene)
        time.sleep(SETTLE_SECONDS)
        yield desktop
        paper.close()


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
    image = Image.open(path)
    image.quantize(256).save(path, optimize=True) if path.stat().st_size > 400_000 else None


def animation(scene: Scene, path: Path) -> None:
    """A call that lights the halo and lets it go dark again."""
    frames = []
    with staged(scene) as desktop:
        halo = Halo(True, "x11", desktop.env)
        shot = desktop.folder / "frame.png"
        began = time.monotonic()
        for number in range(round((CALL_SECONDS + 2) * FRAMES_PER_SECOND)):
            at = number / FRAMES_PER_SECOND
            (halo.ping if at < CALL_SECONDS else halo.hide)()
            time.sleep(max(0.0, began + at - time.monotonic()))
            desktop.screenshot(shot)
            frames.append(Image.open(shot).resize(ANIMATION_SIZE, Image.Resampling.LANCZOS))
        halo.close()
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // FRAMES_PER_SECOND, loop=0)


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0] if arguments else "docs")
    folder.mkdir(exist_ok=True)
    still(Scene(), folder / "halo-light.png")
    still(Scene(wallpaper=DARK, dark=True), folder / "halo-dark.png")
    animation(Scene(wallpaper=DARK, dark=True), folder / "halo.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
