"""The list of past runs. Tk's own table: it draws only those that are seen, so hundreds cost no more than ten."""

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final, Literal

import customtkinter as ctk

from gui.rows import Row
from gui.style import BAR, GROUND
from gui.tables import dress

STYLE: Final = "Runs.Treeview"
DELETE: Final = "Delete"
COLUMNS: Final = {  # with their widths; the goal takes what is left
    "When": 136,
    "Goal": 120,
    "Outcome": 164,
    "Steps": 58,
    "Time": 66,
    "Cost": 80,
    DELETE: 84,
}
RIGHT: Final = frozenset({"Steps", "Time", "Cost"})
WIDE: Final = 760  # from this width on, there is room for all of them
NARROW: Final = ("When", "Goal", "Outcome", DELETE)
MEDIUM: Final = 560  # below this width, there is none for when it was


class RunsList(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `open_run` and `delete_run` with the name of a run."""

    def __init__(self, master: tk.Misc, open_run: Callable[[str], None], delete_run: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=GROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._open, self._delete = open_run, delete_run
        self._rows: Sequence[Row] = ()
        self._table = ttk.Treeview(self, columns=tuple(COLUMNS), show="headings", style=STYLE, selectmode="browse")
        self._table.grid(row=0, column=0, sticky="nsew")
        self._bar = ctk.CTkScrollbar(self, command=self._table.yview, fg_color=GROUND, button_color=BAR)
        self._bar.grid(row=0, column=1, sticky="ns")
        self._table.configure(yscrollcommand=self._bar.set)
        for name in COLUMNS:
            anchor: Literal["e", "w", "center"] = "e" if name in RIGHT else "center" if name == DELETE else "w"
            self._table.heading(name, text="" if name == DELETE else name, anchor=anchor)
            self._table.column(name, anchor=anchor, stretch=name == "Goal")
        self._table.bind("<ButtonRelease-1>", self._clicked)
        self._table.bind("<Return>", lambda _event: self.open_chosen())
        self._table.bind("<Delete>", lambda _event: self._delete_chosen())
        self._dress()

    def draw(self, rows: Sequence[Row]) -> None:
        """Show these runs; the one that was chosen stays so, if it is among them."""
        if rows == self._rows:
            return
        chosen = self._chosen()
        self._rows = rows
        self._table.delete(*self._table.get_children())
        for row in rows:
            values = (row.when, row.goal, row.outcome, row.steps, row.time, row.cost, DELETE)
            self._table.insert("", "end", iid=row.run, values=values)
        names = [row.run for row in rows]
        if names:
            self._choose(chosen if chosen in names else names[0])

    def fit(self, width: int) -> None:
        """Leave out columns that there is no room for."""
        names = tuple(COLUMNS) if width >= WIDE else NARROW if width >= MEDIUM else NARROW[1:]
        self._table.configure(displaycolumns=names)

    def take_the_keys(self) -> None:
        """The arrows go from run to run now."""
        self._table.focus_set()

    def open_chosen(self) -> None:
        """Open the run that is chosen."""
        if run := self._chosen():
            self._open(run)

    def _delete_chosen(self) -> None:
        if run := self._chosen():
            self._delete(run)

    def _chosen(self) -> str | None:
        return next(iter(self._table.selection()), None)

    def _choose(self, run: str) -> None:
        self._table.selection_set(run)
        self._table.focus(run)
        self._table.see(run)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        run = self._table.identify_row(event.y)
        if run and self._table.identify_region(event.x, event.y) == "cell":
            column = self._table.column(self._table.identify_column(event.x), "id")
            (self._delete if column == DELETE else self._open)(run)

    def _dress(self) -> None:
        self._fonts = dress(self._table, STYLE, COLUMNS, self._apply_appearance_mode)

    def _set_appearance_mode(self, mode_string: str) -> None:
        """Called by customtkinter when the desktop turns dark or light; plain Tk knows nothing of that."""
        super()._set_appearance_mode(mode_string)
        self._dress()

    def _set_scaling(self, *scales: float) -> None:
        """Called by customtkinter when the window comes to a screen of another scale."""
        super()._set_scaling(*scales)
        self._dress()
