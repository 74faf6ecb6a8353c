"""A trial of mouse, keyboard and screen reading, in a window that the doctor opens on the desktop."""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from mark_i.doctor.prerequisites import Finding
from mark_i.extras import NEEDS_TK, has_tk
from toolbelt.control import Control
from toolbelt.desktops import Application, Desktop
from toolbelt.ocr import read_region
from world_model import DesktopError, MarkIError, Point, Region, ToolFailure

PAD: Final = Path(__file__).with_name("pad.py")
WINDOW_MAX_S: Final = 20.0  # for the window to respond on a busy machine
WORDS: Final = "MARK-I tries mouse and keyboard"
TEXT: Final = "naïve Straße 3,14 € <b> Привет 好 👍"
CLICKS: Final = ((0.1, 0.2), (0.9, 0.2), (0.5, 0.5), (0.1, 0.8), (0.9, 0.8))  # fractions of the pad's width and height
LOOKS: Final = 9
SLOW_MS: Final = 100.0  # for one capture; an agent captures the screen a few times a step
AGAIN: Final = "Leave mouse and keyboard alone while it works, and try again."
NEEDS_X11: Final = "needs Xwayland. On Debian and Ubuntu: sudo apt-get install xwayland"
INSTALLED: Final = "Install that, log in again, and try again."
ELSEWHERE: Final = (
    "Try `mark-i doctor --virtual`: if that works, it is this desktop, and `mark-i run --virtual` works too."
)


class Window:
    """The doctor's window, as seen through the file that it writes."""

    def __init__(self, file: Path, application: Application, control: Control) -> None:
        self._file, self._application, self._control = file, application, control

    def told(self, name: str) -> list[Any]:
        """Return every value that it wrote under that name."""
        lines = self._file.read_text(encoding="ascii").splitlines(keepends=True)
        whole = [json.loads(line) for line in lines if line.endswith("\n")]
        return [line[name] for line in whole if name in line]

    def region(self, name: str) -> Region:
        """Return where a part of it is now."""
        return Region(*self.told(name)[-1])

    def has_focus(self) -> bool:
        """Return whether it has the keyboard focus."""
        return self.told("focus")[-1:] == [True]

    def until(self, condition: Callable[[], bool]) -> bool:
        """Wait for a condition, and return whether it holds.

        Raises:
            DesktopError: The window closed.
        """
        self._control.until(lambda: condition() or not self._application.running(), WINDOW_MAX_S)
        if not self._application.running():
            reason = self._application.failure() or "it was closed"
            raise DesktopError(f"The doctor's window did not stay: {reason}.")
        return condition()


def tried(desktop: Desktop, control: Control) -> Iterator[Finding]:
    """Try clicks, typing, reading and captures, one after the other, and restore the pointer."""
    lacks_x11 = desktop.has_wayland and not os.environ.get("DISPLAY")
    if lacks_x11 or not has_tk():
        told = f"Not tried: the doctor's own window {NEEDS_X11 if lacks_x11 else NEEDS_TK}"
        yield Finding("Clicks, typing and reading", told, INSTALLED, "trial")
        yield _looking(desktop)
        return
    before = desktop.pointer()
    try:
        with _opened(desktop, control) as window:
            yield finding("Clicks", lambda: _clicks(desktop, window), AGAIN)
            yield finding("Typing", lambda: _typing(desktop, window), AGAIN)
            yield finding("Reading", lambda: _reading(desktop, window), AGAIN)
    except DesktopError as error:
        yield Finding("A window to try them in", str(error), ELSEWHERE, "desktop")
    finally:
        desktop.move(before)
    yield _looking(desktop)


def finding(name: str, work: Callable[[], str], todo: str, about: str = "desktop") -> Finding:
    """Run a check and return its finding: its message, or why it failed and how to fix that."""
    try:
        return Finding(name, work(), about=about, there=True)
    except ToolFailure as failure:
        return Finding(name, failure.message, " ".join((*failure.hints, todo)), about)
    except MarkIError as error:
        return Finding(name, str(error), todo, about)


@contextmanager
def _opened(desktop: Desktop, control: Control) -> Iterator[Window]:
    with tempfile.TemporaryDirectory(prefix="mark-i-doctor-") as folder:
        file = Path(folder) / "told.jsonl"
        file.touch()
        window = Window(file, desktop.launch([sys.executable, "-I", str(PAD), str(file), WORDS]), control)
        if not window.until(lambda: bool(window.told("pad")) and window.has_focus()):
            raise DesktopError("The doctor's window did not get the focus.")
        yield window


def _clicks(desktop: Desktop, window: Window) -> str:
    wanted = []
    for part in CLICKS:
        place = _entered(desktop, window, part)
        desktop.click(place)
        wanted.append([place.x, place.y])
    window.until(lambda: len(window.told("click")) >= len(wanted))
    arrived = window.told("click")
    if arrived != wanted:
        raise DesktopError(f"Of clicks at {wanted}, these arrived: {arrived}.")
    return f"{len(wanted)} of {len(wanted)} arrived on the exact pixel."


def _entered(desktop: Desktop, window: Window, part: tuple[float, float]) -> Point:
    """Move the pointer to a part of the pad, wherever a window manager puts that meanwhile, and return where it is."""
    moved_to: Point | None = None

    def is_there() -> bool:
        nonlocal moved_to
        region = window.region("pad")
        place = Point(region.x + round(part[0] * region.width), region.y + round(part[1] * region.height))
        if moved_to != place:
            desktop.move(place)
            moved_to = place
        return window.told("pointer")[-1:] == [[place.x, place.y]]

    if not window.until(is_there) or not moved_to:  # otherwise another window would receive the click
        seen = window.told("pointer")[-1:]
        raise DesktopError(f"The pointer was moved onto the window, to {moved_to}; of that, this arrived: {seen}.")
    return moved_to


def _typing(desktop: Desktop, window: Window) -> str:
    if not window.until(window.has_focus):  # otherwise another window would receive the text
        raise DesktopError("Another window took the focus, so nothing was typed.")
    desktop.type(TEXT)
    window.until(lambda: window.told("text")[-1:] == [TEXT])
    arrived = "".join(window.told("text")[-1:])
    if arrived != TEXT:
        raise DesktopError(f"Of {TEXT!r}, this arrived: {arrived!r}.")
    return f"{TEXT!r} arrived unchanged."


def _reading(desktop: Desktop, window: Window) -> str:
    # The first reading loads the models, which a run does during its first model call.
    read_region(desktop.grab(), window.region("words"))
    began = time.perf_counter()
    lines = read_region(desktop.grab(), window.region("words"))
    seconds = time.perf_counter() - began
    read = " ".join(line.text for line in lines)
    if read.split() != WORDS.split():
        raise DesktopError(f"Where the screen shows {WORDS!r}, {read!r} was read.")
    return f"A line of text was read in {1000 * seconds:.0f} ms."


def _looking(desktop: Desktop) -> Finding:
    times = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        desktop.grab()
        times.append(1000 * (time.perf_counter() - began))
    took = statistics.median(times)
    told = f"A capture of the whole desktop takes {took:.1f} ms."
    if took > SLOW_MS:
        return Finding("Looking", told, f"More than {SLOW_MS:.0f} ms slows a run down. {ELSEWHERE}", "looking")
    return Finding("Looking", told, about="looking", there=True)
