"""An on/off switch that works with the keyboard as well as the mouse."""

import tkinter as tk
from collections.abc import Callable
from typing import Any, Final

from gui.kit.style import ACCENT, MUTED, SCROLLBAR, TEXT, text_font
from gui.toolkit import ctk

SWITCH_PX: Final = 40


class ToggleSwitch(ctk.CTkSwitch):  # type: ignore[misc]  # customtkinter has no types
    """A switch that Tab reaches and that Space and Return toggle; it has a ring while it has the focus."""

    def __init__(self, master: tk.Misc, text: str, command: Callable[[bool], None] | None = None) -> None:
        super().__init__(
            master,
            text=text,
            width=SWITCH_PX,
            height=24,
            font=text_font(),
            text_color=TEXT,
            text_color_disabled=MUTED,
            fg_color=SCROLLBAR,
            progress_color=ACCENT,
            button_color=TEXT,  # its knob reaches the edge: a white one would be invisible on the background
            button_hover_color=TEXT,
            border_width=2,
            command=lambda: command(bool(self.get())) if command else None,
        )
        for key in ("<space>", "<Return>"):
            self._canvas.bind(key, self._press)
        self._canvas.bind("<FocusIn>", lambda _event: self.configure(border_color=TEXT))
        self._canvas.bind("<FocusOut>", lambda _event: self.configure(border_color="transparent"))
        self._canvas.configure(takefocus=True)

    def turn(self, *, on: bool, usable: bool = True) -> None:
        """Set it, without calling its command."""
        (self.select if on else self.deselect)()
        self.configure(state="normal" if usable else "disabled")
        self._canvas.configure(takefocus=usable)

    def _press(self, _event: Any) -> str:  # noqa: ANN401 - Tk's events
        self.toggle()
        return "break"
