"""A segmented switch that works with the keyboard, unlike customtkinter's own."""

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from gui.kit.style import TONES, segmented_style
from gui.toolkit import ctk

KEYS: Final = (("<Left>", -1), ("<Right>", 1))


class SegmentedSwitch(ctk.CTkSegmentedButton):  # type: ignore[misc]  # customtkinter has no types
    """A choice between a few values; calls `choose` with the one that was chosen.

    Tab reaches it, and the chosen segment has a ring then; Left and Right choose a neighbour, Space the next in turn.
    """

    def __init__(
        self, master: tk.Misc, values: Sequence[str], height: int, choose: Callable[[Any], object] | None = None
    ) -> None:
        super().__init__(master, values=list(values), height=height, command=choose, **segmented_style())
        self._ringed = False
        tk.Frame.configure(
            self, takefocus=True
        )  # customtkinter's frame has no such option, and its segmented button refuses to bind anything
        for key, by in KEYS:
            tk.Misc.bind(self, key, partial(self._step, by))
        tk.Misc.bind(self, "<space>", self._next)
        tk.Misc.bind(self, "<FocusIn>", lambda _event: self._focus(focused=True))
        tk.Misc.bind(self, "<FocusOut>", lambda _event: self._focus(focused=False))

    def set(self, value: str, *how: Any, **named: Any) -> None:  # noqa: ANN401 - customtkinter's own
        """Choose a value, and move the ring there."""
        super().set(value, *how, **named)
        self._ring()

    def _step(self, by: int, _event: object) -> str:
        values = self.cget("values")
        at = values.index(self.get()) + by if self.get() in values else 0
        if 0 <= at < len(values):
            self._choose(values[at])
        return "break"

    def _next(self, _event: object) -> str:
        values = self.cget("values")
        self._choose(values[(values.index(self.get()) + 1) % len(values) if self.get() in values else 0])
        return "break"

    def _choose(self, value: str) -> None:
        """Choose, and keep the focus, which the callback may move elsewhere."""
        self.set(value, from_button_callback=True)
        self.focus_set()

    def _focus(self, *, focused: bool) -> None:
        self._ringed = focused
        self._ring()

    def _ring(self) -> None:
        values = self.cget("values")
        chosen = self.get() if self.get() in values else values[0]
        for value, button in self._buttons_dict.items():
            ringed = self._ringed and value == chosen
            button.configure(border_color=TONES["busy"] if ringed else self.cget("fg_color"))
