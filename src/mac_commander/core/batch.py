"""`act`: a batch of steps against one app, proven before, during and after each. The only place that sends input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from mac_commander.core import chords, guard
from mac_commander.core.finder import refuse_throwing_away
from mac_commander.core.guard import Phase
from mac_commander.core.hands import Delivery
from mac_commander.core.outcome import Failure, Outcome
from mac_commander.core.perform import BARRIER_SECONDS, perform
from mac_commander.core.session import Session
from mac_commander.core.snapshot import bounded, changes
from mac_commander.core.steps import WAIT_MS_MOST, Hover, Key, Menu, Scroll, Set, Step, Type, Wait
from mac_commander.errors import Cause, CommanderError, Hung, NoSuchApp, Refused, Stopped, Unsupported
from mac_commander.events import Evidence, Group, PointerGroup
from mac_commander.model import App, Limits, Modifier, Point, Screen, Window, WindowKind

MODIFIER_SECONDS = 1.0
"""How long the user's held modifiers are waited out before a batch is refused."""

WATCH_SECONDS = 0.1
"""How often a wait looks for the human and the front: they must stop a batch within 250 ms."""

CHANGES_SECONDS_LEAST = 0.25
"""Reading what changed may take the settle time, and this much when that is nearly nothing: an ordinary window is read
in it on a busy machine too."""


class Batch:
    """One run of `act`: every way it can end is an `Outcome`; only a bug raises."""

    def __init__(self, session: Session, steps: Sequence[Step], settle_ms: int) -> None:
        self.session = session
        self._desktop = session.desktop
        self._steps = steps
        self._settle_seconds = settle_ms / 1000
        self._known_windows: frozenset[int] = frozenset()
        self._notes: list[str] = []
        self._deliveries: list[Delivery] = []
        """One for each step that was begun."""
        self.screens: tuple[Screen, ...] = ()

    def run(self, name: str) -> Outcome:
        """``name`` is the target as the client gave it."""
        try:
            self.session.policy.blocklist.refuse_name(name)
            with self.session.at_the_keyboard():
                return self._run(name)
        except CommanderError as error:
            return self._outcome(None, 0, Failure(-1, "before", error.cause, str(error), error.frontmost))

    def _run(self, name: str) -> Outcome:
        target: App | None = None
        step: Step | None = None
        completed, index = 0, -1
        phase: Phase = "before"
        delivery = Delivery()
        try:
            target = self._ready(name)
            for index, step in enumerate(self._steps):
                phase, delivery = "before", Delivery()
                self._deliveries.append(delivery)
                self._announce(index, step)
                hands = _Hands(self, target, delivery, types=isinstance(step, Type))
                phase = "during"
                perform(step, hands)
                completed = index + 1
                phase = "after"
                self._finish(target, step, last=completed == len(self._steps))
        except CommanderError as error:
            if not delivery.sent and not isinstance(step, Wait):
                phase = "before"
            failure = self._failure(index, phase, error, delivery, completed)
            self._desktop.release_all()
            return self._outcome(target, completed, failure)
        return self._outcome(target, completed, None)

    # --- before the first step -------------------------------------------------------------------------------

    def _ready(self, name: str) -> App:
        """The target: allowed by name, found, allowed by process, able to take the whole batch, in front."""
        session = self.session
        target = session.input_target(name)
        session.policy.refuse_input(target, name)
        self._refuse_impossible(target)
        guard.session_is_ours(self._desktop.evidence())
        session.bring_to_front(target)
        self._wait_out_modifiers()
        self._known_windows = frozenset(w.id for w in self._desktop.windows(target))
        self.screens = self._desktop.screens()
        return target

    def _refuse_impossible(self, target: App) -> None:
        """Whatever can be known to fail is refused before the first event (R5)."""
        missing = self._desktop.readiness().input
        if missing:
            raise Refused(missing)
        for i, step in enumerate(self._steps):
            if isinstance(step, Type):
                self._refuse_untypable(step.text, f"steps[{i}].text")
            if isinstance(step, Key):
                chord = chords.resolve(step.chord, self._desktop.main_modifier)
                chords.refuse_system_chord(chord, self._desktop.main_modifier, target, f"steps[{i}].combo")
            if isinstance(step, Menu):
                refuse_throwing_away(target, "menuitem", step.path[-1])

    def _refuse_untypable(self, text: str, where: str) -> None:
        bad = self._desktop.untypable(text)
        if bad:
            codes = ", ".join(f"U+{ord(c):04X}" for c in bad[:5])
            raise Refused(f"{where}: {codes} cannot be typed on this desktop; put it with a set step, or leave it out")

    def _wait_out_modifiers(self) -> None:
        held: frozenset[Modifier] = frozenset()

        def free() -> bool:
            nonlocal held
            held = self._desktop.evidence().modifiers_held
            return not held

        if not self.session.wait(MODIFIER_SECONDS, free):
            names = ", ".join(sorted(held))
            raise Refused(f"the user holds {names} down: keys would become other commands", cause=Cause.HUMAN)
        self._desktop.watch_human()

    # --- one step --------------------------------------------------------------------------------------------

    def _announce(self, index: int, step: Step) -> None:
        self.session.progress(index, len(self._steps), type(step).__name__.lower())

    def prove(self, target: App, phase: Phase) -> Evidence:
        self.session.stop.check()
        if not self._desktop.is_running(target):
            raise NoSuchApp(f"{target.name} (pid {target.pid}) ended {phase} step")
        guard.nobody_asks(target, self._desktop.apps(), self._desktop.stack(), phase)
        seen = self._desktop.evidence()
        guard.judge(target, seen, None, phase)
        return seen

    def watch(self, target: App, seconds: float, phase: Phase) -> None:
        """Let time pass, with a proof every `WATCH_SECONDS`."""
        left = seconds
        while left > 0:
            self.session.wait(min(left, WATCH_SECONDS))
            left -= WATCH_SECONDS
            if left > 0:
                self.prove(target, phase)

    def _finish(self, target: App, step: Step, *, last: bool) -> None:
        """Settle and prove. That the last step closed the app or its last window is its success, not a loss."""
        try:
            self._settle(target, step, last=last)
        except CommanderError as error:
            over = self._over(target) if last and error.cause in _LOOKS_LIKE_AN_END else ""
            if not over:
                raise
            self._notes.append(over)

    def _over(self, target: App) -> str:
        if not self._desktop.is_running(target):
            return f"{target.name} ended with the last step"
        if all(w.minimised for w in self._desktop.windows(target)):
            return f"{target.name} shows no window any more"
        return ""

    def _settle(self, target: App, step: Step, *, last: bool) -> None:
        self.watch(target, self._settle_seconds, "after")
        if self._desktop.is_running(target) and self._desktop.barrier(target, BARRIER_SECONDS) is False:
            raise Hung(f"{target.name} took no input for {BARRIER_SECONDS:g} s after the step: it hangs or is busy")
        self.prove(target, "after")
        self._notice_windows(target, step, last=last)

    def _notice_windows(self, target: App, step: Step, *, last: bool) -> None:
        """A dialog in mid-batch would get the keys meant for what it covers; so would a window that came by itself."""
        windows = self._desktop.windows(target)
        new = [w for w in windows if w.id not in self._known_windows and w.kind is not WindowKind.POPUP]
        self._known_windows |= {w.id for w in windows}
        unexpected = [w for w in new if _is_dialog(w) or _opens_nothing(step)]
        if unexpected and not last:
            raise Refused(
                f"a {unexpected[0].kind} of {target.name} opened after the step and may take what follows. "
                "Look with see, then go on in a new call",
                cause=Cause.DIALOG,
                frontmost=target,
            )

    # --- how it ended ----------------------------------------------------------------------------------------

    def _reason(self, error: CommanderError, completed: int) -> str:
        if error.cause is not Cause.TIME:
            return str(error)
        left = ", ".join(f"{i} {type(s).__name__.lower()}" for i, s in enumerate(self._steps) if i >= completed)
        return f"{error}. Steps left: {left}"

    def _failure(self, index: int, phase: Phase, error: CommanderError, delivery: Delivery, completed: int) -> Failure:
        return Failure(
            index,
            phase,
            error.cause,
            self._reason(error, completed),
            error.frontmost or (self._frontmost() if index >= 0 else None),
            delivery.delivered,
            delivery.of,
            delivery.sent or phase == "after",
        )

    def _frontmost(self) -> App | None:
        """Best effort, for the one who has to go on from here."""
        try:
            return self._desktop.frontmost()
        except CommanderError:
            return None

    def _outcome(self, target: App | None, completed: int, failure: Failure | None) -> Outcome:
        touched = completed > 0 or any(delivery.sent for delivery in self._deliveries)
        capped = any(isinstance(s, Wait) and s.capped for s in self._steps)
        if capped:
            self._notes.append(f"a wait was cut to {WAIT_MS_MOST} ms, the longest there is")
        seen = self._changes(target) if touched else None
        secret = frozenset(i for i, delivery in enumerate(self._deliveries) if delivery.secret)
        return Outcome(len(self._steps), completed, target, failure, seen, tuple(self._notes), secret)

    def _changes(self, target: App | None) -> tuple[str, ...] | None:
        """What differs in the target since its last listing. Best effort: the batch has ended, however this ends."""
        before = self.session.remembered(target) if target else None
        if before is None or self.session.stop.requested:
            return None
        limits = Limits(seconds=max(self._settle_seconds, CHANGES_SECONDS_LEAST))
        try:
            now = self.session.look(before.app, limits)
        except CommanderError:
            return None
        if not now.complete:
            self._notes.append("what changed could not be read in the settle time: look with see")
            return None
        self.session.remember(now)
        return tuple(bounded(changes(before, now)))


class _Hands:
    """What one step may send with: see `hands.Hands`. Made with the proof that the step may start."""

    def __init__(self, batch: Batch, target: App, delivery: Delivery, *, types: bool) -> None:
        self.session = batch.session
        self.target = target
        self.delivery = delivery
        self._batch = batch
        self._desktop = batch.session.desktop
        window = batch.prove(target, "before").focus_window
        self._window = window if types else None

    def deliver(self, group: Group) -> None:
        try:
            self._desktop.deliver(group, self.target, lambda seen: self._judge(group, seen))
        except (Refused, Unsupported, Stopped):
            raise  # nothing of the group was sent
        except CommanderError:
            self.delivery.sent = True
            raise
        self.delivery.sent = True

    def _judge(self, group: Group, seen: Evidence) -> None:
        self.session.stop.check()  # here, where nothing comes between this and the sending
        if isinstance(group, get_args(PointerGroup)):
            guard.refuse_corners(group.at, self._batch.screens)
        phase: Phase = "during" if self.delivery.sent else "before"
        guard.judge(self.target, seen, group, phase, self._window)
        policy = self.session.policy
        policy.refuse_input(seen.frontmost or self.target, self.target.name)
        if seen.drawn_by is not None:
            policy.refuse_input(seen.drawn_by, seen.drawn_by.name)

    def prove_point(self, group: PointerGroup, at: Point) -> None:
        self._judge(group, self._desktop.evidence(at))

    def watch(self, seconds: float) -> None:
        self._batch.watch(self.target, seconds, "during")

    def prove(self) -> None:
        self._batch.prove(self.target, "during")

    def anchor(self) -> None:
        self._window = self._batch.prove(self.target, "during").focus_window


_LOOKS_LIKE_AN_END = frozenset({Cause.GONE, Cause.FOCUS, Cause.HUNG, Cause.DIALOG})
"""How the end of a target shows: its process, its front or its answer is missing."""


def _opens_nothing(step: Step) -> bool:
    """Whether it opens no window in any app, so that a new one came by itself. Text does that with Return alone."""
    if isinstance(step, Type):
        return not step.submit and "\n" not in step.text
    return isinstance(step, Wait | Scroll | Hover | Set)


def _is_dialog(window: Window) -> bool:
    return window.kind in (WindowKind.DIALOG, WindowKind.SHEET)
