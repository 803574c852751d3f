"""An app of our own on macOS that tells what reached it: ``verify``'s independent witness, in a child process.

It writes one JSON line for each thing that happened to it, positions in screen points from the top left of the main
screen, and ends with its standard input. Of the password field it tells the length only.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

import objc
from AppKit import (
    NSApplication,
    NSApplicationActivationPolicyRegular,
    NSBackingStoreBuffered,
    NSButton,
    NSButtonTypeSwitch,
    NSColor,
    NSCompositingOperationSourceOver,
    NSEvent,
    NSEventMaskKeyDown,
    NSEventModifierFlagCommand,
    NSEventModifierFlagControl,
    NSEventModifierFlagOption,
    NSEventModifierFlagShift,
    NSMenu,
    NSMenuItem,
    NSOpenPanel,
    NSPopUpButton,
    NSRectFillUsingOperation,
    NSRunningApplication,
    NSScreen,
    NSScrollView,
    NSSecureTextField,
    NSTableColumn,
    NSTableView,
    NSTextField,
    NSTextView,
    NSView,
    NSWindow,
    NSWindowStyleMaskClosable,
    NSWindowStyleMaskMiniaturizable,
    NSWindowStyleMaskResizable,
    NSWindowStyleMaskTitled,
)
from Foundation import NSObject

from mac_commander.verify.witness import BLUE, COLOURS, PASSWORD, ROWS, TITLE

STYLE = (
    NSWindowStyleMaskTitled | NSWindowStyleMaskClosable | NSWindowStyleMaskMiniaturizable | NSWindowStyleMaskResizable
)
MODIFIERS = {
    NSEventModifierFlagCommand: "cmd",
    NSEventModifierFlagShift: "shift",
    NSEventModifierFlagOption: "option",
    NSEventModifierFlagControl: "ctrl",
}
FRAME = ((160, 160), (560, 420))
Box = tuple[tuple[float, float], tuple[float, float]]


def report(event: str, widget: str, **more: Any) -> None:
    os.write(sys.stdout.fileno(), json.dumps({"event": event, "widget": widget, **more}).encode() + b"\n")


class Witness(NSObject):
    """The app's, the window's, the fields' and the table's delegate."""

    def applicationDidFinishLaunching_(self, notification: object) -> None:  # noqa: N802
        self.window = self.make_window(FRAME, TITLE)
        self.window.setDelegate_(self)
        content = self.window.contentView()
        for view in (*self.form(), *self.lists()):
            content.addSubview_(view)
        self.canvas = Canvas.alloc().initWithFrame_(((20, 20), (240, 100)))
        content.addSubview_(self.canvas)
        NSApplication.sharedApplication().setMainMenu_(self.menu_bar())
        NSEvent.addLocalMonitorForEventsMatchingMask_handler_(NSEventMaskKeyDown, key_down)
        self.window.makeKeyAndOrderFront_(None)
        NSApplication.sharedApplication().activateIgnoringOtherApps_(True)
        self.performSelector_withObject_afterDelay_("tellReady:", None, 0)

    def tellReady_(self, nothing: object) -> None:  # noqa: N802
        """One turn later, when the window server has the window."""
        running = NSRunningApplication.currentApplication()
        report("ready", TITLE, name=str(running.localizedName()), canvas=on_screen(self.canvas))

    @objc.python_method
    def make_window(self, frame: Box, title: str) -> NSWindow:
        window = NSWindow.alloc().initWithContentRect_styleMask_backing_defer_(
            frame, STYLE, NSBackingStoreBuffered, False
        )
        window.setTitle_(title)
        window.setReleasedWhenClosed_(False)
        return window

    @objc.python_method
    def form(self) -> list[NSView]:
        name = NSTextField.alloc().initWithFrame_(((20, 380), (240, 24)))
        secret = NSSecureTextField.alloc().initWithFrame_(((20, 346), (240, 24)))
        for field, label in ((name, "Name"), (secret, "Password")):
            field.setAccessibilityLabel_(label)
            field.setDelegate_(self)
        popup: Any = NSPopUpButton.alloc().initWithFrame_pullsDown_(((20, 240), (160, 26)), False)
        popup.setAccessibilityLabel_("Colour")
        popup.addItemsWithTitles_(COLOURS)
        popup.setTarget_(self)
        popup.setAction_("chosen:")
        wrap = self.button("Wrap lines", ((20, 274), (160, 24)))
        wrap.setButtonType_(NSButtonTypeSwitch)
        secret.setStringValue_(PASSWORD)
        save, sheet = self.button("Save", ((20, 308), (110, 30))), self.button("Open sheet", ((140, 308), (120, 30)))
        panel = self.button("Open panel", ((20, 200), (160, 30)))
        return [name, secret, save, sheet, wrap, popup, panel]

    @objc.python_method
    def button(self, title: str, frame: Box) -> NSButton:
        button = NSButton.alloc().initWithFrame_(frame)
        button.setTitle_(title)
        button.setTarget_(self)
        button.setAction_("pressed:")
        return button

    @objc.python_method
    def lists(self) -> list[NSView]:
        notes = NSTextView.alloc().initWithFrame_(((0, 0), (240, 160)))
        notes.setAccessibilityLabel_("Notes")
        notes.setRichText_(False)
        notes.setAutomaticQuoteSubstitutionEnabled_(False)
        notes.setAutomaticDashSubstitutionEnabled_(False)
        notes.setAutomaticTextReplacementEnabled_(False)
        notes.setAutomaticSpellingCorrectionEnabled_(False)
        notes.setDelegate_(self)
        table = NSTableView.alloc().initWithFrame_(((0, 0), (240, 180)))
        table.addTableColumn_(NSTableColumn.alloc().initWithIdentifier_("row"))
        table.setAccessibilityLabel_("Rows")
        table.setDataSource_(self)
        table.setDelegate_(self)
        return [scrolled(notes, ((290, 240), (250, 164))), scrolled(table, ((290, 20), (250, 200)))]

    @objc.python_method
    def menu_bar(self) -> Any:
        bar: Any = NSMenu.alloc().initWithTitle_("")
        add_menu(add_menu(bar, "Witness", []), "Services", [("No Services Apply", None, "")])
        add_menu(bar, "Edit", [("Cut", "cut:", "x"), ("Copy", "copy:", "c"), ("Select All", "selectAll:", "a")])
        add_menu(bar, "Verify", [("Ping", "menuChosen:", "")])
        add_menu(bar, "Window", [("Minimize", "performMiniaturize:", "m")])
        return bar

    # --- what happens ---------------------------------------------------------------------------------------------

    def pressed_(self, sender: Any) -> None:
        title = str(sender.title())
        report("press", title)
        if title == "Open sheet":
            self.sheet = self.make_window(((0, 0), (260, 100)), "Witness sheet")
            self.sheet.contentView().addSubview_(self.button("OK", ((140, 20), (100, 30))))
            self.window.beginSheet_completionHandler_(self.sheet, None)
        elif title == "OK":
            self.window.endSheet_(self.sheet)
        elif title == "Open panel":
            panel = NSOpenPanel.openPanel()
            assert panel is not None  # nothing in AppKit's header says that it could be
            panel.beginSheetModalForWindow_completionHandler_(self.window, panel_ended)

    def chosen_(self, sender: Any) -> None:
        report("value", "Colour", value=str(sender.titleOfSelectedItem()))

    def menuChosen_(self, sender: Any) -> None:  # noqa: N802
        report("press", str(sender.title()))

    def controlTextDidChange_(self, notification: Any) -> None:  # noqa: N802
        field = notification.object()
        label, value = str(field.accessibilityLabel()), str(field.stringValue())
        report("value", label, value=len(value) if label == "Password" else value)

    def textDidChange_(self, notification: Any) -> None:  # noqa: N802
        report("value", "Notes", value=str(notification.object().string()))

    def numberOfRowsInTableView_(self, table: object) -> int:  # noqa: N802
        return ROWS

    def tableView_objectValueForTableColumn_row_(self, table: object, column: object, row: int) -> str:  # noqa: N802
        return f"Row {row}"

    def tableViewSelectionDidChange_(self, notification: Any) -> None:  # noqa: N802
        report("value", "Rows", value=int(notification.object().selectedRow()))

    def windowDidMove_(self, notification: object) -> None:  # noqa: N802
        report("place", TITLE, bounds=window_on_screen(self.window))

    def windowDidResize_(self, notification: object) -> None:  # noqa: N802
        report("place", TITLE, bounds=window_on_screen(self.window))

    def windowDidMiniaturize_(self, notification: object) -> None:  # noqa: N802
        report("minimised", TITLE)

    def windowDidDeminiaturize_(self, notification: object) -> None:  # noqa: N802
        report("restored", TITLE, canvas=on_screen(self.canvas))


class Canvas(NSView):
    """Blue, and tells of every pointer event."""

    def drawRect_(self, dirty: object) -> None:  # noqa: N802
        red, green, blue = (part / 255 for part in BLUE)
        NSColor.colorWithSRGBRed_green_blue_alpha_(red, green, blue, 1.0).set()
        NSRectFillUsingOperation(self.bounds(), NSCompositingOperationSourceOver)

    def mouseDown_(self, event: Any) -> None:  # noqa: N802
        tell_pointer("mouse_down", "left", event)

    def mouseDragged_(self, event: Any) -> None:  # noqa: N802
        tell_pointer("mouse_drag", "left", event)

    def mouseUp_(self, event: Any) -> None:  # noqa: N802
        tell_pointer("mouse_up", "left", event)

    def rightMouseDown_(self, event: Any) -> None:  # noqa: N802
        tell_pointer("mouse_down", "right", event)

    def scrollWheel_(self, event: Any) -> None:  # noqa: N802
        report("scroll", "Canvas", dx=float(event.scrollingDeltaX()), dy=float(event.scrollingDeltaY()))


def tell_pointer(kind: str, button: str, event: Any) -> None:
    where = NSEvent.mouseLocation()
    at = [float(where.x), main_height() - float(where.y)]
    report(kind, "Canvas", button=button, clicks=int(event.clickCount()), at=at)


def key_down(event: NSEvent) -> NSEvent:
    """Sees every key before any view has it, and lets it through."""
    flags = int(event.modifierFlags())
    held = [word for flag, word in MODIFIERS.items() if flags & flag]
    report("key_down", "", text=str(event.charactersIgnoringModifiers() or "") if held else "", modifiers=held)
    return event


def panel_ended(response: int) -> None:
    report("panel", "Open panel")


def scrolled(view: NSView, frame: Box) -> NSView:
    area = NSScrollView.alloc().initWithFrame_(frame)
    area.setHasVerticalScroller_(True)
    area.setDocumentView_(view)
    return area


def add_menu(bar: Any, title: str, items: list[tuple[str, str | None, str]]) -> Any:
    """A menu in the bar, or in a menu; gives it."""
    holder: Any = NSMenuItem.alloc().initWithTitle_action_keyEquivalent_(title, None, "")
    menu: Any = NSMenu.alloc().initWithTitle_(title)
    for label, action, key in items:
        menu.addItem_(NSMenuItem.alloc().initWithTitle_action_keyEquivalent_(label, action, key))
    holder.setSubmenu_(menu)
    bar.addItem_(holder)
    return menu


def main_height() -> float:
    return float(NSScreen.screens()[0].frame().size.height)


def on_screen(view: NSView) -> list[float]:
    inside = view.convertRect_toView_(view.bounds(), None)
    window = view.window()
    assert window is not None  # it was added to one
    return from_top(window.convertRectToScreen_(inside))


def window_on_screen(window: NSWindow) -> list[float]:
    return from_top(window.frame())


def from_top(rect: Any) -> list[float]:
    x, y, width, height = rect.origin.x, rect.origin.y, rect.size.width, rect.size.height
    return [float(x), main_height() - float(y) - float(height), float(width), float(height)]


def end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os._exit(0)


def main() -> None:
    app = NSApplication.sharedApplication()
    app.setActivationPolicy_(NSApplicationActivationPolicyRegular)
    witness = Witness.alloc().init()
    app.setDelegate_(witness)
    threading.Thread(target=end_with_input, daemon=True).start()
    app.run()


if __name__ == "__main__":
    main()
