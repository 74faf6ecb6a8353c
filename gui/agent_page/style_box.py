"""The choice of the answer's style."""

import tkinter as tk
from typing import Final, get_args

import customtkinter as ctk

from gui.kit.style import MUTED, combobox_style, highlight_on_focus, small_font
from mark_i.events import LABELS, Style

CAPTION_PX: Final = 160  # width of the longest caption, so that nothing moves when another is chosen
STYLES: Final[tuple[Style, ...]] = get_args(Style)


class StyleBox(ctk.CTkComboBox):  # type: ignore[misc]  # customtkinter has no types
    """A style, chosen by mouse or with Up and Down; `caption`, above it, says what it means."""

    def __init__(self, master: tk.Misc, chosen: Style, width: int, height: int) -> None:
        self.caption = ctk.CTkLabel(master, font=small_font(), text_color=MUTED, width=CAPTION_PX, height=0, anchor="w")
        super().__init__(
            master,
            values=list(STYLES),
            width=width,
            height=height,
            **combobox_style(),
            state="readonly",
            command=lambda _name: self._tell(),
        )
        self.bind("<Button-1>", self._clicked)
        self.bind("<Up>", lambda _event: self._turn(-1))
        self.bind("<Down>", lambda _event: self._turn(1))
        highlight_on_focus(self)
        self.choose(chosen)

    @property
    def style(self) -> Style:
        """The chosen one."""
        chosen: Style = STYLES[self.index()]
        return chosen

    def choose(self, style: Style) -> None:
        """Choose one."""
        self.set(style)
        self._tell()

    def _turn(self, by: int) -> None:
        self.choose(STYLES[max(0, min(len(STYLES) - 1, self.index() + by))])

    def _tell(self) -> None:
        self.caption.configure(text=f"Style: {LABELS[self.style]}")
