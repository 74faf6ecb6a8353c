"""The buttons that begin, hold and end a run, which the keyboard reaches as the mouse does."""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import customtkinter as ctk

from gui.state import State
from gui.style import (
    ACCENT,
    ACCENT_HOVER,
    FIELD,
    NEAR,
    ON_COLOR,
    STOP,
    STOP_HOVER,
    SUNKEN,
    SURFACE,
    TEXT,
    Color,
    strong_font,
)

WIDTH, HEIGHT = 84, 34
RING: Final = 2
SHAPE: Final[Mapping[str, Any]] = {"width": WIDTH, "height": HEIGHT}


@dataclass(frozen=True, slots=True)
class Look:
    """The colours of a button that can be used."""

    ground: Color
    over: Color
    text: Color
    border: Color


STRONG: Final = Look(ACCENT, ACCENT_HOVER, ON_COLOR, ACCENT)
ENDING: Final = Look(STOP, STOP_HOVER, ON_COLOR, STOP)
PLAIN: Final = Look(SURFACE, SUNKEN, TEXT, FIELD)
OFF: Final = Look(SUNKEN, SUNKEN, FIELD, SUNKEN)


class Button(ctk.CTkButton):  # type: ignore[misc]  # customtkinter has no types
    """A button that Tab comes to and that Space and Return press. The one that has the focus wears a ring.

    `shape` is its width, height and font, where they are others than those of a button that begins or ends something.
    """

    def __init__(
        self, master: tk.Misc, text: str, look: Look, command: Callable[[], None], shape: Mapping[str, Any] = SHAPE
    ) -> None:
        self._look, self._usable, self._focused = look, True, False
        super().__init__(
            master,
            text=text,
            command=command,
            border_width=RING,
            corner_radius=8,
            **{"font": strong_font(), **shape},
            **self._colors(),
        )
        for key in ("<space>", "<Return>"):
            self._canvas.bind(key, self._press)
        self._canvas.bind("<FocusIn>", lambda _event: self._focus(focused=True))
        self._canvas.bind("<FocusOut>", lambda _event: self._focus(focused=False))
        self._canvas.configure(highlightthickness=0, takefocus=True)

    def enable(self, *, usable: bool) -> None:
        """Whether it can be pressed."""
        self._usable = usable
        self._canvas.configure(takefocus=usable)
        self._color()

    def dress(self, look: Look) -> None:
        """Give it other colours."""
        self._look = look
        self._color()

    def become(self, look: Look, command: Callable[[], None]) -> None:
        """Look otherwise, and do something else."""
        self._look = look
        self.configure(command=command)
        self._color()

    def _color(self) -> None:
        self.configure(state="normal" if self._usable else "disabled", **self._colors())

    def _colors(self) -> dict[str, Color]:
        look = self._look if self._usable else OFF
        return {
            "fg_color": look.ground,
            "hover_color": look.over,
            "text_color": look.text,
            "text_color_disabled": look.text,
            "border_color": TEXT if self._focused else look.border,
        }

    def _focus(self, *, focused: bool) -> None:
        self._focused = focused
        self._color()

    def _press(self, _event: Any) -> str:  # noqa: ANN401 - Tk's events
        self.invoke()
        return "break"


@dataclass(frozen=True, slots=True)
class Deeds:
    """What the buttons do. `hold` pauses, or lets go on what is paused."""

    run: Callable[[], None]
    stop: Callable[[], None]
    hold: Callable[[], None]
    step: Callable[[], None]


class RunButtons(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Run, Stop, Pause and Step; those that make no sense now cannot be pressed."""

    def __init__(self, master: tk.Misc, deeds: Deeds) -> None:
        super().__init__(master, fg_color="transparent")
        self._run = Button(self, "Run", STRONG, deeds.run)
        self._stop = Button(self, "Stop", ENDING, deeds.stop)
        self._hold = Button(self, "Pause", PLAIN, deeds.hold)
        self._step = Button(self, "Step", PLAIN, deeds.step)
        self._drawn: tuple[object, ...] = ()
        self.fit(square=True)

    def draw(self, state: State) -> None:
        """Say which can be pressed; says nothing to Tk where nothing changed."""
        held = "resume" in state.wishes
        drawn = (state.running, state.wishes)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._hold.configure(text="Resume" if held else "Pause")
        self._run.enable(usable=not state.running)
        self._stop.enable(usable=state.running)
        self._hold.enable(usable=bool(state.wishes))
        self._step.enable(usable="step" in state.wishes)

    def fit(self, *, square: bool) -> None:
        """Two by two, or all in a row."""
        for place, button in enumerate((self._run, self._stop, self._hold, self._step)):
            row, column = divmod(place, 2) if square else (0, place)
            button.grid(row=row, column=column, padx=(NEAR if column else 0, 0), pady=(4 if row else 0, 0))
