"""What the simulated Mac does for its programs, osascript and screencapture, and the socket that they ask at."""

from __future__ import annotations

import atexit
import base64
import json
import os
import shlex
import shutil
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulated_mac.applescript import Interpreter, ScriptError, Unknown
from simulated_mac.applescript.run import Process

if TYPE_CHECKING:
    from simulated_mac.machine import Machine

NAMES = ("osascript", "screencapture")
PREFIX = "simulated-mac-"
"""Of the private folders; the pid of the owner follows, so that the next one can clear what a killed one left."""

FOLDER_MOST = 60
"""Characters of the temporary folder's path: a socket's whole path has at most 104 on macOS."""

QUESTION_MOST = 64 << 20
"""Bytes of one question; a script of this size is no script."""

Answer = dict[str, Any]


class Programs:
    """Serves them on a socket in a private folder, where each also has a launcher to be run by its path."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        _clear_what_the_dead_left()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=_temporary()))
        self._socket = self.folder / "socket"
        for name in NAMES:
            self._write_launcher(name)
        self._server = _Server(str(self._socket), self._answer, self._pass_time)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True, name="simulated Mac").start()
        atexit.register(self.close)

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def close(self) -> None:
        if not self.folder.exists():
            return
        self._server.shutdown()
        self._server.server_close()
        shutil.rmtree(self.folder, ignore_errors=True)
        atexit.unregister(self.close)

    def _write_launcher(self, name: str) -> None:
        program = Path(__file__).parent / "bin" / "mac_program.py"
        words = shlex.join([sys.executable, "-I", str(program), str(self._socket), name])
        launcher = self.folder / name
        launcher.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        launcher.chmod(0o700)

    def _pass_time(self) -> None:
        """What the world has for this moment happens also while nobody calls."""
        with self._machine.lock:
            self._machine.catch_up()

    def _answer(self, question: Answer) -> Answer:
        return {"osascript": self._osascript, "screencapture": self._screencapture}[question["tool"]](question)

    # --- osascript ---------------------------------------------------------------------------------------------

    def _osascript(self, question: Answer) -> Answer:
        argv = question["argv"]
        with self._machine.lock:
            self._machine.catch_up()
            self._machine.record("script", "osascript", argv=argv)
            fault = self._machine.faults.find("osascript")
        if fault is not None:
            time.sleep(fault.delay)
        if fault is not None and fault.code and not fault.works_anyway:
            return _failed(f"execution error: An error of type {fault.code} has occurred.", fault.code)
        if question["language"] != "AppleScript":
            return _refused(f"osascript of the simulated Mac knows no {question['language']}")
        interpreter = Interpreter(_Computer(self._machine))
        try:
            printed = interpreter.run(question["program"], argv)
        except ScriptError as error:
            return _failed(f"execution error: {error.message}", error.number, interpreter.logged)
        except Unknown as unknown:
            return _refused(f"osascript of the simulated Mac does not know line {unknown.line}: {unknown.text}")
        return {"stdout": printed + "\n" if printed else "", "stderr": _lines(interpreter.logged), "exit": 0}

    # --- screencapture -----------------------------------------------------------------------------------------

    def _screencapture(self, question: Answer) -> Answer:
        with self._machine.lock:
            self._machine.catch_up()
            if not self._machine.grants["screen_recording"] or self._machine.faults.find("screencapture"):
                return {"stderr": "could not create image from window\n"}
            if question["window"] is None:
                return {"pictures": self._screens(question["count"])}
            picture = self._window(question["window"])
        return {"pictures": [picture]} if picture else {"stderr": "could not create image from window\n"}

    def _window(self, number: int) -> str | None:
        from simulated_mac import picture  # pillow is slow to import, and few sessions take pictures

        found = next((w for w in self._machine.stack if w.number == number and w.visible and w.listed), None)
        if found is None:
            return None
        self._machine.record("capture", found.app, window=number)
        return _base64(picture.of_window(self._machine, found))

    def _screens(self, count: int) -> list[str]:
        from simulated_mac import picture  # as above

        self._machine.record("capture", "Window Server", window="screen")
        shown = range(min(count, len(self._machine.screens)))
        return [_base64(picture.of_screen(self._machine, index)) for index in shown]


class _Computer:
    """What a script reaches, each under the machine's lock."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def clipboard(self) -> str:
        with self._machine.lock:
            return self._machine.pasteboard.text

    def set_clipboard(self, text: str) -> None:
        with self._machine.lock:
            self._machine.pasteboard.copy(text)

    def front_process(self) -> Process:
        with self._machine.lock:
            front = self._machine.front
            if front is None:
                raise ScriptError("Can’t get application process 1. Invalid index.", -1719)
            return Process(front.local_name, [w.title for w in self._machine.stack if w.app is front and w.visible])

    def activate(self, name: str) -> bool:
        with self._machine.lock:
            app = next((app for app in self._machine.apps if app.answers_to(name)), None)
            if app is not None:
                self._machine.life.launch(app)
            return app is not None

    def notify(self, message: str, title: str, subtitle: str, sound: str) -> None:
        with self._machine.lock:
            told = {"message": message, "title": title, "subtitle": subtitle, "sound": sound}
            self._machine.record("notification", "Notification Center", **told)


def _temporary() -> Path:
    usual = tempfile.gettempdir()
    return Path(usual if len(usual) < FOLDER_MOST else "/tmp")  # noqa: S108 - our folder in it is made with mode 0700


def _clear_what_the_dead_left() -> None:
    for folder in _temporary().glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).split("-")[0]
        if owner.isdigit() and not _lives(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)  # another user's cannot be removed, and need not be


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _failed(message: str, number: int, logged: Sequence[str] = ()) -> Answer:
    return {"stdout": "", "stderr": f"{_lines(logged)}0:0: {message} ({number})\n", "exit": 1}


def _lines(logged: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in logged)


def _refused(message: str) -> Answer:
    return {"stdout": "", "stderr": f"{message}\n", "exit": 3}


def _base64(png: bytes) -> str:
    return base64.b64encode(png).decode("ascii")


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def __init__(self, path: str, answer: Callable[[Answer], Answer], service_actions: Callable[[], None]) -> None:
        self.answer = answer
        self.service_actions = service_actions  # type: ignore[method-assign]  # called between questions
        super().__init__(path, _Handler)


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        """Nothing is said when the program was ended before it asked, or while it waited for the answer."""
        line = self.rfile.readline(QUESTION_MOST)
        if not line.endswith(b"\n"):
            return
        answer = self.server.answer(json.loads(line))  # type: ignore[attr-defined]  # our own server class
        with suppress(ConnectionError):
            self.wfile.write(json.dumps(answer).encode("ascii"))
