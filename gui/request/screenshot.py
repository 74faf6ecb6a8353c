"""The screen as the agent sees it, on a card that asks: the place is framed, and a person can point."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import ImageTk

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import BORDER, MUTED, NEAR_PX, SUNKEN, TONES, scale_of, small_font
from gui.request.screen_crop import ScreenCrop, Seen, crop_around, draw_crop, fit_crop
from gui.toolkit import ctk
from world_model import Point, Region, Size

MIN_HEIGHT_PX: Final = 90  # of the image
MIN_WRAP_PX: Final = 80
FOCUS_RING_PX: Final = 2  # around the image
POINT_AREA: Final = Region(0, 0, 80, 80)  # what is shown around a point
STEP_PX, FINE_STEP_PX = 10, 1  # pixels of the desktop that an arrow key moves, alone and with Shift
WHOLE, NEARER = "Whole screen", "Zoom in"
LARGER, SMALLER = "Larger", "Smaller"
POINT_OUT: Final = "Click to point at something."
ELSEWHERE: Final = "Click to point elsewhere."
BUTTON_PX: Final = 24


class Screenshot(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows what was `seen` around `place`, else the window in front if that is small, or all of it.

    `pointed` is the person's point; `large` tells whether the image fills the card, and `arrange` is called when that
    changes. Return calls `send`.
    """

    def __init__(
        self,
        master: tk.Misc,
        seen: Seen,
        place: Region | None,
        arrange: Callable[[], None],
        send: Callable[[], None],
    ) -> None:
        super().__init__(master, fg_color="transparent")
        self.pointed: Point | None = None
        self.large = False
        self._arrange, self._send = arrange, send
        self._frame, self._place, self._front = seen.frame, place, seen.small_front
        self._about = place or self._front
        self._near = self._about is not None
        self._view = ScreenCrop(seen.frame.region, Size(1, 1))
        self._photo: ImageTk.PhotoImage | None = None
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._canvas = self._picture()
        self._canvas.grid(row=0, column=0, columnspan=2, sticky="nsew")
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0, justify="left")
        self._caption.grid(row=1, column=0, sticky="w", pady=(NEAR_PX, 0))
        row = ctk.CTkFrame(self, fg_color="transparent", width=0, height=0)
        row.grid(row=1, column=1, sticky="e", pady=(NEAR_PX, 0))
        shape = {"width": 0, "height": BUTTON_PX, "font": small_font()}
        self._turn = Button(row, NEARER, PLAIN, self.toggle_crop, shape)
        self._turn.grid(row=0, column=0, padx=(NEAR_PX, 0))
        self._enlarge = Button(row, LARGER, PLAIN, self.enlarge, shape)
        self._enlarge.grid(row=0, column=1, padx=(NEAR_PX, 0))
        self._row = row
        self._listen()
        self._say()

    def toggle_crop(self) -> None:
        """Switch between the whole screen and the place, or the window in front."""
        self._near = not self._near
        self._about = _around_point(self.pointed) if self.pointed else self._place or self._front
        self._paint()
        self._say()

    def enlarge(self) -> None:
        """Switch between filling the card and sharing it."""
        self.large = not self.large
        self._enlarge.configure(text=SMALLER if self.large else LARGER)
        self._arrange()

    def _picture(self) -> tk.Canvas:
        return tk.Canvas(
            self,
            takefocus=True,
            cursor="crosshair",
            borderwidth=0,
            width=1,
            height=round(MIN_HEIGHT_PX * scale_of(self)),
            background=self._apply_appearance_mode(SUNKEN),
            highlightthickness=round(FOCUS_RING_PX * scale_of(self)),
            highlightbackground=self._apply_appearance_mode(BORDER),
            highlightcolor=self._apply_appearance_mode(TONES["busy"]),
        )

    def _listen(self) -> None:
        canvas = self._canvas
        canvas.bind("<Configure>", self._fit)
        canvas.bind("<Button-1>", self._click)
        self.bind("<Configure>", lambda _event: self._wrap())
        canvas.bind("<Return>", lambda _event: self._send())
        for key in ("Delete", "BackSpace"):
            canvas.bind(f"<{key}>", lambda _event: self._point(None))
        for key, across, down in (("Left", -1, 0), ("Right", 1, 0), ("Up", 0, -1), ("Down", 0, 1)):
            canvas.bind(f"<{key}>", partial(self._move, across * STEP_PX, down * STEP_PX))
            canvas.bind(f"<Shift-{key}>", partial(self._move, across * FINE_STEP_PX, down * FINE_STEP_PX))

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._canvas.configure(
            background=self._apply_appearance_mode(SUNKEN),
            highlightbackground=self._apply_appearance_mode(BORDER),
            highlightcolor=self._apply_appearance_mode(TONES["busy"]),
        )

    def _fit(self, _event: object) -> None:
        self._wrap()
        self._paint()

    def _click(self, event: "tk.Event[tk.Misc]") -> None:
        self._canvas.focus_set()
        left, top = self._corner()
        x, y = event.x - left, event.y - top
        if 0 <= x < self._view.size.width and 0 <= y < self._view.size.height:
            self._point(self._view.point(x, y))

    def _move(self, across: int, down: int, _event: object) -> None:
        """Move the point by an arrow key, from the middle of the view at first."""
        was = self.pointed or self._view.part.center
        screen = self._frame.region
        x = min(max(screen.x, was.x + across), screen.right - 1)
        y = min(max(screen.y, was.y + down), screen.bottom - 1)
        point = Point(x, y)
        if point not in self._view.part:
            self._about = _around_point(point)
        self._point(point)

    def _point(self, point: Point | None) -> None:
        self.pointed = point
        self._paint()
        self._say()

    def _say(self) -> None:
        at = ELSEWHERE if self._place else POINT_OUT
        if self.pointed:
            at = f"Pointed at {self.pointed.x}, {self.pointed.y}. Delete clears it."
        self._caption.configure(text=at)
        self._turn.configure(text=WHOLE if self._near else NEARER)
        self._turn.enable(usable=self._near or bool(self._place or self._front or self.pointed))

    def _paint(self) -> None:
        room, part = self._room(), self._frame.region
        if self._near and self._about is self._front and self._front:
            part = self._front
        elif self._near and self._about:
            part = crop_around(self._about, part, self._units(room))
        self._view = fit_crop(part, room)
        picture = draw_crop(self._frame, self._view, self._place, self.pointed, scale_of(self))
        self._photo = ImageTk.PhotoImage(picture, master=self)
        self._canvas.delete("all")
        self._canvas.create_image(*self._corner(), image=self._photo, anchor="nw")

    def _room(self) -> Size:
        """Pixels that the image may take."""
        highlight_on_focus = 2 * round(FOCUS_RING_PX * scale_of(self))
        return Size(
            max(1, self._canvas.winfo_width() - highlight_on_focus),
            max(1, self._canvas.winfo_height() - highlight_on_focus),
        )

    def _units(self, room: Size) -> Size:
        """The room in pixels of the agent's screen, shown at the scale of the window's own texts."""
        scale = scale_of(self)
        return Size(max(1, round(room.width / scale)), max(1, round(room.height / scale)))

    def _corner(self) -> tuple[int, int]:
        """Where the image is on the canvas: centred."""
        return (
            (self._canvas.winfo_width() - self._view.size.width) // 2,
            (self._canvas.winfo_height() - self._view.size.height) // 2,
        )

    def _wrap(self) -> None:
        room = (self.winfo_width() - self._row.winfo_reqwidth()) / scale_of(self) - NEAR_PX
        if self._caption.cget("wraplength") != (wrapped := max(MIN_WRAP_PX, round(room))):
            self._caption.configure(wraplength=wrapped)


def _around_point(point: Point) -> Region:
    return POINT_AREA.shifted(point.x - POINT_AREA.center.x, point.y - POINT_AREA.center.y)
