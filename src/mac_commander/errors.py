"""What can go wrong, each saying what was wanted, what was seen and what to do next."""

from __future__ import annotations

from enum import StrEnum

from mac_commander.model import App


class Cause(StrEnum):
    """Why a batch stopped; the words clients see in ``failed_step.cause``."""

    FOCUS = "focus"
    """The target is not in front, or its front cannot be proven."""
    DIALOG = "dialog"
    """A window or dialog came over the target, its own or another process's."""
    HUMAN = "human"
    STALE = "stale"
    """The ref's element is gone, renamed or replaced."""
    REFUSED = "refused"
    """Policy: blocklist, always-blocked process, chord, secure field, lock, point outside the target."""
    HUNG = "hung"
    GONE = "gone"
    """The target process ended."""
    TIME = "time"
    CANCELLED = "cancelled"
    ERROR = "error"


class CommanderError(Exception):
    """Base of all errors a client is meant to read.

    ``str()`` is the whole message for the model: what was wanted, what was seen, what to do next. It never
    holds typed text, secure values or script arguments (R9).
    """

    cause: Cause = Cause.ERROR

    def __init__(self, message: str, *, frontmost: App | None = None) -> None:
        super().__init__(message)
        self.frontmost = frontmost


class InvalidArgument(CommanderError):
    """The call is refused before anything happens; the message names the argument."""

    cause = Cause.REFUSED


class Refused(CommanderError):
    """Policy or a failed proof. Nothing of the group it judged was sent."""

    cause = Cause.REFUSED

    def __init__(self, message: str, *, cause: Cause = Cause.REFUSED, frontmost: App | None = None) -> None:
        super().__init__(message, frontmost=frontmost)
        self.cause = cause


class NoSuchApp(CommanderError):
    """No app of that exact name; the message lists near names."""

    cause = Cause.GONE


class Stale(CommanderError):
    """The ref's element is not what it was; the message says what it was and names live candidates."""

    cause = Cause.STALE


class Stopped(CommanderError):
    """The stop flag was set: cancellation, end of input, a signal, or the call's own time budget."""

    def __init__(self, message: str, cause: Cause = Cause.CANCELLED) -> None:
        super().__init__(message)
        self.cause = cause


class NotInTime(CommanderError):
    """What a step waited for did not come."""

    cause = Cause.TIME


class DesktopError(CommanderError):
    """The platform refused or failed. Native codes are translated where they arise, one place per platform."""


class Hung(DesktopError):
    """An app, or the accessibility service, did not answer in its time."""

    cause = Cause.HUNG


class Unsupported(DesktopError):
    """The element or the desktop cannot do this at all; nothing happened."""


class Uncertain(DesktopError):
    """An error came after the action may have worked: it must not be repeated."""


class Locked(CommanderError):
    """The server runs but every call is refused, because its config, its log or its desktop cannot be trusted."""

    cause = Cause.REFUSED
