"""Single hostile inputs that no other suite gives, on the simulated Mac. docs/hostile-inputs.md lists all of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mac_commander.core.arguments import check
from mac_commander.core.audit import AuditLog, Entry
from mac_commander.core.blocklist import Blocklist
from mac_commander.core.config import default_blocklist, load
from mac_commander.core.scripts import BODY_MOST, Script
from mac_commander.errors import InvalidArgument, Locked
from mac_commander.events import PressChord
from mac_commander.home import prepare
from mac_commander.model import Chord, Interpreter
from mac_commander.tools.act import ACT
from simulated_mac.then import Schedule
from tests.core.test_batch import Open, failed, stage  # noqa: F401 - the fixture
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window

TYPE = {"kind": "type", "text": "x"}
SECRET = "CANARY-secret"
VAULT = app(
    CHAT,
    name="1Password",
    bundle_id="com.1password.1password",
    pid=5_000_201,
    windows=[
        window(
            {"role": "AXButton", "title": "Reveal", "bounds": [810, 100, 60, 20]},
            {
                "role": "AXTextField",
                "subrole": "AXSecureTextField",
                "title": "Master",
                "value": SECRET,
                "bounds": [810, 140, 90, 20],
                "children": [{"role": "AXStaticText", "title": SECRET, "value": SECRET, "bounds": [810, 140, 90, 20]}],
            },
            title="Ann's vault",
            bounds=[800, 80, 400, 480],
        )
    ],
)


# --- names -----------------------------------------------------------------------------------------------------

ODD = ["123", "5000412", "pid:5000412", "", " ", "*", "desktop", "frontmost", "e1", "text", "TextEdi",
       "TextEdit/", "com.apple.TextEdit.", "com.apple", "1P\u0430ssword", "Т\u0435xtEdit", "TextEdit\n",
       "file:TextEdit"]  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_a_name_that_is_not_exactly_one_of_an_app_reaches_nothing(stage: Open, name: str) -> None:  # noqa: F811
    """Near names are told and never taken, and homoglyphs are other names."""
    there = stage(TEXTEDIT, VAULT)
    assert failed(there.act(TYPE, target=name))["cause"] in ("gone", "refused")
    assert there.scene.events() == []


@pytest.mark.parametrize(
    "name", ["\u212aeychain Access", "ＫＥＹＣＨＡＩＮ　access", "Keychain\u00a0 Access.app", "keychain\taccess"]
)
def test_a_disguise_of_a_blocked_name_is_blocked(name: str) -> None:
    assert Blocklist(["Keychain Access"]).term_in([name]) == "Keychain Access"


def test_ids_are_blocked_by_what_they_contain_and_not_the_other_way_round() -> None:
    terms = Blocklist(["com.apple.Terminal", "com.1password."])
    assert terms.term_in(["com.apple.Term"]) is None
    for blocked in ("com.apple.terminal.helper", "COM.APPLE.TERMINAL.", "com.1password.1password.helper"):
        assert terms.term_in([blocked])


KEYCHAIN = app(
    CHAT,
    name="Keychain Access",
    names={"de": "Schlüsselbundverwaltung", "en": "Keychain Access"},
    bundle_id="com.apple.keychainaccess",
)
CODE = app(
    CHAT,
    name="Code",
    names={"en": "Visual Studio Code"},
    bundle_id="com.microsoft.VSCode",
    path="/Applications/Visual Studio Code.app",
)


@pytest.mark.parametrize("locale", ["de", "en"])
@pytest.mark.parametrize(
    ("what", "term"),
    [(KEYCHAIN, "Keychain Access"), (KEYCHAIN, "Schlu\u0308sselbundverwaltung"), (CODE, "Visual Studio Code"),
     (CODE, "com.microsoft.vscode"), (CODE, "Code")],
)  # fmt: skip
def test_one_name_on_the_list_blocks_an_app_by_all_of_them(
    stage: Open,  # noqa: F811
    locale: str,
    what: dict[str, Any],
    term: str,
) -> None:
    there = stage(TEXTEDIT, what, locale=locale, config={"input_blocklist": (term,)})
    for name in (what["name"], what["bundle_id"], *what["names"].values()):
        assert "input blocklist" in failed(there.act(TYPE, target=name))["reason"], name
    assert there.scene.events() == []


def test_of_two_apps_of_one_name_none_is_meant_when_one_is_blocked(stage: Open) -> None:  # noqa: F811
    ours = app(CHAT, name="Notes", bundle_id="com.apple.Notes", pid=5_000_210)
    theirs = app(CHAT, name="Notes", bundle_id="com.1password.notes", pid=5_000_211)
    for in_front in (ours, theirs):
        there = stage(app(TEXTEDIT, frontmost=False), *(app(a, frontmost=a is in_front) for a in (ours, theirs)))
        assert "2 running apps answer to 'Notes'" in failed(there.act(TYPE, target="Notes"))["reason"]
        assert there.scene.events() == []
        assert there.act(TYPE, target="com.apple.Notes")["target"]["pid"] == 5_000_210


def test_a_program_without_an_id_is_named_exactly_and_never_by_its_path(stage: Open) -> None:  # noqa: F811
    program = {k: v for k, v in app(CHAT, name="python3.11").items() if k != "bundle_id"}
    there = stage(TEXTEDIT, program)
    for name in ("python", "/usr/bin/python3.11"):
        assert failed(there.act(TYPE, target=name))["cause"] in ("gone", "refused")
    assert there.scene.events() == []
    assert there.act(TYPE, target="python3.11")["ok"] is True


def test_a_list_of_ten_thousand_entries_twice_over_holds_to_its_last(tmp_path: Path) -> None:
    terms = [f"nothing {n}" for n in range(9_999)] + ["Mail"]
    (tmp_path / "config.json").write_text(json.dumps({"input_blocklist": terms + terms}))
    (tmp_path / "config.json").chmod(0o600)
    blocklist = Blocklist(load(tmp_path).input_blocklist)
    assert blocklist.term_in(["com.apple.mail"]) == "Mail"
    assert blocklist.term_in(["TextEdit"]) is None


def test_input_that_would_leave_the_machine_is_blocked_by_default() -> None:
    for app_id in ("com.apple.ScreenSharing", "com.apple.ScreenContinuity"):
        assert Blocklist(default_blocklist("darwin")).term_in([app_id])


# --- where input lands -----------------------------------------------------------------------------------------


def test_a_panel_of_another_program_that_has_the_keyboard_gets_no_key(stage: Open) -> None:  # noqa: F811
    """As Spotlight and the character viewer do: the app in front stays in front."""
    field = {"role": "AXTextField", "title": "Search", "bounds": [420, 200, 600, 56]}
    panel = window(field, title="Panel", bounds=[420, 200, 600, 56], layer=23, takes_keyboard=True)
    there = stage(then=[{"after_events": 2, "do": "open_window", "app": "Chat", "window": panel}])
    step = failed(there.act(TYPE, {"kind": "type", "text": "rest"}))
    assert "a window of Chat" in step["reason"]
    assert (there.typed(), there.typed("Chat")) == ("x", "")


def test_a_point_that_the_window_left_gets_no_scroll(stage: Open) -> None:  # noqa: F811
    moved = {"after_events": 2, "do": "move_window", "app": "TextEdit", "window": 0, "to": [100, 500]}
    there = stage(then=[moved])
    step = failed(there.act(TYPE, {"kind": "scroll", "xy": [300, 120], "dy": -40}))
    assert "outside every window of TextEdit" in step["reason"]
    assert "scroll" not in there.received()


def test_the_dock_is_no_target_and_takes_no_drop(stage: Open) -> None:  # noqa: F811
    there = stage(TEXTEDIT, app(CHAT, name="Dock", bundle_id="com.apple.dock"))
    assert "only the user" in failed(there.act(TYPE, target="Dock"))["reason"]
    for end in ([900, 300], [1300, 800]):
        assert failed(there.act({"kind": "drag", "from_xy": [200, 200], "to_xy": end}))["retry"] == "safe"
    assert there.scene.events() == []


def test_a_ref_of_an_earlier_server_is_known_to_no_later_one(stage: Open) -> None:  # noqa: F811
    ref = stage().ref("Save")
    later = stage()
    step = failed(later.act({"kind": "click", "ref": ref}))
    assert (step["cause"], "not known" in step["reason"]) == ("stale", True)
    assert later.received() == []


def test_a_hidden_target_comes_forward_and_one_without_windows_gets_nothing(stage: Open) -> None:  # noqa: F811
    hidden = stage(app(TEXTEDIT, frontmost=False, hidden=True), app(CHAT, frontmost=True))
    assert hidden.act(TYPE)["ok"] is True
    assert (hidden.typed(), hidden.typed("Chat")) == ("x", "")
    bare = stage(app(TEXTEDIT, windows=[]), CHAT)
    for step in (TYPE, {"kind": "click", "xy": [300, 300]}, {"kind": "key", "combo": "cmd+a"}):
        assert failed(bare.act(step))["retry"] == "safe"
    assert bare.received() == bare.received("Chat") == []


def test_our_own_escape_is_no_person(stage: Open) -> None:  # noqa: F811
    there = stage()
    there.scene.desktop.watch_human()
    there.scene.send(PressChord(Chord(frozenset(), "escape")))
    assert there.scene.desktop.evidence().human is None
    assert there.act({"kind": "key", "combo": "escape"}, TYPE)["ok"] is True
    assert there.typed().endswith("x")


def test_another_users_session_in_front_is_a_locked_one(
    stage: Open,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = stage()
    from mac_commander.desktops.macos import session  # the scene's, which is loaded anew for each

    seen = dict(session.CGSessionCopyCurrentDictionary())
    monkeypatch.setattr(session, "CGSessionCopyCurrentDictionary", lambda: seen | {session._ON_CONSOLE: False})
    assert "another user's session" in failed(there.act(TYPE))["reason"]
    monkeypatch.setattr(session, "CGSessionCopyCurrentDictionary", lambda: None)
    assert "locked" in failed(there.act(TYPE))["reason"]
    assert there.received() == []


def test_what_comes_over_the_end_of_a_drag_gets_no_drop(stage: Open) -> None:  # noqa: F811
    """At whichever of its events it comes: the button goes up where it went down."""
    over = window(title="Over", bounds=[350, 250, 200, 200], layer=3)
    for after in range(2, 15):
        there = stage(TEXTEDIT, app(CHAT, windows=[]))
        opened = {"do": "open_window", "app": "Chat", "window": over}
        there.scene.machine.schedule = Schedule([{"after_events": after, **opened}])
        outcome = there.act({"kind": "drag", "from_xy": [200, 200], "to_xy": [400, 300]})
        ups = [(e["app"], e["at"]) for e in there.scene.events("mouse_up")]
        assert outcome["ok"] is False, after
        assert ups == [("TextEdit", [200, 200])], (after, ups)


@pytest.mark.parametrize("steps", [[], None, {}, [[TYPE]], [None], [{**TYPE, "combo": "cmd+a"}], [TYPE] * 101])
def test_steps_that_are_none_send_nothing(stage: Open, steps: Any) -> None:  # noqa: F811
    there = stage()
    with pytest.raises(InvalidArgument, match=r"^steps"):
        ACT.handler(there.session, check(ACT.params, {"target": "TextEdit", "steps": steps}))
    assert there.scene.events() == []


# --- what is read ----------------------------------------------------------------------------------------------


def test_a_blocked_apps_tree_is_readable_without_its_secrets_and_never_pictured(stage: Open) -> None:  # noqa: F811
    there = stage(TEXTEDIT, VAULT)
    told = there.see(app="1Password", vision=True)
    assert 'button "Reveal"' in told
    (field,) = [line for line in told.splitlines() if "Master" in line]
    assert field.endswith(" secure"), "neither a value nor its length"
    assert "no picture: 1Password is on the user's input blocklist" in told
    assert SECRET not in told
    assert there.scene.events("capture") == []


@pytest.mark.parametrize("hide", [False, True])
def test_among_all_apps_nothing_of_a_blocked_one_is_listed(stage: Open, hide: bool) -> None:  # noqa: F811
    there = stage(TEXTEDIT, VAULT, config={"hide_blocked_apps": hide})
    told = there.see(all=True)
    assert "1Password (com.1password.1password, pid 5000201): on the blocklist" in told
    assert not [word for word in ("Ann", "Reveal", "Master", SECRET) if word in told]
    if hide:
        with pytest.raises(Exception, match="hides blocked apps"):
            there.see(app="1Password")


def test_every_look_says_that_the_log_is_off(stage: Open) -> None:  # noqa: F811
    assert "note: the audit log is turned off in config.json" in stage(config={"audit_log": None}).see(app="TextEdit")


# --- the home --------------------------------------------------------------------------------------------------


def test_a_home_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = prepare(tmp_path / "file" / "home")
    assert "running on the built-in defaults" in said
    assert len(said.splitlines()) == 1


def test_a_log_below_a_linked_folder_is_judged_by_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("real")
    log = AuditLog(tmp_path / "link" / "log")
    log.reserve().write(Entry("see", "", "", "ok"))
    assert len((tmp_path / "real" / "log").read_text().splitlines()) == 1
    (tmp_path / "real" / "log").chmod(0o644)
    with pytest.raises(Locked, match="chmod 600"):
        log.reserve()


# --- scripts ---------------------------------------------------------------------------------------------------

APPLE = Interpreter(".applescript", ("/usr/bin/osascript", "-"), "--")


@pytest.mark.parametrize(
    ("body", "logged"),
    [
        (b"x" * 1_000_000, "x" * BODY_MOST),
        (b"\xef\xbb\xbf-- about\nbeep\n" + SECRET.encode(), "beep"),
        (b"-- " + SECRET.encode() + b"\n\n--\n", ""),
        (b"\xff\xfe\x00", "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}\0"),
        (b"", ""),
    ],
)
def test_of_a_named_script_the_log_has_the_beginning_of_its_first_line_alone(body: bytes, logged: str) -> None:
    assert Script("a", "a.applescript", body, APPLE).first_body_line == logged
