"""The window: puts the views together, takes what happens in a run from a queue, and draws what comes of it."""

import contextlib
import gc
import queue
import signal
import sys
import threading
import time
import tkinter as tk
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeAlias

import customtkinter as ctk

from gui.agent_page.goal_bar import Choices, GoalBar
from gui.agent_page.run_buttons import RunCallbacks
from gui.agent_page.run_follower import FollowCallbacks, RunFollower
from gui.dialogs.dialog_host import DialogHost
from gui.history_page.archive_thread import ArchiveThread
from gui.history_page.controller import HistoryController
from gui.history_page.model import HistoryMessage, HistoryState, Page, PageChosen, reduce_history
from gui.history_page.page import HistoryPage
from gui.kit.appearance import apply_appearance, resize
from gui.kit.keyboard import select_all_by_ctrl_a
from gui.kit.style import BACKGROUND, scale_of
from gui.log.panel import EXAMPLE
from gui.log.run_view import RunView
from gui.log.welcome import WelcomeCallbacks
from gui.navigation import HEIGHT, Navigation
from gui.run.messages import (
    Answered,
    ClockTicked,
    ControlRequest,
    ControlRequested,
    Decided,
    GoalMissing,
    GoalsLoaded,
    Message,
    RunStarted,
    SetupChecked,
    StopRequested,
    WorkflowChosen,
    WorkflowUnreadable,
)
from gui.run.state import RunState
from gui.run.update import reduce
from gui.run.view import TabChosen
from gui.run.workflow_graph import drawing_of
from gui.settings_page.fields import brains
from gui.settings_page.model import SettingsMessage
from gui.settings_page.page import SettingsPage
from gui.settings_page.settings_thread import SettingsThread
from gui.tools_page.model import ToolsMessage
from gui.tools_page.page import ToolsPage
from mark_i import EXIT_CODES
from mark_i.assembly import planner
from mark_i.config import DEFAULT_PROFILE, Keys, Settings, load, runs_folder
from mark_i.doctor import survey
from mark_i.runs import goals
from world_model import DesktopError, MarkIError, UsageError

if TYPE_CHECKING:
    from gui.agent_page.run_thread import RunRequest, RunThread

POLL: Final = 40  # milliseconds between two looks into the queue
SPELL: Final = 0.012  # seconds for which messages are taken before the window answers to its person again
PATIENCE: Final = 10.0  # seconds for a run to give back its desktop before the window closes without it
TITLE: Final = "MARK-I"
SIZE, LEAST = (900, 700), (420, 402)
NO_DISPLAY: Final = (
    "The window needs a display, and there is none that can be used. "
    "Without one, `mark-i run GOAL` works on a virtual desktop."
)


def open_window(profile: str) -> int:
    """Open the window of a profile and stay until it is closed; gives the exit code.

    Raises:
        DesktopError: there is no display to open it on.
    """
    try:
        settings = load(profile)
    except UsageError:  # told at Run, and on their page
        settings = Settings()
    apply_appearance(settings)
    try:
        window = MainWindow(settings, planner(settings, Keys(profile)), profile)
    except tk.TclError as error:
        raise DesktopError(f"{NO_DISPLAY} ({error})") from error
    return window.stay()


AnyMessage: TypeAlias = Message | HistoryMessage | SettingsMessage | ToolsMessage


class MainWindow(ctk.CTk):  # type: ignore[misc]  # customtkinter has no types
    """The window, with at most one run at a time, as the profile's settings have it; `brain` is what plans then."""

    def __init__(self, settings: Settings, brain: str, profile: str) -> None:
        super().__init__(fg_color=BACKGROUND, className="Mark-I")
        self.title(TITLE if profile == DEFAULT_PROFILE else f"{TITLE}: {profile}")
        self.geometry("{}x{}".format(*self._scaled(SIZE)))
        self.minsize(*self._scaled(LEAST))
        self._state = RunState()
        self._history = HistoryState()
        self._messages: queue.SimpleQueue[AnyMessage] = queue.SimpleQueue()
        self._profile = SettingsThread(self._messages.put, profile)
        self._controller = HistoryController(
            ArchiveThread(runs_folder(profile), self._messages.put, profile), self._tell
        )
        self._worker: RunThread | None = None
        self._dialogs = DialogHost(self, self._reply, self.stop)
        self._began = 0.0
        self._interrupted = False
        self._fitted = (0, 0)
        self._closing: float | None = None
        self._preferred = Choices(brain, settings.workflow, settings.style)
        self._build(self._preferred)
        if settings.workflow:
            self.after(POLL, self.choose)  # once the window is laid out: a view that comes earlier, Tk 8.6 loses
        self.protocol("WM_DELETE_WINDOW", self.close)
        self._listen()
        self.bind("<Configure>", self._fit, add="+")
        self.after(POLL, self._poll)
        self._profile.look()
        self.after_idle(self.after, POLL, threading.Thread(target=self._recall, name="goals", daemon=True).start)

    def stay(self) -> int:
        """Live until closed, or until the terminal says Ctrl-C; gives the exit code."""
        usual = signal.signal(signal.SIGINT, self._interrupt)
        gc.freeze()  # what was loaded stays; to look through it for garbage again and again makes the window stutter
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
        if not self.choose():  # again: its file may have been changed since
            return
        from gui.agent_page.run_thread import RunRequest  # noqa: PLC0415 - loaded meanwhile; the window comes up without the agent

        bar = self._bar
        self._begin(RunRequest(bar.goal, bar.brain, bar.virtual, self._state.workflow, bar.style, bar.preview))

    def demonstrate(self) -> None:
        """Run the demo, on a virtual desktop, and watch it there."""
        from gui.agent_page.demo_run import demonstration  # noqa: PLC0415 - as above

        if not self._state.running and (job := demonstration()):
            self._bar.use(job.goal)
            self._show(WorkflowChosen(None))
            self._show(TabChosen("Live"))
            self._begin(job)

    def stop(self) -> None:
        """End the run, if there is one."""
        if self._worker and self._state.running:
            self._worker.stop()
            self._show(StopRequested())

    def hold(self) -> None:
        """Pause the run, or let it go on."""
        self._request("resume" if "resume" in self._state.allowed_requests else "pause")

    def step(self) -> None:
        """Let a run that is paused do one step."""
        self._request("step")

    def choose(self) -> bool:
        """Read and show the workflow that the goal bar names; whether there is one, or none is wanted."""
        name = self._bar.workflow
        try:
            self._show(WorkflowChosen(drawing_of(name, self._profile.name) if name else None))
        except UsageError as error:
            self._show(WorkflowUnreadable(str(error)))
            return False
        return True

    def close(self) -> None:
        """Close, after the run has given back what it took."""
        self.stop()
        self._controller.close()
        self._settings.commit()
        self._profile.close()
        self._tools.close()
        self._follower.close()
        self._closing = self._closing or time.monotonic() + PATIENCE

    def _begin(self, job: "RunRequest") -> None:
        from gui.agent_page.run_thread import RunThread  # noqa: PLC0415 - as above

        self._began = time.monotonic()
        self._show(RunStarted(job.goal))
        self._worker = RunThread(replace(job, profile=self._profile.name), self._messages.put)

    def _request(self, requested: ControlRequest) -> None:
        if self._worker and requested in self._state.allowed_requests:
            self._worker.control(requested)
            self._show(ControlRequested(requested))

    def _recall(self) -> None:
        """On a thread of its own, for there may be many runs. Who cannot read them has no history, and no complaint.

        After that it loads what runs an agent, so that nobody waits for that when Run is pressed.
        """
        with contextlib.suppress(MarkIError):
            known = tuple(goals(runs_folder(self._profile.name)))
            self._messages.put(GoalsLoaded(known) if known else SetupChecked(survey(Keys(self._profile.name))))
        import_module("gui.agent_page.run_thread")

    def _prefer(self) -> None:
        """Offer, and choose already, what the profile's settings say; a run that goes on is left alone."""
        found = self._settings.preferences.found
        if found is None or self._state.running:
            return
        was, self._preferred = self._preferred, Choices(found.brain, found.settings.workflow, found.settings.style)
        self._bar.offer(brains(found.settings, found.kept))
        self._bar.prefer(was, self._preferred)

    def _build(self, chosen: Choices) -> None:
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._navigation = Navigation(self, self._turn)
        self._live = ctk.CTkFrame(self, fg_color=BACKGROUND, corner_radius=0)
        self._live.grid_columnconfigure(0, weight=1)
        self._live.grid_rowconfigure(1, weight=1)
        self._bar = GoalBar(self._live, chosen, RunCallbacks(self.run, self.stop, self.hold, self.step), self.choose)
        self._run = RunView(self._live, SIZE, self._bar.use)
        ways = WelcomeCallbacks(lambda: self._bar.use(EXAMPLE), self.demonstrate, lambda: self._turn("Settings"))
        callbacks = FollowCallbacks(self._show, self.stop, self.hold, lambda: self._worker, ways)
        self._follower = RunFollower(self, self._run, callbacks)
        self._runs = HistoryPage(self, SIZE, self._controller)
        self._settings = SettingsPage(self, self._profile)
        self._tools = ToolsPage(self, self._messages.put, self._profile.name)
        self._pages: Mapping[Page, ctk.CTkFrame] = {
            "Agent": self._live,
            "Runs": self._runs,
            "Tools": self._tools,
            "Settings": self._settings,
        }
        self._navigation.grid(row=0, column=0, sticky="nsew")
        self._bar.grid(row=0, column=0, sticky="nsew")
        self._run.grid(row=1, column=0, sticky="nsew")
        self._live.grid(row=1, column=0, sticky="nsew")
        self._navigation.draw(self._history.page, self._state)
        self._bar.ask()

    def _listen(self) -> None:
        """The keys that mean the same wherever the window has the focus."""
        select_all_by_ctrl_a(self)
        self.bind("<Escape>", lambda _event: self._escape())
        self.bind("<Control-Return>", lambda _event: self._run_here())
        self.bind("<F6>", lambda _event: self.hold())
        self.bind("<F7>", lambda _event: self.step())
        for key, steps in (("Left", -1), ("Right", 1), ("Home", -sys.maxsize), ("End", sys.maxsize)):
            self.bind(f"<{key}>", partial(self._scrub, steps))

    def _run_here(self) -> None:
        """Ctrl+Enter, wherever the focus is on the page with the goal."""
        if self._history.page == "Agent":
            self.run()

    def _escape(self) -> None:
        """A run that goes on is stopped, whatever is seen; without one, what was opened last is left."""
        if self._state.running:
            self.stop()
        elif self._history.asked:
            self._controller.ask_delete(None)
        elif (self._run if self._history.page == "Agent" else self._runs).leave_search():
            pass
        elif self._history.page == "Runs" and (self._history.replay or self._history.opening):
            self._controller.back()
        elif self._history.page == "Tools":
            self._tools.escape()

    def _scrub(self, steps: int, _event: object) -> None:
        if self._history.page == "Runs" and self._history.replay:
            self._controller.move(self._history.at + steps)

    def _turn(self, page: Page) -> None:
        self._tell(PageChosen(page))

    def _tell(self, message: HistoryMessage) -> None:
        """Draw what comes of something that has to do with the past, or with the pages."""
        was, self._history = self._history, reduce_history(self._history, message)
        if was.page != self._history.page:
            self._pages[was.page].grid_remove()
            self._pages[self._history.page].grid(row=1, column=0, sticky="nsew")
            if self._history.page == "Agent":
                self._bar.ask()
            elif self._history.page == "Settings":
                self._settings.open()
            elif self._history.page == "Runs":
                self._controller.look()
            elif self._history.page == "Tools":
                self._tools.take_focus()
        self._navigation.draw(self._history.page, self._state)
        self._runs.draw(self._history)

    def _poll(self) -> None:
        """Draw what has happened, and see whether it is time to go."""
        try:
            until = time.monotonic() + SPELL
            while not self._messages.empty() and time.monotonic() < until:
                message = self._messages.get()
                if isinstance(message, HistoryMessage):
                    self._tell(message)
                elif isinstance(message, SettingsMessage):
                    self._change(message)
                elif isinstance(message, ToolsMessage):
                    self._tools.tell(message)
                else:
                    self._take(message)
            if self._state.running:
                self._take(ClockTicked(time.monotonic() - self._began))
            self._follower.refresh()
            self._draw()
            if self._interrupted:
                self.close()
        finally:
            if self._may_close():
                self.destroy()
            else:
                self.after(POLL if self._messages.empty() else 1, self._poll)

    def _may_close(self) -> bool:
        if self._closing is None:
            return False
        alive = (self._worker and self._worker.alive) or self._tools.alive
        return not alive or time.monotonic() > self._closing

    def _show(self, message: Message) -> None:
        self._take(message)
        self._draw()

    def _take(self, message: Message) -> None:
        """What comes of a message; it is drawn later, for many may come at once."""
        was, self._state = self._state, reduce(self._state, message)
        if was.running != self._state.running:
            self._settings.hold(running=self._state.running)
            self._prefer()
            if self._history.page == "Runs":
                self._controller.look()

    def _draw(self) -> None:
        self._run.draw(self._state)
        self._follower.draw(self._state)
        self._bar.draw(self._state)
        self._navigation.draw(self._history.page, self._state)
        self._dialogs.draw(self._state.asked, self._worker.screen if self._worker else None)

    def _change(self, message: SettingsMessage) -> None:
        """Draw what comes of something that has to do with the settings, and look as they say."""
        self._settings.tell(message)
        self._prefer()
        if found := self._settings.preferences.found:
            apply_appearance(found.settings)
        if found and resize(self, found.settings):
            self.minsize(*self._scaled(LEAST))
            self.maxsize(self.winfo_screenwidth(), self.winfo_screenheight())
            self.geometry("{}x{}".format(*map(max, self._scaled(LEAST), (self.winfo_width(), self.winfo_height()))))
            self._fitted = (0, 0)
            self._fit(None)

    def _scaled(self, size: tuple[int, int]) -> tuple[int, int]:
        """In pixels; no more than there are."""
        scale = scale_of(self)
        width, height = round(size[0] * scale), round(size[1] * scale)
        return min(width, self.winfo_screenwidth()), min(height, self.winfo_screenheight())

    def _reply(self, message: Answered | Decided) -> None:
        """The dialog goes before the agent hears it: on this desktop it may stand where the agent is to click."""
        if self._worker and self._state.asked:
            self._show(message)
            self._worker.reply(message)

    def _fit(self, _event: object) -> None:
        """Called for the window and for whatever is in it; Tk leaves out the window's own first event."""
        size = (self.winfo_width(), self.winfo_height())
        if size != self._fitted:
            self._fitted, scale = size, scale_of(self)
            room = (round(size[0] / scale), round(size[1] / scale) - HEIGHT)
            self._bar.fit(*room)
            self._run.fit(*room)
            self._follower.fit(room[0])
            self._runs.fit(*room)
            self._settings.fit(*room)
            self._tools.fit(*room)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Only a note, for the next poll: a signal may come at any point, and stopping takes a lock."""
        self._interrupted = True
