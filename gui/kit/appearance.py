"""Theme and scale, applied to all windows of the program at once."""

import sys
import tkinter as tk
from collections.abc import Iterator

from gui.toolkit import ctk
from mark_i.config import Settings


def apply_appearance(settings: Settings) -> None:
    """Apply theme and scale to windows that are created from now on; `resize` does the rest for open ones."""
    ctk.set_appearance_mode(settings.theme)
    if settings.theme == "system":
        ctk.AppearanceModeTracker.init_appearance_mode()
        if sys.platform == "linux":  # asked once: customtkinter would start two programs every 30 ms to find out
            ctk.set_appearance_mode(ctk.get_appearance_mode())
    if not ctk.ScalingTracker.window_widgets_dict:
        ctk.set_widget_scaling(settings.scale / 100)


def resize(window: tk.Misc, settings: Settings) -> bool:
    """Scale everything in an open window as the settings say.

    Returns:
        Whether the scale changed.
    """
    if settings.scale == round(ctk.ScalingTracker.widget_scaling * 100):
        return False
    hidden = [widget for widget in _inside(window) if not widget.winfo_manager()]
    ctk.set_widget_scaling(settings.scale / 100)
    for widget in hidden:  # customtkinter grids every widget again that was ever in the grid
        if widget.winfo_manager() == "grid":
            widget.grid_remove()
    return True


def _inside(window: tk.Misc) -> Iterator[ctk.CTkBaseClass]:
    for child in window.winfo_children():
        if isinstance(child, ctk.CTkBaseClass):
            yield child
        yield from _inside(child)
