"""The cards of the log. Each draws one value of the state, and redraws only itself when that changes."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.pictures import Shot
from gui.state import Card, EndCard, NoticeCard, StepCard
from gui.style import (
    BORDER,
    MUTED,
    NEAR,
    ROUND,
    SUNKEN,
    SURFACE,
    TEXT,
    TONES,
    Color,
    code_font,
    small_font,
    strong_font,
    text_font,
)

Opener = Callable[[str, Shot], None]  # shows a picture large, under a title

WIDE: Final = 640  # from this width on, the pictures stand beside the text
PICTURE: Final = 200  # width of a picture at most
PAD: Final = 14  # between a card's border and what is in it


class CardView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What all cards have: a frame, and lines of text that wrap at its width."""

    def __init__(self, master: tk.Misc, border: Color = BORDER) -> None:
        super().__init__(master, fg_color=SURFACE, border_color=border, border_width=1, corner_radius=ROUND)
        self._lines: list[ctk.CTkLabel] = []
        self.grid_columnconfigure(0, weight=1)
        self.text = ctk.CTkFrame(self, fg_color="transparent")
        self.text.grid(row=0, column=0, sticky="new", padx=PAD, pady=PAD)

    def line(self, font: ctk.CTkFont, color: Color = TEXT, above: int = 0) -> ctk.CTkLabel:
        """A new line of text below the others; it takes no room until it says something."""
        label = ctk.CTkLabel(self.text, text="", font=font, text_color=color, justify="left", anchor="w", height=0)
        label.above = above
        self._lines.append(label)
        return label

    def say(self, label: ctk.CTkLabel, text: str, color: Color | None = None) -> None:
        """Set what a line says."""
        label.configure(text=text, **({"text_color": color} if color else {}))
        if text:
            label.grid(row=self._lines.index(label), column=0, sticky="w", pady=(label.above, 0))
        else:
            label.grid_forget()

    def fit(self, width: int) -> None:
        """Wrap at the card's new width."""
        self.wrap(width - 2 * PAD)

    def wrap(self, width: int) -> None:
        """Wrap the text at a width."""
        for label in self._lines:
            label.configure(wraplength=max(80, width))


class StepView(CardView):
    """One step: before and after, and what was thought, done and seen."""

    def __init__(self, master: tk.Misc, card: StepCard, opener: Opener) -> None:
        super().__init__(master)
        self._head = self.line(small_font(), MUTED)
        self._thought = self.line(text_font(), above=2)
        self._call = self.line(code_font(), TONES["busy"], above=NEAR)
        self._observation = self.line(text_font(), above=NEAR)
        self._change = self.line(small_font(), MUTED, above=NEAR)
        self._pictures = ctk.CTkFrame(self, fg_color="transparent")
        self._before = PictureView(self._pictures, f"Step {card.index}, before", opener)
        self._after = PictureView(self._pictures, f"Step {card.index}, after", opener)
        self._before.grid(row=0, column=0)
        self._after.grid(row=0, column=1, padx=(NEAR, 0))
        self.draw(card)

    def draw(self, card: StepCard) -> None:
        """Show the step as far as it has come."""
        took = f" · {card.seconds:.1f} s" if card.ok is not None else ""
        self.say(self._head, f"STEP {card.index}{took}")
        self.say(self._thought, card.thought)
        self.say(self._call, card.call)
        self._draw_observation(card)
        self._before.draw(card.before, _before_caption(card))
        self._after.draw(card.after, _after_caption(card))

    def fit(self, width: int) -> None:
        """Pictures beside the text where there is room, else below it."""
        wide = width >= WIDE
        room = (width - 2 * PAD - NEAR) // 2
        picture = PICTURE if wide else min(PICTURE, room)
        for view in (self._before, self._after):
            view.fit(picture)
        if wide:
            self._pictures.grid(row=0, column=1, sticky="ne", padx=(0, PAD), pady=PAD)
        else:
            self._pictures.grid(row=1, column=0, sticky="w", padx=PAD, pady=(0, PAD))
        self.wrap(width - 2 * PAD - (2 * picture + NEAR + PAD if wide else 0))

    def _draw_observation(self, card: StepCard) -> None:
        if card.ok is None:
            self.say(self._observation, "")
        elif card.ok:
            self.say(self._observation, card.observation, TEXT)
        else:
            self.say(self._observation, f"{card.code}: {card.observation}", TONES["failed"])
        self.say(self._change, card.change)


class PictureView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """A small picture with its caption; a click opens it large."""

    def __init__(self, master: tk.Misc, title: str, opener: Opener) -> None:
        super().__init__(master, fg_color="transparent")
        self._title = title
        self._opener = opener
        self._shot: Shot | None = None
        self._image: ctk.CTkImage | None = None
        self._width = PICTURE
        self._label = ctk.CTkLabel(self, text="", fg_color=SUNKEN, corner_radius=0)
        self._label.bind("<Button-1>", self._open)
        self._label.grid(row=0, column=0)
        self._caption = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._caption.grid(row=1, column=0, sticky="w", pady=(3, 0))
        self._size()

    def draw(self, shot: Shot | None, caption: str) -> None:
        """Show a picture, or an empty place for one that is still to come."""
        self._caption.configure(text=caption)
        if shot is not None and shot is not self._shot:
            self._shot = shot
            self._image = ctk.CTkImage(shot.small, size=self._measures())
            self._label.configure(image=self._image, cursor="hand2")
            self._size()

    def fit(self, width: int) -> None:
        """Be so wide."""
        if width != self._width:
            self._width = width
            self._size()

    def _size(self) -> None:
        width, height = self._measures()
        self._label.configure(width=width, height=height)
        if self._image:
            self._image.configure(size=(width, height))

    def _measures(self) -> tuple[int, int]:
        across, down = self._shot.small.size if self._shot else (16, 9)
        return self._width, max(1, round(self._width * down / across))

    def _open(self, _event: object) -> None:
        if self._shot:
            self._opener(self._title, self._shot)


class NoticeView(CardView):
    """Something to know."""

    def __init__(self, master: tk.Misc, card: NoticeCard) -> None:
        super().__init__(master, TONES["unverified"])
        self.say(self.line(text_font()), card.text)


class EndView(CardView):
    """How it ended, in the colour of that."""

    def __init__(self, master: tk.Misc, card: EndCard) -> None:
        color = TONES[card.tone]
        super().__init__(master, color)
        self.say(self.line(strong_font(), color), card.title)
        self.say(self.line(text_font(), above=NEAR), card.text)
        for piece in card.evidence:
            self.say(self.line(small_font(), MUTED, above=NEAR), piece)


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
