"""AppKit: the halo on macOS. One borderless panel for each screen, drawn once, faded by its alpha.

Facts that shape it: an agent (Accessory) process without a bundle; windows are made only after the app finished
launching and ordered front one turn of the run loop later; the animator proxy never reaches the window server
from such a process, so a timer sets the alpha; a panel at alpha 0 left in front may swallow clicks after the
machine woke (sw33tLie/macshot#231), so a dark halo is ordered out.
"""

from __future__ import annotations

import os
import threading
import time

import objc
from AppKit import (
    NSApplication,
    NSApplicationActivationPolicyAccessory,
    NSBackingStoreBuffered,
    NSBezierPath,
    NSColor,
    NSCompositingOperationSourceOver,
    NSFont,
    NSFontAttributeName,
    NSForegroundColorAttributeName,
    NSPanel,
    NSRectFillUsingOperation,
    NSScreen,
    NSScreenSaverWindowLevel,
    NSView,
    NSWindowCollectionBehaviorCanJoinAllSpaces,
    NSWindowCollectionBehaviorFullScreenAuxiliary,
    NSWindowCollectionBehaviorIgnoresCycle,
    NSWindowCollectionBehaviorStationary,
    NSWindowSharingNone,
    NSWindowStyleMaskBorderless,
    NSWindowStyleMaskNonactivatingPanel,
    NSWorkspace,
)
from Foundation import NSAttributedString, NSObject, NSTimer

from mac_commander.model import Rect
from mac_commander.overlay import design
from mac_commander.overlay.design import Colour
from mac_commander.overlay.protocol import Ending, WordReader
from mac_commander.overlay.timeline import FRAME, AnyTimeline, SteadyTimeline, Timeline

READ_BYTES = 4096

BEHAVIOUR = (
    NSWindowCollectionBehaviorCanJoinAllSpaces
    | NSWindowCollectionBehaviorStationary
    | NSWindowCollectionBehaviorFullScreenAuxiliary
    | NSWindowCollectionBehaviorIgnoresCycle
)
"""On every Space and over full-screen apps, still in Mission Control, not in the window cycle."""


def run(stdin: int) -> Ending:
    """Serve words from this descriptor until it ends. Must be called on the main thread; does not return while
    the app runs."""
    app = NSApplication.sharedApplication()
    app.setActivationPolicy_(NSApplicationActivationPolicyAccessory)
    delegate = HaloDelegate.alloc().initWithInput_(stdin)
    app.setDelegate_(delegate)
    app.run()
    return Ending.END_OF_INPUT


def end(ending: Ending) -> None:
    """End the process at once, from any thread: the window server takes its windows away with it."""
    os._exit(ending)


class HaloDelegate(NSObject):
    """Told by AppKit when the app has launched and when screens changed, and by the reader what the words were."""

    def initWithInput_(self, stdin: int) -> HaloDelegate:  # noqa: N802
        self = objc.super(HaloDelegate, self).init()
        self.stdin = stdin
        self.halo = Halo()
        self.ticking = False
        return self

    def applicationDidFinishLaunching_(self, notification: object) -> None:  # noqa: N802
        self.halo.make_panels()
        self.after(0, "startReading:")

    def applicationDidChangeScreenParameters_(self, notification: object) -> None:  # noqa: N802
        self.halo.make_panels()
        self.show()

    def startReading_(self, timer: object) -> None:  # noqa: N802
        """One turn after the panels were made, so that they may be ordered front."""
        threading.Thread(target=read_words, args=(self.stdin, self), name="words", daemon=True).start()

    def takeWord_(self, lit: bool) -> None:  # noqa: N802
        self.halo.tell(bool(lit))
        self.show()

    def takeFrame_(self, timer: object) -> None:  # noqa: N802
        self.ticking = False
        self.show()

    @objc.python_method
    def show(self) -> None:
        """Show this moment's brightness, and come back for the next frame while a fade runs."""
        if self.halo.show() and not self.ticking:
            self.ticking = True
            self.after(FRAME, "takeFrame:")

    @objc.python_method
    def after(self, seconds: float, selector: str) -> None:
        NSTimer.scheduledTimerWithTimeInterval_target_selector_userInfo_repeats_(seconds, self, selector, None, False)


def read_words(stdin: int, delegate: HaloDelegate) -> None:
    """On a thread of its own: hand each word to the main thread; the end of input is the end of the process."""
    words = WordReader()
    while data := os.read(stdin, READ_BYTES):
        for lit in words.feed(data):
            delegate.performSelectorOnMainThread_withObject_waitUntilDone_("takeWord:", lit, False)
    end(Ending.END_OF_INPUT)


class Halo:
    """The panels of all screens and how bright they are."""

    def __init__(self) -> None:
        self._panels: list[NSPanel] = []
        self._timeline = new_timeline()

    def make_panels(self) -> None:
        """Anew for the screens that there are; the first of them has the menu bar and gets the pill."""
        for panel in self._panels:
            panel.orderOut_(None)
        self._panels = [make_panel(screen, main=i == 0) for i, screen in enumerate(NSScreen.screens())]
        if not all(panel.ignoresMouseEvents() for panel in self._panels):
            end(Ending.NO_CLICK_THROUGH)

    def tell(self, lit: bool) -> None:
        self._timeline = self._timeline.told(lit, time.monotonic())

    def show(self) -> bool:
        """Bring the panels to the brightness of this moment; whether another frame is due."""
        now = time.monotonic()
        level = self._timeline.level(now)
        for panel in self._panels:
            panel.setAlphaValue_(level)
            if level == 0:
                panel.orderOut_(None)
            elif not panel.isVisible():
                panel.orderFrontRegardless()
        return self._timeline.moving(now)


def new_timeline() -> AnyTimeline:
    still = NSWorkspace.sharedWorkspace().accessibilityDisplayShouldReduceMotion()
    return SteadyTimeline() if still else Timeline()


def make_panel(screen: NSScreen, *, main: bool) -> NSPanel:
    """A click-through panel over the whole screen, in no screen picture of other programs where macOS honours
    that, never key, dark."""
    style = NSWindowStyleMaskBorderless | NSWindowStyleMaskNonactivatingPanel
    panel = NSPanel.alloc().initWithContentRect_styleMask_backing_defer_(
        screen.frame(), style, NSBackingStoreBuffered, False
    )
    panel.setIgnoresMouseEvents_(True)
    panel.setLevel_(NSScreenSaverWindowLevel)
    panel.setCollectionBehavior_(BEHAVIOUR)
    panel.setSharingType_(NSWindowSharingNone)
    panel.setHidesOnDeactivate_(False)
    panel.setCanHide_(False)
    panel.setReleasedWhenClosed_(False)
    panel.setOpaque_(False)
    panel.setBackgroundColor_(NSColor.clearColor())
    panel.setHasShadow_(False)
    panel.setAlphaValue_(0)
    panel.setContentView_(make_view(screen, main=main))
    return panel


def make_view(screen: NSScreen, *, main: bool) -> HaloView:
    size = screen.frame().size
    view = HaloView.alloc().initWithFrame_(((0, 0), (size.width, size.height)))
    view.pixel = 1 / screen.backingScaleFactor()
    view.work_area = work_area(screen) if main else None
    return view


def work_area(screen: NSScreen) -> Rect:
    """What menu bar and Dock leave free, from the top left of this screen."""
    whole, free = screen.frame(), screen.visibleFrame()
    top = whole.origin.y + whole.size.height - free.origin.y - free.size.height
    return Rect(free.origin.x - whole.origin.x, top, free.size.width, free.size.height)


class HaloView(NSView):
    """Draws the glow once, and the pill where it has a work area; coordinates run down, as in `design`."""

    pixel: float
    """The size of one pixel in points."""
    work_area: Rect | None

    def isFlipped(self) -> bool:  # noqa: N802
        return True

    def drawRect_(self, dirty: object) -> None:  # noqa: N802
        size = self.bounds().size
        screen = Rect(0, 0, size.width, size.height)
        draw_edges(screen, self.pixel)
        draw_rim(screen)
        if self.work_area is not None:
            draw_pill(self.work_area, self.pixel)


def draw_edges(screen: Rect, pixel: float) -> None:
    """Strips one pixel wide, each painted over the others: the corners add up without a seam."""
    for i in range(round(design.GLOW_DEPTH / pixel)):
        at = i * pixel
        colour(design.ROSE_GOLD, design.glow_opacity(at + pixel / 2)).set()
        for x, y, width, height in (
            (screen.x, screen.y + at, screen.width, pixel),
            (screen.x, screen.y + screen.height - at - pixel, screen.width, pixel),
            (screen.x + at, screen.y, pixel, screen.height),
            (screen.x + screen.width - at - pixel, screen.y, pixel, screen.height),
        ):
            NSRectFillUsingOperation(((x, y), (width, height)), NSCompositingOperationSourceOver)


def draw_rim(screen: Rect) -> None:
    colour(design.RIM, design.RIM_OPACITY).set()
    path = NSBezierPath.bezierPathWithRect_(rectangle(inset(screen, design.RIM_WIDTH / 2)))
    path.setLineWidth_(design.RIM_WIDTH)
    path.stroke()


def draw_pill(area: Rect, pixel: float) -> None:
    font = NSFont.boldSystemFontOfSize_(design.FONT_SIZE)
    style = {NSFontAttributeName: font, NSForegroundColorAttributeName: colour(design.INK, 1)}
    words = NSAttributedString.alloc().initWithString_attributes_(design.TEXT, style)
    assert words is not None  # nothing in AppKit's header says that it could be
    size = words.size()
    shape = design.pill(area, size.width, 1)
    left, top = shape.window.x, shape.window.y
    body = Rect(left + shape.body.x, top + shape.body.y, shape.body.width, shape.body.height)
    draw_pill_glow(body, pixel)
    draw_pill_body(body)
    draw_dot(left + shape.dot[0], top + shape.dot[1])
    words.drawAtPoint_((left + shape.text[0], top + shape.text[1] - size.height / 2))


def draw_pill_glow(body: Rect, pixel: float) -> None:
    for i, opacity in enumerate(design.pill_glow(1 / pixel)):
        colour(design.ROSE_GOLD, opacity).set()
        stroke_pill(inset(body, -(i + 0.5) * pixel), design.PILL_GLOW_LINE * pixel)


def draw_pill_body(body: Rect) -> None:
    colour(design.PILL_FILL, design.PILL_FILL_OPACITY).set()
    pill_path(body).fill()
    colour(design.ROSE_GOLD, 1).set()
    stroke_pill(inset(body, design.PILL_BORDER_WIDTH / 2), design.PILL_BORDER_WIDTH)


def draw_dot(x: float, y: float) -> None:
    for size, tint, opacity in design.DOT_RINGS:
        radius = size * design.DOT_RADIUS
        colour(tint, opacity).set()
        pill_path(Rect(x - radius, y - radius, 2 * radius, 2 * radius)).fill()


def stroke_pill(rect: Rect, width: float) -> None:
    path = pill_path(rect)
    path.setLineWidth_(width)
    path.stroke()


def pill_path(rect: Rect) -> NSBezierPath:
    radius = rect.height / 2
    return NSBezierPath.bezierPathWithRoundedRect_xRadius_yRadius_(rectangle(rect), radius, radius)


def colour(tint: Colour, opacity: float) -> NSColor:
    return NSColor.colorWithSRGBRed_green_blue_alpha_(tint.red, tint.green, tint.blue, opacity)


def inset(rect: Rect, by: float) -> Rect:
    return Rect(rect.x + by, rect.y + by, rect.width - 2 * by, rect.height - 2 * by)


def rectangle(rect: Rect) -> tuple[tuple[float, float], tuple[float, float]]:
    """As AppKit takes it: origin, then size."""
    return (rect.x, rect.y), (rect.width, rect.height)
