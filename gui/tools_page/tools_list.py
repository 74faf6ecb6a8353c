"""The list of tools."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final

from PIL import ImageTk

from gui.kit.style import MUTED, TONES, scale_of
from gui.kit.tables import Table, dot
from gui.kit.tones import Tone
from gui.tools_page.catalog import RISKS, Risk, ToolEntry

STYLE: Final = "Tools.Treeview"
TONE: Final[dict[Risk, Tone]] = {"look": "done", "act": "busy", "write": "paused", "danger": "failed"}
RISK, TOOL, ABOUT, FROM, SWITCH = "Risk", "Tool", "What it does", "Source", "Enabled"
WIDTHS_PX: Final = {RISK: 96, TOOL: 150, ABOUT: 120, FROM: 140, SWITCH: 84}
WIDE_PX: Final = 760  # width from which all columns fit
MEDIUM_PX: Final = 560  # width below which the description is omitted
MARKED: Final = {"on": "On", "off": "Off", "fixed": "Always"}


class ToolsList(Table):
    """Calls `open_tool` with the name of a tool, and `switch` with it and whether runs are to have it."""

    def __init__(self, master: tk.Misc, open_tool: Callable[[str], None], switch: Callable[[str, bool], None]) -> None:
        widths = {"#0" if name == RISK else name: width for name, width in WIDTHS_PX.items()}
        super().__init__(master, STYLE, widths, open_tool)
        self._switch = switch
        self._entries: Sequence[ToolEntry] = ()
        self._dots: dict[Risk, ImageTk.PhotoImage] = {}
        for name in WIDTHS_PX:
            column = "#0" if name == RISK else name
            self._table.heading(column, text=name, anchor="center" if name == SWITCH else "w")
            self._table.column(column, anchor="center" if name == SWITCH else "w")
        self._table.bind("<ButtonRelease-1>", self._clicked)
        self._table.bind("<space>", lambda _event: self._switch_chosen())
        self._restyle()

    def draw(self, entries: Sequence[ToolEntry]) -> None:
        """Show these tools, and keep the selection if it is among them."""
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
        self._show_texts(ABOUT, ((one.name, one.first) for one in entries))
        names = [one.name for one in entries]
        if names:
            self._table.yview_moveto(seen)
            self._choose(chosen if chosen in names else names[0])

    def fit(self, width: int) -> None:
        """Omit columns that there is no room for."""
        columns = (TOOL, ABOUT, FROM, SWITCH) if width >= WIDE_PX else (TOOL, ABOUT, SWITCH)
        described = width >= MEDIUM_PX
        self._show_columns(columns if described else (TOOL, SWITCH), ABOUT if described else TOOL)

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
        self._table.tag_configure("off", foreground=self._apply_appearance_mode(MUTED))
        scale = scale_of(self)
        self._dots = {risk: dot(self._apply_appearance_mode(TONES[TONE[risk]]), scale) for risk in RISKS}
        for entry in self._entries:
            self._table.item(entry.name, image=self._dots[entry.risk])
