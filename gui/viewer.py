"""A picture of the log, large, in a window of its own."""

import tkinter as tk
from typing import Final

import customtkinter as ctk

from gui.pictures import Shot
from gui.style import GROUND, scale_of

ROOM: Final = 0.85  # of the screen that the window takes at most


class Viewer(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Shows a picture as large as its window allows; Esc or a click closes it."""

    def __init__(self, master: tk.Misc, title: str, shot: Shot) -> None:
        super().__init__(master, fg_color=GROUND)
        self.title(title)
        self._picture = shot.large()
        self._image: ctk.CTkImage | None = None
        self._label = ctk.CTkLabel(self, text="")
        self._label.place(relx=0.5, rely=0.5, anchor="center")
        width, height = self._picture.size
        factor = min(1.0, ROOM * self.winfo_screenwidth() / width, ROOM * self.winfo_screenheight() / height)
        self.wm_geometry(f"{round(width * factor)}x{round(height * factor)}")
        self.bind("<Escape>", lambda _event: self.destroy())
        self._label.bind("<Button-1>", lambda _event: self.destroy())
        self.bind("<Configure>", self._fit)
        self.after_idle(self.focus_set)

    def _fit(self, event: "tk.Event[tk.Misc]") -> None:
        if event.widget is not self:
            return
        width, height = self._picture.size
        factor = min(event.width / width, event.height / height) / scale_of(self)
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        if self._image is None:
            self._image = ctk.CTkImage(self._picture, size=size)
            self._label.configure(image=self._image)
        elif self._image.cget("size") != size:
            self._image = ctk.CTkImage(self._picture, size=size)  # a new one, for an old one keeps each size it had
            self._label.configure(image=self._image)
