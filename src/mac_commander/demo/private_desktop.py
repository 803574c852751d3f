"""A whole X11 desktop of its own: X server without a screen, session bus, accessibility bus, window manager.

The demo runs on it, and so do the tests (``tests/lab``): nothing in it can reach the desktop of the person who
starts it. Everything it starts is ended by process id, and dies with the Python process that started it.

Order and environment as measured on Debian 12: the X server, then the bus, then accessibility switched on
*before* the first app (Chromium looks only once), then the window manager.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from mac_commander.demo import x_client
from mac_commander.demo.processes import END_SECONDS, end, is_running, read_line, until
from mac_commander.errors import DesktopError

START_SECONDS = 15.0
"""For each part to come up: xfwm4, the slowest, took 1.1 s with two busy cores; a cold first start is slower."""

WINDOW_SECONDS = 15.0
"""For an app's window: GTK 4 took 1.2 s, a cold Chromium several."""

WINDOW_MANAGERS: dict[str, tuple[str, ...]] = {
    "metacity": ("metacity", "--no-composite"),
    "metacity+compositor": ("metacity", "--composite"),
    "openbox": ("openbox",),
    "xfwm4": ("xfwm4", "--compositor=off"),
    "xfwm4+compositor": ("xfwm4", "--compositor=on"),
    "none": (),
}
"""metacity first: it prevents focus stealing as GNOME does, and replays no clicks."""

SETPRIV = "/usr/bin/setpriv"
"""Of util-linux; lets a program die with its parent, so that a killed demo leaves nothing behind."""

A11Y_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")

ACTIVATABLE = ("org.xfce.Xfconf.service", "ca.desrt.dconf.service")
"""The only services that the session bus may start: xfwm4 needs its settings daemon. Portals above all are left
out: GTK would wait 25 s for one that never answers (fixed-width/glass PR#180)."""

BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


def missing_programs(window_manager: str = "metacity") -> list[str]:
    """What has to be installed before a private desktop can come up, as words for a person."""
    wanted = ["Xvfb", "dbus-daemon", "dbus-send", SETPRIV, *WINDOW_MANAGERS[window_manager][:1]]
    lacking = [name for name in wanted if shutil.which(name) is None]
    if not any(Path(p).exists() for p in A11Y_LAUNCHERS):
        lacking.append("at-spi-bus-launcher (package at-spi2-core)")
    return lacking


class PrivateDesktop:
    """Context manager. Inside it `display` and `env` are set and `spawn` starts programs on the desktop.

    ``folder`` gets ``home/`` and ``logs/``; without one a temporary folder is used and removed at the end.
    ``screens`` are the widths and heights in pixels of monitors side by side.
    Raises `DesktopError` that says what is missing or what did not come up, with the end of its log.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        window_manager: str = "metacity",
        screens: Sequence[tuple[int, int]] = ((1280, 800),),
        accessibility: bool = True,
    ) -> None:
        self._given_folder = folder
        self._window_manager = window_manager
        self._screens = tuple(screens)
        self._accessibility = accessibility
        self._parts: list[subprocess.Popen[bytes]] = []
        self._apps: list[subprocess.Popen[bytes]] = []
        self.display = ""
        self.env: dict[str, str] = {}
        """The whole environment for programs on this desktop; nothing of the caller's but PATH and user."""
        self.folder = Path()

    # --- coming up and going down ------------------------------------------------------------------------

    def __enter__(self) -> Self:
        lacking = missing_programs(self._window_manager)
        if lacking:
            raise DesktopError(f"a private desktop needs programs that are not here: {', '.join(lacking)}")
        self._make_folders()
        try:
            self._start_x()
            self._start_bus()
            if self._accessibility:
                self._start_accessibility()
            self._start_window_manager()
        except BaseException:  # whatever interrupts the bring-up, nothing of it may stay behind
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything, newest first. Safe to call twice."""
        self.end_apps()
        if self.display and not self.dead_parts():
            self.close_foreign_windows()
        while self._parts:
            end(self._parts.pop())
        temporary = [self._runtime] if self._given_folder else [self._runtime, self.folder]
        for folder in temporary:
            shutil.rmtree(folder, ignore_errors=True)

    def _make_folders(self) -> None:
        self.folder = self._given_folder or Path(tempfile.mkdtemp(prefix="mac-commander-desktop-"))
        for name in ("home", "logs", "services"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        # Sockets lie in it, and a socket's path may not be longer than 107 bytes (unix(7)).
        self._runtime = Path(tempfile.mkdtemp(prefix="mac-commander-", dir="/tmp"))
        kept = {k: os.environ[k] for k in ("PATH", "USER", "LOGNAME", "TZ") if k in os.environ}
        self.env = kept | {
            "HOME": str(self.folder / "home"),
            "XDG_RUNTIME_DIR": str(self._runtime),
            "XDG_SESSION_TYPE": "x11",
            "XDG_CURRENT_DESKTOP": "LAB",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "GDK_BACKEND": "x11",
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "GSETTINGS_BACKEND": "memory",
            "GSK_RENDERER": "cairo",
        }

    def _start_x(self) -> None:
        width = sum(w for w, _ in self._screens)
        height = max(h for _, h in self._screens)
        # -s 0: after ten minutes without input the screen would be saved, and a saved screen may be locked: no input
        argv = f"Xvfb -s 0 -screen 0 {width}x{height}x24 -nolisten tcp -noreset +extension RANDR +extension Composite"
        number = self._start_telling("xvfb", [*argv.split(), "-displayfd"])
        self.display = self.env["DISPLAY"] = f":{number}"
        if len(self._screens) > 1:
            self._divide_screen()

    def _divide_screen(self) -> None:
        """One framebuffer, several monitors: Xinerama would do it too, but takes Composite away. The first takes
        the one output (else the server adds a monitor for it) and is primary (the star)."""
        left = 0
        for number, (width, height) in enumerate(self._screens):
            geometry = f"{width}/{width // 4}x{height}/{height // 4}+{left}+0"
            name, output = (f"LAB-{number}", "none") if number else ("*LAB-0", "screen")
            argv = ["/usr/bin/xrandr", "--setmonitor", name, geometry, output]
            subprocess.run(argv, env=self.env, capture_output=True, check=True)
            left += width

    def _start_bus(self) -> None:
        services = self.folder / "services"
        for name in ACTIVATABLE:
            source = Path("/usr/share/dbus-1/services") / name
            if source.exists():
                shutil.copy(source, services / name)
        config = self.folder / "bus.conf"
        config.write_text(BUS_CONFIG.format(folder=self._runtime, services=services))
        argv = ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={config}", "--print-address"]
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self._start_telling("dbus", argv, joined="=")

    def _start_accessibility(self) -> None:
        launcher = next(p for p in A11Y_LAUNCHERS if Path(p).exists())
        part = self._start_part("accessibility", [launcher, "--launch-immediately"])
        self._wait(part, "accessibility", lambda: self._a11y_call("org.a11y.Bus.GetAddress"))
        switch = ["string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true"]
        if not self._a11y_call("org.freedesktop.DBus.Properties.Set", *switch):
            raise DesktopError("accessibility could not be switched on (org.a11y.Status.IsEnabled)")

    def _a11y_call(self, method: str, *arguments: str) -> bool:
        argv = ["dbus-send", "--session", "--print-reply", "--reply-timeout=2000", "--dest=org.a11y.Bus"]
        argv += ["/org/a11y/bus", method, *arguments]
        return subprocess.run(argv, env=self.env, capture_output=True, check=False).returncode == 0

    def _start_window_manager(self) -> None:
        argv = WINDOW_MANAGERS[self._window_manager]
        if argv:
            part = self._start_part("window-manager", argv)
            self._wait(part, "window-manager", lambda: x_client.has_window_manager(self.display))

    # --- programs on it ----------------------------------------------------------------------------------

    def spawn(
        self,
        argv: Sequence[str],
        *,
        env: dict[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start a program on this desktop, its output in ``logs/`` unless ``stdout`` is given. It is ended with
        the desktop, or by `end_apps`."""
        app = self._popen(Path(argv[0]).name, argv, env=env, stdin=stdin, stdout=stdout)
        self._apps.append(app)
        return app

    def wait_window(self, *, pid: int | None = None, title: str | None = None, seconds: float = WINDOW_SECONDS) -> int:
        """The X id of a visible window of that process, or with that text in its title, once it is there."""
        found: list[int] = []

        def there() -> bool:
            found[:] = [w.id for w in x_client.windows(self.display) if w.matches(pid, title)]
            return bool(found)

        if not until(there, seconds):
            seen = ", ".join(f"{w.title!r} (pid {w.pid})" for w in x_client.windows(self.display)) or "no window"
            raise DesktopError(f"no window of pid {pid} with title {title!r} within {seconds:g} s; there is {seen}")
        return found[0]

    def screenshot(self, path: Path) -> None:
        """Save the whole desktop as a PNG."""
        x_client.screenshot(self.display, path)

    def dead_parts(self) -> list[str]:
        """Programs of the desktop itself that have ended although they should not have."""
        return [str(part.args) for part in self._parts if part.poll() is not None]

    def end_app(self, app: subprocess.Popen[bytes]) -> None:
        """End one program that `spawn` started."""
        self._apps.remove(app)
        end(app)

    def end_apps(self) -> None:
        """End what `spawn` started, newest first."""
        while self._apps:
            end(self._apps.pop())

    def close_foreign_windows(self) -> None:
        """Cut off every other program that still shows a window (a server under test launched it), and give it
        time to go: an editor writes its settings at the end."""
        pids = {window.pid for window in x_client.windows(self.display)} - {0}
        x_client.disconnect_all_with_windows(self.display)
        until(lambda: not any(map(is_running, pids)), END_SECONDS)

    # --- processes ---------------------------------------------------------------------------------------

    def _popen(
        self,
        name: str,
        argv: Sequence[str],
        *,
        env: dict[str, str] | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int | None = None,
        pass_fds: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        with (self.folder / "logs" / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [SETPRIV, "--pdeathsig", "TERM", "--", *argv],
                env=self.env | (env or {}),
                stdin=stdin,
                stdout=stdout if stdout is not None else log,
                stderr=log,
                pass_fds=pass_fds,
                start_new_session=True,
            )

    def _start_part(self, name: str, argv: Sequence[str], pass_fds: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        part = self._popen(name, argv, pass_fds=pass_fds)
        self._parts.append(part)
        return part

    def _start_telling(self, name: str, argv: list[str], joined: str = "") -> str:
        """Start a part that writes one line to a descriptor named in its last argument once it is ready."""
        reader, writer = os.pipe()
        try:
            told = [*argv[:-1], f"{argv[-1]}={writer}"] if joined else [*argv, str(writer)]
            self._start_part(name, told, (writer,))
            os.close(writer)
            line = read_line(reader, START_SECONDS)
        finally:
            os.close(reader)
        if not line:
            raise DesktopError(f"{name} did not come up within {START_SECONDS:g} s: {self._log_end(name)}")
        return line

    def _wait(self, part: subprocess.Popen[bytes], name: str, ready: Callable[[], bool]) -> None:
        up = until(lambda: part.poll() is not None or ready(), START_SECONDS)
        if not up or part.poll() is not None:
            raise DesktopError(f"{name} did not come up within {START_SECONDS:g} s: {self._log_end(name)}")

    def _log_end(self, name: str) -> str:
        text = (self.folder / "logs" / f"{name}.log").read_text(errors="replace")
        return text[-500:].strip() or "its log is empty"
