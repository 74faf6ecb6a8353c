"""Reading text off the screen: lines with a box around each word.

The PP-OCR models come inside rapidocr, so it works offline. Reading is incremental: only where pixels changed since the
last frame is anything read again, and nothing is read where nothing stands out from its background.
"""

import functools
import importlib.util
import sys
import threading
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from world_model import Frame, Pixels, Region

TILE: Final = 16  # pixels; changes are looked for in squares of about the height of a line
CONTRAST: Final = 24  # of 255; a tile whose pixels differ by less holds no text that could be read
MARGIN: Final = 8  # pixels around a region; text that touches the border is not found
BESIDE: Final = 16  # pixels; what comes up closer to the end of a line than this belongs to it
SURE: Final = 0.6  # what is read with less confidence is not text
MAX_SIDE: Final = 4096  # pixels; beyond, the reader would scale the picture down

Tiles = NDArray[np.bool_]
_READING: Final = threading.Lock()  # all readers share the models, which read one picture at a time


@dataclass(frozen=True, slots=True)
class Word:
    """One word and where it stands on the desktop."""

    text: str
    region: Region


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text and where it stands on the desktop."""

    text: str
    region: Region
    words: tuple[Word, ...] = ()


class Reader:
    """Reads the frames of one screen, one after the other."""

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._lines: tuple[Line, ...] = ()

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """All lines on the frame, top to bottom.

        A full read takes about 1 s at 1920x1080 on two cores, a changed dialog 60 ms, an unchanged frame nothing.
        """
        if self._frame is None or self._frame.region != frame.region:
            kept: tuple[Line, ...] = ()
            stale = [frame.region]
        else:
            stale = changed_regions(self._frame, frame)
            kept, stale = _split(self._lines, stale)
        new = [line for region in _worth_reading(frame, stale) for line in read_region(frame, region, kept)]
        self._lines = tuple(sorted([*kept, *new], key=lambda line: (line.region.y, line.region.x)))
        self._frame = frame
        return self._lines


def changed_regions(before: Frame, after: Frame) -> list[Region]:
    """Where two frames of the same screen differ: rectangles around pixels that changed near each other."""
    if before.same_as(after):
        return []
    if before.region != after.region:
        return [after.region]
    different = np.asarray(cv2.absdiff(before.pixels, after.pixels), np.uint8)
    return [_tight(different, box).shifted(after.origin.x, after.origin.y) for box in _boxes(_tiles(different) > 0)]


def read_region(frame: Frame, region: Region, known: tuple[Line, ...] = ()) -> list[Line]:
    """The lines within a part of the frame that are not known already."""
    seen = region.grown(MARGIN).intersection(frame.region)
    picture = cv2.cvtColor(frame.crop(seen), cv2.COLOR_RGB2BGR)
    for line in known:
        _wipe(picture, line.region.shifted(-seen.x, -seen.y))
    with _READING:
        found = _engine()(picture, return_word_box=True)
    if found.boxes is None:
        return []
    rows = zip(found.txts, found.scores, found.boxes, found.word_results, strict=True)
    return [
        Line(text, _around(box).shifted(seen.x, seen.y), _words(words, seen))
        for text, score, box, words in rows
        if score >= SURE and text.strip()
    ]


def _wipe(picture: Any, box: Region) -> None:  # noqa: ANN401 - OpenCV's arrays have no narrow type
    """Paint over a line that is known, so that no piece of it is read again; its neighbours overlap it by a pixel."""
    height, width = picture.shape[:2]
    part = Region(box.x, box.y + 1, box.width, box.height - 2).intersection(Region(0, 0, width, height))
    if part.area > 0:
        picture[part.y : part.bottom, part.x : part.right] = picture[part.y, part.x]


def _words(found: Any, seen: Region) -> tuple[Word, ...]:  # noqa: ANN401 - rapidocr gives tuples without a name
    return tuple(Word(text, _around(box).shifted(seen.x, seen.y)) for text, _score, box in found if text.strip())


def _around(corners: Any) -> Region:  # noqa: ANN401 - four points, as an array or as lists
    points = np.asarray(corners)
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Region(int(left), int(top), int(np.ceil(right - left)), int(np.ceil(bottom - top)))


def _split(lines: tuple[Line, ...], stale: list[Region]) -> tuple[tuple[Line, ...], list[Region]]:
    """The lines that no stale region touches, and the stale regions grown to the whole of those that one does."""
    near = [Region(one.x - BESIDE, one.y, one.width + 2 * BESIDE, one.height) for one in stale]
    touched = [line for line in lines if any(line.region.overlaps(region) for region in near)]
    return tuple(line for line in lines if line not in touched), [*stale, *(line.region for line in touched)]


def _worth_reading(frame: Frame, regions: list[Region]) -> list[Region]:
    """The parts of the regions where something stands out from its background, as separate rectangles."""
    if not regions:
        return []
    mask = np.zeros(frame.pixels.shape[:2], np.uint8)
    for region in regions:
        part = region.intersection(frame.region).shifted(-frame.origin.x, -frame.origin.y)
        mask[part.y : part.bottom, part.x : part.right] = 1
    busy = (_tiles(_contrast(frame.pixels)) > CONTRAST) & (_tiles(mask) > 0)
    joined = cv2.morphologyEx(busy.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 5), np.uint8))
    boxes = _apart([box.grown(TILE // 2) for box in _boxes(joined > 0)])
    return [box.shifted(frame.origin.x, frame.origin.y).intersection(frame.region) for box in boxes]


def _contrast(pixels: Pixels) -> Pixels:
    """How much each pixel differs from its neighbours."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)


def _tiles(values: Pixels) -> Pixels:
    """The highest value in each tile."""
    height, width = values.shape[:2]
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE, *values.shape[2:]), np.uint8)
    padded[:height, :width] = values
    rest = tuple(range(3, padded.ndim + 2))
    tiled: Pixels = padded.reshape(rows, TILE, columns, TILE, *values.shape[2:]).max(axis=(1, *rest))
    return tiled


def _boxes(tiles: Tiles) -> list[Region]:
    """The rectangles around tiles that touch, in pixels."""
    _count, _labels, stats, _centers = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=8)
    return [Region(*(int(value) * TILE for value in row[:4])) for row in stats[1:]]  # the first is the background


def _tight(different: Pixels, box: Region) -> Region:
    """The box, shrunk to the pixels in it that differ."""
    part = different[box.y : box.bottom, box.x : box.right].max(axis=2)
    x, y, width, height = cv2.boundingRect(part)
    return Region(box.x + x, box.y + y, width, height)


def _apart(boxes: list[Region]) -> list[Region]:
    """The boxes, with those that overlap made one."""
    done: list[Region] = []
    for box in boxes:
        joined = box
        while touching := [other for other in done if other.overlaps(joined)]:
            done = [other for other in done if other not in touching]
            joined = functools.reduce(Region.union, touching, joined)
        done.append(joined)
    return done


def warm_up() -> None:
    """Load the models now, on a thread of their own, so that the first read does not wait for them."""
    blank = Frame(np.zeros((4 * TILE, 4 * TILE, 3), np.uint8))
    threading.Thread(target=read_region, args=(blank, blank.region), name="reading-models", daemon=True).start()


@functools.cache
def _engine() -> Any:  # noqa: ANN401 - rapidocr ships no types
    # Importing openvino reports that to its maker, from a forked process, unless its reporter cannot be imported.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # Python's own way to say so
    from rapidocr import EngineType, RapidOCR  # noqa: PLC0415 - it takes a second to import, and not all runs read

    kind = EngineType.OPENVINO if importlib.util.find_spec("openvino") else EngineType.ONNXRUNTIME
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,  # text on a screen is upright
            "Global.max_side_len": MAX_SIDE,
            "Det.engine_type": kind,
            "Det.limit_type": "max",  # otherwise small pictures are blown up, which costs more and reads worse
            "Det.limit_side_len": MAX_SIDE,
            "Rec.engine_type": kind,
            "Cls.engine_type": kind,
        }
    )
