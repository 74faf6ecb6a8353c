"""A question of the agent, in a window of its own."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.style import (
    ACCENT,
    ACCENT_HOVER,
    EDGE,
    FIELD,
    GAP,
    GROUND,
    ON_COLOR,
    ROUND,
    SURFACE,
    TEXT,
    strong_font,
    text_font,
)

WIDTH: Final = 420
AWAY: Final = 60  # pixels from the corner of the window that it belongs to


class Question(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Asks the person; `answer` is called once, with nothing in it where the window is just closed."""

    def __init__(self, master: tk.Misc, question: str, answer: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=GROUND)
        self.title("MARK-I asks")
        self._answer = answer
        ctk.CTkLabel(
            self, text=question, font=strong_font(), text_color=TEXT, wraplength=WIDTH, justify="left", anchor="w"
        ).pack(padx=EDGE, pady=(EDGE, GAP), fill="x")
        self._entry = ctk.CTkEntry(
            self, width=WIDTH, font=text_font(), fg_color=SURFACE, text_color=TEXT, border_color=FIELD
        )
        self._entry.pack(padx=EDGE, fill="x")
        ctk.CTkButton(
            self,
            text="Answer",
            command=self.give,
            font=text_font(),
            corner_radius=ROUND,
            fg_color=ACCENT,
            hover_color=ACCENT_HOVER,
            text_color=ON_COLOR,
        ).pack(padx=EDGE, pady=EDGE, anchor="e")
        self.bind("<Return>", lambda _event: self.give())
        self.bind("<Escape>", lambda _event: self.leave())
        self.protocol("WM_DELETE_WINDOW", self.leave)
        self.transient(master)
        self.wm_geometry(f"+{master.winfo_rootx() + AWAY}+{master.winfo_rooty() + AWAY}")
        self.after_idle(self._take_the_keys)

    def give(self) -> None:
        """Answer with what was typed."""
        self._end(self._entry.get())

    def leave(self) -> None:
        """Answer with nothing."""
        self._end("")

    def _end(self, text: str) -> None:
        self.destroy()
        self._answer(text)

    def _take_the_keys(self) -> None:
        self.lift()
        self._entry.focus_set()
