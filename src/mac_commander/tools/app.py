"""``app``: launch, quit, switch or hide an app by name, and place its window. Requests, judged by what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mac_commander.core.arguments import Param
from mac_commander.core.blocklist import always_blocked
from mac_commander.core.names import normal
from mac_commander.core.reply import Reply, json_reply
from mac_commander.core.screen_text import quoted, visible
from mac_commander.core.session import Session, not_running
from mac_commander.errors import InvalidArgument, NoSuchApp, Refused
from mac_commander.model import App, Installed, Point, Window, WindowKind
from mac_commander.tools.declaration import Tool, json_failure, text_of

LAUNCH_SECONDS = 15.0
QUIT_SECONDS = 5.0
"""Both are the mission's."""

HIDE_SECONDS = 3.0
WINDOW_SECONDS = 3.0
"""For the first window of an app that says it has finished launching."""

POSITION_MOST = 100_000
"""Farther out than any arrangement of displays."""

SIZE_MOST = 20_000

PLACED_WITHIN = 2.0
"""Points by which a window may miss and still count as placed: terminals and some editors resize by whole rows."""

NEVER_QUIT = frozenset(
    map(
        normal,
        "Finder com.apple.finder gnome-shell org.gnome.Shell plasmashell org.kde.plasmashell xfdesktop xfce4-panel "
        "xfce4-session mate-panel mate-session cinnamon lxqt-panel pcmanfm-desktop nemo-desktop caja-desktop".split(),
    )
)
"""The desktop itself: without it the user has nothing to start an app from."""


def _run(session: Session, args: dict[str, Any]) -> Reply:
    action, window = args["action"], args["window"]
    if window is not None:
        _check_window(action, window)
    told = _ACTIONS[action](session, args["name"])
    if window is not None and told["ok"]:
        told |= _place(session, session.resolve(args["name"], "name"), window)
    verdict = f"ok: {action}" if told["ok"] else f"failed: {action}"
    return json_reply({"action": action} | told, verdict, is_error=not told["ok"])


def _launch(session: Session, name: str) -> dict[str, Any]:
    try:
        what = session.find_installed(name)
    except NoSuchApp:
        return _switch_instead(session, name)
    _refuse_blocked(not_running(what))
    return _launched(session, what)


def _launched(session: Session, what: Installed) -> dict[str, Any]:
    ticket = session.desktop.launch(what)
    progress = session.desktop.launch_progress(ticket)

    def ready() -> bool:
        nonlocal progress
        progress = session.desktop.launch_progress(ticket)
        return progress.ready

    if session.wait(LAUNCH_SECONDS, ready):
        return {"ok": True} | _of(progress.app)
    running = "it runs but is not ready" if progress.app else "no process of it was seen"
    return _failed(f"{what.name} has not finished launching within {LAUNCH_SECONDS:g} s: {running}", progress.app)


def _switch_instead(session: Session, name: str) -> dict[str, Any]:
    """A running app that is not among the installed ones can still be brought to the front."""
    try:
        running = session.resolve(name, "name")
    except NoSuchApp:
        session.find_installed(name)  # raises with the near names among the installed ones
        raise
    _refuse_blocked(running)
    session.bring_to_front(running)
    return {"ok": True} | _of(running) | {"note": "it was running already"}


def _quit(session: Session, name: str) -> dict[str, Any]:
    app = session.resolve(name, "name")
    session.policy.refuse_always_blocked(app)
    if NEVER_QUIT & {normal(n) for n in app.every_name}:
        raise Refused(f"{app.name} is the desktop itself: it is never quit")
    session.desktop.request_quit(app)
    if session.wait(QUIT_SECONDS, lambda: not session.desktop.is_running(app)):
        return {"ok": True} | _of(app)
    shown = _dialogs(session, app)
    why = f"it shows {shown}" if shown else "it shows no dialog; it may be busy, or stay in the background by design"
    return _failed(f"{app.name} still runs {QUIT_SECONDS:g} s after it was asked to quit: {why}", app)


def _dialogs(session: Session, app: App) -> str:
    windows = session.desktop.windows(app)
    asking = [w for w in windows if w.kind in (WindowKind.DIALOG, WindowKind.SHEET)] or list(windows)
    return ", ".join(f"{w.kind} {quoted(_title(session, app, w))}" for w in asking[:3])


def _title(session: Session, app: App, window: Window) -> str:
    """Empty for an app of which the user wants nothing shown."""
    hidden = session.config.hide_blocked_apps and session.policy.blocklist.blocks(app)
    return "" if hidden else window.title


def _switch(session: Session, name: str) -> dict[str, Any]:
    app = session.resolve(name, "name")
    _refuse_blocked(app)
    session.bring_to_front(app)
    return {"ok": True} | _of(app)


def _hide(session: Session, name: str) -> dict[str, Any]:
    app = session.resolve(name, "name")
    _refuse_blocked(app)
    session.desktop.hide(app)
    if session.wait(HIDE_SECONDS, lambda: session.desktop.is_hidden(app)):
        return {"ok": True} | _of(app)
    return _failed(f"{app.name} was asked to hide and can still be seen after {HIDE_SECONDS:g} s", app)


_ACTIONS = {"launch": _launch, "quit": _quit, "switch": _switch, "hide": _hide}


def _refuse_blocked(app: App) -> None:
    """The user's blocklist gates input, not this tool; system dialogs and lockers are never touched. The client
    itself may be brought to the front."""
    if always_blocked(app):
        raise Refused(f"{app.name} is a system dialog or locker: only the user may handle it")


def _of(app: App | None) -> dict[str, Any]:
    return {} if app is None else {"app": {"name": app.name, "id": app.app_id, "pid": app.pid}}


def _failed(reason: str, app: App | None) -> dict[str, Any]:
    return {"ok": False, "reason": reason} | _of(app)


# --- the window ------------------------------------------------------------------------------------------------


def _check_window(action: str, window: Mapping[str, Any]) -> None:
    if action not in ("launch", "switch"):
        raise InvalidArgument(f"window: goes with launch and switch, not with {action}")
    if window["move"] is None and window["size"] is None:
        raise InvalidArgument("window: wanted move [x, y], size [w, h], or both")


def _place(session: Session, app: App, wanted: Mapping[str, Any]) -> dict[str, Any]:
    _refuse_blocked(app)  # another process may answer to the name than the one that was launched
    window = _front_window(session, app)
    if window is None:
        return _failed(f"{app.name} shows no window that could be placed", app)
    move = None if wanted["move"] is None else Point(*wanted["move"])
    size = None if wanted["size"] is None else (wanted["size"][0], wanted["size"][1])
    bounds = session.desktop.place(window, move, size)
    asked = [*(move or bounds[:2]), *(size or bounds[2:])]
    told: dict[str, Any] = {"window": {"title": visible(_title(session, app, window)), "bounds": list(bounds)}}
    if any(abs(have - want) > PLACED_WITHIN for have, want in zip(bounds, asked, strict=True)):
        told["note"] = f"asked for {asked}; the app or the window manager chose the bounds given here"
    return told


def _front_window(session: Session, app: App) -> Window | None:
    session.wait(WINDOW_SECONDS, lambda: session.main_window(app) is not None)
    return session.main_window(app)


def _summarise(arguments: Mapping[str, Any]) -> tuple[str, str]:
    window, action = arguments.get("window"), text_of(arguments, "action")
    placed = [key for key in ("move", "size") if isinstance(window, dict) and key in window]
    shown = action if action in _ACTIONS else "unknown action"
    return text_of(arguments, "name"), f"{shown} window({', '.join(placed)})" if placed else shown


def _pair(name: str, least: float, most: float, description: str) -> Param:
    return Param(name, "array", description, item=Param("", "number", least=least, most=most), least=2, most=2)


APP = Tool(
    name="app",
    title="App",
    description="Launch (until ready), quit (never forced), switch to or hide an app.",
    params=(
        Param("action", "string", required=True, choices=tuple(_ACTIONS)),
        Param("name", "string", "Exact name or id", required=True),
        Param(
            "window",
            "object",
            "Place its front window",
            fields=(
                _pair("move", -POSITION_MOST, POSITION_MOST, "[x, y]"),
                _pair("size", 1, SIZE_MOST, "[w, h]"),
            ),
        ),
    ),
    read_only=False,
    destructive=True,
    idempotent=False,
    open_world=True,
    handler=_run,
    summarise=_summarise,
    explain=json_failure,
)
