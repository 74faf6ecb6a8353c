"""The list of the tools."""

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Any, Final

from PIL import Image, ImageDraw, ImageTk

from gui.kit.style import MUTED, TONES, scale_of
from gui.kit.tables import PAD, Table
from gui.kit.texts import fit_text
from gui.kit.tones import Tone
from gui.tools_page.catalog import RISKS, Risk, ToolEntry

STYLE: Final = "Tools.Treeview"
DOT: Final = 10  # across
FINER: Final = 4  # the dot is drawn so much larger, for its edge to be smooth
TONE: Final[dict[Risk, Tone]] = {"look": "done", "act": "busy", "write": "paused", "danger": "failed"}
RISK, TOOL, ABOUT, FROM, SWITCH = "Risk", "Tool", "What it does", "Source", "Enabled"
WIDTHS: Final = {RISK: 96, TOOL: 150, ABOUT: 120, FROM: 140, SWITCH: 84}
WIDE: Final = 760  # from this width on, there is room for all of them
MEDIUM: Final = 560  # below this width, there is none for what it does
MARKED: Final = {"on": "On", "off": "Off", "fixed": "Always"}


class ToolsList(Table):
    """Calls `open_tool` with the name of a tool, and `switch` with it and whether runs are to have it."""

    def __init__(self, master: tk.Misc, open_tool: Callable[[str], None], switch: Callable[[str, bool], None]) -> None:
        widths = {"#0" if name == RISK else name: width for name, width in WIDTHS.items()}
        super().__init__(master, STYLE, widths, open_tool)
        self._switch = switch
        self._entries: Sequence[ToolEntry] = ()
        self._dots: dict[Risk, ImageTk.PhotoImage] = {}
        for name in WIDTHS:
            column = "#0" if name == RISK else name
            self._table.heading(column, text=name, anchor="center" if name == SWITCH else "w")
            self._table.column(column, anchor="center" if name == SWITCH else "w", stretch=name == ABOUT)
        self._table.bind("<ButtonRelease-1>", self._clicked)
        self._table.bind("<Configure>", lambda _event: self.after_idle(self._fit_words))
        self._table.bind("<space>", lambda _event: self._switch_chosen())
        self._restyle()

    def draw(self, entries: Sequence[ToolEntry]) -> None:
        """Show these tools; the one that was chosen stays so, if it is among them."""
        if entries == self._entries:
            return
        chosen, seen = self._chosen(), self._table.yview()[0]
        self._entries = entries
        self._table.delete(*self._table.get_children())
        for one in entries:
            state = "fixed" if one.fixed else "off" if one.off else "on"
            values = (one.name, one.first, one.source, MARKED[state])
            self._table.insert(
                "", "end", iid=one.name, text=f" {one.risk}", image=self._dots[one.risk], values=values, tags=(state,)
            )
        self._fit_words()
        names = [one.name for one in entries]
        if names:
            self._table.yview_moveto(seen)
            self._choose(chosen if chosen in names else names[0])

    def fit(self, width: int) -> None:
        """Leave out columns that there is no room for."""
        columns = (TOOL, ABOUT, FROM, SWITCH) if width >= WIDE else (TOOL, ABOUT, SWITCH)
        self._table.configure(displaycolumns=columns if width >= MEDIUM else (TOOL, SWITCH))
        self._table.column(TOOL, stretch=width < MEDIUM)

    def _fit_words(self) -> None:
        """End what there is no room for with three dots."""
        room = self._table.column(ABOUT, "width") - 4 * round(PAD * scale_of(self))
        for one in self._entries:
            self._table.set(one.name, ABOUT, fit_text(one.first, self._fonts[0].measure, room))

    def _switch_chosen(self) -> str:
        self._turn(self._chosen())
        return "break"

    def _turn(self, name: str | None) -> None:
        entry = next((one for one in self._entries if one.name == name), None)
        if entry and not entry.fixed:
            self._switch(entry.name, entry.off)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        name = self._table.identify_row(event.y)
        if name and self._table.identify_region(event.x, event.y) in ("cell", "tree"):
            column = self._table.identify_column(event.x)
            is_switch = column != "#0" and self._table.column(column, "id") == SWITCH
            (self._turn if is_switch else self._open)(name)

    def _restyle(self) -> None:
        super()._restyle()
        parts = [("Treeitem.image", {"side": "left", "sticky": ""}), ("Treeitem.text", {"side": "left", "sticky": ""})]
        item: Any = [("Treeitem.padding", {"sticky": "nsew", "children": parts})]
        ttk.Style(self).layout(f"{STYLE}.Item", item)  # without what folds a row, for none has others in it
        self._table.tag_configure("off", foreground=self._apply_appearance_mode(MUTED))
        scale = scale_of(self)
        self._dots = {risk: _dot(self._apply_appearance_mode(TONES[TONE[risk]]), scale) for risk in RISKS}
        for entry in self._entries:
            self._table.item(entry.name, image=self._dots[entry.risk])


def _dot(color: str, scale: float) -> ImageTk.PhotoImage:
    across = round(DOT * scale)
    large = Image.new("RGBA", (across * FINER, across * FINER))
    ImageDraw.Draw(large).ellipse((0, 0, across * FINER - 1, across * FINER - 1), fill=color)
    return ImageTk.PhotoImage(large.resize((across, across), Image.Resampling.LANCZOS))
