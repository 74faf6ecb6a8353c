"""Lets everything go when the agent's process is killed and cannot do it itself.

A process of its own, which waits for the end of its parent. Run as a script: `releaser.py :0`. A line on its standard
input says that the parent has let everything go; without one, the end of the input is the end of the parent.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

LOOK: Final = 0.5  # seconds between two looks at whether the parent still lives
BUTTONS: Final = (1, 2, 3)


class Releaser:
    """Watches over the keys and buttons of one display, for as long as this process lives."""

    def __init__(self, display: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", __file__, display],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def close(self) -> None:
        """Everything has been let go."""
        self._process.communicate(b"\n")


def main() -> None:
    """Wait for the end of the parent, then let go of what it held."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # the parent's to answer
        signal.signal(ignored, signal.SIG_IGN)
    parent = os.getppid()
    while os.getppid() == parent and not select.select([sys.stdin], [], [], LOOK)[0]:
        pass
    if os.getppid() != parent or not sys.stdin.read():
        sys.path.insert(0, str(Path(__file__).parents[3]))  # the folder of the four packages
        let_go(sys.argv[1])


def let_go(display: str) -> None:
    """Let go of the keys and buttons that programs hold; a person's stay down. Put the keyboard map back."""
    from toolbelt.desktops.x11.connection import (  # noqa: PLC0415 - only where it is needed, as the other imports
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
