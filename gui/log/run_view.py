"""One run as it is seen, live or past: its status, its cards, and its workflow where it has one."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX
from gui.log.panel import VisualLogPanel
from gui.log.status_line import StatusLine
from gui.log.welcome import Welcome
from gui.log.workflow_view import WorkflowView
from gui.run.state import RunState

BESIDE: Final = 640  # from this width on, a workflow stands beside the log
PART: Final = 0.48  # of that width, that it may take
ABOVE: Final = 680  # from this height on, it stands above the log where it cannot stand beside it
PART_ABOVE: Final = 0.22  # of that height
PAIR: Final = 1000  # from this width on, what is live stands beside the log, else in its place
LIVE_PART: Final = (2, 3)  # of the log and of what is live
SWITCH: Final = 120  # width of what stands at the end of the status line


class RunView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Draws a state of a run. `room` is that of its page."""

    def __init__(self, master: tk.Misc, room: tuple[int, int], use_example: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._room, self._state = room, RunState()
        self._status = StatusLine(self)
        self._panel = VisualLogPanel(self, use_example)
        self._workflow = WorkflowView(self)
        self._live: ctk.CTkFrame | None = None
        self._switch: ctk.CTkFrame | None = None
        self._status.grid(row=0, column=0, columnspan=2, sticky="nsew")
        self._panel.grid(row=2, column=0, sticky="nsew")
        self._status.draw(self._state)

    def draw(self, state: RunState) -> None:
        """Show a state that is one message further than the last."""
        was, self._state = self._state, state
        self._panel.draw(state)
        self._status.draw(state)
        self._workflow.draw(state)
        if was.workflow != state.workflow:
            self._place()

    def greet(self, make: Callable[[tk.Misc], Welcome] | None) -> None:
        """Invite to a first run with what this makes; None: no more."""
        self._panel.greet(make)

    def show(self, state: RunState) -> None:
        """Show a past run at one of its steps; the newest card of then is to be seen."""
        self.draw(state)
        self._panel.follow()

    def leave_search(self) -> bool:
        """Close the search in the log; whether there was one."""
        return self._panel.leave_search()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._room = (width, height)
        self._place()

    def show_beside(self, live: ctk.CTkFrame | None, switch: ctk.CTkFrame | None) -> None:
        """What shows the agent's screen, and what chooses it; both are made with this view as their master."""
        if (live, switch) == (self._live, self._switch):
            return
        if self._live and self._live is not live:
            self._live.grid_forget()
        if self._switch and self._switch is not switch:
            self._switch.place_forget()
        self._live, self._switch = live, switch
        self._place()

    def _place(self) -> None:
        self._status.fit(self._room[0] - (SWITCH if self._switch else 0))
        if self._switch:
            self._switch.place(relx=1.0, rely=0.0, anchor="ne")
        if self._live:
            self._place_live(self._live)
        else:
            self.grid_columnconfigure((0, 1), uniform="")
            self.grid_columnconfigure(0, weight=1)
            self.grid_columnconfigure(1, weight=0)
            self._panel.grid(row=2, column=0, columnspan=1, sticky="nsew")
            self._place_workflow()

    def _place_live(self, live: ctk.CTkFrame) -> None:
        """Beside the log where there is room, else in its place; a workflow makes room for it."""
        self._workflow.grid_forget()
        pair = self._room[0] >= PAIR
        for column, weight in enumerate(LIVE_PART if pair else (1, 0)):
            self.grid_columnconfigure(column, weight=weight, uniform="parts" if pair else "")
        if pair:
            self._panel.grid(row=2, column=0, columnspan=1, sticky="nsew")
        else:
            self._panel.grid_remove()
        live.grid(row=2, column=1 if pair else 0, columnspan=1 if pair else 2, sticky="nsew")

    def _place_workflow(self) -> None:
        """Beside the log where there is room, else above it; where there is none, the log goes before it."""
        width, height = self._room
        beside = width >= BESIDE
        if self._state.workflow is None or not (beside or height >= ABOVE):
            self._workflow.grid_forget()
        elif beside:
            self._workflow.grid(row=2, column=1, columnspan=1, sticky="nsew", padx=(0, EDGE_PX), pady=(0, EDGE_PX))
            self._workflow.fit(round(width * PART), 0)
        else:
            self._workflow.grid(row=1, column=0, columnspan=2, sticky="nsew", padx=EDGE_PX, pady=(0, GAP_PX))
            self._workflow.fit(0, round(height * PART_ABOVE))
