"""The window: puts the views together, takes what happens in a run from a queue, and draws what comes of it."""

import os
import queue
import signal
import sys
import time
import tkinter as tk
from types import FrameType
from typing import Final

import customtkinter as ctk

from gui.goal_bar import GoalBar
from gui.panel import VisualLogPanel
from gui.pictures import Shot
from gui.question import Question
from gui.state import Begun, GoalMissing, Message, State, StopAsked, Ticked, reduce
from gui.status_line import StatusLine
from gui.style import GROUND, scale_of
from gui.viewer import Viewer
from gui.worker import Job, Worker
from mark_i import EXIT_CODES, Event
from world_model import DesktopError

POLL: Final = 40  # milliseconds between two looks into the queue
PATIENCE: Final = 10.0  # seconds for a run to give back its desktop before the window closes without it
SIZE, LEAST = (900, 700), (420, 360)
NO_DISPLAY: Final = (
    "The window needs a display, and there is none that can be used. "
    "Without one, `mark-i run GOAL` works on a virtual desktop."
)


def open_window() -> int:
    """Open the window and stay until it is closed; gives the exit code.

    Raises:
        DesktopError: there is no display to open it on.
    """
    _pin_appearance()
    try:
        window = MainWindow(os.environ.get("GEMINI_API_KEY"))
    except tk.TclError as error:
        raise DesktopError(f"{NO_DISPLAY} ({error})") from error
    return window.stay()


class MainWindow(ctk.CTk):  # type: ignore[misc]  # customtkinter has no types
    """The window, with at most one run at a time. `key` is for the brain that needs one."""

    def __init__(self, key: str | None = None) -> None:
        super().__init__(fg_color=GROUND, className="Mark-I")
        self.title("MARK-I")
        self.geometry("{}x{}".format(*SIZE))
        self.minsize(*LEAST)
        self._key = key
        self._state = State()
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._worker: Worker | None = None
        self._question: Question | None = None
        self._began = 0.0
        self._interrupted = False
        self._fitted = (0, 0)
        self._closing: float | None = None
        self._build()
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.bind("<Escape>", lambda _event: self.stop())
        self.bind("<Configure>", self._fit, add="+")
        self.after(POLL, self._poll)

    def stay(self) -> int:
        """Live until closed, or until the terminal says Ctrl-C; gives the exit code."""
        usual = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self.mainloop()
        finally:
            signal.signal(signal.SIGINT, usual)
        return EXIT_CODES["stopped"] if self._interrupted else 0

    def run(self) -> None:
        """Begin with what the goal bar says."""
        if self._state.running:
            return
        if not self._bar.goal:
            self._show(GoalMissing())
            self._bar.ask()
            return
        self._began = time.monotonic()
        self._show(Begun())
        self._worker = Worker(Job(self._bar.goal, self._bar.brain, self._bar.virtual, self._key), self._messages.put)

    def stop(self) -> None:
        """End the run, if there is one."""
        if self._worker and self._state.running:
            self._worker.stop()
            self._show(StopAsked())

    def close(self) -> None:
        """Close, after the run has given back what it took."""
        self.stop()
        self._closing = self._closing or time.monotonic() + PATIENCE

    def _build(self) -> None:
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._bar = GoalBar(self, "gemini" if self._key else "offline", self.run, self.stop)
        self._status = StatusLine(self)
        self._panel = VisualLogPanel(self, self._open, self._bar.use)
        self._bar.grid(row=0, column=0, sticky="nsew")
        self._status.grid(row=1, column=0, sticky="nsew")
        self._panel.grid(row=2, column=0, sticky="nsew")
        self._status.draw(self._state)
        self._bar.ask()

    def _poll(self) -> None:
        """Draw what has happened, and see whether it is time to go."""
        try:
            while not self._messages.empty():
                self._show(self._messages.get())
            if self._state.running:
                self._show(Ticked(time.monotonic() - self._began))
            if self._interrupted:
                self.close()
        finally:
            if self._may_close():
                self.destroy()
            else:
                self.after(POLL, self._poll)

    def _may_close(self) -> bool:
        if self._closing is None:
            return False
        return not (self._worker and self._worker.alive) or time.monotonic() > self._closing

    def _show(self, message: Message) -> None:
        was, self._state = self._state, reduce(self._state, message)
        self._status.draw(self._state)
        self._panel.draw(self._state)
        if was.running != self._state.running:
            self._bar.draw(running=self._state.running)
            self._drop_question()
        if isinstance(message, Event) and message.data.get("question") and self._worker:
            self._drop_question()
            self._question = Question(self, str(message.data["text"]), self._worker.answer)

    def _drop_question(self) -> None:
        """A question that nobody waits for any more goes."""
        if self._question and self._question.winfo_exists():
            self._question.destroy()
        self._question = None

    def _open(self, title: str, shot: Shot) -> None:
        Viewer(self, title, shot)

    def _fit(self, _event: object) -> None:
        """Called for the window and for whatever is in it; Tk leaves out the window's own first event."""
        size = (self.winfo_width(), self.winfo_height())
        if size != self._fitted:
            self._fitted, scale = size, scale_of(self)
            self._bar.fit(round(size[0] / scale), round(size[1] / scale))

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Only a note, for the next poll: a signal may come at any point, and stopping takes a lock."""
        self._interrupted = True


def _pin_appearance() -> None:
    """On Linux, ask once whether the desktop is dark: customtkinter would start two programs every 30 ms to know."""
    if sys.platform == "linux":
        ctk.set_appearance_mode(ctk.get_appearance_mode())
