"""The status line: what goes on, how many steps there were, how long it takes."""

import tkinter as tk

import customtkinter as ctk

from gui.state import State
from gui.style import EDGE, GROUND, MUTED, NEAR, TEXT, TONES, small_font, strong_font
from gui.words import counted


class StatusLine(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Draws the status of a state; says nothing to Tk where nothing changed, for it is asked many times a second."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=GROUND, corner_radius=0)
        self.grid_columnconfigure(1, weight=1)
        self._dot = ctk.CTkLabel(self, text="●", font=strong_font(), height=0)
        self._words = ctk.CTkLabel(self, text="", font=strong_font(), text_color=TEXT, anchor="w", height=0)
        self._count = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._dot.grid(row=0, column=0, padx=(EDGE, NEAR), pady=10)
        self._words.grid(row=0, column=1, sticky="w")
        self._count.grid(row=0, column=2, padx=EDGE)
        self._drawn: tuple[str, ...] = ()

    def draw(self, state: State) -> None:
        """Show the status of a state."""
        count = counted(state.steps, state.seconds) if state.running or state.cards else ""
        words = (state.tone, state.status, count)
        if words == self._drawn:
            return
        self._drawn = words
        self._dot.configure(text_color=TONES[state.tone])
        self._words.configure(text=state.status)
        self._count.configure(text=count)
