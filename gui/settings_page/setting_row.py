"""One setting on its page: its label, its control, the allowed values or what is wrong, and its default."""

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.fields import HEIGHT_PX, text_field
from gui.kit.segmented import SegmentedSwitch
from gui.kit.style import (
    GAP_PX,
    MUTED,
    NEAR_PX,
    TEXT,
    TONES,
    Color,
    combobox_style,
    highlight_on_focus,
    scale_of,
    small_font,
    text_font,
)
from gui.settings_page.fields import SettingField, matching, shown
from gui.settings_page.model import SettingsState
from gui.toolkit import ctk
from mark_i.config import parsed
from world_model import UsageError

BESIDE_MIN_PX: Final = 620  # width from which the control is beside the label
CONTROLS_PX, BUTTONS_PX = 300, 92  # widths of their columns there
FIELD_PX: Final = 230  # width of a field
MIN_WRAP_PX: Final = 120
Change = Callable[[str, str | None], None]  # a setting, and its text; None goes back to the default


class SettingRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `change` when a value is chosen, or when a typed one is confirmed by Enter or by leaving the field."""

    def __init__(self, master: tk.Misc, field: SettingField, change: Change, *, offered: bool = False) -> None:
        super().__init__(master, fg_color="transparent")
        self.field, self._change, self._fault = field, change, ""
        self._rejected = False  # what was entered last; its fault is no longer shown once what stands there is valid
        self._used = ""  # what an empty field means
        self._text: str | None = None
        self._values: Sequence[str] = ()
        self._label = ctk.CTkLabel(self, text=field.label, font=text_font(), text_color=TEXT, height=0, justify="left")
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0, justify="left")
        self._control = self._switch() if field.choices else self._box() if offered else self._entry()
        self._default = Button(self, "Default", PLAIN, self._to_default)
        self._drawn: tuple[str, Color] | None = None

    def draw(self, state: SettingsState) -> None:
        """Show the saved value. What is being typed stays, unless the saved value changed."""
        if state.found is None:
            return
        settings = state.found.settings
        text = shown(getattr(settings, self.field.key))
        if text != self._text:
            self._text = text
            self.reset()
        self._fault = state.faults.get(self.field.key, "")
        self._rejected = bool(self._fault)
        self._used = f" Now it is {state.found.brain}." if self.field.key == "brain" and not text else ""
        self._tell(state.saved == self.field.key)
        if self.field.key in settings.model_fields_set:
            self._default.grid()
        else:
            self._default.grid_remove()

    def offer(self, values: Sequence[str]) -> None:
        """Offer values to choose from: of many, those that contain what is typed."""
        self._values = values
        self._control.configure(values=matching(values, self._text or "", str(self._control.get())))

    def reset(self) -> None:
        """Discard what was not saved, and offer everything again."""
        self._control.set(self._text or ("none" if self.field.choices else ""))
        if self._values:
            self.offer(self._values)

    def commit(self) -> None:
        """Save what was typed, if it differs from before, or was wrong."""
        text = str(self._control.get()).strip()
        if not self.field.choices and (text != self._text or self._rejected):
            self._change(self.field.key, text)

    def fit(self, width: int) -> None:
        """Arrange everything so that nothing is cut off; a hidden Default button keeps its place."""
        beside, hidden, scale = width >= BESIDE_MIN_PX, not self._default.winfo_manager(), scale_of(self)
        self.grid_columnconfigure(0, weight=1 if beside else 0)
        self.grid_columnconfigure(1, minsize=round(CONTROLS_PX * scale) if beside else 0)
        self.grid_columnconfigure(2, minsize=round(BUTTONS_PX * scale) if beside else 0, weight=not beside)
        for part in (self._label, self._caption):
            part.configure(wraplength=max(MIN_WRAP_PX, width - (CONTROLS_PX + BUTTONS_PX + GAP_PX if beside else 0)))
        self._label.grid(row=0, column=0, columnspan=1 if beside else 3, sticky="w")
        if beside:
            self._caption.grid(row=1, column=0, columnspan=1, sticky="nw", pady=(3, 0))
            self._control.grid(row=0, column=1, rowspan=2, sticky="nw", padx=(GAP_PX, 0), pady=0)
            self._default.grid(row=0, column=2, rowspan=2, sticky="ne", padx=0, pady=0)
        else:
            self._control.grid(row=1, column=0, columnspan=2, rowspan=1, sticky="w", padx=0, pady=NEAR_PX)
            self._default.grid(row=1, column=2, rowspan=1, sticky="w", padx=NEAR_PX, pady=NEAR_PX)
            self._caption.grid(row=2, column=0, columnspan=3, sticky="w", pady=0)
        if hidden:
            self._default.grid_remove()

    def _tell(self, saved: bool) -> None:  # noqa: FBT001 - what it is about
        if self._fault:
            line = (self._fault, TONES["error"])
        elif saved:
            line = (f"Saved. {self.field.caption}{self._used}", TONES["done"])
        else:
            line = (f"{self.field.caption}{self._used}", MUTED)
        if line != self._drawn:
            self._drawn = line
            self._caption.configure(text=line[0], text_color=line[1])

    def _to_default(self) -> None:
        """Restore the default and focus the field, for the pressed button goes."""
        self.reset()
        self._control.focus_set()
        self._change(self.field.key, None)

    def _picked(self) -> None:
        """Save what was picked; if that is what is saved, everything is offered again."""
        self.commit()
        self.offer(self._values)

    def _typed(self) -> None:
        """Offer what contains the text, and clear the error as soon as it is valid."""
        if self._values:
            self.offer(self._values)
        if self._fault:
            try:
                parsed(self.field.key, str(self._control.get()))
            except UsageError:
                return
            self._fault = ""
            self._tell(saved=False)

    def _switch(self) -> SegmentedSwitch:
        return SegmentedSwitch(self, self.field.choices, HEIGHT_PX, lambda text: self._change(self.field.key, text))

    def _entry(self) -> ctk.CTkEntry:
        return self._listened(text_field(self, FIELD_PX))

    def _box(self) -> ctk.CTkComboBox:
        box = ctk.CTkComboBox(self, values=[], width=FIELD_PX, height=HEIGHT_PX, **combobox_style())
        box.configure(command=lambda _text: self._picked())
        box.set("")
        highlight_on_focus(box)
        return self._listened(box)

    def _listened(self, control: ctk.CTkBaseClass) -> ctk.CTkBaseClass:
        for sequence in ("<Return>", "<FocusOut>"):
            control.bind(sequence, lambda _event: self.commit(), add="+")
        control.bind("<KeyRelease>", lambda _event: self._typed())
        return control
