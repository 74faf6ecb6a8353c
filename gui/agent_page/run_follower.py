"""How a person follows the run that goes on: the live view of a virtual desktop, or the strip on their own."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import customtkinter as ctk

from gui.live.compact_bar import CompactBar, CompactBarCallbacks
from gui.live.live_view import LiveView
from gui.live.screen_thread import ScreenWatcher
from gui.live.view_switch import ViewSwitch
from gui.log.panel import EXAMPLE
from gui.log.run_view import RunView
from gui.log.welcome import Welcome, WelcomeCallbacks
from gui.run.state import RunState
from gui.run.view import BarExpanded, TabChosen, TakeoverRequested, View, ViewMessage

if TYPE_CHECKING:
    from gui.agent_page.run_thread import RunThread

LARGE: Final = 1240  # from this width on, the live view is there without being asked for


@dataclass(frozen=True, slots=True)
class FollowCallbacks:
    """What a person can do from here, with whatever runs; `ways` are those of a first start."""

    tell: Callable[[ViewMessage], None]
    stop: Callable[[], None]
    hold: Callable[[], None]
    worker: Callable[[], "RunThread | None"]
    ways: WelcomeCallbacks


class RunFollower:
    """Draws a state around a view of its run; `window` is what makes room for the agent."""

    def __init__(self, window: ctk.CTk, run: RunView, callbacks: FollowCallbacks) -> None:
        self._window, self._run, self._actions = window, run, callbacks
        self._state, self._width = RunState(), 0
        self._watcher: ScreenWatcher | None = None
        self._bar: CompactBar | None = None
        self._live = LiveView(run, self.take, callbacks.hold)
        self._switch = ViewSwitch(run, self._choose, lambda: callbacks.tell(BarExpanded(wide=False)))
        window.bind("<F8>", lambda _event: self.turn())
        window.bind("<F9>", lambda _event: self.take())

    def draw(self, state: RunState) -> None:
        """Show a state that is one message further than the last."""
        was, self._state = self._state, state
        if was.view.display != state.view.display or was.running != state.running or was.ended != state.ended:
            self._open(state.view.display if _goes_on(state) else "")
        if was.taken_over != state.taken_over:
            worker = self._actions.worker()
            self._live.set_input(worker.remote_input() if worker and state.taken_over else None)
        self._live.draw(state)
        self._arrange()
        if was.hides_window != state.hides_window:
            self._fold(hides_window=state.hides_window)
        self._drop_bar()
        if self._bar:
            self._bar.draw(state)
        if was.findings != state.findings:
            self._run.greet(self._welcome if state.findings else None)

    def fit(self, width: int) -> None:
        """The window has this width now."""
        self._width = width
        self._arrange()

    def refresh(self) -> None:
        """Many times a second: show what is new on the agent's screen."""
        self._live.refresh()
        worker = self._actions.worker()
        if worker and self._state.needs_screen and (not self._state.hides_window or self._folded):
            worker.make_room()

    def turn(self) -> None:
        """To the other view."""
        if self._state.running and self._state.view.place == "this":
            self._actions.tell(BarExpanded(wide=False))
        elif self._watcher:
            self._choose("Log" if self._view == "Live" else "Live")

    def take(self) -> None:
        """Mouse and keyboard of the virtual desktop, as soon as the run waits."""
        if self._watcher and self._state.allowed_requests and not self._state.view.taking:
            if "pause" in self._state.allowed_requests:
                self._actions.hold()
            self._actions.tell(TakeoverRequested())

    def close(self) -> None:
        """Nothing is looked at any more."""
        self._open("")

    @property
    def _view(self) -> View:
        return self._state.view.view or ("Live" if self._width >= LARGE and not self._state.workflow else "Log")

    def _welcome(self, master: tk.Misc) -> Welcome:
        return Welcome(master, self._state.findings, EXAMPLE, self._actions.ways)

    def _choose(self, view: View) -> None:
        self._actions.tell(TabChosen(view))

    def _open(self, display: str) -> None:
        if self._watcher:
            self._watcher.close()
        self._watcher = ScreenWatcher(display) if display else None
        self._live.watch(self._watcher)

    def _arrange(self) -> None:
        self._switch.draw(self._view if self._watcher else None, folds=_goes_on(self._state) and self._expanded)
        self._run.show_beside(self._live if self._watcher and self._view == "Live" else None, self._switch.shown)

    @property
    def _folded(self) -> bool:
        """Whether the screen shows no more than the strip."""
        return bool(self._bar and self._bar.winfo_viewable()) and not self._window.winfo_viewable()

    @property
    def _expanded(self) -> bool:
        return self._state.view.place == "this" and self._state.view.wide

    def _fold(self, *, hides_window: bool) -> None:
        """The strip in place of the window, or the window again; within a run the strip stays where it was put."""
        if hides_window:
            middle = self._window.winfo_rootx() + self._window.winfo_width() // 2
            unfold = CompactBarCallbacks(
                self._actions.stop, self._actions.hold, lambda: self._actions.tell(BarExpanded(wide=True))
            )
            self._bar = self._bar or CompactBar(self._window, unfold, middle)
            self._bar.deiconify()
            self._window.withdraw()
        else:
            self._window.deiconify()
            if self._bar:
                self._bar.withdraw()

    def _drop_bar(self) -> None:
        if self._bar and not _goes_on(self._state):
            self._bar.destroy()
            self._bar = None


def _goes_on(state: RunState) -> bool:
    return state.running and not state.ended
