"""The VisualLogPanel: what the agent saw, thought and did, a card a step."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.cards import CardView, StepView, view_of
from gui.scrolling import ScrollArea
from gui.state import State, StepCard
from gui.style import EDGE, GAP, GROUND, MUTED, SUNKEN, TEXT, scale_of, small_font, text_font, title_font
from gui.thumbnail import Opener

EXAMPLE: Final = 'open the text editor, type "Hello there", check that "Hello there" is shown'
INVITATION: Final = "Write a goal above and press Run. Each step then appears here."


class VisualLogPanel(ScrollArea):
    """Draws the cards of a state; a message changes one of them at most, and only that one is drawn again."""

    def __init__(self, master: tk.Misc, opener: Opener, use_example: Callable[[str], None]) -> None:
        super().__init__(master)
        self._opener = opener
        self._views: list[CardView] = []
        self._width = 0
        self._empty = EmptyView(self, use_example)
        self.content.grid_columnconfigure(0, weight=1)
        self.content.bind("<Configure>", self._fit_cards, add="+")
        self._empty.place(relx=0.5, rely=0.45, anchor="center")

    def draw(self, state: State) -> None:
        """Show a state that is one message further than the last."""
        if len(state.cards) < len(self._views):
            self._clear()
        if state.changed is not None:
            self._draw_card(state, state.changed)
        if state.cards or state.running:
            self._empty.place_forget()

    def _draw_card(self, state: State, place: int) -> None:
        card = state.cards[place]
        if place == len(self._views):
            view = view_of(card, self.content, self._opener)
            view.fit(self._inner())
            view.grid(row=place, column=0, sticky="ew", padx=(EDGE, 0), pady=(0, GAP))
            self._views.append(view)
        elif isinstance(card, StepCard) and isinstance(view := self._views[place], StepView):
            view.draw(card)

    def _clear(self) -> None:
        for view in self._views:
            view.destroy()
        self._views = []
        self.follow()

    def _fit_cards(self, event: "tk.Event[tk.Misc]") -> None:
        """Wrap all cards anew when the panel became wider or narrower."""
        if event.width != self._width:
            self._width = event.width
            self._empty.fit(self._inner())
            for view in self._views:
                view.fit(self._inner())

    def _inner(self) -> int:
        return int(self._width / scale_of(self)) - EDGE  # the bar stands where the right margin would be


class EmptyView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What to do, and an example that a click takes over."""

    def __init__(self, master: tk.Misc, use_example: Callable[[str], None]) -> None:
        super().__init__(master, fg_color=GROUND)
        self._labels = [
            ctk.CTkLabel(self, text="What should MARK-I do?", font=title_font(), text_color=TEXT),
            ctk.CTkLabel(self, text=INVITATION, font=text_font(), text_color=MUTED),
            ctk.CTkLabel(self, text="For example, click to use:", font=small_font(), text_color=MUTED),
            ctk.CTkLabel(self, text=EXAMPLE, font=text_font(), text_color=TEXT, cursor="hand2"),
        ]
        example = self._labels[-1]
        example.configure(fg_color=SUNKEN, corner_radius=8, padx=12, pady=8)
        example.bind("<Button-1>", lambda _event: use_example(EXAMPLE))
        for row, label in enumerate(self._labels):
            label.grid(row=row, column=0, pady=(0, GAP if row != 2 else 4))  # noqa: PLR2004 - the example's caption

    def fit(self, width: int) -> None:
        """Wrap at a new width."""
        for label in self._labels:
            label.configure(wraplength=max(80, min(620, width - 2 * EDGE)))
