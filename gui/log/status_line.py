"""The status line: the activity and its duration; below it steps, time, cost, and what the limits allow."""

import tkinter as tk
from typing import Final

from gui.kit.style import BACKGROUND, EDGE_PX, MUTED, NEAR_PX, TEXT, TONES, small_font, strong_font
from gui.run.state import RunState
from gui.toolkit import ctk

DOT_PX: Final = 20
SECONDS_PX: Final = 70  # width of the seconds
MIN_WRAP_PX: Final = 80


class StatusLine(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the status of a state; leaves Tk alone where nothing changed, for it is called many times a second."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(1, weight=1)
        self._dot = ctk.CTkLabel(self, text="●", font=strong_font(), height=0)
        self._words = ctk.CTkLabel(
            self, text="", font=strong_font(), text_color=TEXT, anchor="w", justify="left", height=0
        )
        self._waited = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._figures = ctk.CTkLabel(
            self, text="", font=small_font(), text_color=MUTED, anchor="w", justify="left", height=0
        )
        self._dot.grid(row=0, column=0, sticky="n", padx=(EDGE_PX, NEAR_PX), pady=NEAR_PX)
        self._words.grid(row=0, column=1, sticky="w", padx=(0, EDGE_PX), pady=NEAR_PX)
        self._waited.grid(row=0, column=2, sticky="e", padx=(0, EDGE_PX))
        self._drawn: tuple[str, ...] = ()

    def fit(self, width: int) -> None:
        """Wrap what is too long for one line."""
        room = width - 2 * EDGE_PX - DOT_PX
        self._words.configure(wraplength=max(MIN_WRAP_PX, room - SECONDS_PX))
        self._figures.configure(wraplength=max(MIN_WRAP_PX, room))

    def draw(self, state: RunState) -> None:
        """Show the status of a state."""
        seconds = state.progress.activity_s if state.running and not state.ended else 0
        activity_s = f"for {seconds} s" if seconds else ""
        words = (state.tone, state.status, activity_s, state.figures)
        if words == self._drawn:
            return
        self._drawn = words
        self._dot.configure(text_color=TONES[state.tone])
        self._words.configure(text=state.status)
        self._waited.configure(text=activity_s)
        self._figures.configure(text=_unbroken(state.figures))
        if state.figures:
            self._figures.grid(row=1, column=1, columnspan=2, sticky="w", padx=(0, EDGE_PX), pady=(0, NEAR_PX))
        else:
            self._figures.grid_forget()


def _unbroken(figures: str) -> str:
    """Let the line wrap between figures, not within one."""
    return " · ".join(figure.replace(" ", "\N{NO-BREAK SPACE}") for figure in figures.split(" · "))
