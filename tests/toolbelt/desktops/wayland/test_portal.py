"""The desktop portal: the one question to the person, its answers, and how the permission ends."""

import contextlib
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from tests.gui.notifications.desktop_service import session_bus
from toolbelt.desktops.wayland.portal.bus import NAME, PATH, REMOTE, REQUEST, SESSION, Bus
from toolbelt.desktops.wayland.portal.session import DENIED, ENDED, LOOKS_ONLY, NOTHING_SHOWN, Session
from world_model import DesktopError, Halt

BOTH, KEYBOARD_ONLY = 3, 1
MONITOR = (7, {"position": ("(ii)", (0, 0)), "size": ("(ii)", (800, 600))})


class Portal:
    """A portal whose person answers as `result`, `devices` and `streams` say."""

    def __init__(self, address: str) -> None:
        self.version, self.result, self.devices, self.streams = 2, 0, BOTH, [MONITOR]
        self.answers = True
        self.asked = dict[str, Any]()  # the options of each request
        self.sent = list[tuple[str, Any]]()
        self.session = ""
        self._tokens = 0
        self._connection = open_dbus_connection(address)
        unwrap_msg(self._connection.send_and_get_reply(message_bus.RequestName(NAME)))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def revoke(self) -> None:
        """Take the permission back, as the person does in the top bar."""
        self._connection.send(new_signal(DBusAddress(self.session, NAME, SESSION), "Closed", "", ()))

    def close(self) -> None:
        """Wait until the bus has ended."""
        self._thread.join()

    def _serve(self) -> None:
        with contextlib.suppress(OSError), self._connection:
            while True:
                message = self._connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._answer(message, message.header.fields[HeaderFields.member])

    def _answer(self, message: Any, method: str) -> None:
        if method == "Get":
            if message.body[0] == "org.freedesktop.portal.Clipboard":
                self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownInterface"))
            else:
                self._connection.send(new_method_return(message, "v", (("u", self.version),)))
        elif method.startswith("Notify"):
            self.sent.append((method, message.body[2:]))
            self._connection.send(new_method_return(message))
        elif method == "Close":
            self._connection.send(new_method_return(message))
        else:
            self._asked(message, method)

    def _asked(self, message: Any, method: str) -> None:
        options = self.asked[method] = message.body[-1]
        sender = message.header.fields[HeaderFields.sender][1:].replace(".", "_")
        handle = f"{PATH}/request/{sender}/{options['handle_token'][1]}"
        self._connection.send(new_method_return(message, "o", (handle,)))
        told: dict[str, tuple[str, Any]] = {}
        if method == "CreateSession":
            self.session = f"{PATH}/session/{sender}/{options['session_handle_token'][1]}"
            told = {"session_handle": ("s", self.session)}
        elif method == "Start":
            if not self.answers:
                return
            self._tokens += 1
            told = {"devices": ("u", self.devices), "streams": ("a(ua{sv})", self.streams)}
            told |= {"restore_token": ("s", f"token {self._tokens}")}
        result = self.result if method == "Start" else 0
        self._connection.send(new_signal(DBusAddress(handle, NAME, REQUEST), "Response", "ua{sv}", (result, told)))


class Kept:
    """A token, and all that it ever was."""

    def __init__(self, token: str | None = None) -> None:
        self.token, self.written = token, list[str]()

    def read(self) -> str | None:
        """Return it."""
        return self.token

    def write(self, token: str) -> None:
        """Replace it."""
        self.token = token
        self.written.append(token)


@pytest.fixture
def portal(processes: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Portal]:
    """A portal on a session bus of its own."""
    if not shutil.which("dbus-daemon"):
        pytest.skip("There is no dbus-daemon")
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(session_bus(tmp_path))
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        yield Portal(address)


@pytest.fixture
def bus(portal: Portal) -> Iterator[Bus]:
    """The agent's connection, which ends before the bus."""
    with contextlib.closing(Bus()) as opened:
        yield opened


def look_on() -> None:
    """Nobody stops the run."""


def test_the_person_is_asked_for_screen_mouse_and_keyboard(portal: Portal, bus: Bus) -> None:
    session = Session(bus, None, look_on)
    assert [(one.node, one.width, one.height) for one in session.streams] == [(7, 800, 600)]
    assert portal.asked["SelectDevices"]["types"] == ("u", BOTH)
    assert "restore_token" not in portal.asked["SelectDevices"]
    session.send("NotifyKeyboardKeysym", "iu", 0x61, 1)
    assert portal.sent == [("NotifyKeyboardKeysym", (0x61, 1))]


def test_a_token_is_replaced_at_each_use(portal: Portal, bus: Bus) -> None:
    kept = Kept()
    Session(bus, kept, look_on)
    assert kept.token == "token 1"
    Session(bus, kept, look_on)
    assert portal.asked["SelectDevices"]["restore_token"] == ("s", "token 1")
    assert kept.token == "token 2"


def test_a_portal_without_tokens_is_not_asked_for_one(portal: Portal, bus: Bus) -> None:
    portal.version = 1
    kept = Kept("an old one")
    Session(bus, kept, look_on)
    assert "persist_mode" not in portal.asked["SelectDevices"]
    assert kept.written == []


def test_a_refusal_is_told_in_one_line(portal: Portal, bus: Bus) -> None:
    portal.result = 1
    kept = Kept("token")
    with pytest.raises(DesktopError) as told:
        Session(bus, kept, look_on)
    assert str(told.value) == DENIED
    assert kept.token == "token"


@pytest.mark.parametrize("devices", [0, KEYBOARD_ONLY])
def test_who_may_only_look_keeps_no_token(portal: Portal, bus: Bus, devices: int) -> None:
    portal.devices = devices
    kept = Kept()
    with pytest.raises(DesktopError) as told:
        Session(bus, kept, look_on)
    assert str(told.value) == LOOKS_ONLY
    assert kept.token == ""


def test_without_a_monitor_there_is_no_desktop(portal: Portal, bus: Bus) -> None:
    portal.streams = []
    with pytest.raises(DesktopError) as told:
        Session(bus, None, look_on)
    assert str(told.value) == NOTHING_SHOWN


def test_nothing_is_sent_after_the_permission_was_taken_back(portal: Portal, bus: Bus) -> None:
    session = Session(bus, None, look_on)
    portal.revoke()
    bus.version(REMOTE)  # what the portal sent before this answer has arrived
    with pytest.raises(DesktopError) as told:
        session.send("NotifyKeyboardKeysym", "iu", 0x61, 1)
    assert str(told.value) == ENDED
    assert portal.sent == []


def test_a_stop_ends_the_question(portal: Portal, bus: Bus) -> None:
    portal.answers = False

    def stop() -> None:
        if "Start" in portal.asked:
            raise Halt

    with pytest.raises(Halt):
        Session(bus, None, stop)


def test_a_session_without_a_bus_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    with pytest.raises(DesktopError, match="no session bus"):
        Bus()
