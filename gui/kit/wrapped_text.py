"""A read-only text of any length: it asks for as much height as it needs, and scrolls where it gets less."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from gui.kit.fields import instead_of_key, tab_leaves
from gui.kit.style import SURFACE, TEXT, scale_of
from gui.toolkit import ctk

LINES_MIN_PX: Final = 36  # height of two lines


class WrappedText(ctk.CTkTextbox):  # type: ignore[misc]  # customtkinter has no types
    """Calls `resized` when it may need another height."""

    def __init__(self, master: tk.Misc, text: str, font: ctk.CTkFont, resized: Callable[[], None]) -> None:
        super().__init__(
            master,
            width=1,
            height=LINES_MIN_PX,
            font=font,
            text_color=TEXT,
            fg_color=SURFACE,
            border_width=0,
            border_spacing=0,
            corner_radius=0,
            wrap="word",
        )
        self._wide = 0
        self._resized = resized
        self._textbox.configure(padx=0, pady=0)
        self.show(text)
        tab_leaves(self)
        self.bind("<Configure>", self._fit)
        for key, pages in (("<Prior>", -1), ("<Next>", 1)):
            self.bind(key, instead_of_key(partial(self.yview_scroll, pages, "pages")))

    def show(self, text: str) -> None:
        """Show another text."""
        self.configure(state="normal")
        self.delete("1.0", "end")
        self.insert("1.0", text)
        self.configure(state="disabled")

    @property
    def needed_px(self) -> float:
        """The height of the whole text, unscaled."""
        lines = self._textbox
        return float(lines.tk.call(str(lines), "count", "-update", "-ypixels", "1.0", "end")) / scale_of(self)

    @property
    def scrolls(self) -> bool:
        """Whether a part of the text is out of sight."""
        return bool(self.yview() != (0.0, 1.0))

    def _fit(self, event: "tk.Event[tk.Misc]") -> None:
        self._textbox.configure(takefocus=self.scrolls)
        if event.width != self._wide:
            self._wide = event.width
            self._resized()
