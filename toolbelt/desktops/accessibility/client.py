"""Asks the worker for what programs say of their windows, and never waits for long."""

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from toolbelt.desktops.accessibility.nodes import Node, WindowTree
from toolbelt.extras import are_installed
from world_model import Region

WORKER: Final = Path(__file__).with_name("worker.py")
START_MAX_S: Final = 1.0  # for the worker's first answer, which includes its start
HANG_MAX_S: Final = 3.0  # without an answer, a program hangs
AVOIDED_S: Final = 30.0  # how long a program that hung is not asked again
SLACK_S: Final = 0.05  # for the way to the worker and back
LIBRARY: Final = "xa11y"


class AccessibilityClient:
    """Reads accessibility trees through a worker process, which is started at the first request.

    Attributes:
        problem: why nothing was read the last time; empty if something was, or there was nothing to read.
    """

    def __init__(self, environment: Callable[[], Mapping[str, str]]) -> None:
        self._environment = environment
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[str] | None = None
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._asked: tuple[int, float, Sequence[int]] | None = None  # the number, time and programs of a late answer
        self._avoided: dict[int, float] = {}  # until when, for each program that hung
        self._count = 0
        self._closed = False
        self.problem = ""

    def read(self, pids: Sequence[int], screen: Region, seconds: float) -> tuple[WindowTree, ...] | None:
        """Return what programs say of their windows on a part of the desktop; None if they do not answer in time.

        Args:
            pids: the programs, the most important first.
            screen: the part of the desktop.
            seconds: how long it may take; the first time a little more.
        """
        if not are_installed(LIBRARY):
            return ()
        with self._lock:
            now = time.monotonic()
            pids = [pid for pid in dict.fromkeys(pids) if self._avoided.get(pid, 0.0) <= now]
            if self._closed or not pids:
                return ()
            if not self._is_free(now):
                return None if self._asked else ()
            first = self._worker is None
            wait = (START_MAX_S if first else seconds) + SLACK_S
            try:
                reply = self._reply_to(pids, screen, seconds, now + wait)
            except OSError:  # it has ended
                reply = None
                self._end("the reader of the accessibility service ended")
            if self._asked:
                return None
            return _trees(reply) if reply else ()

    def close(self) -> None:
        """End the worker; nothing is read afterwards."""
        with self._lock:
            self._closed = True
            self._end("")

    def _reply_to(self, pids: Sequence[int], screen: Region, seconds: float, end: float) -> dict[str, Any] | None:
        worker = self._worker or self._start()
        assert worker.stdin is not None  # noqa: S101 - it was asked for
        self._count += 1
        request = {"id": self._count, "pids": pids, "screen": screen.to_list(), "seconds": seconds}
        self._asked = self._count, time.monotonic(), pids
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        return self._answer(end)

    def _answer(self, end: float) -> dict[str, Any] | None:
        """Return the answer to the last request; None if it does not come in time, or never."""
        while self._asked:
            try:
                reply = self._replies.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.problem = "the programs on the screen do not answer in time"
                return None
            if reply is None:
                raise BrokenPipeError
            if reply["id"] == self._asked[0]:
                self._asked, self.problem = None, reply["problem"]
                return reply
        return None

    def _is_free(self, now: float) -> bool:
        """Whether the worker has answered the last request; one that hangs is ended, and what it asked is avoided."""
        if self._asked is None:
            return True
        _, since, pids = self._asked
        with contextlib.suppress(OSError):
            if self._answer(now):  # it came late, and is old by now
                return True
            if now - since < HANG_MAX_S:
                return False
        self._avoided |= dict.fromkeys(pids, now + AVOIDED_S)
        self._end("a program did not answer")
        return False

    def _start(self) -> subprocess.Popen[str]:
        worker = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", str(WORKER)],
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,  # so that a Ctrl-C for us does not reach it
        )
        self._worker, self._replies = worker, queue.SimpleQueue()
        threading.Thread(target=_receive, args=(worker, self._replies), name="accessibility", daemon=True).start()
        return worker

    def _end(self, problem: str) -> None:
        worker, self._worker, self._asked, self.problem = self._worker, None, None, problem or self.problem
        if worker is None:
            return
        worker.kill()
        worker.wait()
        if worker.stdin:
            with contextlib.suppress(OSError):  # what it was to be asked
                worker.stdin.close()


def _receive(worker: subprocess.Popen[str], replies: "queue.SimpleQueue[dict[str, Any] | None]") -> None:
    """Pass on the worker's replies; None once it has ended."""
    assert worker.stdout is not None  # noqa: S101 - it was asked for
    with worker.stdout, contextlib.suppress(ValueError):  # a line that was cut off when it was killed
        for line in worker.stdout:
            replies.put(json.loads(line))
    replies.put(None)


def _trees(reply: Mapping[str, Any]) -> tuple[WindowTree, ...]:
    return tuple(
        WindowTree(one["pid"], one["title"], tuple(map(Node.from_list, one["nodes"])), one["complete"])
        for one in reply["windows"]
    )
