"""One connection to the X server: requests answered in bounded time, errors collected, atoms, properties.

python-xlib waits for an answer without end and prints stray errors on stderr; here every wait ends after
`CALL_SECONDS` and every error is either raised by the request it belongs to or kept in `Connection.stray`.
"""

from __future__ import annotations

import select
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from Xlib import X
from Xlib import error as xlib_error
from Xlib.ext import composite, randr, res, screensaver, shape, xinput, xtest
from Xlib.protocol import event, request, rq

from mac_commander.desktops.base import CALL_SECONDS
from mac_commander.desktops.x11.connecting import connect, peer_pid
from mac_commander.desktops.x11.environment import Session, refuse_xwayland
from mac_commander.errors import DesktopError, Hung

STRAY_ERRORS_KEPT = 50
"""Errors of windows that vanished under a request are normal; a few are kept for whoever debugs."""

PROPERTY_LONGS = 16_384
"""64 KiB of one property: more than any window list or title that a person could use."""

SIGN_SECONDS = 0.05
"""A quarter of what the watchdog of `grab.py` allows between two signs of life."""

NEEDED = {xtest.extname: "XTEST", res.extname: "XRes", xinput.extname: "XInput 2", shape.extname: "Shape"}

XInputVersion = (2, 3)
"""2.1 and later deliver raw events also during grabs (XI2proto); python-xlib by itself announces 2.0."""


class Gone(DesktopError):
    """A window or other resource of the request exists no longer."""


class Connection:
    """The connection and what every module needs of it. Not thread-safe: the main thread alone uses it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._x = connect(session)
        self.stray: deque[str] = deque(maxlen=STRAY_ERRORS_KEPT)
        self._x.set_error_handler(self._keep_stray)
        refuse_xwayland(session.display, peer_pid(self.socket))
        self._require_extensions()
        self.root = cast(int, self._x.screen().root.id)
        self._atoms: dict[str, int] = {}
        self._atom_names: dict[int, str] = {}
        self.while_waiting: Callable[[], None] | None = None
        """Called every `SIGN_SECONDS` as long as an answer is waited for."""
        self.on_answer: Callable[[], None] | None = None
        """Called when what was waited for has come."""
        self._agree_versions()

    # --- requests --------------------------------------------------------------------------------------------

    def ask(self, kind: type[rq.ReplyRequest], **fields: object) -> Any:
        """Send one request and wait for its reply. Raises `Gone`, `DesktopError`, `Hung`."""
        return self.answers(self.post(kind, **fields))[0]

    def post(self, kind: type[rq.ReplyRequest], **fields: object) -> rq.ReplyRequest:
        """Queue a request whose reply `answers` will bring: several then cost one round trip."""
        self._check_open()
        return kind(self._x.display, True, **self._with_opcode(kind, fields))

    def send(self, kind: type[rq.Request], **fields: object) -> None:
        """Queue a request that has no reply; an error of it becomes a stray one."""
        self._check_open()
        kind(self._x.display, None, **self._with_opcode(kind, fields))

    def send_packed(self, requests: bytes, count: int) -> None:
        """Queue requests that were put into bytes beforehand: 40 key events then cost one append, not 2 ms."""
        self._check_open()
        queued = cast(Any, self._x.display)  # the stubs do not know that its queue takes whatever has the bytes
        queued.request_queue.append((_Packed(requests), False))
        queued.request_serial = (queued.request_serial + count) % 65536

    def attempt(self, kind: type[rq.Request], **fields: object) -> xlib_error.CatchError:
        """Queue a request that has no reply; after the next answered one the catcher holds its error, if any."""
        self._check_open()
        catcher = xlib_error.CatchError()
        kind(self._x.display, catcher, **self._with_opcode(kind, fields))
        return catcher

    def answers(self, *pending: rq.ReplyRequest) -> tuple[Any, ...]:
        """Wait for these replies. Raises `Gone` or `DesktopError` for the first that failed."""
        found = self.outcomes(*pending)
        for outcome in found:
            if isinstance(outcome, xlib_error.XError):
                raise _translated(outcome)
        return found

    def outcomes(self, *pending: rq.ReplyRequest) -> tuple[Any, ...]:
        """Wait for these replies; an `XError` stands where a request failed."""
        deadline = time.monotonic() + CALL_SECONDS
        while any(_open(p) for p in pending):
            self._turn()
            if any(_open(p) for p in pending):
                self._wait_readable(deadline)
        if self.on_answer is not None:
            self.on_answer()
        return tuple(cast(Any, p)._error or p for p in pending)

    def flush(self) -> None:
        with self._translating():
            self._x.flush()

    def sync(self) -> None:
        """All requests so far have been carried out by the server."""
        self.ask(request.GetInputFocus)

    # --- events ----------------------------------------------------------------------------------------------

    def take_events(self) -> Iterator[rq.Event]:
        """The events that came, each once. Never waits."""
        self._turn()
        while self._x.display.event_queue:
            yield self._x.next_event()

    def wait_event(self, seconds: float) -> bool:
        """Wait until something came from the server, at most so long."""
        self._turn()
        if self._x.display.event_queue:
            return True
        return bool(select.select([self.socket], [], [], max(0.0, seconds))[0])

    # --- names and properties ----------------------------------------------------------------------------------

    def atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = self.ask(request.InternAtom, name=name, only_if_exists=False).atom
        return self._atoms[name]

    def atom_name(self, atom: int) -> str:
        if atom not in self._atom_names:
            self._atom_names[atom] = str(self.ask(request.GetAtomName, atom=atom).name)
        return self._atom_names[atom]

    def post_property(self, window: int, name: str) -> rq.ReplyRequest:
        return self.post(
            request.GetProperty,
            delete=False,
            window=window,
            property=self.atom(name),
            type=X.AnyPropertyType,
            long_offset=0,
            long_length=PROPERTY_LONGS,
        )

    def numbers(self, window: int, name: str) -> tuple[int, ...]:
        """A property of 32-bit numbers; empty when it is not set, or the window is gone."""
        return numbers_of(self.outcomes(self.post_property(window, name))[0])

    def text(self, window: int, name: str) -> str:
        """A text property, UTF-8 or Latin-1 as its type says; empty when it is not set."""
        return self.text_of(self.outcomes(self.post_property(window, name))[0])

    def text_of(self, reply: Any) -> str:
        if isinstance(reply, xlib_error.XError) or reply.value is None or reply.value[0] != 8:
            return ""
        raw = bytes(reply.value[1])
        return raw.decode("latin-1" if reply.property_type == _STRING else "utf-8", "replace")

    def set_numbers(self, window: int, name: str, kind: str, values: Sequence[int]) -> None:
        self.send(
            request.ChangeProperty,
            mode=X.PropModeReplace,
            window=window,
            property=self.atom(name),
            type=self.atom(kind),
            data=(32, list(values)),
        )

    def delete_property(self, window: int, name: str) -> None:
        self.send(request.DeleteProperty, window=window, property=self.atom(name))

    def message(self, window: int, name: str, values: Sequence[int], to: int | None = None) -> None:
        """A client message about ``window``, to the root window as EWMH wants, or straight to a client."""
        data = [v & 0xFFFFFFFF for v in [*values, 0, 0, 0, 0, 0][:5]]
        message = event.ClientMessage(window=window, client_type=self.atom(name), data=(32, data))
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask if to is None else 0
        self.send(
            request.SendEvent,
            propagate=False,
            destination=self.root if to is None else to,
            event_mask=mask,
            event=message,
        )

    # --- the rest ------------------------------------------------------------------------------------------------

    @property
    def socket(self) -> socket.socket:
        return self._x.display.socket

    @property
    def setup(self) -> Any:
        """The server's own description (``Xlib.protocol.display.ConnectionSetupRequest``)."""
        return self._x.display.info

    @property
    def screen(self) -> Any:
        return self._x.screen()

    @property
    def lost(self) -> bool:
        return self._x.display.socket_error is not None

    def has_extension(self, name: str) -> bool:
        return self._x.has_extension(name)

    def opcode(self, extension: str) -> int:
        return self._x.display.get_extension_major(extension)

    def new_id(self) -> int:
        return self._x.display.allocate_resource_id()

    def free_id(self, resource: int) -> None:
        self._x.display.free_resource_id(resource)

    def select_root_events(self, mask: int) -> None:
        self.send(request.ChangeWindowAttributes, window=self.root, attrs={"event_mask": mask})

    def close(self) -> None:
        try:
            self._x.close()
        except (xlib_error.ConnectionClosedError, OSError):
            return  # it is closed already

    # --- inside ------------------------------------------------------------------------------------------------

    def _with_opcode(self, kind: type, fields: dict[str, object]) -> dict[str, object]:
        extension = _EXTENSIONS.get(kind.__module__)
        return fields if extension is None else {"opcode": self.opcode(extension), **fields}

    def _turn(self) -> None:
        """Send what is queued and read what is there, without waiting."""
        with self._translating():
            self._x.pending_events()

    def _wait_readable(self, deadline: float) -> None:
        writes = [self.socket] if self._x.display.data_send else []
        while not any(select.select([self.socket], writes, [], SIGN_SECONDS)):
            if time.monotonic() >= deadline:
                raise Hung(
                    f"the X server did not answer within {CALL_SECONDS:.0f} s: another program may be holding it. "
                    "Nothing more was sent; try again."
                )
            if self.while_waiting is not None:
                self.while_waiting()

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except (xlib_error.ConnectionClosedError, OSError, ValueError) as lost:
            raise _lost(lost) from lost

    def _check_open(self) -> None:
        if self._x.display.socket_error is not None:
            raise _lost(self._x.display.socket_error)

    def _keep_stray(self, error: xlib_error.XError, _request: object) -> None:
        self.stray.append(type(error).__name__)

    def _require_extensions(self) -> None:
        lacking = [name for extension, name in NEEDED.items() if not self._x.has_extension(extension)]
        if lacking:
            raise DesktopError(
                f"the X server of {self.session.display} lacks {', '.join(lacking)}, without which input cannot be "
                "proven; use a server that has it (Xorg and Xvfb do by default)."
            )

    def _agree_versions(self) -> None:
        versions = [
            self.post(res.QueryVersion, client_major=1, client_minor=2),
            self.post(xinput.XIQueryVersion, major_version=XInputVersion[0], minor_version=XInputVersion[1]),
        ]
        if self.has_extension(composite.extname):
            versions.append(self.post(composite.QueryVersion, major_version=0, minor_version=4))
        resource, *_ = self.answers(*versions)
        if (resource.server_major, resource.server_minor) < (1, 2):
            raise DesktopError("the X server's XRes is older than 1.2: it cannot tell who owns a window")


_EXTENSIONS = {m.__name__: m.extname for m in (xtest, res, xinput, shape, composite, randr, screensaver)}

_STRING = 31
"""Predefined atom STRING: Latin-1 (ICCCM 2.7.1)."""


class _Packed:
    """What python-xlib writes of an entry of its queue."""

    def __init__(self, requests: bytes) -> None:
        self._binary = requests


def numbers_of(reply: Any) -> tuple[int, ...]:
    """The 32-bit numbers of a property reply; empty for an error or another format."""
    if isinstance(reply, xlib_error.XError) or reply.value is None or reply.value[0] != 32:
        return ()
    return tuple(int(v) for v in reply.value[1])


def xid(window: Any) -> int:
    """The number of a window as python-xlib gives it: an object, or a bare number such as None and PointerRoot."""
    return window if isinstance(window, int) else cast(int, window.id)


def _open(pending: rq.ReplyRequest) -> bool:
    inside = cast(Any, pending)
    return inside.__dict__.get("_data") is None and inside.__dict__.get("_error") is None


def _translated(error: xlib_error.XError) -> DesktopError:
    name = type(error).__name__
    if name in ("BadWindow", "BadDrawable", "BadPixmap"):
        return Gone("the window is gone")
    return DesktopError(f"the X server refused a request: {name}")


def _lost(why: BaseException) -> DesktopError:
    return DesktopError(
        f"the connection to the X server was lost ({why}); nothing more was sent. Call act again, which connects "
        "anew. Reconnect the MCP client if that fails too."
    )
