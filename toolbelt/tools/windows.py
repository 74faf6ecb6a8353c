"""The windows of applications."""

import re
from typing import Annotated, Any, Final

from pydantic import Field

from toolbelt.desktops import described_as
from toolbelt.desktops.base import Window
from toolbelt.parameters import WindowTitle
from toolbelt.perception.eyes import Eyes
from toolbelt.tool import ToolResult, tool
from world_model import Region, ToolFailure

FOCUS_S: Final = 2.0  # for the window manager to focus a window, which it need not do
CLOSE_S: Final = 5.0  # for a window to close, or to ask first
MOVE_START_S: Final = 1.0  # for the window manager to start to move a window
MOVE_END_S: Final = 0.5  # and to finish
NUMBERED: Final = re.compile(r"(.*\S)\s*#(\d{1,3})", re.DOTALL)  # one of several windows that a name fits

UNKNOWN: Final = "This session tells nobody which windows there are, so none can be listed, raised, moved or closed."
UNKNOWN_HINT: Final = "Use what the screen shows: the window's own buttons, and the desktop's."

Title = Annotated[str, Field(min_length=1, description="Its title, or words of it."), WindowTitle]
Side = Annotated[int, Field(ge=1, le=16384, description="In pixels of the desktop.")]


class Windows:
    """Lists, focuses, moves, resizes and closes the windows of one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._until = eyes.control.until
        self._eyes, self._desktop = eyes, eyes.desktop

    @tool(risk="look", rare=True)
    def list_windows(self) -> ToolResult:
        """List the windows with their places.

        The topmost is the first.
        """
        found = self._known()[::-1]
        told = "\n".join(described(window) for window in found)
        return ToolResult(told or "No window is open.", [window_data(window) for window in found])

    @tool(instead=["list_windows"], idempotent=True)
    def focus_window(self, title: Title) -> ToolResult:
        """Bring a window to the front."""
        window = self._named(title)
        self._desktop.focus_window(window)
        if not self._until(lambda: self._again(window).active, FOCUS_S):
            has_it = next((f'"{one.title}" has it' for one in self._eyes.windows() if one.active), "no window has it")
            raise ToolFailure("NO_CHANGE", f'"{window.title}" did not get the focus in {FOCUS_S:g} s; {has_it}.')
        return ToolResult(f'"{window.title}" is in front and has the focus.', window_data(self._again(window)))

    @tool(instead=["list_windows"], idempotent=True, rare=True)
    def move_window(
        self,
        title: Title,
        x: Annotated[int, Field(description="The left edge of its frame, in pixels of the desktop.")],
        y: Annotated[int, Field(description="The top edge of its frame, in pixels of the desktop.")],
    ) -> ToolResult:
        """Move a window.

        The top left corner of its frame comes to x, y, in pixels of the desktop.
        """
        window = self._named(title)
        return self._place(window, Region(x, y, window.region.width, window.region.height), f"{x}, {y}")

    @tool(instead=["list_windows"], idempotent=True, rare=True)
    def resize_window(self, title: Title, width: Side, height: Side) -> ToolResult:
        """Resize a window with its frame."""
        window = self._named(title)
        return self._place(window, Region(window.region.x, window.region.y, width, height), f"{width}x{height}")

    @tool(instead=["list_windows"], closes_window=True)
    def close_window(
        self,
        title: Annotated[
            Title | None, Field(description="Its title, or words of it; by default the front window.")
        ] = None,
    ) -> ToolResult:
        """Close the front window, or another by its title."""
        return self._close(self._in_front() if title is None else self._named(title))

    def _known(self) -> list[Window]:
        """Return the windows that are there, where that is told."""
        if not self._desktop.knows_windows:
            raise ToolFailure("PERMISSION_DENIED", UNKNOWN, [UNKNOWN_HINT])
        return self._eyes.windows()

    def _named(self, title: str) -> Window:
        return window_named(title, self._known())

    def _in_front(self) -> Window:
        windows = self._known()
        if active := [window for window in windows if window.active]:
            return active[-1]
        raise ToolFailure("TARGET_NOT_FOUND", "There is no window in front.", [what_is_open(windows)])

    def _again(self, window: Window) -> Window:
        """Return the window as it is now."""
        windows = self._eyes.windows()
        if now := [one for one in windows if one.id == window.id]:
            return now[0]
        raise ToolFailure("TARGET_NOT_FOUND", f'"{window.title}" was closed meanwhile.', [what_is_open(windows)])

    def _place(self, window: Window, wanted: Region, asked: str) -> ToolResult:
        """Place a window and say where it really is: the window manager or the program may decide otherwise."""
        if not wanted.overlaps(self._desktop.region):
            raise ToolFailure(
                "OFF_SCREEN", f'"{window.title}" would be outside of the desktop at {wanted.x}, {wanted.y}.'
            )
        if wanted != window.region:
            self._desktop.place_window(window, wanted)
            self._until(lambda: self._again(window).region != window.region, MOVE_START_S)
            self._until(lambda: self._again(window).region == wanted, MOVE_END_S)
        now = self._again(window)
        told = f'"{now.title}" is now {_size(now.region)}.'
        if now.region == wanted:
            return ToolResult(told, window_data(now))
        told += f" The window manager did not take {asked}."
        if now.region == window.region:
            raise ToolFailure("NO_CHANGE", told)
        return ToolResult(told, window_data(now))

    def _close(self, window: Window) -> ToolResult:
        before = self._ids()
        self._desktop.close_window(window)
        if not self._until(lambda: self._ids() != before, CLOSE_S):
            raise ToolFailure(
                "NO_CHANGE", f'"{window.title}" was asked to close and is still there after {CLOSE_S:g} s.'
            )
        if window.id in self._ids():
            came = [one for one in self._eyes.windows() if one.id not in before]
            named = f'"{came[-1].title}"' if came else "another window"
            told = (
                f'"{window.title}" asks something first, in {named}. Answer it as the person would want, or cancel it.'
            )
            return ToolResult(told, {"closed": False})
        return ToolResult(f'"{window.title}" is closed.')

    def _ids(self) -> set[int]:
        return {window.id for window in self._eyes.windows()}


def window_named(wanted: str, windows: list[Window]) -> Window:
    """Find the window that a person means: by its whole title, its application, words of its title, or their beginning.

    Else by the kind of its application.

    Of several, `tk #1` is the topmost that `tk` names.

    Raises:
        ToolFailure: `TARGET_NOT_FOUND` with what is there, `TARGET_AMBIGUOUS` with the candidates.
    """
    found = _all_named(wanted, windows)
    if not found and (numbered := NUMBERED.fullmatch(wanted.strip())):
        same = enumerate(_all_named(numbered[1], windows)[::-1], 1)
        found = [window for number, window in same if number == int(numbered[2])]
    found = found or [window for window in windows if _is_kind(wanted, window)]
    if not found:
        raise ToolFailure("TARGET_NOT_FOUND", f'There is no window named "{wanted}".', [what_is_open(windows)])
    if len(found) > 1:
        listed = "; ".join(f'"{wanted} #{at}" is {described(one)}' for at, one in enumerate(found[::-1], 1))
        hint = f"Use more words of the title, or a number, the topmost first: {listed}."
        raise ToolFailure("TARGET_AMBIGUOUS", f'{len(found)} windows could be "{wanted}".', [hint])
    return found[0]


def _all_named(wanted: str, windows: list[Window]) -> list[Window]:
    words = _words(wanted)
    exact = [window for window in windows if window.title.strip().casefold() == wanted.strip().casefold()]
    titled = [window for window in windows if f" {words} " in f" {_words(window.title)} "]
    of_application = [window for window in windows if f" {words} " in f" {_words(window.application)} "]
    both = [window for window in titled if window in of_application]
    begun = [window for window in windows if f" {words}" in f" {_words(window.title)} {_words(window.application)}"]
    return next(filter(None, (exact, both, of_application, titled, begun)), []) if words else exact


def _is_kind(wanted: str, window: Window) -> bool:
    """Whether a name is that of a window's kind of application, as its desktop entry says it: "the text editor"."""
    kind = re.sub(r"\A(?:the|my|this|that) ", "", _words(wanted))
    return bool(kind) and any(f" {_words(one)}".endswith(f" {kind}") for one in described_as(window.application))


def _words(text: str) -> str:
    """Normalize a name for comparison: its words in lower case, without what is between them."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def what_is_open(windows: list[Window]) -> str:
    """List the windows by title and application, for an agent that looked for another."""
    listed = "; ".join(f'"{window.title}" ({window.application})' for window in windows)
    return f"The windows are {listed}." if listed else "No window is open."


def described(window: Window) -> str:
    """Format a window."""
    told = f'"{window.title}" ({window.application}), {_size(window.region)}'
    return told + (", focused" if window.active else "") + (", minimized or elsewhere" if window.minimized else "")


def _size(region: Region) -> str:
    return f"{region.width}x{region.height} at {region.x}, {region.y}"


def window_data(window: Window) -> dict[str, Any]:
    """Return a window as JSON values."""
    return {
        "title": window.title,
        "application": window.application,
        "place": window.region.to_list(),
        "focused": window.active,
        "minimized": window.minimized,
    }
