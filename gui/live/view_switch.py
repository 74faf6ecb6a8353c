"""The switch at the end of the status line: log or live view, or back to the compact bar."""

import tkinter as tk
from collections.abc import Callable
from typing import get_args

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import BACKGROUND, EDGE_PX, NEAR_PX, segmented_style
from gui.run.view import Tab
from gui.toolkit import ctk

HEIGHT_PX = 28


class ViewSwitch(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `choose` with the chosen view, or `fold`. `shown` is the switch itself while there is a choice."""

    def __init__(self, master: tk.Misc, choose: Callable[[Tab], None], shrink: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.shown: ctk.CTkFrame | None = None
        self._views = ctk.CTkSegmentedButton(
            self, values=list(get_args(Tab)), command=choose, height=HEIGHT_PX, **segmented_style()
        )
        self._shrink = Button(self, "Compact", PLAIN, shrink)

    def draw(self, tab: Tab | None, *, can_shrink: bool) -> None:
        """Show the current view, None where there is only one; `folds`: the window can become the compact bar."""
        self.shown = self if tab or can_shrink else None
        if tab and self._views.get() != tab:
            self._views.set(tab)
        for part, there in ((self._views, tab is not None), (self._shrink, can_shrink)):
            if there and not part.winfo_manager():
                part.grid(row=0, column=0, padx=(0, EDGE_PX), pady=(NEAR_PX, 0))
            elif not there and part.winfo_manager():
                part.grid_forget()
