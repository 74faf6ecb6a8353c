"""The page of past runs: all of them, to search and delete, or the open one."""

import tkinter as tk
from typing import Final

from gui.history_page.controller import HistoryController
from gui.history_page.model import HistoryState
from gui.history_page.replay_view import ReplayView
from gui.history_page.runs_list import RunsList
from gui.kit.question_bar import DELETES, QuestionBar
from gui.kit.style import BACKGROUND, EDGE_PX, MUTED, NEAR_PX, SURFACE, TONES, text_font
from gui.kit.tables import search_field
from gui.kit.texts import folded, tk_safe
from gui.toolkit import ctk

MIN_WRAP_PX: Final = 80
NONE_YET: Final = "There are no runs yet. Every run is kept and can be opened here."
NOT_FOUND: Final = "No run matches these words."


class HistoryPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the history."""

    def __init__(self, master: tk.Misc, room: tuple[int, int], controller: HistoryController) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._controller, self._history = controller, HistoryState()
        self._all = ctk.CTkFrame(self, fg_color=BACKGROUND, corner_radius=0)
        self._all.grid_columnconfigure(0, weight=1)
        self._all.grid_rowconfigure(2, weight=1)
        self._search = search_field(self._all, self._searched, self._to_list, self._open_chosen)
        self._message = ctk.CTkLabel(self._all, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._list = RunsList(self._all, self._entered, controller.ask_delete)
        self._empty = ctk.CTkLabel(self._list, text="", font=text_font(), text_color=MUTED, fg_color=SURFACE)
        self._list.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0), pady=(0, NEAR_PX))
        self._question = QuestionBar(self._all, lambda: controller.ask_delete(None), self._agree)
        self._one = ReplayView(self, room, controller)
        self._all.grid(row=0, column=0, sticky="nsew")

    def draw(self, history: HistoryState) -> None:
        """Show a state."""
        was, self._history = self._history, history
        if history.replay is None:
            self._one.grid_remove()
            self._all.grid(row=0, column=0, sticky="nsew")
        else:
            self._all.grid_remove()
            self._one.grid(row=0, column=0, sticky="nsew")
        self._one.draw(history)
        if history.rows is not was.rows or history.search != was.search:
            self._list.draw(history.found)
        self._draw_words(history)
        if (history.page, history.replay is None, history.confirming is None) != (
            was.page,
            was.replay is None,
            was.confirming is None,
        ):
            self._take_focus()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._list.fit(width)
        self._empty.configure(wraplength=max(MIN_WRAP_PX, width - 4 * EDGE_PX))
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._question.fit(width - 2 * EDGE_PX)
        self._one.fit(width, height)

    def enable(self, *, usable: bool) -> None:
        """Say whether a run can be started now."""
        self._one.enable(usable=usable)

    def leave_search(self) -> bool:
        """Close the search in the log of the open run.

        Returns:
            Whether it was open.
        """
        return self._one.leave_search()

    def _take_focus(self) -> None:
        """Focus what a person types into next."""
        if self._history.page != "Runs":
            return
        if self._history.replay:
            self._one.focus_set()
        elif self._history.confirming:
            self._list.take_focus()
        else:
            self._search.focus_set()

    def _entered(self, run: str) -> None:
        """Open a run on Enter or a click, or confirm that it is deleted."""
        if self._history.confirming == run:
            self._controller.delete(run)
        else:
            self._controller.open(run)

    def _draw_words(self, history: HistoryState) -> None:
        message = history.message or ("Loading …" if history.opening or history.rows is None else "")
        self._message.configure(text=message, text_color=TONES["error"] if history.message else MUTED)
        if message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        else:
            self._message.grid_remove()
        empty = "" if history.rows is None or history.found else NOT_FOUND if history.rows else NONE_YET
        self._empty.configure(text=empty)
        if empty:
            self._empty.place(relx=0.5, rely=0.4, anchor="center")
        else:
            self._empty.place_forget()
        if row := history.row(history.confirming) if history.confirming else None:
            self._question.ask(DELETES.format(folded(tk_safe(row.goal or row.run)), f"\n{row.told}"))
            self._question.grid(row=3, column=0, sticky="ew", padx=EDGE_PX, pady=(0, EDGE_PX))
        else:
            self._question.grid_remove()

    def _to_list(self) -> None:
        self._list.take_focus()

    def _open_chosen(self) -> None:
        self._list.open_chosen()

    def _searched(self) -> None:
        if (words := self._search.get()) != self._history.search:
            self._controller.search(words)

    def _agree(self) -> None:
        if self._history.confirming:
            self._controller.delete(self._history.confirming)
