"""Types with another library or program what it is told to: `rival.py NAME SOCKET`.

Each line that comes is a text as JSON; what goes back is how many seconds it took, and what the rival said of it if it
refused.
"""

import importlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final

Types = Callable[[str], Any]


def main() -> None:
    """Type until there is nothing more to type."""
    type_text = HANDS[sys.argv[1]]()
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(sys.argv[2])
        with door.makefile("rw", encoding="ascii") as lines:
            for line in lines:
                refused, began = None, time.perf_counter()
                try:
                    type_text(json.loads(line))
                except Exception as error:  # noqa: BLE001 - a rival may raise anything, and it is a figure here
                    refused = f"{type(error).__name__}: {error}"
                lines.write(json.dumps([time.perf_counter() - began, refused]) + "\n")
                lines.flush()


def pyautogui() -> Types:
    """Without its pauses, as ours."""
    rival: Any = importlib.import_module("pyautogui")
    rival.PAUSE = 0
    rival.FAILSAFE = False
    types: Types = rival.typewrite
    return types


def pynput() -> Types:
    """As it comes."""
    types: Types = importlib.import_module("pynput.keyboard").Controller().type
    return types


def xdotool() -> Types:
    """With the 12 ms between two keys that it comes with; faster, it is wrong more often."""
    return lambda text: subprocess.run(["xdotool", "type", "--", text], check=True)  # noqa: S603, S607


HANDS: Final = {"pyautogui": pyautogui, "pynput": pynput, "xdotool": xdotool}

if __name__ == "__main__":
    main()
