"""What an app does with a key that reached it: shortcuts, editing, Return in a field."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from simulated_mac import behaviour, menus, pressing
from simulated_mac.editing import Editor
from simulated_mac.elements import TEXT_ROLES, App, Element, Window

if TYPE_CHECKING:
    from simulated_mac.keyboard import KeyEvent
    from simulated_mac.machine import Machine

RETURN, TAB, ESCAPE, ENTER = 36, 48, 53, 76
SPECIAL_CHARACTERS = {RETURN: "\r", TAB: "\t", ESCAPE: "\x1b", ENTER: "\x03", 51: "\x7f", 117: "\uf728"}
KEYS_OF_CHARACTERS = {"\n": RETURN, "\r": RETURN, "\t": TAB, "\x1b": ESCAPE, "\x7f": 51, "\b": 51}

Edit = Callable[[Editor, bool], None]
_EDITS: dict[int, Edit] = {
    51: lambda editor, _: editor.delete_backward(),
    117: lambda editor, _: editor.delete_forward(),
    123: lambda editor, extend: editor.step(-1, extend),
    124: lambda editor, extend: editor.step(1, extend),
    125: lambda editor, extend: editor.line(1, extend),
    126: lambda editor, extend: editor.line(-1, extend),
}
_COMMAND_EDITS: dict[int, Edit] = {
    123: lambda editor, extend: editor.line_edge(-1, extend),
    124: lambda editor, extend: editor.line_edge(1, extend),
    125: lambda editor, extend: editor.move(len(editor.text), extend),
    126: lambda editor, extend: editor.move(0, extend),
    51: lambda editor, _: _delete_to_line_start(editor),
}
_OPTION_EDITS: dict[int, Edit] = {
    123: lambda editor, extend: editor.word(-1, extend),
    124: lambda editor, extend: editor.word(1, extend),
    51: lambda editor, _: _delete_word(editor),
}


def _delete_to_line_start(editor: Editor) -> None:
    editor.line_edge(-1, extend=True)
    editor.insert("")


def _delete_word(editor: Editor) -> None:
    editor.word(-1, extend=True)
    editor.insert("")


def receive(machine: Machine, app: App, window: Window | None, event: KeyEvent, characters: str) -> None:
    """``window`` is the one that had the keyboard when the event came, whatever has opened since."""
    held = event.modifiers - {"capslock"}
    if "cmd" in held and not (event.text is None and event.keycode in _COMMAND_EDITS):
        _shortcut(machine, app, held - {"fn"}, characters)
        return
    focused = window.focus if window and window.focus and window.focus.alive else None
    if event.text is None and event.keycode in SPECIAL_CHARACTERS | _EDITS:
        _special_key(machine, app, focused, event.keycode, held)
    elif characters and "ctrl" not in held:
        _text(machine, app, focused, _composed(machine, characters))


def _composed(machine: Machine, characters: str) -> str:
    """An input method keeps Latin letters to itself until Return or Space; other characters pass."""
    if not machine.keyboard.input_method:
        return characters
    machine.keyboard.composing += "".join(c for c in characters if c.isascii() and c.isalpha())
    return "".join(c for c in characters if not (c.isascii() and c.isalpha()))


def _shortcut(machine: Machine, app: App, held: frozenset[str], characters: str) -> None:
    item = menus.item_for(app, held, characters.lower())
    if item is not None:
        pressing.choose(machine, item)
    else:  # a world that gives an app menus of its own need not spell out those that all apps have
        pressing.carry_out(machine, app, menus.spelled(held, characters.lower()))


def _special_key(machine: Machine, app: App, focused: Element | None, keycode: int, held: frozenset[str]) -> None:
    composing, machine.keyboard.composing = machine.keyboard.composing, ""
    if composing and keycode in (RETURN, ENTER):
        _text(machine, app, focused, composing)
    elif keycode in (RETURN, ENTER):
        _return(machine, app, focused)
    elif keycode == TAB:
        _next_field(machine, app, focused, -1 if "shift" in held else 1)
    elif keycode == ESCAPE:
        pressing.cancel(machine, app)
    elif focused is not None and focused.editor is not None and focused.enabled:
        table = _COMMAND_EDITS if "cmd" in held else _OPTION_EDITS if "alt" in held else _EDITS
        table.get(keycode, _EDITS[keycode])(focused.editor, "shift" in held)
        _changed(machine, focused)


def _return(machine: Machine, app: App, focused: Element | None) -> None:
    if focused is not None and focused.editor is not None and focused.editor.multiline:
        focused.editor.insert("\n")
        _changed(machine, focused)
        return
    if focused is not None and behaviour.submitted(machine, focused):
        return
    window = machine.key_window(app)
    default = next((node for node in window.walk() if node.spec.get("default")), None) if window else None
    if default is not None:
        pressing.press(machine, default)
    elif behaviour.key(machine, app, "="):
        return


def _next_field(machine: Machine, app: App, focused: Element | None, by: int) -> None:
    if focused is not None and focused.editor is not None and focused.editor.multiline:
        focused.editor.insert("\t")
        _changed(machine, focused)
        return
    window = machine.key_window(app)
    fields = [node for node in window.walk() if node.role in TEXT_ROLES and node.focusable] if window else []
    if fields:
        at = fields.index(focused) if focused in fields else (-1 if by > 0 else 0)
        chosen = fields[(at + by) % len(fields)]
        machine.windows.focus(chosen)
        if chosen.editor:
            chosen.editor.select_all()


def _text(machine: Machine, app: App, focused: Element | None, characters: str) -> None:
    if focused is not None and focused.editor is not None and focused.enabled:
        typed = characters.replace("\r\n", "\n").replace("\r", "\n")
        focused.editor.insert(typed if focused.editor.multiline else typed.replace("\n", " "))
        _changed(machine, focused)
        return
    for character in characters:
        behaviour.key(machine, app, character)


def _changed(machine: Machine, element: Element) -> None:
    machine.notices.post("AXValueChanged", element.app.pid, element)
