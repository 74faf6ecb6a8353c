"""A checkbox that works with the keyboard as well as the mouse."""

import tkinter as tk
from collections.abc import Callable
from typing import Any, Final

from gui.kit.style import ACCENT, ACCENT_HOVER, FIELD_BORDER, MUTED, ON_ACCENT, TEXT, small_font
from gui.toolkit import ctk

SIDE_PX: Final = 16


class CheckBox(ctk.CTkCheckBox):  # type: ignore[misc]  # customtkinter has no types
    """A checkbox that Tab reaches and Space toggles, with a strong border while it has the focus; calls `changed`."""

    def __init__(self, master: tk.Misc, text: str, changed: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            master,
            text=text,
            command=changed,
            font=small_font(),
            text_color=MUTED,
            text_color_disabled=MUTED,
            checkbox_width=SIDE_PX,
            checkbox_height=SIDE_PX,
            border_width=2,
            border_color=FIELD_BORDER,
            corner_radius=4,
            fg_color=ACCENT,
            hover_color=ACCENT_HOVER,
            checkmark_color=ON_ACCENT,
            height=0,
        )
        self._canvas.configure(takefocus=True, highlightthickness=0)
        self._canvas.bind("<space>", self._press)
        self._canvas.bind("<FocusIn>", lambda _event: self.configure(border_color=TEXT, text_color=TEXT))
        self._canvas.bind("<FocusOut>", lambda _event: self.configure(border_color=FIELD_BORDER, text_color=MUTED))

    @property
    def checked(self) -> bool:
        """Whether it is checked."""
        return bool(self.get())

    def enable(self, *, usable: bool) -> None:
        """Enable or disable the checkbox."""
        self.configure(state="normal" if usable else "disabled")
        self._canvas.configure(takefocus=usable)

    def _press(self, _event: Any) -> str:  # noqa: ANN401 - Tk's events
        self.toggle()
        return "break"
