"""The form to try a tool: a field for each argument, and switches; all of it works with the keyboard."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.fields import HEIGHT_PX, ChoiceBox, instead_of_key, tab_leaves
from gui.kit.style import (
    FIELD_BORDER,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    code_font,
    highlight_on_focus,
    small_font,
    strong_font,
)
from gui.toolkit import ctk
from gui.tools_page.arguments import Argument

WIDTH_PX: Final = 220
LINES_PX: Final = 54  # height of a field with several lines
MIN_WRAP_PX: Final = 80


class ArgumentField(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """One argument: its name, its description, and its field. `text` is what was typed."""

    def __init__(self, master: tk.Misc, argument: Argument, done: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self.argument = argument
        name = ctk.CTkLabel(self, text=argument.name, font=strong_font(), text_color=TEXT, height=0)
        name.grid(row=0, column=0, sticky="w")
        self._labels = [self._label(argument.message, code_font(), 1)]
        if argument.about:
            self._labels.append(self._label(argument.about, small_font(), 2))
        self._field = self._made(argument, done)
        self._field.grid(row=3, column=0, sticky="w" if argument.choices or argument.number else "ew", pady=(4, 0))

    @property
    def text(self) -> str:
        """What was typed."""
        field = self._field
        return str(field.get("1.0", "end-1c") if isinstance(field, ctk.CTkTextbox) else field.get())

    def ask(self) -> None:
        """Focus the field."""
        self._field.focus_set()

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in self._labels:
            label.configure(wraplength=max(MIN_WRAP_PX, width))

    def _label(self, text: str, font: ctk.CTkFont, row: int) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=text, font=font, text_color=MUTED, height=0, justify="left", anchor="w")
        label.grid(row=row, column=0, sticky="w", pady=(2, 0))
        return label

    def _made(self, argument: Argument, done: Callable[[], None]) -> ctk.CTkBaseClass:
        if argument.choices:
            empty = ("",) if argument.default is not None else ()
            return ChoiceBox(self, (*empty, *argument.choices), (WIDTH_PX, HEIGHT_PX))
        look = {
            "font": code_font(),
            "text_color": TEXT,
            "fg_color": SURFACE,
            "border_color": FIELD_BORDER,
            "border_width": 1,
        }
        if argument.number:
            field = ctk.CTkEntry(self, width=WIDTH_PX, height=HEIGHT_PX, **look)
            field.bind("<Return>", lambda _event: done())
        else:
            field = ctk.CTkTextbox(self, height=LINES_PX, corner_radius=NEAR_PX, wrap="word", undo=True, **look)
            tab_leaves(field)
            field.bind("<Control-Return>", instead_of_key(done))
        highlight_on_focus(field)
        return field
