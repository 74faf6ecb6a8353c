"""The trial of a tool: the confirmation, its duration, and the result."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import DANGER, PLAIN, Button
from gui.kit.style import (
    BACKGROUND,
    BORDER,
    CORNER_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    TONES,
    code_font,
    small_font,
    strong_font,
    text_font,
)
from gui.kit.texts import call_text
from gui.toolkit import ctk
from gui.tools_page.catalog import RISKS, ToolEntry
from gui.tools_page.model import Trial

PAD_PX: Final = 14
MIN_WRAP_PX: Final = 80


class TrialCard(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `agree` and `drop` with the answer, and `stop`."""

    def __init__(
        self, master: tk.Misc, agree: Callable[[], None], drop: Callable[[], None], stop: Callable[[], None]
    ) -> None:
        super().__init__(
            master, fg_color=SURFACE, bg_color=BACKGROUND, border_color=BORDER, border_width=1, corner_radius=CORNER_PX
        )
        self.grid_columnconfigure(0, weight=1)
        self._call = self._label(code_font(), 0)
        self._call.configure(text_color=TONES["busy"])
        self._title = self._label(strong_font(), 1)
        self._note = self._label(small_font(), 2)
        self._note.configure(text_color=TONES["unverified"])
        self._text = self._label(text_font(), 3)
        self._hints = self._label(small_font(), 4)
        self._hints.configure(text_color=MUTED)
        self._data = self._label(code_font(), 5)
        self.grid_rowconfigure(7, minsize=NEAR_PX)  # below the last of them
        self._buttons = ctk.CTkFrame(self, fg_color="transparent")
        self._drop = Button(self._buttons, "Cancel", PLAIN, drop)
        self._agree = Button(self._buttons, "Run it", DANGER, agree)
        self._stop = Button(self._buttons, "Stop", DANGER, stop)
        self._drawn: tuple[object, ...] = ()

    def draw(self, trial: Trial, entry: ToolEntry) -> None:
        """Show a trial so far."""
        if (trial, entry.risk) == self._drawn:
            return
        was, self._drawn = self._drawn, (trial, entry.risk)
        result = trial.result
        call = call_text({"tool": trial.action.tool, "args": trial.action.args})
        title, tone = {
            "confirming": (f"Run {trial.action.tool} with these arguments? It {RISKS[entry.risk]}.", TONES["paused"]),
            "running": (f"Running {trial.action.tool} … {trial.waited}", TONES["busy"]),
            "finished": (
                result.title if result else "",
                TONES["done" if result and result.ok else "error"],
            ),
        }[trial.phase]
        self._title.configure(text_color=tone)
        for label, text in (
            (self._call, call),
            (self._title, title),
            (self._note, trial.note),
            (self._text, result.text if result else ""),
            (self._hints, result.hints if result else ""),
            (self._data, result.data if result else ""),
        ):
            label.configure(text=text)
            (label.grid if text else label.grid_remove)()
        if not was or not isinstance(was[0], Trial) or was[0].phase != trial.phase:
            self._draw_buttons(trial)

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (self._call, self._title, self._note, self._text, self._hints, self._data):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * PAD_PX))

    def _draw_buttons(self, trial: Trial) -> None:
        shown = {"confirming": (self._drop, self._agree), "running": (self._stop,), "finished": ()}[trial.phase]
        for button in (self._agree, self._drop, self._stop):
            button.grid_remove()
        for column, button in enumerate(shown):
            button.grid(row=0, column=column, padx=(NEAR_PX if column else 0, 0))
        if shown:
            self._buttons.grid(row=6, column=0, sticky="w", padx=PAD_PX, pady=(NEAR_PX, GAP_PX))
        else:
            self._buttons.grid_remove()

    def _label(self, font: ctk.CTkFont, row: int) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text="", font=font, text_color=TEXT, height=0, justify="left", anchor="w")
        label.grid(row=row, column=0, sticky="w", padx=PAD_PX, pady=(GAP_PX if row == 0 else NEAR_PX, NEAR_PX))
        return label
