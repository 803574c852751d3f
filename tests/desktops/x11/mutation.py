"""Each of X11's proofs taken away, one at a time: a test on real windows must fail for each.

``python -m tests.desktops.x11.mutation [NAME …]`` says how many of how many were noticed. As a plugin of pytest
(``MUTANT`` in the environment) it takes one away.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from Xlib.error import CatchError

from mac_commander.desktops.x11 import delivery, desktop, evidence, grab, keymap, passive_grabs, raw_input, spare_keys
from mac_commander.events import Evidence

HERE = "tests/desktops/x11"
SECONDS = 240
PLUGIN = "tests.desktops.x11.mutation"


@dataclass(frozen=True)
class Mutant:
    """``take_away`` does it; ``test`` must fail then."""

    take_away: Callable[[], None]
    test: str


def _put(owner: Any, name: str, value: Any) -> Callable[[], None]:
    assert hasattr(owner, name), f"{owner} has no {name} to take away"
    return lambda: setattr(owner, name, value)


@contextmanager
def _ungrabbed(_: object) -> Iterator[None]:
    yield


def _focus_is_anyones() -> None:
    real = evidence.Witness._owners

    def owners(witness: evidence.Witness, focus: int, active: int, manager: int) -> tuple[int, int, bool]:
        _, active_owner, managed = real(witness, focus, active, manager)
        return active_owner, active_owner, managed

    evidence.Witness._owners = owners  # type: ignore[method-assign]


def _point_is_anyones() -> None:
    real = evidence.judged

    def judged(*arguments: Any) -> Evidence:
        seen = real(*arguments)
        return replace(seen, point=seen.point and seen.focus)

    delivery.judged = judged  # type: ignore[attr-defined]


MUTANTS = {
    "the server is held": Mutant(
        _put(grab.ServerGrab, "held", _ungrabbed),
        "test_guard.py::test_no_key_lands_in_a_thief[focus]",
    ),
    "owner of the focus": Mutant(
        _focus_is_anyones,
        "test_guard.py::test_no_key_lands_in_a_thief[focus]",
    ),
    "keyboard grab": Mutant(
        _put(evidence, "_is_grabbed", lambda _: False),
        "test_guard.py::test_a_held_keyboard_is_seen_and_said",
    ),
    "mouse grab": Mutant(
        _put(evidence, "_is_grabbed", lambda _: False),
        "test_guard.py::test_a_held_mouse_is_seen_and_said",
    ),
    "hotkeys, core": Mutant(
        _put(passive_grabs.PassiveGrabs, "_try_key", lambda *_: CatchError()),
        "test_guard.py::test_a_global_hotkey_is_not_pressed[core]",
    ),
    "hotkeys, XInput 2": Mutant(
        _put(passive_grabs, "_refused", lambda _: False),
        "test_guard.py::test_a_global_hotkey_is_not_pressed[xi2]",
    ),
    "hotkeys in text": Mutant(
        _put(delivery.Delivery, "_types_hotkey", lambda *_: False),
        "test_guard.py::test_text_with_a_key_that_is_a_hotkey_is_not_typed",
    ),
    "held modifiers": Mutant(
        _put(keymap.Keymap, "held", lambda *_: frozenset()),
        "test_guard.py::test_a_persons_held_modifier_stops_text_and_clicks",
    ),
    "the human": Mutant(
        _put(raw_input.HumanWatch, "_note", lambda *_: None),
        "test_guard.py::test_a_person_stops_the_batch_and_our_own_events_do_not",
    ),
    "owner of the point": Mutant(
        _point_is_anyones,
        "test_pointer.py::test_a_covered_point_is_refused",
    ),
    "replayed clicks": Mutant(
        _put(passive_grabs.PassiveGrabs, "buttons", lambda *_: frozenset()),
        "test_pointer.py::test_window_managers_that_replay_a_press",
    ),
    "the shield": Mutant(
        _put(evidence.Sight, "shield", False),
        "test_pointer.py::test_window_managers_that_replay_a_press[openbox]",
    ),
    "barrier not answered": Mutant(
        _put(delivery.Delivery, "_keys_taken", lambda *_: None),
        "test_typing.py::test_a_target_that_hangs_stops_the_text_instead_of_spoiling_it",
    ),
    "keys proven before they are lent anew": Mutant(
        _put(spare_keys.Loan, "unproven", property(lambda _: False, lambda *_: None)),
        "test_typing.py::test_a_slow_target_is_waited_for",
    ),
    "a password field has the keyboard": Mutant(
        _put(desktop.X11Desktop, "types_secretly", lambda *_: False),
        "test_password_fields.py",
    ),
    "who lies inside the focus": Mutant(
        _put(evidence.Witness, "_inside", lambda *_: []),
        "test_strangers.py::test_keys_do_not_go_to_an_embedded_window_below_the_pointer",
    ),
    "grabs on the target's own window": Mutant(
        _put(passive_grabs.PassiveGrabs, "_passed", lambda grabs, *_: [grabs._x.root]),
        "test_strangers.py::test_a_key_that_a_stranger_waits_for_on_the_targets_window_is_not_pressed",
    ),
    "a menu that is covered holds no grab": Mutant(
        _put(evidence.Witness, "_is_on_top", lambda *_: True),
        "test_strangers.py::test_a_grab_is_not_a_menus_own_when_something_covers_it",
    ),
    "saved screen": Mutant(
        _put(evidence, "_saves", lambda _: False),
        "test_guard.py::test_a_saved_screen_is_a_locked_one",
    ),
    "the keyboard's own map": Mutant(
        _put(delivery.Delivery, "_take_keyboard", lambda _: None),
        "test_typing.py::test_a_persons_keyboard_with_a_layout_of_its_own_changes_nothing",
    ),
    "keys left by the dead": Mutant(
        _put(spare_keys.SpareKeys, "take_back_leftovers", lambda _: None),
        "test_typing.py::test_what_a_killed_predecessor_lent_is_taken_back",
    ),
}


def pytest_configure() -> None:
    MUTANTS[os.environ["MUTANT"]].take_away()


def noticed(name: str) -> bool:
    """Whether the test fails; one that cannot run at all does not count."""
    argv = [sys.executable, "-m", "pytest", "-q", "-p", PLUGIN, "-p", "no:cacheprovider"]
    argv += ["--tb=no", f"{HERE}/{MUTANTS[name].test}"]
    found = subprocess.run(argv, env=os.environ | {"MUTANT": name}, capture_output=True, text=True, timeout=SECONDS)
    return found.returncode == 1 and " failed" in found.stdout


def main(names: list[str]) -> int:
    left = [name for name in names if not _told(name)]
    print(f"{len(names) - len(left)} of {len(names)} noticed")
    return bool(left)


def _told(name: str) -> bool:
    found = noticed(name)
    print(f"{'noticed' if found else 'NOT noticed'}: {name}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(MUTANTS)))
