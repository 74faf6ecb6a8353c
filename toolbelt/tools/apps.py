"""Applications and their windows."""

import difflib
from typing import Annotated, Final

from pydantic import Field

from toolbelt.apps import command_for
from toolbelt.desktop import Window
from toolbelt.eyes import Eyes
from toolbelt.targets import plain
from toolbelt.tool import tool
from world_model import ToolFailure

SECONDS: Final = 30.0  # an application's window may take this long to come up
FOCUS: Final = 2.0  # seconds for the window manager to give it the focus, which it need not do
CLOSING: Final = 5.0  # seconds for a window to close, or to ask first
NAMED: Final = 30


class Applications:
    """Opens and closes applications on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool(seconds=SECONDS + 5)
    def open_app(self, name: Annotated[str, Field(min_length=1)], args: list[str] | None = None) -> str:
        """Open an application by its name, kind ("text editor") or program, and wait until its window is there."""
        command, others = command_for(name)
        if command is None:
            near = difflib.get_close_matches(name, others, n=3, cutoff=0.5) or others[:NAMED]
            raise ToolFailure(
                "TARGET_NOT_FOUND", f'There is no application "{name}".', [f"There are {', '.join(near) or 'none'}."]
            )
        before = self._ids()
        application = self._desktop.launch([*command, *(args or [])])
        state = self._eyes.control.until(lambda: application.failure() or self._new_window(before), SECONDS)
        match state:
            case Window():
                self._eyes.control.until(lambda: self._is_active(state), FOCUS)
                return f'Started {command[0]}; its window is "{state.title}".'
            case str():
                raise ToolFailure("TOOL_ERROR", f"{command[0]} opened no window: {state}.")
            case _:
                raise ToolFailure("TIMEOUT", f"{command[0]} was started, but no window came up in {SECONDS:g} s.")

    @tool
    def close_window(self, title: str | None = None) -> str:
        """Close the window in front, or the one with these words in its title or its application's name."""
        windows = self._desktop.windows()
        if title is None:
            found = [window for window in windows if window.active]
        else:
            wanted = plain(title)
            named = [(window, plain(window.title) + "\n" + plain(window.application)) for window in windows]
            found = [window for window, name in named if wanted and wanted in name]
        if not found:
            listed = ", ".join(f'"{window.title}"' for window in windows) or "none"
            what = "in front" if title is None else f'named "{title}"'
            raise ToolFailure("TARGET_NOT_FOUND", f"There is no window {what}.", [f"The windows are {listed}."])
        return self._close(found[-1])  # of several the topmost

    def _close(self, window: Window) -> str:
        before = self._ids()
        self._desktop.close_window(window)
        if not self._eyes.control.until(lambda: self._ids() != before, CLOSING):
            raise ToolFailure(
                "NO_CHANGE", f'"{window.title}" was asked to close and is still there after {CLOSING:g} s.'
            )
        if window.id in self._ids():
            return f'"{window.title}" was asked to close and opened another window instead.'
        return f'"{window.title}" is closed.'

    def _ids(self) -> set[int]:
        return {window.id for window in self._desktop.windows()}

    def _is_active(self, window: Window) -> bool:
        return any(one.id == window.id and one.active for one in self._desktop.windows())

    def _new_window(self, before: set[int]) -> Window | None:
        return next((window for window in self._desktop.windows() if window.id not in before), None)
