"""The steps of a skill, each with its pictures, on one canvas, so that a hundred cost little more than one."""

import tkinter as tk
from collections.abc import Sequence
from tkinter.font import Font
from typing import Final

from PIL import Image, ImageTk

from gui.kit.style import BORDER, GAP_PX, MUTED, NEAR_PX, SURFACE, TEXT, scale_of, small_font, strong_font, text_font
from gui.skills_page.catalog import StepLine
from gui.skills_page.model import Pictures
from gui.toolkit import ctk

NUMBER_PX: Final = 34  # width of the number before a step
PICTURE_MAX_PX: Final = (150, 54)  # unscaled
BESIDE_PICTURE_MIN_PX: Final = 420  # width below which the words stand under the picture
NOTHING_MIN_PX: Final = 60  # width below which nothing can be drawn


class StepStrip(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows steps; its height is that of what it shows."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._view = tk.Canvas(self, highlightthickness=0, borderwidth=0, height=1, width=1, takefocus=False)
        self._view.grid(row=0, column=0, sticky="ew")
        self._lines: Sequence[StepLine] = ()
        self._pictures: Pictures = {}
        self._photos: list[ImageTk.PhotoImage] = []
        self._width = 0
        self._view.bind("<Configure>", self._fit)
        self._restyle()

    def draw(self, lines: Sequence[StepLine], pictures: Pictures) -> None:
        """Show these steps with these pictures."""
        if lines != self._lines or pictures is not self._pictures:
            self._lines, self._pictures = lines, pictures
            self._paint()

    def _fit(self, event: "tk.Event[tk.Misc]") -> None:
        if event.width != self._width:
            self._width = event.width
            self._paint()

    def _paint(self) -> None:
        canvas, scale = self._view, scale_of(self)
        canvas.delete("all")
        self._photos = []
        if self._width < NOTHING_MIN_PX * scale:
            return
        y, gap = 0, round(GAP_PX * scale)
        for number, line in enumerate(self._lines, 1):
            top = y + gap
            canvas.create_text(gap, top, anchor="nw", text=str(number), font=self._fonts[0], fill=self._colors[1])
            y = self._paint_step(line, round(NUMBER_PX * scale), top) + gap
            canvas.create_line(0, y, self._width, y, fill=self._colors[2])
        canvas.configure(height=max(1, y))

    def _paint_step(self, line: StepLine, left: int, top: int) -> int:
        """Draw the pictures of a step and its words beside or below them; return where it ends."""
        scale = scale_of(self)
        near, x, below = round(NEAR_PX * scale), left, top
        for file in line.pictures:
            if picture := self._pictures.get(file):
                photo = ImageTk.PhotoImage(_fitted(picture, scale), master=self)
                self._photos.append(photo)
                self._view.create_image(x, top, anchor="nw", image=photo)
                frame = (x - 1, top - 1, x + photo.width(), top + photo.height())
                self._view.create_rectangle(*frame, outline=self._colors[2])
                x, below = x + photo.width() + 2 * near, max(below, top + photo.height())
        if x > left and self._width < BESIDE_PICTURE_MIN_PX * scale:
            x, top = left, below + near
        end = self._write(line.does, x, top, self._fonts[1], self._colors[0])
        if line.then:
            end = self._write(line.then, x, end + near // 2, self._fonts[2], self._colors[1])
        return max(end, below)

    def _write(self, text: str, x: int, y: int, font: Font, color: str) -> int:
        """Write a text, and return where it ends."""
        room = max(1, self._width - x - round(GAP_PX * scale_of(self)))
        item = self._view.create_text(x, y, anchor="nw", text=text, font=font, fill=color, width=room)
        return self._view.bbox(item)[3]

    def _restyle(self) -> None:
        """Apply the current colors and sizes, which a plain canvas does not know."""
        scale, color = scale_of(self), self._apply_appearance_mode
        # Kept, because Tk forgets fonts that nothing refers to.
        self._fonts = [Font(self, one.create_scaled_tuple(scale)) for one in (strong_font(), text_font(), small_font())]
        self._colors = [color(TEXT), color(MUTED), color(BORDER)]
        self._view.configure(background=color(SURFACE))
        self._paint()

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._restyle()

    def _set_scaling(self, *scales: float) -> None:
        """React to a change of scale, which customtkinter reports."""
        super()._set_scaling(*scales)
        self._restyle()


def _fitted(picture: Image.Image, scale: float) -> Image.Image:
    """Return a picture no higher than there is room for, and of a wide one, such as that of a field, the beginning."""
    width, height = (round(side * scale) for side in PICTURE_MAX_PX)
    if picture.height > height:
        picture = picture.resize((max(1, picture.width * height // picture.height), height))
    return picture.crop((0, 0, min(width, picture.width), picture.height))
