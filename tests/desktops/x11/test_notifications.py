"""Banners, as a daemon of our own receives them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mac_commander.desktops.x11.notifications import Notifier
from mac_commander.errors import DesktopError, Hung
from mac_commander.model import Notification
from tests.lab import Lab, end

TEXT = 'é — "quoted" \' a & b < c > d <b>bold</b> \\ 🙂'


@contextmanager
def daemon(lab: Lab, *capabilities: str) -> Iterator[Any]:
    """Gives a function that returns what the daemon was told next."""
    script = str(Path(__file__).with_name("notification_daemon.py"))
    process = lab.spawn([sys.executable, script, *capabilities], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    try:
        yield lambda: json.loads(process.stdout.readline())
    finally:
        end(process)


def notifier(lab: Lab) -> Notifier:
    return Notifier(lab.env["DBUS_SESSION_BUS_ADDRESS"])


def test_plain_text_arrives_as_it_is(lab: Lab) -> None:
    with daemon(lab, "body") as told:
        sentence = notifier(lab).notify(Notification("Title <b>", TEXT))
        assert "notification daemon" in sentence
        app, replaces, _icon, title, body, actions, hints, expires = told()
    assert (app, replaces, title, body) == ("Mac-Commander", 0, "Title <b>", TEXT)
    assert (actions, hints, expires) == ([], {}, -1)


def test_markup_is_escaped_where_the_daemon_reads_it(lab: Lab) -> None:
    with daemon(lab, "body", "body-markup") as told:
        notifier(lab).notify(Notification("Title <b> & more", "a & b < c <i>x</i>"))
        title, body = told()[3:5]
    assert title == "Title <b> & more", "the summary is plain text in the specification"
    assert body == "a &amp; b &lt; c &lt;i&gt;x&lt;/i&gt;"


def test_subtitle_and_sound(lab: Lab) -> None:
    with daemon(lab, "body") as told:
        notifier(lab).notify(Notification("T", "message", subtitle="sub", sound="bell"))
        body, _actions, hints = told()[4:7]
    assert body == "sub\nmessage"
    assert hints == {"sound-name": "bell"}


def test_nobody_there_is_said_plainly(lab: Lab) -> None:
    with pytest.raises(DesktopError, match="no notification daemon runs"):
        notifier(lab).notify(Notification("T", TEXT))


def test_a_silent_daemon_does_not_hold_us(lab: Lab) -> None:
    with daemon(lab, "silent"), pytest.raises(Hung, match="does not answer"):
        notifier(lab).notify(Notification("T", TEXT))


@pytest.mark.parametrize("address", ["", "unix:path=/nonexistent/bus", "nonsense", "tcp:host=x"])
def test_no_session_bus_is_said_plainly(address: str) -> None:
    with pytest.raises(DesktopError, match="session bus cannot be reached"):
        Notifier(address).notify(Notification("T", TEXT))
