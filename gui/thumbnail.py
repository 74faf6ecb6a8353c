"""A small picture with its caption."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.pictures import Shot
from gui.style import MUTED, SUNKEN, small_font

Opener = Callable[[str, Shot], None]  # shows a picture large, under a title

WIDEST: Final = 256


class Thumbnail(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """An empty place until the picture is there; then a click opens it large."""

    def __init__(self, master: tk.Misc, title: str, opener: Opener) -> None:
        super().__init__(master, fg_color="transparent")
        self._title = title
        self._opener = opener
        self._shot: Shot | None = None
        self._image: ctk.CTkImage | None = None
        self._width = WIDEST
        self._picture = ctk.CTkLabel(self, text="", fg_color=SUNKEN, corner_radius=0)
        self._picture.bind("<Button-1>", self._open)
        self._picture.grid(row=0, column=0)
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._caption.grid(row=1, column=0, sticky="w", pady=(3, 0))
        self._size()

    def draw(self, shot: Shot | None, caption: str) -> None:
        """Show a picture; None is one that is still to come."""
        self._caption.configure(text=caption)
        if shot is not None and shot is not self._shot:
            self._shot = shot
            self._image = ctk.CTkImage(shot.small, size=self._measures())
            self._picture.configure(image=self._image, cursor="hand2")
            self._size()

    def fit(self, width: int) -> None:
        """Be so wide."""
        if width != self._width:
            self._width = width
            self._size()

    def _size(self) -> None:
        width, height = self._measures()
        self._picture.configure(width=width, height=height)
        if self._image:
            self._image.configure(size=(width, height))

    def _measures(self) -> tuple[int, int]:
        across, down = self._shot.small.size if self._shot else (16, 9)
        return self._width, max(1, round(self._width * down / across))

    def _open(self, _event: object) -> None:
        if self._shot:
            self._opener(self._title, self._shot)
