"""Buttons that work with the keyboard as well as the mouse."""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gui.kit.clicks import took_click
from gui.kit.style import (
    ACCENT,
    ACCENT_HOVER,
    FIELD_BORDER,
    ON_ACCENT,
    STOP,
    STOP_HOVER,
    SUNKEN,
    SURFACE,
    TEXT,
    TONES,
    Color,
    small_font,
    strong_font,
)
from gui.toolkit import ctk

WIDTH_PX, HEIGHT_PX = 84, 34
LINK_PX: Final = 20
RING_PX: Final = 2
SHAPE: Final[Mapping[str, Any]] = {"width": WIDTH_PX, "height": HEIGHT_PX}


@dataclass(frozen=True, slots=True)
class ButtonStyle:
    """The colors of a button that is enabled."""

    ground: Color
    over: Color
    text: Color
    border: Color


PRIMARY: Final = ButtonStyle(ACCENT, ACCENT_HOVER, ON_ACCENT, ACCENT)
DANGER: Final = ButtonStyle(STOP, STOP_HOVER, ON_ACCENT, STOP)
PLAIN: Final = ButtonStyle(SURFACE, SUNKEN, TEXT, FIELD_BORDER)
LINK: Final = ButtonStyle(SURFACE, SUNKEN, TONES["busy"], SURFACE)
DISABLED: Final = ButtonStyle(SUNKEN, SUNKEN, FIELD_BORDER, SUNKEN)


class Button(ctk.CTkButton):  # type: ignore[misc]  # customtkinter has no types
    """A button that Tab reaches and that Space and Return press; it has a ring while it has the focus.

    `shape` sets width, height and font where they differ from those of the main buttons.
    """

    def __init__(
        self,
        master: tk.Misc,
        text: str,
        look: ButtonStyle,
        command: Callable[[], None],
        shape: Mapping[str, Any] = SHAPE,
    ) -> None:
        self._look, self._usable, self._focused = look, True, False
        super().__init__(
            master,
            text=text,
            command=command,
            border_width=RING_PX,
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
        """Enable or disable the button."""
        self._usable = usable
        self._canvas.configure(takefocus=usable)
        self._color()

    def focus_set(self) -> None:
        """Focus the button."""
        self._canvas.focus_set()

    def restyle(self, look: ButtonStyle) -> None:
        """Change its colors."""
        self._look = look
        self._color()

    def change(self, look: ButtonStyle, command: Callable[[], None]) -> None:
        """Change its colors and what it does."""
        self._look = look
        self.configure(command=command)
        self._color()

    def _color(self) -> None:
        self.configure(state="normal" if self._usable else "disabled", **self._colors())

    def _colors(self) -> dict[str, Color]:
        look = self._look if self._usable else DISABLED
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

    def _on_release(self, event: Any = None) -> None:  # noqa: ANN401 - Tk's events
        """Take a click, but not the second of a double click whose first brought the button there, or hid it.

        A click that came while the window was busy arrives after the button is hidden.
        """
        if event is None or (self.winfo_viewable() and took_click(self, event.time)):
            super()._on_release(event)

    def _press(self, _event: Any) -> str:  # noqa: ANN401 - Tk's events
        self.invoke()
        return "break"


class LinkButton(Button):
    """A small button that looks like a link, as high as a caption."""

    def __init__(self, master: tk.Misc, text: str, command: Callable[[], None]) -> None:
        super().__init__(master, text, LINK, command, {"width": 0, "height": LINK_PX, "font": small_font()})


def clicked(do: Callable[[], None], _event: object) -> str:
    """Do something at a click on what is no button; customtkinter must not give that the focus afterwards."""
    do()
    return "break"
