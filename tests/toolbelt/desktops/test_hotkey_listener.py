"""The hotkey is heard on a display where a run has it already."""

import threading
from contextlib import closing

from tests.support import CAP_S, soon, xdotool
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.x11 import HotkeyListener, Listener

HOTKEY = Hotkey.parse("ctrl+alt+escape")


def test_the_hotkey_is_heard_beside_a_run_that_has_it(desktop: VirtualDesktop) -> None:
    beside, taken = threading.Event(), threading.Event()
    with (
        closing(HotkeyListener(desktop.display, beside.set, HOTKEY)),
        closing(Listener(desktop.display, taken.set, HOTKEY)) as run,
    ):
        assert run.has_hotkey
        xdotool(desktop, "keydown", "ctrl", "keydown", "alt", "keydown", "Escape")
        heard = beside.wait(CAP_S), taken.wait(CAP_S)
        xdotool(desktop, "keyup", "Escape", "keyup", "alt", "keyup", "ctrl")

    assert heard == (True, True)


def test_a_part_of_the_hotkey_is_not_heard(desktop: VirtualDesktop) -> None:
    heard: list[str] = []
    others = threading.Event()
    with (
        closing(HotkeyListener(desktop.display, lambda: heard.append("hotkey"), HOTKEY)),
        closing(HotkeyListener(desktop.display, others.set, Hotkey.parse("ctrl+alt+f1"))),
    ):
        for keys in ("Escape", "ctrl+Escape", "alt+Escape", "ctrl+alt+a"):
            xdotool(desktop, "key", keys)
        xdotool(desktop, "keydown", "ctrl", "keydown", "alt", "keydown", "F1")
        assert others.wait(CAP_S)  # the server reports in order, to both
        xdotool(desktop, "keyup", "F1", "keyup", "alt", "keyup", "ctrl")

    assert heard == []


def test_a_display_that_goes_away_ends_the_listening(desktop: VirtualDesktop) -> None:
    with closing(HotkeyListener(desktop.display, lambda: None, HOTKEY)) as listener:
        listener._display.disconnect()
        listener._end.send(b"x")

        assert soon(lambda: not listener._thread.is_alive())
