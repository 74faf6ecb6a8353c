"""Text fields and comboboxes that show the focus."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Any, Final

from gui.kit.style import FIELD_BORDER, SURFACE, TEXT, combobox_style, highlight_on_focus, text_font
from gui.toolkit import ctk

HEIGHT_PX: Final = 34


def text_field(master: tk.Misc, width: int, height: int = HEIGHT_PX, **more: object) -> ctk.CTkEntry:
    """Make a field for one line of text."""
    field = ctk.CTkEntry(
        master,
        width=width,
        height=height,
        font=text_font(),
        fg_color=SURFACE,
        text_color=TEXT,
        border_color=FIELD_BORDER,
        border_width=1,
        **more,
    )
    highlight_on_focus(field)
    return field


class ChoiceBox(ctk.CTkComboBox):  # type: ignore[misc]  # customtkinter has no types
    """One of a few values, chosen by mouse or with Up and Down; calls `chosen` after each choice."""

    def __init__(
        self,
        master: tk.Misc,
        values: Sequence[str],
        size: tuple[int, int],
        chosen: Callable[[], None] = lambda: None,
    ) -> None:
        width, height = size
        super().__init__(
            master,
            values=list(values),
            width=width,
            height=height,
            **combobox_style(),
            state="readonly",
            command=lambda _value: chosen(),
        )
        self._all, self._chosen = tuple(values), chosen
        self.bind("<Button-1>", self._clicked)
        self.bind("<Up>", lambda _event: self._move(-1))
        self.bind("<Down>", lambda _event: self._move(1))
        highlight_on_focus(self)
        self.set(self._all[0])

    def choose(self, value: str) -> None:
        """Choose a value."""
        self.set(value)
        self._chosen()

    def _move(self, by: int) -> None:
        self.choose(self._all[max(0, min(len(self._all) - 1, self._all.index(self.get()) + by))])


def tab_leaves(text: tk.Misc) -> None:
    """Make Tab leave a text box and select the next field's text, as in every other field."""
    text.bind("<Tab>", _to_next)


def instead_of_key(work: Callable[[], object]) -> Callable[[object], str]:
    """Make a handler that calls `work` instead of what the key does to a text."""

    def handle(_event: object) -> str:
        work()
        return "break"

    return handle


def _to_next(event: "tk.Event[Any]") -> str:
    event.widget.tk.call("tk::TabToWindow", event.widget.tk_focusNext())
    return "break"
