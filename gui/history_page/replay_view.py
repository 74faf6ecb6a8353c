"""An open past run: what it looked like after each step, with a scrubber to go from one to another."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from gui.history_page.controller import HistoryController
from gui.history_page.model import HistoryState
from gui.kit.buttons import PLAIN, Button
from gui.kit.style import (
    ACCENT,
    ACCENT_HOVER,
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SUNKEN,
    SURFACE,
    TONES,
    small_font,
    strong_font,
    text_font,
)
from gui.kit.texts import tk_safe
from gui.kit.wrapped_text import WrappedText
from gui.log.panel import PanelCallbacks
from gui.log.run_view import RunView
from gui.toolkit import ctk

if TYPE_CHECKING:
    from gui.history_page.replay import Replay

HEADER_PX: Final = 132  # its height, about
SHAPE: Final = {"width": 84, "height": 32}  # of a button
CHANGED: Final = "With what was said meanwhile"
GOAL_MAX_PX: Final = 92  # height of the goal, about five lines
STARTING: Final = 2  # so many of the buttons start a run
MAKE_SKILL, REPORT = 2, 3  # the numbers of others
MIN_WRAP_PX: Final = 80


class ReplayView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the open run, and passes on what is done with it."""

    def __init__(self, master: tk.Misc, room: tuple[int, int], controller: HistoryController) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew")
        header.grid_columnconfigure(1, weight=1)
        shape = {**SHAPE, "font": text_font()}
        Button(header, "Back", PLAIN, controller.back, shape).grid(
            row=0, column=0, sticky="w", padx=(EDGE_PX, GAP_PX), pady=(GAP_PX, NEAR_PX)
        )
        self._goal = WrappedText(header, "", strong_font(), self._fit_goal)
        self._goal.grid(row=0, column=1, columnspan=2, sticky="ew", padx=(0, EDGE_PX), pady=(GAP_PX, NEAR_PX))
        self._when = ctk.CTkLabel(header, text="", font=small_font(), text_color=MUTED, height=0)
        self._when.grid(row=1, column=0, padx=(EDGE_PX, GAP_PX), pady=(0, GAP_PX), sticky="w")
        self._scrubber = ctk.CTkSlider(
            header,
            command=lambda value: controller.move(round(value)),
            fg_color=SUNKEN,
            progress_color=ACCENT,
            button_color=ACCENT,
            button_hover_color=ACCENT_HOVER,
        )
        self._scrubber.grid(row=1, column=1, sticky="ew", pady=(0, GAP_PX))
        self._step = ctk.CTkLabel(header, text="", font=small_font(), text_color=MUTED, height=0)
        self._step.grid(row=1, column=2, padx=(GAP_PX, EDGE_PX), pady=(0, GAP_PX))
        row = ctk.CTkFrame(header, fg_color="transparent")
        row.grid(row=2, column=0, columnspan=3, sticky="w", padx=EDGE_PX, pady=(0, GAP_PX))
        self._uses = [
            Button(row, text, PLAIN, partial(self._use, work), {"width": 0, "height": 28, "font": small_font()})
            for text, work in (
                ("Continue", controller.uses.go_on),
                ("Run again", controller.uses.run_again),
                ("Make a skill", lambda replay: controller.uses.make_skill(replay.run)),
                ("Report", lambda replay: controller.report(replay.run)),
                ("Open folder", lambda replay: controller.show_folder(replay.run)),
                ("Delete", self._ask_delete),
            )
        ]
        for column, button in enumerate(self._uses):
            button.grid(row=0, column=column, padx=(NEAR_PX if column else 0, 0))
        self._message = ctk.CTkLabel(header, text="", font=small_font(), height=0, justify="left", anchor="w")
        self._run = RunView(self, room, PanelCallbacks())
        self._run.grid(row=1, column=0, sticky="nsew")
        self._controller, self._history = controller, HistoryState()

    def draw(self, history: HistoryState) -> None:
        """Show the open run at the scrubber's step."""
        was, self._history = self._history, history
        self._draw_message(history)
        if history.replay is None or (history.replay is was.replay and history.view_state is was.view_state):
            return
        if history.replay is not was.replay:
            self._draw_header(history.replay)
        self._scrubber.set(history.step)
        self._step.configure(text=f"Step {history.step} of {history.replay.steps}")
        self._run.show(history.view_state)

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._run.fit(width, height - HEADER_PX)

    def _fit_goal(self) -> None:
        """Show a few lines of the goal, which scrolls if it has more."""
        self._goal.configure(height=round(min(GOAL_MAX_PX, self._goal.needed_px)))

    def leave_search(self) -> bool:
        """Close the search in the log.

        Returns:
            Whether it was open.
        """
        return self._run.leave_search()

    def enable(self, *, usable: bool) -> None:
        """Say whether a run can be started now."""
        for button in self._uses[:STARTING]:
            button.enable(usable=usable)

    def _use(self, work: Callable[["Replay"], None]) -> None:
        if self._history.replay:
            work(self._history.replay)

    def _ask_delete(self, replay: "Replay") -> None:
        """Ask below the list, where it is seen what else there is."""
        self._controller.back()
        self._controller.ask_delete(replay.run)

    def _draw_message(self, history: HistoryState) -> None:
        """Show what became of the report, where the folder is, or what failed."""
        self._uses[REPORT].enable(usable=history.reporting is None)
        paths = {"Report": history.report, "Folder": history.folder}
        shown = "Writing the report …" if history.reporting else ""
        message = history.message or shown or "".join(f"{name}: {path}" for name, path in paths.items() if path)
        self._message.configure(text=message, text_color=TONES["error"] if history.message else MUTED)
        if message:
            self._message.grid(row=3, column=0, columnspan=3, sticky="ew", padx=EDGE_PX, pady=(0, GAP_PX))
        else:
            self._message.grid_remove()

    def _draw_header(self, replay: "Replay") -> None:
        goal, changed = (" ".join(one.split()) for one in (replay.goal, replay.changed_goal))
        self._goal.show(tk_safe("\n".join([goal, *[f"{CHANGED}: {changed}"] * bool(changed)])) or replay.run)
        self._fit_goal()
        self._when.configure(text=replay.when)
        make = self._uses[MAKE_SKILL]
        (make.grid if replay.makes_skill else make.grid_remove)()
        steps = max(1, replay.steps)  # a slider has two ends
        self._scrubber.configure(to=steps, number_of_steps=steps, state="normal" if replay.steps else "disabled")
