"""Applications."""

import difflib
import time
from functools import partial
from pathlib import Path, PurePath
from typing import Annotated, Final

from pydantic import Field

from toolbelt.desktops.activity import Rest
from toolbelt.desktops.apps import commands_for, needs_wayland
from toolbelt.desktops.base import Application, Window
from toolbelt.desktops.file_openers import files_named, openers_of
from toolbelt.parameters import AppName, Command
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.observer import MASKED_HINT
from toolbelt.perception.unseen_focus import came_up
from toolbelt.tool import tool
from toolbelt.tools.windows import what_is_open
from world_model import ToolFailure

WINDOW_S: Final = 30.0  # for the window of an application to appear
FOCUS_S: Final = 2.0  # for the window manager to focus it, which it need not do
SPLASH_REST_S: Final = 4.0  # for which the programs rest before a window counts that takes no focus
MAX_NAMES: Final = 30  # of applications in an error message


class Applications:
    """Opens applications on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool(seconds=WINDOW_S + 5, instead=["list_windows"])
    def open_app(
        self,
        name: Annotated[str, Field(min_length=1, description="Such as `firefox` or `text editor`."), AppName],
        args: Annotated[
            Annotated[list[str], Command] | None, Field(description="Arguments of the program, such as a file.")
        ] = None,
    ) -> str:
        """Open a file, or an application by its name, kind or program."""
        wayland = self._desktop.has_wayland
        commands, others = commands_for(name, wayland=wayland)
        if not commands and (files := files_named(name)):
            return self._open_file(files, args or [])
        if not commands and not wayland and needs_wayland(name):
            raise ToolFailure(
                "TARGET_NOT_FOUND", f"{name} shows its windows only under Wayland, and this display is X11."
            )
        if not commands:
            near = difflib.get_close_matches(name, others, n=3, cutoff=0.5) or others[:MAX_NAMES]
            raise ToolFailure(
                "TARGET_NOT_FOUND", f'There is no application "{name}".', [f"There are {', '.join(near) or 'none'}."]
            )
        return self._open_first(commands, args or [])

    def _open_file(self, files: list[Path], args: list[str]) -> str:
        """Open the file that a name means in an application that its type is for."""
        if len(files) > 1:
            listed = ", ".join(map(str, files))
            raise ToolFailure("TARGET_AMBIGUOUS", f"{len(files)} files have that name: {listed}.", ["Give its path."])
        commands = openers_of(files[0], wayland=self._desktop.has_wayland)
        if not commands:
            told = f"No application that is installed opens files like {files[0]}."
            raise ToolFailure("TARGET_NOT_FOUND", told, ["Name an application, with the file as an argument."])
        return self._open_first(commands, [str(files[0]), *args])

    def _open_first(self, commands: list[list[str]], args: list[str]) -> str:
        """Start the first of some applications that does not end at once."""
        *first, last = commands
        for command in first:
            try:
                return self._open([*command, *args])
            except ToolFailure as failure:
                if failure.code != "TOOL_ERROR":  # it did not end: another one beside it would be too many
                    raise
        return self._open([*last, *args])

    def _open(self, command: list[str]) -> str:
        if not self._desktop.knows_windows:
            return self._open_unseen(command)
        before = self._windows()
        application = self._desktop.launch(command)
        came = self._eyes.control.until(partial(self._came, before, (command[0], application), Rest(), {}), WINDOW_S)
        match came:
            case Window() if self._eyes.hides(came):
                told = f"{command[0]} was started, and its window is masked: you neither see it nor touch it."
                raise ToolFailure("PERMISSION_DENIED", told, [MASKED_HINT])
            case Window():
                return _told(command[0], came, is_new=came.id not in {window.id for window in before})
            case str():
                raise ToolFailure("TOOL_ERROR", f"{command[0]} opened no window: {came}.")
            case _:
                state = "is running" if application.running() else "ended without an error"
                told = f"{command[0]} was started and {state}, but no window came up in {WINDOW_S:g} s."
                raise ToolFailure("TIMEOUT", told, [what_is_open(self._eyes.windows())])

    def _open_unseen(self, command: list[str]) -> str:
        """Start a program where nobody tells of windows: what comes up and is as large as one is taken for its own."""
        before = self._eyes.look()
        application = self._desktop.launch(command)

        def outcome() -> str | bool:
            return application.failure() or came_up(self._eyes.news(before, self._eyes.look()))

        done = self._eyes.control.until(outcome, WINDOW_S)
        if isinstance(done, str):
            raise ToolFailure("TOOL_ERROR", f"{command[0]} opened no window: {done}.")
        if not done:
            told = f"{command[0]} was started, but nothing like a window came up in {WINDOW_S:g} s."
            raise ToolFailure("TIMEOUT", told, ["Look at the screen: it may be below another window."])
        self._eyes.settle(before)
        self._eyes.unseen_focus.put()
        return f"Started {command[0]}, and something like a window came up; nobody tells whether it has the focus."

    def _came(
        self, before: list[Window], started: tuple[str, Application], rest: Rest, since_s: dict[int, float]
    ) -> Window | str | None:
        """Return the window that was opened, or why there is none; None as long as it may still come.

        It is a new one, or an old one that a single-instance program has brought to the front, or in which it has
        opened a tab, or that was in front already. One that takes no focus may be a splash screen: it counts once the
        programs are at rest.

        Args:
            before: the windows that were there.
            started: the program, and what was started.
            rest: measures for how long the programs have been at rest.
            since_s: since when each new window has been there; kept from call to call.
        """
        program, application = started
        if why := application.failure():
            return why
        now_s, ids = time.monotonic(), {window.id for window in before}
        active = {window.id for window in before if window.active}
        titles = {window.id: window.title for window in before}
        windows = self._windows()
        new = [one for one in windows if one.id not in ids]
        since_s |= {one.id: now_s for one in new if one.id not in since_s}
        for one in windows:
            if not one.active or not one.takes_focus:
                continue
            if one in new or not (application.running() or (one.id in active and one.title == titles[one.id])):
                return one
            if not new and not application.running() and _is_of(one, program):
                quiet_s = rest.seconds(self._desktop.activity(), [one.id], now_s)
                return one if quiet_s >= SPLASH_REST_S else None
        if ready := [one for one in new if one.takes_focus]:
            return next((one for one in ready if now_s - since_s[one.id] >= FOCUS_S), None)
        at_rest = new and rest.seconds(self._desktop.activity(), [one.id for one in new], now_s) >= SPLASH_REST_S
        return new[-1] if at_rest else None

    def _windows(self) -> list[Window]:
        """Return all windows, also masked ones, since the new one may be masked; but not our own, which come and go."""
        return [one for one in self._desktop.windows() if not (one.ours and self._eyes.hides(one))]


def _is_of(window: Window, program: str) -> bool:
    """Whether a window is one of a program, by their names."""
    name, own = PurePath(program).name.casefold(), window.application.casefold()
    return bool(own) and (name in own or own in name)


def _told(program: str, window: Window, *, is_new: bool) -> str:
    """Say which window was opened."""
    front = "in front" if window.active else "not in front"
    if is_new:
        return f'Started {program}; its window "{window.title}" ({window.application}) is {front}.'
    return f'{program} is running already; its window "{window.title}" ({window.application}) is {front}.'
