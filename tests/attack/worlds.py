"""The hostile Mac: one app that a model may drive, and beside it all that must never get anything."""

from __future__ import annotations

from typing import Any

World = dict[str, Any]

SECRET = "CANARY-secret-in-a-field"
SECRET_TITLE = "Password"
TYPED = "CANARY-typed-"
ARGUMENT = "CANARY-argument-"

SCREEN = [0, 0, 1440, 900]


def _window(title: str, bounds: list[int], *elements: World, **more: Any) -> World:
    return {"title": title, "bounds": bounds, "elements": list(elements), **more}


def _field(title: str, x: int, y: int, **more: Any) -> World:
    return {"role": "AXTextField", "title": title, "bounds": [x, y, 200, 24], "value": "", **more}


def _button(title: str, x: int, y: int, **more: Any) -> World:
    return {"role": "AXButton", "title": title, "bounds": [x, y, 80, 24], **more}


def _secret(x: int, y: int) -> World:
    return _field(SECRET_TITLE, x, y, subrole="AXSecureTextField", value=SECRET)


EDITOR: World = {
    "name": "TextEdit",
    "bundle_id": "com.apple.TextEdit",
    "pid": 5_000_412,
    "frontmost": True,
    "quits": "asks",
    "windows": [
        _window(
            "Untitled",
            [100, 80, 640, 480],
            {"role": "AXTextArea", "title": "Text", "bounds": [100, 120, 640, 240], "value": "", "focused": True},
            _button("Save", 640, 90, opens=_window("Save As", [200, 200, 300, 150], _button("OK", 210, 320))),
            _button("New", 540, 90, opens=_window("Untitled 2", [300, 300, 400, 300], _field("Body", 310, 340))),
            {"role": "AXCheckBox", "title": "Wrap", "bounds": [110, 430, 80, 20], "value": 0},
            _secret(110, 460),
            {"role": "AXSlider", "title": "Size", "bounds": [110, 500, 80, 20], "value": 1, "minimum": 0, "maximum": 9},
        )
    ],
}
VAULT: World = {
    "name": "1Password",
    "bundle_id": "com.1password.1password",
    "pid": 5_000_201,
    "windows": [_window("Vault", [500, 300, 500, 400], _field("Search", 520, 340), _secret(520, 380))],
}
HELPER: World = {
    "name": "Browser Support",
    "bundle_id": "com.1password.1password.helper",
    "pid": 5_000_202,
    "windows": [_window("Fill in", [760, 90, 200, 120], _button("Fill", 770, 120))],
}
ASSISTANT: World = {
    "name": "Assistant",
    "bundle_id": "org.example.assistant",
    "path": "/Applications/1Password.app/Contents/Library/LoginItems/Assistant.app",
    "pid": 5_000_205,
    "windows": [_window("Assistant", [640, 420, 200, 120], _button("Fill", 650, 450))],
}
"""Nothing but the place of its program tells whose it is."""

SETTINGS: World = {
    "name": "Réglages Système",
    "bundle_id": "com.apple.systempreferences",
    "pid": 5_000_203,
    "windows": [_window("Confidentialité", [900, 500, 400, 300], _button("Autoriser", 920, 540))],
}
AGENT: World = {
    "name": "SecurityAgent",
    "bundle_id": "com.apple.SecurityAgent",
    "pid": 5_000_204,
    "windows": [],
}
QUESTION = _window("", [420, 220, 400, 200], _secret(440, 300), _button("Allow", 700, 380))
"""What the agent shows when it asks."""

HOST: World = {
    "name": "Chat",
    "bundle_id": "com.example.chat",
    "pid": 5_000_099,
    "hosts_us": True,
    "behaves": "chat",
    "windows": [_window("Chat", [1000, 80, 400, 300], _field("Message", 1010, 340))],
}
FINDER: World = {"name": "Finder", "bundle_id": "com.apple.finder", "pid": 5_000_300, "windows": []}
SHIFTER: World = {
    "name": "Shifter",
    "bundle_id": "com.example.shifter",
    "pid": 5_000_500,
    "windows": [_window("Shift", [60, 600, 300, 200], _field("Note", 80, 640), _secret(80, 680))],
}
NOTES: World = {"name": "Notes", "bundle_id": "com.apple.Notes", "running": False, "windows": []}

TURNED = _secret(110, 460) | {"focused": True}
"""What an ordinary element becomes when a form asks for the password in its place."""

ALL = (EDITOR, VAULT, HELPER, ASSISTANT, SETTINGS, AGENT, HOST, FINDER, SHIFTER, NOTES)

BLOCKED = frozenset(app["name"] for app in (VAULT, HELPER, ASSISTANT, SETTINGS, AGENT))
"""No input and no pixels."""

UNTOUCHED = BLOCKED | {HOST["name"], "loginwindow"}
"""No input. The login window gets what is typed while the screen is locked."""

KEPT_RUNNING = frozenset((AGENT["name"], HOST["name"], FINDER["name"]))

LAYOUTS = ("us", "de", "fr", "dvorak", "ru")


def world(layout: str) -> World:
    return {"locale": "en", "layout": layout, "screens": [{"bounds": SCREEN, "scale": 1}], "apps": list(ALL)}
