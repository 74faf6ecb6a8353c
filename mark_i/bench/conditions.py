"""What may be otherwise when a skill is done again: the window, the looks, a label, a popup, the machine."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from toolbelt.desktops import VirtualDesktop
from world_model import Region, Size

Condition = Literal["same", "moved", "theme", "font", "relabelled", "popup", "values", "slow"]
CONDITIONS: Final[tuple[Condition, ...]] = ("moved", "theme", "font", "relabelled", "popup", "values", "slow")
SIZE: Final = Size(1280, 900)
OTHER_SIZE: Final = Size(1600, 1000)  # of the desktop on which the window was moved
POPUP: Final = ("zenity", "--info", "--title=News", "--text=A new version can be had.", "--ok-label=OK")
# What GTK, Qt, Tk and browsers read for their looks
ENVIRONMENT: Final[Mapping[str, Mapping[str, str]]] = {
    "theme": {"GTK_THEME": "Adwaita:dark", "QT_STYLE_OVERRIDE": "windows"},
    "font": {"GDK_DPI_SCALE": "1.25", "QT_FONT_DPI": "120"},
}
LOOKS: Final[Mapping[str, str]] = {
    "theme": "--force-dark-mode --enable-features=WebContentsForceDark",
    "font": "--force-device-scale-factor=1.25",
}
DEFAULTS: Final[Mapping[str, str]] = {"theme": "*background: #2e3436\n*foreground: #eeeeec\n", "font": "Xft.dpi: 120\n"}
STOPPED_S, GOES_ON_S = 0.12, 0.04  # of a slow machine: a quarter of the time is left to its programs


def moved(desktop: VirtualDesktop) -> None:
    """Put the window in front elsewhere, and give it another size."""
    front = next(window for window in desktop.windows() if window.active)
    at = front.region
    width, height = (
        (at.width * 9 // 10, at.height * 9 // 10) if at.width > SIZE.width // 2 else (at.width + 90, at.height + 60)
    )
    desktop.place_window(front, Region(137, 83, width, height))


@contextlib.contextmanager
def slowed(desktop: VirtualDesktop) -> Iterator[None]:
    """Let the programs with a window run for a quarter of the time."""
    ended = threading.Event()

    def hold() -> None:
        while not ended.wait(GOES_ON_S):
            programs = {window.pid for window in desktop.windows() if window.pid}
            _tell(programs, signal.SIGSTOP)
            ended.wait(STOPPED_S)
            _tell(programs, signal.SIGCONT)

    thread = threading.Thread(target=hold, name="slow machine")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _tell(programs: set[int], what: signal.Signals) -> None:
    for program in programs:
        with contextlib.suppress(ProcessLookupError):
            os.kill(program, what)
