"""The screen as the picture that a brain is sent."""

import functools
import io
from typing import Final

import cv2
import numpy as np
from PIL import Image

from mark_i.brain import Picture
from toolbelt.ocr import scale_for
from world_model import Frame, Pixels, Region, Size

JPEG_QUALITY: Final = 80  # text stays legible at a tenth of the size of a PNG


def size_for(screen: Size, longest: int) -> Size:
    """Return the size of the picture of a screen whose longer side has at most `longest` pixels."""
    scale = min(1.0, longest / max(screen.width, screen.height))
    return Size(max(1, round(screen.width * scale)), max(1, round(screen.height * scale)))


@functools.lru_cache(maxsize=2)  # encoded while the screen settles, and used for the next prompt
def picture_of(frame: Frame, longest: int) -> Picture:
    """Encode the frame as JPEG, scaled down so that no side is longer than `longest` pixels."""
    return _encoded(frame, size_for(frame.region.size, longest))


def _encoded(frame: Frame, size: Size) -> Picture:
    _, encoded = cv2.imencode(".jpg", scaled(frame, size), [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return Picture(encoded.tobytes(), "image/jpeg")


def closeup_of(frame: Frame, part: Region, longest: int) -> Picture:
    """Encode a part of a frame, enlarged as it is to be read; no side is longer than `longest` pixels."""
    pixels, scale = frame.part(part), scale_for(part)
    wanted = Size(pixels.region.width * scale, pixels.region.height * scale)
    return _encoded(pixels, size_for(wanted, longest))


def size_of(picture: Picture) -> Size:
    """Read the size of a picture from its header."""
    with Image.open(io.BytesIO(picture.content)) as image:
        return Size(*image.size)


def scaled(frame: Frame, size: Size) -> Pixels:
    """Scale the pixels of a frame, as BGR."""
    # Down to half the size both use every pixel and keep text equally legible; linear takes a fifth of the time.
    way = cv2.INTER_LINEAR if size.width * 2 >= frame.region.width else cv2.INTER_AREA
    pixels = cv2.resize(frame.pixels, (size.width, size.height), interpolation=way)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR), np.uint8)
