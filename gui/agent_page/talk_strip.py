"""What is still to do, in sight below the message box."""

import tkinter as tk
from typing import Final

from gui.kit.style import EDGE_PX, MUTED, NEAR_PX, SUNKEN, small_font
from gui.kit.texts import shorten
from gui.run.state import RunState
from gui.toolkit import ctk

STILL_TO_DO: Final = "Still to do: "
LEFT_CHARS: Final = 240  # about two lines of a window of the usual width
MIN_WRAP_PX: Final = 80


class TalkStrip(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Takes no room while there is nothing to say."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=SUNKEN, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self._left = ctk.CTkLabel(
            self, text="", font=small_font(), text_color=MUTED, height=0, justify="left", anchor="w"
        )
        self._left.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        self._drawn: tuple[str, ...] = ()

    def draw(self, state: RunState) -> None:
        """Show what is still to do, unless a question says it; leaves Tk alone where nothing changed."""
        left = state.left if state.running and not state.ended and not state.pending else ()
        if left == self._drawn:
            return
        self._drawn = left
        if left:
            self._left.configure(text=shorten(STILL_TO_DO + "; ".join(left), LEFT_CHARS))
            self.grid()
        else:
            self.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        self._left.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
