"""A question below a list, whether something is to be deleted."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.style import (
    BORDER,
    CORNER_PX,
    GAP_PX,
    ON_ACCENT,
    STOP,
    STOP_HOVER,
    SUNKEN,
    SURFACE,
    TEXT,
    text_font,
)
from gui.toolkit import ctk

BUTTON_PX, HEIGHT_PX = 84, 34
BUTTONS_PX: Final = 220  # width of both buttons
MIN_WRAP_PX: Final = 80


class QuestionBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `keep` or `agree`."""

    def __init__(self, master: tk.Misc, keep: Callable[[], None], agree: Callable[[], None]) -> None:
        super().__init__(master, fg_color=SURFACE, border_color=BORDER, border_width=1, corner_radius=CORNER_PX)
        self.grid_columnconfigure(0, weight=1)
        self._words = ctk.CTkLabel(
            self, text="", font=text_font(), text_color=TEXT, height=0, justify="left", anchor="w"
        )
        self._words.grid(row=0, column=0, sticky="w", padx=GAP_PX, pady=GAP_PX)
        looks = (("Keep it", (SUNKEN, BORDER, TEXT), keep), ("Delete it", (STOP, STOP_HOVER, ON_ACCENT), agree))
        for column, (text, colors, work) in enumerate(looks, start=1):
            ctk.CTkButton(
                self,
                text=text,
                width=BUTTON_PX,
                height=HEIGHT_PX,
                font=text_font(),
                command=work,
                fg_color=colors[0],
                hover_color=colors[1],
                text_color=colors[2],
            ).grid(row=0, column=column, padx=(0, GAP_PX))

    def ask(self, what: str) -> None:
        """Ask whether to delete that."""
        self._words.configure(text=f"Delete “{what}”? Enter deletes it permanently.")

    def fit(self, width: int) -> None:
        """Wrap at the width of the bar."""
        self._words.configure(wraplength=max(MIN_WRAP_PX, width - BUTTONS_PX))
