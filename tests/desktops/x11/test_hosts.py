"""Which processes run this server, also when a terminal multiplexer stands between."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from mac_commander.desktops.x11 import processes

MULTIPLEXER = """
import os, sys, time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        inner = os.fork()
        if inner == 0:
            os.execv("/bin/sleep", ["sleep", "30"])
        os.write(writer, str(inner).encode())
        time.sleep(30)
    os._exit(0)
os.wait()
print(os.read(reader, 20).decode(), flush=True)
time.sleep(30)
"""
"""Its server leaves the terminal's processes and runs a program; its client stays."""


def test_the_terminal_that_shows_a_multiplexer_is_a_host(tmp_path: Path) -> None:
    program = tmp_path / "tmux"
    program.write_text(MULTIPLEXER, encoding="utf-8")
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        inner = int(client.stdout.readline())
        server = processes.parent(inner)
        try:
            assert os.getpid() not in processes.ancestors(inner)
            assert {client.pid, os.getpid()} <= set(processes.hosts(inner))
            assert os.getpid() not in processes.hosts(server)
        finally:
            for pid in (inner, server, client.pid):
                os.kill(pid, 9)
