"""Tk's own tables as they are in this window, and the field that is searched with above one.

They draw only the rows that are seen, so hundreds cost no more than ten.
"""

import tkinter as tk
from collections.abc import Callable, Mapping
from tkinter import ttk
from tkinter.font import Font
from typing import Any, Final

import customtkinter as ctk

from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    FIELD_BORDER,
    GAP_PX,
    MUTED,
    SCROLLBAR,
    SUNKEN,
    SURFACE,
    TEXT,
    highlight_on_focus,
    scale_of,
    small_font,
    text_font,
)

LINE: Final = 30  # height of a row
PAD: Final = 6  # beside the words of a cell
HEIGHT: Final = 34  # of the field
CAPTION: Final = 20  # height of what stands above it


class Table(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """A table with its scroll bar. Its rows have names, one of them is chosen, and Enter opens that.

    Args:
        style: its name in ttk.
        widths: of its columns, unscaled; the first one, `#0`, has the picture of a row.
        open_row: is given the name of the row that is opened.
    """

    def __init__(self, master: tk.Misc, style: str, widths: Mapping[str, int], open_row: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._open, self._style, self._widths = open_row, style, widths
        columns = [name for name in widths if name != "#0"]
        self._table = ttk.Treeview(self, columns=columns, style=style, selectmode="browse")
        self._table.grid(row=0, column=0, sticky="nsew")
        bar = ctk.CTkScrollbar(self, command=self._table.yview, fg_color=BACKGROUND, button_color=SCROLLBAR)
        bar.grid(row=0, column=1, sticky="ns")
        self._table.configure(yscrollcommand=bar.set)
        self._table.bind("<Return>", lambda _event: self.open_chosen())

    def take_focus(self) -> None:
        """The arrows go from row to row now."""
        self._table.focus_set()

    def open_chosen(self) -> None:
        """Open the row that is chosen."""
        if name := self._chosen():
            self._open(name)

    def _chosen(self) -> str | None:
        return next(iter(self._table.selection()), None)

    def _choose(self, name: str) -> None:
        self._table.selection_set(name)
        self._table.focus(name)
        self._table.see(name)

    def _restyle(self) -> None:
        """Give it our colors and sizes, as they are now; ttk knows nothing of them."""
        scale, styles, color = scale_of(self), ttk.Style(self), self._apply_appearance_mode
        if "default" in styles.theme_names():  # the others draw some parts in colors of their own
            styles.theme_use("default")
        # Of the cells and of the headings: Tk forgets those that nobody holds.
        self._fonts = [Font(self, font.create_scaled_tuple(scale)) for font in (text_font(), small_font())]
        flat: dict[str, Any] = {"relief": "flat", "borderwidth": 0}
        styles.configure(
            self._style,
            font=self._fonts[0],
            rowheight=round(LINE * scale),
            background=color(SURFACE),
            fieldbackground=color(SURFACE),
            foreground=color(TEXT),
            **flat,
        )
        styles.map(self._style, background=[("selected", color(SUNKEN))], foreground=[])
        for part in ("Cell", "Item"):
            styles.configure(f"{self._style}.{part}", padding=(round(PAD * scale), 0))
        heading, padding = f"{self._style}.Heading", (round(PAD * scale), round(4 * scale))
        ground, muted = color(BACKGROUND), color(MUTED)
        styles.configure(heading, font=self._fonts[1], background=ground, foreground=muted, padding=padding, **flat)
        styles.map(heading, background=[("active", ground)])
        for name, width in self._widths.items():
            self._table.column(name, width=round(width * scale), minwidth=round(width * scale / 2))

    def _set_appearance_mode(self, mode_string: str) -> None:
        """Called by customtkinter when the desktop turns dark or light; plain Tk knows nothing of that."""
        super()._set_appearance_mode(mode_string)
        self._restyle()

    def _set_scaling(self, *scales: float) -> None:
        """Called by customtkinter when the window comes to a screen of another scale."""
        super()._set_scaling(*scales)
        self._restyle()


def search_field(
    master: tk.Misc, searched: Callable[[], None], take_focus: Callable[[], None], open_chosen: Callable[[], None]
) -> ctk.CTkEntry:
    """A field in the first row of `master`: Down goes on to the list below it, Enter opens what is chosen there."""
    caption = ctk.CTkLabel(master, text="Search", font=small_font(), text_color=MUTED, height=0)
    caption.grid(row=0, column=0, sticky="nw", padx=EDGE_PX, pady=(GAP_PX, 0))
    field = ctk.CTkEntry(
        master, height=HEIGHT, font=text_font(), fg_color=SURFACE, text_color=TEXT, border_color=FIELD_BORDER
    )
    field.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=(GAP_PX + CAPTION, GAP_PX))
    highlight_on_focus(field)
    field.bind("<KeyRelease>", lambda _event: searched())
    field.bind("<Down>", lambda _event: take_focus())
    field.bind("<Return>", lambda _event: open_chosen())
    return field
