"""How a person watches the current run: in the live view of a virtual desktop, or by the compact bar on their own."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gui.live.compact_bar import CompactBar, CompactBarCallbacks
from gui.live.live_view import LiveView
from gui.live.screen_thread import ScreenWatcher
from gui.live.view_switch import ViewSwitch
from gui.log.panel import EXAMPLE
from gui.log.run_view import RunView
from gui.log.welcome import Welcome, WelcomeCallbacks
from gui.run.state import RunState
from gui.run.view import BarToggled, Tab, TabChosen, TakeoverRequested, ViewMessage
from gui.toolkit import ctk

if TYPE_CHECKING:
    from gui.agent_page.run_thread import RunThread

LIVE_MIN_PX: Final = 1240  # window width from which the live view opens by itself


@dataclass(frozen=True, slots=True)
class FollowCallbacks:
    """What a person can do from here; `welcome` is for the first start."""

    dispatch: Callable[[ViewMessage], None]
    stop: Callable[[], None]
    toggle_pause: Callable[[], None]
    run_thread: Callable[[], "RunThread | None"]
    welcome: WelcomeCallbacks


class RunFollower:
    """Shows what belongs to watching a run, around its view; `window` makes room for the agent."""

    def __init__(self, window: ctk.CTk, run: RunView, callbacks: FollowCallbacks) -> None:
        self._window, self._run, self._callbacks = window, run, callbacks
        self._state, self._width = RunState(), 0
        self._watcher: ScreenWatcher | None = None
        self._bar: CompactBar | None = None
        self._live = LiveView(run, self.take_over, callbacks.toggle_pause)
        self._switch = ViewSwitch(run, self._choose_tab, lambda: callbacks.dispatch(BarToggled(expanded=False)))
        window.bind("<F8>", lambda _event: self.toggle_tab())
        window.bind("<F9>", lambda _event: self.take_over())

    def draw(self, state: RunState) -> None:
        """Show the next state."""
        was, self._state = self._state, state
        if was.view.display != state.view.display:
            self._open(state.view.display)
        if was.taken_over != state.taken_over:
            run_thread = self._callbacks.run_thread()
            self._live.set_input(run_thread.remote_input() if run_thread and state.taken_over else None)
        self._live.draw(state)
        self._arrange()
        if was.hides_window != state.hides_window:
            self._switch_to_bar(hides_window=state.hides_window)
        self._drop_bar()
        if self._bar:
            self._bar.draw(state)
        if was.findings != state.findings:
            self._run.greet(self._welcome if state.findings else None)

    def fit(self, width: int) -> None:
        """Adapt to the width of the window."""
        self._width = width
        self._arrange()

    def refresh(self) -> None:
        """Show what is new on the agent's screen; called many times a second."""
        self._live.refresh()
        run_thread = self._callbacks.run_thread()
        if run_thread and self._state.needs_screen and (not self._state.hides_window or self._folded):
            run_thread.make_room()

    def toggle_tab(self) -> None:
        """Switch to the other view."""
        if self._state.running and self._state.view.desktop == "own":
            self._callbacks.dispatch(BarToggled(expanded=False))
        elif self._watcher:
            self._choose_tab("Log" if self._tab == "Live" else "Live")

    def take_over(self) -> None:
        """Take mouse and keyboard of the virtual desktop, once the run is paused."""
        if self._watcher and self._state.allowed_requests and not self._state.view.taking_over:
            if "pause" in self._state.allowed_requests:
                self._callbacks.toggle_pause()
            self._callbacks.dispatch(TakeoverRequested())

    def close(self) -> None:
        """Watch nothing any longer."""
        self._open("")

    @property
    def _tab(self) -> Tab:
        view, room = self._state.view, self._width >= LIVE_MIN_PX and not self._state.workflow
        chosen = view.tab if _is_active(self._state) else view.tab_after
        return chosen or ("Live" if room else "Log")

    def _welcome(self, master: tk.Misc) -> Welcome:
        return Welcome(master, self._state.findings, EXAMPLE, self._callbacks.welcome)

    def _choose_tab(self, tab: Tab) -> None:
        self._callbacks.dispatch(TabChosen(tab))

    def _open(self, display: str) -> None:
        if self._watcher:
            self._watcher.close()
        self._watcher = ScreenWatcher(display) if display else None
        self._live.watch(self._watcher)

    def _arrange(self) -> None:
        self._switch.draw(self._tab if self._watcher else None, can_shrink=_is_active(self._state) and self._expanded)
        self._run.show_beside(self._live if self._watcher and self._tab == "Live" else None, self._switch.shown)

    @property
    def _folded(self) -> bool:
        """Whether the screen shows only the compact bar."""
        return bool(self._bar and self._bar.winfo_viewable()) and not self._window.winfo_viewable()

    @property
    def _expanded(self) -> bool:
        return self._state.view.desktop == "own" and self._state.view.expanded

    def _switch_to_bar(self, *, hides_window: bool) -> None:
        """Show the compact bar or the window; within a run the bar stays where it was put."""
        if hides_window:
            middle = self._window.winfo_rootx() + self._window.winfo_width() // 2
            callbacks = CompactBarCallbacks(
                self._callbacks.stop,
                self._callbacks.toggle_pause,
                lambda: self._callbacks.dispatch(BarToggled(expanded=True)),
            )
            self._bar = self._bar or CompactBar(self._window, callbacks, middle)
            self._bar.deiconify()
            self._window.withdraw()
        else:
            self._window.deiconify()
            if self._bar:
                self._bar.withdraw()

    def _drop_bar(self) -> None:
        if self._bar and not _is_active(self._state):
            self._bar.destroy()
            self._bar = None


def _is_active(state: RunState) -> bool:
    return state.running and not state.ended
