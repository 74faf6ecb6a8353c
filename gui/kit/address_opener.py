"""Opens an address with the program that the desktop has for it; run as a program, it exits with 1 if none does."""

import os
import shutil
import subprocess
import sys
import time
import webbrowser
from typing import Final

FAILS_WITHIN_S: Final = 5.0  # in which a program that opens nothing has ended
POLL_S: Final = 0.05


def is_opened(address: str) -> bool:
    """Open an address; return whether a program was started for it that did not end with an error at once.

    The program that `BROWSER` names comes first, then that of the desktop, then any browser.
    """
    opener = None if os.environ.get("BROWSER") else shutil.which("xdg-open")
    return bool(opener and _is_opened_by(opener, address)) or _is_opened_in_browser(address)


def _is_opened_by(opener: str, address: str) -> bool:
    process = subprocess.Popen([opener, address])  # noqa: S603 - the desktop's own
    try:
        return process.wait(FAILS_WITHIN_S) == 0
    except subprocess.TimeoutExpired:  # it shows the file itself
        return True


def _is_opened_in_browser(address: str) -> bool:
    if not webbrowser.open(address):
        return False
    end_s = time.monotonic() + FAILS_WITHIN_S
    while hasattr(os, "WNOHANG") and time.monotonic() < end_s:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)  # `webbrowser` does not wait for what runs in the background
        except ChildProcessError:
            break
        if pid:
            return status == 0
        time.sleep(POLL_S)
    return True


if __name__ == "__main__":
    sys.exit(0 if is_opened(sys.argv[1]) else 1)
