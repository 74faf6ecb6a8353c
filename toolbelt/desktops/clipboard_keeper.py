"""Keeps a text on the clipboard after the agent's process has ended: X and Wayland have no clipboard but in programs.

This is a separate process. Run as a script: `clipboard_keeper.py MODULE :0`, with the text on standard input; the
module offers it on that display. It writes a line once it has the clipboard, and ends when another program takes it, or
the display goes away.
"""

import importlib
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Final

START_MAX_S: Final = 30.0  # for it to take the clipboard


def keep(module: str, display: str, text: str) -> None:
    """Start it with the module that has `Offer`, and wait until it has the clipboard."""
    process = subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-I", __file__, module, display],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None  # noqa: S101 - both are pipes
    assert process.stdout is not None  # noqa: S101
    with process.stdin as content, process.stdout as answer:
        content.write(text.encode())
        content.close()
        process.wait()  # what goes on is a child of it, which belongs to nobody
        select.select([answer], [], [], START_MAX_S)


def main() -> None:
    """Offer the text on standard input until somebody else has the clipboard."""
    text = sys.stdin.buffer.read().decode()
    if os.fork():
        return
    sys.path.insert(0, str(Path(__file__).parents[2]))  # the folder of the four packages
    module, display = sys.argv[1:]
    offer = importlib.import_module(module).Offer(display, text)
    os.write(sys.stdout.fileno(), b"\n")
    offer.wait()


if __name__ == "__main__":
    main()
