"""The Settings page: what holds for all runs of the profile, changed as by `mark-i config set`."""

import tkinter as tk
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.scrolling import ScrollArea
from gui.kit.style import (
    BACKGROUND,
    BORDER,
    CORNER_PX,
    EDGE_PX,
    GAP_PX,
    MUTED,
    SURFACE,
    TEXT,
    TONES,
    strong_font,
    text_font,
)
from gui.kit.switch import ToggleSwitch
from gui.settings_page.check_row import CheckRow
from gui.settings_page.check_words import to_correct
from gui.settings_page.fields import VENDORS, SettingField, brains, grouped
from gui.settings_page.keys_view import FileChoice, KeyringWarning, KeyRow
from gui.settings_page.mask_dialog import MaskDialog
from gui.settings_page.masks_view import MasksView
from gui.settings_page.model import (
    CheckBegun,
    CheckStopped,
    DesktopCaptured,
    SettingRejected,
    SettingsMessage,
    SettingsRead,
    SettingsState,
    reduce_settings,
)
from gui.settings_page.setting_row import MIN_WRAP_PX, SettingRow
from gui.settings_page.settings_thread import MASKS, SettingsThread
from gui.toolkit import ctk
from mark_i.config import Settings, parsed, settings_file
from mark_i.workflows import shipped
from world_model import UsageError

MAX_WIDTH_PX: Final = 860  # longer lines are hard to read
SCROLLBAR_PX: Final = 20
SAVED_IN: Final = "Changes are saved at once in {file} and apply from the next run."
ADVANCED: Final = "Show advanced settings"
UNREADABLE: Final = "Fix the file and read it again. Until then, nothing can be changed here."
RUNNING: Final = "The current run keeps its settings. "
BRAINS: Final = ("brain", "reply_brain", "vision_brain")
SERVICE: Final = {"brain", "base_url", *(f"{vendor}.key" for vendor in VENDORS)}  # what may change what is offered


class SettingsPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the settings, and has its thread change them. Its contents are made when it is first opened."""

    def __init__(self, master: tk.Misc, profile: SettingsThread) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self.state = SettingsState()
        self._thread, self._width, self._running = profile, MAX_WIDTH_PX, False
        self._rows: list[SettingRow] = []
        self._keys: list[KeyRow | FileChoice | KeyringWarning] = []
        self._files: FileChoice | None = None
        self._advanced: ToggleSwitch | None = None
        self._masks: MasksView | None = None
        self._check: CheckRow | None = None
        self._checks = 0
        self._dialog: MaskDialog | None = None
        self._cards: list[tuple[ctk.CTkFrame, list[SettingRow | MasksView]]] = []
        self._message = ctk.CTkLabel(self, text="", font=text_font(), text_color=MUTED, height=0, justify="left")
        self._message.grid(row=0, column=0, sticky="w", padx=EDGE_PX, pady=GAP_PX)
        self._again = Button(self, "Reload", PLAIN, profile.look)
        self._area = ScrollArea(self)

    def open(self) -> None:
        """Open the page: discard what was not saved, and read what others may have changed."""
        if not self._rows:
            self._build()
        for part in self._typed():
            part.reset()
        self._thread.look()
        self._thread.name_keyring()
        self._thread.list_models()
        self.focus_set()

    def leave(self) -> None:
        """Leave the page: nobody waits for a check any more."""
        self._thread.stop_check()
        self.handle(CheckStopped())

    def handle(self, message: SettingsMessage) -> None:
        """Handle a message and draw."""
        self.state = reduce_settings(self.state, message)
        self._redraw()
        if isinstance(message, SettingsRead) and message.saved in SERVICE and self.winfo_viewable():
            self._thread.list_models()
        if isinstance(message, DesktopCaptured):
            self.winfo_toplevel().deiconify()
            if message.frame and self.state.found:
                self._drop_dialog()
                masks = self.state.found.settings.masks
                self._dialog = MaskDialog(self, message.frame, masks, self._mask)

    def set_running(self, *, running: bool) -> None:
        """Tell whether a run is going on, for which nothing changes any more."""
        self._running = running
        self._draw_words()

    def commit(self) -> None:
        """Save what is being typed."""
        for part in self._typed():
            part.commit()

    def fit(self, width: int, _height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._width = min(width, MAX_WIDTH_PX)
        inside = self._width - 2 * EDGE_PX - 2 * GAP_PX - SCROLLBAR_PX
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        for part in self._parts():
            part.fit(inside)
        self._see_focus()

    def _see_focus(self) -> None:
        if self.winfo_viewable() and (focused := self.focus_get()):
            self._area.see(focused)

    def _typed(self) -> list[SettingRow | MasksView]:
        return [*self._rows, *filter(None, (self._masks,))]

    def _parts(self) -> list[SettingRow | MasksView | KeyRow | FileChoice | KeyringWarning | CheckRow]:
        return [*self._typed(), *self._keys, *filter(None, (self._check,))]

    def _check_model(self) -> None:
        """Check the model as it is typed, one check at a time; what was rejected is not what is saved."""
        if isinstance(self.state.check, CheckBegun):
            return
        self.commit()
        if to_correct(self.state.faults):
            return
        self._checks += 1
        self.handle(CheckBegun(self._checks))
        self._thread.check_model(self._checks)

    def _use_coordinates(self, fits: str) -> None:
        """Save the coordinates that fit the answer of the model, and check it with them."""
        self._change("coordinates", fits)
        self._check_model()

    def _change(self, key: str, text: str | None) -> None:
        """Save a setting from its text; None restores the default."""
        if self.state.found is None:
            return
        try:
            value = None if text is None else parsed(key, text)
        except UsageError as error:
            self.handle(SettingRejected(key, str(error)))
            return
        if text is not None and value == getattr(self.state.found.settings, key):
            self.handle(SettingRejected(key, ""))
        else:
            self._thread.change(key, value)

    def _mask(self, was: str, now: str) -> bool:
        """Save one mask in place of another.

        Returns:
            Whether it is valid.
        """
        try:
            self._thread.mask(was, parsed(MASKS, now))
        except UsageError as error:
            self.handle(SettingRejected(MASKS, str(error)))
            return False
        return True

    def _capture_desktop(self) -> None:
        """Take a screenshot, without the window."""
        self._drop_dialog()
        self.winfo_toplevel().iconify()
        self._thread.capture_desktop()

    def _redraw(self) -> None:
        self._draw_words()
        found = self.state.found
        if found is None or not self._rows:
            self._area.grid_remove()
            return
        self._area.grid(row=1, column=0, sticky="nsew", padx=(EDGE_PX, 0))
        for row in self._rows:
            if row.field.key in BRAINS:
                row.offer((*brains(found.settings, found.kept), *self.state.models))
        for part in self._parts():
            part.draw(self.state)
        self._show_wanted(found.settings)
        if self._dialog and self._dialog.winfo_exists():
            self._dialog.draw(found.settings.masks)
        self._see_focus()  # what is above may have grown

    def _show_wanted(self, settings: Settings) -> None:
        """Show the advanced settings only if they are asked for, but each that was changed: it is in effect."""
        everything = bool(self._advanced and self._advanced.get())
        for card, rows in self._cards:
            for row in rows:
                field = row.field if isinstance(row, SettingRow) else None
                is_quiet = field is not None and field.advanced and field.key not in settings.model_fields_set
                is_fine = field is None or field.key not in self.state.faults
                _show(row, is_shown=everything or not (is_quiet and is_fine))
            _show(card, is_shown=any(row.winfo_manager() for row in rows))

    def _keep(self, vendor: str, key: str) -> None:
        self._thread.keep(vendor, key, in_file=bool(self._files and self._files.checked))

    def _draw_words(self) -> None:
        if broken := self.state.broken:
            self._message.configure(text=f"{broken} {UNREADABLE}", text_color=TONES["error"])
            self._again.grid(row=1, column=0, sticky="nw", padx=EDGE_PX)
            return
        self._again.grid_remove()
        words = SAVED_IN.format(file=settings_file(self._thread.name))
        self._message.configure(text=f"{RUNNING if self._running else ''}{words}", text_color=MUTED)

    def _drop_dialog(self) -> None:
        if self._dialog and self._dialog.winfo_exists():
            self._dialog.destroy()

    def _build(self) -> None:
        keys = self._card("Keys")
        rows = [KeyRow(keys, vendor, self._keep) for vendor in VENDORS]
        self._files = FileChoice(keys)
        self._keys = [*rows, self._files, KeyringWarning(keys)]
        for part in self._keys:
            _place(part)
        self._advanced = ToggleSwitch(self._area.content, ADVANCED, lambda _on: self._redraw())
        self._advanced.configure(bg_color=BACKGROUND)
        self._advanced.grid(row=1, column=0, sticky="w", padx=GAP_PX, pady=(0, GAP_PX))
        for title, fields in grouped().items():
            card, parts = self._card(title), list[SettingRow | MasksView]()
            for field in fields:
                parts.append(self._part(card, field))
                _place(parts[-1])
                if field.key == "brain":
                    self._check = CheckRow(card, self._check_model, self._use_coordinates)
                    _place(self._check)
            self._cards.append((card, parts))
        self.fit(self._width, 0)

    def _part(self, card: ctk.CTkFrame, field: SettingField) -> SettingRow | MasksView:
        if field.key == MASKS:
            self._masks = MasksView(card, self._mask, self._capture_desktop)
            return self._masks
        row = SettingRow(card, field, self._change, offered=field.key in (*BRAINS, "workflow"))
        if field.key == "workflow":
            row.offer(tuple(shipped()))
        self._rows.append(row)
        return row

    def _card(self, title: str) -> ctk.CTkFrame:
        card = ctk.CTkFrame(
            self._area.content,
            fg_color=SURFACE,
            bg_color=BACKGROUND,
            border_color=BORDER,
            border_width=1,
            corner_radius=CORNER_PX,
        )
        card.grid_columnconfigure(0, weight=1)
        card.grid(row=self._area.content.grid_size()[1], column=0, sticky="ew", pady=(0, GAP_PX))
        ctk.CTkLabel(card, text=title, font=strong_font(), text_color=TEXT, height=0).grid(
            row=0, column=0, sticky="w", padx=GAP_PX, pady=(GAP_PX, 0)
        )
        return card


def _place(part: ctk.CTkFrame | ctk.CTkLabel) -> None:
    part.grid(row=part.master.grid_size()[1], column=0, sticky="ew", padx=GAP_PX, pady=GAP_PX)


def _show(part: tk.Widget, *, is_shown: bool) -> None:
    """Show or hide what is in a grid; what is as it should be is not laid out again."""
    if is_shown != bool(part.winfo_manager()):
        part.grid() if is_shown else part.grid_remove()
