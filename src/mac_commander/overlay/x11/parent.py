"""prctl: end with the server even when this process is stopped and cannot read that its input has ended."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1
"""linux/prctl.h. The signal comes when the thread that started us ends, which is the server's main thread."""


def end_with_parent() -> None:
    """Linux only; elsewhere the end of input has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
