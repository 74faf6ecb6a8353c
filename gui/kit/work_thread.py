"""A thread for work that the window must not wait for, one task after the other."""

import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from world_model import MarkIError


class WorkThread:
    """Runs tasks in order. `tell` is called, on its thread, with what went wrong."""

    def __init__(self, name: str, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._thread = ThreadPoolExecutor(1, name)
        self._closed = False

    def begin(self, work: Callable[[], None]) -> None:
        """Queue a task."""
        if not self._closed:
            self._thread.submit(self._guarded, work)

    def close(self) -> None:
        """Start no further task."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except MarkIError as error:
            self._tell(str(error))
        except Exception as error:  # noqa: BLE001 - a bug: shown and printed in full, and the window lives on
            self._tell(describe_bug(error))


def describe_bug(bug: Exception) -> str:
    """Describe an unexpected exception in one line, and print all of it to the terminal."""
    traceback.print_exception(bug, file=sys.stderr)
    return f"{type(bug).__name__}: {bug} (details in the terminal)"
