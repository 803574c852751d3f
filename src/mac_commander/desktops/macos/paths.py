"""Absolute paths of the system programs that this desktop runs, and of the folders that apps live in.

Absolute, so that nothing in the environment can put another program in their place.
"""

from __future__ import annotations

OSASCRIPT = "/usr/bin/osascript"
SCREENCAPTURE = "/usr/sbin/screencapture"
PS = "/bin/ps"

APPLICATION_FOLDERS = (
    "/System/Applications",
    "/System/Applications/Utilities",
    "/System/Cryptexes/App/System/Applications",
    "/Applications",
    "/Applications/Utilities",
    "/System/Library/CoreServices",
    "/System/Library/CoreServices/Applications",
    "~/Applications",
)
"""Where `launch` looks, the system's own first: an app of the same name in a folder that the user can write
never shadows one of the system's. Safari lives in the cryptex since macOS 13."""
