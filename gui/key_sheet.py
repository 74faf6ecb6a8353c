"""The sheet of all keys."""

import tkinter as tk
from collections.abc import Mapping
from typing import Final

from gui.kit.buttons import PRIMARY, Button
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

WIDTH_PX: Final = 760
WIDTH_PART, HEIGHT_MAX_PART = 0.94, 0.9  # of the screen; the frame of the window and a panel need room too
HEIGHT_PART: Final = 0.75  # of the screen, for two columns; the button and the frame need the rest
# The groups of each column. A test compares them with the keys that are bound.
SHEET: Final[tuple[Mapping[str, Keys], ...]] = (
    {
        "Everywhere": {
            "F1": "These keys",
            "Ctrl+1 … Ctrl+6": "Agent, Runs, Skills, Fleets, Tools, Settings",
            "Tab, Shift+Tab": "The next, the previous field",
            "Page Up, Page Down": "Scroll",
            "Esc": "Close what is on top, then stop the run",
        },
        "A run": {
            "Enter, Ctrl+Enter": "Run, say it to the run, or answer",
            "Shift+Enter": "Begin a line in the goal",
            "Up, Down": "Earlier goals, in the goal",
            "F6": "Pause, or resume",
            "F7": "One step of a paused run",
            "F8": "The agent's screen, or the log",
            "F9": "Take over its mouse and keyboard",
            "Shift+Esc": "Esc for the screen taken over",
        },
        "Skills": {
            "Enter": "Open a skill, or run the open one",
            "Delete": "Delete it, after asking",
            "Ctrl+S": "Save its file",
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
        "Fleets": {
            "Arrow keys": "Choose a run of the wall",
            "Enter": "Open it",
        },
    },
)


class KeySheet(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Esc, F1 and its button close it. Where there is too little room for two columns, it has one that scrolls."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        self.title("Keys")
        scale, across, down = scale_of(self), self.winfo_screenwidth(), self.winfo_screenheight()
        width = min(round(WIDTH_PX * scale), round(WIDTH_PART * across))
        close = Button(self, "Close", PRIMARY, self.destroy)
        close.pack(side="bottom", anchor="e", padx=EDGE_PX, pady=(GAP_PX, EDGE_PX))
        columns = ctk.CTkFrame(self, fg_color="transparent")
        for number, groups in enumerate(SHEET):
            column = _column(columns, groups)
            column.grid(row=0, column=number, sticky="n", padx=(GAP_PX if number else 0, 0))
        self.update_idletasks()
        room = width - 2 * EDGE_PX * scale
        if columns.winfo_reqwidth() <= room and columns.winfo_reqheight() <= HEIGHT_PART * down:
            columns.pack(side="top", fill="x", padx=EDGE_PX, pady=(EDGE_PX, 0))
        else:
            columns.destroy()
            area = ScrollArea(self)
            for number, groups in enumerate(SHEET):
                _column(area.content, groups).grid(row=number, column=0, sticky="w", pady=(0, GAP_PX))
            area.ask_for_all()
            area.pack(side="top", fill="both", expand=True, padx=EDGE_PX, pady=(EDGE_PX, 0))
        for key in ("<F1>", "<Escape>"):
            self.bind(key, lambda _event: self.destroy())
        self._place(width, down)
        self.lift()
        self.after_idle(self.focus_set)

    def _place(self, width: int, down: int) -> None:
        """Size it to its content and the screen, centred over its window as far as possible."""
        self.update_idletasks()
        window = self.master.winfo_toplevel()
        height = min(self.winfo_reqheight(), round(HEIGHT_MAX_PART * down))
        x = window.winfo_rootx() + (window.winfo_width() - width) // 2
        y = window.winfo_rooty() + (window.winfo_height() - height) // 2
        x = max(0, min(x, self.winfo_screenwidth() - width))
        y = max(0, min(y, round(HEIGHT_MAX_PART * down) - height))
        self.wm_geometry(f"{width}x{height}+{x}+{y}")


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
