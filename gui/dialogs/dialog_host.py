"""The one dialog in which the agent waits for a person, as long as it does."""

import tkinter as tk
from collections.abc import Callable

from gui.dialogs.approval import ApprovalDialog
from gui.dialogs.question import Question
from gui.run.messages import Answered, Decided
from gui.run.questions import Approval, Asked
from world_model import Frame

Reply = Callable[[Answered | Decided], None]


class Asks:
    """Opens it above `master`; `reply` gets what the person says, and `stop` ends the run."""

    def __init__(self, master: tk.Misc, reply: Reply, stop: Callable[[], None]) -> None:
        self._master, self._reply, self._stop = master, reply, stop
        self._asked: Asked | None = None
        self._dialog: Question | ApprovalDialog | None = None

    def draw(self, asked: Asked | None, screen: Frame | None) -> None:
        """Ask this, or nothing any more; `screen` is what the agent saw last."""
        if asked is self._asked:
            return
        self._asked = asked
        if self._dialog and self._dialog.winfo_exists():
            self._dialog.destroy()
            self._master.winfo_pointerx()  # asks the display, which has taken the dialog off the screen by then
        self._dialog = self._opened(asked, screen) if asked else None

    def _opened(self, asked: Asked, screen: Frame | None) -> Question | ApprovalDialog:
        if isinstance(asked, Approval):
            return ApprovalDialog(self._master, asked, screen, self._reply, self._stop)
        return Question(self._master, asked, screen, self._reply, self._stop)
