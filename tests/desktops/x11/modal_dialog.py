"""GTK 3: a button and a menu item that open a modal dialog and wait in their handlers until it is closed."""

from __future__ import annotations

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402


def ask(_widget: Gtk.Widget) -> None:
    print("opened", flush=True)
    dialog = Gtk.MessageDialog(transient_for=window, modal=True, text="Really?", buttons=Gtk.ButtonsType.YES_NO)
    print("answered", dialog.run() == Gtk.ResponseType.YES, flush=True)
    dialog.destroy()


window = Gtk.Window(title="Asks")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
button = Gtk.Button(label="Ask")
button.connect("clicked", ask)
item, menu, bar = Gtk.MenuItem(label="Ask…"), Gtk.Menu(), Gtk.MenuBar()
item.connect("activate", ask)
menu.append(item)
top = Gtk.MenuItem(label="File")
top.set_submenu(menu)
bar.append(top)
for widget in (bar, button):
    box.add(widget)
window.add(box)
window.show_all()
Gtk.main()
