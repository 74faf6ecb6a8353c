"""Releases keys and buttons when the agent's process is killed and cannot do so itself.

This is a separate process that waits for its parent to end. Run as a script: `key_releaser.py :0`. A line on standard
input means that the parent has released everything; end of input without one means that the parent was killed.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

POLL_S: Final = 0.5  # between two checks that the parent is alive
BUTTONS: Final = (1, 2, 3)


class Releaser:
    """Starts the key releaser for a display."""

    def __init__(self, display: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", __file__, display],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def close(self) -> None:
        """End it: everything has been released."""
        self._process.communicate(b"\n")


def main() -> None:
    """Wait for the parent to end, then release what it held."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the parent handles them
        signal.signal(ignored, signal.SIG_IGN)
    parent = os.getppid()
    while os.getppid() == parent and not select.select([sys.stdin], [], [], POLL_S)[0]:
        pass
    if os.getppid() != parent or not sys.stdin.read():
        sys.path.insert(0, str(Path(__file__).parents[3]))  # the folder of the four packages
        release(sys.argv[1])


def release(display: str) -> None:
    """Release the keys and buttons that programs hold, not those of a person, and restore the keyboard map."""
    from toolbelt.desktops.x11.connection import (  # noqa: PLC0415 - loaded only when needed, like the others
        BUTTON_RELEASE,
        KEY_RELEASE,
        Connection,
    )
    from toolbelt.desktops.x11.keyboard import X11Keyboard  # noqa: PLC0415
    from toolbelt.desktops.x11.xkb import Keyboards  # noqa: PLC0415

    with contextlib.closing(Connection(display)) as connection:
        for code in Keyboards(connection).of_programs():
            connection.fake(KEY_RELEASE, code)
        for button in BUTTONS:
            connection.fake(BUTTON_RELEASE, button)
        X11Keyboard(connection).clear_leftovers()


if __name__ == "__main__":
    main()
