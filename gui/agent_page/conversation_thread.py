"""The conversation of the window; what is over is ended on a thread, so that the window never waits for it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mark_i.assembly import Conversation

RELEASE_MAX_S: Final = 10.0  # for the last run to release its desktop


class ConversationThread:
    """Holds the conversation of a profile."""

    def __init__(self, profile: str) -> None:
        self._profile = profile
        self._current: Conversation | None = None

    @property
    def current(self) -> "Conversation":
        """The conversation that the next run belongs to."""
        if self._current is None:
            self.begin()
        assert self._current is not None  # noqa: S101 - it has just begun
        return self._current

    def unsaved(self) -> tuple[str, ...]:
        """Return the titles of the windows on its desktop that say that they hold something unsaved."""
        return self._current.unsaved() if self._current else ()

    def close_windows(self) -> "Future[tuple[str, ...]]":
        """Ask every window on its desktop to close, on a thread; the result are the titles of those that are left."""
        left: Future[tuple[str, ...]] = Future()
        ended = self._current
        if ended is None:
            left.set_result(())
        else:
            threading.Thread(target=self._close_windows, args=(ended, left), name="windows", daemon=True).start()
        return left

    def begin(self, run: str | None = None) -> None:
        """Begin a conversation, which continues a run or nothing, and end the one before."""
        from mark_i.assembly import Conversation  # noqa: PLC0415 - the window starts without the agent

        self.close()
        self._current = Conversation(self._profile, run)

    def close(self, wait: Callable[[float], object] = lambda _seconds: None) -> None:
        """End the conversation and its desktop, after `wait` for its run; the process does not end before that."""
        if self._current:
            ended, self._current = self._current, None
            threading.Thread(target=self._end, args=(ended, wait), name="conversation").start()

    @staticmethod
    def _close_windows(ended: "Conversation", left: "Future[tuple[str, ...]]") -> None:
        try:
            left.set_result(ended.close_windows())
        except BaseException:
            left.set_result(())  # whatever it was, it must not keep the window open
            raise

    @staticmethod
    def _end(ended: "Conversation", wait: Callable[[float], object]) -> None:
        wait(RELEASE_MAX_S)
        ended.close()
