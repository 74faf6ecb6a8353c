"""The sheet of all keys."""

import tkinter as tk
from collections.abc import Mapping
from typing import Final

from gui.dialogs.base import Dialog
from gui.kit.buttons import PRIMARY
from gui.kit.scrolling import ScrollArea
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    TEXT,
    code_font,
    scale_of,
    small_font,
    strong_font,
)
from gui.toolkit import ctk

Keys = Mapping[str, str]  # what each does

HEIGHT_PART: Final = 0.75  # of the screen, for two columns; the button and the frame need the rest
# The groups of each column. A test compares them with the keys that are bound.
SHEET: Final[tuple[Mapping[str, Keys], ...]] = (
    {
        "Everywhere": {
            "F1": "These keys",
            "Ctrl+1 … Ctrl+4": "Agent, Runs, Tools, Settings",
            "Tab, Shift+Tab": "The next, the previous field",
            "Page Up, Page Down": "Scroll",
            "Esc": "Close what is on top, then stop the run",
        },
        "A run": {
            "Enter, Ctrl+Enter": "Run, or say it to the run",
            "Shift+Enter": "Begin a line in the goal",
            "Up, Down": "Earlier goals, in the goal",
            "F6": "Pause, or resume",
            "F7": "One step of a paused run",
            "F8": "The agent's screen, or the log",
            "F9": "Take over its mouse and keyboard",
            "Shift+Esc": "Esc for the screen taken over",
        },
    },
    {
        "The log": {
            "Ctrl+F": "Search",
            "F3, Shift+F3": "The next, the previous match",
            "Up, Down": "Select a card",
            "Ctrl+Home, Ctrl+End": "The first, the last card",
            "Ctrl+C": "Copy the card",
            "D": "How the model wrote the action",
            "Enter": "Its screen, large",
            "1 … 9": "Press a button of the last card",
            "Space, Left, Right": "Compare before and after there",
        },
        "Past runs": {
            "Enter": "Open a run",
            "Delete": "Delete it, after asking",
            "Left, Right": "The step before, the step after",
            "Home, End": "The start, the end of the run",
        },
        "Tools": {
            "Enter": "Open a tool",
            "Space": "Switch it on or off",
        },
    },
)


class KeySheet(Dialog):
    """Esc, F1 and its button close it. Where there is too little room for two columns, it has one that scrolls."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, "Keys", self.destroy, self.destroy)
        self._area: ScrollArea | None = None
        columns = ctk.CTkFrame(self, fg_color="transparent")
        for number, groups in enumerate(SHEET):
            column = _column(columns, groups)
            column.grid(row=0, column=number, sticky="n", padx=(GAP_PX if number else 0, 0))
        self.update_idletasks()
        scale = scale_of(self)
        room = (self.width - 2 * EDGE_PX, HEIGHT_PART * self.winfo_screenheight() / scale)
        if columns.winfo_reqwidth() <= room[0] * scale and columns.winfo_reqheight() <= room[1] * scale:
            self.above = [columns]
        else:
            columns.destroy()
            self._area = ScrollArea(self)
            for number, groups in enumerate(SHEET):
                _column(self._area.content, groups).grid(row=number, column=0, sticky="w", pady=(0, GAP_PX))
            self._area.ask_for_all()
        self.choices(("Close", PRIMARY, self.destroy))
        self.bind("<F1>", lambda _event: self.destroy())
        self.appear(self)

    def arrange(self) -> None:
        """Give what scrolls all the room that the button leaves."""
        super().arrange()
        if self._area:
            self._area.pack(side="top", fill="both", expand=True, padx=EDGE_PX, pady=(EDGE_PX, 0))


def _column(master: tk.Misc, groups: Mapping[str, Keys]) -> ctk.CTkFrame:
    column = ctk.CTkFrame(master, fg_color=BACKGROUND)
    row = 0
    for title, keys in groups.items():
        heading = ctk.CTkLabel(column, text=title, font=strong_font(), text_color=TEXT, height=0, anchor="w")
        heading.grid(row=row, column=0, columnspan=2, sticky="w", pady=(GAP_PX if row else 0, NEAR_PX // 2))
        for at, (key, does) in enumerate(keys.items(), start=row + 1):
            for place, (text, font, color) in enumerate(((key, code_font(), TEXT), (does, small_font(), MUTED))):
                label = ctk.CTkLabel(column, text=text, font=font, text_color=color, height=0, anchor="w")
                label.grid(row=at, column=place, sticky="w", padx=(NEAR_PX if place else 0, 0), pady=1)
        row += len(keys) + 1
    return column
