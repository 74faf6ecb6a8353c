"""The API keys on the Settings page: where each is kept or to be got, but never the key itself; to save or delete."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.browser import open_in_browser
from gui.kit.buttons import PLAIN, WIDTH_PX, Button, LinkButton
from gui.kit.checkbox import CheckBox
from gui.kit.fields import text_field
from gui.kit.style import GAP_PX, MUTED, NEAR_PX, TEXT, TONES, scale_of, small_font, text_font
from gui.settings_page.fields import IN_FILE, KEY_PAGES, VENDORS, keyring_warning, where_kept
from gui.settings_page.model import SettingsRead, SettingsState
from gui.settings_page.setting_row import MIN_WRAP_PX
from gui.toolkit import ctk

BUTTON_PX: Final = WIDTH_PX + NEAR_PX  # width of the column of a button that may be hidden
FIELD_MIN_PX: Final = 150  # width of a field, beside which two buttons fit


class KeyRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """The key of one vendor. Calls `keep` with the vendor and a key; an empty key deletes it."""

    def __init__(self, master: tk.Misc, vendor: str, keep: Callable[[str, str], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self._vendor, self._keep = vendor, keep
        self._given = ""  # what is being saved
        self._found: SettingsRead | None = None
        self._label = ctk.CTkLabel(self, text=VENDORS[vendor], font=text_font(), text_color=TEXT, height=0)
        self._entry = text_field(self, FIELD_MIN_PX, show="•")
        self._save = Button(self, "Save", PLAIN, self._save_typed)
        self._delete = Button(self, "Delete", PLAIN, self._delete_saved)
        self._get = LinkButton(self, "Get a key", lambda: open_in_browser(KEY_PAGES[vendor]))
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0, justify="left")
        self._entry.bind("<Return>", lambda _event: self._save_typed())
        self.grid_columnconfigure(0, weight=1)
        self._label.grid(row=0, column=0, sticky="w")
        self._get.grid(row=0, column=1, columnspan=2, sticky="e")
        self._entry.grid(row=1, column=0, sticky="ew", pady=NEAR_PX)
        self._save.grid(row=1, column=1, padx=(NEAR_PX, 0))
        self._delete.grid(row=1, column=2, padx=(NEAR_PX, 0), sticky="w")
        self._caption.grid(row=2, column=0, columnspan=3, sticky="w")

    def draw(self, state: SettingsState) -> None:
        """Show where the key is kept, or what is wrong."""
        if state.found is None:
            return
        where, key = state.found.kept[self._vendor], f"{self._vendor}.key"
        fault, saved = state.faults.get(key), state.saved == key
        self._draw_entry(is_wrong=bool(fault), is_saved=saved and state.found is not self._found)
        self._found = state.found
        there = where_kept(self._vendor, where, state.keyring)
        done = "" if not saved else "Deleted. " if where == "none" else "Saved. "
        text = f"{fault}\n{there}" if fault else f"{done}{there}"
        self._caption.configure(text=text, text_color=TONES["error" if fault else "done"] if fault or saved else MUTED)
        for button, is_shown in ((self._delete, where in {"keyring", "file"}), (self._get, where == "none")):
            button.grid() if is_shown else button.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a new width; a hidden Delete button keeps its place, so that no button ever comes where Save was."""
        self.grid_columnconfigure(2, minsize=round(BUTTON_PX * scale_of(self)))
        self._caption.configure(wraplength=max(MIN_WRAP_PX, width - GAP_PX))

    def _draw_entry(self, *, is_wrong: bool, is_saved: bool) -> None:
        """Empty the field once its key is saved; one that was not can be saved again or typed over."""
        if not self._given or self._entry.get().strip() != self._given:
            return
        if is_saved:
            self._entry.set("")
            self._given = ""
        elif is_wrong:
            self._entry.select_range(0, "end")

    def _save_typed(self) -> None:
        if key := self._entry.get().strip():
            self._given = key
            self._keep(self._vendor, key)

    def _delete_saved(self) -> None:
        """Delete the key, and move the focus, which its button would take along."""
        self._entry.focus_set()
        self._keep(self._vendor, "")


class FileChoice(CheckBox):
    """Whether keys are saved in the profile's own file; as the last one was, until somebody chooses."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, IN_FILE)
        self._drawn = False

    def draw(self, state: SettingsState) -> None:
        """Check it where a key is in the file already."""
        if state.found and not self._drawn:
            self._drawn = True
            if "file" in state.found.kept.values():
                self.select()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        self._text_label.configure(wraplength=max(MIN_WRAP_PX, width - GAP_PX), justify="left")


class KeyringWarning(ctk.CTkLabel):  # type: ignore[misc]  # customtkinter has no types
    """What the keyring is, if it does not protect keys."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, text="", font=small_font(), text_color=TONES["paused"], height=0, justify="left")
        self.configure(anchor="w")

    def draw(self, state: SettingsState) -> None:
        """Show it, or nothing."""
        text = keyring_warning(state.keyring)
        self.configure(text=text)
        if text:
            self.grid()
        else:
            self.grid_remove()

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        self.configure(wraplength=max(MIN_WRAP_PX, width - GAP_PX))
