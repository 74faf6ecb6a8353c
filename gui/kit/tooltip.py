"""A line of help beside what the pointer rests on. It never takes the focus."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.style import BACKGROUND, NEAR_PX, TEXT, scale_of, small_font
from gui.toolkit import ctk

HOVER_MS: Final = 600  # of a pointer at rest, before the line appears
MAX_WIDTH_PX: Final = 280


class Tooltip:
    """Shows what `text` returns while the pointer rests on a widget, until it leaves, or a click or a key.

    Only a pointer that was moved shows it: a widget may come up below one that rests.
    """

    def __init__(self, widget: ctk.CTkBaseClass, text: Callable[[], str]) -> None:
        self._widget, self._text = widget, text
        self._window: ctk.CTk = widget.winfo_toplevel()
        self._label: ctk.CTkLabel | None = None
        self._due: str | None = None
        self._pressed = False
        widget.bind("<Motion>", self._moved, add="+")
        widget.bind("<Leave>", self._left, add="+")
        widget.bind("<Button>", self._used, add="+")
        widget.bind("<Destroy>", self._hide, add="+")
        widget.bind("<Unmap>", self._hide, add="+")
        # Not a press: a key that is bound there by its name would be left out.
        self._window.bind("<KeyRelease>", self._hide, add="+")

    def _moved(self, _event: object) -> None:
        if self._label is None and not self._pressed:
            self._cancel()
            self._due = self._widget.after(HOVER_MS, self._show)

    def _left(self, event: "tk.Event[tk.Misc]") -> None:
        """Hide, unless the pointer only went to another part of the widget."""
        over = self._widget.winfo_containing(event.x_root, event.y_root)
        if not str(over).startswith(str(self._widget)):
            self._pressed = False
            self._hide()

    def _used(self, _event: object) -> None:
        """Hide until the pointer comes again."""
        self._pressed = True
        self._hide()

    def _show(self) -> None:
        self._due = None
        self._label = ctk.CTkLabel(
            self._window,
            text=self._text(),
            font=small_font(),
            text_color=BACKGROUND,
            fg_color=TEXT,
            corner_radius=0,
            height=0,
            padx=NEAR_PX,
            pady=NEAR_PX // 2,
            wraplength=MAX_WIDTH_PX,
            justify="left",
        )
        self._label.update_idletasks()
        scale = scale_of(self._label)
        x, y = self._place(self._label.winfo_reqwidth(), self._label.winfo_reqheight(), round(NEAR_PX * scale))
        self._label.place(x=x / scale, y=y / scale)
        self._label.lift()

    def _place(self, width: int, height: int, gap: int) -> tuple[int, int]:
        """Below the widget, or above it where there is no room below; within the window."""
        left = self._widget.winfo_rootx() - self._window.winfo_rootx()
        top = self._widget.winfo_rooty() - self._window.winfo_rooty()
        below = top + self._widget.winfo_height() + gap
        fits = below + height <= self._window.winfo_height()
        return max(0, min(left, self._window.winfo_width() - width - gap)), below if fits else top - gap - height

    def _hide(self, _event: object = None) -> None:
        self._cancel()
        if self._label:
            self._label.destroy()
            self._label = None

    def _cancel(self) -> None:
        if self._due:
            self._widget.after_cancel(self._due)
            self._due = None
