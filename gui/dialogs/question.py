"""The dialog for a question, answered in words or by pointing at the screen."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.dialogs.base import Dialog
from gui.kit.buttons import PRIMARY
from gui.kit.style import strong_font, text_font
from gui.run.messages import Answered
from gui.run.requests import PendingQuestion
from world_model import Frame

SHORT_CHARS: Final = 160  # a longer question scrolls
PURPOSE: Final = "Click the picture to point at something, or use the arrow keys."


class QuestionDialog(Dialog):
    """Calls `answer` once; with an empty answer where the dialog is closed."""

    def __init__(
        self,
        master: tk.Misc,
        pending: PendingQuestion,
        screen: Frame | None,
        answer: Callable[[Answered], None],
        stop: Callable[[], None],
    ) -> None:
        super().__init__(master, "MARK-I asks", stop, lambda: answer(Answered()))
        self._answer = answer
        short = len(pending.text) <= SHORT_CHARS
        question = self.text(pending.text, strong_font()) if short else self.box(pending.text, text_font())
        self.show_screen(screen, None, PURPOSE)
        self.above = [question]
        self._field = self.field("Your answer", self.give)
        # Whoever reads or copies the question goes on typing in the field.
        question.bind("<ButtonRelease-1>", lambda _event: self.after_idle(self._field.focus_set), add="+")
        self.choices(("Answer", PRIMARY, self.give))
        self.appear(self._field)

    def give(self) -> None:
        """Answer with the typed text and the point."""
        at = self.picture.pointed if self.picture else None
        self._answer(Answered(self._field.get().strip(), at))
