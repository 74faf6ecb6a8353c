"""The person's web browser."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

OPENER = Path(__file__).with_name("address_opener.py")


def open_in_browser(what: Path | str, then: Callable[[bool], None] = lambda _opened: None) -> None:
    """Show a page, or a file with the program that the desktop has for it, or else in the browser, without waiting.

    A separate process does it, without a terminal: a text-mode browser would otherwise take over the one from which
    the window was opened.

    Args:
        what: an address, or a file.
        then: is told, on a thread of its own, whether a program opened it.
    """
    address = what if isinstance(what, str) else what.resolve().as_uri()
    Thread(target=_open, args=(address, then), name="browser", daemon=True).start()


def _open(address: str, then: Callable[[bool], None]) -> None:
    command, null = [sys.executable, "-I", str(OPENER), address], subprocess.DEVNULL
    ended = subprocess.run(command, stdin=null, stdout=null, stderr=null, start_new_session=True, check=False)  # noqa: S603 - our own
    then(ended.returncode == 0)
