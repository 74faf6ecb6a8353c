"""Stop, pause and single step: called from any thread, effective in every wait of the run."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from world_model import Halt, ToolFailure

T = TypeVar("T")
POLL_S: Final = 0.01  # for conditions that cannot notify us
RESUME_GRACE_S: Final = 2.0  # after resuming, the hand may still be on the mouse


class TakenOverError(ToolFailure):
    """A person took over: the action was not done, or it was interrupted."""

    def __init__(self) -> None:
        super().__init__(
            "DENIED",
            "A person is using the mouse or the keyboard, so this was not done or was interrupted.",
            ["Look at the screen as it is now and continue from there."],
        )


class CancelledError(ToolFailure):
    """Whoever called for the action took that back: the action was not done, or it was interrupted."""

    def __init__(self) -> None:
        super().__init__("DENIED", "The call was cancelled, so this was not done or was interrupted.")


@dataclass(slots=True)
class Pending(Generic[T]):
    """Work that was started on a thread of its own.

    Attributes:
        began_s: when it was started, in the time of `time.monotonic`.
        ended_s: when it ended.
    """

    began_s: float = field(default_factory=time.monotonic)
    ended_s: float = 0.0
    thread: int | None = None
    results: list[T] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Whether it has ended, with a result or an error."""
        return bool(self.results or self.errors)


class Control:
    """Lets a person stop, pause and step one run.

    Whatever may take long runs inside `call` or waits with `wait`, so that a stop raises `Halt` at once even if the
    work itself (a model call, OCR of the whole screen) cannot be interrupted.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._stopped = False
        self._paused = False
        self._interrupted = False  # paused since it last went on, be it for a step
        self._steps_allowed = 0
        self._taken = False
        self._cancelled = False
        self._spoken = False
        self._asking, self._asked = 0, 0.0
        self._acted_s = 0.0
        self._resumed_at = self._person_s = time.monotonic()
        self._abandoned: set[int] = set()

    def stop(self) -> None:
        """End the run now. Not for use inside a signal handler: it takes a lock."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def cancel(self) -> None:
        """Interrupt the action in progress, or refuse the next one, until `allow`; the run goes on."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    def speak(self) -> None:
        """Let the run hear at once what a person says: a `pause_for` ends."""
        with self._changed:
            self._spoken, self._person_s = True, time.monotonic()
            self._changed.notify_all()

    def heard(self) -> None:
        """Note that the run has heard what was said."""
        self._spoken = False

    def allow(self) -> None:
        """Let actions happen again after `cancel`."""
        self._cancelled = False

    def pause(self) -> None:
        """Pause the run before its next step."""
        with self._changed:
            self._paused, self._interrupted, self._steps_allowed = True, True, 0
            self._changed.notify_all()

    def take_over(self) -> bool:
        """Pause because a person uses the mouse or the keyboard, which the run leaves alone until it is resumed.

        Returns:
            Whether this paused the run: not if it was waiting anyway, nor shortly after it was resumed.
        """
        with self._changed:
            is_new = not (
                self._taken or self._asking or self.must_wait or time.monotonic() < self._resumed_at + RESUME_GRACE_S
            )
            if is_new:
                self._taken, self._paused, self._interrupted, self._steps_allowed = True, True, True, 0
                self._changed.notify_all()
        return is_new

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Suspend time limits while a person is asked something.

        Mouse and keyboard input is their answer then, and does not take over.
        """
        began = time.monotonic()
        self._asking += 1
        try:
            yield
        finally:
            with self._changed:
                self._asking -= 1
                self._resumed_at = self._person_s = time.monotonic()
                self._asked += self._resumed_at - began
                self._changed.notify_all()

    @property
    def asked(self) -> float:
        """The seconds spent on asking a person so far."""
        return self._asked

    def acted(self) -> None:
        """Note that an action ends, of which something may still come."""
        self._acted_s = time.monotonic()

    @property
    def acted_s(self) -> float:
        """When the last action ended, in the time of `time.monotonic`; 0 before the first."""
        return self._acted_s

    @property
    def person_s(self) -> float:
        """When the person last did something to the run, begun it at the least, in the time of `time.monotonic`.

        For that they used another window than the one in which the agent works.
        """
        return self._person_s

    def resume(self) -> None:
        """Resume a paused run."""
        with self._changed:
            self._paused, self._interrupted = False, False
            self._resumed_at = self._person_s = time.monotonic()
            self._changed.notify_all()

    def step(self) -> None:
        """Let a paused run do one step; a running one pauses after its next step."""
        with self._changed:
            self._paused, self._interrupted = True, False
            self._steps_allowed += 1
            self._resumed_at = self._person_s = time.monotonic()
            self._changed.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def is_taken_over(self) -> bool:
        """Whether a person took over mouse or keyboard since the run last passed the gate."""
        return self._taken

    @property
    def must_wait(self) -> bool:
        """Whether the next step must wait for a person."""
        return self._paused and not self._steps_allowed and not self._stopped

    def gate(self, seconds: float | None = None) -> bool:
        """Wait while paused; return whether the run may continue within that many seconds.

        Raises:
            Halt: the run was stopped.
        """
        with self._changed:
            passed = self._changed.wait_for(lambda: not self.must_wait, seconds)
            if passed:
                self._steps_allowed = max(0, self._steps_allowed - 1)
                self._taken = False
        self.check()
        return passed

    def still_paused(self, seconds: float) -> bool:
        """Wait that long, or until the run is resumed or stopped; return whether it is still paused."""
        with self._changed:
            return not self._changed.wait_for(lambda: not self.must_wait, seconds)

    def check(self) -> None:
        """Raise `Halt` if the run was stopped or the work on this thread was abandoned."""
        if self._stopped or threading.get_ident() in self._abandoned:
            raise Halt

    def check_takeover(self) -> None:
        """Raise if the run was stopped or a person has taken over: what was decided before that is not carried out.

        Raises:
            Halt: the run was stopped.
            TakenOverError: a person has taken over.
        """
        self.check()
        if self._taken:
            raise TakenOverError

    def wait(self, seconds: float) -> None:
        """Wait that long, or raise `Halt` as soon as the run is stopped."""
        self.check()
        with self._changed:
            self._changed.wait_for(lambda: self._stopped, seconds)
        self.check()

    def pause_for(self, seconds: float) -> float:
        """Wait that long, or until a person says something or pauses the run; return the seconds that are left.

        Raises:
            Halt: the run was stopped.
        """
        self.check()
        end = time.monotonic() + seconds
        with self._changed:
            over = not self._changed.wait_for(lambda: self._stopped or self._spoken or self._interrupted, seconds)
        self.check()
        return 0.0 if over else max(0.0, end - time.monotonic())

    def until(self, condition: Callable[[], T | None], seconds: float) -> T | None:
        """Poll `condition` until it returns something true; None after that many seconds."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            if time.monotonic() >= end:
                return None
            self.wait(POLL_S)
        return found

    def act(self, work: Callable[[], T], seconds: float) -> T:
        """Do the same as `call` for an action, which can also be cancelled.

        Raises:
            CancelledError: it was cancelled.
        """
        return self._call(work, seconds, lambda: self._cancelled)

    def call(self, work: Callable[[], T], seconds: float | None = None) -> T:
        """Run `work` on a thread of its own and return or raise what it does.

        On a stop or after `seconds` the work is abandoned: its next `check` ends it, so it can do no more harm. The
        time spent on asking a person does not count.

        Raises:
            Halt: the run was stopped.
            TimeoutError: it took longer than `seconds`.
        """
        return self._call(work, seconds, lambda: False)

    def start(self, work: Callable[[], T]) -> Pending[T]:
        """Start `work` on a thread of its own; `join` waits for it."""
        self.check()
        pending: Pending[T] = Pending()
        thread = threading.Thread(target=self._work, args=(work, pending), daemon=True)
        thread.start()
        pending.thread = thread.ident
        return pending

    def join(self, pending: Pending[T], seconds: float | None = None) -> T:
        """Return or raise what started work does; a stop and the end of the time are as for `call`."""
        return self._join(pending, seconds, lambda: False)

    def abandon(self, pending: Pending[T]) -> None:
        """Give started work up: its next `check` ends it."""
        with self._changed:
            if not pending.done and pending.thread is not None:
                self._abandoned.add(pending.thread)

    def _call(self, work: Callable[[], T], seconds: float | None, cancelled: Callable[[], bool]) -> T:
        self.check()
        if cancelled():
            raise CancelledError
        return self._join(self.start(work), seconds, cancelled)

    def _join(self, pending: Pending[T], seconds: float | None, cancelled: Callable[[], bool]) -> T:
        with self._changed:
            waited, asked = seconds, self._asked
            while not self._changed.wait_for(lambda: self._stopped or cancelled() or pending.done, waited):
                self._changed.wait_for(lambda: self._stopped or cancelled() or not self._asking)
                if (waited := self._asked - asked) <= 0:
                    break
                asked = self._asked
            self.abandon(pending)
        if pending.errors:
            raise pending.errors[0]
        self.check()
        if not pending.results:
            raise CancelledError if cancelled() else TimeoutError
        return pending.results[0]

    def _work(self, work: Callable[[], T], pending: Pending[T]) -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - carried to the thread that waits, and raised there unchanged
            self._done(pending, pending.errors, error)
        else:
            self._done(pending, pending.results, result)

    def _done(self, pending: Pending[T], where: list[T] | list[BaseException], what: T | BaseException) -> None:
        with self._changed:
            pending.ended_s = time.monotonic()
            where.append(what)  # type: ignore[arg-type]  # each list gets its own type
            self._abandoned.discard(threading.get_ident())
            self._changed.notify_all()
