"""The bar above the log: filter, search, and the button that copies the log."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from gui.kit.buttons import Button, ButtonStyle
from gui.kit.fields import text_field
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    FIELD_BORDER,
    MUTED,
    NEAR_PX,
    SELECTED,
    SUNKEN,
    TEXT,
    small_font,
    text_font,
)
from gui.kit.tooltip import Tooltip
from gui.log.card_filter import FILTERS, CardFilter, LogListing
from gui.toolkit import ctk

FLAT: Final = ButtonStyle(BACKGROUND, SUNKEN, TEXT, BACKGROUND)
PRESSED: Final = ButtonStyle(SELECTED, SELECTED, TEXT, FIELD_BORDER)
HEIGHT_PX: Final = 28
BUTTON_PX: Final = 66  # width of a button
TURNS: Final[tuple[tuple[str, Literal[-1, 1]], ...]] = (("▲", -1), ("▼", 1))
FIND: Final = "Search the log (Ctrl+F)"
COPY_ALL: Final = "Copy all that is listed"
BACK, ON, CLOSE = "The previous match (Shift+F3)", "The next match (F3)", "Close the search (Esc)"
FILTERED: Final = ("All that happened", "Steps that changed the screen", "Steps that failed")
COPIED_MS: Final = 1500  # for which copying is confirmed


@dataclass(frozen=True, slots=True)
class LogBarCallbacks:
    """What the bar calls; `enter` moves the focus to the log."""

    filter_by: Callable[[CardFilter], None]
    search: Callable[[str], None]
    turn: Callable[[Literal[-1, 1]], None]
    copy: Callable[[], None]
    enter: Callable[[], None]


class LogBar(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the filter and the search of a listing; Tab reaches everything in it."""

    def __init__(self, master: tk.Misc, callbacks: LogBarCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(len(FILTERS), weight=1)
        self._callbacks, self._listing = callbacks, LogListing()
        self._confirmation: str | None = None
        self._filters = {
            filter_: flat_button(self, filter_, partial(callbacks.filter_by, filter_)) for filter_ in FILTERS
        }
        for column, button in enumerate(self._filters.values()):
            button.grid(row=0, column=column, padx=(EDGE_PX if column == 0 else 0, 2), pady=(0, NEAR_PX))
        self._find = flat_button(self, "Find", self.search)
        self._copy = flat_button(self, "Copy log", callbacks.copy)
        for button, text in (
            (self._find, FIND),
            (self._copy, COPY_ALL),
            *zip(self._filters.values(), FILTERED, strict=True),
        ):
            Tooltip(button, partial(str, text))
        self._find.grid(row=0, column=len(FILTERS) + 1, pady=(0, NEAR_PX))
        self._copy.grid(row=0, column=len(FILTERS) + 2, padx=(2, EDGE_PX), pady=(0, NEAR_PX))
        self._search: SearchRow | None = None  # made when it is first wanted
        self._color()

    @property
    def searching(self) -> bool:
        """Whether the search is open."""
        return self._search is not None and bool(self._search.winfo_manager())

    def draw(self, listing: LogListing) -> None:
        """Show the filter and the number of matches."""
        was, self._listing = self._listing, listing
        if was.filter_ != listing.filter_:
            self._color()
        if self._search:
            self._search.count(listing.counted)

    def search(self) -> None:
        """Open the search, or return to it."""
        self._search = self._search or SearchRow(self, self._callbacks, self.leave)
        self._search.grid(row=1, column=0, columnspan=len(FILTERS) + 3, sticky="ew", pady=(0, NEAR_PX))
        self.update_idletasks()  # what is not drawn yet gets no keys
        self._search.take_focus()

    def leave(self) -> None:
        """Close and clear the search."""
        if self._search:
            self._search.grid_remove()
            self._search.clear()
            self._callbacks.search("")
            self._callbacks.enter()

    def tell_copied(self, what: Literal["Copied", "Empty"]) -> None:
        """Confirm for a moment that it was copied."""
        if self._confirmation:
            self.after_cancel(self._confirmation)
        self._copy.configure(text=what)
        self._confirmation = self.after(COPIED_MS, self._forget)

    def _forget(self) -> None:
        self._confirmation = None
        self._copy.configure(text="Copy log")

    def _color(self) -> None:
        for filter_, button in self._filters.items():
            button.restyle(PRESSED if filter_ == self._listing.filter_ else FLAT)


class SearchRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """The search field, the number of matches, and the buttons to go through them. Return goes to the next one."""

    def __init__(self, master: tk.Misc, callbacks: LogBarCallbacks, leave: Callable[[], None]) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._callbacks = callbacks
        self._field = field = text_field(self, 120, HEIGHT_PX)
        field.bind("<KeyRelease>", lambda _event: callbacks.search(field.get()))
        field.bind("<Return>", partial(self._turned, 1))
        field.bind("<Shift-Return>", partial(self._turned, -1))
        field.bind("<Down>", lambda _event: callbacks.enter())
        field.grid(row=0, column=0, sticky="ew", padx=(EDGE_PX, NEAR_PX))
        self._count = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._count.grid(row=0, column=1, padx=(0, NEAR_PX))
        back, on = (flat_button(self, sign, partial(callbacks.turn, by)) for sign, by in TURNS)
        back.grid(row=0, column=2)
        on.grid(row=0, column=3, padx=2)
        close = flat_button(self, "Close", leave)
        close.grid(row=0, column=4, padx=(0, EDGE_PX))
        for button, text in ((back, BACK), (on, ON), (close, CLOSE)):
            Tooltip(button, partial(str, text))

    def take_focus(self) -> None:
        """Focus the field and select its text."""
        self._field.focus_set()
        self._field.select_range(0, "end")

    def count(self, counted: str) -> None:
        """Show the number of matches."""
        if self._count.cget("text") != counted:
            self._count.configure(text=counted)

    def clear(self) -> None:
        """Empty the field."""
        self._field.delete(0, "end")

    def _turned(self, by: Literal[-1, 1], _event: object) -> str:
        self._callbacks.search(self._field.get())
        self._callbacks.turn(by)
        return "break"


def flat_button(master: tk.Misc, text: str, command: Callable[[], None]) -> Button:
    """Make a small button without a background of its own."""
    width = BUTTON_PX if len(text) > 1 else HEIGHT_PX
    return Button(master, text, FLAT, command, {"width": width, "height": HEIGHT_PX, "font": text_font()})
