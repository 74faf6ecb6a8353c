"""A question below the content of a page, before something is lost."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import DANGER, PLAIN, Button
from gui.kit.style import BORDER, CORNER_PX, GAP_PX, SURFACE, TEXT, text_font
from gui.toolkit import ctk

BUTTON_PX, HEIGHT_PX = 84, 34
BUTTONS_PX: Final = 300  # width of both buttons
MIN_WRAP_PX: Final = 80
ANSWERS: Final = "Keep it", "Delete it"
DELETES: Final = "Delete “{}”?{} Enter deletes it permanently."  # its name, and what else tells it from others


class QuestionBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `keep` or `agree`; the answers are the titles of their buttons."""

    def __init__(
        self,
        master: tk.Misc,
        keep: Callable[[], None],
        agree: Callable[[], None],
        answers: tuple[str, str] = ANSWERS,
    ) -> None:
        super().__init__(master, fg_color=SURFACE, border_color=BORDER, border_width=1, corner_radius=CORNER_PX)
        self.grid_columnconfigure(0, weight=1)
        self._words = ctk.CTkLabel(
            self, text="", font=text_font(), text_color=TEXT, height=0, justify="left", anchor="w"
        )
        self._words.grid(row=0, column=0, sticky="w", padx=GAP_PX, pady=GAP_PX)
        shape = {"width": BUTTON_PX, "height": HEIGHT_PX, "font": text_font()}
        self._keep = Button(self, answers[0], PLAIN, keep, shape)
        self._keep.grid(row=0, column=1, padx=(0, GAP_PX))
        Button(self, answers[1], DANGER, agree, shape).grid(row=0, column=2, padx=(0, GAP_PX))

    def ask(self, question: str) -> None:
        """Ask that."""
        self._words.configure(text=question)

    def focus_set(self) -> None:
        """Focus the button that loses nothing."""
        self._keep.focus_set()

    def fit(self, width: int) -> None:
        """Wrap at the width of the bar."""
        self._words.configure(wraplength=max(MIN_WRAP_PX, width - BUTTONS_PX))
