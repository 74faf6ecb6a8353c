"""The switch at the end of the status line: between log and live view, or back to the strip."""

import tkinter as tk
from collections.abc import Callable
from typing import get_args

import customtkinter as ctk

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import BACKGROUND, EDGE_PX, NEAR_PX, segmented_style
from gui.run.view import View

HEIGHT = 28


class ViewSwitch(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `choose` with the view that was chosen, or `fold`. `shown`: whether there is anything to choose."""

    def __init__(self, master: tk.Misc, choose: Callable[[View], None], fold: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.shown: ctk.CTkFrame | None = None
        self._views = ctk.CTkSegmentedButton(
            self, values=list(get_args(View)), command=choose, height=HEIGHT, **segmented_style()
        )
        self._fold = Button(self, "Strip", PLAIN, fold)

    def draw(self, view: View | None, *, folds: bool) -> None:
        """The view that is seen, None where there is only one; `folds`: the window can be a strip."""
        self.shown = self if view or folds else None
        if view and self._views.get() != view:
            self._views.set(view)
        for part, there in ((self._views, view is not None), (self._fold, folds)):
            if there and not part.winfo_manager():
                part.grid(row=0, column=0, padx=(0, EDGE_PX), pady=(NEAR_PX, 0))
            elif not there and part.winfo_manager():
                part.grid_forget()
