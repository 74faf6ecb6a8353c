"""What the guard sees of the desktop: the windows, and what a key or a click would reach there."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from mark_i.guard.words import LABEL_MAX_WORDS
from toolbelt.desktops import Window, categories_of, is_at_prompt, is_own_terminal, is_terminal
from toolbelt.elements import Element
from toolbelt.ocr import Line
from toolbelt.perception import Eyes
from toolbelt.targeting import Aim, aims_of, said_words_at
from toolbelt.tool import Tool
from world_model import Frame, Point, Region

T = TypeVar("T")
DIALOG_MAX_RATIO: Final = 0.45  # of the desktop; a larger window is no dialog
DIALOG_MAX_WORDS: Final = 80
NO_CONTROLS: Final = frozenset({"text", "image", "listbox"})  # what keys are said to go to and they act within
CHOSEN_MAX_RATIO: Final = 0.3  # of the rows in a column that are chosen; where rows alternate, half of them differ
# A line that begins with the name of a file, or is one, as file managers list them
_FILE_NAME: Final = re.compile(
    r"[^\s/\\:]{1,60}\.[a-z][a-z0-9]{1,4}(?!\S)|[^/\\:]{1,60}\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE
)


_ADDRESS: Final = re.compile(r"(?:https?://)?[\w-]+(?:\.[\w-]+)*(?::\d+)?(?:/|$)")


class Screen(Protocol):
    """What can be seen of a desktop; `Sight` sees a real one."""

    @property
    def knows_windows(self) -> bool:
        """Whether it is told which windows there are; if not, keys may go to any of them."""

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        """Return what a call aims at."""

    def windows(self) -> Sequence[Window]:
        """Return the windows that are not masked, the topmost last."""

    def is_shell(self, window: Window) -> bool:
        """Whether text typed there is a command, or the answer to a program at a terminal."""

    def at_prompt(self, window: Window) -> bool:
        """Whether a shell waits there at its prompt, so that nothing happens before enter."""

    def is_own(self, window: Window) -> bool:
        """Whether it is the terminal in which the person is asked."""

    def categories(self, window: Window) -> frozenset[str]:
        """Return what kind of application it declares to be."""

    def elements(self, window: Window | None) -> Sequence[Element]:
        """Return what can be pointed at in a window, in reading order; without one, on the whole screen."""

    def focused(self, window: Window | None) -> Element | None:
        """Return the control in a window that has the keyboard focus, as its program says."""

    def texts(self, window: Window | None) -> Sequence[Line]:
        """Return the lines of text in a window, top to bottom."""

    def pointer(self) -> Point:
        """Return where the pointer is."""

    def words_at(self, point: Point) -> Sequence[str]:
        """Return the texts that say what is at a point."""

    def standing_out(self, lines: Sequence[Line]) -> Sequence[Line]:
        """Return the lines that have another background than the others above and below them, as a chosen row has."""

    def is_dialog(self, window: Window | None) -> bool:
        """Whether a window is as small as a dialog."""

    def clipboard(self) -> str | None:
        """Return the text that would be pasted.

        Raises:
            ToolFailure: it is not text, or the program that owns it does not respond.
        """


class Sight:
    """The desktop of a run, as it is now.

    Args:
        frame: the screen on which the points of an action were chosen.
    """

    def __init__(self, eyes: Eyes, frame: Frame) -> None:
        self._eyes = eyes
        self._frame = frame
        self._kinds = dict[int, frozenset[str]]()  # of windows; desktop entries are read from disk

    @property
    def knows_windows(self) -> bool:
        """Whether the session tells which windows there are."""
        return self._eyes.desktop.knows_windows

    def aims(self, tool: Tool, args: Mapping[str, Any]) -> list[Aim]:
        """Return what a call aims at, once programs that are busy have said what they show."""

        def heard_out() -> list[Aim]:
            self._eyes.every_element(self._eyes.look())
            return aims_of(tool, args, self._eyes, self._frame)

        return self._call(heard_out)

    def windows(self) -> list[Window]:
        """Return the windows that are not masked, the topmost last."""
        return self._eyes.windows()

    def is_shell(self, window: Window) -> bool:
        """Whether its process runs a program on a terminal."""
        return is_terminal(window.pid, self._apart(window))

    def at_prompt(self, window: Window) -> bool:
        """Whether a shell waits there."""
        return is_at_prompt(window.pid, self._apart(window))

    def is_own(self, window: Window) -> bool:
        """Whether this process runs on its terminal."""
        return is_own_terminal(window.pid, self._apart(window))

    def categories(self, window: Window) -> frozenset[str]:
        """Return the categories in its desktop entry."""
        if window.id not in self._kinds:
            self._kinds[window.id] = categories_of(window.application, window.pid)
        return self._kinds[window.id]

    def elements(self, window: Window | None) -> list[Element]:
        """Return what can be pointed at in a window and is not covered by another one."""
        found, shows = self._call(lambda: self._eyes.every_element(self._eyes.look())), self._shown_by(window)
        return [one for one in found if shows(one.region.center)]

    def focused(self, window: Window | None) -> Element | None:
        """Return the control with the focus, if it is in the window and not covered."""
        found = [one for one in self.elements(window) if one.said and "focused" in one.states]
        [one] = found if len(found) == 1 else [None]
        is_control = one and (one.role not in NO_CONTROLS or 0 < len(one.text.split()) <= LABEL_MAX_WORDS)
        return one if is_control else None

    def texts(self, window: Window | None) -> list[Line]:
        """Return the lines of text in a window that are not covered by another one."""
        lines, shows = self._call(lambda: self._eyes.read(self._eyes.look())), self._shown_by(window)
        return [line for line in lines if shows(line.region.center)]

    def pointer(self) -> Point:
        """Return where the pointer is."""
        return self._call(self._eyes.desktop.pointer)

    def words_at(self, point: Point) -> list[str]:
        """Return the texts of the control at a point."""
        return self._call(lambda: said_words_at(point, self._eyes.look(), self._eyes))

    def standing_out(self, lines: Sequence[Line]) -> list[Line]:
        """Return the lines whose background few of those above and below them share."""
        frame = self._call(self._eyes.look)
        behind = [_background(line.region, frame) for line in lines]
        found = []
        for line, own in zip(lines, behind, strict=True):
            column = [
                other
                for one, other in zip(lines, behind, strict=True)
                if one.region.x < line.region.right and line.region.x < one.region.right
            ]
            if column.count(own) <= max(1, len(column) * CHOSEN_MAX_RATIO):
                found.append(line)
        return found

    def is_dialog(self, window: Window | None) -> bool:
        """Whether a window takes a small part of the desktop and has few words."""
        if window is None or window.region.area > DIALOG_MAX_RATIO * self._eyes.desktop.region.area:
            return False
        return sum(len(line.text.split()) for line in self.texts(window)) <= DIALOG_MAX_WORDS

    def clipboard(self) -> str | None:
        """Return the text that would be pasted."""
        return self._call(self._eyes.desktop.read_clipboard)

    def _apart(self, window: Window) -> set[int | None]:
        """Return the processes that show other windows, also masked ones."""
        return {one.pid for one in self._eyes.desktop.windows()} - {window.pid}

    def _call(self, work: Callable[[], T]) -> T:
        return self._eyes.control.call(work)

    def _shown_by(self, window: Window | None) -> Callable[[Point], bool]:
        """Return what tells whether a window shows a place; without one, the screen shows each."""
        if window is None:
            return lambda _at: True
        topmost = [one for one in reversed(self.windows()) if not one.minimized]
        return lambda at: next((one.id for one in topmost if at in one.region), None) == window.id


def _background(region: Region, frame: Frame) -> tuple[float, ...]:
    """Return the colour behind a text, which covers less than half of its region."""
    there = region.intersection(frame.region).shifted(-frame.origin.x, -frame.origin.y)
    pixels = frame.pixels[there.y : there.bottom, there.x : there.right].reshape(-1, frame.pixels.shape[-1])
    return tuple(np.median(pixels, axis=0)) if pixels.size else ()


def may_be(kind: str, screen: Screen, window: Window | None) -> bool:
    """Whether a window is an application of some kind, or nobody tells which one it is."""
    return kind in screen.categories(window) if window else not screen.knows_windows


def shown_addresses(screen: Screen, window: Window | None) -> list[str]:
    """Return the address of the page in a browser, as its address bar holds it: the highest field, if one does."""
    if window is None or "WebBrowser" not in screen.categories(window):
        return []
    boxes = [one for one in screen.elements(window) if one.role == "textbox" and one.said]
    highest = min(boxes, key=lambda one: one.region.y, default=None)
    return [highest.holds] if highest and _ADDRESS.match(highest.holds) else []


def lists_files(texts: Sequence[Line]) -> bool:
    """Whether lines look like those of a list of files."""
    return sum(bool(_FILE_NAME.match(line.text.strip())) for line in texts) > 1
