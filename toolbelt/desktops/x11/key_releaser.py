"""Releases the keys and buttons of a process that was killed, and restores the keyboard map (`releaser.py`)."""

import contextlib
from typing import Final

from toolbelt.desktops.x11.connection import BUTTON_RELEASE, KEY_RELEASE, Connection
from toolbelt.desktops.x11.keyboard import X11Keyboard
from toolbelt.desktops.x11.xkb import Keyboards

BUTTONS: Final = (1, 2, 3)


def release(display: str) -> None:
    """Release the keys and buttons that programs hold, not those of a person, and restore the keyboard map."""
    with contextlib.closing(Connection(display)) as connection:
        for code in Keyboards(connection).of_programs():
            connection.fake(KEY_RELEASE, code)
        for button in BUTTONS:
            connection.fake(BUTTON_RELEASE, button)
        X11Keyboard(connection).clear_leftovers()
