"""Types with another library or program: `rival.py NAME SOCKET`.

Each line received is a text as JSON; the reply is the seconds that it took, and the rival's error, if any.
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
    """Type until the socket is closed."""
    type_text = RIVALS[sys.argv[1]]()
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(sys.argv[2])
        with door.makefile("rw", encoding="ascii") as lines:
            for line in lines:
                refused, began = None, time.perf_counter()
                try:
                    type_text(json.loads(line))
                except Exception as error:  # noqa: BLE001 - a rival may raise anything, and that is a result
                    refused = f"{type(error).__name__}: {error}"
                lines.write(json.dumps([time.perf_counter() - began, refused]) + "\n")
                lines.flush()


def pyautogui() -> Types:
    """Return pyautogui's typing, without its pauses."""
    rival: Any = importlib.import_module("pyautogui")
    rival.PAUSE = 0
    rival.FAILSAFE = False
    types: Types = rival.typewrite
    return types


def pynput() -> Types:
    """Return pynput's typing, with its defaults."""
    types: Types = importlib.import_module("pynput.keyboard").Controller().type
    return types


def xdotool() -> Types:
    """Return xdotool's typing, with its default of 12 ms between keys; if faster, it fails more often."""
    return lambda text: subprocess.run(["xdotool", "type", "--", text], check=True)  # noqa: S603, S607


RIVALS: Final = {"pyautogui": pyautogui, "pynput": pynput, "xdotool": xdotool}

if __name__ == "__main__":
    main()
