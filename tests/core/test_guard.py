from __future__ import annotations

from dataclasses import replace

import pytest

from mac_commander.core.guard import Phase, judge, nobody_asks, point_in_target, refuse_corners
from mac_commander.errors import Cause, Refused
from mac_commander.events import (
    ClickAt,
    DragEnd,
    Evidence,
    Group,
    MovePointer,
    Owner,
    PressChord,
    PressElement,
    ScrollAt,
    TypeText,
)
from mac_commander.model import App, Chord, Modifier, Point, Rect, Screen, Window

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
EDITOR_AGAIN = App(412, 2.0, "TextEdit", "com.apple.TextEdit")
CHAT = App(99, 1.0, "Claude", "com.anthropic.claude")
AGENT = App(77, 1.0, "SecurityAgent", "com.apple.SecurityAgent")

GOOD = Evidence(EDITOR, Owner(412, EDITOR), focus_window=5, point=Owner(412, EDITOR))
KEYS: list[Group] = [TypeText("x"), PressChord(Chord(frozenset(), "a"))]
POINTS: list[Group] = [
    ClickAt(Point(1, 1)),
    ScrollAt(Point(1, 1), 0, 40),
    MovePointer(Point(1, 1)),
    DragEnd(Point(1, 1)),
]
SEMANTIC: list[Group] = [PressElement("k")]
ALL: list[Group | None] = [None, *KEYS, *POINTS, *SEMANTIC]


def refusal(seen: Evidence, group: Group | None, phase: Phase = "during", window: int | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        judge(EDITOR, seen, group, phase, window)
    return caught.value


@pytest.mark.parametrize("group", ALL)
def test_good_evidence_allows(group: Group | None) -> None:
    judge(EDITOR, GOOD, group, "during", 5)


@pytest.mark.parametrize("group", ALL)
def test_another_app_in_front_refuses_everything_in_the_missions_words(group: Group | None) -> None:
    seen = replace(GOOD, frontmost=CHAT)
    error = refusal(seen, group, "before")
    assert str(error) == "focus lost before step: expected TextEdit, Claude is frontmost"
    assert (error.cause, error.frontmost) == (Cause.FOCUS, CHAT)


@pytest.mark.parametrize("group", ALL)
def test_an_unknown_front_refuses_everything(group: Group | None) -> None:
    error = refusal(replace(GOOD, frontmost=None, disagreement="AX says Claude, the window list TextEdit"), group)
    assert "AX says Claude" in str(error)
    assert error.cause is Cause.FOCUS


@pytest.mark.parametrize("group", ALL)
def test_a_target_that_hangs_is_told_as_that(group: Group | None) -> None:
    refused = refusal(replace(GOOD, frontmost=None, focus=None, hung=EDITOR), group, "after")
    assert refused.cause is Cause.HUNG
    assert "does not answer after step" in str(refused)
    assert refused.frontmost == EDITOR


@pytest.mark.parametrize("hung", [CHAT, EDITOR_AGAIN])
def test_another_app_that_hangs_is_a_lost_focus(hung: App) -> None:
    refused = refusal(replace(GOOD, frontmost=None, hung=hung), None)
    assert refused.cause is Cause.FOCUS


@pytest.mark.parametrize("group", ALL)
def test_a_reused_pid_is_another_app(group: Group | None) -> None:
    assert refusal(replace(GOOD, frontmost=EDITOR_AGAIN), group).cause is Cause.FOCUS


@pytest.mark.parametrize("group", ALL)
def test_a_system_dialog_in_front_is_the_users_to_answer(group: Group | None) -> None:
    error = refusal(replace(GOOD, frontmost=AGENT), group)
    assert error.cause is Cause.DIALOG
    assert "only the user" in str(error)


@pytest.mark.parametrize("group", ALL)
@pytest.mark.parametrize(
    ("kind", "word"), [("key", "key"), ("mouse", "mouse"), ("escape", "Escape"), ("pen", "controls")]
)
def test_the_human_wins(group: Group | None, kind: str, word: str) -> None:
    error = refusal(replace(GOOD, human=kind), group)
    assert error.cause is Cause.HUMAN
    assert word in str(error)


@pytest.mark.parametrize("group", ALL)
def test_a_locked_session_refuses(group: Group | None) -> None:
    assert "locked" in str(refusal(replace(GOOD, locked=True), group))


@pytest.mark.parametrize("group", [None, *KEYS])
def test_keys_need_a_known_focus(group: Group | None) -> None:
    assert refusal(replace(GOOD, focus=None), group).cause is Cause.FOCUS


@pytest.mark.parametrize("group", [None, *KEYS])
def test_keys_need_the_targets_focus(group: Group | None) -> None:
    error = refusal(replace(GOOD, focus=Owner(99, CHAT)), group)
    assert (error.cause, error.frontmost) == (Cause.DIALOG, CHAT)


@pytest.mark.parametrize("group", KEYS)
@pytest.mark.parametrize(
    "change",
    [
        {"keyboard_grabbed": True},
        {"hotkey": True},
        {"secure_input": Owner(5)},
        {"modifiers_held": frozenset({Modifier.CMD})},
        {"focus_window": 6},
    ],
)
def test_keys_need_a_free_keyboard(group: Group, change: dict[str, object]) -> None:
    refusal(replace(GOOD, **change), group, window=5)  # type: ignore[arg-type]


@pytest.mark.parametrize("group", POINTS)
@pytest.mark.parametrize(
    "change",
    [
        {"point": None},
        {"point": Owner(99, CHAT)},
        {"point": Owner(1000)},
        {"pointer_grabbed": True},
        {"modifiers_held": frozenset({Modifier.SHIFT})},
        {"replayed": "Xfwm4"},
    ],
)
def test_points_need_the_targets_window_and_a_free_mouse(group: Group, change: dict[str, object]) -> None:
    refusal(replace(GOOD, **change), group)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("owner", "named"), [(Owner(99, CHAT), "Claude (com.anthropic.claude, pid 99)"), (Owner(1000), "pid 1000")]
)
def test_who_has_the_place_instead_is_named(owner: Owner, named: str) -> None:
    assert f"covered by a window of {named} during step" in str(refusal(replace(GOOD, point=owner), POINTS[0]))
    assert f"a window of {named} has the keyboard" in str(refusal(replace(GOOD, focus=owner), KEYS[0]))


def test_a_press_needs_no_focus_and_no_point() -> None:
    judge(EDITOR, replace(GOOD, focus=None, point=None), PressElement("k"), "during")


def test_an_xy_outside_every_window_is_refused_with_what_there_is() -> None:
    window = Window(1, 412, "Untitled", Rect(-1900, -200, 640, 480))
    point_in_target(Point(-1900, -200), [window], EDITOR)
    for outside in (Point(-1901, -200), Point(-1260, 0), Point(0, 0)):
        with pytest.raises(Refused, match=r"outside every window of TextEdit \(-1900,-200 size 640x480\)"):
            point_in_target(outside, [window], EDITOR)
    with pytest.raises(Refused, match="it shows none"):
        point_in_target(Point(-1900, -200), [replace(window, minimised=True)], EDITOR)


@pytest.mark.parametrize(("window", "seen"), [(None, 5), (5, None), (5, 5), (None, None)])
def test_only_a_window_known_to_be_another_one_refuses(window: int | None, seen: int | None) -> None:
    judge(EDITOR, replace(GOOD, focus_window=seen), TypeText("x"), "during", window)


def test_a_question_of_the_target_itself_is_no_other() -> None:
    agent = App(7, 1.0, "SecurityAgent")
    shown = [Window(1, 7, "", Rect(0, 0, 9, 9))]
    nobody_asks(agent, [agent], shown, "before")
    nobody_asks(App(1, 1.0, "x"), [agent], [], "before")
    nobody_asks(App(1, 1.0, "x"), [App(7, 1.0, "Dock")], shown, "before")
    with pytest.raises(Refused) as caught:
        nobody_asks(App(1, 1.0, "x"), [agent], shown, "before")
    assert caught.value.cause is Cause.DIALOG


@pytest.mark.parametrize("at", [(0, 0), (1439, 0), (2, 897), (1440, 900), (4, 4)])
def test_corners_are_refused(at: tuple[float, float]) -> None:
    with pytest.raises(Refused, match="corner"):
        refuse_corners(Point(*at), [Screen(Rect(0, 0, 1440, 900))])


@pytest.mark.parametrize("at", [(0, 450), (5, 5), (720, 0), (1435, 450), (720, 899)])
def test_edges_are_not(at: tuple[float, float]) -> None:
    refuse_corners(Point(*at), [Screen(Rect(0, 0, 1440, 900))])
