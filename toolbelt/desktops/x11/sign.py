"""A small sign at the top of an X display, such as that it is recorded. It takes no focus, and clicks go through it."""

import struct
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection, Extension
from world_model import DesktopError, Region

FONT_PX: Final = 15
HEIGHT_PX, MARGIN_PX, DOT_PX = 30, 12, 12
PAPER, INK, RED = (32, 33, 36), (255, 255, 255), (234, 67, 53)
BORDER: Final = (120, 122, 128)  # seen on light and on dark
TRUE_COLOUR_BITS: Final = (24, 32)
_SHAPE_RECTANGLES, _SHAPE_INPUT, _SHAPE_SET = 1, 2, 0


class Sign:
    """Shows a text until it is closed.

    Args:
        display: its name, such as `:0`.
        text: one line.

    Raises:
        DesktopError: the display does not exist, or cannot show it.
    """

    def __init__(self, display: str, text: str) -> None:
        self._display = Connection(display)
        depth = self._display.setup.roots[0].root_depth
        if depth not in TRUE_COLOUR_BITS:
            self._display.close()
            raise DesktopError(f"The display {display} has {depth} bits a pixel, and the sign needs 24.")
        pixels = drawn(text)
        height, width, _ = pixels.shape
        whole = self._display.core.GetGeometry(self._display.root).reply()
        first = next(iter(self._display.monitors()), Region(0, 0, whole.width, whole.height))
        self.region = Region(first.x + (first.width - width) // 2, first.y, width, height)
        picture, brush = int(self._display.generate_id()), int(self._display.generate_id())
        core = self._display.core
        core.CreatePixmap(depth, picture, self._display.root, width, height)
        core.CreateGC(brush, picture, 0, [])
        data = np.dstack([pixels[:, :, ::-1], np.full((height, width), 255, np.uint8)]).tobytes()
        core.PutImage(xproto.ImageFormat.ZPixmap, picture, brush, width, height, 0, 0, 0, depth, len(data), data)
        attributes = {xproto.CW.BackPixmap: picture, xproto.CW.OverrideRedirect: 1}
        window = self._display.create_window(self.region, attributes)
        shape = Extension(self._display, "SHAPE")
        shape.tell(_SHAPE_RECTANGLES, struct.pack("=BBBxIhh", _SHAPE_SET, _SHAPE_INPUT, 0, window, 0, 0))
        core.MapWindow(window)
        self._display.sync()

    def close(self) -> None:
        """Take it away."""
        self._display.close()


def drawn(text: str) -> NDArray[np.uint8]:
    """Draw a red dot and a text."""
    font = ImageFont.load_default(FONT_PX)
    width = MARGIN_PX * 3 + DOT_PX + round(font.getlength(text))
    image = Image.new("RGB", (width, HEIGHT_PX), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width - 1, HEIGHT_PX - 1), outline=BORDER)
    top = (HEIGHT_PX - DOT_PX) // 2
    draw.ellipse((MARGIN_PX, top, MARGIN_PX + DOT_PX, top + DOT_PX), fill=RED)
    draw.text((2 * MARGIN_PX + DOT_PX, HEIGHT_PX / 2), text, fill=INK, font=font, anchor="lm")
    return np.asarray(image, np.uint8)
