"""The permission to see and use the desktop: one question of the system to the person, and how long it holds."""

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from toolbelt.desktops.wayland.portal.bus import (
    CLIPBOARD,
    LOCK,
    PATH,
    REMOTE,
    REQUEST,
    SCREEN,
    SESSION,
    Bus,
    Options,
    Refused,
    field,
)
from world_model import DesktopError, ToolFailure

ANSWER_MAX_S: Final = 300.0  # for a person to answer
_KEYBOARD, _POINTER = 1, 2  # devices
_MONITOR: Final = 1  # a kind of source
_NO_POINTER: Final = 1  # a way to show it
_UNTIL_REVOKED: Final = 2  # how long a permission is kept
_TOKENS_SINCE: Final = 2  # the version of RemoteDesktop that gives tokens
_GIVEN, _DENIED = 0, 1  # of the answers to a request
DENIED: Final = (
    "You did not allow the agent to use this desktop. Run again and choose Share, or let it use a virtual desktop."
)
LOOKS_ONLY: Final = (
    "You allowed the agent to see this desktop, and not to use mouse and keyboard. Run again and allow both."
)
UNPLACED: Final = (
    "The portal does not say where the monitors are that you shared. Run again and share one, or all as one picture."
)
NOTHING_SHOWN: Final = "You shared no monitor with the agent. Run again, choose one, and then Share."
ENDED: Final = (
    "The permission to use this desktop has ended: it was taken back, or the session changed. Run again to be asked."
)
LOCKED: Final = "The screen is locked. Unlock it and run again."
Check = Callable[[], object]


class Token(Protocol):
    """Where the secret is kept with which the system asks the person no second time; each is good for one use."""

    def read(self) -> str | None:
        """Return it; None if there is none."""

    def write(self, token: str) -> None:
        """Keep a new one; an empty one deletes what is kept."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A monitor that is shown: its number, and its place and size in logical units."""

    node: int
    x: int
    y: int
    width: int
    height: int

    @classmethod
    def of(cls, node: int, told: Mapping[str, tuple[str, Any]]) -> "Stream":
        """Return what the portal tells of it."""
        (x, y), (width, height) = (told[name][1] if name in told else (0, 0) for name in ("position", "size"))
        return cls(node, x, y, width, height)


class Session:
    """A session of the portal, with mouse and keyboard; or, if it only `looks`, with the right to see and no other.

    Args:
        bus: where the portal is.
        token: with which the person need not be asked again.
        check: raises if the run was stopped.
        looks: whether nothing is to be used.
        joined: whether one picture of all monitors is asked for, and not one of each.

    Raises:
        DesktopError: The person does not allow it, or nobody answers.
    """

    def __init__(
        self, bus: Bus, token: Token | None, check: Check, *, looks: bool = False, joined: bool = False
    ) -> None:
        self._bus, self._check, self._joined = bus, check, joined
        self._interface = SCREEN if looks else REMOTE
        self.is_closed = False
        self._is_locked = bus.is_locked()
        self._refuse_if_locked()  # the question would wait behind the lock
        self.others: Callable[[Any], object] = lambda _signal: None  # hears what does not concern the permission
        self.remembers = not looks and bus.version(REMOTE) >= _TOKENS_SINCE
        keeps = token if self.remembers else None
        self._path: str = self._create()
        self.knows_clipboards = bus.version(CLIPBOARD) > 0
        self.has_clipboard = not looks and self.knows_clipboards
        self._select(keeps)
        given = self._request(self._interface, "Start", "osa{sv}", self._path, "", options={})
        lacks = _lack(given, looks=looks)
        if keeps:  # an answer with which nothing can be done is not kept: the person is asked again
            keeps.write("" if lacks else str(given.get("restore_token", ("s", ""))[1]))
        if lacks:
            raise DesktopError(lacks)
        self.streams = tuple(Stream.of(node, told) for node, told in given["streams"][1])
        self.has_clipboard &= bool(given.get("clipboard_enabled", ("b", self.has_clipboard))[1])

    def require_input(self) -> None:
        """Refuse input in a session that only looks.

        Raises:
            ToolFailure: `PERMISSION_DENIED`.
        """
        if self._interface != REMOTE:
            raise ToolFailure("PERMISSION_DENIED", "This desktop was opened to be looked at, and nothing else.")

    def send(self, method: str, signature: str, *values: object) -> None:
        """Send input.

        Raises:
            DesktopError: The permission has ended.
        """
        self.require_input()
        self.look()
        try:
            self._bus.call(REMOTE, method, "oa{sv}" + signature, self._path, {}, *values)
        except Refused as error:
            raise DesktopError(ENDED) from error

    def use_clipboard(self, method: str, signature: str, *values: object) -> Any:  # noqa: ANN401 - by the method
        """Call a method of the clipboard."""
        self.require_input()
        self.look()
        return self._bus.call(CLIPBOARD, method, "o" + signature, self._path, *values)

    def open_pipewire(self) -> int:
        """Return a file descriptor over which pictures come; whoever gets it closes it."""
        opened = self._bus.call(SCREEN, "OpenPipeWireRemote", "oa{sv}", self._path, {})
        return int(opened.to_raw_fd())

    def look(self) -> None:
        """Hear what the portal has told since.

        Raises:
            DesktopError: The permission has ended, or the screen is locked: what is sent would reach its lock.
        """
        for signal in self._bus.heard():
            self._hear(signal)
        if self.is_closed:
            raise DesktopError(ENDED)
        self._refuse_if_locked()

    def _refuse_if_locked(self) -> None:
        if self._is_locked:
            raise DesktopError(LOCKED)

    def _create(self) -> str:
        options: Options = {"session_handle_token": ("s", _new_name())}
        made = self._request(self._interface, "CreateSession", "a{sv}", options=options)
        return str(made["session_handle"][1])

    def _select(self, keeps: Token | None) -> None:
        """Say what the person is asked for."""
        devices: Options = {"types": ("u", _KEYBOARD | _POINTER)}
        if keeps:
            devices["persist_mode"] = ("u", _UNTIL_REVOKED)
            if kept := keeps.read():
                devices["restore_token"] = ("s", kept)
        if self._interface == REMOTE:
            self._request(REMOTE, "SelectDevices", "oa{sv}", self._path, options=devices)
        sources: Options = {"types": ("u", _MONITOR), "multiple": ("b", not self._joined)}
        if self._bus.number(SCREEN, "AvailableCursorModes") & _NO_POINTER:
            sources["cursor_mode"] = ("u", _NO_POINTER)
        self._request(SCREEN, "SelectSources", "oa{sv}", self._path, options=sources)
        if self.has_clipboard:
            self._bus.call(CLIPBOARD, "RequestClipboard", "oa{sv}", self._path, {})

    def _request(self, interface: str, method: str, signature: str, *values: object, options: Options) -> Any:  # noqa: ANN401
        """Call a method that is answered by a signal, perhaps after a person was asked; return what that says."""
        name = _new_name()
        handle = f"{PATH}/request/{self._bus.name[1:].replace('.', '_')}/{name}"
        self._bus.call(interface, method, signature, *values, options | {"handle_token": ("s", name)})
        end = time.monotonic() + ANSWER_MAX_S

        def is_answer(signal: Any) -> bool:  # noqa: ANN401 - jeepney has no types
            self._hear(signal)
            return bool(field(signal, "path") == handle and field(signal, "member") == "Response")

        answer = self._bus.wait(is_answer, end - time.monotonic(), self._check)
        if answer is None:
            self._bus.call(REQUEST, "Close", "", path=handle)
            raise DesktopError("Nobody answered whether the agent may use this desktop. Run again and choose Share.")
        result, told = answer
        if result != _GIVEN:
            raise DesktopError(DENIED if result == _DENIED else f"The system ended the request {method}. Run again.")
        return told

    def _hear(self, signal: Any) -> None:  # noqa: ANN401 - jeepney has no types
        if field(signal, "interface") == SESSION and field(signal, "member") == "Closed":
            self.is_closed |= field(signal, "path") == getattr(self, "_path", None)
        elif field(signal, "interface") == LOCK and field(signal, "member") == "ActiveChanged":
            [self._is_locked] = signal.body
        else:
            self.others(signal)


def _new_name() -> str:
    return f"mark_i_{secrets.token_hex(8)}"


def _lack(given: Mapping[str, tuple[str, Any]], *, looks: bool) -> str:
    """Return why nothing can be done with an answer; nothing if something can."""
    devices, shown = given.get("devices", ("u", 0))[1], given.get("streams", ("", []))[1]
    if not looks and devices & (_KEYBOARD | _POINTER) != _KEYBOARD | _POINTER:
        return LOOKS_ONLY
    if not shown:
        return NOTHING_SHOWN
    return UNPLACED if len(shown) > 1 and not all("position" in told for _, told in shown) else ""
