"""A process that ends our X connection when we hold the server too long; run by path, knows nothing of us.

While one client holds the server all others stand still, so a holder that hangs or is stopped freezes the desktop.
A thread could not help: it is stopped with its process. This process shares the connection's socket, and shutting
it down makes the X server drop the grab, whatever state the holder is in.

Both share two numbers: when the holder last showed life in a hold (0.0: it holds nothing), and whether this
process is looking. Looking costs the holder nothing, where a byte in the pipe at every grab woke this process each
time and cost a third of the typing speed (measured). When nothing was held for a while it sleeps until a byte comes.

usage: grab_watchdog.py PIPE SOCKET MEMORY SECONDS   (descriptors; the end of the pipe says that the holder is gone)
"""

from __future__ import annotations

import mmap
import os
import select
import socket
import struct
import sys
import time

LAYOUT = struct.Struct("=dd")
LOOK_SECONDS = 0.025
IDLE_SECONDS = 1.0


def watch(pipe: int, connection: socket.socket, shared: mmap.mmap, longest: float) -> None:
    """Returns when the holder is gone, or after its connection was shut down."""
    quiet_since = time.monotonic()
    while True:
        alive, _ = LAYOUT.unpack_from(shared)
        now = time.monotonic()
        if alive and now - alive > longest:
            break
        quiet_since = now if alive else quiet_since
        sleepy = now - quiet_since > IDLE_SECONDS
        if sleepy:
            struct.pack_into("=d", shared, 8, 0.0)
            sleepy = not LAYOUT.unpack_from(shared)[0]  # it may have begun just before it was told to wake us
        ready, _, _ = select.select([pipe], [], [], None if sleepy else LOOK_SECONDS)
        struct.pack_into("=d", shared, 8, 1.0)
        if ready and not os.read(pipe, 64):
            break
        quiet_since = time.monotonic() if ready else quiet_since
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # closed already by the server


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:4]]
    watch(numbers[0], socket.socket(fileno=numbers[1]), mmap.mmap(numbers[2], LAYOUT.size), float(sys.argv[4]))
