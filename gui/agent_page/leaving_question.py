"""Asks before a conversation is left on whose desktop a program holds something that is not saved."""

import tkinter as tk
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final

from gui.kit.question_bar import QuestionBar
from gui.kit.texts import folded, tk_safe

POLL_MS: Final = 20  # between two looks whether the programs have closed
ANSWERS: Final = "Keep open", "Close anyway"
UNSAVED: Final = "Not saved: {}. Close anyway?"
STILL_OPEN: Final = "Still open, and may not be saved: {}. Close anyway?"


class LeavingQuestion(QuestionBar):
    """Takes no room while nothing is asked.

    What a title does not say, a program may still ask when its window is to close: it is left open, and asked about.

    Args:
        master: where it is placed by its caller.
        unsaved: returns the titles of the windows that say so.
        close_windows: asks all windows to close, and tells which are left; None while a run goes on.
        kept: is called once the person keeps them open.
        shown: is called when something is asked.
    """

    def __init__(
        self,
        master: tk.Misc,
        unsaved: Callable[[], Sequence[str]],
        close_windows: Callable[[], "Future[tuple[str, ...]] | None"],
        kept: Callable[[], None],
        shown: Callable[[], None],
    ) -> None:
        super().__init__(master, self._keep_open, self._agree, ANSWERS)
        self._unsaved, self._close_windows, self._kept, self._shown = unsaved, close_windows, kept, shown
        self._then: Callable[[], None] | None = None
        self._left: Future[tuple[str, ...]] | None = None

    def leave(self, then: Callable[[], None]) -> None:
        """Do what ends the conversation, once all windows are closed or the person agrees."""
        self._then = then
        if self._left:  # they are being closed
            return
        if titles := self._unsaved():
            self._ask(UNSAVED, titles)
            return
        self._left = self._close_windows()
        self._await()

    def drop(self) -> bool:
        """Keep everything open; return whether that was asked."""
        if self._then is None or self._left:
            return False
        self._end()
        self._kept()
        return True

    def _await(self) -> None:
        if self._left and not self._left.done():
            self.after(POLL_MS, self._await)
            return
        titles, self._left = self._left.result() if self._left else (), None
        if titles:
            self._ask(STILL_OPEN, titles)
        else:
            self._agree()

    def _ask(self, question: str, titles: Sequence[str]) -> None:
        named = ", ".join(f"“{folded(tk_safe(title.strip()))}”" for title in dict.fromkeys(titles))
        self.ask(question.format(named))
        self.grid()
        self._shown()
        self.focus_set()

    def _keep_open(self) -> None:
        self.drop()

    def _agree(self) -> None:
        then = self._then
        self._end()
        if then:
            then()

    def _end(self) -> None:
        self._then = None
        self.grid_remove()
