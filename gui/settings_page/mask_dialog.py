"""A window with a screenshot of this desktop, on which masks are drawn with the mouse."""

import tkinter as tk
from typing import Final

from PIL import Image, ImageTk

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX, NEAR_PX, TEXT, scale_of, text_font
from gui.settings_page.mask_geometry import MaskScale, Pixel, as_mask, part_of, without
from gui.settings_page.masks_view import Mask
from gui.toolkit import ctk
from world_model import Frame

MAX_PART: Final = 0.7  # of the screen that the screenshot takes
LINE_PX, CHOSEN_LINE_PX = 2, 5
COLOR: Final = "#FF2D55"  # as what is ringed in pictures: seen on any ground
HELP: Final = (
    "Drag to mask a part. A click chooses a mask, Delete deletes it, Esc closes this. "
    "Black is what the agent does not see anyway: windows that are masked by their words, and this program's."
)


class MaskDialog(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Calls `change` for each mask that is drawn or deleted."""

    def __init__(self, master: tk.Misc, frame: Frame, masks: tuple[str, ...], change: Mask) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        self.title("Masks")
        self._change, self._masks = change, masks
        self._sent: list[tuple[str, ...]] = []
        self._from: Pixel = (0, 0)
        self._chosen: int | None = None
        wide, high = frame.region.width, frame.region.height
        factor = min(1.0, MAX_PART * self.winfo_screenwidth() / wide, MAX_PART * self.winfo_screenheight() / high)
        size = (max(1, round(wide * factor)), max(1, round(high * factor)))
        self._view = MaskScale(frame.region, factor)
        self._image = ImageTk.PhotoImage(Image.fromarray(frame.pixels).resize(size, Image.Resampling.LANCZOS))
        self._message = ctk.CTkLabel(self, text=HELP, font=text_font(), text_color=TEXT, height=0, justify="left")
        self._message.configure(wraplength=round(size[0] / scale_of(self)))
        self._message.pack(padx=EDGE_PX, pady=(GAP_PX, NEAR_PX), anchor="w")
        self._canvas = tk.Canvas(self, width=size[0], height=size[1], highlightthickness=0, cursor="crosshair")
        self._canvas.create_image(0, 0, image=self._image, anchor="nw")
        self._canvas.pack(padx=EDGE_PX)
        Button(self, "Close", PLAIN, self.destroy).pack(padx=EDGE_PX, pady=GAP_PX, anchor="e")
        self._listen()
        self.transient(master.winfo_toplevel())
        self.after_idle(self._take_focus)
        self._show()

    def draw(self, masks: tuple[str, ...]) -> None:
        """Show the saved masks, unless they are ones that were drawn here, after which more may have been drawn."""
        if masks not in self._sent:
            self._masks, self._chosen = masks, None
            self._show()

    def _show(self) -> None:
        self._canvas.delete("mask")
        for number, mask in enumerate(self._masks):
            if part := part_of(mask):
                left, top, right, bottom = self._view.box(part)
                line = CHOSEN_LINE_PX if number == self._chosen else LINE_PX
                self._canvas.create_rectangle(left, top, right, bottom, outline=COLOR, width=line, tags="mask")
                self._canvas.create_line(left, top, right, bottom, fill=COLOR, width=1, tags="mask")
                self._canvas.create_line(left, bottom, right, top, fill=COLOR, width=1, tags="mask")

    def _listen(self) -> None:
        self._canvas.bind("<ButtonPress-1>", self._press)
        self._canvas.bind("<B1-Motion>", self._drag)
        self._canvas.bind("<ButtonRelease-1>", self._release)
        self.bind("<Delete>", lambda _event: self._delete())
        self.bind("<Escape>", lambda _event: self.destroy())

    def _press(self, event: "tk.Event[tk.Misc]") -> None:
        self._from = (event.x, event.y)

    def _drag(self, event: "tk.Event[tk.Misc]") -> None:
        self._canvas.delete("drawn")
        self._canvas.create_rectangle(*self._from, event.x, event.y, outline=COLOR, width=LINE_PX, tags="drawn")

    def _release(self, event: "tk.Event[tk.Misc]") -> None:
        self._canvas.delete("drawn")
        here = (event.x, event.y)
        if part := self._view.part(self._from, here):
            self._send((*self._masks, as_mask(part)))
            self._change("", as_mask(part))
        else:
            self._chosen = self._view.mask_at(here, self._masks)
            self._show()

    def _delete(self) -> None:
        if self._chosen is not None:
            mask = self._masks[self._chosen]
            self._send(without(self._masks, self._chosen))
            self._change(mask, "")

    def _send(self, masks: tuple[str, ...]) -> None:
        self._sent.append(masks)
        self._masks, self._chosen = masks, None
        self._show()

    def _take_focus(self) -> None:
        self.lift()
        self.focus_set()
