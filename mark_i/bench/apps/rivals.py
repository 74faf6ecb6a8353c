"""Other libraries and programs that type, each in a process of its own on the same desktop."""

import importlib.util
import json
import os
import select
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import Desktop
from world_model import DesktopError, ToolFailure

SCRIPT: Final = Path(__file__).with_name("rival.py")
ANSWER_MAX_S: Final = 30.0  # for a rival to start, and to type one string
ASKED: Final = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"

TypeText = Callable[
    [str], tuple[float, str | None]
]  # types a text, and returns the seconds that it took and why it failed


@dataclass(frozen=True, slots=True)
class Rival:
    """A library or program that types, and the Python that has it installed, if any."""

    name: str
    python: str | None
    package: str  # the command that installs it

    @property
    def missing(self) -> str | None:
        """How to install it, if it is missing."""
        return None if self.python else f"{self.name} is not installed: {self.package}"


def rivals() -> list[Rival]:
    """Return all rivals, installed or not; libraries are searched in our Python and the one on the path."""
    return [
        Rival("pyautogui", _python_with("pyautogui"), "pip install pyautogui"),
        Rival(
            "pynput",
            _python_with("pynput"),
            "pip install pynput, in an environment other than ours, whose bin is first on PATH",
        ),
        Rival("xdotool", sys.executable if shutil.which("xdotool") else None, "sudo apt-get install xdotool"),
    ]


@contextmanager
def typing_of(rival: Rival, desktop: Desktop, control: Control, folder: Path) -> Iterator[TypeText]:
    """Start a rival on this desktop, and yield a function that types with it."""
    assert rival.python  # noqa: S101 - a missing one is skipped before
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / rival.name))
        door.listen()
        # python3-xlib fails without an Xauthority file, which a virtual desktop does not need.
        keys = f"XAUTHORITY={os.devnull}"
        started = desktop.launch(["env", keys, rival.python, str(SCRIPT), rival.name, str(folder / rival.name)])
        control.until(lambda: _readable(door) or started.failure(), ANSWER_MAX_S)
        if not _readable(door):
            raise DesktopError(f"{rival.name} did not start: {started.failure()}.")
        connection, _ = door.accept()
        with connection, connection.makefile("rw", encoding="ascii") as lines:

            def type_text(text: str) -> tuple[float, str | None]:
                lines.write(json.dumps(text) + "\n")
                lines.flush()
                if not control.until(lambda: _readable(connection), ANSWER_MAX_S):
                    raise ToolFailure("TIMEOUT", f"{rival.name} did not finish within {ANSWER_MAX_S:.0f} s.")
                seconds, refused = json.loads(lines.readline() or '[0.0, "it ended"]')
                return seconds, refused

            yield type_text


def _readable(door: socket.socket) -> bool:
    return bool(select.select([door], [], [], 0)[0])


def _python_with(module: str) -> str | None:
    if importlib.util.find_spec(module):
        return sys.executable
    other = shutil.which("python3")
    asked = [other, "-c", ASKED, module] if other else None
    return other if asked and not subprocess.run(asked, check=False).returncode else None  # noqa: S603 - our own words
