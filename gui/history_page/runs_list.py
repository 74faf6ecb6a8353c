"""The list of past runs."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final, Literal

from gui.history_page.rows import RunRow
from gui.kit.tables import Table

STYLE: Final = "Runs.Treeview"
DELETE: Final = "Delete"
COLUMNS: Final = {  # with their widths; the goal takes what is left
    "When": 150,
    "Goal": 120,
    "Outcome": 164,
    "Steps": 58,
    "Time": 66,
    "Cost": 80,
    DELETE: 84,
}
RIGHT: Final = frozenset({"Steps", "Time", "Cost"})
WIDE_PX: Final = 760  # width from which all columns fit
NARROW: Final = ("When", "Goal", "Outcome", DELETE)
MEDIUM_PX: Final = 560  # width below which the time is omitted


class RunsList(Table):
    """Calls `open_run` and `delete_run` with the name of a run."""

    def __init__(self, master: tk.Misc, open_run: Callable[[str], None], delete_run: Callable[[str], None]) -> None:
        super().__init__(master, STYLE, COLUMNS, open_run)
        self._table.configure(show="headings")  # without pictures
        self._delete = delete_run
        self._rows: Sequence[RunRow] = ()
        self._width = 0
        for name in COLUMNS:
            anchor: Literal["e", "w", "center"] = "e" if name in RIGHT else "center" if name == DELETE else "w"
            self._table.heading(name, text="" if name == DELETE else name, anchor=anchor)
            self._table.column(name, anchor=anchor)
        self._table.bind("<ButtonRelease-1>", self._clicked)
        self._table.bind("<Delete>", lambda _event: self._delete_chosen())
        self._restyle()

    def draw(self, rows: Sequence[RunRow]) -> None:
        """Show these runs, and keep the selection if it is among them."""
        if rows == self._rows:
            return
        chosen = self._chosen()
        self._rows = rows
        self._table.delete(*self._table.get_children())
        for row in rows:
            values = (row.when, row.goal, row.outcome, row.steps, row.time, row.cost, DELETE)
            self._table.insert("", "end", iid=row.run, values=values)
        self._show_texts("Goal", ((row.run, row.goal) for row in rows))
        self.fit(self._width)
        names = [row.run for row in rows]
        if names:
            self._choose(chosen if chosen in names else names[0])

    def fit(self, width: int) -> None:
        """Omit columns that there is no room for, or that hold nothing."""
        self._width = width
        names = tuple(COLUMNS) if width >= WIDE_PX else NARROW if width >= MEDIUM_PX else NARROW[1:]
        shown = [name for name in names if name != "Cost" or any(row.cost for row in self._rows)]
        self._show_columns(shown, "Goal")

    def _delete_chosen(self) -> None:
        if run := self._chosen():
            self._delete(run)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        run = self._table.identify_row(event.y)
        if run and self._table.identify_region(event.x, event.y) == "cell":
            column = self._table.column(self._table.identify_column(event.x), "id")
            (self._delete if column == DELETE else self._open)(run)
