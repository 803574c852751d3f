"""Pictures of windows and screens by ``screencapture``, each in a private folder that is gone before we answer."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from mac_commander import child
from mac_commander.desktops.macos import permissions, windows
from mac_commander.errors import DesktopError
from mac_commander.model import Picture, Rect, Screen, Window

CAPTURE_SECONDS = 3.0
"""`base.CALL_SECONDS`; a whole desktop of two displays took well under one second where it was reported."""

_SILENT = ("-x", "-t", "png")
_WINDOW_ALONE = ("-o", "-l")
"""No shadow, which would move the picture's corner away from the window's; by window number."""

PIXELS_MOST = 120_000_000
"""More than three 6K displays side by side."""


def window(screencapture: str, wanted: Window, responsible: str) -> Picture:
    """That window's own pixels, also when it is covered.

    Raises `DesktopError`: no permission, no such window any more, another owner, nothing captured.
    """
    missing = permissions.screenshots(responsible)
    if missing:
        raise DesktopError(missing)
    _check_owner(wanted)
    with tempfile.TemporaryDirectory(prefix="mac-commander-") as folder:
        file = Path(folder) / "window.png"
        _run([screencapture, *_SILENT, *_WINDOW_ALONE, str(wanted.id), str(file)], wanted.title)
        picture = _picture(file, wanted.bounds)
    _check_owner(wanted)
    return picture


def _check_owner(wanted: Window) -> None:
    """Before and after: window numbers are re-used, and a picture of another app's window must not leave here."""
    owner = windows.owner_of(wanted.id)
    if owner != wanted.pid:
        seen = "it is gone" if owner is None else f"its number belongs to process {owner} now"
        raise DesktopError(f"no picture of the window: {seen}. Take a fresh see")


def desktop(screencapture: str, screens: Sequence[Screen], responsible: str) -> Picture:
    """All screens on one canvas, at the scale of the sharpest; gaps between them are black."""
    missing = permissions.screenshots(responsible)
    if missing:
        raise DesktopError(missing)
    with tempfile.TemporaryDirectory(prefix="mac-commander-") as folder:
        files = [Path(folder) / f"screen-{number}.png" for number in range(len(screens))]
        _run([screencapture, *_SILENT, *map(str, files)], "the screens")
        return _canvas(files, screens)


def _canvas(files: Sequence[Path], screens: Sequence[Screen]) -> Picture:
    bounds = _union([screen.bounds for screen in screens])
    scale = max(screen.scale for screen in screens)
    size = (round(bounds.width * scale), round(bounds.height * scale))
    if size[0] * size[1] > PIXELS_MOST:
        raise DesktopError(f"no picture: {size[0]} x {size[1]} pixels are more than can be handled. Name an app")
    canvas = Image.new("RGB", size)
    for file, screen in zip(files, screens, strict=True):
        shown = _open(file)
        _check_size(shown, screen)
        fitted = (round(screen.bounds.width * scale), round(screen.bounds.height * scale))
        corner = (round((screen.bounds.x - bounds.x) * scale), round((screen.bounds.y - bounds.y) * scale))
        canvas.paste(shown if shown.size == fitted else shown.resize(fitted), corner)
    return Picture(canvas.width, canvas.height, canvas.tobytes(), bounds)


def _check_size(shown: Image.Image, screen: Screen) -> None:
    """``screencapture`` tells its files apart by their order only. A picture of another size is of another screen:
    what is to be painted black would be painted elsewhere."""
    wanted = (screen.bounds.width * screen.scale, screen.bounds.height * screen.scale)
    if any(abs(one - other) > 1 for one, other in zip(shown.size, wanted, strict=True)):
        raise DesktopError(
            f"no picture: a screen of {wanted[0]:g} x {wanted[1]:g} pixels came out as {shown.width} x {shown.height}, "
            "so the screens cannot be told apart. Name an app"
        )


def _union(rects: Sequence[Rect]) -> Rect:
    left, top = min(r.x for r in rects), min(r.y for r in rects)
    right, bottom = max(r.x + r.width for r in rects), max(r.y + r.height for r in rects)
    return Rect(left, top, right - left, bottom - top)


def _run(argv: Sequence[str], what: str) -> None:
    try:
        done = child.run(argv, b"", {}, CAPTURE_SECONDS)
    except OSError as error:
        raise DesktopError(f"no picture of {what!r}: {argv[0]} cannot be run ({error.strerror})") from None
    if done.timed_out:
        raise DesktopError(
            f"no picture of {what!r}: screencapture took longer than {CAPTURE_SECONDS:g} s. macOS may be asking the "
            "user to allow it again, as it does every month since macOS 15"
        )
    if done.code != 0:
        raise DesktopError(
            f"no picture of {what!r}: screencapture failed with exit code {done.code}. A minimised window, or one on "
            "another Space, cannot be captured: switch to the app first"
        )


def _picture(file: Path, bounds: Rect) -> Picture:
    image = _open(file)
    return Picture(image.width, image.height, image.tobytes(), bounds)


def _open(file: Path) -> Image.Image:
    try:
        with Image.open(file) as image:
            return image.convert("RGB")
    except (FileNotFoundError, UnidentifiedImageError, OSError):
        raise DesktopError("no picture: screencapture ended without one. Is the window minimised?") from None
