"""The images of a step, large, in a window of their own: before and after in the same place, for comparison."""

import tkinter as tk
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Final

from PIL import Image

from gui.kit.style import BACKGROUND, MUTED, NEAR_PX, scale_of, small_font
from gui.log.log_view import Side
from gui.log.thumbnail_thread import Thumbnails
from gui.run.state import StepCard
from gui.toolkit import ctk
from mark_i.runs import Shot

MAX_PART: Final = 0.85  # of the screen that the window takes
LINE_PX: Final = 24  # height of the line below the image
POLL_MS: Final = 20  # between two looks whether an image is ready
SHAPE: Final = (16, 9)  # of an image that is not there yet
OTHER: Final[Mapping[Side, Side]] = {"before": "after", "after": "before"}
KEYS: Final = "Space, Left and Right compare · Esc closes"
GONE: Final = "This picture no longer exists. The run's folder may have been deleted."


class ImageViewer(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Shows an image as large as its window; Space, Left and Right switch to the other one, Esc closes."""

    def __init__(self, master: tk.Misc, card: StepCard, side: Side, thumbnails: Thumbnails) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        shots: tuple[tuple[Side, Shot | None], ...] = (("before", card.before), ("after", card.after))
        self._index, self._thumbnails = card.index, thumbnails
        self._shots: dict[Side, Shot] = {name: shot for name, shot in shots if shot}
        self._side: Side = side if side in self._shots else OTHER[side]
        wanted = (name for name in (self._side, OTHER[self._side]) if name in self._shots)
        self._coming: dict[Side, Future[Image.Image | None]] = {
            name: thumbnails.large(self._shots[name]) for name in wanted
        }
        self._image: ctk.CTkImage | None = None
        self._label = ctk.CTkLabel(self, text="", fg_color=BACKGROUND)
        self._label.place(relx=0.5, rely=0.5, y=-LINE_PX / 2, anchor="center")
        self._message = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._message.place(relx=0.5, rely=1.0, y=-NEAR_PX, anchor="s")
        known = thumbnails.small(self._shots[self._side])
        across, down = known.size if known else SHAPE
        widest, highest = MAX_PART * self.winfo_screenwidth(), MAX_PART * self.winfo_screenheight() - self._line
        factor = min(widest / across, highest / down)
        self.wm_geometry(f"{round(across * factor)}x{round(down * factor + self._line)}")
        self.bind("<Escape>", lambda _event: self.destroy())
        for key in ("<space>", "<Left>", "<Right>"):
            self.bind(key, lambda _event: self._turn())
        self._label.bind("<Button-1>", lambda _event: self._turn())
        self.bind("<Configure>", lambda event: self._fit() if event.widget is self else None)
        self._show()
        self.after(POLL_MS, self._await)
        self.after_idle(self.focus_set)

    @property
    def _line(self) -> float:
        return LINE_PX * scale_of(self)

    def _turn(self) -> None:
        """Switch to the other image, if there is one."""
        if len(self._shots) > 1:
            self._side = OTHER[self._side]
            self._show()

    def _show(self) -> None:
        """Show the image as soon as it is there; of most, the small one shows only a part."""
        self.title(f"Step {self._index}, {self._side}")
        self._message.configure(
            text=" · ".join((self._side.capitalize(), KEYS if len(self._shots) > 1 else "Esc closes"))
        )
        self._fit()

    def _await(self) -> None:
        if all(coming.done() for coming in self._coming.values()):
            self._fit()
        else:
            self.after(POLL_MS, self._await)

    def _known(self) -> Image.Image | None:
        """The best version of the whole screen so far."""
        coming, shot = self._coming[self._side], self._shots[self._side]
        large = coming.result() if coming.done() else None
        return large or (self._thumbnails.small(shot) if shot.window is None else None)

    def _fit(self) -> None:
        picture = self._known()
        if picture is None:
            self._label.configure(text=GONE if self._coming[self._side].done() else "")
            return
        scale, (width, height) = scale_of(self), picture.size
        factor = min(self.winfo_width() / width, (self.winfo_height() - self._line) / height) / scale
        size = (max(1, round(width * factor)), max(1, round(height * factor)))
        if self._image is None or self._image.cget("size") != size or self._image.cget("light_image") is not picture:
            self._image = ctk.CTkImage(picture, size=size)  # a new one: an old one keeps every size it ever had
            self._label.configure(image=self._image)
