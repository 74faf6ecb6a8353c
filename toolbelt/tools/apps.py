"""Applications."""

import difflib
from typing import Annotated, Final

from pydantic import Field

from toolbelt.desktops.apps import command_for
from toolbelt.desktops.base import Application, Window
from toolbelt.parameters import AppName, Command
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.observer import MASKED_HINT
from toolbelt.tool import tool
from toolbelt.tools.windows import what_is_open
from world_model import ToolFailure

WINDOW_S: Final = 30.0  # for the window of an application to appear
FOCUS_S: Final = 2.0  # for the window manager to focus it, which it need not do
MAX_NAMES: Final = 30  # of applications in an error message


class Applications:
    """Opens applications on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool(seconds=WINDOW_S + 5, instead=["list_windows"])
    def open_app(
        self, name: Annotated[str, Field(min_length=1), AppName], args: Annotated[list[str], Command] | None = None
    ) -> str:
        """Open an application by its name, kind ("text editor") or program, and wait for its window."""
        command, others = command_for(name)
        if command is None:
            near = difflib.get_close_matches(name, others, n=3, cutoff=0.5) or others[:MAX_NAMES]
            raise ToolFailure(
                "TARGET_NOT_FOUND", f'There is no application "{name}".', [f"There are {', '.join(near) or 'none'}."]
            )
        before = self._windows()
        application = self._desktop.launch([*command, *(args or [])])
        came = self._eyes.control.until(lambda: application.failure() or self._came(before, application), WINDOW_S)
        match came:
            case Window() if self._eyes.hides(came):
                told = f"{command[0]} was started, and its window is masked: you neither see it nor touch it."
                raise ToolFailure("PERMISSION_DENIED", told, [MASKED_HINT])
            case Window():
                return self._told(command[0], came, is_new=came.id not in {window.id for window in before})
            case str():
                raise ToolFailure("TOOL_ERROR", f"{command[0]} opened no window: {came}.")
            case _:
                state = "is running" if application.running() else "ended without an error"
                told = f"{command[0]} was started and {state}, but no window came up in {WINDOW_S:g} s."
                raise ToolFailure("TIMEOUT", told, [what_is_open(self._eyes.windows())])

    def _came(self, before: list[Window], application: Application) -> Window | None:
        """Return a new window, or an old one that a single-instance program has brought to the front."""
        ids = {window.id for window in before}
        active = {window.id for window in before if window.active}
        for window in self._windows():
            if window.id not in ids or (window.active and window.id not in active and not application.running()):
                return window
        return None

    def _windows(self) -> list[Window]:
        """Return all windows, also masked ones, since the new one may be masked; but not our own, which come and go."""
        return [one for one in self._desktop.windows() if not (one.ours and self._eyes.hides(one))]

    def _told(self, program: str, window: Window, *, is_new: bool) -> str:
        """Say which window appeared, by the title that it has once it is focused."""
        self._eyes.control.until(lambda: any(one.active for one in self._again(window)), FOCUS_S)
        now = next(iter(self._again(window)), window)
        front = "in front" if now.active else "not in front"
        if is_new:
            return f'Started {program}; its window "{now.title}" ({now.application}) is {front}.'
        return f'{program} is running already; its window "{now.title}" ({now.application}) is {front}.'

    def _again(self, window: Window) -> list[Window]:
        return [one for one in self._eyes.windows() if one.id == window.id]
