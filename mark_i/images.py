"""The screen as a picture for a brain."""

from typing import Final

import cv2

from mark_i.brain import Picture
from world_model import Frame, Size

QUALITY: Final = 80  # of JPEG: text stays legible at a tenth of the size of a PNG


def size_for(screen: Size, longest: int) -> Size:
    """How large the picture of a screen is that is sent."""
    scale = min(1.0, longest / max(screen.width, screen.height))
    return Size(max(1, round(screen.width * scale)), max(1, round(screen.height * scale)))


def picture_of(frame: Frame, longest: int) -> Picture:
    """The frame as JPEG, scaled down so that no side is longer than `longest` pixels."""
    size = size_for(frame.region.size, longest)
    pixels = cv2.cvtColor(frame.pixels, cv2.COLOR_RGB2BGR)
    if size != frame.region.size:
        pixels = cv2.resize(pixels, (size.width, size.height), interpolation=cv2.INTER_AREA)
    _, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return Picture(encoded.tobytes(), "image/jpeg")
