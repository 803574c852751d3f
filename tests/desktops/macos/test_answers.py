"""What `verify` asks macOS beside the server: told in a sentence, or said why it cannot be."""

from __future__ import annotations

from types import ModuleType

import pytest

from mac_commander.errors import DesktopError
from tests.desktops.macos.conftest import Raise
from tests.desktops.macos.scenes import CHAT, TEXTEDIT, app, window


def answers() -> ModuleType:
    from mac_commander.desktops.macos import answers as module

    return module


def test_counters_that_do_not_have_our_events_are_told(raised: Raise) -> None:
    raised()
    assert answers().own_events() == "3 events of ours raised the hardware counter by 0, that of all by 3"
    raised(faults=[{"call": "CGEventSourceCounterForEventType", "code": 0}])
    with pytest.raises(DesktopError, match="can hide behind ours"):
        answers().own_events()


def test_what_is_told_of_a_password_field_is_told_without_it(raised: Raise) -> None:
    scene = raised()
    told = answers().secure_value(scene.app().pid)
    assert told == "as many bullets as characters are told of a password field's text"
    assert "hunter2" not in told


def test_who_holds_secure_input(raised: Raise) -> None:
    scene = raised()
    assert answers().secure_input(scene.app().pid) == "seen, and its holder is named"
    other = raised(secure_input="Chat")
    with pytest.raises(DesktopError, match="is said to hold it"):
        answers().secure_input(other.app().pid)


def test_without_a_password_field_there_is_nothing_to_ask(raised: Raise) -> None:
    scene = raised(app(TEXTEDIT, windows=[window()]), CHAT)
    with pytest.raises(DesktopError, match="not found"):
        answers().secure_value(scene.app().pid)


def test_names_in_other_languages(raised: Raise) -> None:
    raised()
    assert answers().foreign_names() is None
    settings = {"name": "System Settings", "path": "/System/Applications/System Settings.app", "running": False}
    raised(TEXTEDIT, {**settings, "names": {"de": "Systemeinstellungen"}})
    with pytest.raises(DesktopError, match="Réglages Système"):
        answers().foreign_names()


def test_who_draws_what_has_the_keyboard(raised: Raise) -> None:
    field = {"role": "AXTextField", "title": "Search", "bounds": [110, 130, 300, 24], "drawn_by": 5_000_777}
    scene = raised(app(TEXTEDIT, windows=[window(field)]), CHAT)
    told = answers().drawn_in(scene.app().pid)
    assert "drawn by another process; its window is the app's" in told


@pytest.mark.parametrize("through", [True, False])
def test_whether_clicks_go_through_what_lies_over_a_screen(raised: Raise, through: bool) -> None:
    halo = window(title="Halo", bounds=[0, 0, 1440, 900], layer=1000, click_through=through)
    raised(TEXTEDIT, app(CHAT, windows=[halo]))
    assert list(answers().over_all_windows()) == [through]
