"""A past run that is open: what it looks like after each of its steps, and a scrubber to go from one to another."""

import tkinter as tk
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import customtkinter as ctk

from gui.past import Past
from gui.run_view import RunView
from gui.style import (
    ACCENT,
    ACCENT_HOVER,
    BORDER,
    EDGE,
    GAP,
    GROUND,
    MUTED,
    NEAR,
    SUNKEN,
    SURFACE,
    TEXT,
    small_font,
    strong_font,
    text_font,
)
from gui.words import LINE, shortened

if TYPE_CHECKING:
    from gui.replay import Replay

HEADER: Final = 92  # its height, about
BACK: Final = 120  # width that the button before the goal takes
NARROWEST: Final = 80  # width at which text still wraps


class ReplayView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `move` with the number of steps that are to be done, and `back`."""

    def __init__(
        self, master: tk.Misc, room: tuple[int, int], move: Callable[[int], None], back: Callable[[], None]
    ) -> None:
        super().__init__(master, fg_color=GROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew")
        header.grid_columnconfigure(1, weight=1)
        ctk.CTkButton(
            header,
            text="Back",
            width=84,
            height=32,
            font=text_font(),
            command=back,
            fg_color=SUNKEN,
            hover_color=BORDER,
            text_color=TEXT,
        ).grid(row=0, column=0, sticky="w", padx=(EDGE, GAP), pady=(GAP, NEAR))
        self._goal = ctk.CTkLabel(
            header, text="", font=strong_font(), text_color=TEXT, height=0, justify="left", anchor="w"
        )
        self._goal.grid(row=0, column=1, columnspan=2, sticky="w", padx=(0, EDGE), pady=(GAP, NEAR))
        self._when = ctk.CTkLabel(header, text="", font=small_font(), text_color=MUTED, height=0)
        self._when.grid(row=1, column=0, padx=(EDGE, GAP), pady=(0, GAP), sticky="w")
        self._scrubber = ctk.CTkSlider(
            header,
            command=lambda value: move(round(value)),
            fg_color=SUNKEN,
            progress_color=ACCENT,
            button_color=ACCENT,
            button_hover_color=ACCENT_HOVER,
        )
        self._scrubber.grid(row=1, column=1, sticky="ew", pady=(0, GAP))
        self._step = ctk.CTkLabel(header, text="", font=small_font(), text_color=MUTED, height=0)
        self._step.grid(row=1, column=2, padx=(GAP, EDGE), pady=(0, GAP))
        self._run = RunView(self, room, lambda _goal: None)
        self._run.grid(row=1, column=0, sticky="nsew")
        self._past = Past()

    def draw(self, past: Past) -> None:
        """Show the run that is open, as it is at the scrubber."""
        was, self._past = self._past, past
        if past.replay is None or (past.replay is was.replay and past.shown is was.shown):
            return
        if past.replay is not was.replay:
            self._draw_header(past.replay)
        self._scrubber.set(past.at)
        self._step.configure(text=f"Step {past.at} of {past.replay.steps}")
        self._run.show(past.shown)

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._goal.configure(wraplength=max(NARROWEST, width - 2 * EDGE - BACK))
        self._run.fit(width, height - HEADER)

    def leave_search(self) -> bool:
        """Close the search in the log; whether there was one."""
        return self._run.leave_search()

    def _draw_header(self, replay: "Replay") -> None:
        self._goal.configure(text=shortened(" ".join(replay.goal.split()), LINE) or replay.run)
        self._when.configure(text=replay.when)
        steps = max(1, replay.steps)  # a slider has two ends
        self._scrubber.configure(to=steps, number_of_steps=steps, state="normal" if replay.steps else "disabled")
