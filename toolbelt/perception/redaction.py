"""Redaction: black out typed secrets in every picture of the screen."""

from collections.abc import Sequence
from typing import Final

from toolbelt.ocr.encodings import encoded_forms
from toolbelt.ocr.split_texts import split_over
from toolbelt.ocr.text_match import holds_any_alike
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.masks import covered
from world_model import Frame, Pixels, Region

SAME_COLUMNS_MIN: Final = 0.5  # the share of columns that look as typed; once the text is gone, it is lower
LINE_MAX_PX: Final = 80  # a higher change is more than the line that was typed
MARGIN_PX: Final = 2  # around a redacted text


class Redaction:
    """Covers typed secrets, both where they were typed and wherever they can be read.

    Args:
        typed: secrets that were typed before the run was resumed, and may still be on the screen.
    """

    def __init__(self, eyes: Eyes, typed: Sequence[str] = ()) -> None:
        self._eyes = eyes
        self._values = list(dict.fromkeys(typed))
        self._typed: list[tuple[Region, Pixels]] = []
        self._newest: tuple[Frame, Frame] | None = None

    def typed(self, values: Sequence[str], regions: Sequence[Region], frame: Frame) -> None:
        """Note the secrets that were just typed, and the regions of the frame that this changed."""
        self._values += [value for value in values if value not in self._values]
        lines = (region for region in regions if region.height <= LINE_MAX_PX)
        self._typed += [(region, frame.crop(region).copy()) for region in lines]
        self._newest = None

    def __call__(self, frame: Frame) -> Frame:
        """Return the frame as it may be shown; the same object while there are no secrets."""
        if not self._values:
            return frame
        if self._newest is None or self._newest[0] is not frame:
            self._newest = (frame, covered(frame, [*self._places(frame), *self._read(frame)]))
        return self._newest[1]

    def _places(self, frame: Frame) -> list[Region]:
        """Return where typed secrets mostly look as they did: a caret may blink there, a letter may be deleted."""
        return [region for region, seen in self._typed if _is_there(seen, frame.crop(region))]

    def _read(self, frame: Frame) -> list[Region]:
        lines = self._eyes.read(frame)
        texts = [line.text for line in lines]
        forms = [form for value in self._values for form in (value, *encoded_forms(value))]
        shown = {at for at, text in enumerate(texts) if holds_any_alike(forms, text)}
        shown.update(*(split_over(form, texts) for form in forms))
        return [lines[at].region.grown(MARGIN_PX) for at in sorted(shown)]


def _is_there(before: Pixels, now: Pixels) -> bool:
    return before.shape == now.shape and float((before == now).all(axis=(0, 2)).mean()) >= SAME_COLUMNS_MIN
