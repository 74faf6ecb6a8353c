"""Opens and closes the one dialog in which the agent asks a person."""

import tkinter as tk
from collections.abc import Callable

from gui.dialogs.approval import ApprovalDialog
from gui.dialogs.question import QuestionDialog
from gui.run.messages import Answered, Decided
from gui.run.requests import PendingApproval, PendingQuestion, PendingRequest
from world_model import Frame

Reply = Callable[[Answered | Decided], None]


class DialogHost:
    """Opens dialogs above `master`; `reply` gets the answer, and `stop` stops the run."""

    def __init__(self, master: tk.Misc, reply: Reply, stop: Callable[[], None]) -> None:
        self._master, self._reply, self._stop = master, reply, stop
        self._asked: PendingRequest | None = None
        self._dialog: QuestionDialog | ApprovalDialog | None = None

    def draw(self, pending: PendingRequest | None, screen: Frame | None) -> None:
        """Show the dialog of this request, or none; `screen` is what the agent saw last."""
        if pending is self._asked:
            return
        self._asked = pending
        if self._dialog and self._dialog.winfo_exists():
            self._dialog.destroy()
            self._master.winfo_pointerx()  # a round trip to the display, which has removed the dialog by then
        is_beside = isinstance(pending, PendingQuestion) and pending.choices  # it is asked beside the message box
        self._dialog = self._opened(pending, screen) if pending and not is_beside else None

    def _opened(self, pending: PendingRequest, screen: Frame | None) -> QuestionDialog | ApprovalDialog:
        if isinstance(pending, PendingApproval):
            return ApprovalDialog(self._master, pending, screen, self._reply, self._stop)
        return QuestionDialog(self._master, pending, screen, self._reply, self._stop)
