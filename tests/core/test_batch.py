"""`act` as a whole on the simulated Mac: what the journal says arrived, and what the outcome says of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core import stop as stop_module
from mac_commander.core.config import Config
from mac_commander.core.keyboard_lock import keyboard_lock
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.tools.act import ACT
from mac_commander.tools.see import SEE
from simulated_mac.then import Schedule
from tests.attack.clock import Clock
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, app, raise_scene, window, world

INPUT = ("key_down", "mouse_down", "mouse_up", "mouse_drag", "scroll", "press", "set_value")
FIELD = {"role": "AXTextArea", "title": "Text", "bounds": [100, 120, 640, 300], "value": "", "focused": True}
BUTTON = {"role": "AXButton", "title": "Save", "bounds": [660, 90, 60, 24]}


class Stage:
    """A session on one simulated Mac, called as the tools are."""

    def __init__(self, scene: Scene, home: Path, **config: Any) -> None:
        self.scene = scene
        self.stop = Stop()
        self.logged = ""
        """How the audit line tells the last batch."""
        self.session = Session(scene.desktop, replace(Config(home), **config), self.stop)

    def act(self, *steps: dict[str, Any], target: str = "TextEdit", settle_ms: int = 0) -> dict[str, Any]:
        from mac_commander.core.arguments import check

        self.stop.begin()
        given = {"target": target, "steps": list(steps), "settle_ms": settle_ms}
        reply = ACT.handler(self.session, check(ACT.params, given))
        self.logged = reply.summary or ACT.summarise(given)[1]
        outcome: dict[str, Any] = json.loads(reply.text)
        return outcome

    def see(self, **arguments: Any) -> str:
        from mac_commander.core.arguments import check

        self.stop.begin()
        return SEE.handler(self.session, check(SEE.params, arguments)).text

    def ref(self, label: str) -> str:
        line = next(line for line in self.see(app="TextEdit").splitlines() if f'"{label}"' in line)
        return line.split("[")[1].split("]")[0]

    def later(self, ms: int, **deed: Any) -> None:
        """The deed happens so many milliseconds from now."""
        machine = self.scene.machine
        machine.schedule = Schedule([{"after_ms": machine.journal.milliseconds + ms, **deed}])

    def received(self, name: str = "TextEdit") -> list[str]:
        return [e["event"] for e in self.scene.events(*INPUT) if e["app"] == name]

    def typed(self, name: str = "TextEdit") -> str:
        return "".join(e.get("text") or "" for e in self.scene.events("key_down") if e["app"] == name)


Open = Callable[..., Stage]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Time is the simulation's own: what must end early is told from what is waited out, on a busy machine too."""
    opened, clock = list[Scene](), Clock()

    def make(*apps: dict[str, Any], config: dict[str, Any] | None = None, **more: Any) -> Stage:
        clock.keep(monkeypatch)
        opened.append(raise_scene(tmp_path, world(*apps, **more)))
        clock.keep(monkeypatch)
        return Stage(opened[-1], tmp_path, **(config or {}))

    yield make
    for scene in opened:
        scene.desktop.close()
        scene.machine.close()


def failed(outcome: dict[str, Any]) -> dict[str, Any]:
    assert outcome["ok"] is False
    step: dict[str, Any] = outcome["failed_step"]
    return step


def test_the_missions_batch(stage: Open) -> None:
    there = stage()
    ref = there.ref("Text")
    outcome = there.act(
        {"kind": "click", "ref": ref},
        {"kind": "type", "text": "Ligne — \"était\" 'ok' 🙂"},
        {"kind": "key", "combo": "cmd+a"},
        {"kind": "key", "combo": "cmd+c"},
    )
    assert outcome["ok"] is True
    assert outcome["steps_completed"] == 4
    assert outcome["target"] == {"name": "TextEdit", "pid": 5_000_412}
    assert any("Ligne — " in line for line in outcome["changes"])
    assert there.scene.value() == "Ligne — \"était\" 'ok' 🙂"
    assert there.scene.machine.pasteboard.text == "Ligne — \"était\" 'ok' 🙂"


def test_a_theft_between_two_steps_is_told_in_the_missions_words(stage: Open) -> None:
    there = stage(then=[{"after_events": 2, "do": "activate", "app": "Chat"}])
    outcome = there.act({"kind": "type", "text": "a"}, {"kind": "type", "text": "b"}, {"kind": "type", "text": "c"})
    step = failed(outcome)
    assert step["cause"] == "focus"
    assert step["reason"] == "focus lost after step: expected TextEdit, Chat is frontmost"
    assert step["frontmost"] == {"name": "Chat", "pid": 5_000_099}
    assert (step["index"], outcome["steps_completed"], step["retry"]) == (0, 1, "unsafe")
    assert there.received("Chat") == []


def test_a_long_text_stops_within_one_group_and_counts_what_went_out(stage: Open) -> None:
    there = stage(then=[{"after_events": 4, "do": "activate", "app": "Chat"}])
    step = failed(there.act({"kind": "type", "text": "x" * 200}))
    assert (step["phase"], step["cause"], step["of"], step["retry"]) == ("during", "focus", 200, "unsafe")
    assert step["delivered"] == len(there.typed())
    assert 0 < step["delivered"] <= 60
    assert len(there.typed("Chat")) <= 20


def test_nothing_is_sent_when_step_57_of_60_is_wrong(stage: Open) -> None:
    there = stage()
    steps: list[dict[str, Any]] = [{"kind": "type", "text": "x"}] * 60
    steps[57] = {"kind": "key", "combo": "cmd+space"}
    step = failed(there.act(*steps))
    assert (step["index"], step["cause"], step["retry"]) == (-1, "refused", "safe")
    assert "steps[57]" in step["reason"]
    assert there.received() == []


@pytest.mark.parametrize("running", [True, False])
def test_a_blocked_app_is_refused_in_the_same_words_running_or_not(stage: Open, running: bool) -> None:
    vault = app(CHAT, name="1Password", bundle_id="com.1password.1password", running=running)
    there = stage(TEXTEDIT, vault)
    for name in ("1Password", "com.1password.1password", "１Ｐａｓｓｗｏｒｄ"):
        step = failed(there.act({"kind": "type", "text": "x"}, target=name))
        assert step["cause"] == "refused"
        assert step["reason"].startswith(f"{name} is on the user's input blocklist")
    assert there.received("1Password") == []
    assert [e["event"] for e in there.scene.events("activate")] == []


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("locale", ["fr", "en"])
def test_a_localised_name_is_blocked_by_its_id(stage: Open, running: bool, locale: str) -> None:
    names = {"fr": "Réglages Système", "de": "Systemeinstellungen"}
    settings = app(CHAT, name="Settings", names=names, bundle_id="com.apple.systempreferences", running=running)
    there = stage(TEXTEDIT, settings, locale=locale)
    for name in ("Settings", *names.values()):
        step = failed(there.act({"kind": "type", "text": "x"}, target=name))
        assert step["reason"].startswith(f"{name} is on the user's input blocklist")
    assert there.received("Settings") == []


SHEET = {"role": "AXSheet", "title": "Sure?", "bounds": [200, 200, 200, 100], "children": [
    {"role": "AXTextField", "title": "Why", "bounds": [210, 220, 100, 20], "value": ""}]}  # fmt: skip


def test_a_sheet_that_is_an_element_of_its_window_stops_a_batch_too(stage: Open) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD, BUTTON)]))
    deed = {"do": "replace", "app": "TextEdit", "window": 0, "element": 1, "with": SHEET}
    there.scene.machine.schedule = Schedule([{"after_events": 1, **deed}])
    step = failed(there.act({"kind": "type", "text": "ab"}, {"kind": "key", "combo": "return"}))
    assert (step["cause"], step["phase"], step["index"]) == ("dialog", "after", 0)
    assert there.typed() == "ab"
    seen = there.see(app="TextEdit")
    assert 'value="ab"' in seen, "the key had reached the window's own field"
    assert 'sheet "Sure?" main at 200,200' in seen


def test_a_field_in_a_sheet_is_clicked_and_typed_into(stage: Open) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD, SHEET)]))
    field = there.ref("Why")
    assert there.act({"kind": "click", "ref": field}, {"kind": "type", "text": "because"})["ok"] is True
    assert 'textfield "Why" [' in there.see(app="TextEdit")
    assert 'value="because"' in there.see(app="TextEdit", find="Why")


@pytest.mark.parametrize(
    ("text", "submit", "goes_on"), [("ab", False, False), ("ab\n", False, True), ("ab", True, True)]
)
def test_a_window_that_opens_while_text_is_typed_came_by_itself(
    stage: Open, text: str, submit: bool, goes_on: bool
) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD)]))
    opened = {"do": "open_window", "app": "TextEdit", "window": {"title": "New", "bounds": [300, 300, 200, 100]}}
    there.scene.machine.schedule = Schedule([{"after_events": 2 * len(text.splitlines()) + 2 * goes_on, **opened}])
    outcome = there.act({"kind": "type", "text": text, "submit": submit}, {"kind": "wait", "ms": 1})
    assert outcome["ok"] is goes_on, outcome
    if not goes_on:
        assert failed(outcome)["cause"] == "dialog"


def test_a_sheet_in_mid_batch_stops_it(stage: Open) -> None:
    sheet = {"title": "Save", "bounds": [200, 120, 300, 100], "sheet": True, "elements": []}
    button = {**BUTTON, "opens": sheet}
    there = stage(app(TEXTEDIT, windows=[window(FIELD, button)]))
    outcome = there.act({"kind": "click", "ref": there.ref("Save")}, {"kind": "key", "combo": "return"})
    step = failed(outcome)
    assert (step["cause"], step["phase"], step["index"]) == ("dialog", "after", 0)
    assert there.received() == ["press"]
    assert any(line.startswith('+ sheet "Save"') for line in outcome["changes"])


def test_a_sheet_at_the_end_of_a_batch_is_no_failure(stage: Open) -> None:
    sheet = {"title": "Save", "bounds": [200, 120, 300, 100], "sheet": True, "elements": []}
    there = stage(app(TEXTEDIT, windows=[window(FIELD, {**BUTTON, "opens": sheet})]))
    assert there.act({"kind": "click", "ref": there.ref("Save")})["ok"] is True


def test_a_window_that_a_step_opened_may_be_typed_into(stage: Open) -> None:
    """cmd+n, then text: the most ordinary batch there is."""
    fresh = {"title": "New", "bounds": [300, 200, 400, 300], "elements": [FIELD]}
    there = stage(app(TEXTEDIT, windows=[window(FIELD, {**BUTTON, "opens": fresh})]))
    outcome = there.act({"kind": "click", "ref": there.ref("Save")}, {"kind": "type", "text": "hello"})
    assert outcome["ok"] is True, outcome


def test_a_window_that_came_by_itself_stops_the_batch(stage: Open) -> None:
    alert = {"title": "Alert", "bounds": [300, 200, 400, 300], "elements": [{**BUTTON, "bounds": [310, 210, 60, 24]}]}
    there = stage()
    there.later(200, do="open_window", app="TextEdit", window=alert)
    step = failed(there.act({"kind": "wait", "ms": 1500}, {"kind": "key", "combo": "return"}))
    assert step["cause"] == "dialog"
    assert there.received() == []


def test_a_password_field_gets_no_typing(stage: Open) -> None:
    there = stage()
    secure = there.ref("Password")
    for step in ({"kind": "type", "ref": secure, "text": "x"}, {"kind": "set", "ref": secure, "value": "x"}):
        assert "password field" in failed(there.act(step))["reason"]
    assert there.received() == []

    assert there.logged == "set(password field)"


def test_the_user_may_allow_typing_passwords_whose_length_is_not_logged(stage: Open) -> None:
    there = stage(config={"allow_secure_typing": True})
    secure = there.ref("Password")
    steps = ({"kind": "set", "ref": secure, "value": "x"}, {"kind": "type", "ref": secure, "text": "secret"},
             {"kind": "key", "combo": "q"}, {"kind": "key", "combo": "cmd+a"})  # fmt: skip
    assert there.act(*steps)["ok"] is True
    assert there.received() == ["set_value", *["key_down"] * 4]
    assert there.logged == "set(password field), type(password field), key(password field), key(cmd+a)"


def test_a_target_that_does_not_take_its_keys_in_gets_no_more(stage: Open) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD)]))
    there.session.desktop.barrier = lambda *_: False  # type: ignore[method-assign]
    step = failed(there.act({"kind": "type", "text": "a" * 20 + "b" * 20}))
    assert (step["cause"], step["phase"], step["delivered"], step["of"]) == ("hung", "during", 20, 40)
    assert there.typed() == "a" * 20


def test_tab_into_a_password_field_stops_the_rest_of_the_text(stage: Open) -> None:
    name = {"role": "AXTextField", "title": "Name", "bounds": [110, 120, 200, 20], "focused": True}
    secret = {"role": "AXTextField", "subrole": "AXSecureTextField", "title": "Pass", "bounds": [110, 160, 200, 20]}
    there = stage(app(TEXTEDIT, windows=[window(name, secret)]))
    step = failed(there.act({"kind": "type", "text": "me\tsecret"}))
    assert "password field" in step["reason"]
    assert there.typed().rstrip("\t") == "me"


@pytest.mark.parametrize("deed", [{"do": "human_key", "text": "q"}, {"do": "human_mouse", "to": [5, 5]}])
def test_the_human_stops_a_wait(stage: Open, deed: dict[str, Any]) -> None:
    there = stage()
    there.later(400, **deed)
    step = failed(there.act({"kind": "wait", "ms": 9000}, {"kind": "type", "text": "x"}))
    assert (step["cause"], step["phase"], step["retry"]) == ("human", "during", "safe")
    assert step["frontmost"] == {"name": "TextEdit", "pid": TEXTEDIT["pid"]}
    assert there.typed().replace("q", "") == ""


def test_a_target_that_ends_is_told_as_gone(stage: Open) -> None:
    there = stage(then=[{"after_events": 1, "do": "die", "app": "TextEdit"}])
    step = failed(there.act({"kind": "key", "combo": "cmd+a"}, {"kind": "type", "text": "x"}))
    assert step["cause"] in ("gone", "focus")
    assert there.received("Chat") == []


def test_a_replaced_element_is_stale_with_a_candidate(stage: Open) -> None:
    there = stage(
        then=[
            {
                "after_events": 2,
                "do": "replace",
                "app": "TextEdit",
                "window": 0,
                "element": 1,
                "with": {**BUTTON, "title": "Save all"},
            }
        ]
    )
    ref = there.ref("Save")
    step = failed(there.act({"kind": "type", "text": "x"}, {"kind": "click", "ref": ref}))
    assert (step["cause"], step["index"], step["retry"]) == ("stale", 1, "safe")
    assert f'{ref} was button "Save"' in step["reason"]
    assert '"Save all"' in step["reason"]
    assert "press" not in there.received()


def test_a_ref_of_another_app_is_refused(stage: Open) -> None:
    there = stage()
    ref = there.ref("Save")
    step = failed(there.act({"kind": "click", "ref": ref}, target="Chat"))
    assert step["cause"] == "refused"
    assert there.received() == there.received("Chat") == []


def test_points_outside_the_target_are_refused(stage: Open) -> None:
    there = stage()
    for xy in ([850, 100], [-1, -1], [99, 300]):
        step = failed(there.act({"kind": "click", "xy": xy}))
        assert step["cause"] in ("refused", "dialog")
    assert there.received() == there.received("Chat") == []


def test_waiting_for_a_text(stage: Open) -> None:
    there = stage()
    there.later(300, do="set_title", app="TextEdit", window=0, element=1, title="Saved")
    assert there.act({"kind": "wait", "until": "saved", "ms": 9000})["ok"] is True
    step = failed(there.act({"kind": "wait", "gone": "saved", "ms": 200}))
    assert step["cause"] == "time"
    assert "is still there" in step["reason"]


def test_a_long_wait_is_cut_and_says_so(stage: Open) -> None:
    there = stage()
    there.later(300, do="human_key", text="q")
    outcome = there.act({"kind": "wait", "ms": 60_000})
    assert failed(outcome)["cause"] == "human"
    assert outcome["notes"] == ["a wait was cut to 10000 ms, the longest there is"]


@pytest.mark.parametrize("step", [{"kind": "type", "text": "never"}, {"kind": "click", "xy": [400, 300]}])
def test_a_stop_between_the_look_and_the_sending_still_stops(stage: Open, step: dict[str, Any]) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD)]))
    deliver = there.session.desktop.deliver

    def stopped_just_then(*arguments: Any) -> None:
        there.stop.request("the client cancelled the call")
        deliver(*arguments)

    there.session.desktop.deliver = stopped_just_then  # type: ignore[method-assign]
    told = failed(there.act(step))
    assert (told["cause"], told["phase"], told["retry"]) == ("cancelled", "before", "safe")
    assert there.received() == []


def test_cancelling_stops_a_batch(stage: Open) -> None:
    there = stage()
    idle, journal = there.scene.desktop.idle, there.scene.machine.journal
    begun = journal.milliseconds

    def cancelled_meanwhile(seconds: float) -> None:
        idle(seconds)
        if journal.milliseconds - begun > 300:
            there.stop.request("the client cancelled the call")

    there.scene.desktop.idle = cancelled_meanwhile  # type: ignore[method-assign]
    step = failed(there.act({"kind": "wait", "ms": 9000}, {"kind": "type", "text": "x"}))
    assert step["cause"] == "cancelled"
    assert journal.milliseconds - begun < 600
    assert there.received() == []


def test_the_budget_of_a_call_ends_it_and_names_what_is_left(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage()
    monkeypatch.setattr(Stop.begin, "__defaults__", (0.4,))
    step = failed(
        there.act({"kind": "key", "combo": "right"}, {"kind": "wait", "ms": 9000}, {"kind": "type", "text": "x"})
    )
    assert step["cause"] == "time"
    assert step["reason"].endswith("Steps left: 1 wait, 2 type")


def test_two_servers_do_not_share_a_keyboard(stage: Open) -> None:
    there = stage()
    with keyboard_lock(there.scene.desktop.seat):
        step = failed(there.act({"kind": "type", "text": "x"}))
    assert "another Mac-Commander (pid " in step["reason"]
    assert there.received() == []
    assert there.act({"kind": "type", "text": "x"})["ok"] is True


def test_held_modifiers_are_waited_out_then_refused(stage: Open) -> None:
    there = stage(human_holds=["cmd"])
    there.later(400, do="human_release", modifier="cmd")
    assert there.act({"kind": "type", "text": "q"})["ok"] is True
    for_ever = stage(human_holds=["cmd"])
    step = failed(for_ever.act({"kind": "type", "text": "q"}))
    assert step["cause"] == "human"
    assert for_ever.received() == []


def test_a_locked_screen_refuses(stage: Open) -> None:
    there = stage(locked=True)
    step = failed(there.act({"kind": "type", "text": "x"}))
    assert (step["index"], step["cause"]) == (-1, "refused")
    assert "screen is locked" in step["reason"]
    assert there.received() == []


def test_drag_presses_at_the_start_and_releases_at_the_end(stage: Open) -> None:
    there = stage()
    assert there.act({"kind": "drag", "from_xy": [200, 200], "to_xy": [300, 260]})["ok"] is True
    down, *moves, up = there.scene.events("mouse_down", "mouse_drag", "mouse_up")
    assert (down["event"], down["at"]) == ("mouse_down", [200, 200])
    assert (up["event"], up["at"]) == ("mouse_up", [300, 260])
    assert len(moves) > 3


def test_a_drag_onto_another_app_never_begins(stage: Open) -> None:
    there = stage()
    step = failed(there.act({"kind": "drag", "from_xy": [200, 200], "to_xy": [900, 300]}))
    assert step["cause"] in ("refused", "dialog")
    assert there.received() == there.received("Chat") == []


A_FIELD = {"role": "AXTextField", "bounds": [120, 120, 200, 30], "value": ""}


def test_a_ref_in_a_covered_window_gets_no_click_and_its_twin_no_text(stage: Open) -> None:
    """Two windows of one app at one place, each with a field at one place: bounds are no identity."""
    front = window({**A_FIELD, "title": "A", "focused": True}, title="Front")
    back = window({**A_FIELD, "title": "B"}, title="Back")
    there = stage(app(TEXTEDIT, windows=[front, back]))
    ref = there.ref("B")
    step = failed(there.act({"kind": "click", "ref": ref, "clicks": 2}))
    assert "covered by another window of TextEdit" in step["reason"]
    typed = there.act({"kind": "type", "ref": ref, "text": "bbb"})
    assert there.scene.value("A") == ""
    assert typed["ok"] is (there.scene.value("B") == "bbb")


def test_the_last_step_may_close_the_app(stage: Open) -> None:
    there = stage(then=[{"after_events": 1, "do": "die", "app": "TextEdit"}])
    outcome = there.act({"kind": "click", "ref": there.ref("Save")}, settle_ms=100)
    assert outcome["ok"] is True, outcome
    assert outcome["notes"] == ["TextEdit ended with the last step"]


def test_the_last_step_may_close_the_last_window(stage: Open) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD, {**BUTTON, "closes": True})]), CHAT)
    outcome = there.act({"kind": "click", "ref": there.ref("Save")}, settle_ms=100)
    assert outcome["ok"] is True, outcome
    assert outcome["notes"] == ["TextEdit shows no window any more"]


def test_the_default_budget_is_below_what_clients_cut_at() -> None:
    assert stop_module.CALL_BUDGET_SECONDS < 60
