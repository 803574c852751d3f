"""How each step kind becomes event groups. Sends only through the `Hands` that core/batch.py gives it."""

from __future__ import annotations

import time
from typing import assert_never

from mac_commander.core import chords, guard, waiting
from mac_commander.core.graphemes import groups
from mac_commander.core.hands import Hands
from mac_commander.core.steps import Click, Drag, Hover, Key, Menu, Place, Scroll, Set, Step, Type, Wait
from mac_commander.core.waiting import TextWatch
from mac_commander.errors import Cause, Hung, NotInTime, Refused, Unsupported
from mac_commander.events import (
    ClickAt,
    DragEnd,
    DragMove,
    DragStart,
    FocusElement,
    MovePointer,
    PickMenu,
    PressChord,
    PressElement,
    RevealElement,
    ScrollAt,
    SetValue,
    TypeText,
)
from mac_commander.model import Button, Chord, Element, Limits, Point, State

DRAG_MOVES = 12
"""Moves between press and release: applications start a drag only after a few of them (cliclick #13)."""

DRAG_SECONDS = 0.015
"""Between two moves; toolkits drop drags that are faster than a hand."""

DRAG_HOLD_SECONDS = 0.1
"""Before the first move and before the release, for the source to start and the destination to answer."""

FRAME_SECONDS = 0.02
"""One frame of a screen: what is at one place for so long is not on its way."""

STILL_LOOKS_MOST = 50
"""A second of them: longer than animations of windows and lists."""

PROOF_SECONDS = 0.1
"""How often a wait for a text proves that the target is still the one: a person must stop it within 250 ms. Not at each
of an app's events, which may come sixty times a second and are to be answered at once."""

FOCUS_SECONDS = 1.0
"""How long an element may take to get the keyboard after it was asked."""

UNKNOWN_FIELD_SECONDS = 2.0
"""For reading an app that does not tell what has its keyboard."""

SUBMIT_SECONDS = 0.15
"""Between a text and the Return that submits it: fields that complete words keep an earlier one to themselves."""

BARRIER_SECONDS = 3.0
"""How long a target may take to swallow its input, a piece of a text or a whole step, before it counts as hung."""


def perform(step: Step, hands: Hands) -> None:
    """Do one step. Raises `CommanderError` only."""
    match step:
        case Click():
            _click(step, hands)
        case Type():
            _type(step, hands)
        case Key():
            _key(step, hands)
        case Scroll():
            hands.deliver(ScrollAt(_point(step.at, hands), step.dx, step.dy))
        case Drag():
            _drag(step, hands)
        case Wait():
            _wait(step, hands)
        case Hover():
            hands.deliver(MovePointer(_point(step.at, hands)))
        case Set():
            _set(step, hands)
        case Menu():
            _menu(step, hands)
        case _:
            assert_never(step)


# --- places --------------------------------------------------------------------------------------------------


def _point(place: Place, hands: Hands) -> Point:
    """Where the place is now. A ref is looked up afresh and scrolled into view; its old point is never used."""
    if isinstance(place, str):
        return _still(place, hands)
    guard.point_in_target(place, hands.session.desktop.windows(hands.target), hands.target)
    return place


def _still(ref: str, hands: Hands) -> Point:
    """The element's centre, once two looks a frame apart agree on it: when it slides or jumps away, the pointer would
    hit whatever comes next."""
    at = _seen_at(ref, hands)
    for _ in range(STILL_LOOKS_MOST):
        hands.session.wait(FRAME_SECONDS)
        before, at = at, _seen_at(ref, hands)
        if at == before:
            return at
    raise Refused(f"{ref} does not stay in one place: wait until it does, then see")


def _seen_at(ref: str, hands: Hands) -> Point:
    return _reachable(_visible(hands.session.element(ref, hands.target), ref, hands), ref, hands)


def _visible(element: Element, ref: str, hands: Hands) -> Element:
    if State.OFFSCREEN not in element.states:
        return element
    try:
        hands.deliver(RevealElement(element.key))
    except Unsupported:
        raise Refused(f"{ref} is scrolled out of view and cannot be brought in: scroll there, then see") from None
    hands.watch(0.1)
    moved = hands.session.element(ref, hands.target)
    if State.OFFSCREEN in moved.states:
        raise Refused(f"{ref} is scrolled out of view: scroll there, then see")
    return moved


def _reachable(element: Element, ref: str, hands: Hands) -> Point:
    """The element's centre, unless its window is minimised or another one of the same app lies over it there: the
    pointer would hit what is shown at that place. Of a window that is not listed only the guard can tell."""
    centre = _centre(element, ref)
    windows = hands.session.desktop.windows(hands.target)
    own = next((w for w in windows if w.id == element.window), None)
    if own is None:
        return centre
    if own.minimised:
        raise Refused(f"{ref} is in a minimised window: open that one first")
    top = next((w for w in windows if w.bounds.contains(centre) and not w.minimised), own)
    if top.id != own.id:
        raise Refused(f"{ref} is covered by another window of {hands.target.name}: close or move that one first")
    return centre


def _centre(element: Element, ref: str) -> Point:
    if element.bounds is None or element.bounds.width <= 0 or element.bounds.height <= 0:
        raise Refused(f"{ref} has no place on the screen now: it may be hidden. Look with see")
    return element.bounds.centre


def _refuse_disabled(element: Element, ref: str) -> None:
    if State.DISABLED in element.states:
        raise Refused(f"{ref} ({element.role}) is disabled: it takes no input now")


# --- click, hover, drag --------------------------------------------------------------------------------------


def _click(step: Click, hands: Hands) -> None:
    hands.delivery.of = 1
    if isinstance(step.at, str) and _pressed(step, step.at, hands):
        return
    at = _point(step.at, hands)
    modifiers = chords.resolve(Chord(step.modifiers, ""), hands.session.desktop.main_modifier).modifiers
    hands.deliver(ClickAt(at, step.button, step.clicks, modifiers))


def _pressed(step: Click, ref: str, hands: Hands) -> bool:
    """Prefer the element's own press: it needs no pointer and cannot land elsewhere."""
    element = hands.session.element(ref, hands.target)
    _refuse_disabled(element, ref)
    plain = step.button is Button.LEFT and step.clicks == 1 and not step.modifiers
    if not plain or not element.pressable:
        return False
    try:
        hands.deliver(PressElement(element.key))
    except Unsupported:
        return False
    return True


def _drag(step: Drag, hands: Hands) -> None:
    """Both ends are proven before the button goes down, each move when it is made, the end again before it."""
    start, end = _point(step.start, hands), _point(step.end, hands)
    hands.prove_point(MovePointer(end), end)
    hands.delivery.of = DRAG_MOVES + 2
    hands.deliver(DragStart(start))
    hands.session.wait(DRAG_HOLD_SECONDS)
    for i in range(1, DRAG_MOVES + 1):
        part = i / DRAG_MOVES
        hands.deliver(DragMove(Point(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)))
        hands.session.wait(DRAG_SECONDS)
    hands.session.wait(DRAG_HOLD_SECONDS)
    hands.deliver(DragEnd(end))


# --- keyboard ------------------------------------------------------------------------------------------------


def _type(step: Type, hands: Hands) -> None:
    hands.delivery.of = len(step.text) + step.submit
    if step.ref is not None:
        _focus(step.ref, hands)
        hands.anchor()
    _send_text(step.text, step.ref, hands)
    if step.submit:
        _taken_in(hands)
        hands.watch(SUBMIT_SECONDS)
        _send_text("\n", step.ref, hands)


def _send_text(text: str, ref: str | None, hands: Hands) -> None:
    for i, group in enumerate(groups(text)):
        if i:
            _taken_in(hands)
        _refuse_secure(ref, hands)
        hands.deliver(TypeText(group))
        hands.delivery.delivered += len(group)


def _taken_in(hands: Hands) -> None:
    """The target has handled all keys so far. Return and Tab move the focus, and a form may go on to its password
    field by itself: before that nobody can tell where the next piece would go. It also keeps a slow target's queue
    short, so that stopping stops."""
    if hands.session.desktop.barrier(hands.target, BARRIER_SECONDS) is False:
        hands.prove()  # when it ended or lost the focus, that is told instead
        raise Hung(f"{hands.target.name} took no input for {BARRIER_SECONDS:g} s in mid-text: it hangs or is busy")


def _focus(ref: str, hands: Hands) -> None:
    """Through accessibility, else by a click into it."""
    element = hands.session.element(ref, hands.target)
    _refuse_disabled(element, ref)
    if element.secure:
        _refuse_secure_element(hands)
    if _has_focus(ref, hands):
        return
    try:
        hands.deliver(FocusElement(element.key))
    except Unsupported:
        hands.deliver(ClickAt(_still(ref, hands)))
    hands.session.wait(FOCUS_SECONDS, lambda: _has_focus(ref, hands))
    if not _has_focus(ref, hands):
        raise Refused(f"{ref} did not take the keyboard: click it, or use set", cause=Cause.FOCUS)


def _has_focus(ref: str, hands: Hands) -> bool:
    """The app's focused element is this one, or stands inside it (the entry of a combo box)."""
    element = hands.session.element(ref, hands.target)
    focused = hands.session.desktop.focused(hands.target)
    if focused is None:
        return State.FOCUSED in element.states
    return focused.key == element.key or stands_inside(focused, element)


def stands_inside(inner: Element, outer: Element) -> bool:
    """By their places. One of the same role is no part of the other, but another field that lies over it."""
    if inner.bounds is None or outer.bounds is None or not inner.window or inner.window != outer.window:
        return False
    return inner.role != outer.role and outer.bounds.contains(inner.bounds.centre)


def _refuse_secure(ref: str | None, hands: Hands) -> None:
    """``ref`` is the field that was given the keyboard, when the client named one."""
    secret = hands.session.desktop.types_secretly(hands.target)
    if secret:
        _refuse_secure_element(hands)
    elif secret is None and not hands.session.config.allow_secure_typing and not (ref and _has_focus(ref, hands)):
        _refuse_unknown_field(hands)


def _refuse_unknown_field(hands: Hands) -> None:
    """Where the app does not tell what has its keyboard, any password field that it shows may have it. One that tells
    nothing at all, like a terminal, shows none."""
    guard.judge(hands.target, hands.session.desktop.evidence(), TypeText(""), "before")  # it may have a better reason
    seen = hands.session.desktop.snapshot(hands.target, Limits(seconds=UNKNOWN_FIELD_SECONDS))
    if not seen.complete or any(e.secure for e in seen.elements):
        shows = "shows a password field" if seen.complete else "could not be read whole in time"
        raise Refused(
            f"{hands.target.name} does not tell which field has the keyboard, and {shows}: typing is refused. "
            "Name the field (ref), or use set",
            cause=Cause.FOCUS,
        )


def _refuse_secure_element(hands: Hands) -> None:
    hands.delivery.secret = True
    if not hands.session.config.allow_secure_typing:
        raise Refused(
            "the field is a password field: typing into it is refused. The user can type it, or set "
            '"allow_secure_typing": true in config.json'
        )


def _key(step: Key, hands: Hands) -> None:
    main = hands.session.desktop.main_modifier
    chord = chords.resolve(step.chord, main)
    hands.delivery.of = step.repeat
    for _ in range(step.repeat):
        if chords.fills_a_field(chord, main):
            _refuse_secure(None, hands)
        hands.deliver(PressChord(chord))
        hands.delivery.delivered += 1


# --- accessibility -------------------------------------------------------------------------------------------


def _set(step: Set, hands: Hands) -> None:
    element = hands.session.element(step.ref, hands.target)
    _refuse_disabled(element, step.ref)
    if element.secure:
        _refuse_secure_element(hands)
    hands.delivery.of = 1
    try:
        hands.deliver(SetValue(element.key, step.value))
    except Unsupported as error:
        more = ". Click it, then the item wanted: see lists what pops up" if element.role == "combobox" else ""
        raise Refused(f"{step.ref} ({element.role}) takes no value: {error}{more}") from None


def _menu(step: Menu, hands: Hands) -> None:
    hands.delivery.of = 1
    try:
        hands.deliver(PickMenu(step.path))
    except Unsupported as error:
        raise Refused(str(error)) from None  # the words name the items that there are


def _wait(step: Wait, hands: Hands) -> None:
    if step.until is None and step.gone is None:
        hands.watch(step.ms / 1000)
        return
    watch = TextWatch(hands.session.desktop, hands.target, step.until or step.gone or "")
    wanted = step.until is not None
    proven = time.monotonic()
    end = proven + step.ms / 1000
    while (holds := watch.holds()) is not wanted:
        left = end - time.monotonic()
        if left <= 0:
            raise NotInTime(f"{waiting.UNMET[holds]} within {step.ms} ms. Look with see")
        hands.session.stop.rest(min(waiting.LOOK_SECONDS, left), hands.session.desktop.idle)
        if time.monotonic() - proven >= PROOF_SECONDS:
            hands.prove()
            proven = time.monotonic()
