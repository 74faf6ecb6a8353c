"""The cards of the log in a column. Only visible cards are drawn, so thousands cost as little as ten.

The scroll position is a card and its distance from the upper edge. The scrollbar counts cards, not pixels, for the
height of a card is unknown until it is drawn.
"""

import tkinter as tk
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from gui.kit.style import BACKGROUND, EDGE_PX, FIELD_BORDER, GAP_PX, MUTED, NEAR_PX, SCROLLBAR, TONES, scale_of
from gui.log.card_buttons import BUTTON, MAX_BUTTONS, SkillOffer, buttons_of, shown_by
from gui.log.card_filter import LogListing
from gui.log.card_painter import CardPainter, PaintedCard
from gui.log.card_parts import has_details
from gui.log.thumbnail_thread import Thumbnails
from gui.run.mends import Mend
from gui.run.proofs import Proof
from gui.run.state import StepCard
from gui.toolkit import ctk

Side = Literal["before", "after"]
PARTS: Final = frozenset({"before", "after", "copy", "details"})  # the tags of what can be clicked on a card

NOTCH_PX: Final = 60  # that one notch of the wheel scrolls
SOON_MS, LATE_MS = 30, 2000  # milliseconds between two looks for pictures: while they come, and while none does


@dataclass(frozen=True, slots=True)
class LogCallbacks:
    """What the log does.

    `look_at` shows a step large, `copy` takes the index of a card, `moved` follows a drawing, `make_skill` takes a run,
    `open_file` a path.
    """

    look_at: Callable[[StepCard, Side], None]
    copy: Callable[[int], None]
    moved: Callable[[], None]
    mend: Callable[[Mend], None]
    make_skill: Callable[[str], None]
    open_file: Callable[[str], None]


class LogView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """The scrolled cards."""

    def __init__(self, master: tk.Misc, thumbnails: Thumbnails, callbacks: LogCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._thumbnails, self._callbacks = thumbnails, callbacks
        self._view = tk.Canvas(self, highlightthickness=0, borderwidth=0, takefocus=True, width=1, height=1)
        self._bar = ctk.CTkScrollbar(self, command=self._by_bar, fg_color=BACKGROUND)
        self._bar.grid(row=0, column=1, sticky="ns")
        self._painter = CardPainter(self._view, thumbnails, self._apply_appearance_mode)
        self._listing = LogListing()
        self._drawn: dict[int, tuple[PaintedCard, int]] = {}  # by their place, each with its top
        self._seen: dict[int, int] = {}  # the tops of those that are in view
        self._first, self._top = 0, 0  # the first card that is seen, by its number in the listing, and its top
        self._turned = 0  # pixels that were scrolled and not drawn yet
        self._chosen: int | None = None
        self._detailed: set[int] = set()  # the cards whose details are shown
        self._follower = True
        self._due: str | None = None
        self._look: str | None = None
        self._delay = SOON_MS
        self._color_view()
        self._place_view()
        self._listen()

    # Input -----------------------------------------------------------------------------------------------------------

    def draw(self, listing: LogListing) -> None:
        """Show a listing soon; many changes at once are drawn once."""
        was, self._listing = self._listing, listing
        if was.filter_ != listing.filter_ and was.indices:
            self._first, self._top = (
                bisect_left(listing.indices, was.indices[min(self._first, len(was.indices) - 1)]),
                0,
            )
        if self._chosen is not None and self._chosen >= len(listing.cards):
            self._chosen = None
        self._detailed = {place for place in self._detailed if place < len(listing.cards)}
        self._arrange_soon()

    def follow(self) -> None:
        """Scroll to the newest card, and stay there as more come."""
        self._follower = True
        self._arrange_soon()

    def go_to(self, place: int) -> None:
        """Select a card and scroll to it, or to its first match."""
        self._chosen, self._follower = place, False
        self._bring_into_view(place)

    @property
    def following(self) -> bool:
        """Whether the newest card is visible and stays so."""
        return self._follower

    @property
    def chosen(self) -> int | None:
        """The index of the selected card, if it is listed."""
        return self._chosen if self._number(self._chosen) is not None else None

    @property
    def seen(self) -> int:
        """The index of the first visible card."""
        indices = self._listing.indices
        return indices[min(self._first, len(indices) - 1)] if indices else 0

    def destroy(self) -> None:
        """Cancel what was to be drawn later."""
        for planned in filter(None, (self._due, self._look)):
            self.after_cancel(planned)
        super().destroy()

    def take_focus(self) -> None:
        """Give the log the focus, so that the arrow keys move from card to card."""
        self._view.focus_set()

    # What is drawn --------------------------------------------------------------------------------------------------

    def _arrange_soon(self) -> None:
        if self._due is None:
            self._due = self.after_idle(self._arrange)

    def _arrange(self) -> None:
        """Draw what is visible, and nothing else."""
        self._due = None
        if not self._view.winfo_ismapped():
            return  # it is arranged once it is shown
        self._painter.fit(self._view.winfo_width(), scale_of(self))
        indices, room = self._listing.indices, self._view.winfo_height()
        self._first = max(0, min(self._first, len(indices) - 1))
        self._top, self._turned = self._top - self._turned, 0
        if self._follower:
            self._first, self._top = len(indices) - 1, room - self._height(indices[-1]) if indices else 0
        self._climb()
        bottom, number = self._top, self._first
        seen: list[tuple[int, int]] = []
        while number < len(indices) and (bottom < room or not seen):
            seen.append((indices[number], bottom))
            bottom += self._height(indices[number]) + self._gap
            number += 1
        if number == len(indices) and bottom - self._gap <= room and not self._follower:
            self._follower = True  # the end was reached
            self._arrange()
            return
        self._put(dict(seen))
        self._show_bar(seen, room)
        self._callbacks.moved()
        self._look_for_pictures()

    def _climb(self) -> None:
        """Make the first card the first visible one, and leave no gap above the oldest."""
        indices = self._listing.indices
        while self._top > 0 and self._first > 0:
            self._first -= 1
            self._top -= self._height(indices[self._first]) + self._gap
        if self._first <= 0:
            self._first, self._top = 0, min(0, self._top)
        while self._first < len(indices) - 1 and self._top + self._height(indices[self._first]) + self._gap <= 0:
            self._top += self._height(indices[self._first]) + self._gap
            self._first += 1

    @property
    def _gap(self) -> int:
        return round(GAP_PX * scale_of(self))

    def _height(self, place: int) -> int:
        """The height of a card, which is drawn for it if need be."""
        card = self._listing.cards[place]
        border = (TONES["busy"] if self._has_focus() else FIELD_BORDER) if place == self._chosen else None
        detailed = place in self._detailed
        style = scale_of(self), self._get_appearance_mode()
        look = (border, self._listing.words, self._view.winfo_width(), *style, detailed)
        painted, top = self._drawn.get(place, (None, 0))
        if painted is None or painted.card is not card or painted.look != look:
            self._view.delete(_tag(place))
            words = self._listing.words
            painted = self._painter.paint(card, _tag(place), border=border, words=words, detailed=detailed)
            painted.look = look
            self._view.move(_tag(place), 0, top)
            self._drawn[place] = painted, top
        return painted.height

    def _put(self, seen: dict[int, int]) -> None:
        """Move these cards to their places, and remove all others."""
        self._seen = seen
        for place in [place for place in self._drawn if place not in seen]:
            self._view.delete(_tag(place))
            del self._drawn[place]
        for place, top in seen.items():
            painted, was = self._drawn[place]
            if top != was:
                self._view.move(_tag(place), 0, top - was)
                self._drawn[place] = painted, top

    def _show_bar(self, seen: list[tuple[int, int]], room: int) -> None:
        """Update the scrollbar, which keeps its place where it is not needed."""
        count = len(self._listing.indices)
        if not seen:
            self._color_bar(needed=False)
            return
        (first, top), (last, last_top) = seen[0], seen[-1]
        begin = self._first + min(1.0, -top / self._height(first)) if top < 0 else self._first
        end = self._first + len(seen) - 1 + min(1.0, (room - last_top) / self._height(last))
        self._color_bar(needed=begin > 0 or end < count)
        self._bar.set(begin / count, end / count)

    def _color_bar(self, *, needed: bool) -> None:
        color = SCROLLBAR if needed else BACKGROUND
        if self._bar.cget("button_color") != color:
            self._bar.configure(button_color=color, button_hover_color=MUTED if needed else BACKGROUND)

    def _look_for_pictures(self) -> None:
        """Request the missing images of visible cards, and look for them soon."""
        missing = [shot for painted, _top in self._drawn.values() for shot in painted.missing]
        self._thumbnails.want(missing)
        self._delay = SOON_MS
        if missing and self._look is None:
            self._look = self.after(SOON_MS, self._look_again)

    def _look_again(self) -> None:
        """Redraw the cards whose images are ready; what does not come is looked for ever less often."""
        self._look = None
        missing = [shot for painted, _top in self._drawn.values() for shot in painted.missing]
        for painted, _top in self._drawn.values():
            if any(self._thumbnails.small(shot) for shot in painted.missing):
                painted.look = ()
                self._arrange_soon()
        if missing and self._due is None:
            self._delay = min(LATE_MS, 2 * self._delay)
            self._thumbnails.want(missing)
            self._look = self.after(self._delay, self._look_again)

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._color_view()
        self._arrange_soon()

    def _set_scaling(self, *scaling: float) -> None:
        super()._set_scaling(*scaling)
        self._place_view()
        self._arrange_soon()

    def _place_view(self) -> None:
        """Scale the margins, which plain Tk does not."""
        margin = round(EDGE_PX * scale_of(self)), 0
        self._view.grid(row=0, column=0, sticky="nsew", padx=margin, pady=(0, NEAR_PX))

    def _color_view(self) -> None:
        self._view.configure(background=self._apply_appearance_mode(BACKGROUND))

    # What a person does ---------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        """Bind wheel and page keys while it is visible, arrows and the rest while it has the focus."""
        window, view = self.winfo_toplevel(), self._view
        for sequence in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            window.bind(sequence, self._by_wheel, add="+")
        window.bind("<Prior>", lambda _event: self._by_page(-1), add="+")
        window.bind("<Next>", lambda _event: self._by_page(1), add="+")
        for sequence in ("<Configure>", "<Map>", "<FocusOut>"):
            view.bind(sequence, lambda _event: self._arrange_soon(), add="+")
        view.bind("<FocusIn>", lambda _event: self._focused())
        view.bind("<Up>", lambda _event: self._choose_next(-1))
        view.bind("<Down>", lambda _event: self._choose_next(1))
        view.bind("<Control-Home>", lambda _event: self._choose_number(0))
        view.bind("<Control-End>", lambda _event: self._choose_number(len(self._listing.indices) - 1))
        for key in ("<Return>", "<space>"):
            view.bind(key, lambda _event: self._open_chosen())
        for key in ("<Control-c>", "<Control-C>"):
            view.bind(key, lambda _event: self._copy_chosen())
        for number in range(MAX_BUTTONS):
            view.bind(f"<Key-{number + 1}>", partial(self._press_chosen, number))
        for key in ("<d>", "<D>"):
            view.bind(key, lambda _event: self._toggle_details(self.chosen))
        view.bind("<Button-1>", self._clicked)
        view.bind("<Motion>", lambda _event: self._view.configure(cursor="hand2" if self._pointed()[1] else ""))

    def _has_focus(self) -> bool:
        return str(self._view.tk.call("focus")) == str(self._view)

    def _focused(self) -> None:
        """Select a card if none is, so that the keys have one to act on."""
        if self.chosen is None and self._listing.indices:
            self._chosen = self._listing.indices[-1] if self._follower else self.seen
        self._arrange_soon()

    def _number(self, place: int | None) -> int | None:
        """The position of a card in the listing."""
        indices = self._listing.indices
        number = len(indices) if place is None else bisect_left(indices, place)
        return number if number < len(indices) and indices[number] == place else None

    def _choose_next(self, by: int) -> None:
        number = self._number(self._chosen)
        self._choose_number(self._first if number is None else number + by)

    def _choose_number(self, number: int) -> None:
        indices = self._listing.indices
        if indices:
            number = max(0, min(len(indices) - 1, number))
            self._chosen, self._follower = indices[number], number == len(indices) - 1
            self._bring_into_view(self._chosen)

    def _bring_into_view(self, place: int) -> None:
        """Scroll as little as needed; a card taller than the view is shown from its first match, or its top."""
        number = self._number(place)
        if number is None or not self._view.winfo_ismapped():
            return
        self._painter.fit(self._view.winfo_width(), scale_of(self))
        top = self._seen.get(place)
        height, room = self._height(place), self._view.winfo_height()
        if height > room:
            found = self._drawn[place][0].found or 0
            self._first, self._top = number, -max(0, min(height - room, found - room // 3))
        elif top is None:
            self._first, self._top = number, 0 if number < self._first else room - height
        elif not 0 <= top <= room - height:
            self._first, self._top = number, 0 if top < 0 else room - height
        self._arrange_soon()

    def _open_chosen(self) -> None:
        """Enlarge a step, or press the first button of a card."""
        if self.chosen is None:
            return
        self._press_chosen(0)
        self._open(self.chosen, "after")

    def _press_chosen(self, number: int, _event: object = None) -> None:
        """Press a button of the selected card, if it has so many."""
        if self.chosen is not None and number < len(buttons_of(self._listing.cards[self.chosen])):
            self._press(self.chosen, number)

    def _open(self, place: int, side: Side) -> None:
        card = self._listing.cards[place]
        if isinstance(card, StepCard) and (card.before or card.after):
            self._callbacks.look_at(card, side)

    def _copy_chosen(self) -> None:
        if self.chosen is not None:
            self._callbacks.copy(self.chosen)

    def _press(self, place: int, number: int) -> None:
        """Press a button; only the newest run is mended: what came before has been mended or given up."""
        button = buttons_of(self._listing.cards[place])[number]
        if isinstance(button, SkillOffer):
            self._callbacks.make_skill(button.run)
        elif not isinstance(button, Proof):
            if place == len(self._listing.cards) - 1:
                self._callbacks.mend(button)
        elif button.file:
            self._callbacks.open_file(button.file)
        elif card := shown_by(button, self._listing.cards[:place]):
            self._callbacks.look_at(card, "after" if card.after else "before")

    def _toggle_details(self, place: int | None) -> None:
        """Show or hide how the model wrote the action of a step, or the rest of a very long text."""
        if place is not None and has_details(self._listing.cards[place]):
            self._detailed ^= {place}
            self._bring_into_view(place)

    def _pointed(self) -> tuple[int | None, str]:
        """The card below the pointer, and which clickable part of it."""
        tags = self._view.gettags("current")
        place = next((int(tag[1:]) for tag in tags if tag[1:].isdigit()), None)
        return place, next((tag for tag in tags if tag in PARTS or tag.startswith(BUTTON)), "")

    def _clicked(self, _event: object) -> str | None:
        place, what = self._pointed()
        if place is not None and what.startswith(BUTTON):
            self._press(place, int(what.removeprefix(BUTTON)))
            return "break"  # it gave the focus to what comes next; customtkinter would take that back
        self.take_focus()
        if place is None:
            return None
        self._chosen = place
        self._arrange_soon()
        if what == "copy":
            self._callbacks.copy(place)
        elif what == "details":
            self._toggle_details(place)
        elif what == "before":
            self._open(place, "before")
        elif what == "after":
            self._open(place, "after")
        return None

    def _scroll(self, pixels: int) -> None:
        """Scroll, at most a page before the next drawing: a fast wheel would otherwise take long to catch up."""
        self._follower = False
        page = self._view.winfo_height()
        self._turned = max(-page, min(page, self._turned + pixels))
        self._arrange_soon()

    def _by_bar(self, how: str, *where: Any) -> None:  # noqa: ANN401 - Tk's own protocol between a bar and a view
        indices = self._listing.indices
        if how == "moveto" and indices and self._view.winfo_ismapped():
            number = max(0.0, min(float(where[0]), 1.0)) * len(indices)
            self._first = min(int(number), len(indices) - 1)
            self._follower = False
            self._top = -round((number - self._first) * self._height(indices[self._first]))
            self._arrange_soon()

    def _by_page(self, pages: int) -> None:
        """Scroll by pages, if this is the view that is visible."""
        if self.winfo_viewable():
            self._scroll(pages * max(1, self._view.winfo_height() - NOTCH_PX))

    def _by_wheel(self, event: "tk.Event[tk.Misc]") -> None:
        if str(event.widget).startswith(str(self)):
            up = event.num == 4 or event.delta > 0  # noqa: PLR2004 - X11 calls the wheel buttons 4 and 5
            self._scroll(-NOTCH_PX if up else NOTCH_PX)


def _tag(place: int) -> str:
    return f"c{place}"
