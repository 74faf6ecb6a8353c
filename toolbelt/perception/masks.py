"""Masks: what the agent neither sees nor touches: parts of the desktop, windows that the person names, and our own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from toolbelt.desktops.base import Window
from toolbelt.desktops.shells import is_own_terminal
from world_model import Frame, Region

_PART: Final = re.compile(r"(-?\d+)\s*,\s*(-?\d+)\s*,\s*(\d+)\s*[xX]\s*(\d+)")
_NUMBERS: Final = re.compile(r"[-\d\s,xX]*")


@dataclass(frozen=True, slots=True)
class Masks:
    """The masks of one desktop.

    Attributes:
        parts: parts of the desktop.
        windows: words in the titles of windows, or the names of their applications.
        own: whether the windows of this process are masked too.
        terminal: whether the windows of the terminal in which this process runs are masked too.
    """

    parts: tuple[Region, ...] = ()
    windows: tuple[str, ...] = ()
    own: bool = False
    terminal: bool = False

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Self:
        """Parse what a person writes: `0,0,400x100` is a part of the desktop, anything else names windows.

        Raises:
            ValueError: a text is neither; what is masked must not be a guess.
        """
        for text in texts:
            if _NUMBERS.fullmatch(text) and not _PART.fullmatch(text.strip()):
                raise ValueError(
                    f"{text!r} is neither a part of the screen, such as 0,0,400x100, nor a word of a window"
                )
        found = [(text, _PART.fullmatch(text.strip())) for text in texts]
        parts = [Region(*map(int, match.groups())) for _, match in found if match]
        return cls(tuple(parts), tuple(text.strip() for text, match in found if not match))

    @property
    def of_windows(self) -> bool:
        """Whether the masks depend on the windows."""
        return bool(self.windows) or self.own or self.terminal

    def hides(self, window: Window) -> bool:
        """Whether a window is masked."""
        said = (window.title.casefold(), window.application.casefold())
        named = any(name.casefold() in text for name in self.windows for text in said)
        return named or (self.own and window.ours) or (self.terminal and is_own_terminal(window.pid))

    def hidden(self, windows: Sequence[Window]) -> list[Region]:
        """Return the masked parts of a desktop with these windows, the topmost last."""
        found: list[Region] = []
        for one in (one for one in windows if not one.minimized):
            if self.hides(one):
                found.append(one.region)
            else:
                found = [rest for part in found for rest in part.without(one.region)]
        return [*self.parts, *found]


NO_MASKS: Final = Masks()


def covered(frame: Frame, regions: Sequence[Region]) -> Frame:
    """Return the frame with these parts black."""
    seen = [region.intersection(frame.region) for region in regions]
    if not any(part.area for part in seen):
        return frame
    pixels = np.array(frame.pixels)
    for part in seen:
        corner = part.shifted(-frame.origin.x, -frame.origin.y)
        pixels[corner.y : corner.bottom, corner.x : corner.right] = 0
    return Frame(pixels, frame.origin, frame.time)
