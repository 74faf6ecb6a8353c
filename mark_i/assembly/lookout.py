"""Look at a desktop, again and again, until a text or a picture comes to be on it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from toolbelt.ocr import changed_regions, find, unreadable
from toolbelt.perception import OWN_SCALE, SCALES, Eyes, find_patch, image_in
from world_model import Frame, Pixels, Point, Region, ToolFailure, UsageError

LOOK_INTERVAL_S: Final = 1.0  # between two looks
REST_RATIO: Final = 9  # of that to what a look took of the processors: a tenth of one, as a rule
REST_MAX_S: Final = 5.0  # also where reading a screen that changed altogether took long
GONE_S: Final = 2.0  # out of sight at two looks so far apart, it comes anew: a page may only have been loaded again
PICTURES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif"})  # endings of files with a picture
ALREADY: Final = "It is on the screen already, at {}, {}. It counts once it was gone and comes again."
GONE: Final = "It is gone. It counts when it comes again."
AS_TEXT: Final = "To watch for that text, put it into quotation marks: '\"{}\"'"


class Wanted(Protocol):
    """What is looked for."""

    def place(self, frame: Frame, eyes: Eyes) -> Point | None:
        """Return where it is on a frame; None if it is not there."""


class Text:
    """A text that can be read on the screen."""

    def __init__(self, text: str) -> None:
        self._text = text

    def place(self, frame: Frame, eyes: Eyes) -> Point | None:
        """Return where it is on a frame."""
        return next((one.point for one in find(self._text, eyes.read(frame))), None)


class Picture:
    """A picture that looks the same on the screen. It is looked for only where that has changed."""

    def __init__(self, pixels: Pixels) -> None:
        self._pixels = pixels
        self._before: Frame | None = None
        self._found: list[Region] = []

    def place(self, frame: Frame, eyes: Eyes) -> Point | None:  # noqa: ARG002 - as in its protocol
        """Return where it is on a frame."""
        changed = [frame.region] if self._before is None else changed_regions(self._before, frame)
        touched = [one for one in self._found if any(one.overlaps(region) for region in changed)]
        found = [one for one in self._found if one not in touched]
        for region in changed:
            found += self._in(frame, region, anew=any(one.overlaps(region) for one in touched))
        self._before, self._found = frame, found
        return found[0].center if found else None

    def _in(self, frame: Frame, changed: Region, *, anew: bool) -> list[Region]:
        """Return where it is around a change, which completes it only at its own size if it is smaller than that."""
        height, width = self._pixels.shape[:2]
        is_small = changed.width < width and changed.height < height
        part = frame.part(changed.grown(max(width, height)))
        return find_patch(self._pixels, part, OWN_SCALE if is_small and not anew else SCALES)


def wanted(what: str) -> Wanted:
    """Return what somebody means: the path of a picture, or a text, which may be in quotation marks.

    Raises:
        UsageError: the picture cannot be read or shows too little, or the text is empty or cannot be read.
    """
    bare = what.strip()
    if Path(bare).suffix.lower() in PICTURES:
        try:
            return Picture(image_in(bare))
        except ToolFailure as failure:
            raise UsageError(f"{failure} {AS_TEXT.format(bare)}") from failure
    text = bare[1:-1].strip() if len(bare) > 1 and bare[0] == bare[-1] == '"' else bare
    if not text:
        raise UsageError("What is to be watched for is empty: give a text, or the path of a picture.")
    if letters := unreadable(text):
        told = ", ".join(f'"{one}"' for one in letters)
        raise UsageError(f"The letters {told} cannot be read from a screen: watch for a picture instead.")
    return Text(text)


class Lookout:
    """Says when something comes to be on a desktop; what was there before must be gone first.

    Args:
        eyes: look at it.
        what: what is looked for.
        tell: tells the person that it is there already, which does not count, and that it is gone.
    """

    def __init__(self, eyes: Eyes, what: Wanted, tell: Callable[[str], None]) -> None:
        self._eyes, self._what, self._tell = eyes, what, tell
        self._frame: Frame | None = None
        self._place: Point | None = None
        self._counts = False
        self._rest_s = 0.0

    def begin(self) -> None:
        """Look for the first time, or after something was done: what is there now does not count.

        Raises:
            Halt: somebody stopped this.
            DesktopError: the desktop is gone.
        """
        self._counts = not self._eyes.control.call(self._look)
        if self._place:
            self._tell(ALREADY.format(self._place.x, self._place.y))

    def until_it_comes(self, not_before_s: float, is_free: Callable[[], bool]) -> Point:
        """Wait for it, and return where it is.

        Args:
            not_before_s: when it must still be there, in the time of `time.monotonic`.
            is_free: whether the desktop may be used now.

        Raises:
            Halt: somebody stopped this.
            DesktopError: the desktop is gone.
        """
        control, gone_s = self._eyes.control, float("inf")
        while True:
            now_s = time.monotonic()
            gone_s = float("inf") if self._place else min(gone_s, now_s)
            if not self._counts and now_s - gone_s >= GONE_S:
                self._counts = True
                self._tell(GONE)
            if self._place and self._counts and now_s >= not_before_s and is_free():
                return self._place
            control.wait(self._rest_s)
            control.call(self._look)

    def _look(self) -> Point | None:
        """Return where it is now, and note how long to rest before the next look."""
        began_s, frame = time.process_time(), self._eyes.look()
        if frame is not self._frame:
            self._frame, self._place = frame, self._what.place(frame, self._eyes)
        took_s = time.process_time() - began_s
        self._rest_s = min(max(LOOK_INTERVAL_S, REST_RATIO * took_s), REST_MAX_S)
        return self._place
