"""The goal bar: what to do, with which brain, on which desktop; Run and Stop."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.style import (
    ACCENT,
    ACCENT_HOVER,
    BORDER,
    CHOSEN,
    EDGE,
    FIELD,
    GAP,
    MUTED,
    NEAR,
    ON_COLOR,
    STOP,
    STOP_HOVER,
    SUNKEN,
    SURFACE,
    TEXT,
    Color,
    small_font,
    strong_font,
    text_font,
)

BRAINS: Final = ("offline", "gemini")
OWN, LIVE = "Virtual desktop", "This desktop"
WIDE: Final = 620  # from this width on, everything below the goal stands in one row
MEDIUM: Final = 440  # from this width on, brain and desktop stand in one row
HIGH: Final = 560  # from this height on, the goal has three lines instead of two
LOW: Final = 400  # below this height, brain and desktop are hidden while a run goes on
HEIGHT: Final = 34


class GoalBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `run` and `stop` when they are asked for; `goal`, `brain` and `virtual` say what was asked for."""

    def __init__(self, master: tk.Misc, brain: str, run: Callable[[], None], stop: Callable[[], None]) -> None:
        super().__init__(master, fg_color=SURFACE, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self._goal = self._goal_box(run)
        self._pickers = ctk.CTkFrame(self, fg_color="transparent")
        self._brain = self._brain_box(brain)
        self._desktop_caption = _caption(self._pickers, "Desktop")
        self._desktop = self._desktop_box()
        self._buttons = ctk.CTkFrame(self, fg_color="transparent")
        self._stop = self._button("Stop", (STOP, STOP_HOVER), stop, 0)
        self._run = self._button("Run", (ACCENT, ACCENT_HOVER), run, 1)
        self._running, self._room = False, (WIDE, HIGH)
        self.draw(running=False)

    @property
    def goal(self) -> str:
        """What to do."""
        return str(self._goal.get("1.0", "end")).strip()

    @property
    def brain(self) -> str:
        """The name of the brain."""
        return str(self._brain.get()).strip()

    @property
    def virtual(self) -> bool:
        """Whether the agent gets a desktop of its own."""
        return bool(self._desktop.get() == OWN)

    def use(self, goal: str) -> None:
        """Fill in a goal."""
        self._goal.delete("1.0", "end")
        self._goal.insert("1.0", goal)
        self.ask()

    def ask(self) -> None:
        """Put the caret where the goal is written."""
        self._goal.focus_set()

    def draw(self, *, running: bool) -> None:
        """One of Run and Stop can be used."""
        self._running = running
        self._run.configure(state="disabled" if running else "normal", fg_color=SUNKEN if running else ACCENT)
        self._stop.configure(state="normal" if running else "disabled", fg_color=STOP if running else SUNKEN)
        self._arrange()

    def fit(self, width: int, height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._room = (width, height)
        self._goal.configure(height=72 if height >= HIGH else 50)
        self._arrange()

    def _arrange(self) -> None:
        """One row below the goal where there is room; where there is little, the log goes before what is decided."""
        width, height = self._room
        one_row = width >= WIDE
        self._buttons.grid(row=1 if one_row else 2, column=0, sticky="se", padx=EDGE, pady=(NEAR, EDGE))
        if self._running and height < LOW:
            self._pickers.grid_forget()
            return
        self._pickers.grid(row=1, column=0, sticky="w", padx=EDGE, pady=(GAP, EDGE if one_row else 0))
        column, left = (1, (GAP, 0)) if width >= MEDIUM else (0, (0, 0))
        self._desktop_caption.grid(row=2 - 2 * column, column=column, padx=left, sticky="w", pady=(0, 3))
        self._desktop.grid(row=3 - 2 * column, column=column, padx=left, sticky="w")

    def _goal_box(self, run: Callable[[], None]) -> ctk.CTkTextbox:
        caption = _caption(self, "Goal")
        caption.grid(row=0, column=0, sticky="nw", padx=EDGE, pady=(GAP, 0))
        box = ctk.CTkTextbox(
            self,
            height=72,
            font=text_font(),
            text_color=TEXT,
            fg_color=SURFACE,
            border_color=FIELD,
            border_width=1,
            corner_radius=8,
            wrap="word",
            undo=True,
        )
        box.grid(row=0, column=0, sticky="ew", padx=EDGE, pady=(GAP + 20, 0))
        box.bind("<Control-Return>", lambda _event: _instead(run))
        box.bind("<Tab>", _go_on)
        return box

    def _brain_box(self, brain: str) -> ctk.CTkComboBox:
        caption = _caption(self._pickers, "Brain")
        caption.grid(row=0, column=0, sticky="w", pady=(0, 3))
        box = ctk.CTkComboBox(
            self._pickers,
            values=list(BRAINS),
            width=170,
            height=HEIGHT,
            font=text_font(),
            dropdown_font=text_font(),
            fg_color=SURFACE,
            border_color=FIELD,
            border_width=1,
            button_color=FIELD,
            text_color=TEXT,
        )
        box.set(brain)
        box.grid(row=1, column=0, sticky="w")
        return box

    def _desktop_box(self) -> ctk.CTkSegmentedButton:
        box = ctk.CTkSegmentedButton(
            self._pickers,
            values=[OWN, LIVE],
            height=HEIGHT,
            font=text_font(),
            fg_color=SUNKEN,
            text_color=TEXT,
            unselected_color=SUNKEN,
            selected_color=CHOSEN,
            selected_hover_color=CHOSEN,
            unselected_hover_color=BORDER,
        )
        box.set(OWN)
        return box

    def _button(
        self, text: str, colors: tuple[Color, Color], command: Callable[[], None], column: int
    ) -> ctk.CTkButton:
        button = ctk.CTkButton(
            self._buttons,
            text=text,
            width=84,
            height=HEIGHT,
            font=strong_font(),
            command=command,
            hover_color=colors[1],
            text_color=ON_COLOR,
            text_color_disabled=MUTED,
            corner_radius=8,
        )
        button.grid(row=0, column=column, padx=(NEAR if column else 0, 0))
        return button


def _caption(master: tk.Misc, text: str) -> ctk.CTkLabel:
    return ctk.CTkLabel(master, text=text, font=small_font(), text_color=MUTED, height=0)


def _go_on(event: "tk.Event[tk.Misc]") -> str:
    """Tab leaves the goal, as it does every other field; what it comes to is selected, to be typed over."""
    event.widget.tk.call("tk::TabToWindow", event.widget.tk_focusNext())
    return "break"


def _instead(work: Callable[[], object]) -> str:
    """Do this in place of what the key does to a text."""
    work()
    return "break"
