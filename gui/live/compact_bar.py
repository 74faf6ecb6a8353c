"""The compact bar that replaces the window while the agent works on the person's own desktop."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gui.kit.buttons import DANGER, PLAIN, Button
from gui.kit.style import EDGE_PX, MUTED, NEAR_PX, SURFACE, TEXT, TONES, scale_of, small_font, text_font
from gui.run.state import RunState, StepCard
from gui.toolkit import ctk

WIDTH_PX: Final = 720  # less on a narrow screen
THOUGHT_LINES: Final = 2
MIN_WRAP_PX: Final = 80
REFUSED: Final = "PERMISSION_DENIED"  # the error code, also for what the bar covers


@dataclass(frozen=True, slots=True)
class CompactBarCallbacks:
    """What its buttons do. `toggle_pause` pauses or resumes."""

    stop: Callable[[], None]
    toggle_pause: Callable[[], None]
    expand: Callable[[], None]


class CompactBar(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """Stays above all windows at the screen's upper edge, can be dragged, and never takes the keyboard.

    The agent does not see what it covers; where the agent needed that, the bar moves to the other edge.
    """

    def __init__(self, master: tk.Misc, callbacks: CompactBarCallbacks, middle: int) -> None:
        super().__init__(master, fg_color=SURFACE)
        self.withdraw()
        self.title("MARK-I is working")
        self.grid_columnconfigure(1, weight=1)
        self._dot = ctk.CTkLabel(self, text="●", font=text_font(), height=0)
        self._thought = ctk.CTkLabel(
            self, text="", font=text_font(), text_color=TEXT, anchor="w", justify="left", height=0
        )
        self._status = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, anchor="w", height=0)
        self._dot.grid(row=0, column=0, padx=(EDGE_PX, NEAR_PX), pady=(NEAR_PX, 0), sticky="n")
        self._thought.grid(row=0, column=1, sticky="nsew", pady=(NEAR_PX, 0))
        self._status.grid(row=1, column=1, sticky="w", pady=(0, NEAR_PX))
        self._pause = self._button("Pause", PLAIN, callbacks.toggle_pause, 2)
        self._stop = self._button("Stop", DANGER, callbacks.stop, 3)
        self._button("Expand", PLAIN, callbacks.expand, 4)
        self._drawn: tuple[object, ...] = ()
        self._refused = 0
        self._grip = (0, 0)
        self._wide = 0.0  # room for its words
        self.protocol("WM_DELETE_WINDOW", callbacks.expand)
        self._listen()
        self._appear(middle)

    def draw(self, state: RunState) -> None:
        """Show the newest thought, the activity, and which buttons work."""
        steps = [card for card in state.cards if isinstance(card, StepCard)]
        self._give_way(steps)
        thought = next((card.thought for card in reversed(steps) if card.thought), "MARK-I is working on this desktop.")
        paused = "resume" in state.allowed_requests
        steps_done = f"{state.steps} of {state.limit} steps · " if state.limit else ""
        status = steps_done + state.status.partition(" (")[0]  # without its keys: the bar receives none
        drawn = (thought, status, state.tone, paused, bool(state.allowed_requests), state.stopping)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._dot.configure(text_color=TONES[state.tone])
        self._thought.configure(text=_brief(thought, text_font(), self._wide, THOUGHT_LINES))
        self._status.configure(text=_brief(status, small_font(), self._wide, 1))
        self._pause.configure(text="Resume" if paused else "Pause")
        self._pause.enable(usable=bool(state.allowed_requests))
        self._stop.enable(usable=not state.stopping)

    def _button(self, text: str, look: object, command: Callable[[], None], column: int) -> Button:
        button = Button(self, text, look, command)  # type: ignore[arg-type]
        button.grid(row=0, column=column, rowspan=2, padx=(NEAR_PX, EDGE_PX if column == 4 else 0), pady=NEAR_PX)  # noqa: PLR2004
        return button

    def _appear(self, middle: int) -> None:
        """Appear at the upper edge, below the middle of where the window was."""
        if self.tk.call("tk", "windowingsystem") == "x11":
            self.wm_attributes("-type", "splash")  # a frameless window that a mask can still recognise
            self.wm_focusmodel("active")  # X11's way of refusing the keyboard focus: keys go where the agent types
        else:
            self.wm_overrideredirect(boolean=True)
        self.wm_attributes("-topmost", 1)
        scale, screen = scale_of(self), self.winfo_screenwidth()
        width = min(round(WIDTH_PX * scale), screen)
        buttons = sum(one.winfo_reqwidth() for one in self.winfo_children() if isinstance(one, Button))
        self._wide = max(MIN_WRAP_PX, (width - buttons) / scale - 2 * EDGE_PX - 7 * NEAR_PX)
        self._thought.configure(text="\n")  # as high as it ever gets
        self._status.configure(text="…")
        self.update_idletasks()
        left = min(max(0, middle - width // 2), screen - width)
        self.wm_geometry(f"{width}x{self.winfo_reqheight()}+{left}+0")

    def _give_way(self, steps: list[StepCard]) -> None:
        refused = sum(card.code == REFUSED for card in steps)
        if refused > self._refused:
            below = self.winfo_rooty() < self.winfo_screenheight() // 2
            top = self.winfo_screenheight() - self.winfo_height() if below else 0
            self.wm_geometry(f"+{self.winfo_rootx()}+{top}")
        self._refused = refused

    def _listen(self) -> None:
        for part in (self, self._dot, self._thought, self._status):
            part.bind("<Button-1>", self._grasp, add="+")
            part.bind("<B1-Motion>", self._drag, add="+")

    def _grasp(self, event: "tk.Event[tk.Misc]") -> None:
        self._grip = (event.x_root - self.winfo_rootx(), event.y_root - self.winfo_rooty())

    def _drag(self, event: "tk.Event[tk.Misc]") -> None:
        if not isinstance(event.widget.master, Button):
            self.wm_geometry(f"+{event.x_root - self._grip[0]}+{event.y_root - self._grip[1]}")


def _brief(text: str, font: ctk.CTkFont, room: float, lines: int) -> str:
    """As many words as fit into the lines."""
    words, status = text.split(), list[str]()
    while words and len(status) < lines:
        line = words.pop(0)
        while words and font.measure(f"{line} {words[0]}…") <= room:
            line += f" {words.pop(0)}"
        status.append(line if font.measure(line) <= room else f"{_cut(line, font, room)}…")
    return "\n".join(status) + ("…" if words and not status[-1].endswith("…") else "")


def _cut(word: str, font: ctk.CTkFont, room: float) -> str:
    return next((word[:end] for end in range(len(word), 0, -1) if font.measure(f"{word[:end]}…") <= room), "")
