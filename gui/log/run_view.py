"""One run, live or past: its status, its cards, and its workflow if it has one."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX
from gui.log.panel import PanelCallbacks, VisualLogPanel
from gui.log.status_line import StatusLine
from gui.log.welcome import Welcome
from gui.log.workflow_view import WorkflowView
from gui.run.state import RunState
from gui.toolkit import ctk

BESIDE_MIN_PX: Final = 640  # width from which a workflow is beside the log
WORKFLOW_PART: Final = 0.48  # of that width, that it may take
ABOVE_MIN_PX: Final = 680  # height from which it is above the log where it cannot be beside it
WORKFLOW_PART_ABOVE: Final = 0.22  # of that height
LIVE_BESIDE_MIN_PX: Final = 1000  # width from which the live view is beside the log, instead of in its place
LIVE_PARTS: Final = (2, 3)  # of the log and of the live view
SWITCH_PX: Final = 120  # width of the switch at the end of the status line


class RunView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows a state of a run. `room` is that of its page."""

    def __init__(self, master: tk.Misc, room: tuple[int, int], callbacks: PanelCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._room, self._state = room, RunState()
        self._status = StatusLine(self)
        self._panel = VisualLogPanel(self, callbacks)
        self._workflow = WorkflowView(self)
        self._live: ctk.CTkFrame | None = None
        self._switch: ctk.CTkFrame | None = None
        self._status.grid(row=0, column=0, columnspan=2, sticky="nsew")
        self._panel.grid(row=2, column=0, sticky="nsew")
        self._status.draw(self._state)

    def draw(self, state: RunState) -> None:
        """Show the next state."""
        was, self._state = self._state, state
        self._panel.draw(state)
        self._status.draw(state)
        self._workflow.draw(state)
        if was.workflow != state.workflow:
            self._place()

    def greet(self, make: Callable[[tk.Misc], Welcome] | None) -> None:
        """Invite to a first run with what `make` returns; None: no longer."""
        self._panel.greet(make)

    def show(self, state: RunState) -> None:
        """Show a past run at one of its steps, scrolled to the newest card."""
        self.draw(state)
        self._panel.follow()

    def leave_search(self) -> bool:
        """Close the search in the log.

        Returns:
            Whether it was open.
        """
        return self._panel.leave_search()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._room = (width, height)
        self._place()

    def show_beside(self, live: ctk.CTkFrame | None, switch: ctk.CTkFrame | None) -> None:
        """Show the live view and its switch; both are made with this view as their master."""
        if (live, switch) == (self._live, self._switch):
            return
        if self._live and self._live is not live:
            self._live.grid_forget()
        if self._switch and self._switch is not switch:
            self._switch.place_forget()
        self._live, self._switch = live, switch
        self._place()

    def _place(self) -> None:
        self._status.fit(self._room[0] - (SWITCH_PX if self._switch else 0))
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
        """Place the live view beside the log where there is room, else instead of it, and instead of a workflow."""
        self._workflow.grid_forget()
        pair = self._room[0] >= LIVE_BESIDE_MIN_PX
        for column, weight in enumerate(LIVE_PARTS if pair else (1, 0)):
            self.grid_columnconfigure(column, weight=weight, uniform="parts" if pair else "")
        if pair:
            self._panel.grid(row=2, column=0, columnspan=1, sticky="nsew")
        else:
            self._panel.grid_remove()
        live.grid(row=2, column=1 if pair else 0, columnspan=1 if pair else 2, sticky="nsew")

    def _place_workflow(self) -> None:
        """Place the workflow beside the log, else above it; where there is no room, leave it out."""
        width, height = self._room
        beside = width >= BESIDE_MIN_PX
        if self._state.workflow is None or not (beside or height >= ABOVE_MIN_PX):
            self._workflow.grid_forget()
        elif beside:
            self._workflow.grid(row=2, column=1, columnspan=1, sticky="nsew", padx=(0, EDGE_PX), pady=(0, EDGE_PX))
            self._workflow.fit(round(width * WORKFLOW_PART), 0)
        else:
            self._workflow.grid(row=1, column=0, columnspan=2, sticky="nsew", padx=EDGE_PX, pady=(0, GAP_PX))
            self._workflow.fit(0, round(height * WORKFLOW_PART_ABOVE))
