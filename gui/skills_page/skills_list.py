"""The list of skills."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final, Literal

from PIL import ImageTk

from gui.kit.style import TONES, scale_of
from gui.kit.tables import Table, dot
from gui.skills_page.catalog import CONDITIONS, Condition, SkillEntry

STYLE: Final = "Skills.Treeview"
STATE, SKILL, ABOUT, STEPS, RUN, DELETE = "State", "Skill", "What it does", "Steps", "From run", "Delete"
WIDTHS_PX: Final = {STATE: 84, SKILL: 150, ABOUT: 120, STEPS: 58, RUN: 190, DELETE: 84}
WIDE_PX: Final = 860  # width from which all columns fit
MEDIUM_PX: Final = 560  # width below which the description is omitted


class SkillsList(Table):
    """Calls `open_skill` and `delete_skill` with the name of a skill."""

    def __init__(self, master: tk.Misc, open_skill: Callable[[str], None], delete_skill: Callable[[str], None]) -> None:
        widths = {"#0" if name == STATE else name: width for name, width in WIDTHS_PX.items()}
        super().__init__(master, STYLE, widths, open_skill)
        self._delete = delete_skill
        self._entries: Sequence[SkillEntry] = ()
        self._dots: dict[Condition, ImageTk.PhotoImage] = {}
        for name in WIDTHS_PX:
            column = "#0" if name == STATE else name
            anchor: Literal["e", "w", "center"] = "e" if name == STEPS else "center" if name == DELETE else "w"
            self._table.heading(column, text="" if name == DELETE else name, anchor=anchor)
            self._table.column(column, anchor=anchor)
        self._table.bind("<ButtonRelease-1>", self._clicked)
        self._table.bind("<Delete>", lambda _event: self._delete_chosen())
        self._restyle()

    def draw(self, entries: Sequence[SkillEntry]) -> None:
        """Show these skills, and keep the selection if it is among them."""
        if entries == self._entries:
            return
        chosen = self._chosen()
        self._entries = entries
        self._table.delete(*self._table.get_children())
        for one in entries:
            values = (one.name, one.about, one.steps, one.run, DELETE)
            state = f" {one.condition}"
            self._table.insert("", "end", iid=one.name, text=state, image=self._dots[one.condition], values=values)
        self._show_texts(ABOUT, ((one.name, one.about) for one in entries))
        names = [one.name for one in entries]
        if names:
            self._choose(chosen if chosen in names else names[0])

    def fit(self, width: int) -> None:
        """Omit columns that there is no room for."""
        columns = (SKILL, ABOUT, STEPS, RUN, DELETE) if width >= WIDE_PX else (SKILL, ABOUT, DELETE)
        described = width >= MEDIUM_PX
        self._show_columns(columns if described else (SKILL, DELETE), ABOUT if described else SKILL)

    def _delete_chosen(self) -> None:
        if name := self._chosen():
            self._delete(name)

    def _clicked(self, event: "tk.Event[tk.Misc]") -> None:
        name = self._table.identify_row(event.y)
        if name and self._table.identify_region(event.x, event.y) in ("cell", "tree"):
            column = self._table.identify_column(event.x)
            is_delete = column != "#0" and self._table.column(column, "id") == DELETE
            (self._delete if is_delete else self._open)(name)

    def _restyle(self) -> None:
        super()._restyle()
        scale = scale_of(self)
        self._dots = {
            name: dot(self._apply_appearance_mode(TONES[tone]), scale) for name, (tone, _told) in CONDITIONS.items()
        }
        for entry in self._entries:
            self._table.item(entry.name, image=self._dots[entry.condition])
