"""Read a part of a frame at several times its size, and return the places on the desktop."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from toolbelt.ocr.lines import Line
from toolbelt.ocr.reader import read_region
from world_model import Frame, Region

ENLARGED_MAX_PX: Final = 1600  # the longer side of an enlarged part
SCALES: Final = (2, 4)  # the least that helps, and the most from which the reader gains


def scale_for(part: Region) -> int:
    """Return how many times a part is enlarged."""
    return min(max(ENLARGED_MAX_PX // max(part.width, part.height), SCALES[0]), SCALES[1])


def read_enlarged(frame: Frame, part: Region) -> list[Line]:
    """Return the lines in a part of a frame, read enlarged."""
    seen = part.intersection(frame.region)
    scale = scale_for(seen)
    pixels = cv2.resize(frame.crop(seen), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    large = Frame(np.asarray(pixels, np.uint8))
    return [_shrunk(line, scale, seen) for line in read_region(large, large.region)]


def _shrunk(line: Line, scale: int, part: Region) -> Line:
    """Return a line of the enlarged part, at its place on the desktop."""
    words = tuple(replace(word, region=_place(word.region, scale, part)) for word in line.words)
    return Line(line.text, _place(line.region, scale, part), words)


def _place(region: Region, scale: int, part: Region) -> Region:
    x, y, width, height = (number // scale for number in region.to_list())
    return Region(part.x + x, part.y + y, width, height)
