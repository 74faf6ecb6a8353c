"""Redaction: what was typed as a secret is black in every picture of the screen."""

from collections.abc import Sequence
from typing import Final

from toolbelt.ocr.text_match import holds_alike
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.masks import covered
from world_model import Frame, Pixels, Region

SAME_COLUMNS_MIN: Final = 0.5  # the share of columns that look as typed; fewer do once the text is gone
LINE_MAX_PX: Final = 80  # a change that is higher is more than the line that was typed
MARGIN_PX: Final = 2  # around a text that is covered


class Redaction:
    """Covers what was typed as a secret, once there was any: where it was typed, and wherever it can be read.

    Args:
        typed: what was typed before a run was resumed, and may still be on the screen.
    """

    def __init__(self, eyes: Eyes, typed: Sequence[str] = ()) -> None:
        self._eyes = eyes
        self._values = list(dict.fromkeys(typed))
        self._typed: list[tuple[Region, Pixels]] = []
        self._newest: tuple[Frame, Frame] | None = None

    def typed(self, values: Sequence[str], regions: Sequence[Region], frame: Frame) -> None:
        """Note what was just typed, and what changed by that on a frame."""
        self._values += [value for value in values if value not in self._values]
        lines = (region for region in regions if region.height <= LINE_MAX_PX)
        self._typed += [(region, frame.crop(region).copy()) for region in lines]
        self._newest = None

    def __call__(self, frame: Frame) -> Frame:
        """The frame as it may be shown; the same one while there is nothing to redact."""
        if not self._values:
            return frame
        if self._newest is None or self._newest[0] is not frame:
            self._newest = (frame, covered(frame, [*self._places(frame), *self._read(frame)]))
        return self._newest[1]

    def _places(self, frame: Frame) -> list[Region]:
        """Where it was typed, as long as most of that looks as it did: a caret may blink in it, a letter may go."""
        return [region for region, seen in self._typed if _is_there(seen, frame.crop(region))]

    def _read(self, frame: Frame) -> list[Region]:
        lines = self._eyes.read(frame)
        return [
            line.region.grown(MARGIN_PX) for line in lines if any(holds_alike(one, line.text) for one in self._values)
        ]


def _is_there(before: Pixels, now: Pixels) -> bool:
    return before.shape == now.shape and float((before == now).all(axis=(0, 2)).mean()) >= SAME_COLUMNS_MIN
