"""The buttons that start, pause and stop a run."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gui.kit.buttons import DANGER, PLAIN, PRIMARY, Button
from gui.kit.style import NEAR_PX
from gui.kit.tooltip import Tooltip
from gui.run.requests import PendingApproval, PendingRequest
from gui.run.state import RunState
from gui.toolkit import ctk

RUN: Final = "Start a run with this goal (Enter)"
SAY: Final = "Say this to the run (Enter)"
ANSWER: Final = "Answer the question with this (Enter)"
INSTEAD: Final = "Deny the action, and say to do this instead (Enter)"
STOP: Final = "Stop the run at once (Esc)"
PAUSE: Final = "Pause after this step (F6)"
RESUME: Final = "Let the run go on (F6)"
STEP: Final = "Do one step of a paused run (F7)"


@dataclass(frozen=True, slots=True)
class RunCallbacks:
    """What the buttons do. `run` starts a run or speaks to it, `toggle_pause` pauses or resumes it."""

    run: Callable[[], None]
    stop: Callable[[], None]
    toggle_pause: Callable[[], None]
    step: Callable[[], None]


class RunButtons(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Run or Say, Stop, Pause and Step; those that make no sense now are disabled.

    A click leaves the focus on a button; `typed` gets the keys that mean nothing there.
    """

    def __init__(
        self, master: tk.Misc, callbacks: RunCallbacks, typed: Callable[["tk.Event[tk.Misc]"], str | None]
    ) -> None:
        super().__init__(master, fg_color="transparent")
        self._run = Button(self, "Run", PRIMARY, callbacks.run)
        self._stop = Button(self, "Stop", DANGER, callbacks.stop)
        self._pause = Button(self, "Pause", PLAIN, callbacks.toggle_pause)
        self._step = Button(self, "Step", PLAIN, callbacks.step)
        for button in (self._run, self._stop, self._pause, self._step):
            button.bind("<Key>", typed)
        self._drawn: tuple[object, ...] = ()
        self._paused = False
        self._help = RUN
        Tooltip(self._run, lambda: self._help)
        Tooltip(self._stop, lambda: STOP)
        Tooltip(self._pause, lambda: RESUME if self._paused else PAUSE)
        Tooltip(self._step, lambda: STEP)
        self.fit(square=True)

    def draw(self, state: RunState, answered: PendingRequest | None) -> None:
        """Update which can be pressed; leaves Tk alone where nothing changed. `answered` is what the goal answers."""
        paused = "resume" in state.allowed_requests
        drawn = (state.running, state.stopping, state.allowed_requests, answered)
        if drawn == self._drawn:
            return
        self._drawn, self._paused = drawn, paused
        title, self._help = _purpose(answered, running=state.running)
        self._pause.configure(text="Resume" if paused else "Pause")
        self._run.configure(text=title)
        self._run.enable(usable=not state.stopping)
        self._stop.enable(usable=state.running)
        self._pause.enable(usable=bool(state.allowed_requests))
        self._step.enable(usable="step" in state.allowed_requests)

    def fit(self, *, square: bool) -> None:
        """Arrange them two by two, or all in a row."""
        for place, button in enumerate((self._run, self._stop, self._pause, self._step)):
            row, column = divmod(place, 2) if square else (0, place)
            button.grid(row=row, column=column, padx=(NEAR_PX if column else 0, 0), pady=(4 if row else 0, 0))


def _purpose(answered: PendingRequest | None, *, running: bool) -> tuple[str, str]:
    """Return what the first button says, and its help."""
    if answered:
        return ("Instead", INSTEAD) if isinstance(answered, PendingApproval) else ("Answer", ANSWER)
    return ("Say", SAY) if running else ("Run", RUN)
