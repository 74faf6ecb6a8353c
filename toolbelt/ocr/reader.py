"""Read text off the screen: lines with a box around each word.

The reader cuts a frame into blocks, most of them one line high, and blocks into pieces of a few words. Each cut depends
only on the pixels of what is cut. The reader caches the text of a piece by its pixels: it reads what is new, not what
moved or came back, and the result always equals a full read.
"""

import functools
import hashlib
import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np

from toolbelt.ocr.engine import found_rows, recognized
from toolbelt.ocr.frame_diff import changed_regions
from toolbelt.ocr.lines import Line
from toolbelt.ocr.segmentation import Mask, inked, level, renew, standing_out
from world_model import Frame, Pixels, Region

MARGIN_PX: Final = 8  # around a region; text that touches the border is not found
TEXT_HEIGHT_MIN_PX: Final = 5  # lower text cannot be read
PADDING_PX: Final = 4  # around a text, read with it
CARET_MAX_PX: Final = 3  # the width of a caret
BORDER_OVERSHOOT_PX: Final = 2  # by which a border goes beyond a text that it touches
LINE_HEIGHT_MAX_PX: Final = 36  # a block that is not higher is one line
LARGE_HEIGHT_MIN_PX: Final = 22  # words as high as this are farther apart than what the segmentation joins
WORD_GAP_MAX_RATIO: Final = 0.6  # between two words of large text, to the height of the higher one
WORD_HEIGHT_MIN_RATIO: Final = 0.56  # of the lower word to the higher one, such as "on" beside "Paper"
ICON_WIDTH_MAX_RATIO: Final = 1.5  # to its height; a narrower block may be an icon beside a label, or a letter
LETTER_GAP_MAX_RATIO: Final = 0.4  # between two letters of the largest texts, to the height of the higher one
LETTER_HEIGHT_MIN_RATIO: Final = 0.7  # of the lower letter to the higher one
ROW_OVERLAP_MIN_RATIO: Final = 0.6  # of the lower one's height, for two blocks in one row
SPACE_MIN_PARTS: Final = 5  # one part of a row's height is the least gap between words
PIECE_WIDTH_MAX_RATIO: Final = 16  # of a piece to its height, if there is a space to cut at
KEPT: Final = 4096  # how many blocks, and how many pieces, a reader remembers
KEPT_FRAMES: Final = 3  # of which a reader remembers the lines

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class WordRun:
    """A few words in a row: where they are, and the hash of their pixels as `name`."""

    region: Region
    name: bytes


Rows = tuple[tuple[WordRun, ...], ...]


class Kept(Generic[Value]):
    """Values by name; if there are too many, the least recently used are dropped."""

    def __init__(self) -> None:
        self._values: OrderedDict[bytes, Value] = OrderedDict()

    def __contains__(self, name: bytes) -> bool:
        return name in self._values

    def __len__(self) -> int:
        return len(self._values)

    def get(self, name: bytes) -> Value:
        """Return the value of a name, which must be there."""
        self._values.move_to_end(name)
        return self._values[name]

    def keep(self, name: bytes, value: Value) -> None:
        """Add a value."""
        self._values[name] = value
        while len(self._values) > KEPT:
            self._values.popitem(last=False)


class Reader:
    """Reads the frames of one screen, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # an abandoned read still runs during the next one
        self._frame: Frame | None = None
        self._standing: Mask = np.zeros((0, 0), np.uint8)  # of that frame, as `standing_out` returns it
        self._lines: tuple[Line, ...] = ()
        self._known: deque[tuple[Frame, tuple[Line, ...]]] = deque(maxlen=KEPT_FRAMES)
        self._rows: Kept[Rows] = Kept()
        self._texts: Kept[Line | None] = Kept()

    def known(self, frame: Frame) -> tuple[Line, ...] | None:
        """Return the lines on a frame that was read lately; None if it must be read."""
        return next((lines for one, lines in tuple(self._known) if one is frame), None)

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """Return all lines on the frame, top to bottom."""
        if (known := self.known(frame)) is not None:
            return known
        with self._lock:
            before, self._frame = self._frame, None  # if this read fails, the next one starts afresh
            if self._see(before, frame):
                rows = [row for block in _blocks(self._standing) for row in self._cut(frame.pixels, block)]
                texts = self._read(frame.pixels, [piece for row in rows for piece in row])
                lines = [line.shifted(frame.origin.x, frame.origin.y) for row in rows if (line := _line(row, texts))]
                self._lines = tuple(sorted(_once(lines), key=lambda line: (line.region.y, line.region.x)))
            self._frame = frame
            self._known.append((frame, self._lines))
            return self._lines

    def _see(self, before: Frame | None, frame: Frame) -> bool:
        """Update what stands out; return whether anything changed."""
        if before is None or before.region != frame.region:
            self._standing = standing_out(frame.pixels)
            return True
        changed = changed_regions(before, frame)
        for region in changed:
            renew(self._standing, frame.pixels, region.shifted(-frame.origin.x, -frame.origin.y))
        return bool(changed)

    def _cut(self, pixels: Pixels, block: Region) -> Rows:
        """Return the pieces in a block, row by row."""
        seen = block.grown(MARGIN_PX).intersection(_whole(pixels))
        part, inner = _part(pixels, seen), block.shifted(-seen.x, -seen.y)
        name = _name(part, inner)
        if name not in self._rows:
            rows = [_alone(part, inner)] if _is_one_line(inner) else found_rows(part)
            self._rows.keep(name, tuple(tuple(_pieces(part, row)) for row in rows))
        at = seen.x, seen.y
        return tuple(
            tuple(WordRun(piece.region.shifted(*at), piece.name) for piece in row) for row in self._rows.get(name)
        )

    def _read(self, pixels: Pixels, pieces: list[WordRun]) -> dict[bytes, Line | None]:
        """Return the texts of the pieces by name; nothing is read twice."""
        new = {piece.name: _part(pixels, piece.region) for piece in pieces if piece.name not in self._texts}
        known = {piece.name: self._texts.get(piece.name) for piece in pieces if piece.name not in new}
        read = dict(zip(new, recognized(list(new.values())), strict=True))
        for name, line in read.items():
            self._texts.keep(name, line)
        return known | read


def _once(lines: list[Line]) -> list[Line]:
    """Drop lines that were read a second time with the dotted ring of the focus around them."""
    alike: dict[str, list[Region]] = {}
    for line in lines:
        alike.setdefault(line.text, []).append(line.region)
    return [
        line
        for line in lines
        if not any(one != line.region and one.intersection(line.region) == one for one in alike[line.text])
    ]


def _line(row: tuple[WordRun, ...], texts: dict[bytes, Line | None]) -> Line | None:
    """Join the pieces of a row into one line."""
    lines = [line.shifted(piece.region.x, piece.region.y) for piece in row if (line := texts[piece.name])]
    if not lines:
        return None
    region = functools.reduce(Region.union, (line.region for line in lines))
    return Line(" ".join(line.text for line in lines), region, tuple(word for line in lines for word in line.words))


def _name(pixels: Pixels, part: Region) -> bytes:
    """Return a hash of the pixels and the part."""
    numbers = *pixels.shape, part.x, part.y, part.width, part.height
    name = hashlib.blake2b(repr(numbers).encode(), digest_size=16)
    name.update(np.ascontiguousarray(pixels).data)
    return name.digest()


def read_region(frame: Frame, region: Region) -> list[Line]:
    """Return the lines in a region of the frame; none if the region is outside it."""
    part = frame.part(region.grown(MARGIN_PX))
    lines = Reader().read(part) if part.region.area else ()
    return [line for line in lines if line.region.center in region]


def _blocks(standing: Mask) -> list[Region]:
    """Return the parts of a picture that stand out from their surroundings, each about one line or one image."""
    # The same as connected components, in an eighth of the time.
    outlines, nested = cv2.findContours(standing, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [
        Region(*cv2.boundingRect(outline))
        for outline, (_next, _previous, _first, around) in zip(outlines, nested[0] if outlines else (), strict=True)
        if around < 0  # the others are holes
    ]
    return _rejoined([box for box in boxes if box.height >= TEXT_HEIGHT_MIN_PX])


def _rejoined(blocks: list[Region]) -> list[Region]:
    """Join the words of large text, which are farther apart, into one block."""
    joined: list[Region] = []
    for block in sorted(blocks, key=lambda block: block.x):
        large = block.height >= LARGE_HEIGHT_MIN_PX
        beside = next(
            (one for one in joined if (large or one.height >= LARGE_HEIGHT_MIN_PX) and _are_near(one, block)), None
        )
        if beside:
            joined.remove(beside)
        joined.append(block.union(beside) if beside else block)
    return joined


def _are_near(left: Region, right: Region) -> bool:
    """Whether two blocks are in one row, as near as the words of large text, or the letters of larger text."""
    low, high = sorted((left.height, right.height))
    space, least = (
        (WORD_GAP_MAX_RATIO, WORD_HEIGHT_MIN_RATIO)
        if left.width > ICON_WIDTH_MAX_RATIO * left.height
        else (LETTER_GAP_MAX_RATIO, LETTER_HEIGHT_MIN_RATIO)
    )
    if low < least * high or not 0 <= right.x - left.right <= space * high:
        return False
    return min(left.bottom, right.bottom) - max(left.y, right.y) >= ROW_OVERLAP_MIN_RATIO * low


def _is_one_line(block: Region) -> bool:
    return block.height <= LINE_HEIGHT_MAX_PX


def _alone(pixels: Pixels, block: Region) -> Region:
    """Return a line with its surroundings, but without a border that it touches on the left or right."""
    block = _without_caret(pixels, block)
    row = block.grown(PADDING_PX).intersection(_whole(pixels))
    ink = inked(
        _part(pixels, Region(row.x, block.y, row.width, block.height).grown(BORDER_OVERSHOOT_PX).intersection(row))
    )
    half = len(ink) // 2  # a border goes beyond the text at the top or at the bottom; a letter does not
    borders = np.flatnonzero(ink[:half].all(axis=0) | ink[half:].all(axis=0)) + row.x
    left = int(borders[borders < block.x].max(initial=row.x - 1)) + 1
    right = int(borders[borders >= block.right].min(initial=row.right))
    return Region(left, row.y, right - left, row.height)


def _without_caret(pixels: Pixels, block: Region) -> Region:
    """Return a line without a caret that touches its first letter, which would be read as another: `|o` as `b`."""
    seen = Region(block.x - CARET_MAX_PX, block.y, block.width + CARET_MAX_PX, block.height).intersection(
        _whole(pixels)
    )
    part = _part(pixels, seen)
    ink, even = inked(part), np.ptp(part, axis=0).max(axis=1) == 0
    bars = [column for column in np.flatnonzero(ink.all(axis=0) & even).tolist() if column <= 2 * CARET_MAX_PX]
    if not bars:
        return block
    left = bars[0] + int(np.argmin(np.append(even[bars[0] :], False)))
    rows = np.flatnonzero(ink[:, left + 1 :].any(axis=1))  # the column beside a caret differs from it at each height
    # A caret goes beyond the letters at the top and at the bottom; no letter does both.
    if not rows.size or min(rows[0], len(ink) - 1 - rows[-1]) < BORDER_OVERSHOOT_PX:
        return block
    return Region(seen.x + left, seen.y + int(rows[0]), seen.width - left, int(rows[-1] - rows[0]) + 1)


def _pieces(pixels: Pixels, row: Region) -> Iterator[WordRun]:
    """Cut a row at its wider spaces into pieces of a few words; the cuts depend only on its own pixels."""
    part = _part(pixels, row)
    inside = level(part)[PADDING_PX:-PADDING_PX]  # without the border of a textbox or the rule of a table
    columns = np.flatnonzero(inked(part).any(axis=0) | inside.any(axis=0))
    if not columns.size:
        return
    gaps = np.diff(columns)
    least = max(row.height // SPACE_MIN_PARTS, 2 * int(gaps.max(initial=0)) // 3)
    last = np.flatnonzero(gaps >= least)  # the last column of each word but the last
    starts, ends = columns[[0, *(last + 1)]].tolist(), [*columns[last].tolist(), int(columns[-1])]
    first = 0
    while first < len(starts):
        fitting = [
            at for at in range(first, len(ends)) if ends[at] - starts[first] <= PIECE_WIDTH_MAX_RATIO * row.height
        ]
        end = fitting[-1] if fitting else first
        if end < len(ends) - 1:  # cut at the widest gap: in wide type, a narrow gap may be inside a word
            cuts = range((first + end) // 2, end + 1)
            gap = {at: starts[at + 1] - ends[at] for at in cuts}
            end = max(cuts, key=gap.__getitem__)
            if ends[end] - starts[first] < 2 * row.height:  # one or two signs alone are read badly
                long = [at for at in cuts if ends[at] - starts[first] >= 2 * row.height and gap[at] >= gap[end] - 1]
                end = max(long, key=gap.__getitem__, default=end)
        beside = min(PADDING_PX, least // 2)  # nothing is read twice
        left = max(starts[first] - (beside if first else PADDING_PX), 0)
        right = min(ends[end] + 1 + (beside if end < len(ends) - 1 else PADDING_PX), row.width)
        piece = Region(row.x + left, row.y, right - left, row.height)
        yield WordRun(piece, _name(_part(pixels, piece), Region(0, 0, piece.width, piece.height)))
        first = end + 1


def _whole(pixels: Pixels) -> Region:
    return Region(0, 0, pixels.shape[1], pixels.shape[0])


def _part(pixels: Pixels, region: Region) -> Pixels:
    return pixels[region.y : region.bottom, region.x : region.right]
