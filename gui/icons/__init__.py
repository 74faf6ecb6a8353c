"""The icon of MARK-I: the ring that marks a place, and the pointer that clicks it.

The PNGs are `mark-i.svg` in Chromium, a square of each size on a transparent ground.
"""

import tkinter as tk
from pathlib import Path
from typing import Final

SIZES_PX: Final = (256, 48, 32, 16)
DRAWING: Final = Path(__file__).with_name("mark-i.svg")


def icon_file(size_px: int) -> Path:
    """Return the PNG of one of the sizes."""
    return Path(__file__).with_name(f"mark-i-{size_px}.png")


def set_icon(window: tk.Tk) -> None:
    """Give the window, and every other window of the program, the icon."""
    images = [tk.PhotoImage(master=window, file=icon_file(size)) for size in SIZES_PX]
    window.wm_iconphoto(True, *images)  # noqa: FBT003 - Tk's own form; Tk keeps copies of the images
