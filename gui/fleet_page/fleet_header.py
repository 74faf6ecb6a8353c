"""What stands above the wall: which fleet it is, how far it is, and what can be done with it."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gui.fleet_page.model import BAR, STATES, FleetState
from gui.kit.buttons import DANGER, PLAIN, PRIMARY, Button
from gui.kit.style import EDGE_PX, GAP_PX, MUTED, NEAR_PX, SUNKEN, SURFACE, TEXT, TONES, small_font, strong_font
from gui.kit.texts import LINE_CHARS, shorten
from gui.toolkit import ctk

SMALL: Final = {"width": 0, "height": 28}
BAR_PX: Final = 6  # height of the bar
MIN_WRAP_PX: Final = 80
OF_ALL: Final = 2  # so many of the buttons are there without a fleet
RUN, OPEN, STOP, GO_ON, REPORT = "Run a file…", "Open a folder…", "Stop", "Go on", "Report"


@dataclass(frozen=True, slots=True)
class FleetCallbacks:
    """What a person does with fleets."""

    run: Callable[[], None]
    open: Callable[[], None]
    stop: Callable[[], None]
    go_on: Callable[[], None]
    report: Callable[[], None]


class FleetHeader(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the open fleet."""

    def __init__(self, master: tk.Misc, callbacks: FleetCallbacks) -> None:
        super().__init__(master, fg_color=SURFACE, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        row = ctk.CTkFrame(self, fg_color="transparent")
        row.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=(GAP_PX, GAP_PX))
        shape = {**SMALL, "font": small_font()}
        self._buttons = {
            RUN: Button(row, RUN, PLAIN, callbacks.run, shape),
            OPEN: Button(row, OPEN, PLAIN, callbacks.open, shape),
            STOP: Button(row, STOP, DANGER, callbacks.stop, shape),
            GO_ON: Button(row, GO_ON, PRIMARY, callbacks.go_on, shape),
            REPORT: Button(row, REPORT, PLAIN, callbacks.report, shape),
        }
        row.grid_columnconfigure(OF_ALL, weight=1)  # what is done with the open fleet stands at the other side
        for number, button in enumerate(self._buttons.values()):
            button.grid(row=0, column=number + (number >= OF_ALL), padx=(NEAR_PX if number else 0, 0))
        self._title = self._label(strong_font(), 1)
        self._title.configure(text_color=TEXT)
        self._status = self._label(small_font(), 2)
        self._bar = ProgressBar(self)
        self._bar.grid(row=3, column=0, sticky="ew", padx=EDGE_PX, pady=(0, GAP_PX))
        self._of_one = (self._title, self._status, self._bar)
        for part in self._of_one:
            part.grid_remove()
        self._drawn: FleetState | None = None

    def draw(self, fleet: FleetState) -> None:
        """Show a fleet."""
        if fleet is self._drawn:
            return
        self._drawn = fleet
        self._buttons[RUN].enable(usable=fleet.starting is None)
        self._buttons[STOP].enable(usable=not fleet.stopping)
        self._buttons[GO_ON].enable(usable=fleet.starting is None)
        self._buttons[REPORT].enable(usable=not fleet.reporting)
        for name, shown in ((STOP, fleet.running), (GO_ON, fleet.goes_on), (REPORT, fleet.now is not None)):
            button = self._buttons[name]
            (button.grid if shown else button.grid_remove)()
        self._buttons[RUN].restyle(PLAIN if fleet.now else PRIMARY)
        if fleet.now is None:
            return
        for part in self._of_one:
            part.grid()
        self._title.configure(text=shorten(f"{fleet.folder}", LINE_CHARS))
        tone, word = fleet.status
        self._status.configure(text=f"● {word} · {fleet.counts}", text_color=TONES[tone])
        self._bar.draw(fleet)

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (self._title, self._status):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))

    def _label(self, font: ctk.CTkFont, row: int) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text="", font=font, text_color=MUTED, height=0, justify="left", anchor="w")
        label.grid(row=row, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        return label


class ProgressBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """The shares of the runs that ended as solved or not, side by side."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=SUNKEN, corner_radius=0, height=BAR_PX)
        self._parts = {
            state: ctk.CTkFrame(self, fg_color=TONES[STATES[state][0]], corner_radius=0, height=BAR_PX, width=0)
            for state in BAR
        }

    def draw(self, fleet: FleetState) -> None:
        """Show the shares of a fleet."""
        shares, left = fleet.shares, 0.0
        for state, part in self._parts.items():
            share = shares[state] / max(1, shares.total())
            if share:
                part.place(relx=left, rely=0, relwidth=share, relheight=1)
            else:
                part.place_forget()
            left += share
