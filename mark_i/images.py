"""The screen as a picture for a brain."""

from typing import Final

import cv2

from mark_i.brain import Picture
from world_model import Frame

QUALITY: Final = 80  # of JPEG: text stays legible at a tenth of the size of a PNG


def picture_of(frame: Frame, longest: int) -> Picture:
    """The frame as JPEG, scaled down so that no side is longer than `longest` pixels."""
    height, width = frame.pixels.shape[:2]
    scale = min(1.0, longest / max(height, width))
    pixels = cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2BGR)
    if scale < 1:
        pixels = cv2.resize(pixels, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Picture(encoded.tobytes(), "image/jpeg")
