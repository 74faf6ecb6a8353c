"""Pieces: the texts in a picture with tight boxes, cut at wide gaps, checkboxes and the sides of controls."""

import functools
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line, Word
from toolbelt.ocr.reader import read_region
from world_model import Frame, Pixels, Region

TEXTS_KEPT: Final = 512  # texts that were read separately


@dataclass(frozen=True, slots=True)
class TextRun:
    """A separate text, and the box around its letters."""

    text: str
    region: Region


def pieces_of(line: Line, pixels: Pixels, ink: Pixels, boxes: list[Region], controls: list[Region]) -> list[TextRun]:
    """Return the texts of a line; `ink` has neither the borders of `controls` nor the checkboxes in `boxes`."""
    inside = [box for box in boxes if box.overlaps(line.region)]
    around, middle = line.region, line.region.center.y
    sides = [side - around.x for one in controls if one.y < middle < one.bottom for side in (one.x, one.right)]
    sides = [side for side in sides if 0 < side < around.width]
    parts = _parts(around, ink, sides)
    if len(parts) == 1 and not inside and not sides:
        return [TextRun(line.text.strip(), parts[0])]
    parts = [part for part in parts if not sides or part.width > THRESHOLDS.text_min_width_ratio * part.height]
    return [TextRun(text, part) for part in parts if (text := _text(line, part, pixels, inside))]


def _text(line: Line, part: Region, pixels: Pixels, boxes: list[Region]) -> str:
    """Return the text of a part of a line: its words, or if they do not fit, what is read there."""
    words = [word for word in line.words if 2 * _shared(word, part) > word.region.width]
    covered = any(box.overlaps(word.region) for box in boxes for word in words)
    if words and not covered and words[0].region.x - part.x <= part.height / 2:
        return " ".join(word.text for word in words)
    alone = pixels[part.y : part.bottom, part.x : part.right]
    return _read_alone(alone.tobytes(), part.width, part.height)


def _shared(word: Word, part: Region) -> int:
    return min(word.region.right, part.right) - max(word.region.x, part.x) if word.region.overlaps(part) else 0


@functools.lru_cache(maxsize=TEXTS_KEPT)
def _read_alone(data: bytes, width: int, height: int) -> str:
    """Read a picture that holds only one text; the same picture is read once."""
    pixels = np.frombuffer(data, np.uint8).reshape(height, width, 3)
    framed = cv2.copyMakeBorder(
        pixels,
        THRESHOLDS.text_reading_border_px,
        THRESHOLDS.text_reading_border_px,
        THRESHOLDS.text_reading_border_px,
        THRESHOLDS.text_reading_border_px,
        cv2.BORDER_REPLICATE,
    )
    frame = Frame(np.asarray(framed, np.uint8))
    return " ".join(line.text.strip() for line in read_region(frame, frame.region))


def _parts(region: Region, ink: Pixels, sides: list[int]) -> list[Region]:
    """Return the parts of a line that have letters, split at gaps wider than a letter is high and at `sides`."""
    trim = region.height // THRESHOLDS.line_margin_parts
    part = ink[region.y : region.bottom, region.x : region.right]
    columns = np.flatnonzero(part[trim : part.shape[0] - trim].any(axis=0))
    if not len(columns):
        return []
    height = _tight(part, columns[0], columns[-1] + 1)[1]
    walls = np.searchsorted(columns, sides)
    ends = np.union1d(np.flatnonzero(np.diff(columns) > height), walls[(walls > 0) & (walls < len(columns))] - 1)
    firsts = columns[np.append(0, ends + 1)]
    lasts = columns[np.append(ends, len(columns) - 1)] + 1
    found = []
    for first, last in zip(firsts, lasts, strict=True):
        top, high = _tight(part, first, last)
        found.append(Region(int(region.x + first), int(region.y + top), int(last - first), int(high)))
    bounds = Region(0, 0, ink.shape[1], ink.shape[0])
    return [one.grown(THRESHOLDS.text_margin_px).intersection(bounds) for one in found]


def _tight(part: Pixels, first: int, last: int) -> tuple[int, int]:
    """Return the first row with ink in some columns, and the number of rows from it to the last."""
    rows = np.flatnonzero(part[:, first:last].any(axis=1))
    return int(rows[0]), int(rows[-1] - rows[0] + 1)
