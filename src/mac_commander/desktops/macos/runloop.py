"""Turns of the main run loop: without them NSWorkspace answers for ever what it answered first."""

from __future__ import annotations

import time

import objc
from CoreFoundation import CFRunLoopRunInMode, kCFRunLoopDefaultMode, kCFRunLoopRunFinished, kCFRunLoopRunHandledSource

MOST_SOURCES = 100
"""A turn ends after so many handled sources: an app that floods us with notifications must not hold a guard."""


def turn() -> None:
    """Take in everything that is waiting, without waiting for more."""
    for _ in range(MOST_SOURCES):
        if CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.0, True) != kCFRunLoopRunHandledSource:
            return


def idle(seconds: float) -> None:
    """`turn_for`, and let go of what Objective-C kept for this thread: no event loop of AppKit's runs here that
    would, and a server lives for weeks."""
    turn_for(seconds)
    objc.recycleAutoreleasePool()


def turn_for(seconds: float) -> bool:
    """Let at most this much time pass; ends early, with ``True``, when something came in."""
    begun = time.monotonic()
    result = CFRunLoopRunInMode(kCFRunLoopDefaultMode, seconds, True)
    if result == kCFRunLoopRunFinished:
        # A loop without sources returns at once: sleep, or a wait would become a busy loop.
        time.sleep(max(0.0, seconds - (time.monotonic() - begun)))
    turn()
    return bool(result == kCFRunLoopRunHandledSource)
