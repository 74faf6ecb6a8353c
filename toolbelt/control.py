"""Stop, pause and single step: set from anywhere, felt inside every wait of the run."""

import threading
import time
from collections.abc import Callable
from typing import Final, TypeVar

from world_model import Halt

T = TypeVar("T")
POLL: Final = 0.01  # seconds between two looks at a condition that cannot wake us itself


class Control:
    """The person's hand on one run.

    Whatever may take long is done inside `call` or waits with `wait`: then a stop is felt at once, as `Halt`, also when
    the work itself (a model call, a read of the whole screen) cannot be interrupted.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopped = False
        self._paused = False
        self._steps_allowed = 0
        self._abandoned: set[int] = set()

    def stop(self) -> None:
        """End the run now. Not for use inside a signal handler: it takes a lock."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def pause(self) -> None:
        """Hold the run before its next step."""
        with self._changed:
            self._paused, self._steps_allowed = True, 0

    def resume(self) -> None:
        """Let a paused run go on."""
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    def step(self) -> None:
        """Let a paused run do one step; a run that is not paused pauses after its next one."""
        with self._changed:
            self._paused, self._steps_allowed = True, self._steps_allowed + 1
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def holding(self) -> bool:
        """Whether the next step has to wait for a person."""
        return self._paused and not self._steps_allowed and not self._stopped

    def gate(self) -> None:
        """Pass, or wait while paused; raises `Halt` once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: not self.holding)
            self._steps_allowed = max(0, self._steps_allowed - 1)
        self.check()

    def check(self) -> None:
        """Raise `Halt` if the run was stopped, or if the work on this thread was given up on."""
        if self._stopped or threading.get_ident() in self._abandoned:
            raise Halt

    def wait(self, seconds: float) -> None:
        """Wait, or raise `Halt` as soon as the run is stopped."""
        self.check()
        with self._changed:
            self._changed.wait_for(lambda: self._stopped, seconds)
        self.check()

    def until(self, condition: Callable[[], T | None], seconds: float) -> T | None:
        """Ask `condition` again and again until it gives something true; None when the time is over."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() >= end:
                return None
            self.wait(POLL)
        return found

    def call(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """Do `work` on a thread of its own and give back what it returns or raises.

        On a stop or after `seconds` the work is given up on: its next `check` ends it, and it can do no more harm.

        Raises:
            Halt: the run was stopped.
            TimeoutError: it took longer than `seconds`.
        """
        self.check()
        results: list[T] = []
        errors: list[BaseException] = []
        thread = threading.Thread(target=lambda: self._work(work, results, errors), daemon=True)
        thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or results or errors, seconds)
            if not results and not errors and thread.ident is not None:
                self._abandoned.add(thread.ident)
        if errors:
            raise errors[0]
        self.check()
        if not results:
            raise TimeoutError
        return results[0]

    def _work(self, work: Callable[[], T], results: list[T], errors: list[BaseException]) -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - carried to the thread that waits, and raised there unchanged
            self._done(errors, error)
        else:
            self._done(results, result)

    def _done(self, where: list[T] | list[BaseException], what: T | BaseException) -> None:
        with self._changed:
            where.append(what)  # type: ignore[arg-type]  # each list gets its own kind, one line above
            self._abandoned.discard(threading.get_ident())
            self._changed.notify_all()
