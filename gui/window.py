"""The main window: six pages, a queue of messages from other threads, and the keys that work everywhere."""

import contextlib
import gc
import queue
import signal
import sys
import threading
import time
import tkinter as tk
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING, Final, TypeAlias

from gui.agent_page.callbacks import AgentCallbacks
from gui.agent_page.page import AgentPage
from gui.fleet_page.model import FleetMessage
from gui.fleet_page.page import FleetsPage
from gui.history_page.archive_thread import ArchiveThread
from gui.history_page.controller import HistoryController, RunUses
from gui.history_page.model import HistoryMessage, HistoryState, Page, PageChosen, reduce_history
from gui.history_page.page import HistoryPage
from gui.icons import icon_file, set_icon
from gui.key_sheet import KeySheet
from gui.kit.appearance import apply_appearance, resize
from gui.kit.clicks import note_presses
from gui.kit.front import close_topmost, come_forward, has_focus
from gui.kit.keyboard import select_all_by_ctrl_a
from gui.kit.style import BACKGROUND, scale_of
from gui.navigation import HEIGHT_PX, Navigation
from gui.notifications.notifier import Notifier
from gui.run.choices import Choices
from gui.run.messages import GoalsLoaded, Message, SetupChecked
from gui.run.skill_goal import SkillGoal
from gui.settings_page.model import SettingsMessage
from gui.settings_page.page import SettingsPage
from gui.settings_page.settings_thread import SettingsThread
from gui.skills_page.model import SkillsMessage
from gui.skills_page.page import SkillsPage, SkillUses
from gui.toolkit import ctk
from gui.tools_page.model import ToolsMessage
from gui.tools_page.page import ToolsPage
from mark_i import EXIT_CODES
from mark_i.assembly import planner
from mark_i.config import DEFAULT_PROFILE, Keys, Settings, load, runs_folder
from mark_i.doctor import survey
from mark_i.runs import goals
from world_model import DesktopError, MarkIError, UsageError

if TYPE_CHECKING:
    from gui.history_page.replay import Replay

STOPPING: Final = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))
POLL_MS: Final = 40  # between two looks into the queue
BUSY_MAX_S: Final = 0.012  # for which messages are handled before the window reacts to its person again
CLOSE_MAX_S: Final = 10.0  # for a run to release its desktop before the window closes without it
TITLE: Final = "MARK-I"
NOTIFIED_PX: Final = 48  # size of the icon beside a notification
SIZE_PX, MIN_SIZE_PX = (900, 700), (420, 402)  # unscaled
NO_DISPLAY: Final = "The window needs a display, and none can be opened. `mark-i run GOAL` works without one."


def open_window(profile: str) -> int:
    """Open the window of a profile and stay until it is closed.

    Returns:
        The exit code.

    Raises:
        DesktopError: there is no display to open it on.
    """
    try:
        settings = load(profile)
    except UsageError:  # shown at Run, and on the Settings page
        settings = Settings()
    apply_appearance(settings)
    try:
        window = MainWindow(settings, planner(settings, Keys(profile)), profile)
    except tk.TclError as error:
        raise DesktopError(f"{NO_DISPLAY} ({error})") from error
    return window.stay()


AnyMessage: TypeAlias = Message | HistoryMessage | SettingsMessage | SkillsMessage | FleetMessage | ToolsMessage


class MainWindow(ctk.CTk):  # type: ignore[misc]  # customtkinter has no types
    """The window of a profile; `brain` is the one that plans unless another is chosen."""

    def __init__(self, settings: Settings, brain: str, profile: str) -> None:
        super().__init__(fg_color=BACKGROUND, className="Mark-I")
        set_icon(self)
        self.title(TITLE if profile == DEFAULT_PROFILE else f"{TITLE}: {profile}")
        self.geometry("{}x{}".format(*self._scaled(SIZE_PX)))
        self.minsize(*self._scaled(MIN_SIZE_PX))
        self._profile, self._history = profile, HistoryState()
        self._called = threading.Event()  # by a click on a notification
        self._messages: queue.SimpleQueue[AnyMessage] = queue.SimpleQueue()
        self._settings_thread = SettingsThread(self._messages.put, profile)
        archive = ArchiveThread(runs_folder(profile), self._messages.put, profile)
        uses = RunUses(self._go_on, self._run_again, self._make_skill)
        self._controller = HistoryController(archive, self._handle_history, uses)
        self._notifier = Notifier(str(icon_file(NOTIFIED_PX)), self._called.set)
        self._sheet: KeySheet | None = None
        self._interrupted = False
        self._fitted = (0, 0)
        self._close_at_s: float | None = None
        self._build(Choices(brain, settings.workflow, settings.style))
        if settings.workflow:
            # After the layout: Tk 8.6 loses a view that comes earlier.
            self.after(POLL_MS, self._agent.show_workflow, settings.workflow)
        leave = partial(self._agent.leaving.leave, self.close)
        self.protocol("WM_DELETE_WINDOW", partial(self._fleets.leave, leave))
        self._bind_keys()
        self.bind("<Configure>", self._fit, add="+")
        self.after(POLL_MS, self._poll)
        self._settings_thread.look()
        self.after_idle(self.after, POLL_MS, threading.Thread(target=self._load, name="goals", daemon=True).start)

    def stay(self) -> int:
        """Live until closed, or until a signal such as that of Ctrl+C in the terminal, or of the end of the session.

        Returns:
            The exit code.
        """
        usual = {number: signal.signal(number, self._interrupt) for number in STOPPING}
        gc.freeze()  # what is loaded stays; searching it for garbage again and again makes the window stutter
        try:
            self.mainloop()
        finally:
            for number, handler in usual.items():
                signal.signal(number, handler)
            self._notifier.close()
        return EXIT_CODES["stopped"] if self._interrupted else 0

    def close(self) -> None:
        """Close once the run has released what it holds."""
        self._controller.close()
        self._agent.close()
        self._settings.commit()
        self._settings_thread.close()
        self._tools.close()
        self._skills.close()
        self._fleets.close()
        self._close_at_s = self._close_at_s or time.monotonic() + CLOSE_MAX_S

    def _load(self) -> None:
        """Load the earlier goals and then the agent, on a thread of its own.

        Goals that cannot be read are left out without a message. The agent is loaded so that Run starts at once.
        """
        with contextlib.suppress(MarkIError):
            known = tuple(goals(runs_folder(self._profile)))
            self._messages.put(GoalsLoaded(known) if known else SetupChecked(survey(Keys(self._profile))))
        import_module("gui.agent_page.run_thread")

    def _build(self, chosen: Choices) -> None:
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._navigation = Navigation(self, self._turn_to, self._show_keys)
        to_settings = partial(self._turn_to, "Settings")
        callbacks = AgentCallbacks(
            self._messages.put, self._running_changed, to_settings, self._make_skill, self._show_question
        )
        self._agent = AgentPage(self, SIZE_PX, self._profile, chosen, callbacks)
        self._runs = HistoryPage(self, SIZE_PX, self._controller)
        self._settings = SettingsPage(self, self._settings_thread)
        self._tools = ToolsPage(self, self._messages.put, self._profile)
        uses = SkillUses(self._run_skill, self._open_run)
        self._skills = SkillsPage(self, self._messages.put, self._profile, uses)
        to_fleets = partial(self._show_question, "Fleets")
        self._fleets = FleetsPage(self, self._messages.put, self._profile, self._open_run, to_fleets)
        self._pages: Mapping[Page, ctk.CTkFrame] = {
            "Agent": self._agent,
            "Runs": self._runs,
            "Skills": self._skills,
            "Fleets": self._fleets,
            "Tools": self._tools,
            "Settings": self._settings,
        }
        self._navigation.grid(row=0, column=0, sticky="nsew")
        self._agent.grid(row=1, column=0, sticky="nsew")
        self._draw_navigation()
        self._agent.take_focus()

    def _bind_keys(self) -> None:
        """Bind the keys that mean the same wherever the focus is, and note each click."""
        select_all_by_ctrl_a(self)
        note_presses(self)
        self.bind("<Escape>", lambda _event: self._escape())
        self.bind("<F1>", lambda _event: self._show_keys())
        self.bind("<Control-Return>", lambda _event: self._run_here())
        self.bind("<F6>", lambda _event: self._agent.toggle_pause())
        self.bind("<F7>", lambda _event: self._agent.step())
        for key, steps in (("Left", -1), ("Right", 1), ("Home", -sys.maxsize), ("End", sys.maxsize)):
            self.bind(f"<{key}>", partial(self._move_scrubber, steps))

    def _run_here(self) -> None:
        """Run on Ctrl+Enter, wherever the focus is on the Agent page."""
        if self._history.page == "Agent":
            self._agent.run()

    def _escape(self) -> None:
        """Close what is on top; then stop the run, whichever page is open; without one, leave what was opened last."""
        if close_topmost(self) or self._withdraw_question() or self._leave_search():
            return
        if self._agent.state.running:
            if not self._agent.keep_question():
                self._agent.stop()
        elif self._history.page == "Runs" and (self._history.replay or self._history.opening):
            self._controller.back()
        elif self._history.page == "Tools":
            self._tools.leave()
        elif self._history.page == "Skills":
            self._skills.leave()

    def _withdraw_question(self) -> bool:
        """Withdraw what the page asks before it does it, or stop a tool that is tried there; whether there was one."""
        if self._history.confirming:
            self._controller.ask_delete(None)
            return True
        if self._history.page == "Skills":
            return self._skills.drop_question()
        if self._history.page == "Fleets":
            return self._fleets.drop_question()
        return (self._history.page == "Agent" and self._agent.leaving.drop()) or (
            self._history.page == "Tools" and self._tools.drop_trial()
        )

    def _leave_search(self) -> bool:
        return (self._agent if self._history.page == "Agent" else self._runs).leave_search()

    def _show_keys(self) -> None:
        """Show the sheet of keys, once."""
        if self._sheet is None or not self._sheet.winfo_exists():
            self._sheet = KeySheet(self)

    def _go_on(self, replay: "Replay") -> None:
        """Follow on a past run."""
        self._controller.back()
        self._turn_to("Agent")
        cards = replay.states[-1].cards
        self._agent.leaving.leave(partial(self._agent.go_on, replay.run, replay.goal, replay.chosen, cards))

    def _run_again(self, replay: "Replay") -> None:
        """Start a past run anew."""
        self._controller.back()
        self._turn_to("Agent")
        self._agent.leaving.leave(
            partial(self._agent.run_again, replay.goal_anew, replay.chosen, follows=replay.follows)
        )

    def _show_question(self, page: Page = "Agent") -> None:
        """Show what is asked before something is left, whichever page is open."""
        self._turn_to(page)
        come_forward(self)

    def _make_skill(self, run: str) -> None:
        """Propose a skill made of a run."""
        self._turn_to("Skills")
        self._skills.propose(run)

    def _run_skill(self, goals: Sequence[SkillGoal], virtual: bool) -> None:  # noqa: FBT001 - what the switch says
        self._turn_to("Agent")
        self._agent.leaving.leave(partial(self._agent.run_skill, goals, virtual=virtual))

    def _open_run(self, run: str) -> None:
        self._turn_to("Runs")
        self._controller.open(run)

    def _move_scrubber(self, steps: int, _event: object) -> None:
        if self._history.page == "Runs" and self._history.replay:
            self._controller.move(self._history.step + steps)

    def _turn_to(self, page: Page) -> None:
        self._handle_history(PageChosen(page))

    def _handle_history(self, message: HistoryMessage) -> None:
        """Handle and draw what concerns past runs, or which page is open."""
        was, self._history = self._history, reduce_history(self._history, message)
        if was.page != self._history.page:
            self._show_page(was.page, self._history.page)
        self._draw_navigation()
        self._runs.draw(self._history)

    def _show_page(self, old: Page, new: Page) -> None:
        if old == "Settings":
            self._settings.leave()
        self._pages[old].grid_remove()
        self._pages[new].grid(row=1, column=0, sticky="nsew")
        match new:
            case "Agent":
                self._agent.take_focus()
            case "Settings":
                self._settings.open()
            case "Runs":
                self._controller.look()
            case "Tools":
                self._tools.take_focus()
            case "Skills":
                self._skills.take_focus()
            case "Fleets":
                self._fleets.take_focus()

    def _poll(self) -> None:
        """Handle the messages that have come, draw, and close when it is time."""
        try:
            until = time.monotonic() + BUSY_MAX_S
            while not self._messages.empty() and time.monotonic() < until:
                self._handle(self._messages.get())
            self._notifier.observe(self._agent.state, focused=has_focus(self))  # before a question brings the window up
            self._agent.refresh()
            if self._called.is_set():
                self._called.clear()
                come_forward(self)
            self._draw_navigation()
            if self._interrupted:
                self.close()
        finally:
            if self._may_close():
                self.destroy()
            else:
                self.after(POLL_MS if self._messages.empty() else 1, self._poll)

    def _handle(self, message: AnyMessage) -> None:
        if isinstance(message, HistoryMessage):
            self._handle_history(message)
        elif isinstance(message, SettingsMessage):
            self._handle_settings(message)
        elif isinstance(message, ToolsMessage):
            self._tools.handle(message)
        elif isinstance(message, SkillsMessage):
            self._skills.handle(message)
        elif isinstance(message, FleetMessage):
            self._fleets.handle(message)
        else:
            self._agent.handle(message)

    def _may_close(self) -> bool:
        if self._close_at_s is None:
            return False
        alive = self._agent.alive or self._tools.alive or self._skills.alive or self._fleets.alive
        return not alive or time.monotonic() > self._close_at_s

    def _running_changed(self) -> None:
        """A run has started, or has released everything."""
        self._runs.enable(usable=not self._agent.state.running)
        self._skills.enable(usable=not self._agent.state.running)
        self._settings.set_running(running=self._agent.state.running)
        self._agent.prefer(self._settings.state.found)
        if self._history.page == "Runs":
            self._controller.look()

    def _draw_navigation(self) -> None:
        self._navigation.draw(self._history.page, self._agent.state)

    def _handle_settings(self, message: SettingsMessage) -> None:
        """Draw what changed on the Settings page, and apply theme and scale."""
        self._settings.handle(message)
        found = self._settings.state.found
        self._agent.prefer(found)
        if found is None:
            return
        apply_appearance(found.settings)
        if resize(self, found.settings):
            self.minsize(*self._scaled(MIN_SIZE_PX))
            self.maxsize(self.winfo_screenwidth(), self.winfo_screenheight())
            size = map(max, self._scaled(MIN_SIZE_PX), (self.winfo_width(), self.winfo_height()))
            self.geometry("{}x{}".format(*size))
            self._fitted = (0, 0)
            self._fit(None)

    def _scaled(self, size: tuple[int, int]) -> tuple[int, int]:
        """The size in pixels of the screen, and no more than it has."""
        scale = scale_of(self)
        width, height = round(size[0] * scale), round(size[1] * scale)
        return min(width, self.winfo_screenwidth()), min(height, self.winfo_screenheight())

    def _fit(self, _event: object) -> None:
        """Arrange the pages; called for the window and for everything in it, for Tk omits the window's first event."""
        size = (self.winfo_width(), self.winfo_height())
        if size != self._fitted:
            self._fitted, scale = size, scale_of(self)
            room = (round(size[0] / scale), round(size[1] / scale) - HEIGHT_PX)
            for page in self._pages.values():
                page.fit(*room)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Leave a note for the next poll: a signal may come at any point, and stopping takes a lock."""
        self._interrupted = True
