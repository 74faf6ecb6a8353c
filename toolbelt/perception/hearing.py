"""Asks programs what they show in their windows, again once they know better, and waits for one that is only busy."""

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops.accessibility import WindowTree
from toolbelt.desktops.base import Desktop, Window
from world_model import DesktopError, Frame, Halt

TREES_MAX_S: Final = 0.4  # for programs to say what they show
BUSY_MAX_S: Final = 2.0  # for those that have said something before, where nothing may be missed
TREES_LATE_S: Final = (0.3, 2.0)  # after a change, until which what programs say may be from before it, or half done


@dataclass(frozen=True, slots=True)
class Heard:
    """What programs said of the windows on a frame; the topmost window is the last.

    Attributes:
        late: the programs that were asked, if they did not answer in time.
    """

    frame: Frame
    windows: Sequence[Window]
    trees: tuple[WindowTree, ...]
    asked_s: float
    late: frozenset[int]

    def has_all_of(self, pid: int) -> bool:
        """Whether a program said all that it shows."""
        own = [tree.complete for tree in self.trees if tree.pid == pid]
        return bool(own) and all(own)


class Hearing:
    """Keeps what programs said last.

    Args:
        windows: returns those that may be asked about.
        differs: whether anything is new between two frames.
        changed_s: returns when anything last changed, in the time of `time.monotonic`.
    """

    def __init__(
        self,
        desktop: Desktop,
        control: Control,
        windows: Callable[[], Sequence[Window]],
        differs: Callable[[Frame, Frame], object],
        changed_s: Callable[[], float],
    ) -> None:
        self._desktop, self._control = desktop, control
        self._windows, self._differs, self._changed_s = windows, differs, changed_s
        self._asking = threading.Lock()
        self._speaking: set[int] = set()  # the programs that have said something
        self._endless: set[int] = set()  # those that did not say all though they were waited for
        self.last: Heard | None = None

    def ask(self, frame: Frame, *, patiently: bool = False) -> Heard:
        """Return what programs say of the windows on the newest frame; they are asked again once it has changed.

        Args:
            frame: the newest.
            patiently: ask those again that said only a part, or less than before, and wait longer; one that cannot is
                not waited for again until it has said all.
        """
        with self._asking:
            heard = self.last
            if heard is None or self.is_late(heard) or (heard.frame is not frame and self._differs(heard.frame, frame)):
                heard = self._ask(frame, TREES_MAX_S)
            if patiently and (busy := self.busy(heard)):
                self._control.until(lambda: not self.busy(self._ask(frame, BUSY_MAX_S)), BUSY_MAX_S)
                heard = self.last or heard
                self._endless |= self.busy(heard) & busy
            return heard

    def is_late(self, heard: Heard) -> bool:
        """Whether programs were asked before the last action, or too early after a change, and know better by now."""
        now_s, changed_s = time.monotonic(), self._changed_s()
        before = heard.asked_s < self._control.acted_s
        return before or any(heard.asked_s < changed_s + late_s <= now_s for late_s in TREES_LATE_S)

    def start(self, frame: Frame) -> None:
        """Ask programs on a thread: it takes no time of the action that follows, and is not waited for."""
        if not self._asking.locked():
            threading.Thread(target=self._listen, args=(frame,), name="listen", daemon=True).start()

    def _listen(self, frame: Frame) -> None:
        """Ask programs what they show, before somebody needs it."""
        with contextlib.suppress(DesktopError, Halt):  # whoever needs it raises them
            self.ask(frame)

    def _ask(self, frame: Frame, seconds: float) -> Heard:
        windows = [one for one in self._windows() if not one.minimized]
        first = [*(one for one in windows if one.active), *reversed(windows)]
        pids = [one.pid for one in first if one.pid is not None and not one.ours]
        asked_s = time.monotonic()
        trees = self._desktop.trees(pids, seconds) if pids else ()
        heard = Heard(frame, windows, trees or (), asked_s, frozenset(pids if trees is None else ()))
        self._speaking |= {tree.pid for tree in heard.trees}
        self._endless -= {pid for pid in pids if heard.has_all_of(pid)}
        self.last = heard
        return heard

    def busy(self, heard: Heard) -> set[int]:
        """Return the programs that said only a part, or nothing where they had before, or nothing in time."""
        shown = {one.pid for one in heard.windows if one.pid is not None}
        asked = shown & (self._speaking | heard.late)
        return {pid for pid in asked - self._endless if not heard.has_all_of(pid)}
