"""The row of pages: a click, or Ctrl and a page's number, opens one."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from gui.history_page.model import PAGES, Page
from gui.kit.buttons import PLAIN, Button
from gui.kit.segmented import SegmentedSwitch
from gui.kit.style import EDGE_PX, MUTED, NEAR_PX, SURFACE, small_font
from gui.kit.texts import LINE_CHARS, shorten
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
        help_button = Button(self, "?", PLAIN, show_keys, HELP)
        help_button.grid(row=0, column=2, sticky="e", padx=(0, EDGE_PX))
        Tooltip(help_button, lambda: "All keys (F1)")
        self._text = ""
        for number, page in enumerate(PAGES, start=1):
            self.winfo_toplevel().bind(f"<Control-Key-{number}>", partial(_turned, turn, page))

    def draw(self, page: Page, state: RunState) -> None:
        """Show which page is open, and the status of a run that is on another page."""
        if self._pages.get() != page:
            self._pages.set(page)
        what_now = "Ctrl+1 shows it" if state.pending else "Esc stops it"
        text = f"{shorten(state.status, LINE_CHARS)} · {what_now}" if state.running and page != "Agent" else ""
        if text != self._text:
            self._text = text
            self._live.configure(text=text)


def _turned(turn: Callable[[Page], None], page: Page, _event: object) -> None:
    turn(page)
