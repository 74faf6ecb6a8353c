"""The check of the model on the Settings page: a button, and what came of it."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import MUTED, NEAR_PX, TONES, small_font
from gui.settings_page.check_words import USE, check_words, fitting, to_correct
from gui.settings_page.model import CheckBegun, SettingsState
from gui.settings_page.setting_row import MIN_WRAP_PX
from gui.toolkit import ctk

CHECK: Final = "Check the model"


class CheckRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `check`, and `use` with the coordinates that fit an answer which missed."""

    def __init__(self, master: tk.Misc, check: Callable[[], None], use: Callable[[str], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self._use, self._fits = use, ""
        self._check = Button(self, CHECK, PLAIN, check)
        self._fit = Button(self, "", PLAIN, self._fitted)
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0, justify="left")
        self.grid_columnconfigure(1, weight=1)
        self._check.grid(row=0, column=0, sticky="w")
        self._fit.grid(row=0, column=1, sticky="w", padx=NEAR_PX)
        self._caption.grid(row=1, column=0, columnspan=2, sticky="w", pady=(NEAR_PX, 0))

    def draw(self, state: SettingsState) -> None:
        """Show how the check stands."""
        if state.found is None:
            return
        going, wrong = isinstance(state.check, CheckBegun), to_correct(state.faults)
        text, tone = check_words(state.check, state.found.brain)
        if wrong and not going:
            text, tone = wrong, "error"
        self._caption.configure(text=text, text_color=TONES[tone])
        self._check.enable(usable=not going)
        self._fits = "" if wrong else fitting(state.check, state.found.settings)
        if self._fits:
            self._fit.configure(text=USE.format(fits=self._fits))
            self._fit.grid()
        else:
            self._fit.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        self._caption.configure(wraplength=max(MIN_WRAP_PX, width))

    def _fitted(self) -> None:
        """Use the coordinates; the focus moves, which the button would take along."""
        self._check.focus_set()
        self._use(self._fits)
