"""The keyboard: which keys are down, which modifiers count, and who gets what is typed."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulated_mac import hotkeys, layouts, typing_into
from simulated_mac.elements import App

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

FLAGS = {
    "capslock": 0x10000,
    "shift": 0x20000,
    "ctrl": 0x40000,
    "alt": 0x80000,
    "cmd": 0x100000,
    "fn": 0x800000,
}
"""``kCGEventFlagMask*`` of CGEventTypes.h."""

MODIFIER_KEYS = {
    54: "cmd",
    55: "cmd",
    56: "shift",
    57: "capslock",
    58: "alt",
    59: "ctrl",
    60: "shift",
    61: "alt",
    62: "ctrl",
    63: "fn",
}
"""``kVK_*`` of Carbon's Events.h."""

_LEFT_KEYS = frozenset((55, 56, 57, 58, 59, 63))

ALL_FLAGS = sum(FLAGS.values())
UNITS_PER_EVENT = 20
"""A keyboard event keeps so many UTF-16 units and drops the rest without a word (enigo #68)."""

STRIKE = 0.1
"""Seconds that a key struck by a person stays down."""

HUMAN, PROGRAM = "human", "program"


@dataclass(frozen=True)
class KeyEvent:
    down: bool
    keycode: int
    flags: int
    text: str | None = None
    """The string that the event carries; ``None`` when the key and the layout say it."""
    source: str = PROGRAM
    user_data: int = 0

    @property
    def modifiers(self) -> frozenset[str]:
        return frozenset(name for name, bit in FLAGS.items() if self.flags & bit)


class Keyboard:
    def __init__(self, machine: Machine, world: dict[str, Any]) -> None:
        self._machine = machine
        self.layout: str = world.get("layout", "us")
        self.input_method: bool = world.get("input_method", False)
        self.composing = ""
        """What an active input method holds back until Return."""
        self.human_holds: set[str] = set(world.get("human_holds", ()))
        self.secure_holder: App | None = None
        """Who holds secure event input without a secure field being focused."""
        self.down: set[int] = set()
        self.logical = 0
        """The modifiers that posted events left the session with."""
        self.hardware_events: Counter[str] = Counter()
        self.all_events: Counter[str] = Counter()
        self.started = time.monotonic()
        self._struck, self._struck_at = -1, self.started - 2 * STRIKE
        self.hardware_times: dict[str, float] = {}
        self.all_times: dict[str, float] = {}

    # --- modifiers ---------------------------------------------------------------------------------------------

    @property
    def human_flags(self) -> int:
        return sum(FLAGS[name] for name in self.human_holds)

    @property
    def human_down(self) -> set[int]:
        """Keys that a person holds down, and the one struck a moment ago."""
        held = {code for code, name in MODIFIER_KEYS.items() if name in self.human_holds and code in _LEFT_KEYS}
        return held | ({self._struck} if time.monotonic() - self._struck_at < STRIKE else set())

    @property
    def flags(self) -> int:
        """As the combined session state has them."""
        return self.logical | self.human_flags

    @property
    def stuck(self) -> int:
        """Modifiers that count as held although no key of theirs is down."""
        held = sum({FLAGS[MODIFIER_KEYS[code]] for code in self.down if code in MODIFIER_KEYS})
        return self.logical & ~held

    def _track(self, event: KeyEvent) -> None:
        if event.source == HUMAN:
            return
        if event.down:
            self.down.add(event.keycode)
        else:
            self.down.discard(event.keycode)
        flags = event.flags & ALL_FLAGS & ~self.human_flags
        if event.keycode in MODIFIER_KEYS:
            self.logical = flags
        elif not event.down:
            self.logical |= flags  # a key-up that still carries flags leaves them held

    # --- secure input ------------------------------------------------------------------------------------------

    @property
    def secure_owner(self) -> App | None:
        """Who holds secure event input: an app that was told to, or the one whose secure field has the focus."""
        focused = self._machine.focused
        return self.secure_holder or (focused.app if focused and focused.secure else None)

    def holder_gone(self, app: App) -> None:
        if self.secure_holder is app:
            self.secure_holder = None

    # --- delivery ----------------------------------------------------------------------------------------------

    def count(self, kind: str, source: str) -> None:
        now = time.monotonic()
        self.all_events[kind] += 1
        self.all_times[kind] = now
        if source == HUMAN:
            self.hardware_events[kind] += 1
            self.hardware_times[kind] = now

    def post(self, event: KeyEvent) -> None:
        """To whoever has the keyboard now."""
        swallowed = bool(self.stuck) and event.text is not None
        self._track(event)
        self.count(_kind(event), event.source)
        self._machine.watchers.tell(event)
        if hotkeys.taken(self._machine, event):
            return
        receiver = self._machine.keyboard_app
        owner = self.secure_owner
        if event.source == PROGRAM and owner is not None and owner is not receiver:
            return  # posted keys go nowhere while another app holds secure event input
        window = self._machine.key_window(receiver) if receiver is not None else None
        self._journal(event, receiver)
        if event.down and receiver is not None and receiver.running and not receiver.hung and not swallowed:
            typing_into.receive(self._machine, receiver, window, event, self.characters(event))

    def _journal(self, event: KeyEvent, receiver: App | None) -> None:
        fields: dict[str, Any] = {
            "text": self.characters(event),
            "keycode": event.keycode,
            "flags": event.flags,
        }
        if event.source == HUMAN:
            fields["source"] = HUMAN
        self._machine.record("key_down" if event.down else "key_up", receiver, **fields)

    def characters(self, event: KeyEvent) -> str:
        """What NSEvent.characters would be."""
        if event.text is not None:
            return event.text
        if event.keycode in MODIFIER_KEYS:
            return ""
        held = event.modifiers
        layout = "us" if "cmd" in held and self.layout == "ru" else self.layout
        special = typing_into.SPECIAL_CHARACTERS.get(event.keycode, "")
        return layouts.character(layout, event.keycode, "shift" in held, "alt" in held) or special

    # --- the person at the desk --------------------------------------------------------------------------------

    def human_types(self, text: str) -> None:
        for character in text:
            keycode, flags, given = self._key_of(character)
            self._struck, self._struck_at = keycode, time.monotonic()
            for down in (True, False):
                self.post(KeyEvent(down, keycode, flags | self.human_flags, given, HUMAN))

    def human_holds_down(self, modifier: str, holds: bool) -> None:
        """A person presses a modifier or lets go of it."""
        if holds:
            self.human_holds.add(modifier)
        else:
            self.human_holds.discard(modifier)
        self.count("flags_changed", HUMAN)

    def _key_of(self, character: str) -> tuple[int, int, str | None]:
        special = typing_into.KEYS_OF_CHARACTERS.get(character)
        if special is not None:
            return special, 0, None
        key = layouts.key_for(self.layout, character)
        if key is None:
            return 0, 0, character
        keycode, shift, option = key
        return keycode, FLAGS["shift"] * shift | FLAGS["alt"] * option, None


def _kind(event: KeyEvent) -> str:
    if event.keycode in MODIFIER_KEYS:
        return "flags_changed"
    return "key_down" if event.down else "key_up"
