"""Reading text off the screen: lines with a box around each word.

A frame is cut into blocks, most of them one line high, and those into pieces of a few words, at nothing but its own
pixels. What a piece says is kept by the piece's pixels: only what is new is read, what has moved or comes back is not,
and the result is always that of a full read.
"""

import functools
import hashlib
import threading
from collections import OrderedDict
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

MARGIN: Final = 8  # pixels around a region; text that touches the border is not found
LOWEST: Final = 5  # pixels; lower text cannot be read
AROUND: Final = 4  # pixels around a text that are read with it
HIGHER: Final = 2  # pixels by which a border goes beyond a text that it touches
LINE: Final = 36  # pixels; a block that is not higher is one line
LARGE: Final = 22  # pixels of height; so large words stand farther apart than what is joined at once ...
SPACED: Final = 0.6  # ... by so much of the higher one's height at most ...
LOW: Final = 0.56  # ... of which the lower one has so much at least, as "on" beside "Paper" has
SIGN: Final = 1.5  # times its height; what is no wider may be an icon with a label ...
APART: Final = 0.4  # ... if it is not as near as letters of the largest texts, by their height ...
ALIKE: Final = 0.7  # ... and about as high
IN_ROW: Final = 0.6  # of the lower one's height is beside the other, in one row
SPACE: Final = 5  # words are apart by at least one of so many parts of their row's height
CHUNK: Final = 16  # times its height that a piece of a line is long at most, if it has a space
KEPT: Final = 4096  # blocks and pieces that a reader remembers

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Piece:
    """A few words in a row: where they stand, and the name of their pixels."""

    region: Region
    name: bytes


Rows = tuple[tuple[Piece, ...], ...]


class Kept(Generic[Value]):
    """Values by name; of many, those that were asked for last."""

    def __init__(self) -> None:
        self._values: OrderedDict[bytes, Value] = OrderedDict()

    def __contains__(self, name: bytes) -> bool:
        return name in self._values

    def __len__(self) -> int:
        return len(self._values)

    def get(self, name: bytes) -> Value:
        """The value of that name, which must be there."""
        self._values.move_to_end(name)
        return self._values[name]

    def keep(self, name: bytes, value: Value) -> None:
        """Keep one more."""
        self._values[name] = value
        while len(self._values) > KEPT:
            self._values.popitem(last=False)


class Reader:
    """Reads the frames of one screen, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # a read that was given up on goes on beside the next
        self._frame: Frame | None = None
        self._standing: Mask = np.zeros((0, 0), np.uint8)  # as `standing_out` has it, of that frame
        self._lines: tuple[Line, ...] = ()
        self._rows: Kept[Rows] = Kept()
        self._texts: Kept[Line | None] = Kept()

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """All lines on the frame, top to bottom."""
        with self._lock:
            before, self._frame = self._frame, None  # where this fails, the next read begins anew
            if self._see(before, frame):
                rows = [row for block in _blocks(self._standing) for row in self._cut(frame.pixels, block)]
                texts = self._read(frame.pixels, [piece for row in rows for piece in row])
                lines = [line.shifted(frame.origin.x, frame.origin.y) for row in rows if (line := _line(row, texts))]
                self._lines = tuple(sorted(_once(lines), key=lambda line: (line.region.y, line.region.x)))
            self._frame = frame
            return self._lines

    def _see(self, before: Frame | None, frame: Frame) -> bool:
        """Keep what stands out; whether anything is different."""
        if before is None or before.region != frame.region:
            self._standing = standing_out(frame.pixels)
            return True
        changed = changed_regions(before, frame)
        for region in changed:
            renew(self._standing, frame.pixels, region.shifted(-frame.origin.x, -frame.origin.y))
        return bool(changed)

    def _cut(self, pixels: Pixels, block: Region) -> Rows:
        """The pieces in a block, row by row."""
        seen = block.grown(MARGIN).intersection(_whole(pixels))
        part, inner = _part(pixels, seen), block.shifted(-seen.x, -seen.y)
        name = _name(part, inner)
        if name not in self._rows:
            rows = [_alone(part, inner)] if _is_one_line(inner) else found_rows(part)
            self._rows.keep(name, tuple(tuple(_pieces(part, row)) for row in rows))
        at = seen.x, seen.y
        return tuple(
            tuple(Piece(piece.region.shifted(*at), piece.name) for piece in row) for row in self._rows.get(name)
        )

    def _read(self, pixels: Pixels, pieces: list[Piece]) -> dict[bytes, Line | None]:
        """What the pieces say, by their names; nothing that was read before is read again."""
        new = {piece.name: _part(pixels, piece.region) for piece in pieces if piece.name not in self._texts}
        known = {piece.name: self._texts.get(piece.name) for piece in pieces if piece.name not in new}
        read = dict(zip(new, recognized(list(new.values())), strict=True))
        for name, line in read.items():
            self._texts.keep(name, line)
        return known | read


def _once(lines: list[Line]) -> list[Line]:
    """The lines without those that were read a second time with a ring of dots around them, as the focus has one."""
    alike: dict[str, list[Region]] = {}
    for line in lines:
        alike.setdefault(line.text, []).append(line.region)
    return [
        line
        for line in lines
        if not any(one != line.region and one.intersection(line.region) == one for one in alike[line.text])
    ]


def _line(row: tuple[Piece, ...], texts: dict[bytes, Line | None]) -> Line | None:
    """A row's pieces as one line."""
    lines = [line.shifted(piece.region.x, piece.region.y) for piece in row if (line := texts[piece.name])]
    if not lines:
        return None
    region = functools.reduce(Region.union, (line.region for line in lines))
    return Line(" ".join(line.text for line in lines), region, tuple(word for line in lines for word in line.words))


def _name(pixels: Pixels, part: Region) -> bytes:
    """The same for the same part of the same pixels."""
    numbers = *pixels.shape, part.x, part.y, part.width, part.height
    name = hashlib.blake2b(repr(numbers).encode(), digest_size=16)
    name.update(np.ascontiguousarray(pixels).data)
    return name.digest()


def read_region(frame: Frame, region: Region) -> list[Line]:
    """The lines within a part of the frame; none where it is no part of it."""
    part = frame.part(region.grown(MARGIN))
    return list(Reader().read(part)) if part.region.area else []


def _blocks(standing: Mask) -> list[Region]:
    """The parts of a picture where something stands out from what is beside it, each about one line or one picture."""
    # As connected components, in an eighth of the time.
    outlines, nested = cv2.findContours(standing, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [
        Region(*cv2.boundingRect(outline))
        for outline, (_next, _previous, _first, around) in zip(outlines, nested[0] if outlines else (), strict=True)
        if around < 0  # the others are holes
    ]
    return _rejoined([box for box in boxes if box.height >= LOWEST])


def _rejoined(blocks: list[Region]) -> list[Region]:
    """The blocks, with the words of large text, which stand farther apart, together again."""
    joined: list[Region] = []
    for block in sorted(blocks, key=lambda block: block.x):
        large = block.height >= LARGE
        beside = next((one for one in joined if (large or one.height >= LARGE) and _are_near(one, block)), None)
        if beside:
            joined.remove(beside)
        joined.append(block.union(beside) if beside else block)
    return joined


def _are_near(left: Region, right: Region) -> bool:
    """Whether two blocks stand in one row, as near as words of a large text do, or as letters of a larger one."""
    low, high = sorted((left.height, right.height))
    space, least = (SPACED, LOW) if left.width > SIGN * left.height else (APART, ALIKE)
    if low < least * high or not 0 <= right.x - left.right <= space * high:
        return False
    return min(left.bottom, right.bottom) - max(left.y, right.y) >= IN_ROW * low


def _is_one_line(block: Region) -> bool:
    return block.height <= LINE


def _alone(pixels: Pixels, block: Region) -> Region:
    """A line with what is around it, but to its left and right without a border that it touches."""
    row = block.grown(AROUND).intersection(_whole(pixels))
    ink = inked(_part(pixels, Region(row.x, block.y, row.width, block.height).grown(HIGHER).intersection(row)))
    half = len(ink) // 2  # a border is higher than the text at least on one side; no letter is
    borders = np.flatnonzero(ink[:half].all(axis=0) | ink[half:].all(axis=0)) + row.x
    left = int(borders[borders < block.x].max(initial=row.x - 1)) + 1
    right = int(borders[borders >= block.right].min(initial=row.right))
    return Region(left, row.y, right - left, row.height)


def _pieces(pixels: Pixels, row: Region) -> Iterator[Piece]:
    """The row cut at its wider spaces into pieces of a few words, at nothing but its own pixels."""
    part = _part(pixels, row)
    inside = level(part)[AROUND:-AROUND]  # without the border of a field or the rule of a table
    columns = np.flatnonzero(inked(part).any(axis=0) | inside.any(axis=0))
    if not columns.size:
        return
    gaps = np.diff(columns)
    least = max(row.height // SPACE, 2 * int(gaps.max(initial=0)) // 3)
    last = np.flatnonzero(gaps >= least)  # the last column of each word but the last
    starts, ends = columns[[0, *(last + 1)]].tolist(), [*columns[last].tolist(), int(columns[-1])]
    first = 0
    while first < len(starts):
        fitting = [at for at in range(first, len(ends)) if ends[at] - starts[first] <= CHUNK * row.height]
        end = fitting[-1] if fitting else first
        if end < len(ends) - 1:  # the widest: where letters stand far apart, a narrow one may be inside a word
            cuts = range((first + end) // 2, end + 1)
            gap = {at: starts[at + 1] - ends[at] for at in cuts}
            end = max(cuts, key=gap.__getitem__)
            if ends[end] - starts[first] < 2 * row.height:  # a sign or two alone, which are read badly
                long = [at for at in cuts if ends[at] - starts[first] >= 2 * row.height and gap[at] >= gap[end] - 1]
                end = max(long, key=gap.__getitem__, default=end)
        beside = min(AROUND, least // 2)  # nothing is read twice
        left = max(starts[first] - (beside if first else AROUND), 0)
        right = min(ends[end] + 1 + (beside if end < len(ends) - 1 else AROUND), row.width)
        piece = Region(row.x + left, row.y, right - left, row.height)
        yield Piece(piece, _name(_part(pixels, piece), Region(0, 0, piece.width, piece.height)))
        first = end + 1


def _whole(pixels: Pixels) -> Region:
    return Region(0, 0, pixels.shape[1], pixels.shape[0])


def _part(pixels: Pixels, region: Region) -> Pixels:
    return pixels[region.y : region.bottom, region.x : region.right]
