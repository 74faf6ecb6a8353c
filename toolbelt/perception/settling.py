"""Settling: wait until the screen has reacted to an action and is quiet again, and say what changed."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from toolbelt.desktops.activity import Work
from toolbelt.ocr.frame_diff import scrolled
from toolbelt.ocr.lines import Line
from toolbelt.perception.lateness import LATE_MAX_S, is_seen
from toolbelt.perception.motion import CARET_MAX_PX
from toolbelt.perception.observer import Observer
from world_model import Frame, Point, Region, ScreenChange

REACTION_S: Final = 0.12  # how long a screen may take to start changing after an action
CLICK_REACTION_S: Final = 1.6  # the same after a click: few do nothing, and looking too early costs a model call
PRESSED_REACTION_S: Final = 0.3  # the same after a click, while only the control itself looks different
QUIET_S: Final = 0.035  # a screen without a change for so long counts as settled: two frames of any program
WORK_MAX_S: Final = 1.5  # a program that still works then, on a screen at rest, is not waited for
SETTLE_MAX_S: Final = 3.0  # after that, a screen that never rests is used as it is
LOOK_INTERVAL_S: Final = 0.006  # between two looks at a screen that settles
CONTROL_MAX_PX: Final = 96  # the height of a highlighted control; a higher change covers the control
SCROLL_MIN_PX: Final = 8  # what moves by less was laid out anew, as by bold letters
SPECK_MAX_PX2: Final = 4  # such as the corners of a control that is redrawn
NO_WORK: Final = Work(None)


@dataclass(frozen=True, slots=True)
class Settled:
    """The screen when it was quiet.

    Attributes:
        start: the screen right before the action.
        ms: how long it took to settle.
        calm: False if it was still changing when the wait was over.
    """

    frame: Frame
    start: Frame
    ms: float
    calm: bool


class Settling:
    """Waits for one desktop."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._clicked_on: Frame | None = None  # the screen before the last click, until `settle`
        self._tireless: int | None = None  # the program that worked on and on, with nothing to show for it
        self._clicks: tuple[Point, ...] = ()  # the last two: the control of the earlier one loses the focus

    def clicked(self, at: Point, before: Frame) -> None:
        """Note a click, and the screen with the pointer there before the button went down."""
        self._clicked_on = before
        self._clicks = (*self._clicks[-1:], at)

    def settle(
        self,
        before: Frame,
        reaction: float | None,
        prepare: Callable[[Frame], object] | None,
        quiet: float | None,
        watching: Callable[[Settled, bool], bool | None] | None,
    ) -> Settled:
        """Implement `Eyes.settle`."""
        began = changed = time.monotonic()
        if reaction is None:
            reaction = CLICK_REACTION_S if self._clicked_on else REACTION_S
        patience, quiet = _Patience(self._observer, began, wanted=quiet is None and reaction > 0), quiet or QUIET_S
        if reaction:
            self._observer.motion.acted()
        start, clicks = self._clicked_on or before, self._clicks if self._clicked_on else ()
        frame, prepared, due, self._clicked_on = start, before, None, None
        news: list[Region] = []
        making: Future[object] | None = None
        with _threads(3) as beside:
            program = beside.submit(self._program)
            reading = beside.submit(self._observer.desktop.attend, SETTLE_MAX_S) if reaction else None
            while True:
                if due is None and (not reading or reading.done()):
                    patience.read_s = time.monotonic()  # a program reacts only to input that it has read
                    due = patience.read_s + reaction
                now, newer = time.monotonic(), self._observer.look()
                if newer is not frame:
                    news = self._observer.news(start, newer, moved=True)
                    changes = self._observer.news(frame, newer, moved=True)
                    changed = now if changes else changed
                    patience.saw(changes, now)
                    frame = newer
                elif prepare and frame is not prepared and (not making or making.done()):
                    making = beside.submit(prepare, prepared := frame)
                work = program.result() if program.done() else NO_WORK
                work.look(now)
                rests = (not news or now - changed >= quiet) and patience.rests(work.pid, now)
                seen = Settled(frame, start, (now - began) * 1000, calm=True)
                answered = watching(seen, rests) if watching else None
                pressed = PRESSED_REACTION_S if answered is None else reaction  # to watch on takes no time
                end_s = None if due is None else _end(due, reaction, changed + quiet, news, clicks, pressed)
                rest = LOOK_INTERVAL_S if end_s is None else end_s - now
                calm = answered or rest <= 0
                works = calm and self._works(work, now - max(changed, due or now), quiet)
                waits = works or patience.waits(work.pid, now, asked=answered is not None)
                if answered or (calm and not waits) or now - began >= SETTLE_MAX_S:
                    break
                looked = time.monotonic() - now  # the look took a part of the rest
                self._observer.control.wait(
                    LOOK_INTERVAL_S if due is None or calm else max(0.0, min(LOOK_INTERVAL_S, rest - looked))
                )
            begun: tuple[Future[Any] | None, ...] = (reading, making)
            for one in filter(None, begun):
                one.result()  # raises if the display went away
        self._observer.motion.settled()
        patience.settled(work.pid)
        return Settled(frame, start, (time.monotonic() - began) * 1000, calm)

    def _program(self) -> Work:
        """The program that got the input."""
        return Work(next((one.pid for one in self._observer.desktop.windows() if one.active), None))

    def _works(self, work: Work, rests_s: float, quiet: float) -> bool:
        """Whether the program works, and may yet show something on a screen that has been at rest for so long."""
        works = work.goes_on(quiet)
        if not works or rests_s >= WORK_MAX_S:
            self._tireless = work.pid if works else None
        return works and work.pid != self._tireless

    def change(self, before: Frame, settled: Settled, *, texts: bool) -> ScreenChange:
        """Implement `Eyes.change`."""
        regions = self._observer.news(before, settled.frame, moved=True)
        if not regions:  # the click may have taken away again what came after `before`
            before, regions = settled.start, self._observer.news(settled.start, settled.frame, moved=True)
        read, has_read = self._observer.read, self._observer.has_read
        texts = texts or (has_read(before) and has_read(settled.frame))
        old, new = (read(before), read(settled.frame)) if texts and regions else ((), ())
        came, gone = _only_in(new, old, regions), _only_in(old, new, regions)
        moved = scrolled(before, settled.frame, regions)
        return ScreenChange(
            changed=bool(regions),
            settled_ms=settled.ms,
            settled=settled.calm,
            appeared=tuple(line.text for line in came),
            vanished=tuple(line.text for line in gone),
            appeared_at=tuple(line.region.center for line in came),
            regions=tuple(regions),
            scrolled=moved.down if moved and abs(moved.down) >= SCROLL_MIN_PX else 0,
        )


class _Patience:
    """Waits for what a program shows late, but never longer than the model thinks.

    Attributes:
        read_s: when the program read its input; infinite until then.
    """

    def __init__(self, observer: Observer, began_s: float, *, wanted: bool) -> None:
        self._observer = observer
        self._wanted = wanted
        self._drawn_s, self.read_s = began_s, float("inf")
        self._pause_s = 0.0  # the longest until now

    def saw(self, changes: Sequence[Region], at_s: float) -> None:
        """Note changes of the screen."""
        if is_seen(changes):
            self._pause_s, self._drawn_s = max(self._pause_s, self._rested_s(at_s)), at_s

    def waits(self, program: int | None, now_s: float, *, asked: bool) -> bool:
        """Whether a program may still show something; longer if the model was `asked`, since that takes no time."""
        patience_s = LATE_MAX_S if asked else min(self._observer.lateness.wait_s(program), self._observer.thought_s)
        return self._wanted and self._rested_s(now_s) < patience_s

    def rests(self, program: int | None, now_s: float) -> bool:
        """Whether a program has most likely shown everything."""
        return self._rested_s(now_s) >= self._observer.lateness.usual_s(program)

    def settled(self, program: int | None) -> None:
        """Learn from the program that got the input."""
        if self._wanted:
            self._observer.lateness.settled(program, self._pause_s, self._drawn_s)

    def _rested_s(self, now_s: float) -> float:
        return now_s - max(self._drawn_s, self.read_s)


@contextlib.contextmanager
def _threads(count: int) -> Iterator[ThreadPoolExecutor]:
    """Run threads that are not joined, so that a stop takes effect at once."""
    threads = ThreadPoolExecutor(count, "settle")
    try:
        yield threads
    finally:
        threads.shutdown(wait=False, cancel_futures=True)


def _end(  # noqa: PLR0913, PLR0917 - what is known of a wait
    due: float, reaction: float, rested: float, news: list[Region], clicked: Sequence[Point], pressed: float
) -> float:
    """Return when a screen counts as settled: at `rested`, or with nothing new, when a reaction was `due`.

    If only the controls that were clicked look different (pressed, ticked, with focus or without), more may come for
    `pressed` seconds.
    """
    if not news:
        return due
    of_controls = (
        one.area <= SPECK_MAX_PX2 or (_is_low(one) and any(place in one for place in clicked)) for one in news
    )
    return max(rested, due - reaction + min(reaction, pressed)) if all(of_controls) else rested


def _is_low(region: Region) -> bool:
    """Whether a region may be a control; a caret is not one."""
    return region.width > CARET_MAX_PX.width and region.height <= CONTROL_MAX_PX


def _only_in(lines: tuple[Line, ...], others: tuple[Line, ...], regions: list[Region]) -> list[Line]:
    """Return the lines within the regions that are in `lines` and not in `others`, each text as often as it is new."""
    new = [any(line.region.overlaps(region) for region in regions) for line in lines]
    rest = Counter(line.text for line in others)
    rest -= Counter(line.text for line, is_new in zip(lines, new, strict=True) if not is_new)  # these never vanished
    only = []
    for line in (line for line, is_new in zip(lines, new, strict=True) if is_new):
        if rest[line.text]:
            rest[line.text] -= 1
        else:
            only.append(line)
    return only
