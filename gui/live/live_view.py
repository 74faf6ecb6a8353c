"""The agent's screen, live, with the person's mouse and keyboard on it once they have taken over."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX, MUTED, NEAR_PX, TEXT, scale_of, small_font
from gui.kit.tooltip import Tooltip
from gui.live.input_thread import RemoteInput
from gui.live.screen_canvas import ScreenCanvas
from gui.live.screen_thread import ScreenWatcher
from gui.run.state import RunState
from gui.toolkit import ctk

AGENTS: Final = "MARK-I is working here. Press F9 to take over its mouse and keyboard."
PENDING: Final = "You take over as soon as MARK-I has finished its step."
YOURS: Final = "Click and type in the picture. F6 gives control back, Esc stops the run, Shift+Esc sends Esc."
TAKE: Final = "Use its mouse and keyboard yourself (F9)"
GIVE_BACK: Final = "Let MARK-I go on (F6)"
STAYS: Final = "The desktop stays open for your next goal. New conversation closes it."
MIN_WRAP_PX: Final = 120
LEFT_TO_THE_WINDOW: Final = ("Escape", "F6")


class LiveView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows what a watcher sees. `take` and `give_back` are what its button calls."""

    def __init__(self, master: tk.Misc, take: Callable[[], None], give_back: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self._take, self._give_back = take, give_back
        self._drawn: tuple[object, ...] = ()
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._message = ctk.CTkLabel(
            self, text=AGENTS, font=small_font(), text_color=MUTED, anchor="w", justify="left", height=0
        )
        self._message.grid(row=0, column=0, sticky="ew", padx=(EDGE_PX, NEAR_PX))
        self._button = Button(self, "Take over", PLAIN, take)
        Tooltip(self._button, lambda: GIVE_BACK if self._taking else TAKE)
        self._taking = False
        self._button.grid(row=0, column=1, sticky="e", padx=(0, EDGE_PX))
        self._view = ScreenCanvas(self, LEFT_TO_THE_WINDOW)
        self._view.grid(row=1, column=0, columnspan=2, sticky="nsew", padx=EDGE_PX, pady=(NEAR_PX, GAP_PX))
        self.bind("<Configure>", self._fit)

    def watch(self, watcher: ScreenWatcher | None) -> None:
        """Show what this watcher sees; None: nothing any longer."""
        self._view.watch(watcher)

    def set_input(self, remote: RemoteInput | None) -> None:
        """Send the person's mouse and keyboard there; None: to nobody."""
        self._view.set_input(remote)

    def draw(self, state: RunState) -> None:
        """Say who controls the screen."""
        active = state.running and not state.ended
        drawn = (state.taken_over, state.view.taking_over, bool(state.allowed_requests), active)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        taking = state.view.taking_over and bool(state.allowed_requests)
        self._taking = taking
        agents = AGENTS if active else STAYS
        self._message.configure(text=YOURS if state.taken_over else PENDING if taking else agents)
        self._message.configure(text_color=TEXT if taking else MUTED)
        self._button.configure(text="Give back" if taking else "Take over")
        self._button.change(PRIMARY if taking else PLAIN, self._give_back if taking else self._take)
        self._button.enable(usable=bool(state.allowed_requests))
        if active:
            self._button.grid()
        else:
            self._button.grid_remove()

    def refresh(self) -> None:
        """Show the newest image; the screen is watched only while this view is visible."""
        self._view.refresh()

    def _fit(self, event: "tk.Event[tk.Misc]") -> None:
        room = event.width / scale_of(self) - self._button.winfo_reqwidth() / scale_of(self) - 2 * EDGE_PX - 2 * NEAR_PX
        self._message.configure(wraplength=max(MIN_WRAP_PX, room))

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._view.color()
