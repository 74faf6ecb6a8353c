"""The VisualLogPanel: what the agent saw, thought and did, one card a step."""

import queue
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal

from gui.kit.browser import open_in_browser
from gui.kit.buttons import PRIMARY, Button, clicked
from gui.kit.scrolling import ScrollArea
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX, MUTED, SUNKEN, TEXT, scale_of, small_font, text_font, title_font
from gui.kit.texts import tk_safe
from gui.log.card_filter import CardFilter, LogListing, next_hit, with_cards, with_filter, with_words
from gui.log.card_parts import text_of
from gui.log.image_viewer import ImageViewer
from gui.log.log_bar import LogBar, LogBarCallbacks
from gui.log.log_view import LogCallbacks, LogView, Side
from gui.log.thumbnail_thread import Thumbnails
from gui.log.welcome import Welcome
from gui.run.mends import Mend
from gui.run.state import Card, RunState, StepCard
from gui.toolkit import ctk

EXAMPLE: Final = 'open the text editor, type "Hello there", check that "Hello there" is shown'
INVITATION: Final = "Enter a goal above and press Run. Each step appears here."
KEYS: Final = (
    "Enter runs, or speaks to a run; Shift+Enter begins a line. F6 pauses, F7 does one step of a paused run, "
    "Esc stops. Up recalls earlier goals. F1 shows all keys."
)
BAR_MIN_PX: Final = 150  # height below which the bar above the log is hidden
UNOPENED: Final = "No program opened {}. It is in the folder {}."
POLL_MS: Final = 100  # between looks whether a file was opened
NOTHING: Final = {"Changes": "No step changed the screen.", "Errors": "No errors."}


@dataclass(frozen=True, slots=True)
class PanelCallbacks:
    """What a log is good for besides reading.

    `use_example` fills in a goal, where one can be given; `mend` repairs what ended a run; `make_skill` takes a run.
    """

    use_example: Callable[[str], None] | None = None
    mend: Callable[[Mend], None] = lambda _mend: None
    make_skill: Callable[[str], None] = lambda _run: None


class VisualLogPanel(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the cards of a state, with filter, search and copying."""

    def __init__(self, master: tk.Misc, callbacks: PanelCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._listing = LogListing()
        self._thumbnails = Thumbnails()
        done = LogCallbacks(
            self._look_at, self._copy_card, self._moved, callbacks.mend, callbacks.make_skill, self._open_file
        )
        self._log = LogView(self, self._thumbnails, done)
        self._bar = LogBar(
            self, LogBarCallbacks(self._filter_by, self._search_for, self._turn, self._copy_log, self._enter)
        )
        self._newest = Button(self, "Latest ↓", PRIMARY, self._log.follow)
        self._opened = queue.SimpleQueue[tuple[Path, bool]]()  # whether files were opened, from their threads
        self._unopened = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0, justify="left")
        self._nothing = ctk.CTkLabel(self, text="", font=text_font(), text_color=MUTED)
        self._invites = callbacks.use_example is not None
        self._empty = EmptyView(self, callbacks.use_example or (lambda _goal: None))
        self._greeting: ScrollArea | None = None
        self._welcome: Welcome | None = None
        self._place_empty()
        self.bind("<Configure>", lambda _event: self._fit(), add="+")
        self.bind("<Destroy>", lambda _event: self._thumbnails.close(), add="+")
        self._listen()

    def draw(self, state: RunState) -> None:
        """Show the cards of a state; fewer than before means another run, or an earlier step of it."""
        if len(state.cards) < len(self._listing.cards):
            self._log.follow()
            self._unopened.grid_remove()
        self._show(with_cards(self._listing, state.cards))
        if state.cards or state.running:
            self._empty.place_forget()
            self.greet(None)
            self._log.grid(row=1, column=0, sticky="nsew")
            self._place_bar()
        elif self._invites and self._log.winfo_manager():  # the conversation was left
            self._log.grid_remove()
            self._bar.grid_remove()
            self._place_empty()

    def _place_empty(self) -> None:
        self._empty.place(relx=0.5, rely=0.45, anchor="center")

    def follow(self) -> None:
        """Scroll to the newest card."""
        self._log.follow()

    def greet(self, make: Callable[[tk.Misc], Welcome] | None) -> None:
        """Show what `make` returns in place of the invitation, until there are cards."""
        if self._greeting:
            self._greeting.destroy()
            self._greeting, self._welcome = None, None
        if make:
            self._empty.place_forget()
            self._greeting = ScrollArea(self)
            self._greeting.grid(row=1, column=0, sticky="nsew")
            self._welcome = make(self._greeting.content)
            self._welcome.grid(row=0, column=0, sticky="ew", padx=(EDGE_PX, 0))
            self._fit()

    def leave_search(self) -> bool:
        """Close the search.

        Returns:
            Whether it was open.
        """
        searching = self._bar.searching and bool(self.winfo_viewable())
        if searching:
            self._bar.leave()
        return searching

    def _show(self, listing: LogListing) -> None:
        self._listing = listing
        self._log.draw(listing)
        self._bar.draw(listing)
        nothing = NOTHING[listing.filter_] if listing.cards and not listing.indices and listing.filter_ != "All" else ""
        if nothing:
            self._nothing.configure(text=nothing)
            self._nothing.place(relx=0.5, rely=0.5, anchor="center")
        else:
            self._nothing.place_forget()

    def _fit(self) -> None:
        room = int(self.winfo_width() / scale_of(self)) - EDGE_PX
        self._empty.fit(room)
        self._unopened.configure(wraplength=max(1, room - EDGE_PX))
        if self._welcome:
            self._welcome.fit(room)
        if self._log.winfo_manager():
            self._place_bar()

    def _place_bar(self) -> None:
        """Hide the bar where there is little room, unless a search is open."""
        if self.winfo_height() >= BAR_MIN_PX * scale_of(self) or self._bar.searching:
            self._bar.grid(row=0, column=0, sticky="ew")
        else:
            self._bar.grid_remove()

    def _enter(self) -> None:
        """Focus the log; the search may have been closed."""
        self._place_bar()
        self._log.take_focus()

    def _listen(self) -> None:
        """Bind the keys of the search, which act on the visible panel wherever the focus is."""
        window = self.winfo_toplevel()
        for key in ("<Control-f>", "<Control-F>"):
            window.bind(key, lambda _event: self._begin_search(), add="+")
        window.bind("<F3>", lambda _event: self._turn(1), add="+")
        window.bind("<Shift-F3>", lambda _event: self._turn(-1), add="+")

    def _begin_search(self) -> None:
        if self._log.winfo_viewable():
            self._bar.grid(row=0, column=0, sticky="ew")
            self._bar.search()

    def _moved(self) -> None:
        """Offer the way back to the newest card while the log does not follow it."""
        if self._log.following:
            self._newest.place_forget()
        else:
            self._newest.place(relx=0.5, rely=1.0, y=-GAP_PX, anchor="s")

    def _filter_by(self, filter_: CardFilter) -> None:
        self._show(with_filter(self._listing, filter_))

    def _search_for(self, words: str) -> None:
        if words != self._listing.words:
            self._show(with_words(self._listing, words))
            self._turn(1)

    def _turn(self, by: Literal[-1, 1]) -> None:
        if self.winfo_viewable() and self._listing.hits:
            self._show(next_hit(self._listing, by, self._log.seen))
            if self._listing.at is not None:
                self._log.go_to(self._listing.at)

    def _look_at(self, card: StepCard, side: Side) -> None:
        ImageViewer(self, card, side, self._thumbnails)

    def _copy_card(self, place: int) -> None:
        self._copy((self._listing.cards[place],))

    def _copy_log(self) -> None:
        """Copy all that is listed."""
        self._copy(tuple(self._listing.cards[place] for place in self._listing.indices))

    def _copy(self, cards: tuple[Card, ...]) -> None:
        if cards:
            self.clipboard_clear()
            self.clipboard_append("\n\n".join(map(text_of, cards)) + "\n")
        self._bar.tell_copied("Copied" if cards else "Empty")

    def _open_file(self, path: str) -> None:
        """Show a file with the program that the desktop has for it; one that is gone by now shows where it was."""
        file = Path(path)
        self._unopened.grid_remove()
        open_in_browser(file if file.exists() else file.parent, lambda opened: self._opened.put((file, opened)))
        self.after(POLL_MS, self._tell_unopened)

    def _tell_unopened(self) -> None:
        """Say where a file is that no program has opened, once that is known."""
        try:
            file, opened = self._opened.get_nowait()
        except queue.Empty:
            self.after(POLL_MS, self._tell_unopened)
            return
        if not opened:
            self._unopened.configure(text=tk_safe(UNOPENED.format(file.name or file, file.parent)))
            self._unopened.grid(row=2, column=0, sticky="w", padx=EDGE_PX, pady=(0, GAP_PX))


class EmptyView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """An invitation, and an example that a click fills in."""

    def __init__(self, master: tk.Misc, use_example: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        self._labels = [
            ctk.CTkLabel(self, text="What should MARK-I do?", font=title_font(), text_color=TEXT),
            ctk.CTkLabel(self, text=INVITATION, font=text_font(), text_color=MUTED),
            ctk.CTkLabel(self, text="Example (click to use it):", font=small_font(), text_color=MUTED),
            ctk.CTkLabel(self, text=EXAMPLE, font=text_font(), text_color=TEXT, cursor="hand2"),
        ]
        self._labels.append(ctk.CTkLabel(self, text=KEYS, font=small_font(), text_color=MUTED))
        example = self._labels[3]
        example.configure(fg_color=SUNKEN, corner_radius=8, padx=12, pady=8)
        example.bind("<Button-1>", partial(clicked, partial(use_example, EXAMPLE)))
        for row, label in enumerate(self._labels):
            label.grid(row=row, column=0, pady=(0, GAP_PX if row != 2 else 4))  # noqa: PLR2004 - the example's caption

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        for label in self._labels:
            label.configure(wraplength=max(80, min(620, width - 2 * EDGE_PX)))
