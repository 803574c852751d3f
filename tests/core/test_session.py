"""Which app is meant, what a session keeps, and what it paints black."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mac_commander.core.config import Config
from mac_commander.core.session import APPS_REMEMBERED, Session
from mac_commander.core.snapshot import Listing
from mac_commander.core.stop import Stop
from mac_commander.errors import InvalidArgument, NoSuchApp, Refused
from mac_commander.model import App, Installed, Picture, Rect, Window, WindowKind
from tests.core.test_batch import Open
from tests.desktops.macos.scenes import TEXTEDIT, app
from tests.server.double import CHAT, EDITOR, FINDER, Double

PLAIN = App(80, 1.0, "wish")
"""A program of an interpreter: it has no id."""

VAULT = Installed("Tresor", "com.1password.1password")


def session(*running: App, front: App | None = EDITOR, startable: Sequence[Installed] = ()) -> Session:
    desktop = Double(running=list(running or (EDITOR, FINDER, CHAT)), startable=list(startable))
    desktop.frontmost = lambda: front  # type: ignore[method-assign]
    return Session(desktop, Config(Path("/absent"), input_blocklist=("1Password",)), Stop())


# --- which running app --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["TextEdit", "textedit.app", "COM.APPLE.TextEdit", "Éditeur de texte"])
def test_an_app_is_meant_by_its_name_its_id_and_its_other_names(name: str) -> None:
    editor = replace(EDITOR, aliases=("Éditeur de texte",))
    assert session(CHAT, PLAIN, editor).resolve(name) is editor


def test_an_id_is_worth_more_than_a_name_and_a_name_more_than_another_name() -> None:
    called = App(1, 1.0, "com.apple.TextEdit", "com.example.liar")
    also = App(2, 1.0, "Liar", "com.example.other", aliases=("TextEdit",))
    there = session(also, called, EDITOR)
    assert there.resolve("com.apple.TextEdit") is EDITOR
    assert there.resolve("TextEdit") is EDITOR


def test_part_of_a_name_is_nobody() -> None:
    with pytest.raises(NoSuchApp):
        session().resolve("Text")


@pytest.mark.parametrize("name", [".app", "\u200b", "/Applications/TextEdit.app", ""])
def test_what_is_no_name_means_nobody_not_even_an_app_without_an_id(name: str) -> None:
    for ask in (session(PLAIN).resolve, session(startable=[Installed("wish", "")]).find_installed):
        with pytest.raises(InvalidArgument):
            ask(name)


def test_without_a_name_the_front_is_meant() -> None:
    assert session(front=CHAT).resolve(None) is CHAT
    with pytest.raises(Refused, match="no app is known to be in front"):
        session(front=None).resolve(None)


def test_a_miss_tells_near_names_or_what_runs() -> None:
    there = session(CHAT, EDITOR, PLAIN)
    with pytest.raises(NoSuchApp, match=r"near names that run: TextEdit\. Start"):
        there.resolve("TextEdti")
    with pytest.raises(NoSuchApp, match=r"running: Chat, TextEdit, wish\. Start"):
        there.resolve("Zzyzx")


def test_processes_of_one_program_may_go_by_several_names() -> None:
    one = replace(EDITOR, executable="/Applications/TextEdit.app/Contents/MacOS/TextEdit")
    two = replace(one, pid=413, name="TextEdit of Ada")
    assert session(two, one, front=one).resolve("com.apple.TextEdit") is one


def test_scripts_of_one_interpreter_are_no_program() -> None:
    one = replace(PLAIN, executable="/usr/bin/wish", aliases=("clock.tcl",))
    two = replace(one, pid=81, aliases=("editor.tcl",))
    with pytest.raises(Refused, match="name one by its id"):
        session(one, two, front=one).resolve("wish")


def test_who_runs_this_server_is_asked_each_time() -> None:
    there = session()
    there.desktop.ancestors = lambda: (FINDER.pid,)  # type: ignore[method-assign]
    found = there.resolve("Finder")
    with pytest.raises(Refused, match="runs this server"):
        there.policy.refuse_input(found, "Finder")


# --- which installed one ------------------------------------------------------------------------------------------

EDITORS = [
    Installed("Text Editor", "org.example.edit", aliases=("Notepad",)),
    Installed("Notepad", "org.example.notepad", aliases=("org.example.edit",)),
]


@pytest.mark.parametrize(
    ("name", "found"), [("org.example.edit", 0), ("text editor", 0), ("Notepad", 1), ("ORG.example.notepad", 1)]
)
def test_an_installed_app_is_found_by_id_then_name_then_another_name(name: str, found: int) -> None:
    assert session(startable=EDITORS).find_installed(name) is EDITORS[found]
    assert session(startable=EDITORS[:1]).find_installed("Notepad") is EDITORS[0]


def test_two_installed_apps_of_one_name_are_not_chosen_between() -> None:
    twin = Installed("Notepad", "com.example.twin")
    with pytest.raises(Refused, match=r"several installed apps .*: org\.example\.notepad, com\.example\.twin"):
        session(startable=[*EDITORS, twin]).find_installed("Notepad")
    assert session(startable=[EDITORS[1], EDITORS[1]]).find_installed("Notepad") is EDITORS[1]


def test_what_is_not_installed_is_told_with_near_names() -> None:
    there = session(startable=EDITORS)
    with pytest.raises(NoSuchApp, match=r"'Notepat'; near names: Notepad$"):
        there.find_installed("Notepat")
    with pytest.raises(NoSuchApp, match=r"'Zzyzx'$"):
        there.find_installed("Zzyzx")


def test_a_blocked_app_that_does_not_run_is_refused_by_any_of_its_names() -> None:
    there = session(startable=[VAULT, *EDITORS])
    with pytest.raises(Refused, match="Tresor is on the user's input blocklist"):
        there.input_target("Tresor")
    for name in ("Notepad", "Zzyzx"):
        with pytest.raises(NoSuchApp, match="no running app is called"):
            there.input_target(name)


# --- what is kept -------------------------------------------------------------------------------------------------


def test_the_last_looks_are_kept_the_oldest_goes() -> None:
    there = session()
    looks = [Listing(replace(CHAT, pid=pid), (), 0, True, ()) for pid in range(1, APPS_REMEMBERED + 2)]
    for look in (*looks[:-1], looks[0], looks[-1]):
        there.remember(look)
    kept = [there.remembered(look.app) for look in looks]
    assert kept == [looks[0], None, *looks[2:]]


def test_the_guardian_is_told_what_is_down(stage: Open) -> None:
    class Guardian:
        told: list[tuple[str, ...]] = []  # noqa: RUF012

        def require(self) -> None: ...

        def hold(self, names: tuple[str, ...]) -> None:
            self.told.append(names)

    there = stage()
    there.session = Session(there.scene.desktop, there.session.config, there.stop, Guardian())
    assert there.act({"kind": "drag", "from_xy": [200, 200], "to_xy": [300, 260]})["ok"] is True
    assert any(Guardian.told)
    assert Guardian.told[-1] == ()


# --- windows and pictures -----------------------------------------------------------------------------------------


def test_the_main_window_is_meant_or_the_topmost_that_stays() -> None:
    box = Rect(0, 0, 9, 9)
    away = Window(1, EDITOR.pid, "away", box, minimised=True, main=True)
    menu = Window(2, EDITOR.pid, "menu", box, WindowKind.POPUP)
    top, main = Window(3, EDITOR.pid, "top", box), Window(4, EDITOR.pid, "main", box, main=True)
    there = session()
    for shown, meant in (([menu, top, main], main), ([away, menu, top], top), ([away, menu], None)):
        there.desktop.windows = lambda _, shown=shown: shown  # type: ignore[method-assign, misc]
        assert there.main_window(EDITOR) is meant


def test_pixels_whose_owner_is_not_known_are_black() -> None:
    there = session()
    mine, unknown, vault = Rect(0, 0, 9, 9), Rect(1, 1, 2, 2), Rect(3, 3, 4, 4)
    owners = [(EDITOR, mine), (None, unknown), (App(66, 1.0, "1Password"), vault)]
    there.desktop.shown = lambda within=None: owners  # type: ignore[method-assign]
    there.desktop.windows = lambda _: (Window(1, EDITOR.pid, "", mine),)  # type: ignore[method-assign, assignment]
    there.desktop.capture = lambda window: Picture(1, 1, b"123", window.bounds)  # type: ignore[method-assign]
    there.desktop.capture_desktop = lambda: Picture(1, 1, b"123", mine)  # type: ignore[method-assign]
    assert there.window_picture(EDITOR)[2] == [unknown, vault] * 2, "before and after"
    assert there.desktop_picture()[1] == [unknown, vault] * 2


def test_an_app_without_an_id_is_found_on_the_simulated_mac_too(stage: Open) -> None:
    plain = {key: value for key, value in app(TEXTEDIT, name="wish").items() if key != "bundle_id"}
    assert stage(plain).act({"kind": "key", "combo": "a"}, target="wish")["ok"] is True
