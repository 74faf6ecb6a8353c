"""Stop, pause and single step: set from anywhere, felt inside every wait of the run."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from world_model import Halt, ToolFailure

T = TypeVar("T")
POLL: Final = 0.01  # seconds between two looks at a condition that cannot wake us itself
LEAVING: Final = 2.0  # seconds in which a hand that has just let the run go may still be on the mouse


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
        self._taken = False
        self._asking, self._asked = 0, 0.0
        self._let_go = time.monotonic()
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

    def take_over(self) -> bool:
        """A person uses the mouse or the keyboard themselves: pause, and use neither until they let the run go.

        Whether that is news: it is not for a run that waits anyway, nor while the hand that let it go is leaving.
        """
        with self._changed:
            news = not (self._taken or self._asking or self.holding or time.monotonic() < self._let_go + LEAVING)
            if news:
                self._taken, self._paused, self._steps_allowed = True, True, 0
                self._changed.notify_all()
        return news

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """A person is asked something, and no limit of time holds until they have answered.

        A hand on the mouse or the keyboard is their answer, and takes nothing over.
        """
        began = time.monotonic()
        self._asking += 1
        try:
            yield
        finally:
            with self._changed:
                self._asking -= 1
                self._let_go = time.monotonic()
                self._asked += self._let_go - began
                self._changed.notify_all()

    @property
    def asked(self) -> float:
        """For how many seconds a person was asked, until now."""
        return self._asked

    def resume(self) -> None:
        """Let a paused run go on."""
        with self._changed:
            self._paused, self._let_go = False, time.monotonic()
            self._changed.notify_all()

    def step(self) -> None:
        """Let a paused run do one step; a run that is not paused pauses after its next one."""
        with self._changed:
            self._paused, self._steps_allowed, self._let_go = True, self._steps_allowed + 1, time.monotonic()
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def taken(self) -> bool:
        """Whether a person has taken mouse and keyboard, and the run has not been through the gate since."""
        return self._taken

    @property
    def holding(self) -> bool:
        """Whether the next step has to wait for a person."""
        return self._paused and not self._steps_allowed and not self._stopped

    def gate(self, seconds: float | None = None) -> bool:
        """Pass, or wait while paused; whether it was passed in that many seconds. Raises `Halt` once stopped."""
        with self._changed:
            passed = self._changed.wait_for(lambda: not self.holding, seconds)
            if passed:
                self._steps_allowed = max(0, self._steps_allowed - 1)
                self._taken = False
        self.check()
        return passed

    def held(self, seconds: float) -> bool:
        """Wait so long, or until the run is paused no more or was stopped; whether it still is paused."""
        with self._changed:
            return not self._changed.wait_for(lambda: not self.holding, seconds)

    def check(self) -> None:
        """Raise `Halt` if the run was stopped, or if the work on this thread was given up on."""
        if self._stopped or threading.get_ident() in self._abandoned:
            raise Halt

    def check_hands(self) -> None:
        """Raise as `check` does, and where a person has taken over: what was decided before that is not done.

        Raises:
            ToolFailure: DENIED.
        """
        self.check()
        if self._taken:
            raise ToolFailure(
                "DENIED",
                "A person uses the mouse or the keyboard themselves, so this was not done, or broken off.",
                ["Look at what is there now, and go on from that."],
            )

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
        What of them was spent on asking a person does not count.

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
            waited, asked = seconds, self._asked
            while not self._changed.wait_for(lambda: self._stopped or results or errors, waited):
                self._changed.wait_for(lambda: self._stopped or not self._asking)
                if (waited := self._asked - asked) <= 0:
                    break
                asked = self._asked
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
