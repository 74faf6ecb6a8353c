"""The check of a skill: how far it is, and what came of it."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import DANGER, Button
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
    small_font,
    strong_font,
    text_font,
)
from gui.kit.texts import clock, shorten
from gui.kit.tones import Tone
from gui.skills_page.model import Check, ReplayEnded
from gui.toolkit import ctk

PAD_PX: Final = 14
MIN_WRAP_PX: Final = 80
HOW: Final = "It is done on a clean virtual desktop, the second time with other values."


class CheckCard(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `stop`."""

    def __init__(self, master: tk.Misc, stop: Callable[[], None]) -> None:
        super().__init__(
            master, fg_color=SURFACE, bg_color=BACKGROUND, border_color=BORDER, border_width=1, corner_radius=CORNER_PX
        )
        self.grid_columnconfigure(0, weight=1)
        self._title = self._label(strong_font(), 0)
        self._note = self._label(small_font(), 1)
        self._note.configure(text_color=MUTED)
        self._replays = self._label(text_font(), 2)
        self._stop = Button(self, "Stop the check", DANGER, stop)
        self.grid_rowconfigure(4, minsize=NEAR_PX)  # below the last of them
        self._drawn: tuple[object, ...] = ()

    def draw(self, check: Check) -> None:
        """Show a check so far."""
        from mark_i.skills import REPLAYS  # noqa: PLC0415 - the window comes up without it

        drawn = (check, int(check.seconds))
        if drawn == self._drawn:
            return
        self._drawn = drawn
        title, tone = _told(check, REPLAYS)
        self._title.configure(text=title, text_color=TONES[tone])
        replays = "\n".join(_replay(number, one) for number, one in enumerate(check.replays, 1))
        for label, text in ((self._note, HOW if check.running else ""), (self._replays, replays)):
            label.configure(text=text)
            (label.grid if text else label.grid_remove)()
        if check.running:
            self._stop.grid(row=3, column=0, sticky="w", padx=PAD_PX, pady=(NEAR_PX, NEAR_PX))
        else:
            self._stop.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (self._title, self._note, self._replays):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * PAD_PX))

    def _label(self, font: ctk.CTkFont, row: int) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text="", font=font, text_color=TEXT, height=0, justify="left", anchor="w")
        label.grid(row=row, column=0, sticky="w", padx=PAD_PX, pady=(GAP_PX if row == 0 else NEAR_PX, NEAR_PX))
        return label


def _told(check: Check, replays: int) -> tuple[str, Tone]:
    if check.running:
        return f"Replay {min(len(check.replays) + 1, replays)} of {replays} … {clock(check.seconds)}", "busy"
    if check.failure:
        return check.failure, "unverified"
    true = all(one.true for one in check.replays)
    return ("The skill is kept.", "done") if true else ("The skill stays a draft.", "failed")


def _replay(number: int, one: ReplayEnded) -> str:
    values = ", ".join(f"{name}={value}" for name, value in one.values.items())
    return shorten(f"{'✓' if one.true else '✕'} Replay {number}{f' with {values}' if values else ''}: {one.told}")
