"""The page of the past runs: all of them, searched and deleted, or the one that is open."""

import tkinter as tk
from typing import Final

import customtkinter as ctk

from gui.history_page.model import Past
from gui.history_page.reader import Reader
from gui.history_page.replay_view import ReplayView
from gui.history_page.runs_list import RunsList
from gui.kit.style import (
    BORDER,
    EDGE,
    GAP,
    GROUND,
    MUTED,
    NEAR,
    ON_COLOR,
    ROUND,
    STOP,
    STOP_HOVER,
    SUNKEN,
    SURFACE,
    TEXT,
    TONES,
    text_font,
)
from gui.kit.tables import search_field
from gui.kit.wording import LINE, shortened

HEIGHT: Final = 34
ASKING: Final = 220  # width that the buttons below the list take
NARROWEST: Final = 80  # width at which text still wraps
NONE_YET: Final = "There are no runs yet. Each run is kept, and can be opened here."
NOT_FOUND: Final = "No run has these words in its goal or its answer."


class RunsPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Draws the past."""

    def __init__(self, master: tk.Misc, room: tuple[int, int], reader: Reader) -> None:
        super().__init__(master, fg_color=GROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._reader, self._past = reader, Past()
        self._all = ctk.CTkFrame(self, fg_color=GROUND, corner_radius=0)
        self._all.grid_columnconfigure(0, weight=1)
        self._all.grid_rowconfigure(2, weight=1)
        self._search = search_field(self._all, self._searched, self._to_list, self._open_chosen)
        self._told = ctk.CTkLabel(self._all, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._list = RunsList(self._all, self._entered, reader.ask_delete)
        self._empty = ctk.CTkLabel(self._list, text="", font=text_font(), text_color=MUTED, fg_color=SURFACE)
        self._list.grid(row=2, column=0, sticky="nsew", padx=(EDGE, 0), pady=(0, NEAR))
        self._question, self._words = self._question_bar()
        self._one = ReplayView(self, room, reader)
        self._all.grid(row=0, column=0, sticky="nsew")

    def draw(self, past: Past) -> None:
        """Show the past."""
        was, self._past = self._past, past
        if past.replay is None:
            self._one.grid_remove()
            self._all.grid(row=0, column=0, sticky="nsew")
        else:
            self._all.grid_remove()
            self._one.grid(row=0, column=0, sticky="nsew")
        self._one.draw(past)
        if past.rows is not was.rows or past.search != was.search:
            self._list.draw(past.found)
        self._draw_words(past)
        if (past.page, past.replay is None, past.asked is None) != (was.page, was.replay is None, was.asked is None):
            self._take_the_keys()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._list.fit(width)
        self._empty.configure(wraplength=max(NARROWEST, width - 4 * EDGE))
        self._told.configure(wraplength=max(NARROWEST, width - 2 * EDGE))
        self._words.configure(wraplength=max(NARROWEST, width - 2 * EDGE - ASKING))
        self._one.fit(width, height)

    def leave_search(self) -> bool:
        """Close the search in the log of the open run; whether there was one."""
        return self._one.leave_search()

    def _take_the_keys(self) -> None:
        """Where what a person types next belongs."""
        if self._past.page != "Runs":
            return
        if self._past.replay:
            self._one.focus_set()
        elif self._past.asked:
            self._list.take_the_keys()
        else:
            self._search.focus_set()

    def _entered(self, run: str) -> None:
        """Enter, or a click, on a run: it answers the question, if there is one."""
        if self._past.asked == run:
            self._reader.delete(run)
        else:
            self._reader.open(run)

    def _draw_words(self, past: Past) -> None:
        told = past.told or ("Reading …" if past.opening or past.rows is None else "")
        self._told.configure(text=told, text_color=TONES["error"] if past.told else MUTED)
        if told:
            self._told.grid(row=1, column=0, sticky="ew", padx=EDGE, pady=(0, NEAR))
        else:
            self._told.grid_remove()
        empty = "" if past.rows is None or past.found else NOT_FOUND if past.rows else NONE_YET
        self._empty.configure(text=empty)
        if empty:
            self._empty.place(relx=0.5, rely=0.4, anchor="center")
        else:
            self._empty.place_forget()
        if row := past.row(past.asked) if past.asked else None:
            self._words.configure(text=f"Delete “{shortened(row.goal or row.run, LINE)}”? Enter deletes it for good.")
            self._question.grid(row=3, column=0, sticky="ew", padx=EDGE, pady=(0, EDGE))
        else:
            self._question.grid_remove()

    def _to_list(self) -> None:
        self._list.take_the_keys()

    def _open_chosen(self) -> None:
        self._list.open_chosen()

    def _searched(self) -> None:
        if (words := self._search.get()) != self._past.search:
            self._reader.search(words)

    def _question_bar(self) -> tuple[ctk.CTkFrame, ctk.CTkLabel]:
        """Whether a run is to be deleted."""
        bar = ctk.CTkFrame(self._all, fg_color=SURFACE, border_color=BORDER, border_width=1, corner_radius=ROUND)
        bar.grid_columnconfigure(0, weight=1)
        words = ctk.CTkLabel(bar, text="", font=text_font(), text_color=TEXT, height=0, justify="left", anchor="w")
        words.grid(row=0, column=0, sticky="w", padx=GAP, pady=GAP)
        for column, (text, colors, work) in enumerate(
            (
                ("Keep it", (SUNKEN, BORDER, TEXT), lambda: self._reader.ask_delete(None)),
                ("Delete it", (STOP, STOP_HOVER, ON_COLOR), self._agree),
            ),
            start=1,
        ):
            ctk.CTkButton(
                bar,
                text=text,
                width=84,
                height=HEIGHT,
                font=text_font(),
                command=work,
                fg_color=colors[0],
                hover_color=colors[1],
                text_color=colors[2],
            ).grid(row=0, column=column, padx=(0, GAP))
        return bar, words

    def _agree(self) -> None:
        if self._past.asked:
            self._reader.delete(self._past.asked)
