"""The form of a skill: a field for each parameter, with the value of its run as placeholder."""

import tkinter as tk
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from gui.kit.fields import HEIGHT_PX, instead_of_key, tab_leaves, text_field
from gui.kit.style import (
    FIELD_BORDER,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    TONES,
    highlight_on_focus,
    small_font,
    strong_font,
    text_font,
)
from gui.toolkit import ctk

if TYPE_CHECKING:
    from mark_i.skills import Parameter

WIDTH_PX: Final = 260
LINES_PX: Final = 72  # height of a field with several lines
MIN_WRAP_PX: Final = 80


class ValueField(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """One parameter: its name, type and description, its field, and what is wrong with what was typed."""

    def __init__(self, master: tk.Misc, parameter: "Parameter", done: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self.parameter = parameter
        name = ctk.CTkLabel(self, text=parameter.name, font=strong_font(), text_color=TEXT, height=0)
        name.grid(row=0, column=0, sticky="w")
        about = ": ".join(filter(None, (parameter.type, parameter.description)))
        self._about = ctk.CTkLabel(
            self, text=about, font=small_font(), text_color=MUTED, height=0, justify="left", anchor="w"
        )
        self._about.grid(row=1, column=0, sticky="w", pady=(2, 0))
        self._field = self._made(done)
        self._field.grid(row=2, column=0, sticky="ew", pady=(4, 0))
        self._field.bind("<KeyRelease>", lambda _event: self.tell())
        self._fault = ctk.CTkLabel(
            self, text="", font=small_font(), text_color=TONES["error"], height=0, justify="left", anchor="w"
        )

    @property
    def value(self) -> str | None:
        """What was typed; None if the value of the run is to stay."""
        field = self._field
        text = str(field.get("1.0", "end-1c") if isinstance(field, ctk.CTkTextbox) else field.get())
        return text or None

    def tell(self) -> bool:
        """Say what is wrong with what was typed; return whether nothing is."""
        from mark_i.skills import fault  # noqa: PLC0415 - the window comes up without it

        value = self.value
        wanted = fault(self.parameter, value) if value is not None else ""
        self._fault.configure(text=f"This must be {wanted}." if wanted else "")
        if wanted:
            self._fault.grid(row=3, column=0, sticky="w", pady=(2, 0))
        else:
            self._fault.grid_remove()
        return not wanted

    def ask(self) -> None:
        """Focus the field."""
        self._field.focus_set()

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (self._about, self._fault):
            label.configure(wraplength=max(MIN_WRAP_PX, width))

    def _made(self, done: Callable[[], None]) -> ctk.CTkBaseClass:
        """Make the field; one for several lines has no placeholder, so it begins with the value of the run."""
        example = self.parameter.example
        if "\n" not in example:
            field = text_field(self, WIDTH_PX, HEIGHT_PX, placeholder_text=example, placeholder_text_color=MUTED)
            field.bind("<Return>", lambda _event: done())
            return field
        look = {"font": text_font(), "text_color": TEXT, "fg_color": SURFACE, "border_color": FIELD_BORDER}
        field = ctk.CTkTextbox(
            self, height=LINES_PX, corner_radius=NEAR_PX, wrap="word", undo=True, border_width=1, **look
        )
        field.insert("1.0", example)
        tab_leaves(field)
        field.bind("<Control-Return>", instead_of_key(done))
        highlight_on_focus(field)
        return field
