"""The masks on the Settings page: a list to edit, and a way to draw them on a screenshot."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.clicks import end_clicks
from gui.kit.fields import text_field
from gui.kit.style import MUTED, NEAR_PX, TONES, small_font
from gui.settings_page.model import SettingsState
from gui.settings_page.setting_row import FIELD_PX, MIN_WRAP_PX
from gui.settings_page.settings_thread import MASKS
from gui.toolkit import ctk

# One as it was, and as it is to be, nothing where there was or will be none; whether it can be one.
Mask = Callable[[str, str], bool]
HELP: Final = (
    "What the agent neither sees nor touches: parts of the desktop as left, top, width x height, such as "
    "0,0,400x100, and windows by words of their title or application. This window is always one of them."
)


class MasksView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `change` with a mask that a person changed, and `photograph` for a screenshot to draw on."""

    def __init__(self, master: tk.Misc, change: Mask, capture_desktop: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._change = change
        self._masks: tuple[str, ...] = ()
        self._lines: list[tuple[ctk.CTkEntry, Button]] = []
        self._caption = ctk.CTkLabel(self, text=HELP, font=small_font(), text_color=MUTED, height=0, justify="left")
        self._caption.grid(row=0, column=0, sticky="w")
        self._list = ctk.CTkFrame(self, fg_color="transparent")
        below = ctk.CTkFrame(self, fg_color="transparent")
        below.grid(row=2, column=0, sticky="ew")
        self._new = text_field(below, FIELD_PX)
        self._new.bind("<Return>", lambda _event: self._add())
        self._verdict = ctk.CTkLabel(below, text="", font=small_font(), height=0, justify="left")
        self._new.grid(row=0, column=0, pady=NEAR_PX)
        Button(below, "Add", PLAIN, self._add).grid(row=0, column=1, padx=NEAR_PX)
        Button(below, "Draw on a screenshot", PLAIN, capture_desktop).grid(
            row=2, column=0, columnspan=2, sticky="w", pady=(NEAR_PX, 0)
        )

    def draw(self, state: SettingsState) -> None:
        """Show the saved masks."""
        if state.found is None:
            return
        masks = state.found.settings.masks
        if masks != self._masks:
            self._masks = masks
            self._draw_lines()
        fault = state.faults.get(MASKS, "")
        verdict = fault or ("Saved." if state.saved == MASKS else "")
        self._verdict.configure(text=verdict, text_color=TONES["error" if fault else "done"])
        if verdict:  # where they write, which the list may have moved away from its caption
            self._verdict.grid(row=1, column=0, columnspan=2, sticky="w")
        else:
            self._verdict.grid_remove()

    def commit(self) -> None:
        """Save the masks that were changed."""
        for number, mask in enumerate(self._masks):
            self._put(number, mask)

    def reset(self) -> None:
        """Discard what was not saved."""
        self._new.set("")
        self._reset_lines()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        for label in (self._caption, self._verdict):
            label.configure(wraplength=max(MIN_WRAP_PX, width))

    def _draw_lines(self) -> None:
        """Make one line for each mask; existing lines are reused, and keep the focus."""
        while len(self._lines) > len(self._masks):
            for widget in self._lines.pop():
                widget.destroy()
        while len(self._lines) < len(self._masks):
            self._lines.append(self._line(len(self._lines)))
        self._reset_lines()
        if self._lines:
            self._list.grid(row=1, column=0, sticky="ew")
        else:
            self._list.grid_remove()

    def _reset_lines(self) -> None:
        for (line, _button), mask in zip(self._lines, self._masks, strict=True):
            line.set(mask)

    def _line(self, number: int) -> tuple[ctk.CTkEntry, Button]:
        line = text_field(self._list, FIELD_PX)
        for sequence in ("<Return>", "<FocusOut>"):
            line.bind(sequence, lambda _event: self._put(number, self._masks[number]), add="+")
        button = Button(self._list, "Delete", PLAIN, lambda: self._delete(number))
        line.grid(row=number, column=0, pady=(NEAR_PX, 0))
        button.grid(row=number, column=1, padx=NEAR_PX, pady=(NEAR_PX, 0))
        return line, button

    def _put(self, number: int, mask: str) -> None:
        text = self._lines[number][0].get().strip()
        if text != mask:
            self._change(mask, text)

    def _delete(self, number: int) -> None:
        """Delete a mask and focus the field for a new one, for the pressed button goes, or becomes another's."""
        self._new.focus_set()
        end_clicks()
        self._change(self._masks[number], "")

    def _add(self) -> None:
        """Add the mask, and empty the field for the next."""
        text = self._new.get().strip()
        if text and self._change("", text):
            self._new.set("")
