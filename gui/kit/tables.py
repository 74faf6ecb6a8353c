"""Tk's tables in the window's style, and the search field above them.

Tables draw only the visible rows, so hundreds cost no more than ten.
"""

import tkinter as tk
from collections.abc import Callable, Iterable, Mapping, Sequence
from tkinter import ttk
from tkinter.font import Font
from typing import Any, Final

from PIL import Image, ImageDraw, ImageTk

from gui.kit.fields import text_field
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    SCROLLBAR,
    SUNKEN,
    SURFACE,
    TEXT,
    scale_of,
    small_font,
    text_font,
)
from gui.kit.texts import fit_text
from gui.toolkit import ctk

ROW_PX: Final = 30  # height of a row
PAD_PX: Final = 6  # beside the words of a cell
FIELD_MIN_PX: Final = 140  # width of the field
CAPTION_PX: Final = 20  # height of what stands above it
DOT_PX: Final = 10
OVERSAMPLING: Final = 4  # of a dot, for a smooth edge


class Table(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """A table with its scrollbar. Rows have names; one row is selected, and Enter opens it.

    Args:
        style: the name of its ttk style.
        widths: of the columns, unscaled; `#0` holds the image of a row.
        open_row: called with the name of the row to open.
    """

    def __init__(self, master: tk.Misc, style: str, widths: Mapping[str, int], open_row: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._open, self._style, self._widths = open_row, style, widths
        self._shown: Sequence[str] = ()
        self._wide, self._texts = "", tuple[tuple[str, str, str], ...]()
        columns = [name for name in widths if name != "#0"]
        self._table = ttk.Treeview(self, columns=columns, style=style, selectmode="browse")
        self._table.grid(row=0, column=0, sticky="nsew")
        bar = ctk.CTkScrollbar(self, command=self._table.yview, fg_color=BACKGROUND, button_color=SCROLLBAR)
        bar.grid(row=0, column=1, sticky="ns")
        self._table.configure(yscrollcommand=bar.set)
        self._table.bind("<Return>", lambda _event: self.open_chosen())
        self._table.bind("<Configure>", lambda _event: self.after_idle(self._fit_columns))

    def take_focus(self) -> None:
        """Give the table the focus, so that the arrow keys move the selection."""
        self._table.focus_set()

    def open_chosen(self) -> None:
        """Open the selected row."""
        if name := self._chosen():
            self._open(name)

    def _chosen(self) -> str | None:
        return next(iter(self._table.selection()), None)

    def _choose(self, name: str) -> None:
        self._table.selection_set(name)
        self._table.focus(name)
        self._table.see(name)

    def _show_columns(self, columns: Sequence[str], wide: str) -> None:
        """Show these columns beside that of the images, if there is one; the wide one takes what the others leave."""
        self._shown, self._wide = columns, wide
        self._table.configure(displaycolumns=tuple(columns))
        self.after_idle(self._fit_columns)

    def _show_texts(self, column: str, texts: Iterable[tuple[str, str]]) -> None:
        """Show the text of each row in a column, cut with an ellipsis where it does not fit."""
        self._texts = tuple((name, column, text) for name, text in texts)
        self.after_idle(self._fit_columns)

    def _fit_columns(self) -> None:
        """Give each column its width, and cut the texts to it.

        By itself, ttk keeps for the others what a column took that is hidden now, and what a larger window gave.
        """
        scale, shown = scale_of(self), [name for name in self._widths if name == "#0" or name in self._shown]
        widths = {name: round(self._widths[name] * scale) for name in shown}
        if self._wide in widths:
            others = sum(widths.values()) - widths[self._wide]
            widths[self._wide] = max(widths[self._wide], self._table.winfo_width() - others)
        for name, width in widths.items():
            self._table.column(name, width=width, stretch=False)
        pad = 4 * round(PAD_PX * scale)
        for name, column, text in self._texts:
            if self._table.exists(name):
                self._table.set(name, column, fit_text(text, self._measure, widths.get(column, 0) - pad))

    def _measure(self, text: str) -> int:
        """The width of a text; each character is measured once, for Tk is slow at it."""
        for sign in set(text) - self._widths_px.keys():
            self._widths_px[sign] = self._fonts[0].measure(sign)
        return sum(map(self._widths_px.__getitem__, text))

    def _restyle(self) -> None:
        """Apply the current colors and sizes, which ttk does not know."""
        scale, styles, color = scale_of(self), ttk.Style(self), self._apply_appearance_mode
        if "default" in styles.theme_names():  # the other themes draw some parts in colors of their own
            styles.theme_use("default")
        # For cells and headings; kept, because Tk forgets fonts that nothing refers to.
        self._widths_px: dict[str, int] = {}
        self._fonts = [Font(self, font.create_scaled_tuple(scale)) for font in (text_font(), small_font())]
        flat: dict[str, Any] = {"relief": "flat", "borderwidth": 0}
        styles.configure(
            self._style,
            font=self._fonts[0],
            rowheight=round(ROW_PX * scale),
            background=color(SURFACE),
            fieldbackground=color(SURFACE),
            foreground=color(TEXT),
            **flat,
        )
        styles.map(self._style, background=[("selected", color(SUNKEN))], foreground=[])
        parts = [("Treeitem.image", {"side": "left", "sticky": ""}), ("Treeitem.text", {"side": "left", "sticky": ""})]
        item: Any = [("Treeitem.padding", {"sticky": "nsew", "children": parts})]
        styles.layout(f"{self._style}.Item", item)  # without what folds a row, for none has others in it
        for part in ("Cell", "Item"):
            styles.configure(f"{self._style}.{part}", padding=(round(PAD_PX * scale), 0))
        heading, padding = f"{self._style}.Heading", (round(PAD_PX * scale), round(4 * scale))
        ground, muted = color(BACKGROUND), color(MUTED)
        styles.configure(heading, font=self._fonts[1], background=ground, foreground=muted, padding=padding, **flat)
        styles.map(heading, background=[("active", ground)])
        for name, width in self._widths.items():
            self._table.column(name, minwidth=round(width * scale / 2), stretch=False)
        self.after_idle(self._fit_columns)

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._restyle()

    def _set_scaling(self, *scales: float) -> None:
        """React to a change of scale, which customtkinter reports."""
        super()._set_scaling(*scales)
        self._restyle()


def search_field(
    master: tk.Misc, searched: Callable[[], None], take_focus: Callable[[], None], open_chosen: Callable[[], None]
) -> ctk.CTkEntry:
    """Make a search field in the first row of `master`: Down moves to the list below, Enter opens its selected row."""
    caption = ctk.CTkLabel(master, text="Search", font=small_font(), text_color=MUTED, height=0)
    caption.grid(row=0, column=0, sticky="nw", padx=EDGE_PX, pady=(GAP_PX, 0))
    field = text_field(master, FIELD_MIN_PX)
    field.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=(GAP_PX + CAPTION_PX, GAP_PX))
    field.bind("<KeyRelease>", lambda _event: searched())
    field.bind("<Down>", lambda _event: take_focus())
    field.bind("<Return>", lambda _event: open_chosen())
    return field


def dot(color: str, scale: float) -> ImageTk.PhotoImage:
    """Draw a dot to stand before a row."""
    across = round(DOT_PX * scale)
    large = Image.new("RGBA", (across * OVERSAMPLING, across * OVERSAMPLING))
    ImageDraw.Draw(large).ellipse((0, 0, across * OVERSAMPLING - 1, across * OVERSAMPLING - 1), fill=color)
    return ImageTk.PhotoImage(large.resize((across, across), Image.Resampling.LANCZOS))
