"""The program: `mark-i`, or `python -m mark_i`."""

import os
import signal
import sys
import time

from mark_i.startup_check import refusal


def main() -> None:
    """Check the house, then do what the command line says."""
    started = time.time()
    # Until a command listens itself there is nothing to let go, and nobody wants to read where Python just was.
    signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))
    if reason := refusal():
        sys.exit(reason)
    from mark_i.cli.main import start  # noqa: PLC0415 - only after the check may anything else be loaded

    start(started)


if __name__ == "__main__":
    main()
