"""Eyes: look, wait until the screen is settled, say what changed, find a text."""

import contextlib
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from toolbelt.control import Control
from toolbelt.desktops.base import Button, Desktop, Seen, Window, around
from toolbelt.elements.marks import Mark, Marks
from toolbelt.ocr.frame_diff import changed_regions, scrolled
from toolbelt.ocr.lines import Line
from toolbelt.ocr.reader import Reader
from toolbelt.perception.masks import NO_MASKS, Masks, covered
from toolbelt.perception.motion import CARET, Rhythm
from toolbelt.perception.row_shift import row_at, row_moved
from world_model import DesktopError, Frame, Point, Region, ScreenChange, ToolFailure, message

T = TypeVar("T")
LEAVE_IT: Final = "Leave it to the person, or give up and say why."
REACTION: Final = 0.12  # seconds that a screen may take to begin to change after an action
CLICKED: Final = 1.6  # seconds, after a click: one that does nothing is rare, and to look too early costs a thought
QUIET: Final = 0.035  # seconds without a change after which a screen counts as settled: two frames of any program
LIT: Final = 96  # pixels that a control, lit up under the pointer, is high; what is higher has come over it
PRESSED: Final = 0.3  # seconds for more than that it looks pressed, or has the focus, to come of a click on a control
SPECK: Final = 4  # square pixels, such as the corners of a control that is drawn anew
LIGHTING: Final = 0.4  # seconds that a control may take to light up; pages let it fade in
LOOK: Final = 0.006  # seconds between two looks at a screen that is to settle
BUSY: Final = 0.25  # seconds for which nothing is done before it counts as idle
GLANCE: Final = 0.06  # seconds between two looks while nothing is done
LEARNED: Final = 4.0  # seconds after which no more is learned of what moves by itself
NOTHING: Final = Frame(np.zeros((0, 0, 3), np.uint8))
CAP: Final = 3.0  # seconds after which a screen that never rests is taken as it is


@dataclass(frozen=True, slots=True)
class Settled:
    """The screen once it was quiet. `calm` is False where the wait was over first; `ms` is how long it took."""

    frame: Frame
    ms: float
    calm: bool


class Eyes:
    """Looks at one desktop. The last frame and what was read on it are kept, so that nothing is read twice."""

    def __init__(self, desktop: Desktop, control: Control, masks: Masks = NO_MASKS) -> None:
        self.desktop = desktop
        self.control = control
        self._masks = masks
        self._reader = Reader()
        self.marked = Marks()
        self._taken = NOTHING  # the last look, without masks
        self._last: Frame | None = None
        self._rhythm = Rhythm()
        self._chosen: Frame | None = None  # the screen on which the place for the next click was chosen
        self._chosen_at = math.inf  # seconds, as `time.monotonic` has it
        self._given: tuple[float, Frame] | None = None  # the same of the screen that was shown last
        self._aimed: Frame | None = None  # the screen with the pointer there, before the button went down
        self._clicked: list[Point] = []  # where, the newest last; the control at the one before loses the focus

    def look(self) -> Frame:
        """The screen as it is now; the same object as last time where nothing changed."""
        self.control.check()
        return self._look(idle=False)

    def show(self) -> Frame:
        """The screen as it is now, for somebody who chooses a place to click on it."""
        began, frame = time.monotonic(), self.look()
        self._given = self._chosen_at, self._chosen = began, frame
        return frame

    def choose_as_shown(self) -> None:
        """Whatever was looked for since, the next place was chosen on the screen as it was shown last."""
        if self._given:
            self._chosen_at, self._chosen = self._given

    def windows(self) -> list[Window]:
        """The windows that are not masked, the topmost last."""
        return [one for one in self.desktop.windows() if not self.hides(one)]

    def hides(self, window: Window) -> bool:
        """Whether a window is masked."""
        return self._masks.hides(window)

    @property
    def shown(self) -> Frame:
        """The screen as it was shown last, or now where it never was."""
        return self._chosen or self.look()

    def permit(self, place: Point) -> None:
        """Nothing, where that place may be touched.

        Raises:
            ToolFailure: `PERMISSION_DENIED`, it is masked.
        """
        if any(place in region for region in self._hidden()):
            told = message("What is at ", place, " is masked: you neither see it nor touch it.")
            raise ToolFailure("PERMISSION_DENIED", told, [LEAVE_IT])

    def permit_keys(self) -> None:
        """Nothing, where the window that keys go to may be touched.

        Raises:
            ToolFailure: `PERMISSION_DENIED`, it is masked.
        """
        if self._masks != NO_MASKS and any(one.active and self._is_masked(one) for one in self.desktop.windows()):
            told = "The window that has the focus is masked: nothing is typed into it."
            raise ToolFailure("PERMISSION_DENIED", told, [LEAVE_IT])

    def news(
        self, before: Frame, after: Frame, within: Region | None = None, *, animated: bool = False, moved: bool = False
    ) -> list[Region]:
        """Where the screen differs, but for what moves by itself; of a part of it, what reaches into that.

        `animated`: what moves all the time counts too; `moved`: so does a caret where none was before the last action.
        """
        regions = (one for one in changed_regions(before, after) if within is None or one.overlaps(within))
        return self._rhythm.news(regions, animated=animated, moved=moved)

    def click(self, place: Point, button: Button = "left", count: int = 1) -> None:
        """Click on a place, if it is still the one that was chosen.

        That a program lights up what is under the pointer is no reaction to the click yet, and no other place.

        Raises:
            ToolFailure: `STALE_TARGET`, something else has come there meanwhile, or it changes all the time.
        """
        before = self.recheck(place)
        if self.desktop.pointer() != place:
            moved = time.monotonic()
            self.desktop.move(place)
            self.desktop.attend(CAP)
            self._light_up(place, before, moved)
        end = time.monotonic() + CAP
        while time.monotonic() < end:  # what moves there by itself rests between two frames
            aimed = self.look()
            if any(one.height > LIT for one in self._news_at(place, before, aimed)):
                break
            self.permit(place)
            if self.desktop.click(place, button, count, Seen(self._taken, self._chosen_at)):
                self._aimed = aimed
                self._clicked = [*self._clicked[-1:], place]
                return
            self.control.wait(LOOK)
        raise _stale(place)

    def _light_up(self, place: Point, before: Frame, moved: float) -> None:
        """Wait until what is under the pointer is lit up as far as it will be: the rest would pass for a reaction."""
        frame, until = before, moved + QUIET
        while True:
            newer = self.look()
            if self._news_at(place, frame, newer):
                until = time.monotonic() + 2 * QUIET  # a page that fades is slower
            frame = newer
            if time.monotonic() >= min(until, moved + LIGHTING):
                return
            self.control.wait(LOOK)

    def recheck(self, place: Point) -> Frame:
        """The screen as it is now, if that is still the place that was chosen.

        Raises:
            ToolFailure: `STALE_TARGET`, as above.
        """
        before, now = self._chosen, self.look()
        if before and (self._news_at(place, before, now) or self._is_another_row(before, now, place)):
            raise _stale(place)
        return now

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """The lines of text on a frame, top to bottom."""
        return self._reader.read(frame)

    def marks(self, frame: Frame) -> tuple[Mark, ...]:
        """The numbered things on a frame; what was numbered before and is still there keeps its number."""
        return self.marked.show(frame, self.read(frame))

    def settle(
        self,
        before: Frame,
        reaction: float | None = None,
        prepare: Callable[[Frame], object] | None = None,
        quiet: float = QUIET,
    ) -> Settled:
        """Look until the screen has reacted to what was done since `before`, and is quiet again.

        A screen that shows nothing new within `reaction` seconds has settled too: it did not change; without a number
        that takes as long as it may after what was done. It is quiet when nothing has changed for `quiet` seconds; what
        moves by itself is neither a reaction nor waited for, and that a control looks pressed is not all of one yet.
        `prepare` is given, on another thread, what seems to be the settled screen, for what can be done meanwhile.
        """
        began = changed = time.monotonic()
        if reaction is None:
            reaction = CLICKED if self._aimed else REACTION
        if reaction:
            self._rhythm.acted()
        start, clicked = self._aimed or before, self._clicked if self._aimed else []
        frame, prepared, due, self._aimed = start, before, None, None
        news: list[Region] = []
        making: Future[object] | None = None
        with _threads(2) as beside:
            reading = beside.submit(self.desktop.attend, CAP) if reaction else None
            while True:
                if due is None and (not reading or reading.done()):
                    due = time.monotonic() + reaction  # only what has been read is reacted to
                now, newer = time.monotonic(), self.look()
                if newer is not frame:
                    news = self.news(start, newer, moved=True)
                    changed = now if self.news(frame, newer, moved=True) else changed
                    frame = newer
                elif prepare and frame is not prepared and (not making or making.done()):
                    making = beside.submit(prepare, prepared := frame)
                rest = LOOK if due is None else _end(due, reaction, changed + quiet, news, clicked) - now
                if rest <= 0 or now - began >= CAP:
                    break
                looked = time.monotonic() - now  # which is a part of the rest
                self.control.wait(LOOK if due is None else max(0.0, min(LOOK, rest - looked)))
            if reading:
                reading.result()  # it tells of a display that went away
            if making:
                making.result()
        self._rhythm.settled()
        return Settled(frame, (time.monotonic() - began) * 1000, rest <= 0)

    @contextlib.contextmanager
    def idle(self) -> Iterator[None]:
        """While nothing is done, learn on a thread what moves by itself."""
        over = threading.Event()
        thread = threading.Thread(target=self._learn, args=(over,), name="idle-eyes", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def change(self, before: Frame, settled: Settled, *, texts: bool = True) -> ScreenChange:
        """What is different after an action: where, and with `texts`, which takes longer, which ones came and went."""
        regions = self.news(before, settled.frame, moved=True)
        old, new = (self.read(before), self.read(settled.frame)) if texts and regions else ((), ())
        moved = scrolled(before, settled.frame, regions)
        return ScreenChange(
            changed=bool(regions),
            settled_ms=settled.ms,
            settled=settled.calm,
            appeared=_only_in(new, old, regions),
            vanished=_only_in(old, new, regions),
            regions=tuple(regions),
            scrolled=moved.down if moved else 0,
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
        while True:
            looked, frame = time.monotonic(), self.look()
            if (result := found(frame)) or not self._news(frame, end - time.monotonic()):
                break
        self.control.check()  # one that was given up on chooses nothing any more
        self._chosen_at, self._chosen = looked, frame
        return result, frame

    def _look(self, *, idle: bool) -> Frame:
        frame = self._grab()
        if self._last is not None:
            if frame.same_as(self._last):
                return self._last
            self._rhythm.note(changed_regions(self._last, frame), time.monotonic(), idle=idle)
        self._last = frame
        return frame

    def _grab(self) -> Frame:
        before = self._hidden()
        self._taken = self.desktop.grab()
        if self._masks == NO_MASKS:
            return self._taken
        return covered(self._taken, [*before, *self._hidden()])  # a masked window may have gone or come in between

    def _is_masked(self, window: Window) -> bool:
        return self._masks.hides(window) or any(
            window.region.intersection(one) == window.region for one in self._masks.parts
        )

    def _hidden(self) -> list[Region]:
        return self._masks.hidden(self.desktop.windows() if self._masks.of_windows else ())

    def _news_at(self, place: Point, before: Frame, after: Frame) -> list[Region]:
        """What is new at a place, seen no further than `LIT` from it: a window's border is not what it goes around."""
        at = around(place)
        if np.array_equal(before.crop(at), after.crop(at)):
            return []
        part = at.grown(LIT).intersection(after.region)
        return self.news(before.part(part), after.part(part), at)

    def _is_another_row(self, before: Frame, now: Frame, place: Point) -> bool:
        return any(row_moved(before, now, place, one) for one in self.news(before, now, row_at(place, now)))

    def _learn(self, over: threading.Event) -> None:
        if over.wait(BUSY):
            return
        began = time.monotonic()
        with contextlib.suppress(DesktopError):  # told at the next look
            while not over.wait(GLANCE) and time.monotonic() - began < LEARNED:
                self._look(idle=True)
            self._rhythm.rested(began, time.monotonic())

    def _news(self, frame: Frame, seconds: float) -> bool:
        """Whether the screen shows anything else than `frame` before the time is over."""
        return bool(self.control.until(lambda: self.look() is not frame, seconds))


@contextlib.contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Some threads that are not waited for: a stop is felt at once."""
    threads = ThreadPoolExecutor(count, "settle")
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _end(due: float, reaction: float, rested: float, news: list[Region], clicked: list[Point]) -> float:
    """When a screen counts as settled: once it has `rested`; where nothing is new, when a reaction is `due` at last.

    Where only controls that were clicked look otherwise (pressed, ticked, with the focus or without it), more may come.
    """
    if not news:
        return due
    of_controls = (one.area <= SPECK or (_is_low(one) and any(place in one for place in clicked)) for one in news)
    return max(rested, due - reaction + min(reaction, PRESSED)) if all(of_controls) else rested


def _is_low(region: Region) -> bool:
    """Whether a control may be as large; a caret is none."""
    return region.width > CARET.width and region.height <= LIT


def _stale(place: Point) -> ToolFailure:
    told = message("What is at ", place, " is not what was there when it was chosen: nothing was clicked.")
    return ToolFailure("STALE_TARGET", told, ["Look at the screen as it is now, and choose again."])


def _only_in(lines: tuple[Line, ...], others: tuple[Line, ...], regions: list[Region]) -> tuple[str, ...]:
    """Texts within the regions that are in `lines` and not in `others`; one that stands twice must be there twice."""
    new = [any(line.region.overlaps(region) for region in regions) for line in lines]
    rest = Counter(line.text for line in others)
    rest -= Counter(line.text for line, is_new in zip(lines, new, strict=True) if not is_new)  # what stayed never went
    only = []
    for text in (line.text for line, is_new in zip(lines, new, strict=True) if is_new):
        if rest[text]:
            rest[text] -= 1
        else:
            only.append(text)
    return tuple(only)
