"""Draws a tile of the wall on a canvas: the newest picture of a run, its title, and what it does."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter.font import Font
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageTk

from gui.fleet_page.model import STATES
from gui.fleet_page.wall_layout import WallLayout
from gui.kit.style import BORDER, MUTED, NEAR_PX, SUNKEN, SURFACE, TEXT, TONES, Color, small_font, text_font
from gui.kit.texts import fit_text, tk_safe

if TYPE_CHECKING:
    from mark_i.fleet import RunNow

PAD_PX: Final = 8  # between the border of a tile and its words
WORDS_TOP_PX: Final = 7  # between the picture and the title
LINE_PX: Final = 20  # between the tops of both lines
DOT_PX: Final = 8
BORDER_PX, RING_PX = 1, 2
ENDS: Final = 2  # the parts at the end of a title: row and try
NO_PICTURE: Final = {"waiting": "", "running": "Starting …"}


@dataclass(slots=True)
class PaintedTile:
    """A tile that is drawn.

    Attributes:
        run: whose it is.
        look: whatever else it was drawn with; the caller decides what that is.
        tag: of its items on the canvas.
        image: the item of its picture.
        picture: which one that shows, kept because Tk drops images that nothing refers to.
    """

    run: "RunNow"
    tag: str
    image: int
    look: tuple[object, ...] = ()
    picture: Image.Image | None = None
    photo: ImageTk.PhotoImage | None = None


class TilePainter:
    """Draws on a canvas; `color` chooses the color of the theme."""

    def __init__(self, canvas: tk.Canvas, color: Callable[[Color], str]) -> None:
        self._canvas, self._color = canvas, color
        self._scale = 0.0
        self._fonts: tuple[Font, ...] = ()
        self._widths: dict[tuple[int, str], int] = {}

    def restyle(self, scale: float) -> None:
        """Take the fonts of a scale."""
        if scale != self._scale:
            # Kept, because Tk forgets fonts that nothing refers to.
            self._fonts = tuple(
                Font(self._canvas, font().create_scaled_tuple(scale)) for font in (text_font, small_font)
            )
            self._scale, self._widths = scale, {}

    def room(self, layout: WallLayout) -> tuple[int, int]:
        """The width and height of a picture."""
        border = self._px(BORDER_PX)
        return layout.width - 2 * border, layout.height - self._px(WORDS_TOP_PX + 2 * LINE_PX) - 2 * border

    def paint(self, run: "RunNow", layout: WallLayout, number: int, tag: str, *, chosen: bool) -> PaintedTile:
        """Draw a tile without its picture."""
        x, y = layout.corner(number)
        right, bottom = x + layout.width - 1, y + layout.height - 1
        height = self.room(layout)[1]
        tone, name = STATES[run.state]
        edge = self._color(TEXT if chosen else TONES[tone] if run.state in ("running", "failed") else BORDER)
        ground, sunken = self._color(SURFACE), self._color(SUNKEN)
        line = self._px(RING_PX if chosen else BORDER_PX)
        self._canvas.create_rectangle(x, y, right, bottom, fill=ground, width=0, tags=tag)
        middle = (x + layout.width // 2, y + self._px(BORDER_PX) + height // 2)
        self._canvas.create_rectangle(x, y, right, y + height + self._px(BORDER_PX), fill=sunken, width=0, tags=tag)
        if words := NO_PICTURE.get(run.state, ""):
            muted = self._color(MUTED)
            self._canvas.create_text(*middle, text=words, font=self._fonts[1], fill=muted, tags=tag)
        image = self._canvas.create_image(*middle, tags=tag)
        inset = line // 2
        box = (x + inset, y + inset, right - inset, bottom - inset)
        self._canvas.create_rectangle(*box, outline=edge, width=line, tags=tag)
        left, top = x + self._px(PAD_PX), y + height + self._px(BORDER_PX + WORDS_TOP_PX)
        room = layout.width - 2 * self._px(PAD_PX)
        self._words(self._fitted(run.title, room, 0), (left, top), (0, TEXT), tag)
        dot, line_top = self._px(DOT_PX), top + self._px(LINE_PX)
        down = line_top + (self._fonts[1].metrics("linespace") - dot) // 2
        fill = self._color(TONES[tone])
        self._canvas.create_oval(left, down, left + dot, down + dot, fill=fill, width=0, tags=tag)
        after = dot + self._px(NEAR_PX)
        told = fit_text(_told(run, name), lambda text: self._measure(text, 1), room - after)
        self._words(told, (left + after, line_top), (1, TONES[tone]), tag)
        return PaintedTile(run, tag, image)

    def show(self, tile: PaintedTile, picture: Image.Image) -> None:
        """Show a picture in a tile."""
        tile.picture, tile.photo = picture, ImageTk.PhotoImage(picture, master=self._canvas)
        self._canvas.itemconfigure(tile.image, image=tile.photo)

    def _fitted(self, title: str, room: int, font: int) -> str:
        """Cut a title where it does not fit, but not its end, which tells the runs of a task apart."""
        head, *ends = tk_safe(title).rsplit(", ", ENDS)
        end = "".join(f", {one}" for one in ends)
        return fit_text(head, lambda text: self._measure(text, font), room - self._measure(end, font)) + end

    def _words(self, text: str, corner: tuple[int, int], style: tuple[int, Color], tag: str) -> None:
        font, color = self._fonts[style[0]], self._color(style[1])
        self._canvas.create_text(*corner, anchor="nw", text=text, font=font, fill=color, tags=tag)

    def _measure(self, text: str, font: int) -> int:
        """The width of a text; each character is measured once, for Tk is slow at it."""
        for sign in set(text):
            if (font, sign) not in self._widths:
                self._widths[font, sign] = self._fonts[font].measure(sign)
        return sum(self._widths[font, sign] for sign in text)

    def _px(self, units: float) -> int:
        return max(1, round(units * self._scale))


def _told(run: "RunNow", name: str) -> str:
    """What a run does, in a line: `Running · 3 steps`, `Failed · Time limit reached`."""
    steps = f"{run.steps} step{'' if run.steps == 1 else 's'}" if run.steps else ""
    more = steps if run.state in ("running", "solved") else run.told if run.state == "failed" else ""
    return " · ".join(dict.fromkeys(filter(None, (name, more))))
