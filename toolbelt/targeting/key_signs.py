"""Keys with one sign, such as those of a calculator: read one by one, with the free space around the sign.

Without that space, the recognizer takes `/` for `1` and finds nothing in `=` or a dot.
"""

import unicodedata
from typing import Final

import numpy as np

from toolbelt.elements.detector import Element, elements_on
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.engine import recognized
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import SIGNS, Match
from world_model import Frame

INSET_PX: Final = 6  # of the border of a key
SIGN_ROOM_PX: Final = 14  # around a sign whose key has no outline that was found
KEY_MAX_RATIO: Final = 3.0  # of its width to its height; a wider button has room for a word


def keys_that_say(sign: str, frame: Frame, lines: tuple[Line, ...]) -> list[Match]:
    """Return the keys on a frame with this sign and nothing else."""
    keys = [one for one in elements_on(frame, lines) if _may_be_key(one)]
    places = [
        one.region.grown(SIGN_ROOM_PX if one.role == "image" else -INSET_PX).intersection(frame.region) for one in keys
    ]
    read = recognized([np.ascontiguousarray(frame.crop(place)) for place in places])
    found = [key for key, line in zip(keys, read, strict=True) if line and plain_sign(line.text) == plain_sign(sign)]
    return [Match(key.region.center, sign, key.region, role=key.role) for key in found]


def plain_sign(text: str) -> str:
    """Reduce a sign to one for all that look like it."""
    return unicodedata.normalize("NFKC", text.strip()).translate(SIGNS).casefold()


def _may_be_key(element: Element) -> bool:
    box = element.region
    if max(len(element.text), len(element.holds)) > 1 or element.role not in {"button", "textbox", "image"}:
        return False
    return box.height <= THRESHOLDS.one_line_max_height_px and box.width <= KEY_MAX_RATIO * box.height
