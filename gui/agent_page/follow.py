"""How a person follows the run that goes on: the live view of a virtual desktop, or the strip on their own."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import customtkinter as ctk

from gui.live.live_view import LiveView
from gui.live.strip import Strip, StripDeeds
from gui.live.view_switch import ViewSwitch
from gui.live.watch_thread import Watcher
from gui.log.panel import EXAMPLE
from gui.log.run_view import RunView
from gui.log.welcome import Ways, Welcome
from gui.run.scene import HandAsked, SceneMessage, Unfolded, View, ViewChosen
from gui.run.state import State

if TYPE_CHECKING:
    from gui.agent_page.run_thread import Worker

LARGE: Final = 1240  # from this width on, the live view is there without being asked for


@dataclass(frozen=True, slots=True)
class FollowDeeds:
    """What a person can do from here, with whatever runs; `ways` are those of a first start."""

    tell: Callable[[SceneMessage], None]
    stop: Callable[[], None]
    hold: Callable[[], None]
    worker: Callable[[], "Worker | None"]
    ways: Ways


class Following:
    """Draws a state around a view of its run; `window` is what makes room for the agent."""

    def __init__(self, window: ctk.CTk, run: RunView, deeds: FollowDeeds) -> None:
        self._window, self._run, self._deeds = window, run, deeds
        self._state, self._width = State(), 0
        self._watcher: Watcher | None = None
        self._strip: Strip | None = None
        self._live = LiveView(run, self.take, deeds.hold)
        self._switch = ViewSwitch(run, self._choose, lambda: deeds.tell(Unfolded(wide=False)))
        window.bind("<F8>", lambda _event: self.turn())
        window.bind("<F9>", lambda _event: self.take())

    def draw(self, state: State) -> None:
        """Show a state that is one message further than the last."""
        was, self._state = self._state, state
        if was.scene.display != state.scene.display or was.running != state.running or was.ended != state.ended:
            self._open(state.scene.display if _goes_on(state) else "")
        if was.in_hand != state.in_hand:
            worker = self._deeds.worker()
            self._live.hand_over(worker.take() if worker and state.in_hand else None)
        self._live.draw(state)
        self._arrange()
        if was.aside != state.aside:
            self._fold(aside=state.aside)
        self._drop_strip()
        if self._strip:
            self._strip.draw(state)
        if was.findings != state.findings:
            self._run.greet(self._welcome if state.findings else None)

    def fit(self, width: int) -> None:
        """The window has this width now."""
        self._width = width
        self._arrange()

    def refresh(self) -> None:
        """Many times a second: show what is new on the agent's screen."""
        self._live.refresh()
        worker = self._deeds.worker()
        if worker and self._state.waited_for and (not self._state.aside or self._folded):
            worker.make_room()

    def turn(self) -> None:
        """To the other view."""
        if self._state.running and self._state.scene.place == "this":
            self._deeds.tell(Unfolded(wide=False))
        elif self._watcher:
            self._choose("Log" if self._view == "Live" else "Live")

    def take(self) -> None:
        """Mouse and keyboard of the virtual desktop, as soon as the run waits."""
        if self._watcher and self._state.wishes and not self._state.scene.taking:
            if "pause" in self._state.wishes:
                self._deeds.hold()
            self._deeds.tell(HandAsked())

    def close(self) -> None:
        """Nothing is looked at any more."""
        self._open("")

    @property
    def _view(self) -> View:
        return self._state.scene.view or ("Live" if self._width >= LARGE and not self._state.workflow else "Log")

    def _welcome(self, master: tk.Misc) -> Welcome:
        return Welcome(master, self._state.findings, EXAMPLE, self._deeds.ways)

    def _choose(self, view: View) -> None:
        self._deeds.tell(ViewChosen(view))

    def _open(self, display: str) -> None:
        if self._watcher:
            self._watcher.close()
        self._watcher = Watcher(display) if display else None
        self._live.watch(self._watcher)

    def _arrange(self) -> None:
        self._switch.draw(self._view if self._watcher else None, folds=_goes_on(self._state) and self._expanded)
        self._run.show_beside(self._live if self._watcher and self._view == "Live" else None, self._switch.shown)

    @property
    def _folded(self) -> bool:
        """Whether the screen shows no more than the strip."""
        return bool(self._strip and self._strip.winfo_viewable()) and not self._window.winfo_viewable()

    @property
    def _expanded(self) -> bool:
        return self._state.scene.place == "this" and self._state.scene.wide

    def _fold(self, *, aside: bool) -> None:
        """The strip in place of the window, or the window again; within a run the strip stays where it was put."""
        if aside:
            middle = self._window.winfo_rootx() + self._window.winfo_width() // 2
            unfold = StripDeeds(self._deeds.stop, self._deeds.hold, lambda: self._deeds.tell(Unfolded(wide=True)))
            self._strip = self._strip or Strip(self._window, unfold, middle)
            self._strip.deiconify()
            self._window.withdraw()
        else:
            self._window.deiconify()
            if self._strip:
                self._strip.withdraw()

    def _drop_strip(self) -> None:
        if self._strip and not _goes_on(self._state):
            self._strip.destroy()
            self._strip = None


def _goes_on(state: State) -> bool:
    return state.running and not state.ended
