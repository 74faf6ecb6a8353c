"""The choice of the answer's style."""

import tkinter as tk
from typing import Final, get_args

from gui.kit.fields import ChoiceBox
from gui.kit.style import MUTED, small_font
from gui.toolkit import ctk
from mark_i.events import LABELS, Style

CAPTION_PX: Final = 160  # width of the longest caption, so that nothing moves when another is chosen
STYLES: Final[tuple[Style, ...]] = get_args(Style)


class StyleBox(ChoiceBox):
    """A style; `caption`, above it, says what it means."""

    def __init__(self, master: tk.Misc, chosen: Style, size: tuple[int, int]) -> None:
        self.caption = ctk.CTkLabel(master, font=small_font(), text_color=MUTED, width=CAPTION_PX, height=0, anchor="w")
        super().__init__(master, STYLES, size, self._describe)
        self.choose(chosen)

    @property
    def style(self) -> Style:
        """The chosen one."""
        return STYLES[STYLES.index(self.get())]

    def _describe(self) -> None:
        self.caption.configure(text=f"Style: {LABELS[self.style]}")
