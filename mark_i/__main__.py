"""The program: `mark-i`, or `python -m mark_i`."""

import os
import signal
import socket
import sys
import threading
import time

from mark_i.startup_check import refusal


def main() -> None:
    """Check the house, then do what the command line says."""
    started = time.time()
    _end_on_interrupt()
    if reason := refusal():
        sys.exit(reason)
    from mark_i.cli.main import start  # noqa: PLC0415 - only after the check may anything else be loaded

    start(started)


def _end_on_interrupt() -> None:
    """End on Ctrl-C until a command listens itself: there is nothing to let go, and no traceback is wanted.

    The handler alone may be late: Python calls it once the main thread wakes up, which may just be going to sleep.
    """
    readable, writable = socket.socketpair()
    writable.setblocking(False)  # noqa: FBT003 - it takes no keyword
    signal.set_wakeup_fd(writable.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _end)
    threading.Thread(target=_wait_for_interrupt, args=(readable, writable), name="interrupt", daemon=True).start()


def _end(_number: int, _frame: object) -> None:
    os._exit(130)


def _wait_for_interrupt(signals: socket.socket, _kept_open: socket.socket) -> None:
    while number := signals.recv(1):
        if number[0] == signal.SIGINT and signal.getsignal(signal.SIGINT) is _end:
            _end(signal.SIGINT, None)


if __name__ == "__main__":
    main()
