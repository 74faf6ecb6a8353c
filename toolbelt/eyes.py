"""Eyes: look, wait until the screen is settled, say what changed, find a text."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from toolbelt.control import POLL, Control
from toolbelt.desktop import Desktop
from toolbelt.reading import Line, Reader, changed_regions
from world_model import Frame, Region, ScreenChange, Size

T = TypeVar("T")
REACTION: Final = 0.12  # seconds that a screen may take to begin to change after an action
QUIET: Final = 0.06  # seconds without a change after which a screen counts as settled; a caret blinks slower
CARET: Final = Size(3, 48)  # pixels that a caret has at most; a change of just that is no news
LOWEST_CARET: Final = 8
CAP: Final = 3.0  # seconds after which a screen that never rests (a video, a spinner) is taken as it is


@dataclass(frozen=True, slots=True)
class Settled:
    """The screen once it was quiet. `calm` is False where the wait was over first; `ms` is how long it took."""

    frame: Frame
    ms: float
    calm: bool


class Eyes:
    """Looks at one desktop. The last frame and what was read on it are kept, so that nothing is read twice."""

    def __init__(self, desktop: Desktop, control: Control) -> None:
        self.desktop = desktop
        self.control = control
        self._reader = Reader()
        self._last: Frame | None = None

    def look(self) -> Frame:
        """The screen as it is now; the same object as last time where nothing changed."""
        self.control.check()
        frame = self.desktop.grab()
        if self._last is None or not frame.same_as(self._last):
            self._last = frame
        return self._last

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """The lines of text on a frame, top to bottom."""
        return self._reader.read(frame)

    def settle(self, before: Frame, reaction: float = REACTION) -> Settled:
        """Look until the screen has reacted to what was done since `before`, and is quiet again.

        A screen that shows nothing new within `reaction` seconds has settled too: it did not change.
        """
        began = time.monotonic()
        if reaction:
            self.desktop.attend(CAP)
        ready = changed = time.monotonic()
        frame = self.look()
        while True:
            now = time.monotonic()
            rested = now - ready >= reaction if frame.same_as(before) else now - changed >= QUIET
            if rested or now - began >= CAP:
                return Settled(frame, (now - began) * 1000, rested)
            self.control.wait(POLL)
            newer = self.look()
            if newer is not frame:
                frame, changed = newer, time.monotonic()

    def change(self, before: Frame, settled: Settled) -> ScreenChange:
        """What is different after an action: where, and which texts came and went."""
        regions = changed_regions(before, settled.frame)
        if len(regions) == 1 and _is_caret(regions[0]):
            regions = []  # it blinked
        old = self.read(before)
        new = self.read(settled.frame) if regions else old
        return ScreenChange(
            changed=bool(regions),
            settled_ms=settled.ms,
            settled=settled.calm,
            appeared=_only_in(new, old),
            vanished=_only_in(old, new),
            regions=tuple(regions),
        )

    def until(self, found: Callable[[tuple[Line, ...]], object], seconds: float) -> tuple[Line, ...]:
        """Read the screen until `found` agrees, at most `seconds` long; gives the lines that were read last.

        It reads again only when something changed.
        """
        _, frame = self.watch(lambda frame: found(self.read(frame)), seconds)
        return self.read(frame)

    def watch(self, found: Callable[[Frame], T], seconds: float) -> tuple[T, Frame]:
        """Look until `found` finds something on the screen, at most `seconds` long; what it found last, and on what.

        It is asked again only when something changed.
        """
        end = time.monotonic() + seconds
        while not (result := found(frame := self.look())) and self._news(frame, end - time.monotonic()):
            pass
        return result, frame

    def _news(self, frame: Frame, seconds: float) -> bool:
        """Whether the screen shows anything else than `frame` before the time is over."""
        return bool(self.control.until(lambda: self.look() is not frame, seconds))


def _is_caret(region: Region) -> bool:
    return region.width <= CARET.width and LOWEST_CARET <= region.height <= CARET.height


def _only_in(lines: tuple[Line, ...], others: tuple[Line, ...]) -> tuple[str, ...]:
    """Texts that are in `lines` and not in `others`; a text that stands twice must be there twice."""
    rest = [line.text for line in others]
    only = []
    for line in lines:
        if line.text in rest:
            rest.remove(line.text)
        else:
            only.append(line.text)
    return tuple(only)
