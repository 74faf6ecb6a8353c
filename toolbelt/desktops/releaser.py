"""Releases keys and buttons when the agent's process is killed and cannot do so itself.

This is a separate process that waits for its parent to end. Run as a script: `releaser.py MODULE :0`; the module
releases what programs hold on that display. A line on standard input means that the parent has released everything; end
of input without one means that the parent was killed.
"""

import importlib
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

POLL_S: Final = 0.5  # between two checks that the parent is alive


class Releaser:
    """Starts the process for a display, with the module that has `release`."""

    def __init__(self, module: str, display: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", __file__, module, display],
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
        sys.path.insert(0, str(Path(__file__).parents[2]))  # the folder of the four packages
        module, display = sys.argv[1:]
        importlib.import_module(module).release(display)


if __name__ == "__main__":
    main()
