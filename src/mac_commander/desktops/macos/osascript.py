"""``osascript -``: constant programs on stdin, every value on argv, and its error numbers in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mac_commander import child
from mac_commander.errors import DesktopError
from mac_commander.model import Interpreter, Notification

NOTIFY_SECONDS = 3.0
"""`base.CALL_SECONDS`. The first call waits for no dialog: a missing grant drops the banner silently."""

_ENVIRONMENT = {"LANG": "en_US.UTF-8", "PATH": "/usr/bin:/bin"}
"""All that a banner needs. Values on argv are UTF-8."""

_NOTIFY = """\
on run argv
	set {theMessage, theTitle, theSubtitle, theSound} to argv
	if theSound is "" then
		display notification theMessage with title theTitle subtitle theSubtitle
	else
		display notification theMessage with title theTitle subtitle theSubtitle sound name theSound
	end if
end run
"""

_ERRORS: Mapping[int, str] = {
    -1743: "{responsible} may not control that app. Allow it in System Settings > Privacy & Security > Automation. "
    "When it is not listed there, its maker left out the usage text that the dialog needs: run the server from a "
    "terminal instead",
    -1712: "the app did not answer the Apple event in time (AppleScript's own limit, two minutes unless the script "
    "says `with timeout`). It may show a dialog, be stuck, or nobody is logged in at the screen; what was asked may "
    "still happen",
    -609: "the connection to the app was lost: it quit, crashed or was just starting. Try again in half a minute",
    -2741: "the script does not compile: AppleScript found a word where it expected the end of a line or another "
    "word. Correct the file in scripts/",
    -600: "the app is not running. Launch it first",
    -1728: "the script asked for an object that does not exist, such as a window of an app that has none",
    -25211: "osascript may not use accessibility. Turn {responsible} on in System Settings > Privacy & Security > "
    "Accessibility",
    -1719: "the script asked for an item that does not exist, or osascript may not use accessibility",
    -128: "the user cancelled",
}
"""AppleScript's error numbers (MacErrors.h, AEDataModel.h) that users of such servers meet."""

_NUMBER = re.compile(r"\((-\d+)\)\s*$", re.MULTILINE)


def interpreters(osascript: str) -> tuple[Interpreter, ...]:
    return (
        Interpreter(".applescript", (osascript, "-"), "--"),
        Interpreter(".js", (osascript, "-l", "JavaScript", "-"), "//"),
    )


def notify(osascript: str, notification: Notification, responsible: str) -> str:
    """Hand the banner over. Exit 0 says no more than that: macOS drops it silently when the sender may not show
    any, or a Focus is on (terminal-notifier #243)."""
    values = (notification.message, notification.title, notification.subtitle, notification.sound)
    try:
        done = child.run([osascript, "-", *values], _NOTIFY.encode(), _ENVIRONMENT, NOTIFY_SECONDS)
    except (OSError, ValueError) as error:
        raise DesktopError(f"the notification was not sent: {osascript} cannot be run ({error})") from None
    if done.timed_out:
        raise DesktopError("the notification was perhaps not sent: osascript did not end in time")
    if done.code != 0:
        raise DesktopError(f"the notification was not sent: {explain(done.code, done.stderr, responsible)}")
    return (
        "handed over to macOS, which shows it as Script Editor; a Focus, or notifications turned off for Script "
        "Editor, hide it without a word"
    )


def explain(code: int, stderr: str, responsible: str) -> str:
    """What the error number at the end of osascript's message means; empty when it is none we know."""
    numbers = _NUMBER.findall(stderr)
    words = _ERRORS.get(int(numbers[-1])) if numbers else None
    if words is None:
        return "" if code == 0 or numbers else f"osascript ended with exit code {code}"
    return words.format(responsible=responsible)
