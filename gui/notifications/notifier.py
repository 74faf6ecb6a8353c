"""Notifies a person who looks elsewhere, through the desktop's notification service and on a thread of its own."""

import queue
import sys
import threading
from collections.abc import Callable
from typing import Final

from gui.notifications.news import News, news_of
from gui.run.state import RunState

CLOSE_MAX_S: Final = 1.0  # for what is shown to be withdrawn at the end


class Notifier:
    """Shows one notification at a time. Where there is no service, nothing happens.

    Args:
        icon: the path of the image beside the text.
        clicked: called, on that thread, when somebody clicks the notification.
    """

    def __init__(self, icon: str, clicked: Callable[[], None]) -> None:
        self._icon, self._clicked = icon, clicked
        self._news: News | None = None
        self._shown = False
        self._tasks: queue.SimpleQueue[News | None] = queue.SimpleQueue()  # None withdraws what is shown
        self._thread: threading.Thread | None = None
        self._closed = False

    def observe(self, state: RunState, *, focused: bool) -> None:
        """Show what is new in the run, unless the window has the focus; withdraw it once it is answered or seen.

        A question stays: the window may have come up for it where nobody is at the desk.
        """
        news = news_of(state)
        is_new = (news and news.about) is not (self._news and self._news.about)
        self._news = news
        if is_new and news and not focused:
            self._show(news)
        elif is_new or (focused and not state.pending):
            self._withdraw()

    def close(self) -> None:
        """Withdraw what is shown, and show nothing more."""
        self._closed = True
        if self._thread:
            self._tasks.put(None)
            self._thread.join(CLOSE_MAX_S)

    def _show(self, news: News) -> None:
        if sys.platform != "linux" or self._closed:
            return
        self._shown = True
        self._tasks.put(news)
        if self._thread is None:  # a daemon: a service that does not answer must not keep the program alive
            self._thread = threading.Thread(target=self._work, name="notifications", daemon=True)
            self._thread.start()

    def _withdraw(self) -> None:
        if self._shown:
            self._shown = False
            self._tasks.put(None)

    def _work(self) -> None:
        from gui.notifications import bus  # noqa: PLC0415 - on Linux alone, and only where there is something to show

        while not (self._closed and self._tasks.empty()):
            if news := self._tasks.get():
                bus.show(news, self._tasks, self._icon, self._clicked)
