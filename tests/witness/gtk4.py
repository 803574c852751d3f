"""The GTK 4 witness."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
from gi.repository import Gdk, GdkX11, Gio, GLib, Gtk  # noqa: E402, F401
from wire import COLOURS, ROWS, Commands, report  # noqa: E402

MODIFIERS = {
    Gdk.ModifierType.SHIFT_MASK: "shift",
    Gdk.ModifierType.CONTROL_MASK: "ctrl",
    Gdk.ModifierType.ALT_MASK: "alt",
    Gdk.ModifierType.SUPER_MASK: "super",
}
FIRST = Gtk.PropagationPhase.CAPTURE
LAYOUT_LOOK_MS = 5


def modifiers(state: Gdk.ModifierType) -> list[str]:
    return [word for mask, word in MODIFIERS.items() if state & mask]


def named(widget: Gtk.Widget | None) -> str:
    while widget is not None:
        if widget.get_name() and not widget.get_name().startswith("Gtk"):
            return widget.get_name()
        widget = widget.get_parent()
    return ""


def watch(window: Gtk.Window) -> None:
    """Report every key, button and wheel event of the window before any widget has it."""

    def key(word: str, keyval: int, state: Gdk.ModifierType) -> None:
        code = Gdk.keyval_to_unicode(keyval)
        text, name = chr(code) if code else "", Gdk.keyval_name(keyval)
        report(word, named(window.get_focus()), text=text, key=name, modifiers=modifiers(state))

    keys = Gtk.EventControllerKey(propagation_phase=FIRST)
    keys.connect("key-pressed", lambda _c, keyval, _code, state: key("key_down", keyval, state) or False)
    keys.connect("key-released", lambda _c, keyval, _code, state: key("key_up", keyval, state))

    def mouse(word: str, gesture: Gtk.GestureClick, clicks: int, x: float, y: float) -> None:
        widget = named(window.pick(x, y, Gtk.PickFlags.DEFAULT))
        held = modifiers(gesture.get_current_event_state())
        button = gesture.get_current_button()
        report(word, widget, button=button, clicks=clicks, inside=[round(x), round(y), xid(window)], modifiers=held)

    clicks = Gtk.GestureClick(button=0, propagation_phase=FIRST)
    clicks.connect("pressed", lambda *a: mouse("mouse_down", *a))
    clicks.connect("released", lambda *a: mouse("mouse_up", *a))

    pointer = [0.0, 0.0]
    motion = Gtk.EventControllerMotion(propagation_phase=FIRST)
    motion.connect("motion", lambda _c, x, y: pointer.__setitem__(slice(None), [x, y]))
    wheel = Gtk.EventControllerScroll(flags=Gtk.EventControllerScrollFlags.BOTH_AXES, propagation_phase=FIRST)

    def scroll(_c: object, dx: float, dy: float) -> bool:
        report("scroll", named(window.pick(*pointer, Gtk.PickFlags.DEFAULT)), dx=dx, dy=dy)
        return False

    wheel.connect("scroll", scroll)
    for controller in (keys, clicks, motion, wheel):
        window.add_controller(controller)
    window.connect(
        "notify::is-active", lambda w, _p: report("focus_in" if w.is_active() else "focus_out", w.get_name())
    )


def xid(window: Gtk.Window) -> int:
    return window.get_surface().get_xid()


def row_of(*widgets: Gtk.Widget, **properties: Any) -> Gtk.Box:
    row = Gtk.Box(spacing=6, **properties)
    for widget in widgets:
        row.append(widget)
    return row


class App:
    def __init__(self, application: Gtk.Application) -> None:
        self.widgets: dict[str, Gtk.Widget] = {}
        self.application = application
        self.window = Gtk.ApplicationWindow(application=application, title="Witness GTK 4", name="window")
        self.window.set_default_size(760, 560)
        self.application.set_menubar(self.menus())
        self.window.set_show_menubar(True)
        watch(self.window)
        columns = row_of(self.form(), self.lists(), margin_start=12, margin_end=12, margin_top=12, margin_bottom=12)
        self.window.set_child(columns)
        self.window.present()

    def keep(self, name: str, widget: Gtk.Widget, *, accessible: bool = True) -> Gtk.Widget:
        self.widgets[name] = widget
        widget.set_name(name)
        if accessible:
            widget.update_property([Gtk.AccessibleProperty.LABEL], [name])
        focus = Gtk.EventControllerFocus()
        focus.connect("enter", lambda _c: report("focus_in", name))
        widget.add_controller(focus)
        return widget

    def form(self) -> Gtk.Widget:
        self.status = self.keep("Status", Gtk.Label(label="Status: ready"), accessible=False)
        form = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6, hexpand=True)
        for widget in [
            self.entry("Name", Gtk.Entry(placeholder_text="Name")),
            self.entry("Password", Gtk.PasswordEntry(placeholder_text="Password")),
            self.notes(),
            self.buttons(),
            self.choices(),
            self.colour(),
            self.numbers(),
            self.drag(),
            self.status,
        ]:
            form.append(widget)
        return form

    def entry(self, name: str, entry: Gtk.Widget) -> Gtk.Widget:
        self.keep(name, entry)
        entry.connect("changed", lambda e: report("value", name, value=e.get_text()))
        entry.connect("activate", lambda _e: report("activate", name))
        return entry

    def notes(self) -> Gtk.Widget:
        view = self.keep("Notes", Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR))
        view.get_buffer().connect("changed", lambda _b: report("value", "Notes", value=self.text()))
        return Gtk.ScrolledWindow(min_content_height=110, child=view)

    def text(self) -> str:
        buffer = self.widgets["Notes"].get_buffer()
        return buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True)

    def buttons(self) -> Gtk.Widget:
        self.button_row = row_of(*map(self.button, ("Save", "Publish", "Open dialog")))
        self.widgets["Publish"].set_sensitive(False)
        self.widgets["Open dialog"].connect("clicked", lambda _b: self.dialog())
        return self.button_row

    def button(self, name: str) -> Gtk.Widget:
        button = self.keep(name, Gtk.Button(label=name), accessible=False)
        button.connect("clicked", lambda _b: report("activate", name))
        return button

    def choices(self) -> Gtk.Widget:
        names = ("Wrap lines", "Left", "Right")
        boxes = [self.keep(name, Gtk.CheckButton(label=name), accessible=False) for name in names]
        boxes[2].set_group(boxes[1])
        boxes[1].set_active(True)
        for box in boxes:
            box.connect("toggled", lambda b: report("value", b.get_name(), value=b.get_active()))
        return row_of(*boxes)

    def colour(self) -> Gtk.Widget:
        combo = self.keep("Colour", Gtk.DropDown.new_from_strings(COLOURS), accessible=False)
        combo.set_hexpand(True)
        combo.connect("notify::selected", lambda c, _p: report("value", "Colour", value=COLOURS[c.get_selected()]))
        return row_of(Gtk.Label(label="Colour", mnemonic_widget=combo), combo)

    def numbers(self) -> Gtk.Widget:
        slider = self.keep("Volume", Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1))
        slider.set_hexpand(True)
        spin = self.keep("Count", Gtk.SpinButton.new_with_range(0, 100, 1))
        for number in (slider, spin):
            number.connect("value-changed", lambda n: report("value", n.get_name(), value=n.get_value()))
        return row_of(slider, spin)

    def drag(self) -> Gtk.Widget:
        texts = [self.keep(name, Gtk.Label(label=name), accessible=False) for name in ("Drag me", "Drop here")]
        source = Gtk.DragSource(content=Gdk.ContentProvider.new_for_value("dragged text"))
        source.connect("drag-begin", lambda *_: report("drag", "Drag me"))
        target = Gtk.DropTarget.new(str, Gdk.DragAction.COPY)
        target.connect("drop", lambda _t, text, _x, _y: report("drop", "Drop here", text=text) is None)
        texts[0].add_controller(source)
        texts[1].add_controller(target)
        return row_of(*texts, homogeneous=True)

    def lists(self) -> Gtk.Widget:
        rows = self.keep("Rows", Gtk.ListBox())
        for number in range(ROWS):
            rows.append(Gtk.Label(label=f"Row {number}", xalign=0))
        rows.connect("row-selected", lambda _l, row: report("value", "Rows", value=row.get_index() if row else -1))
        area = self.keep("Scroll area", Gtk.ScrolledWindow(min_content_width=260, child=rows, vexpand=True))
        changed: Callable[[Any], None] = lambda a: report("value", "Scroll area", value=a.get_value())  # noqa: E731
        area.get_vadjustment().connect("value-changed", changed)
        return area

    def menus(self) -> Gio.Menu:
        bar = Gio.Menu()
        export = self.menu("PDF", "Text")
        file = self.menu("New", "Save As…")
        file.append_submenu("Export", export)
        self.add_item(file, "Quit")
        bar.append_submenu("File", file)
        bar.append_submenu("Edit", self.menu("Copy", "Paste"))
        return bar

    def menu(self, *labels: str) -> Gio.Menu:
        menu = Gio.Menu()
        for label in labels:
            self.add_item(menu, label)
        return menu

    def add_item(self, menu: Gio.Menu, label: str) -> None:
        name = "".join(c for c in label if c.isalnum())
        action = Gio.SimpleAction.new(name, None)
        action.connect("activate", lambda *_: report("menu", label))
        self.application.add_action(action)
        menu.append(label, f"app.{name}")

    def dialog(self) -> None:
        dialog = Gtk.Window(title="Witness dialog", transient_for=self.window, modal=True, name="dialog")
        watch(dialog)

        def done(answer: str) -> None:
            report("activate", answer)
            dialog.close()

        buttons = [Gtk.Button(label=label) for label in ("Cancel", "OK")]
        for button in buttons:
            button.connect("clicked", lambda b: done(b.get_label()))
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", lambda _c, key, *_: key == Gdk.KEY_Escape and (done("Cancel") or True))
        dialog.add_controller(keys)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        box.append(self.entry("Dialog entry", Gtk.Entry()))
        box.append(row_of(*buttons))
        dialog.set_child(box)
        dialog.connect("close-request", lambda _d: report("closed", "dialog") is not None)
        dialog.present()
        report("opened", "dialog")

    # --- commands ----------------------------------------------------------------------------------------

    def values(self) -> dict[str, Any]:
        get = self.widgets.__getitem__
        return {
            **{name: get(name).get_text() for name in ("Name", "Password")},
            "Notes": self.text(),
            **{name: get(name).get_active() for name in ("Wrap lines", "Left", "Right")},
            "Colour": COLOURS[get("Colour").get_selected()],
            **{name: get(name).get_value() for name in ("Volume", "Count")},
            "Scroll area": get("Scroll area").get_vadjustment().get_value(),
            "Status": self.status.get_text(),
        }

    def bounds(self, name: str) -> list[float]:
        widget = self.widgets[name]
        top = widget.get_root()
        found, rect = widget.compute_bounds(top)
        assert found
        shift_x, shift_y = top.get_surface_transform()
        return [rect.get_x() + shift_x, rect.get_y() + shift_y, rect.get_width(), rect.get_height(), xid(top)]

    def report_ready(self) -> bool:
        """Once the form is laid out, else asked again: GTK 4 shows a window before its widgets have their places."""
        ready = self.widgets["Save"].get_width() > 0
        if ready:
            report("ready", "window", pid=os.getpid())
        return not ready

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
        self.button_row.remove(self.widgets[name])
        self.button_row.append(self.button(name))

    def commands(self) -> Commands:
        names = ("values", "bounds", "focus", "clear", "rename", "replace", "dialog")
        return Commands({name: getattr(self, name) for name in names})


def main() -> None:
    GLib.set_prgname("witness-gtk4")
    application = Gtk.Application(application_id="org.example.WitnessGtk4", flags=Gio.ApplicationFlags.NON_UNIQUE)

    def start(_application: Gtk.Application) -> None:
        app = App(application)
        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, app.commands().read)
        GLib.timeout_add(LAYOUT_LOOK_MS, app.report_ready)

    application.connect("activate", start)
    application.run([])


if __name__ == "__main__":
    main()
