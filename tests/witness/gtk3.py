"""The GTK 3 witness."""

from __future__ import annotations

import os
import sys
from typing import Any

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402, F401
from wire import COLOURS, ROWS, Commands, report  # noqa: E402

MODIFIERS = {
    Gdk.ModifierType.SHIFT_MASK: "shift",
    Gdk.ModifierType.CONTROL_MASK: "ctrl",
    Gdk.ModifierType.MOD1_MASK: "alt",
    Gdk.ModifierType.MOD4_MASK: "super",
}
BUTTON_EVENTS = {
    Gdk.EventType.BUTTON_PRESS: ("mouse_down", 1),
    Gdk.EventType._2BUTTON_PRESS: ("mouse_down", 2),
    Gdk.EventType._3BUTTON_PRESS: ("mouse_down", 3),
    Gdk.EventType.BUTTON_RELEASE: ("mouse_up", 1),
}
SCROLLS = {
    Gdk.ScrollDirection.UP: (0, -1),
    Gdk.ScrollDirection.DOWN: (0, 1),
    Gdk.ScrollDirection.LEFT: (-1, 0),
    Gdk.ScrollDirection.RIGHT: (1, 0),
}
TARGETS = [Gtk.TargetEntry.new("UTF8_STRING", 0, 0)]


def modifiers(event: Any) -> list[str]:
    state = event.get_state()
    held = state[1] if isinstance(state, tuple) else state
    return [word for mask, word in MODIFIERS.items() if held & mask]


def named(widget: Gtk.Widget | None) -> str:
    """The nearest name a test gave."""
    while widget is not None:
        if widget.get_name() and not widget.get_name().startswith("Gtk"):
            return widget.get_name()
        widget = widget.get_parent()
    return ""


def see(event: Gdk.Event, *_: Any) -> None:
    """Every event that GDK hands to this process, before any widget has it."""
    kind = event.type
    if kind in (Gdk.EventType.KEY_PRESS, Gdk.EventType.KEY_RELEASE):
        code = Gdk.keyval_to_unicode(event.key.keyval)
        report(
            "key_down" if kind == Gdk.EventType.KEY_PRESS else "key_up",
            named(focus_of(event)),
            text=chr(code) if code else "",
            key=Gdk.keyval_name(event.key.keyval),
            modifiers=modifiers(event),
        )
    elif kind in BUTTON_EVENTS:
        word, clicks = BUTTON_EVENTS[kind]
        at = [round(event.button.x_root), round(event.button.y_root)]
        widget = named(Gtk.get_event_widget(event))
        report(word, widget, button=event.button.button, clicks=clicks, at=at, modifiers=modifiers(event))
    elif kind == Gdk.EventType.SCROLL:
        smooth, dx, dy = event.get_scroll_deltas()
        dx, dy = (dx, dy) if smooth else SCROLLS[event.scroll.direction]
        report("scroll", named(Gtk.get_event_widget(event)), dx=dx, dy=dy)
    Gtk.main_do_event(event)


def focus_of(event: Gdk.Event) -> Gtk.Widget | None:
    top = Gtk.get_event_widget(event)
    return top.get_focus() if isinstance(top, Gtk.Window) else top


class App:
    def __init__(self) -> None:
        self.widgets: dict[str, Gtk.Widget] = {}
        self.window = Gtk.Window(title="Witness GTK 3")
        self.window.set_default_size(760, 560)
        self.window.connect("destroy", Gtk.main_quit)
        self.window.connect("focus-in-event", lambda *_: report("focus_in", "window"))
        self.window.connect("focus-out-event", lambda *_: report("focus_out", "window"))
        page = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        page.pack_start(self.menu_bar(), False, False, 0)
        columns = Gtk.Box(spacing=12, margin=12)
        columns.pack_start(self.form(), True, True, 0)
        columns.pack_start(self.lists(), True, True, 0)
        page.pack_start(columns, True, True, 0)
        self.window.add(page)
        self.window.show_all()

    def keep(self, name: str, widget: Gtk.Widget, *, accessible: bool = True) -> Gtk.Widget:
        """Give the widget its name for tests, and for accessibility where it has no text of its own."""
        self.widgets[name] = widget
        widget.set_name(name)
        if accessible:
            widget.get_accessible().set_name(name)
        widget.connect("focus-in-event", lambda w, _e: report("focus_in", w.get_name()))
        return widget

    def form(self) -> Gtk.Widget:
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
        for widget in [
            self.entry("Name"),
            self.entry("Password", visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD),
            self.notes(),
            self.buttons(),
            self.choices(),
            self.combo(),
            self.numbers(),
            self.drag(),
        ]:
            box.pack_start(widget, False, False, 0)
        self.status = self.keep("Status", Gtk.Label(label="Status: ready"), accessible=False)
        box.pack_start(self.status, False, False, 0)
        return box

    def entry(self, name: str, **properties: Any) -> Gtk.Widget:
        entry = self.keep(name, Gtk.Entry(placeholder_text=name, **properties))
        entry.connect("changed", lambda e: report("value", name, value=e.get_text()))
        entry.connect("activate", lambda e: report("activate", name))
        return entry

    def notes(self) -> Gtk.Widget:
        view = self.keep("Notes", Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR))
        view.get_buffer().connect("changed", lambda _b: report("value", "Notes", value=self.text()))
        area = Gtk.ScrolledWindow(min_content_height=110)
        area.add(view)
        return area

    def text(self) -> str:
        buffer = self.widgets["Notes"].get_buffer()
        return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)

    def buttons(self) -> Gtk.Widget:
        self.button_row = Gtk.Box(spacing=6)
        for name in ("Save", "Publish", "Open dialog"):
            self.button_row.add(self.button(name))
        self.widgets["Publish"].set_sensitive(False)
        self.widgets["Open dialog"].connect("clicked", lambda _b: self.dialog())
        return self.button_row

    def button(self, name: str) -> Gtk.Widget:
        button = self.keep(name, Gtk.Button(label=name), accessible=False)
        button.connect("clicked", lambda b: report("activate", b.get_name()))
        return button

    def choices(self) -> Gtk.Widget:
        row = Gtk.Box(spacing=6)
        left = Gtk.RadioButton.new_with_label(None, "Left")
        right = Gtk.RadioButton.new_with_label_from_widget(left, "Right")
        for name, box in (("Wrap lines", Gtk.CheckButton(label="Wrap lines")), ("Left", left), ("Right", right)):
            self.keep(name, box, accessible=False)
            box.connect("toggled", lambda b: report("value", b.get_name(), value=b.get_active()))
            row.add(box)
        return row

    def combo(self) -> Gtk.Widget:
        combo = self.keep("Colour", Gtk.ComboBoxText())
        for colour in COLOURS:
            combo.append_text(colour)
        combo.set_active(0)
        combo.connect("changed", lambda c: report("value", "Colour", value=c.get_active_text()))
        return combo

    def numbers(self) -> Gtk.Widget:
        row = Gtk.Box(spacing=6)
        slider = self.keep("Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
        slider.connect("value-changed", lambda s: report("value", "Volume", value=s.get_value()))
        spin = self.keep("Count", Gtk.SpinButton.new_with_range(0, 100, 1))
        spin.connect("value-changed", lambda s: report("value", "Count", value=s.get_value()))
        row.pack_start(slider, True, True, 0)
        row.add(spin)
        return row

    def drag(self) -> Gtk.Widget:
        row = Gtk.Box(spacing=6, homogeneous=True)
        source, target = Gtk.EventBox(), Gtk.EventBox()
        for box, name in ((source, "Drag me"), (target, "Drop here")):
            box.add(Gtk.Label(label=name, margin=8))
            row.add(self.keep(name, box))
        source.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, TARGETS, Gdk.DragAction.COPY)
        source.connect("drag-begin", lambda *_: report("drag", "Drag me"))
        source.connect("drag-data-get", lambda _w, _c, data, *_: data.set_text("dragged text", -1))
        target.drag_dest_set(Gtk.DestDefaults.ALL, TARGETS, Gdk.DragAction.COPY)
        target.connect("drag-data-received", lambda *a: report("drop", "Drop here", text=a[4].get_text()))
        return row

    def lists(self) -> Gtk.Widget:
        rows = self.keep("Rows", Gtk.ListBox())
        for number in range(ROWS):
            rows.add(Gtk.Label(label=f"Row {number}", xalign=0))
        rows.connect("row-selected", lambda _l, row: report("value", "Rows", value=row.get_index() if row else -1))
        area = self.keep("Scroll area", Gtk.ScrolledWindow(min_content_width=260))
        area.add(rows)
        adjustment = area.get_vadjustment()
        adjustment.connect("value-changed", lambda a: report("value", "Scroll area", value=a.get_value()))
        return area

    def menu_bar(self) -> Gtk.Widget:
        bar = Gtk.MenuBar()
        bar.append(self.menu("File", ["New", "Save As…", ("Export", ["PDF", "Text"]), "Quit"]))
        bar.append(self.menu("Edit", ["Copy", "Paste"]))
        return bar

    def menu(self, name: str, items: list[Any]) -> Gtk.MenuItem:
        top, menu = Gtk.MenuItem(label=name), Gtk.Menu()
        for item in items:
            if isinstance(item, tuple):
                menu.append(self.menu(*item))
                continue
            entry = Gtk.MenuItem(label=item)
            entry.connect("activate", lambda _i, label=item: report("menu", label))
            menu.append(entry)
        top.set_submenu(menu)
        return top

    def dialog(self) -> None:
        dialog = Gtk.Dialog(title="Witness dialog", transient_for=self.window, modal=True)
        dialog.add_buttons("Cancel", Gtk.ResponseType.CANCEL, "OK", Gtk.ResponseType.OK)
        dialog.get_content_area().add(self.entry("Dialog entry"))
        dialog.connect(
            "response", lambda d, answer: (report("activate", "OK" if answer == -5 else "Cancel"), d.destroy())
        )
        dialog.connect("focus-in-event", lambda *_: report("focus_in", "dialog"))
        dialog.connect("destroy", lambda _d: report("closed", "dialog"))
        dialog.show_all()
        report("opened", "dialog")

    # --- commands ----------------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        get = self.widgets.__getitem__
        return {
            "Name": get("Name").get_text(),
            "Password": get("Password").get_text(),
            "Notes": self.text(),
            "Wrap lines": get("Wrap lines").get_active(),
            "Left": get("Left").get_active(),
            "Right": get("Right").get_active(),
            "Colour": get("Colour").get_active_text(),
            "Volume": get("Volume").get_value(),
            "Count": get("Count").get_value(),
            "Scroll area": get("Scroll area").get_vadjustment().get_value(),
            "Status": self.status.get_text(),
        }

    def bounds(self, name: str) -> list[float]:
        """Left, top, width, height in the client window of the X id that follows."""
        widget = self.widgets[name]
        top = widget.get_toplevel()
        x, y = widget.translate_coordinates(top, 0, 0)
        size = widget.get_allocation()
        return [x, y, size.width, size.height, top.get_window().get_xid()]

    def focus(self, name: str) -> str:
        self.widgets[name].grab_focus()
        return named(self.window.get_focus())

    def clear(self) -> None:
        for name in ("Name", "Password"):
            self.widgets[name].set_text("")
        self.widgets["Notes"].get_buffer().set_text("")

    def rename(self, name: str, label: str) -> None:
        self.widgets[name].set_label(label)

    def replace(self, name: str) -> None:
        """A new button of the same name in the place of the old one."""
        self.widgets[name].destroy()
        self.button_row.add(self.button(name))
        self.button_row.show_all()

    def commands(self) -> Commands:
        names = ("values", "bounds", "focus", "clear", "rename", "replace", "dialog")
        return Commands({name: getattr(self, name) for name in names})


def main() -> None:
    GLib.set_prgname("witness-gtk3")
    Gdk.event_handler_set(see)
    app = App()
    GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, app.commands().read)
    GLib.idle_add(lambda: report("ready", "window", pid=os.getpid()) and False)
    Gtk.main()


if __name__ == "__main__":
    sys.exit(main())
