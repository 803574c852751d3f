"""What `see` says of windows that nobody may read."""

from __future__ import annotations

from pathlib import Path

from mac_commander.core.config import Config
from mac_commander.core.session import Session
from mac_commander.core.stop import Stop
from mac_commander.model import App, Element, Limits, Rect, Snapshot, Window
from mac_commander.tools.see import SEE
from tests.server.double import AGENT, CHAT, EDITOR, Double

VAULT = App(66, 1.0, "1Password", "com.1password.1password")


def seen(desktop: Double, app: str = "TextEdit") -> list[str]:
    session = Session(desktop, Config(Path("/absent"), input_blocklist=("1Password",)), Stop())
    arguments = {param.name: param.default for param in SEE.params}
    return SEE.handler(session, {**arguments, "app": app}).text.splitlines()


def with_windows_of(*front_to_back: App) -> Double:
    """All apps run, these have windows."""
    windows = {app.pid: [Window(app.pid, app.pid, "My logins", Rect(0, 0, 9, 9))] for app in front_to_back}
    nothing: dict[int, list[Window]] = {app.pid: [] for app in (EDITOR, CHAT, AGENT, VAULT)}
    return Double(
        running=[EDITOR, CHAT, AGENT, VAULT], shown=windows | {p: w for p, w in nothing.items() if p not in windows}
    )


def test_a_blocked_window_in_front_is_one_line() -> None:
    lines = seen(with_windows_of(AGENT, VAULT, CHAT, EDITOR))
    said = "on the blocklist or a system dialog, nothing of it is listed"
    assert lines[1:4] == [
        f"in front of it: SecurityAgent (com.apple.SecurityAgent, pid 77): {said}",
        f"in front of it: 1Password (com.1password.1password, pid 66): {said}",
        "TextEdit (com.apple.TextEdit, pid 412)",
    ]
    assert not [line for line in lines if "My logins" in line and line.startswith("in front")]


def test_a_blocked_window_behind_is_not_worth_a_line() -> None:
    assert seen(with_windows_of(EDITOR, VAULT, AGENT))[1] == "TextEdit (com.apple.TextEdit, pid 412)"


def test_a_blocked_app_that_is_asked_for_is_not_in_front_of_itself() -> None:
    assert seen(with_windows_of(VAULT, EDITOR), "1Password")[1].startswith("1Password (")


class Hanging(Double):
    """Its apps have a button, until they hang."""

    hung = False

    def snapshot(self, app: App, limits: Limits) -> Snapshot:
        button = Element("a", "button", "Save", window=self.windows(app)[0].id)
        if self.hung:
            return Snapshot(app, self.windows(app), (), complete=False, notes=("The app does not answer.",))
        return Snapshot(app, self.windows(app), (button,))


def test_what_could_not_be_read_is_not_called_gone() -> None:
    desktop = Hanging()
    session = Session(desktop, Config(Path("/absent"), input_blocklist=()), Stop())
    arguments = {param.name: param.default for param in SEE.params} | {"app": "TextEdit"}

    def changes() -> list[str]:
        return SEE.handler(session, arguments | {"changes": True}).text.splitlines()[1:]

    SEE.handler(session, arguments)
    desktop.hung = True
    assert changes()[0] == "changes unknown: nothing could be read"
    assert "note: The app does not answer." in changes()
    desktop.hung = False
    assert changes()[0] == "no changes"


def test_among_all_apps_a_note_says_whose_it_is() -> None:
    desktop = Hanging()
    desktop.hung = True
    session = Session(desktop, Config(Path("/absent"), input_blocklist=()), Stop())
    arguments = {param.name: param.default for param in SEE.params} | {"all": True}
    assert f"note: {EDITOR.name}: The app does not answer." in SEE.handler(session, arguments).text.splitlines()
