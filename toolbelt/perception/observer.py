"""The observer: looks at one desktop, masks and reads the frames, and learns what moves by itself."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final, TypeVar

import numpy as np

from toolbelt.control import Control
from toolbelt.desktops.base import Desktop, Window
from toolbelt.elements.accessible import ROLES, Said, said_of
from toolbelt.elements.detector import elements_on
from toolbelt.elements.drawn import as_drawn
from toolbelt.elements.element import Element
from toolbelt.elements.joined import joined
from toolbelt.elements.marks import Mark, Marks
from toolbelt.ocr.frame_diff import changed_regions
from toolbelt.ocr.lines import Line
from toolbelt.ocr.reader import Reader
from toolbelt.ocr.text_match import plain
from toolbelt.perception.hearing import Heard, Hearing
from toolbelt.perception.lateness import Lateness, is_seen
from toolbelt.perception.masks import NO_MASKS, Masks, covered
from toolbelt.perception.motion import Motion
from toolbelt.perception.sighting import Look
from toolbelt.perception.unseen_focus import UnseenFocus
from world_model import DesktopError, Frame, Point, Region, ToolFailure, message

T = TypeVar("T")

MASKED_HINT: Final = "Leave it to the person, or give up and say why."
UNMASKED: Final = (
    'The mask "{}" names windows, and this session tells nobody where they are. Mask a part of the screen instead, '
    "such as 0,0,400x100, or let the agent use a virtual desktop."
)
FOCUS_MAX_S: Final = 0.12  # for the focus to come back from a window that has just closed
FOCUS_REPORT_MAX_S: Final = 1.0  # for the window manager to report which window has the focus
IDLE_AFTER_S: Final = 0.25  # after so long without an action, changes count as motion
IDLE_INTERVAL_S: Final = 0.06  # between two looks while idle
LEARNING_MAX_S: Final = 4.0  # how long it learns within one idle time
NOTHING: Final = Frame(np.zeros((0, 0, 3), np.uint8))


@dataclass(frozen=True, slots=True)
class _Known:
    """The elements on a frame, and what programs said of them."""

    frame: Frame
    elements: tuple[Element, ...]
    said: Said
    heard: Heard | None


class Observer:
    """Looks at one desktop. It keeps the last frame and its texts, so that nothing is read twice.

    Attributes:
        unmasked: the last look as it was captured.
        front: the window that had the focus when the screen was shown last; None if that is unknown.
        motion: what moves by itself.
        lateness: how late programs show what they do.
        thought_s: how long the last idle time was.
        lies: how many elements programs last said were there and were not.
        unseen_focus: lets keys go only where the agent put the focus, on a desktop that does not tell who has it.

    Raises:
        DesktopError: windows are to be masked, and nobody tells where they are.
    """

    def __init__(self, desktop: Desktop, control: Control, masks: Masks = NO_MASKS) -> None:
        self.desktop = desktop
        self.control = control
        if masks.windows and not desktop.knows_windows:
            raise DesktopError(UNMASKED.format(masks.windows[0]))
        self.unseen_focus = UnseenFocus(control)
        self.marked = Marks()
        self.motion = Motion()
        self.lateness = Lateness()
        self.thought_s = 0.0
        self.unmasked = NOTHING
        self._masks = masks
        self._reader = Reader()
        self._frame: Frame | None = None
        self._shown: Look | None = None  # the newest that was shown to the model or person who chooses
        self.front: int | None = None
        self._newest: Look | None = None  # the newest on which something was chosen or looked for
        self._known: _Known | None = None
        self._hearing = Hearing(desktop, control, self.windows, self.news, self._when_changed)
        self.lies = 0
        self._changed_s = 0.0  # when anything last changed that does not move by itself
        self._first_s = 0.0  # when it looked first; what is there may have come just before

    def look(self) -> Frame:
        """Return the screen as it is now; the same object as before if nothing changed."""
        self.control.check()
        return self._look(idle=False)

    def show(self) -> Frame:
        """Return the screen as it is now, to be shown to a model or person who chooses a place on it."""
        began_s, self.front = time.monotonic(), self.desktop.front()
        frame = self.look()
        self._shown = self._newest = Look(frame, began_s)
        return frame

    def as_shown(self) -> Look | None:
        """Return the look that was shown last, even if something was searched for since: points are chosen on it."""
        self._newest = self._shown or self._newest
        return self._newest

    @property
    def shown(self) -> Frame:
        """The screen as it was last shown or watched, or as it is now if it never was."""
        return self._newest.frame if self._newest else self.look()

    def watch(self, found: Callable[[Frame], T], seconds: float) -> tuple[T, Look]:
        """Look until `found` finds something on the screen, for at most `seconds`.

        It is called again only when something changed.

        Returns:
            Its last result, and the look that it was called on.
        """
        end_s = time.monotonic() + seconds
        return self._watch(found, lambda: end_s)

    def seek(self, found: Callable[[Frame], T], seconds: float) -> tuple[T, Look]:
        """Watch for what somebody named who chose from the picture that was shown last; it may still be appearing.

        If that picture did not hold it, the seconds count from then, or from the last change or action: waiting for a
        screen that rests is of no use.
        """
        began_s, shown = time.monotonic(), self._shown
        was_there = cache(lambda: shown and found(shown.frame))

        def end_s() -> float:
            if shown is None or was_there():
                return began_s + seconds
            return min(began_s, max(shown.began_s, self._changed_s, self.control.acted_s)) + seconds

        return self._watch(found, end_s)

    def until(self, found: Callable[[tuple[Line, ...]], object], seconds: float) -> tuple[Line, ...]:
        """Read the screen until `found` is true, for at most `seconds`; return the lines that were read last.

        The screen is read again only when something changed.
        """
        _, look = self.watch(lambda frame: found(self.read(frame)), seconds)
        return self.read(look.frame)

    def read(self, frame: Frame) -> tuple[Line, ...]:
        """Return the lines of text on a frame, top to bottom."""
        return self._reader.read(frame)

    def has_read(self, frame: Frame) -> bool:
        """Whether a frame was read lately, so that `read` takes no time."""
        return self._reader.known(frame) is not None

    def elements(self, frame: Frame) -> tuple[Element, ...]:
        """Return what can be pointed at on a frame, in reading order.

        Of the newest frame, that includes what programs say of their windows.
        """
        return self._elements(frame, patiently=False)

    def every_element(self, frame: Frame) -> tuple[Element, ...]:
        """Return what `elements` returns, once programs that are busy have said what they show."""
        return self._elements(frame, patiently=True)

    def _elements(self, frame: Frame, *, patiently: bool) -> tuple[Element, ...]:
        known, ask = self._known, partial(self._hearing.ask, patiently=patiently)
        heard = known.heard if known else None
        is_old = heard is not None and (self._hearing.is_late(heard) or (patiently and self._hearing.busy(heard)))
        if known is None or known.frame is not frame or is_old:
            with ThreadPoolExecutor(1, "accessibility") as asked:  # programs answer while the screen is read
                asking = asked.submit(ask, frame) if frame is self._frame else None
                lines = self.read(frame)
                found = as_drawn(elements_on(frame, lines), frame)
            heard = asking.result() if asking else None
            said = self._said(heard, lines) if heard else Said()
            if said.elements:
                found, self.lies = joined(found, said, frame, lines)
            known = self._known = _Known(frame, found, said, heard)
        return known.elements

    def focused(self, frame: Frame) -> Element | None:
        """Return the element that has the keyboard focus, as its program says; None unless they were found before."""
        found = self._known.elements if self._known and self._known.frame is frame else ()
        return next((one for one in found if "focused" in one.states and one.said), None)

    def describes(self, place: Point) -> bool:
        """Whether a program said all that is at a place of the frame on which elements were found last."""
        return self._known is not None and self._known.said.describes(place)

    def marks(self, frame: Frame) -> tuple[Mark, ...]:
        """Return the numbered elements on a frame; those that had a number before and are still there keep it."""
        return self.marked.show(frame, self.every_element)

    def news(
        self, before: Frame, after: Frame, within: Region | None = None, *, animated: bool = False, moved: bool = False
    ) -> list[Region]:
        """Return where the screen differs, without what moves by itself.

        Args:
            before: the earlier screen.
            after: the later one.
            within: leave out what does not overlap this part.
            animated: whether to include constant motion.
            moved: whether to include a caret where there was none before the last action.
        """
        regions = (one for one in changed_regions(before, after) if within is None or one.overlaps(within))
        return self.motion.news(regions, animated=animated, moved=moved)

    def windows(self) -> list[Window]:
        """Return the windows that are not masked, the topmost last."""
        return [one for one in self.desktop.windows() if not self.hides(one)]

    def in_front(self) -> Window | None:
        """Return the window that has the focus; None where none has it, or it is masked."""
        return next((one for one in self.windows() if one.active), None)

    def hides(self, window: Window) -> bool:
        """Whether a window is masked."""
        return self._masks.hides(window)

    def permit(self, place: Point) -> None:
        """Refuse to touch a place that is masked.

        Raises:
            ToolFailure: `PERMISSION_DENIED`.
        """
        if any(place in region for region in self._hidden()):
            told = message("What is at ", place, " is masked: you neither see it nor touch it.")
            raise ToolFailure("PERMISSION_DENIED", told, [MASKED_HINT])

    def permit_keys(self, *, clicked: bool = False) -> int | None:
        """Refuse to type into a window that is masked, or that took the focus since the screen was shown.

        What the agent did since may have moved the focus, also a click that has just chosen where to type.

        Returns:
            The window that has the focus; None if that is unknown.

        Raises:
            ToolFailure: `PERMISSION_DENIED`, or `STALE_TARGET`, also if nobody tells which window has the focus and
                the agent has not put it anywhere.
        """
        if self._masks != NO_MASKS and any(one.active and self._is_masked(one) for one in self.desktop.windows()):
            told = "The window that has the focus is masked: nothing is typed into it."
            raise ToolFailure("PERMISSION_DENIED", told, [MASKED_HINT])
        expected, shown = self.front, self._shown
        if not self.desktop.knows_windows:
            acted = shown is None or self.control.acted_s > shown.began_s
            if not clicked:
                self.unseen_focus.require([] if acted or shown is None else self.news(shown.frame, self.look()))
            return None
        if clicked or expected is None or shown is None or self.control.acted_s > shown.began_s:
            return self.desktop.front()
        self.require_focus(expected, "Nothing was typed.")
        return expected

    def require_focus(self, window: int, done: str) -> None:
        """Raise `STALE_TARGET`, saying what is done so far, unless a window has the focus or gets it back at once."""
        if not self.control.until(lambda: self.desktop.front() == window, FOCUS_MAX_S):
            raise self.stale_focus(window, done)

    def stale_focus(self, expected: int, done: str) -> ToolFailure:
        """Return the failure that another window has the focus than the one that keys were meant for."""
        self.control.until(lambda: self.desktop.front() != expected, FOCUS_REPORT_MAX_S)
        windows = self.windows()
        meant = next((f'"{one.title}"' for one in windows if one.id == expected), "a window that has closed")
        now = next((f'"{one.title}"' for one in windows if one.active and one.id != expected), "another one")
        told = f"The keys were meant for {meant}, and {now} has the focus now. {done}"
        return ToolFailure("STALE_TARGET", told, ["Look at the screen as it is now, and choose again."])

    @contextlib.contextmanager
    def idle(self) -> Iterator[None]:
        """Learn on a thread what moves by itself, while no action runs."""
        began_s, over = time.monotonic(), threading.Event()
        thread = threading.Thread(target=self._learn, args=(over,), name="idle-eyes", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.thought_s = time.monotonic() - began_s

    def _watch(self, found: Callable[[Frame], T], end_s: Callable[[], float]) -> tuple[T, Look]:
        is_late = False
        while True:
            began_s, frame = time.monotonic(), self.look()
            if (result := found(frame)) or not self._changes(frame, end_s() - time.monotonic()) or is_late:
                break
            is_late = time.monotonic() >= end_s()  # one more look; a screen may change faster than it is read
        self.control.check()  # after a stop or a timeout, nothing may be chosen
        self._newest = Look(frame, began_s)
        return result, self._newest

    def _look(self, *, idle: bool) -> Frame:
        frame = self._grab()
        if self._frame is None:
            self._first_s = time.monotonic()
        else:
            if frame.same_as(self._frame):
                return self._frame
            regions, now_s = changed_regions(self._frame, frame), time.monotonic()
            self.motion.note(regions, now_s, idle=idle)
            if news := self.motion.news(regions):
                self._changed_s = now_s
                if idle and is_seen(news):
                    self.lateness.late(now_s)
        self._frame = frame
        return frame

    def _grab(self) -> Frame:
        before = self._hidden()
        self.unmasked = self.desktop.grab()
        if self._masks == NO_MASKS:
            return self.unmasked
        return covered(self.unmasked, [*before, *self._hidden()])  # a masked window may come or go during the grab

    def said_at(self, place: Point) -> Element | None:
        """Return the smallest control that its program says is at a place now; None if it says nothing of the kind."""
        return self._control_at(place, self._hearing.ask(self.look(), patiently=True))

    def heard_at(self, place: Point) -> Element | None:
        """Return the control that its program said is at a place when it was asked last; no program is asked again."""
        return self._control_at(place, self._hearing.last) if self._hearing.last else None

    def shown_at(self, place: Point, frame: Frame) -> Element | None:
        """Return the control that its program said is at a place of a frame; None if it was asked about another one."""
        heard = self._hearing.last
        is_of_it = heard and (heard.frame is frame or not self.news(heard.frame, frame))
        return self._control_at(place, heard) if heard and is_of_it else None

    def is_said(self, name: str, frame: Frame, *, patiently: bool = False) -> bool:
        """Whether a program says that something in its windows on the newest frame has a name."""
        wanted, heard = plain(name), self._hearing.ask(frame, patiently=patiently)
        return any(plain(node.name) == wanted for tree in heard.trees for node in tree.nodes)

    def fields(self, frame: Frame) -> tuple[str, ...]:
        """Return what the text fields on the newest frame hold, as their programs say; nothing is read for that."""
        trees = self._hearing.ask(frame).trees
        return tuple(node.value for tree in trees for node in tree.nodes if ROLES.get(node.role) == "textbox")

    def boxes_around(self, name: str, place: Point, frame: Frame) -> tuple[Region, ...]:
        """Return the boxes around what has a name at a place of the newest frame, the innermost first.

        Only a program says them; there are none if it says that something else is there.
        """
        if frame is not self._frame:
            return ()
        said = self._said(self._hearing.ask(frame), self.read(frame)).elements
        there = [one for one in said if place in one.region and plain(name) in plain(one.text)]
        return min(there, key=lambda one: one.region.area).around if there else ()

    def _control_at(self, place: Point, heard: Heard) -> Element | None:
        found = self._said(heard, ()).elements
        there = [one for one in found if place in one.region and one.role not in {"text", "listbox"}]
        return min(there, key=lambda one: one.region.area, default=None)

    def _when_changed(self) -> float:
        return max(self._changed_s, self._first_s)

    def _start_hearing(self) -> None:
        if self._frame is not None:
            self._hearing.start(self._frame)

    def _said(self, heard: Heard, lines: tuple[Line, ...]) -> Said:
        """Return what programs say is there, where nothing is masked."""
        said = said_of(heard.trees, heard.windows, lines)
        hidden = self._hidden()
        return replace(said, elements=tuple(one for one in said.elements if not _overlaps(one, hidden)))

    def _is_masked(self, window: Window) -> bool:
        return self._masks.hides(window) or any(
            window.region.intersection(one) == window.region for one in self._masks.parts
        )

    def _hidden(self) -> list[Region]:
        return self._masks.hidden(self.desktop.windows() if self._masks.of_windows else ())

    def _learn(self, over: threading.Event) -> None:
        if over.wait(IDLE_AFTER_S):
            return
        began = time.monotonic()
        with contextlib.suppress(DesktopError):  # the next look raises it
            self._start_hearing()
            while not over.wait(IDLE_INTERVAL_S) and time.monotonic() - began < LEARNING_MAX_S:
                self._look(idle=True)
                if self._hearing.last and self._hearing.is_late(self._hearing.last):
                    self._start_hearing()
            self.motion.rested(began, time.monotonic())

    def _changes(self, frame: Frame, seconds: float) -> bool:
        """Wait for the screen to differ from `frame`; return whether it does in time."""
        return bool(self.control.until(lambda: self.look() is not frame, seconds))


def _overlaps(element: Element, hidden: Sequence[Region]) -> bool:
    return any(element.region.overlaps(one) for one in hidden)
