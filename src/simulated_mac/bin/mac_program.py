"""Stand-ins for ``/usr/bin/osascript`` and ``/usr/sbin/screencapture``, as processes of their own.

Run as ``python mac_program.py SOCKET osascript|screencapture ARGUMENT…``. They ask the simulated Mac at its socket
and need nothing but the standard library, so that they start quickly.
"""

from __future__ import annotations

import base64
import json
import socket
import sys
from pathlib import Path

OSASCRIPT_USAGE = "only `osascript [-l LANGUAGE] - [VALUE...]` with the program on stdin is known"
SCREENCAPTURE_USAGE = "only `screencapture -x [-o] [-t png] -l WINDOW FILE` or `... FILE...` for each display is known"
MISUSED = 2


def ask(path: str, question: dict[str, object]) -> dict[str, object]:
    """One question to the simulated Mac, and its answer."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.connect(path)
        line.sendall(json.dumps(question).encode("ascii") + b"\n")
        line.shutdown(socket.SHUT_WR)
        with line.makefile("rb") as answer:
            found: dict[str, object] = json.loads(answer.read() or b"{}")
    return found


def osascript(path: str, arguments: list[str]) -> int:
    language = "AppleScript"
    if arguments[:1] == ["-l"]:
        language, arguments = (arguments[1] if len(arguments) > 1 else ""), arguments[2:]
    if arguments[:1] != ["-"]:
        return misused("osascript", OSASCRIPT_USAGE)
    program = sys.stdin.buffer.read().decode("utf-8", "replace")
    answer = ask(path, {"tool": "osascript", "language": language, "program": program, "argv": arguments[1:]})
    sys.stdout.buffer.write(str(answer.get("stdout", "")).encode("utf-8", "replace"))
    sys.stderr.buffer.write(str(answer.get("stderr", "")).encode("utf-8", "replace"))
    return int(str(answer.get("exit", 1)))


def screencapture(path: str, arguments: list[str]) -> int:
    wanted = capture_arguments(arguments)
    if wanted is None:
        return misused("screencapture", SCREENCAPTURE_USAGE)
    window, files = wanted
    answer = ask(path, {"tool": "screencapture", "window": window, "count": len(files)})
    pictures = answer.get("pictures")
    if not isinstance(pictures, list):
        sys.stderr.write(str(answer.get("stderr", "")))
        return 1
    for file, picture in zip(files, pictures, strict=False):
        Path(file).write_bytes(base64.b64decode(picture))
    return 0


def capture_arguments(arguments: list[str]) -> tuple[int | None, list[str]] | None:
    """The window, if one is named, and the files; ``None`` for what is not known."""
    window: int | None = None
    files: list[str] = []
    left = list(arguments)
    while left:
        word = left.pop(0)
        if word.startswith("-l"):
            number = word[2:] or (left.pop(0) if left else "")
            if not number.isdigit():
                return None
            window = int(number)
        elif word == "-t":
            if not left or left.pop(0) != "png":
                return None
        elif not word.startswith("-"):
            files.append(word)
        elif not set(word[1:]) <= set("xor"):
            return None
    return (window, files) if files else None


def misused(name: str, usage: str) -> int:
    sys.stderr.write(f"{name} of the simulated Mac: {usage}\n")
    return MISUSED


def main(path: str, name: str, *arguments: str) -> int:
    try:
        return {"osascript": osascript, "screencapture": screencapture}[name](path, list(arguments))
    except OSError as error:
        sys.stderr.write(f"{name}: the simulated Mac does not answer: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
