"""The desktop portal: the one question to the person, its answers, and how the permission ends."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.portal import BOTH, KEYBOARD_ONLY, Kept, Portal
from toolbelt.desktops.wayland.portal.bus import REMOTE, SCREEN, Bus
from toolbelt.desktops.wayland.portal.keyboard import PortalKeyboard
from toolbelt.desktops.wayland.portal.keymap import Keymap
from toolbelt.desktops.wayland.portal.screen import refuse_scaled
from toolbelt.desktops.wayland.portal.session import DENIED, ENDED, LOOKS_ONLY, NOTHING_SHOWN, Session
from toolbelt.desktops.wayland.screen import Monitor
from world_model import DesktopError, Halt, ToolFailure


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


def test_who_only_looks_takes_no_right_to_use_anything(portal: Portal, bus: Bus) -> None:
    portal.devices = 0
    kept = Kept("token")
    session = Session(bus, kept, look_on, looks=True)
    assert [one.node for one in session.streams] == [7]
    for use in (session.send, session.use_clipboard):
        with pytest.raises(ToolFailure, match="to be looked at, and nothing else"):
            use("NotifyKeyboardKeysym", "iu", 0x61, 1)
    assert "SelectDevices" not in portal.asked
    assert portal.sent == []
    assert (REMOTE in portal.called, SCREEN in portal.called) == (False, True)
    assert (kept.token, kept.written) == ("token", [])


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


class AllKeys:
    """A keyboard that has every key."""

    def find(self, keysym: int) -> int | None:
        """Return the keysym."""
        return keysym


def test_a_stop_is_heard_at_each_keystroke(portal: Portal, bus: Bus) -> None:
    keyboard = PortalKeyboard(Session(bus, None, look_on), cast("Keymap", AllKeys()))

    def stop() -> None:
        if len(portal.sent) >= 4:
            raise Halt

    with pytest.raises(Halt):
        keyboard.type("abcdef", stop)
    assert [values for _, values in portal.sent] == [(0x61, 1), (0x61, 0), (0x62, 1), (0x62, 0)]


def test_a_scaled_monitor_is_not_clicked_on() -> None:
    plain = Monitor("1", 0, 0, 1280, 800, (1280, 800))
    refuse_scaled([plain, Monitor("2", 1280, 0, 640, 480, (640, 480))])
    with pytest.raises(DesktopError, match="is scaled, and portals disagree"):
        refuse_scaled([plain, Monitor("2", 1280, 0, 640, 480, (1280, 960))])
