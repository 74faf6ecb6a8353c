"""What is said between the run and the person, in sight below the message box: a question, and what is still to do."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import EDGE_PX, GAP_PX, MUTED, NEAR_PX, SUNKEN, TEXT, small_font, text_font
from gui.kit.texts import shorten
from gui.run.state import RunState
from gui.toolkit import ctk

STILL_TO_DO: Final = "Still to do: "
DISMISS: Final = "Dismiss"
LEFT_CHARS: Final = 240  # about two lines of a window of the usual width
QUESTION_CHARS: Final = 400
MIN_WRAP_PX: Final = 80
CHOICE: Final = {"width": 64, "height": 28}


class TalkStrip(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Takes no room while there is nothing to say; `answer` gets what a button of a question says."""

    def __init__(self, master: tk.Misc, answer: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=SUNKEN, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self._answer = answer
        self._question = self._text(text_font(), TEXT)
        self._choices = ctk.CTkFrame(self, fg_color="transparent", width=0, height=0)
        self._left = self._text(small_font(), MUTED)
        self._drawn: tuple[object, ...] = ()

    def draw(self, state: RunState) -> None:
        """Show what is asked and what is still to do; leaves Tk alone where nothing changed."""
        question = state.short_question
        left = state.left if state.running and not state.ended else ()
        if (question, left) == self._drawn:
            return
        self._drawn = (question, left)
        if question:
            self._question.configure(text=shorten(question.text, QUESTION_CHARS))
            self._question.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=(NEAR_PX, 0))
            self._offer((*question.choices, DISMISS))
        else:
            self._question.grid_forget()
            self._choices.grid_forget()
        if left and not question:  # a question says it
            self._left.configure(text=shorten(STILL_TO_DO + "; ".join(left), LEFT_CHARS))
            self._left.grid(row=2, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        else:
            self._left.grid_forget()
        if question or left:
            self.grid()
        else:
            self.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        for label in (self._question, self._left):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))

    def _offer(self, choices: tuple[str, ...]) -> None:
        for one in self._choices.winfo_children():
            one.destroy()
        for place, text in enumerate(choices):
            answer = partial(self._answer, "" if text == DISMISS else text)
            Button(self._choices, text, PLAIN, answer, CHOICE).grid(row=0, column=place, padx=(0, NEAR_PX))
        self._choices.grid(row=1, column=0, sticky="w", padx=EDGE_PX, pady=(NEAR_PX, GAP_PX))

    def _text(self, font: ctk.CTkFont, color: tuple[str, str]) -> ctk.CTkLabel:
        return ctk.CTkLabel(self, text="", font=font, text_color=color, height=0, justify="left", anchor="w")
