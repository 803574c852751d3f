"""One event group to one app: planned, proven and sent while the server stands still."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from Xlib import X
from Xlib.protocol import request, rq

from mac_commander.desktops.base import CALL_SECONDS, Judge, OnHold
from mac_commander.desktops.x11 import keysyms, windows, xtest
from mac_commander.desktops.x11.display import Connection
from mac_commander.desktops.x11.evidence import Question, Sight, Witness, judged
from mac_commander.desktops.x11.grab import ServerGrab
from mac_commander.desktops.x11.keyboard import Keyboard, layout_state
from mac_commander.desktops.x11.keymap import Keymap
from mac_commander.desktops.x11.owners import owner
from mac_commander.desktops.x11.ping import ROOT_EVENTS, Pings, wait_calm
from mac_commander.desktops.x11.raw_input import HumanWatch
from mac_commander.desktops.x11.release import held_button
from mac_commander.errors import DesktopError, Hung
from mac_commander.events import (
    ClickAt,
    DragEnd,
    DragMove,
    DragStart,
    Evidence,
    KeyboardGroup,
    MovePointer,
    PointerGroup,
    PressChord,
    ScrollAt,
    TypeText,
)
from mac_commander.model import App, Point

ATTEMPTS = 5
"""How often a group is planned anew because the keyboard layout changed between plan and proof."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to prove and what to send. ``events`` is asked once the sight is known."""

    question: Question
    events: Callable[[Sight], Sequence[xtest.Event]]
    hotkey: bool = False
    """A plain key of it belongs to another program."""
    presses_at: Point | None = None
    """Where it leaves a button down."""


class Delivery:
    """Sends keyboard and pointer groups."""

    def __init__(self, x: Connection, app_of: Callable[[int], App | None]) -> None:
        self._x = x
        self._app_of = app_of
        self.human = HumanWatch(x)
        self.keyboard = Keyboard(x, self.pump)
        self.pings = Pings(x, self.pump)
        self._witness = Witness(x)
        self.grab = ServerGrab(x)
        self._pressed_at: Point | None = None
        self._plain_keys: frozenset[tuple[int, int]] = frozenset()
        self._state = 0
        """Pointer state as last seen: a plan made for another one is made anew."""
        self._ping_window: dict[int, int] = {}
        x.select_root_events(ROOT_EVENTS)
        x.sync()

    # --- events ----------------------------------------------------------------------------------------------

    def pump(self) -> bool:
        """Take in what the server told us; whether windows changed."""
        changed = False
        for event in self._x.take_events():
            changed = not self._taken(event) or changed
        return changed

    def _taken(self, event: rq.Event) -> bool:
        return self.human.feed(event) or self.keyboard.feed(event) or self.pings.feed(event)

    def begin(self) -> None:
        """A batch begins: forget what people did, and which keys were found free."""
        self._take_keyboard()
        self._state = int(self._x.ask(request.QueryPointer, window=self._x.root).mask)
        self.pump()
        self.human.forget()
        self._plain_keys = frozenset()

    def _take_keyboard(self) -> None:
        """Make the XTEST device the last used one. Each device has a map of its own, and the first event of another
        one switches all clients to it: planned under a person's German keyboard, ``yz;`` came out as ``zy<``. The
        release of a key that is not down switches and is then dropped by the server."""
        for keycode in self.keyboard.current.spare[:1]:
            xtest.queue(self._x, [xtest.key(keycode, down=False)])
            self._x.sync()

    # --- evidence --------------------------------------------------------------------------------------------

    def evidence(self, point: Point | None) -> Evidence:
        question = Question(point=None if point is None else _pixel(point), dragging=self.dragging)
        return self._judged(self._witness.look(question), question, self.keyboard.current)

    def _judged(self, sight: Sight, question: Question, keymap: Keymap) -> Evidence:
        self.human.escape_keycode = keymap.key_of(keysyms.ESCAPE)
        self.pump()
        return judged(self._x, sight, self._app_of, keymap.held(sight.state), self.human.seen, question)

    # --- sending ---------------------------------------------------------------------------------------------

    def deliver(self, group: KeyboardGroup | PointerGroup, target: App, judge: Judge, on_hold: OnHold) -> None:
        """See `Desktop.deliver`."""
        if isinstance(group, DragStart):
            on_hold((held_button(1, group.at),))
        try:
            self._deliver(group, target, judge)
        except BaseException:  # however it failed, the button must not stay down; it goes on up
            if isinstance(group, DragStart):
                self.release_all(on_hold)
                on_hold(())
            raise
        if isinstance(group, DragEnd):
            self._pressed_at = None
            on_hold(())

    def _deliver(self, group: KeyboardGroup | PointerGroup, target: App, judge: Judge) -> None:
        for _ in range(ATTEMPTS):
            self.pump()
            state = self._state
            plan = self._plan(group, target, state)
            if self._sent(plan, state, self.keyboard.current, judge):
                return
        raise DesktopError("the keyboard layout keeps changing, so keys could mean something else; nothing was sent")

    def _sent(self, plan: Plan, state: int, keymap: Keymap, judge: Judge) -> bool:
        """Prove and send under one grab; ``False`` when the plan, made for this state and map, no longer fits."""
        self.pump()
        if self.keyboard.current is not keymap:
            return False
        with self.grab.held():
            sight = self._witness.look(plan.question, self.grab.got)
            self._state = sight.state
            self.pump()
            if self.keyboard.changed or layout_state(keymap, state) != layout_state(keymap, sight.state):
                return False
            judge(self._judged(replace(sight, hotkey=sight.hotkey or plan.hotkey), plan.question, keymap))
            events = plan.events(sight)
            self._pressed_at = plan.presses_at or self._pressed_at
            xtest.queue(self._x, events)
        self.keyboard.spare.pressed(e.detail for e in events if e.kind == X.KeyPress)
        return True

    # --- plans -----------------------------------------------------------------------------------------------

    def _plan(self, group: KeyboardGroup | PointerGroup, target: App, state: int) -> Plan:
        match group:
            case TypeText(text):
                events = self.keyboard.text(text, state, lambda: self._keys_taken(target))
                return Plan(Question(), lambda _: events, hotkey=self._types_hotkey(events))
            case PressChord(chord):
                pressed, keys = self.keyboard.chord(chord, state, lambda: self._keys_taken(target))
                return Plan(Question(keys=keys), lambda _: pressed)
            case ClickAt():
                return self._plan_click(group)
            case ScrollAt(at, dx, dy):
                number = xtest.SCROLL_DOWN if dy else xtest.SCROLL_LEFT
                return _pointer(at, lambda s: xtest.scroll_events(at, dx, dy, shielded=s.shield), number)
            case DragStart(at):
                press = [xtest.motion(at), xtest.button(1, down=True)]
                return replace(_pointer(at, lambda _: press, 1, shieldable=False), presses_at=at)
            case MovePointer(at) | DragMove(at):
                return _pointer(at, lambda _: [xtest.motion(at)], dragging=self.dragging)
            case DragEnd(at):
                end = [xtest.motion(at), xtest.button(1, down=False)]
                return _pointer(at, lambda _: end, dragging=self.dragging)

    def _types_hotkey(self, events: Sequence[xtest.Event]) -> bool:
        """Whether a key of this text is someone's hotkey, as a drop-down terminal's may be. Each key is looked up
        once in a batch, before the server is held: sixty probes would hold it too long."""
        unknown = self.keyboard.states(events) - self._plain_keys
        if unknown and self._witness.are_hotkeys(sorted(unknown)):
            return True
        self._plain_keys |= unknown
        return False

    def _plan_click(self, click: ClickAt) -> Plan:
        keycodes, mask = self.keyboard.modifiers(click.modifiers)

        def events(sight: Sight) -> list[xtest.Event]:
            inner = xtest.click_events(click.at, click.button, click.clicks, shielded=sight.shield)
            return xtest.chord_events(keycodes, inner)

        return _pointer(click.at, events, xtest.BUTTONS[click.button], modifiers=mask)

    # --- barriers --------------------------------------------------------------------------------------------

    def barrier(self, target: App, seconds: float) -> bool | None:
        """See `Desktop.barrier`."""
        window = self._answering_window(target.pid)
        if window is None:
            return None
        answered = self.pings.wait(window, seconds)
        if answered:
            self.keyboard.spare.proven()
        return answered

    def _keys_taken(self, target: App) -> None:
        """Raise `Hung` unless the target has handled all keys so far."""
        taken = self.barrier(target, CALL_SECONDS)
        if taken is None:
            taken = wait_calm(self._x, target.pid, CALL_SECONDS)
        if not taken:
            raise Hung(
                f"{target.name} did not take in the keys before, so the next characters could come out wrong; "
                "they were not sent. Wait, look with see, and send the rest."
            )

    def _answering_window(self, pid: int) -> int | None:
        """A window of the process that answers pings; the last one is tried first."""
        known = self._ping_window.get(pid, X.NONE)
        if known and owner(self._x, known) == pid and self.pings.answers(known):
            return known
        found = [f.window.id for f in windows.read(self._x, windows.managed(self._x)) if f.window.pid == pid]
        answering = next((w for w in reversed(found) if self.pings.answers(w)), None)
        self._ping_window = {} if answering is None else {pid: answering}
        return answering

    # --- the end ---------------------------------------------------------------------------------------------

    def release_all(self, on_hold: OnHold) -> None:
        """A button goes up where it went down, so that a broken drag drops nothing elsewhere."""
        if self._pressed_at is None:
            return
        back = [xtest.motion(self._pressed_at), xtest.button(1, down=False)]
        self._pressed_at = None
        xtest.queue(self._x, back)
        self._x.sync()
        on_hold(())

    def take_over(self, before: Delivery) -> None:
        """What the delivery of a lost connection still held."""
        self._pressed_at = before._pressed_at

    @property
    def dragging(self) -> bool:
        """A button is down."""
        return self._pressed_at is not None

    def finish(self, seconds: float) -> None:
        """Give the lent keys back, once the last target has handled them or this much time has passed."""
        if self.keyboard.spare.any_unproven:
            for window in self._ping_window.values():
                self.pings.wait(window, seconds)
        self.keyboard.spare.give_back()

    def close(self) -> None:
        self.grab.close()


def _pixel(point: Point) -> tuple[int, int]:
    return round(point.x), round(point.y)


def _pointer(
    at: Point,
    events: Callable[[Sight], Sequence[xtest.Event]],
    button: int = 0,
    *,
    modifiers: int = 0,
    shieldable: bool = True,
    dragging: bool = False,
) -> Plan:
    question = Question(_pixel(at), button=button, modifiers=modifiers, shieldable=shieldable, dragging=dragging)
    return Plan(question, events)
