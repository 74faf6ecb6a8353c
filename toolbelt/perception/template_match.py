"""Find an image on the screen, at its own size or at another."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from world_model import Frame, Pixels, Region, ToolFailure

SCORE_MIN: Final = 0.9  # of 1.0: the same image with other antialiasing reaches it, another icon does not
CONTRAST_RATIOS: Final = (0.6, 1.67)  # to its own; a grayed-out control has less, and is not a match
# The first with a match counts.
OWN_SCALE: Final = (1.0,)
SCALES: Final = (1.0, 2.0, 0.5, 1.5, 0.75, 1.25, 0.67, 1.33, 0.9, 1.1, 0.8, 1.2, 1.75, 3.0)
DEVIATION_MIN: Final = 3.0  # of its values; an image with less has nothing to recognize
SIDE_MIN_PX: Final = 6  # of each side
MATCHES_MAX: Final = 20  # more than a few mean that the image is not distinctive


def image_in(path: str) -> Pixels:
    """Return the image in a file, as RGB.

    Raises:
        ToolFailure: `FILE_NOT_FOUND`; or `INVALID_ARGS` if it is not an image, or shows too little to be found.
    """
    try:
        file = Path(path).expanduser()
        if file.is_fifo() or file.is_char_device() or file.is_block_device():  # opening one may block or do something
            raise ToolFailure("INVALID_ARGS", f"{path} is not a regular file.", ["Give a text or a point."])
        with Image.open(file) as image:
            pixels = np.asarray(image.convert("RGB"))
    except FileNotFoundError as error:
        raise ToolFailure("FILE_NOT_FOUND", f"There is no file {path}.", ["Give a text or a point."]) from error
    except (OSError, RuntimeError, UnidentifiedImageError, ValueError, Image.DecompressionBombError) as error:
        raise ToolFailure("INVALID_ARGS", f"{path} is not an image that can be read: {error}.") from error
    if min(pixels.shape[:2]) < SIDE_MIN_PX or pixels.std(axis=(0, 1)).max() < DEVIATION_MIN:
        told = f"The image {path} shows too little to be found."
        raise ToolFailure("INVALID_ARGS", told, [f"It needs {SIDE_MIN_PX} pixels a side and something in it."])
    return pixels


def find_patch(patch: Pixels, frame: Frame, scales: Sequence[float] = SCALES) -> list[Region]:
    """Return where an image is on a frame, best first; at another scale if it is not there at its own."""
    for scale in scales:
        height, width = (round(side * scale) for side in patch.shape[:2])
        fits = SIDE_MIN_PX <= height <= frame.region.height and SIDE_MIN_PX <= width <= frame.region.width
        if fits and (found := _matches(_scaled(patch, width, height), frame)):
            return found
    return []


def _scaled(patch: Pixels, width: int, height: int) -> Pixels:
    way = cv2.INTER_AREA if width < patch.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(patch, (width, height), interpolation=way), np.uint8)


def _matches(patch: Pixels, frame: Frame) -> list[Region]:
    """Return the places that look like a patch and have about its contrast; those that overlap count once."""
    height, width = patch.shape[:2]
    scores = cv2.matchTemplate(frame.pixels, patch, cv2.TM_CCOEFF_NORMED)  # ignores contrast
    scores[~np.isfinite(scores)] = 0.0  # where the screen is a single colour
    found: list[Region] = []
    for _ in range(2 * MATCHES_MAX):
        _, best, _, (x, y) = cv2.minMaxLoc(scores)
        if best < SCORE_MIN or len(found) == MATCHES_MAX:
            break
        contrast = frame.pixels[y : y + height, x : x + width].std() / patch.std()
        if CONTRAST_RATIOS[0] <= contrast <= CONTRAST_RATIOS[1]:
            found.append(Region(frame.origin.x + x, frame.origin.y + y, width, height))
        scores[max(0, y - height // 2) : y + height // 2 + 1, max(0, x - width // 2) : x + width // 2 + 1] = 0.0
    return found
