"""A process that ends our X connection when we hold the server too long; run by path, knows nothing of us.

While one client holds the server all others stand still, so a holder that hangs or is stopped freezes the desktop.
A thread could not help: it is stopped with its process. This process shares the connection's socket, and shutting
it down makes the X server drop the grab, whatever state the holder is in.

usage: grab_watchdog.py PIPE SOCKET SECONDS   (descriptors; the pipe brings b"+" at each sign of life while the
server is held, b"-" when it was let go; its end means that the holder is gone)
"""

from __future__ import annotations

import os
import select
import socket
import sys


def watch(pipe: int, connection: socket.socket, seconds: float) -> None:
    holding = False
    while True:
        ready, _, _ = select.select([pipe], [], [], seconds if holding else None)
        sign = os.read(pipe, 1) if ready else b""
        if not sign:
            break
        holding = sign == b"+"
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # closed already by the server


if __name__ == "__main__":
    watch(int(sys.argv[1]), socket.socket(fileno=int(sys.argv[2])), float(sys.argv[3]))
