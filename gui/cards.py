"""The cards of the log. Each draws one value of the state, and redraws only itself when that changes."""

import tkinter as tk
from typing import Final

import customtkinter as ctk

from gui.state import Card, EndCard, NoticeCard, StepCard
from gui.style import (
    BORDER,
    GROUND,
    MUTED,
    NEAR,
    ROUND,
    SURFACE,
    TEXT,
    TONES,
    Color,
    code_font,
    small_font,
    strong_font,
    text_font,
)
from gui.thumbnail import WIDEST, Opener, Thumbnail

WIDE: Final = 640  # from this width on, the pictures stand beside the text
PART: Final = 0.21  # of that width, for each of the two
NARROW: Final = 200  # width of a picture below the text at most
PAD: Final = 14  # between a card's border and what is in it
CAPTIONS: Final = 80  # width of what stands before the texts of a step
NARROWEST: Final = 80  # width at which text still wraps


class CardView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What all cards have: a frame, and texts one below the other that wrap at its width."""

    def __init__(self, master: tk.Misc, border: Color = BORDER) -> None:
        super().__init__(
            master, fg_color=SURFACE, bg_color=GROUND, border_color=border, border_width=1, corner_radius=ROUND
        )
        self.grid_columnconfigure(0, weight=1)
        self.texts = ctk.CTkFrame(self, fg_color="transparent")
        self.texts.grid(row=0, column=0, sticky="new", padx=PAD, pady=PAD)
        self._labels: list[ctk.CTkLabel] = []

    def add(self, font: ctk.CTkFont, color: Color = TEXT, text: str = "") -> ctk.CTkLabel:
        """A new text below the others."""
        label = ctk.CTkLabel(self.texts, text=text, font=font, text_color=color, height=0, justify="left")
        label.grid(row=len(self._labels), column=0, sticky="w", pady=(NEAR if self._labels else 0, 0))
        self._labels.append(label)
        return label

    def fit(self, width: int) -> None:
        """Wrap at the card's new width."""
        self.wrap(width - 2 * PAD)

    def wrap(self, width: int) -> None:
        """Wrap the texts at a width."""
        for label in self._labels:
            label.configure(wraplength=max(NARROWEST, width))


class StepView(CardView):
    """One step: before and after, and what was thought, done and seen."""

    def __init__(self, master: tk.Misc, card: StepCard, opener: Opener) -> None:
        super().__init__(master)
        self._wide, self._pictured = True, False
        self._head = self.add(small_font(), MUTED)
        self._head.grid(columnspan=2)
        self._thought = self._told("Thought", text_font(), TEXT)
        self._call = self._told("Action", code_font(), TONES["busy"])
        self._observation = self._told("Observation", text_font(), TEXT)
        self._hints = self._told("Hint", small_font(), MUTED)
        self._change = self._told("Screen", small_font(), MUTED)
        self._pictures = ctk.CTkFrame(self, fg_color="transparent")
        self._before = Thumbnail(self._pictures, f"Step {card.index}, before", opener)
        self._after = Thumbnail(self._pictures, f"Step {card.index}, after", opener)
        self._before.grid(row=0, column=0)
        self._after.grid(row=0, column=1, padx=(NEAR, 0))
        self.draw(card)

    def draw(self, card: StepCard) -> None:
        """Show the step as far as it has come."""
        took = f" · {card.seconds:.1f} s" if card.ok is not None else ""
        failed = card.ok is False
        self._head.configure(text=f"STEP {card.index}{took}")
        self._thought.say(card.thought)
        self._call.say(card.call)
        self._observation.say(f"{card.code}: {card.observation}" if failed else card.observation)
        self._hints.say(card.hints)
        self._change.say(card.change)
        if failed:
            self._observation.change("Error", TONES["failed"])
        self._before.draw(card.before, _before_caption(card))
        self._after.draw(card.after, _after_caption(card))
        self._pictured = card.pictured
        self._place_pictures()

    def fit(self, width: int) -> None:
        """Pictures beside the text where there is room, else below it."""
        self._wide = wide = width >= WIDE
        picture = min(WIDEST, round(width * PART) if wide else min(NARROW, (width - 2 * PAD - NEAR) // 2))
        self._before.fit(picture)
        self._after.fit(picture)
        self._place_pictures()
        self.wrap(width - 2 * PAD - CAPTIONS - (2 * picture + NEAR + PAD if wide else 0))

    def _place_pictures(self) -> None:
        """Beside the text their place is kept from the start; below it, they come when they are there."""
        if self._wide:
            self._pictures.grid(row=0, column=1, sticky="ne", padx=(0, PAD), pady=PAD)
        elif self._pictured:
            self._pictures.grid(row=1, column=0, sticky="w", padx=PAD, pady=(0, PAD))
        else:
            self._pictures.grid_forget()

    def _told(self, caption: str, font: ctk.CTkFont, color: Color) -> "Told":
        label = self.add(font, color)
        label.grid(column=1)
        return Told(self.texts, caption, label)


class Told:
    """A text of a step with its caption before it; both take no room as long as there is nothing to say."""

    def __init__(self, master: tk.Misc, caption: str, label: ctk.CTkLabel) -> None:
        self._label = label
        self._caption = ctk.CTkLabel(
            master, text=caption, font=small_font(), text_color=MUTED, width=CAPTIONS, height=0, anchor="w"
        )
        self._where = {"row": label.grid_info()["row"], "pady": (NEAR + 2, 0)}  # its smaller letters stand higher
        label.grid_remove()

    def say(self, text: str) -> None:
        """Set what it says."""
        self._label.configure(text=text)
        if text:
            self._label.grid()
            self._caption.grid(column=0, sticky="nw", **self._where)
        else:
            self._label.grid_remove()
            self._caption.grid_forget()

    def change(self, caption: str, color: Color) -> None:
        """Give it another caption and another color."""
        self._caption.configure(text=caption)
        self._label.configure(text_color=color)


class NoticeView(CardView):
    """Something to know."""

    def __init__(self, master: tk.Misc, card: NoticeCard) -> None:
        super().__init__(master, TONES["unverified"])
        self.add(text_font(), text=card.text)


class EndView(CardView):
    """How it ended, in the color of that."""

    def __init__(self, master: tk.Misc, card: EndCard) -> None:
        color = TONES[card.tone]
        super().__init__(master, color)
        self.add(strong_font(), color, card.title)
        self.add(text_font(), text=card.text)
        for piece in card.evidence:
            self.add(small_font(), MUTED, piece)


def view_of(card: Card, master: tk.Misc, opener: Opener) -> CardView:
    """The view that draws a card."""
    match card:
        case StepCard():
            return StepView(master, card, opener)
        case NoticeCard():
            return NoticeView(master, card)
        case EndCard():
            return EndView(master, card)


def _before_caption(card: StepCard) -> str:
    return "Before, place ringed" if card.before and card.before.marks.point else "Before"


def _after_caption(card: StepCard) -> str:
    return "After, changes framed" if card.after and card.after.marks.regions else "After"
