"""What is typed into: five toolkits, each of which tells what it holds."""

from __future__ import annotations

import http.server
import json
import select
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from mac_commander.demo import x_client
from mac_commander.demo.private_desktop import PrivateDesktop
from mac_commander.demo.processes import end, until

SYSTEM_PYTHON = "/usr/bin/python3"
FOLDER = Path(__file__).parent
QUIET_SECONDS = 20.0
"""A target that holds less than was sent, and took nothing new for so long, has all it will ever get."""

READ_SECONDS = 0.05
"""Between two looks at what it holds."""

NAMES = ("gtk3", "gtk4", "qt6", "chromium", "xterm")


class Target(ABC):
    """One window on the desktop, in front and empty when made."""

    process: subprocess.Popen[bytes]
    kind = manager = ""
    """Toolkit and window manager, for the table."""

    def __init__(self, desktop: PrivateDesktop) -> None:
        self.desktop = desktop
        self.window = 0

    @abstractmethod
    def text(self) -> str:
        """What it holds now."""

    @abstractmethod
    def clear(self) -> None: ...

    def clicks(self) -> int:
        """How often its button was pressed since `clear`."""
        return 0

    def settled(self, length: int) -> tuple[str, float]:
        """Its text, once it is that long or no longer grows, and when it was first seen to hold that."""
        seen, since = self.text(), time.monotonic()
        while len(seen) < length and time.monotonic() - since < QUIET_SECONDS:
            time.sleep(READ_SECONDS)
            now = self.text()
            seen, since = now, time.monotonic() if now != seen else since
        return seen, since

    def raise_window(self) -> None:
        """In front, by the window manager."""
        x_client.activate(self.desktop.display, self.window)
        until(lambda: x_client.active_window(self.desktop.display) == self.window, 5)
        time.sleep(0.2)

    def button(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the button on the screen."""
        from bench.guard.editor import BUTTON_HEIGHT, SIZE

        x, y = x_client.origin(self.desktop.display, self.window)
        return x, y + SIZE[1] - BUTTON_HEIGHT, SIZE[0], BUTTON_HEIGHT

    def close(self) -> None:
        end(self.process)


class Editor(Target):
    """`editor.py` in GTK 3, GTK 4 or Qt 6."""

    def __init__(self, desktop: PrivateDesktop, toolkit: str) -> None:
        super().__init__(desktop)
        argv = [SYSTEM_PYTHON, str(FOLDER / "editor.py"), toolkit]
        self.process = desktop.spawn(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.window = desktop.wait_window(title="Target", seconds=30)
        self.raise_window()

    def text(self) -> str:
        return str(self._ask("read")["text"])

    def clear(self) -> None:
        self._ask("clear")

    def clicks(self) -> int:
        return int(self._ask("read")["clicks"])

    def _ask(self, word: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], 60)[0]:
            raise TimeoutError("the target does not answer")
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


class Xterm(Target):
    """A terminal whose input goes to a file."""

    def __init__(self, desktop: PrivateDesktop) -> None:
        super().__init__(desktop)
        self._file = desktop.folder / "typed"
        self._file.write_bytes(b"")
        self.process = desktop.spawn(["xterm", "-u8", "-e", f"stty raw -echo; exec cat >>{self._file}"])
        self.window = desktop.wait_window(pid=self.process.pid)
        self.raise_window()

    def text(self) -> str:
        return self._file.read_bytes().decode("utf-8", "replace").replace("\r", "\n")

    def clear(self) -> None:
        with self._file.open("r+b") as held:
            held.truncate()


PAGE = b"""<!doctype html><meta charset=utf-8><title>Target</title>
<textarea autofocus rows=15 cols=60></textarea><script>
const area = document.querySelector("textarea"); let due = 0
const tell = () => { due = 0; fetch("/", {method: "POST", body: area.value}) }
area.oninput = () => { due = due || setTimeout(tell, 100) }
setInterval(async () => {
  if (await (await fetch("/clear")).text() == "yes") { area.value = ""; area.focus(); tell() }
}, 100)
</script>"""


class Chromium(Target):
    """A page with one text area, which sends its value to us."""

    def __init__(self, desktop: PrivateDesktop) -> None:
        super().__init__(desktop)
        self.held, self.to_clear = "", False
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _page_of(self))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        flags = "--no-sandbox --no-first-run --disable-gpu --disable-sync --password-store=basic --window-size=700,500"
        page = f"--app=http://127.0.0.1:{self._server.server_port}/"
        self.process = desktop.spawn(["chromium", *flags.split(), f"--user-data-dir={desktop.folder}/profile", page])
        self.window = desktop.wait_window(title="Target", seconds=60)
        self.raise_window()
        time.sleep(1)

    def text(self) -> str:
        return self.held

    def clear(self) -> None:
        self.to_clear = True
        until(lambda: not self.to_clear and self.held == "", 60)

    def close(self) -> None:
        super().close()
        self._server.shutdown()
        self._server.server_close()


def _page_of(target: Chromium) -> type[http.server.BaseHTTPRequestHandler]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = PAGE
            if self.path == "/clear":
                body, target.to_clear = (b"yes" if target.to_clear else b"no"), False
            self._answer(body)

        def do_POST(self) -> None:
            target.held = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    return Page


def opened(desktop: PrivateDesktop, name: str) -> Target:
    if name == "xterm":
        return Xterm(desktop)
    return Chromium(desktop) if name == "chromium" else Editor(desktop, name)
