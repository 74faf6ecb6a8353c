"""The row of pages: a click, or Ctrl and a page's number, opens one."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from gui.history_page.model import PAGES, Page
from gui.kit.buttons import PLAIN, Button
from gui.kit.segmented import SegmentedSwitch
from gui.kit.style import EDGE_PX, MUTED, NEAR_PX, SURFACE, scale_of, small_font
from gui.kit.texts import fit_text, tk_safe
from gui.kit.tooltip import Tooltip
from gui.run.state import RunState
from gui.toolkit import ctk

HEIGHT_PX: Final = 42  # with what is around it
HELP: Final = {"width": 30, "height": 30}


class Navigation(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `turn` with the chosen page, and `show_keys` for the sheet of keys."""

    def __init__(self, master: tk.Misc, turn: Callable[[Page], None], show_keys: Callable[[], None]) -> None:
        super().__init__(master, fg_color=SURFACE, corner_radius=0)
        self.grid_columnconfigure(1, weight=1)
        self._pages = SegmentedSwitch(self, PAGES, 30, turn)
        self._pages.grid(row=0, column=0, padx=EDGE_PX, pady=(NEAR_PX, NEAR_PX))
        self._live = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, anchor="e", height=0)
        self._live.grid(row=0, column=1, sticky="e", padx=(0, EDGE_PX))
        self._help = Button(self, "?", PLAIN, show_keys, HELP)
        self._help.grid(row=0, column=2, sticky="e", padx=(0, EDGE_PX))
        Tooltip(self._help, lambda: "All keys (F1)")
        self._drawn = ("", "", 0)
        for number, page in enumerate(PAGES, start=1):
            self.winfo_toplevel().bind(f"<Control-Key-{number}>", partial(_turned, turn, page))

    def draw(self, page: Page, state: RunState) -> None:
        """Show which page is open, and the status of a run that is on another page."""
        if self._pages.get() != page:
            self._pages.set(page)
        what_now = "Ctrl+1 shows it" if state.pending else "Esc stops it"
        shown = state.running and page != "Agent"
        drawn = (state.status, f" · {what_now}", self.winfo_width()) if shown else ("", "", 0)
        if drawn != self._drawn:
            self._drawn = drawn
            self._live.configure(text=self._fitted(*drawn) if shown else "")

    def _fitted(self, status: str, ending: str, width: int) -> str:
        """Cut a status where there is no room for it; what can be done about it stays."""
        scale, font = scale_of(self), small_font()
        room = width - self._pages.winfo_reqwidth() - self._help.winfo_reqwidth() - round(4 * EDGE_PX * scale)
        return fit_text(tk_safe(status), lambda text: round(scale * font.measure(text + ending)), room) + ending


def _turned(turn: Callable[[Page], None], page: Page, _event: object) -> None:
    turn(page)
