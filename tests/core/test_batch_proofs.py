"""Each proof of a batch by itself: what it stops that no other proof would have stopped, by the journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mac_commander.events import Evidence
from simulated_mac import scene as scenes
from simulated_mac.then import Schedule
from tests.core.test_batch import BUTTON, Open, Stage, failed
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, window

TYPE = {"kind": "type", "text": "x"}
KEY = {"kind": "key", "combo": "right"}
LONG = {"kind": "type", "text": "x" * 90}
POPPED = {"title": "New", "bounds": [300, 200, 300, 200], "elements": []}


def at_line(there: Stage, event: str, deed: Callable[[], object]) -> None:
    """The deed happens right after the first journal line of that event from now on."""
    journal = there.scene.machine.journal
    write, done = journal.write, list[bool]()

    def heard(name: str, receiver: str, fields: dict[str, Any]) -> int:
        line = write(name, receiver, fields)
        if name == event and not done:
            done.append(True)
            deed()
        return line

    journal.write = heard  # type: ignore[method-assign]


def after_lines(there: Stage, lines: int, **deed: Any) -> None:
    machine = there.scene.machine
    machine.schedule = Schedule([{"after_events": len(machine.journal.lines) + lines, **deed}])


# --- what is refused before anything --------------------------------------------------------------------------


def test_a_blocked_name_is_refused_that_nothing_on_this_machine_has(stage: Open) -> None:
    there = stage()
    step = failed(there.act(TYPE, target="com.1password.nowhere"))
    assert step["reason"].startswith("com.1password.nowhere is on the user's input blocklist")


def test_each_step_is_announced_before_it_is_done(stage: Open) -> None:
    there = stage()
    told: list[tuple[int, int, str, int]] = []
    events = there.scene.machine.journal.lines
    there.session.progress = lambda done, total, word: told.append((done, total, word, len(events)))
    there.act(TYPE, KEY)
    assert [t[:3] for t in told] == [(0, 2, "type"), (1, 2, "key")]
    assert told[0][3] < told[1][3]


# --- where it went wrong ----------------------------------------------------------------------------------------


def test_what_failed_with_nothing_sent_failed_before(stage: Open) -> None:
    step = failed(stage().act({"kind": "click", "xy": [5, 5]}))
    assert (step["phase"], step["retry"]) == ("before", "safe")


def test_what_failed_after_a_step_that_sends_nothing_failed_after(stage: Open) -> None:
    there = stage()
    there.later(1100, do="activate", app="Chat")
    step = failed(there.act({"kind": "wait", "ms": 500}, settle_ms=3000))
    assert (step["phase"], step["cause"], step["retry"]) == ("after", "focus", "unsafe")


def test_a_failure_between_two_groups_is_told_as_during(stage: Open) -> None:
    there = stage()
    after_lines(there, 2, do="human_key", text="q")
    step = failed(there.act(LONG))
    assert step["reason"].startswith("stopped during step: the user pressed a key")
    assert step["phase"] == "during"


def test_the_end_of_the_target_is_told_as_its_end(stage: Open) -> None:
    there = stage()
    after_lines(there, 2, do="die", app="TextEdit")
    step = failed(there.act(KEY, TYPE))
    assert (step["cause"], step["index"], step["phase"]) == ("gone", 0, "after")


def test_a_dead_target_is_not_asked_whether_it_took_its_input(stage: Open) -> None:
    there = stage()
    desktop = there.scene.desktop
    desktop.barrier = lambda target, _: desktop.is_running(target)  # type: ignore[method-assign]
    after_lines(there, 2, do="die", app="TextEdit")
    assert failed(there.act(KEY, TYPE))["cause"] == "gone"


def test_a_person_at_the_end_is_told_also_when_the_last_window_closed(stage: Open) -> None:
    there = stage({**TEXTEDIT, "windows": [window({**BUTTON, "closes": True})]}, CHAT)
    at_line(there, "press", lambda: scenes.perform(there.scene.machine, {"do": "human_key", "text": "q"}))
    step = failed(there.act({"kind": "click", "ref": there.ref("Save")}))
    assert (step["cause"], step["phase"]) == ("human", "after")


# --- what changed -----------------------------------------------------------------------------------------------


def test_each_call_tells_what_it_changed_and_no_more(stage: Open) -> None:
    there = stage()
    there.see(app="TextEdit")
    first, second = there.act(TYPE), there.act({"kind": "wait", "ms": 1})
    assert any('"x"' in line for line in first["changes"])
    assert second["changes"] == []
    assert "notes" not in first
    assert "notes" not in second


def test_what_came_of_half_a_step_is_told_too(stage: Open) -> None:
    there = stage()
    there.see(app="TextEdit")
    after_lines(there, 2, do="human_hold", modifier="cmd")
    outcome = there.act(LONG)
    assert failed(outcome)["phase"] == "during"
    assert any("xxx" in line for line in outcome["changes"])


def test_what_a_wait_saw_come_is_told(stage: Open) -> None:
    there = stage()
    there.see(app="TextEdit")
    there.later(100, do="set_title", app="TextEdit", window=0, element=1, title="Saved")
    assert any("Saved" in line for line in there.act({"kind": "wait", "ms": 300})["changes"])


def test_a_call_that_sent_nothing_does_not_look_again(stage: Open) -> None:
    there = stage()
    there.see(app="TextEdit")
    assert "changes" not in there.act({"kind": "click", "xy": [5, 5]})


def test_a_cancelled_call_does_not_stay_to_look(stage: Open) -> None:
    there = stage()
    there.see(app="TextEdit")
    at_line(there, "key_up", lambda: there.stop.request("the client cancelled the call"))
    outcome = there.act(TYPE)
    assert failed(outcome)["cause"] == "cancelled"
    assert "changes" not in outcome


def test_what_could_not_be_read_whole_is_not_compared(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage()
    there.see(app="TextEdit")
    whole = there.scene.desktop.snapshot
    monkeypatch.setattr(there.scene.desktop, "snapshot", lambda *given: replace(whole(*given), complete=False))
    outcome = there.act(TYPE)
    assert "changes" not in outcome
    assert outcome["notes"] == ["what changed could not be read in the settle time: look with see"]


# --- cancelling -------------------------------------------------------------------------------------------------


def test_a_cancelled_text_stops_with_its_group(stage: Open) -> None:
    there = stage()
    at_line(there, "key_up", lambda: there.stop.request("the client cancelled the call"))
    assert failed(there.act(LONG))["cause"] == "cancelled"
    assert len(there.typed()) <= 20


def test_a_call_cancelled_in_its_last_step_is_told_as_cancelled(stage: Open) -> None:
    there = stage()
    at_line(there, "key_up", lambda: there.stop.request("the client cancelled the call"))
    assert failed(there.act(KEY))["cause"] == "cancelled"


# --- what comes while it runs -----------------------------------------------------------------------------------


def test_a_wait_is_watched_and_not_only_its_end(stage: Open) -> None:
    there = stage()
    begun = there.scene.machine.journal.milliseconds
    there.later(500, do="human_key", text="q")
    assert failed(there.act({"kind": "wait", "ms": 9000}))["cause"] == "human"
    assert there.scene.machine.journal.milliseconds - begun < 2000


def test_the_settle_time_passes_after_each_step(stage: Open) -> None:
    there = stage()
    assert there.act(KEY, KEY, settle_ms=700)["ok"] is True
    first, second = (e["ms"] for e in there.scene.events("key_down"))
    assert second - first >= 700


def test_windows_that_were_there_are_no_surprise(stage: Open) -> None:
    assert stage().act({"kind": "wait", "ms": 1}, TYPE)["ok"] is True


def test_a_menu_or_tooltip_that_opens_is_none_either(stage: Open) -> None:
    there = stage()
    there.later(300, do="open_window", app="TextEdit", window={**POPPED, "layer": 101})
    outcome = there.act({"kind": "wait", "ms": 900}, KEY)
    assert outcome["ok"] is True, outcome


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "human_hold", "modifier": "cmd"},
        {"do": "secure_input", "app": "Chat"},
        {"do": "open_window", "app": "TextEdit", "window": {**POPPED, "elements": [
            {"role": "AXTextField", "bounds": [310, 210, 90, 20], "value": "", "focused": True}]}},
    ],
)  # fmt: skip
def test_what_comes_in_mid_text_stops_the_next_group(stage: Open, deed: dict[str, Any]) -> None:
    there = stage()
    after_lines(there, 2, **deed)
    step = failed(there.act(LONG))
    assert step["phase"] == "during"
    assert 0 < step["delivered"] <= 40
    assert len(there.typed()) <= 40


def test_a_target_that_takes_a_blocked_name_gets_no_more(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage()
    deliver = there.scene.desktop.deliver

    def renamed(group: Any, target: Any, judge: Callable[[Evidence], None]) -> None:
        def told(seen: Evidence) -> None:
            assert seen.frontmost is not None
            judge(replace(seen, frontmost=replace(seen.frontmost, name="1Password")))

        deliver(group, target, told)

    monkeypatch.setattr(there.scene.desktop, "deliver", renamed)
    assert "blocklist" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


# --- what has the keyboard is not told --------------------------------------------------------------------------

SECRET = {"role": "AXTextField", "subrole": "AXSecureTextField", "title": "P", "bounds": [110, 460, 200, 20]}
NOTES = {"role": "AXTextArea", "title": "Text", "bounds": [100, 120, 640, 300], "value": ""}
UNTOLD = [
    {"call": "AXUIElementCopyAttributeValue", "attribute": "AXFocusedUIElement", "app": "TextEdit", "code": -25212}
]


def untold(stage: Open, *elements: dict[str, Any]) -> Stage:
    return stage({**TEXTEDIT, "windows": [window(*elements)]}, CHAT, faults=UNTOLD)


def test_an_app_that_does_not_tell_its_field_may_hold_a_secret_where_it_shows_one(stage: Open) -> None:
    there = untold(stage, NOTES, SECRET)
    for step in (TYPE, {"kind": "key", "combo": "a"}):
        reason = failed(there.act(step))["reason"]
        assert "does not tell which field has the keyboard, and shows a password field" in reason
    assert there.received() == []
    assert there.act(KEY)["ok"] is True


def test_the_named_field_may_tell_it_itself(stage: Open) -> None:
    there = untold(stage, {**NOTES, "focused": True}, SECRET)
    assert there.act({**TYPE, "ref": there.ref("Text")})["ok"] is True
    assert there.typed() == "x"


def test_a_named_field_that_loses_the_keyboard_gets_no_more(stage: Open) -> None:
    there = untold(stage, {**NOTES, "focused": True}, SECRET)
    shown = there.scene.machine.app_named("TextEdit").windows[0]
    ref = there.ref("Text")

    def move_on() -> None:
        shown.focus = shown.children[1]

    at_line(there, "key_up", move_on)
    assert "shows a password field" in failed(there.act({**LONG, "ref": ref}))["reason"]
    assert len(there.typed()) <= 20


def test_a_lost_front_is_the_better_reason_not_to_type(stage: Open) -> None:
    there = untold(stage, NOTES, SECRET)

    def types_secretly(_: object) -> None:
        scenes.perform(there.scene.machine, {"do": "activate", "app": "Chat"})

    there.scene.desktop.types_secretly = types_secretly  # type: ignore[method-assign, assignment]
    assert failed(there.act(TYPE))["reason"].startswith("focus lost before step: expected TextEdit, Chat is")
    assert there.received() == there.received("Chat") == []


def test_one_that_shows_none_is_typed_into(stage: Open) -> None:
    assert untold(stage, NOTES).act(TYPE)["ok"] is True
    assert untold(stage).act(TYPE)["ok"] is True


def test_one_that_cannot_be_read_whole_is_not(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = untold(stage, NOTES)
    whole = there.scene.desktop.snapshot
    monkeypatch.setattr(there.scene.desktop, "snapshot", lambda *given: replace(whole(*given), complete=False))
    assert "could not be read whole" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_who_allows_typing_passwords_is_not_asked_where(stage: Open) -> None:
    there = untold(stage, NOTES, SECRET)
    there.session.config = replace(there.session.config, allow_secure_typing=True)
    assert there.act(TYPE)["ok"] is True
