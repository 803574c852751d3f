"""Pictures by screencapture and banners by osascript: what is asked of them, and what their failures mean."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from mac_commander import child
from mac_commander.errors import DesktopError
from mac_commander.model import Notification, Window
from simulated_mac.scene import perform
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, Scene, World, app, window

TWO_SCREENS = [{"bounds": [0, 0, 1440, 900], "scale": 2}, {"bounds": [-1920, -200, 1920, 1080], "scale": 1}]


def main_window(scene: Scene) -> Window:
    return scene.desktop.windows(scene.app())[0]


def test_a_window_is_pictured_alone(raised: Raise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = raised(screens=TWO_SCREENS)
    own = tmp_path / "temporary"
    own.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(own))
    shown = main_window(scene)
    picture = scene.desktop.capture(shown)
    assert picture.bounds == shown.bounds
    assert (picture.width, picture.height) == (1280, 960)
    assert len(picture.rgb) == 1280 * 960 * 3
    assert [e["window"] for e in scene.events("capture")] == [shown.id]
    assert list(own.iterdir()) == []


def test_the_desktop_is_pictured_with_all_screens(raised: Raise) -> None:
    scene = raised(screens=TWO_SCREENS)
    picture = scene.desktop.capture_desktop()
    assert picture.bounds == (-1920, -200, 3360, 1100)
    assert (picture.width, picture.height) == (6720, 2200)


def test_a_missing_grant_is_told_apart(raised: Raise) -> None:
    scene = raised(grants={"screen_recording": False})
    with pytest.raises(DesktopError, match=r"Screen & System Audio Recording .* Privacy & Security"):
        scene.desktop.capture(main_window(scene))
    assert scene.desktop.readiness().screenshots
    assert not scene.desktop.readiness().accessibility
    assert not scene.events("capture")


def test_a_window_that_went_is_said(scene: Scene) -> None:
    shown = main_window(scene)
    perform(scene.machine, {"do": "close_window", "app": "TextEdit", "window": 0})
    with pytest.raises(DesktopError, match="it is gone"):
        scene.desktop.capture(shown)


def test_a_number_that_another_app_has_now_is_refused(scene: Scene) -> None:
    shown = main_window(scene)
    with pytest.raises(DesktopError, match="belongs to process"):
        scene.desktop.capture(Window(shown.id, 1234, shown.title, shown.bounds))


def test_a_minimised_window_has_no_picture(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window(minimised=True)]), CHAT)
    with pytest.raises(DesktopError):
        scene.desktop.capture(main_window(scene))


def test_a_picture_that_waits_for_the_user_says_so(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mac_commander.desktops.macos import capture

    asking = tmp_path / "asking"
    asking.write_text("#!/bin/sh\nexec sleep 60\n")
    asking.chmod(0o700)
    desktop: Any = scene.desktop
    desktop._screencapture = str(asking)
    monkeypatch.setattr(capture, "CAPTURE_SECONDS", 0.1)
    with pytest.raises(DesktopError, match="asking the user to allow it again"):
        desktop.capture(main_window(scene))


# --- banners -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["done", "Ligne — \"é\" 'ok' 🙂", "a\\", "-e", "--help", "", "two\nlines", "a\u2028b",
     '" & (do shell script "touch /tmp/owned") & "'],
)  # fmt: skip
def test_a_banner_shows_its_text_as_it_is(scene: Scene, text: str) -> None:
    said = scene.desktop.notify(Notification("Title", text, "Sub", "Glass"))
    assert "handed over" in said
    (banner,) = scene.events("notification")
    assert (banner["message"], banner["title"], banner["subtitle"]) == (text, "Title", "Sub")


def test_a_nul_is_refused_and_not_cut(scene: Scene) -> None:
    with pytest.raises(DesktopError, match="not sent"):
        scene.desktop.notify(Notification("Title", "a\0b"))
    assert not scene.events("notification")


@pytest.mark.parametrize(
    ("number", "said"),
    [(-1743, "Privacy & Security > Automation"), (-1712, "nobody is logged in"), (-609, "connection"),
     (-2741, "does not compile")],
)  # fmt: skip
def test_error_numbers_in_words(scene: Scene, number: int, said: str) -> None:
    stderr = f'12:34: execution error: Finder got an error: "x (-1)" ({number})\n'
    assert said in scene.desktop.script_help(1, stderr)
    assert "{" not in scene.desktop.script_help(1, stderr)


def test_unknown_numbers_are_not_explained(scene: Scene) -> None:
    assert scene.desktop.script_help(1, "execution error: what (-9999)") == ""
    assert scene.desktop.script_help(0, "") == ""


def test_scripts_run_by_absolute_programs_on_stdin(scene: Scene) -> None:
    by_suffix = {i.suffix: i for i in scene.desktop.interpreters()}
    assert set(by_suffix) == {".applescript", ".js"}
    assert by_suffix[".applescript"].argv[1:] == ("-",)
    assert by_suffix[".js"].argv[1:] == ("-l", "JavaScript", "-")
    assert all(Path(i.argv[0]).is_absolute() for i in by_suffix.values())


@pytest.mark.parametrize("value", ["it's", "a & b", "", "-e", "--", "x" * 5000, 'q"uote', "é🙂"])
def test_values_arrive_byte_for_byte(scene: Scene, value: str) -> None:
    program = "on run argv\n\treturn item 1 of argv\nend run\n"
    done = child.run([*scene.desktop.interpreters()[0].argv, value], program.encode(), {}, 10.0)
    assert (done.stdout.removesuffix("\n"), done.stderr) == (value, "")


@pytest.mark.parametrize(
    ("host", "named"),
    [({}, sys.executable), ({"hosts_us": True}, "Chat"), ({"hosts_us": True, "disclaims": True}, sys.executable)],
)
def test_the_responsible_program_is_named(raised: Raise, host: World, named: str) -> None:
    scene = raised(TEXTEDIT, app(CHAT, **host), grants={"accessibility": False})
    assert f"not granted to {named}," in scene.desktop.readiness().accessibility


def test_where_macos_does_not_say_who_is_responsible_it_is_who_started_us(raised: Raise) -> None:
    scene = raised(TEXTEDIT, app(CHAT, hosts_us=True, disclaims=True), grants={"accessibility": False})
    desktop: Any = scene.desktop
    del desktop._private._found["responsibility_get_pid_responsible_for_pid"]
    assert "not granted to Chat," in desktop.readiness().accessibility


def test_the_server_has_no_dock_entry(scene: Scene) -> None:
    from AppKit import NSApplication, NSApplicationActivationPolicyProhibited

    assert NSApplication.sharedApplication().activationPolicy() == NSApplicationActivationPolicyProhibited


def test_screens_that_come_in_another_order_are_no_picture(raised: Raise, tmp_path: Path) -> None:
    scene = raised(screens=TWO_SCREENS)
    assert scene.desktop.capture_desktop().width == (1440 + 1920) * 2
    swapping = tmp_path / "swapping"
    swapping.write_text(f'#!/bin/sh\nexec {scene.machine.screencapture} "$1" "$2" "$3" "$5" "$4"\n')
    swapping.chmod(0o700)
    desktop: Any = scene.desktop
    desktop._screencapture = str(swapping)
    with pytest.raises(DesktopError, match="cannot be told apart"):
        desktop.capture_desktop()


def test_granted_but_refused_is_told_apart(raised: Raise) -> None:
    scene = raised(faults=[{"call": "AXUIElementCopyAttributeValue", "code": -25211}])
    said = scene.desktop.readiness().accessibility
    assert "is granted" in said
    assert "remove" in said
