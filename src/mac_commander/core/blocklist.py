"""Which apps get no input: the user's blocklist, and processes that never get any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mac_commander.core.names import normal, stem
from mac_commander.errors import Refused
from mac_commander.model import App

ASKING = frozenset(
    normal(name)
    for name in (
        # macOS: authentication, permission and quarantine dialogs
        "SecurityAgent", "com.apple.SecurityAgent", "com.apple.SecurityAgentHelper",
        "coreautha", "com.apple.LocalAuthentication.UIAgent", "com.apple.LocalAuthenticationRemoteService",
        "UserNotificationCenter", "com.apple.UserNotificationCenter",
        "universalAccessAuthWarn", "com.apple.accessibility.universalAccessAuthWarn",
        "CoreServicesUIAgent", "com.apple.coreservices.uiagent", "com.apple.keychain.agent",
        "com.apple.security.pboxd", "com.apple.security.authhost",
        "AuthenticationServicesAgent", "com.apple.AuthenticationServicesCore.AuthenticationServicesAgent",
        # Linux: polkit agents and password prompts
        "polkit-gnome-authentication-agent-1", "polkit-kde-authentication-agent-1",
        "polkit-mate-authentication-agent-1", "polkit-dde-authentication-agent-1", "polkit-ukui-authentication-agent-1",
        "lxpolkit", "lxqt-policykit-agent", "xfce-polkit", "pantheon-agent-polkit",
        "io.elementary.desktop.agent-polkit", "dde-polkit-agent", "gcr-prompter", "gcr4-prompter",
        "gnome-keyring-prompt", "ssh-askpass", "gnome-ssh-askpass", "gnome-ssh-askpass3", "ksshaskpass",
        "lxqt-openssh-askpass", "seahorse-ssh-askpass", "x11-ssh-askpass",
        "pinentry", "pinentry-gtk-2", "pinentry-gtk", "pinentry-gnome3", "pinentry-qt", "pinentry-qt4", "pinentry-qt5",
        "pinentry-fltk", "pinentry-efl", "pinentry-x11", "kdesu", "kdesudo", "gksu", "gksudo",
    )
)  # fmt: skip
"""What shows a window only to ask the user something: while it does, nobody else gets input either."""

ALWAYS_BLOCKED = ASKING | frozenset(
    normal(name)
    for name in (
        # macOS: the lock, and the system's own chrome
        "loginwindow", "com.apple.loginwindow",
        "ScreenSaverEngine", "com.apple.ScreenSaver.Engine", "com.apple.systemuiserver", "SystemUIServer",
        "Dock", "com.apple.dock", "Spotlight", "com.apple.Spotlight", "com.apple.notificationcenterui",
        "Notification Center", "Control Center", "com.apple.controlcenter", "com.apple.wifi.WiFiAgent",
        # Linux: lockers and greeters
        "i3lock", "slock", "xsecurelock", "xscreensaver", "xscreensaver-auth",
        "xscreensaver-gfx", "light-locker", "light-locker-command", "gnome-screensaver", "mate-screensaver",
        "mate-screensaver-dialog", "gnome-screensaver-dialog", "cinnamon-screensaver", "xfce4-screensaver",
        "xfce4-screensaver-dialog", "ukui-screensaver-dialog", "kscreenlocker_greet", "swaylock", "xlock", "alock",
        "sxlock", "lxlock", "dde-lock",
        "lightdm-gtk-greeter", "lightdm", "gdm", "gdm-x-session", "sddm-greeter", "xtrlock", "physlock",
    )
)  # fmt: skip
"""Exact names, ids and program names of what must never get input, whatever the config says."""


def always_blocked(app: App) -> bool:
    """By any of its names, its id (or a child id), or its program's file name."""
    return _is_among(app, ALWAYS_BLOCKED)


def asks_the_user(app: App) -> bool:
    """Whether it is a program whose every window is a question that only the user may answer."""
    return _is_among(app, ASKING)


def _is_among(app: App, known: frozenset[str]) -> bool:
    names = {normal(n) for n in app.every_name} | {normal(app.executable.rpartition("/")[2])}
    families = tuple(f"{one}." for one in known if one.startswith("com.apple."))
    return any(n in known or n.startswith(families) for n in names if n)


class Blocklist:
    """The user's terms: an app is blocked when any of its names, its id or its program's path contains one."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = {normal(t): t for t in terms}

    def term_in(self, names: Iterable[str]) -> str | None:
        """The first term, as the user wrote it, that one of the names contains."""
        forms = {form for n in names for form in (normal(n), stem(n))}
        for key, term in self._terms.items():
            if any(key in form for form in forms):
                return term
        return None

    def matching_none(self, apps: Iterable[Sequence[str]]) -> list[str]:
        """The terms, as the user wrote them, that are in no name of any of these apps."""
        forms = [form for names in apps for n in names for form in (normal(n), stem(n))]
        return [term for key, term in self._terms.items() if not any(key in form for form in forms)]

    def refuse_name(self, requested: str) -> None:
        """Before anything is looked up: a blocked app that does not run is refused, not reported missing."""
        if self.term_in([requested]) is not None:
            raise _refusal(requested)

    def refuse_app(self, app: App, requested: str) -> None:
        """On the process found, by everything it is called."""
        if self.term_in(app.every_name) is not None:
            raise _refusal(requested)

    def blocks(self, app: App) -> bool:
        return self.term_in(app.every_name) is not None


def _refusal(requested: str) -> Refused:
    """One text, whether the app runs or not, so that the answer tells nothing about it."""
    return Refused(
        f"{requested[:80]} is on the user's input blocklist: it gets no input and no screenshot. "
        "Its element tree can be read with see; only the user can change config.json"
    )


class Policy:
    """Every ground on which an app gets no input, asked in one place."""

    def __init__(self, blocklist: Blocklist, host_pids: Sequence[int]) -> None:
        self.blocklist = blocklist
        self.know_hosts(host_pids)

    def know_hosts(self, pids: Sequence[int]) -> None:
        """The processes that run this server, as they are now."""
        self._host_pids = frozenset(pids)

    def refuse_always_blocked(self, app: App) -> None:
        """Raise `Refused` for system dialogs and lockers, and for the client that spawned us and its terminal."""
        if always_blocked(app):
            raise Refused(f"{app.name} is a system dialog or locker: only the user may answer it")
        if self.is_host(app):
            raise Refused(
                f"{app.name} (pid {app.pid}) runs this server: a model that types into its own client could "
                "speak in the user's name, so it gets no input"
            )

    def is_host(self, app: App) -> bool:
        return app.pid in self._host_pids

    def refuse_input(self, app: App, requested: str) -> None:
        """Raise `Refused` unless the app may get input."""
        self.blocklist.refuse_app(app, requested)
        self.refuse_always_blocked(app)

    def hides_pixels(self, app: App) -> bool:
        """No screenshot may show it."""
        return self.blocklist.blocks(app) or always_blocked(app)
