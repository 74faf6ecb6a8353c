"""Keys with one sign, such as those of a calculator: read one by one, with the free space around the sign.

Without that space, the recognizer takes `/` for `1` and finds nothing in `=` or a dot.
"""

import unicodedata
from functools import lru_cache
from typing import Final

import numpy as np

from toolbelt.elements.detector import elements_on
from toolbelt.elements.element import Element
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.engine import recognized
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import SIGNS, Match, find_exactly
from world_model import Frame, Region

INSET_PX: Final = 6  # of the border of a key
SIGN_ROOM_PX: Final = 14  # around a sign whose key has no outline that was found
KEY_MAX_RATIO: Final = 3.0  # of its width to its height; a wider button has room for a word


def keys_that_say(sign: str, frame: Frame, lines: tuple[Line, ...]) -> list[Match]:
    """Return the keys on a frame with this sign and nothing else; signs without a key only where no text says it."""
    found = [key for key, text in _read(frame, lines) if text == plain_sign(sign)]
    if keys := [key for key in found if key.role != "image"]:
        found = keys
    elif find_exactly(sign, lines):
        return []
    return [Match(key.region.center, sign, key.region, role=key.role) for key in found]


@lru_cache(maxsize=1)  # a frame is looked at while the sign is waited for, and once more where it is
def _read(frame: Frame, lines: tuple[Line, ...]) -> tuple[tuple[Element, str], ...]:
    places = [(key, _room(key).intersection(frame.region)) for key in elements_on(frame, lines) if _may_be_key(key)]
    read = recognized([np.ascontiguousarray(frame.crop(place)) for _, place in places])
    return tuple((key, plain_sign(line.text)) for (key, _), line in zip(places, read, strict=True) if line)


def _room(key: Element) -> Region:
    """Return the part of the screen in which the sign of a key is alone."""
    return key.region.grown(SIGN_ROOM_PX if key.role == "image" else -INSET_PX)


def plain_sign(text: str) -> str:
    """Reduce a sign to one for all that look like it."""
    return unicodedata.normalize("NFKC", text.strip()).translate(SIGNS).casefold()


def _may_be_key(element: Element) -> bool:
    box = element.region
    if max(len(element.text), len(element.holds)) > 1 or element.role not in {"button", "textbox", "image"}:
        return False
    fits = min(box.width, box.height) > 2 * INSET_PX or element.role == "image"
    return fits and box.height <= THRESHOLDS.one_line_max_height_px and box.width <= KEY_MAX_RATIO * box.height
