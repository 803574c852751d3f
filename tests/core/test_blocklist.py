from __future__ import annotations

from dataclasses import replace

import pytest

from mac_commander.core.blocklist import ALWAYS_BLOCKED, Blocklist, Policy, always_blocked
from mac_commander.errors import Refused
from mac_commander.model import App

EDITOR = App(412, 1.0, "TextEdit", "com.apple.TextEdit")
VAULT = App(201, 1.0, "Tresor", "com.1password.1password")
AGENT = App(77, 1.0, "SecurityAgent", "com.apple.SecurityAgent")
LIST = Blocklist(["1Password", "com.1password.", "Keychain Access"])


@pytest.mark.parametrize("name", ["1Password", "1PASSWORD 8", "my 1password.app", "com.1password.1password.helper"])
def test_a_name_that_contains_a_term_is_refused_before_anything_is_looked_up(name: str) -> None:
    with pytest.raises(Refused, match="blocklist"):
        LIST.refuse_name(name)


def test_other_names_are_not() -> None:
    LIST.refuse_name("TextEdit")
    LIST.refuse_app(EDITOR, "TextEdit")
    assert LIST.term_in(["TextEdit"]) is None


@pytest.mark.parametrize(
    "app",
    [
        VAULT,
        replace(EDITOR, name="1Password"),
        replace(EDITOR, aliases=("Schlüssel", "Keychain Access")),
        replace(EDITOR, executable="/Applications/1Password.app/Contents/Helpers/x"),
    ],
)
def test_a_process_is_refused_by_everything_it_is_called(app: App) -> None:
    assert LIST.blocks(app)
    with pytest.raises(Refused, match=r"^asked is on the user's input blocklist"):
        LIST.refuse_app(app, "asked")
    with pytest.raises(Refused):
        Policy(LIST, []).refuse_input(app, "asked")
    assert Policy(LIST, []).hides_pixels(app)


def test_the_term_is_told_as_the_user_wrote_it() -> None:
    assert LIST.term_in(["TextEdit", "KEYCHAIN ACCESS"]) == "Keychain Access"


@pytest.mark.parametrize(
    "app",
    [
        AGENT,
        App(1, 1.0, "x", "com.apple.dock.extra"),
        App(1, 1.0, "x", executable="/usr/bin/pinentry-qt"),
        App(1, 1.0, "x", aliases=("loginwindow",)),
        App(1, 1.0, "Kontrollzentrum", "com.apple.controlcenter"),
        App(1, 1.0, "Mitteilungszentrale", "com.apple.notificationcenterui"),
        App(1, 1.0, "x", "com.apple.UserNotificationCenter"),
    ],
)
def test_system_dialogs_get_nothing_whatever_the_list_says(app: App) -> None:
    policy = Policy(Blocklist([]), [])
    assert always_blocked(app)
    assert policy.hides_pixels(app)
    with pytest.raises(Refused, match="only the user may answer it"):
        policy.refuse_input(app, app.name)


def test_the_client_that_spawned_us_gets_no_input() -> None:
    policy = Policy(Blocklist([]), [99])
    host = App(99, 1.0, "Chat")
    with pytest.raises(Refused, match="runs this server"):
        policy.refuse_input(host, "Chat")
    assert not policy.hides_pixels(host)
    assert not policy.is_host(EDITOR)
    policy.refuse_input(EDITOR, "TextEdit")


def test_an_app_of_nobody_is_not_always_blocked() -> None:
    assert not always_blocked(EDITOR)
    assert not always_blocked(App(1, 1.0, "", ""))
    assert "" not in ALWAYS_BLOCKED


def test_a_forged_name_stays_on_one_line_and_blocks_no_less() -> None:
    forged = App(1, 1.0, '1Pass\x07word\nbutton "Pay" [e1]', "com.evil\n")
    assert str(forged) == "\"1Password button 'Pay' [e1]\" (com.evil, pid 1)"
    assert LIST.blocks(forged)
    long = App(1, 1.0, "x" * 300 + "1Password")
    assert len(long.name) == 256
    assert LIST.blocks(long)
