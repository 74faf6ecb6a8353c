"""Draws a card of the log on a canvas; canvas items cost a fraction of widgets, which counts for thousands of cards."""

import itertools
import re
import tkinter as tk
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from tkinter.font import Font
from typing import Final, Literal

from PIL import Image, ImageTk

from gui.kit.style import (
    BORDER,
    CORNER_PX,
    HIGHLIGHT,
    MUTED,
    NEAR_PX,
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
from gui.log.card_buttons import BUTTON, CardButton, buttons_of, title_of_button
from gui.log.card_parts import Kind, Part, has_details, parts_of
from gui.log.thumbnail_thread import Thumbnails
from gui.run.proofs import Proof
from gui.run.state import Card, EndCard, NoticeCard, PersonCard, StepCard
from gui.toolkit import ctk
from mark_i.runs import Shot

WIDE_PX: Final = 640  # width from which the images are beside the text
IMAGE_PART: Final = 0.21  # of that width, for each of the two
MAX_IMAGE_PX: Final = 256  # width of an image beside the text
MAX_IMAGE_BELOW_PX: Final = 200  # width of an image below the text
PAD_PX: Final = 14  # between the border of a card and its content
CAPTION_PX: Final = 80  # width of the captions of a step
MIN_WRAP_PX: Final = 80
BUTTON_PAD_PX: Final = 8  # around its title
COPY, DETAILS, LESS = "Copy", "Details", "Less"
FONTS: Final[Mapping[Kind, Callable[[], ctk.CTkFont]]] = {
    "head": small_font,
    "strong": strong_font,
    "text": text_font,
    "code": code_font,
    "small": small_font,
}
QUIET: Final = frozenset({"head", "small"})  # the kinds that are read second


@dataclass(slots=True)
class PaintedCard:
    """A card that is drawn.

    Attributes:
        card: its content.
        tag: of all its canvas items.
        height: in pixels.
        found: how far below its top the first match of the search is.
        missing: the images that were not ready.
        images: those that are; Tk drops images that nothing refers to.
        look: whatever else it was drawn with; the caller decides what that is.
    """

    card: Card
    tag: str
    height: int = 0
    found: int | None = None
    missing: list[Shot] = field(default_factory=list)
    images: list[ImageTk.PhotoImage] = field(default_factory=list)
    look: tuple[object, ...] = ()


class CardPainter:
    """Draws cards with their top at 0, under a tag by which they can be moved."""

    def __init__(self, view: tk.Canvas, thumbnails: Thumbnails, color: Callable[[Color], str]) -> None:
        self._view, self._thumbnails, self._color = view, thumbnails, color
        self._width, self._scale = 0, 1.0
        self._fonts: dict[Kind, Font] = {}
        self._shape = (16, 9)  # of the pictures, until the first one is seen

    def fit(self, width: int, scale: float) -> None:
        """Set the width, in pixels, and the scale."""
        if scale != self._scale or not self._fonts:
            self._fonts = {kind: Font(self._view, font().create_scaled_tuple(scale)) for kind, font in FONTS.items()}
        self._width, self._scale = width, scale

    def paint(self, card: Card, tag: str, *, border: Color | None, words: str, detailed: bool) -> PaintedCard:
        """Draw a card. `border` marks the selected one, `words` are searched for."""
        painted = PaintedCard(card, tag)
        wide = self._width >= self._px(WIDE_PX)
        widest = self._px(MAX_IMAGE_PX if wide else MAX_IMAGE_BELOW_PX)
        picture = min(
            widest, round(self._width * IMAGE_PART) if wide else (self._width - self._px(2 * PAD_PX + NEAR_PX)) // 2
        )
        pictured = isinstance(card, StepCard) and (card.pictured or (wide and bool(card.sentence)))
        beside = 2 * picture + self._px(NEAR_PX + PAD_PX) if wide and pictured else 0
        pad, right = self._px(PAD_PX), self._width - self._px(PAD_PX) - beside
        with_words = re.compile(re.escape(words), re.IGNORECASE) if words else None
        bottom = self._texts(painted, right, with_words, detailed=detailed)
        if pictured and isinstance(card, StepCard):
            corner = (right + pad, pad) if wide else (pad, bottom + self._px(NEAR_PX))
            bottom = max(bottom, self._pictures(painted, card, corner, max(1, picture)))
        if buttons := buttons_of(card):
            bottom = self._buttons(painted, buttons, (pad, bottom + self._px(NEAR_PX)))
        painted.height = bottom + pad
        self._ground(painted, border)
        return painted

    def _px(self, units: float) -> int:
        return round(units * self._scale)

    def _texts(self, painted: PaintedCard, right: int, with_words: re.Pattern[str] | None, *, detailed: bool) -> int:
        """Draw the texts.

        Returns:
            Where they end.
        """
        pad = y = self._px(PAD_PX)
        copy = self._text(painted, Part(COPY, kind="small", tone="busy"), (right, y), anchor="ne", also=("copy",))
        end = self._view.bbox(copy)[0] - pad  # of the first line, which shares its room with these words
        if has_details(painted.card):
            more = Part(LESS if detailed else DETAILS, kind="small", tone="busy")
            end = self._view.bbox(self._text(painted, more, (end, y), anchor="ne", also=("details",)))[0] - pad
            # What is found is seen.
            brief = parts_of(painted.card, detailed=False)
            hidden = (part.text for part in parts_of(painted.card) if part not in brief)
            detailed = detailed or bool(with_words and any(map(with_words.search, hidden)))
        for part in parts_of(painted.card, detailed=detailed):
            x = pad
            if part.caption:
                self._text(painted, Part(part.caption, kind="small"), (x, y + self._px(2)))  # smaller: stands higher
                x += self._px(CAPTION_PX)
            item = self._text(painted, part, (x, y), max(self._px(MIN_WRAP_PX), end - x))
            if with_words and part.kind != "head":
                self._mark(painted, item, part, with_words)
            y, end = self._view.bbox(item)[3] + self._px(NEAR_PX), right
        return y - self._px(NEAR_PX)

    def _buttons(self, painted: PaintedCard, buttons: Sequence[CardButton], corner: tuple[int, int]) -> int:
        """Draw buttons side by side, in as many rows as they need.

        Returns:
            Where they end.
        """
        (x, y), pad, near, low = corner, self._px(BUTTON_PAD_PX), self._px(NEAR_PX), corner[1]
        for number, button in enumerate(buttons):
            also = (f"{BUTTON}{number}",)
            kind: Kind = "small" if isinstance(button, Proof) else "strong"  # to look is not what must be done next
            part = Part(title_of_button(button), kind=kind, tone="busy")
            wide = self._fonts[part.kind].measure(part.text) + 2 * pad
            if x > corner[0] and x + wide > self._width - corner[0]:
                x, y = corner[0], low + near
            text = self._text(painted, part, (x + pad, y + pad), also=also)
            _, _, right, low = (edge + pad for edge in self._view.bbox(text))
            box = self._view.create_polygon(
                _rounded(x, y, right, low, self._px(CORNER_PX)),
                smooth=True,
                fill=self._color(SURFACE),
                outline=self._color(TONES["busy"]),
                tags=(painted.tag, *also),
            )
            self._view.tag_lower(box, text)
            x = right + near
        return low

    def _text(  # noqa: PLR0913 - what Tk's own call takes, and no more
        self,
        painted: PaintedCard,
        part: Part,
        corner: tuple[int, int],
        width: int = 0,
        *,
        anchor: Literal["nw", "ne"] = "nw",
        also: tuple[str, ...] = (),
    ) -> int:
        return self._view.create_text(
            *corner,
            text=part.text,
            font=self._fonts[part.kind],
            fill=self._color(TONES[part.tone] if part.tone else MUTED if part.kind in QUIET else TEXT),
            width=width,
            anchor=anchor,
            tags=(painted.tag, *also),
        )

    def _mark(self, painted: PaintedCard, item: int, part: Part, with_words: re.Pattern[str]) -> None:
        """Highlight each match of the search."""
        for found in with_words.finditer(part.text):
            for box in self._boxes(item, part, *found.span()):
                painted.found = box[1] if painted.found is None else painted.found
                self._view.tag_lower(
                    self._view.create_rectangle(box, fill=self._color(HIGHLIGHT), width=0, tags=(painted.tag,)), item
                )

    def _boxes(self, item: int, part: Part, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
        """Find where a part of a text is, line by line as Tk wrapped it."""
        font, (x, top, _right, bottom) = self._fonts[part.kind], self._view.bbox(item)
        high = font.metrics("linespace")
        lines = [self._view.index(item, f"@{x},{y + high // 2}") for y in range(top, bottom - high // 2, high)]  # type: ignore[no-untyped-call]
        for number, (first, after) in enumerate(itertools.pairwise([*lines, len(part.text)])):
            begin, stop = max(start, first), min(end, after)
            if begin < stop:
                left = x + font.measure(part.text[first:begin])
                width = font.measure(part.text[begin:stop].rstrip("\n"))
                yield left, top + number * high, left + width, top + (number + 1) * high

    def _pictures(self, painted: PaintedCard, card: StepCard, corner: tuple[int, int], width: int) -> int:
        """Draw before and after, side by side.

        Returns:
            Where they end.
        """
        x, y = corner
        bottom = y
        ringed = "Before, place circled" if card.before and card.before.point else "Before"
        framed = "After, changes outlined" if card.after and card.after.regions else "After"
        for side, shot, caption in (("before", card.before, ringed), ("after", card.after, framed)):
            below = y + self._picture(painted, shot, side, (x, y), width)
            text = self._text(painted, Part(caption, kind="small"), (x, below + self._px(3)), width)
            bottom = max(bottom, self._view.bbox(text)[3])
            x += width + self._px(NEAR_PX)
        return bottom

    def _picture(self, painted: PaintedCard, shot: Shot | None, side: str, corner: tuple[int, int], width: int) -> int:
        """Draw one of them, or a placeholder.

        Returns:
            Its height.
        """
        x, y = corner
        image = self._thumbnails.small(shot) if shot else None
        if image:
            self._shape = image.size
        elif shot:
            painted.missing.append(shot)
        height = max(1, round(width * self._shape[1] / self._shape[0]))
        tags = (painted.tag, side) if shot else (painted.tag,)
        self._view.create_rectangle(x, y, x + width, y + height, fill=self._color(SUNKEN), width=0, tags=tags)
        if image:
            fitting = image.resize((width, height), Image.Resampling.BILINEAR)
            painted.images.append(ImageTk.PhotoImage(fitting, master=self._view))
            self._view.create_image(x, y, image=painted.images[-1], anchor="nw", tags=tags)
        return height

    def _ground(self, painted: PaintedCard, border: Color | None) -> None:
        """Draw the card's background, below all else."""
        match painted.card:
            case NoticeCard(asks=True):
                usual = TONES["unverified"]
            case PersonCard():
                usual = TONES["busy"]
            case EndCard(tone):
                usual = TONES[tone]
            case StepCard() | NoticeCard():
                usual = BORDER
        line = self._px(2) if border else max(1, self._px(1))
        ground = self._view.create_polygon(
            _rounded(
                line // 2, line // 2, self._width - 1 - line // 2, painted.height - 1 - line // 2, self._px(CORNER_PX)
            ),
            smooth=True,
            fill=self._color(SURFACE),
            outline=self._color(border or usual),
            width=line,
            tags=(painted.tag,),
        )
        self._view.tag_lower(ground, painted.tag)


def _rounded(left: int, top: int, right: int, bottom: int, radius: int) -> list[int]:
    """The corners of a smooth polygon, where a point given twice ends a straight line."""
    r, b = radius, bottom
    return [
        *(left + r, top, left + r, top, right - r, top, right - r, top, right, top, right, top + r, right, top + r),
        *(right, b - r, right, b - r, right, b, right - r, b, right - r, b, left + r, b, left + r, b, left, b),
        *(left, b - r, left, b - r, left, top + r, left, top + r, left, top),
    ]
