"""The proofs around each step, one by one, on the simulated Mac: what must stop a batch, and that nothing was sent."""

from __future__ import annotations

from typing import Any

import pytest

from mac_commander.errors import DesktopError, Refused
from mac_commander.model import Rect
from simulated_mac import scene as scenes
from tests.core.test_batch import FIELD, Open, failed
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window

AGENT = app(CHAT, name="SecurityAgent", bundle_id="com.apple.SecurityAgent", pid=5_000_204, windows=[])
QUESTION = {"title": "", "bounds": [900, 600, 300, 150], "layer": 8, "elements": []}
TYPE = {"kind": "type", "text": "x"}


def test_a_question_of_the_system_stops_a_batch_also_when_it_is_not_in_front(stage: Open) -> None:
    there = stage(TEXTEDIT, AGENT)
    assert there.act(TYPE)["ok"] is True
    there.later(100, do="open_window", app="SecurityAgent", window=QUESTION)
    before = len(there.received())
    step = failed(there.act({"kind": "wait", "ms": 1500}, TYPE))
    assert (step["cause"], step["frontmost"]["name"]) == ("dialog", "SecurityAgent")
    assert len(there.received()) == before
    step = failed(there.act(TYPE))
    assert (step["index"], step["phase"]) == (0, "before")
    assert len(there.received()) == before


@pytest.mark.parametrize(
    "step",
    [
        {"kind": "click", "xy": [1, 898]},
        {"kind": "hover", "xy": [1, 898]},
        {"kind": "drag", "from_xy": [200, 200], "to_xy": [1, 898]},
    ],
)
def test_a_full_screen_window_has_corners_too(stage: Open, step: dict[str, Any]) -> None:
    there = stage(app(TEXTEDIT, windows=[window(FIELD, bounds=[0, 0, 1440, 900])]))
    assert "corner" in failed(there.act(step))["reason"]
    assert there.received() == []


def test_the_host_gets_nothing(stage: Open) -> None:
    there = stage(TEXTEDIT, app(CHAT, hosts_us=True))
    assert "runs this server" in failed(there.act(TYPE, target="Chat"))["reason"]
    assert there.received("Chat") == []
    assert there.scene.events("activate") == []


def test_two_apps_of_one_name_are_not_guessed_between(stage: Open) -> None:
    twin = app(CHAT, name="TextEdit", bundle_id="com.example.twin")
    there = stage(app(TEXTEDIT, frontmost=False), app(twin, frontmost=True))
    assert "2 running apps answer" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_two_processes_of_one_app_mean_the_one_in_front(stage: Open) -> None:
    there = stage(TEXTEDIT, app(TEXTEDIT, pid=5_000_413, frontmost=False), CHAT)
    assert there.act(TYPE)["target"]["pid"] == 5_000_412
    scenes.perform(there.scene.machine, {"do": "activate", "app": "Chat"})
    reason = failed(there.act(TYPE))["reason"]
    assert "2 running apps answer" in reason
    assert "ask the user to bring the one that is meant to the front" in reason


def test_an_app_that_does_not_come_forward_is_refused(
    stage: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mac_commander.core.session.FRONT_SECONDS", 0.05)
    there = stage(app(TEXTEDIT, activates=False, frontmost=False), app(CHAT, frontmost=True))
    step = failed(there.act(TYPE))
    assert (step["index"], step["cause"], step["frontmost"]["name"]) == (-1, "focus", "Chat")
    assert there.received() == there.received("Chat") == []


def test_a_disabled_element_gets_no_step(stage: Open) -> None:
    off = {"role": "AXButton", "title": "Off", "bounds": [660, 90, 60, 24], "enabled": False}
    shut = {"role": "AXTextField", "title": "Shut", "bounds": [110, 500, 60, 24], "enabled": False, "value": ""}
    there = stage(app(TEXTEDIT, windows=[window(FIELD, off, shut)]))
    for step in (
        {"kind": "click", "ref": there.ref("Off")},
        {"kind": "type", "ref": there.ref("Shut"), "text": "x"},
        {"kind": "set", "ref": there.ref("Shut"), "value": "x"},
    ):
        assert "is disabled" in failed(there.act(step))["reason"]
    assert there.received() == []


@pytest.mark.parametrize("modifiers", [["shift"], []])
def test_a_click_with_modifiers_is_no_press(stage: Open, modifiers: list[str]) -> None:
    there = stage()
    assert there.act({"kind": "click", "ref": there.ref("Save"), "modifiers": modifiers})["ok"] is True
    assert ("press" in there.received()) is not bool(modifiers)


@pytest.mark.parametrize("more", [{"clicks": 2}, {"button": "right"}])
def test_neither_is_another_click(stage: Open, more: dict[str, Any]) -> None:
    there = stage()
    assert there.act({"kind": "click", "ref": there.ref("Save"), **more})["ok"] is True
    assert "press" not in there.received()


def test_pictures_of_blocked_apps_are_refused(stage: Open) -> None:
    vault = app(CHAT, name="1Password", bundle_id="com.1password.1password")
    question = app(AGENT, windows=[QUESTION])
    session = stage(TEXTEDIT, vault, question).session
    for name in ("1Password", "SecurityAgent"):
        with pytest.raises(Refused):
            session.window_picture(session.resolve(name))
    black = session.desktop_picture()[1]
    assert Rect(*CHAT["windows"][0]["bounds"]) in black
    assert Rect(*QUESTION["bounds"]) in black
    assert Rect(*TEXTEDIT["windows"][0]["bounds"]) not in black


def test_no_window_no_picture(stage: Open) -> None:
    session = stage(app(TEXTEDIT, windows=[])).session
    with pytest.raises(DesktopError, match="shows no window"):
        session.window_picture(session.resolve("TextEdit"))


@pytest.mark.parametrize("combo", ["a", "shift+a", "alt+a", "alt+shift+x", "space", "cmd+v", "cmd+shift+v", "ctrl+y"])
def test_key_that_writes_is_kept_from_a_password_field(stage: Open, combo: str) -> None:
    secret = {"role": "AXTextField", "subrole": "AXSecureTextField", "title": "P", "bounds": [110, 160, 200, 20]}
    there = stage(app(TEXTEDIT, windows=[window({**secret, "focused": True})]))
    assert "password field" in failed(there.act({"kind": "key", "combo": combo}))["reason"]
    assert "password field" in failed(there.act(TYPE))["reason"]
    assert there.received() == []
    assert there.act({"kind": "key", "combo": "right"})["ok"] is True


def test_without_the_grant_nothing_is_sent(stage: Open) -> None:
    there = stage(grants={"accessibility": False})
    assert "Accessibility" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_what_cannot_be_typed_is_refused_before_the_first_event(
    stage: Open,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = stage()
    monkeypatch.setattr(there.scene.desktop, "untypable", lambda text: "é" if "é" in text else "")
    step = failed(there.act(TYPE, {"kind": "type", "text": "é"}))
    assert (step["index"], "U+00E9" in step["reason"]) == (-1, True)
    assert there.received() == []


def test_a_hung_target_is_told_as_hung(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage()
    monkeypatch.setattr(there.scene.desktop, "barrier", lambda *_: False)
    step = failed(there.act(TYPE, TYPE))
    assert (step["cause"], step["index"], step["phase"]) == ("hung", 0, "after")


def test_whatever_ends_a_batch_lets_go_of_all(stage: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    there = stage()
    let_go: list[str] = []
    monkeypatch.setattr(there.scene.desktop, "release_all", lambda: let_go.append("all"))
    there.act(TYPE)
    assert let_go == ["all"]
    failed(there.act({"kind": "click", "xy": [5, 5]}))
    assert len(let_go) == 3


def test_the_guardian_must_listen(stage: Open) -> None:
    class Dead:
        def require(self) -> None:
            raise Refused("the guardian process cannot be started")

        def hold(self, names: tuple[str, ...]) -> None: ...

    there = stage()
    there.session._guardian = Dead()
    assert "guardian" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_a_field_that_becomes_a_password_field_gets_no_more(stage: Open) -> None:
    secret = {**FIELD, "role": "AXTextField", "subrole": "AXSecureTextField"}
    turned = {"after_events": 4, "do": "replace", "app": "TextEdit", "window": 0, "element": 0, "with": secret}
    there = stage(then=[turned])
    step = failed(there.act({"kind": "click", "xy": [300, 300]}, {"kind": "type", "text": "x" * 90}))
    assert "password field" in step["reason"]
    assert step["delivered"] == len(there.typed()) <= 20
