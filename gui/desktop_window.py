"""The window of `mark-i desktop view`: a kept desktop, live, with the person's mouse and keyboard on it."""

import queue
import signal
import subprocess
import sys
import threading
import time
import tkinter as tk
from types import FrameType
from typing import Final

from gui.icons import set_icon
from gui.kit.appearance import apply_appearance
from gui.kit.style import BACKGROUND, EDGE_PX, MUTED, NEAR_PX, scale_of, small_font
from gui.live.input_thread import RemoteInput
from gui.live.screen_canvas import FRAME_PX, ScreenCanvas
from gui.live.screen_thread import ScreenWatcher
from gui.toolkit import ctk
from mark_i import EXIT_CODES, Control, VirtualDesktop
from mark_i.config import Settings, load
from toolbelt.desktops import KeptDesktop
from world_model import DesktopError, UsageError

POLL_MS: Final = 40  # between two looks at what is new
OPEN_POLL_S: Final = 0.5  # between two checks that the desktop is there
CLOSE_MAX_S: Final = 5.0  # for held keys to be released before the window closes
MIN_WRAP_PX: Final = 120
SCREEN_SHARE: Final = 0.9  # of the person's screen, at most, at the start
HINT: Final = "Click and type here; a run on this desktop pauses then. Closing this window ends nothing."
NO_DISPLAY: Final = (
    "The window needs a display, and none can be opened. `mark-i desktop view {} --vnc` works without one."
)


def show_desktop(profile: str, kept: KeptDesktop) -> int:
    """Show a desktop in a window until that is closed or the desktop ends, and return the exit code.

    Raises:
        DesktopError: there is no display for the window, or the desktop is gone.
    """
    try:
        settings = load(profile)
    except UsageError:  # a run tells of it; here only the theme is taken from them
        settings = Settings()
    apply_appearance(settings)
    try:
        window = DesktopWindow(kept)
    except tk.TclError as error:
        raise DesktopError(f"{NO_DISPLAY.format(kept.name)} ({error})") from error
    return window.stay()


def require_display() -> None:
    """Check that a window can be opened.

    A process of its own tries it: Tk never leaves a display, and ends the process whose display ends.

    Raises:
        DesktopError: there is no display for it.
    """
    command = [sys.executable, "-I", "-c", "import tkinter; tkinter.Tk().destroy()"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own interpreter
    if tried.returncode:
        [*_, reason] = tried.stderr.split("\n")[:-1] or [""]
        raise DesktopError(f"The window of --watch needs a display, and none can be opened; leave it out. ({reason})")


class DesktopWindow(ctk.CTk):  # type: ignore[misc]  # customtkinter has no types
    """Shows one kept desktop."""

    def __init__(self, kept: KeptDesktop) -> None:
        super().__init__(fg_color=BACKGROUND, className="Mark-I")
        set_icon(self)
        self.title(f"MARK-I: the desktop {kept.name}")
        self._kept, self._interrupted, self._ended = kept, False, False
        self._failures: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._desktop = VirtualDesktop.attach(kept, Control())
        self._input = RemoteInput(self._desktop, self._failures.put)
        self._released = threading.Event()
        self._close_at_s: float | None = None
        self._look_at_s = 0.0
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._message = ctk.CTkLabel(
            self, text=HINT, font=small_font(), text_color=MUTED, anchor="w", justify="left", height=0
        )
        self._message.grid(row=0, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        self._view = ScreenCanvas(self)
        self._view.grid(row=1, column=0, sticky="nsew")
        self._watcher = ScreenWatcher(kept.display)
        self._view.watch(self._watcher)
        self._view.set_input(self._input)
        self._fit()
        self.bind("<Configure>", self._wrap)
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.after(POLL_MS, self._poll)

    def stay(self) -> int:
        """Live until closed, until Ctrl-C in the terminal, or until the desktop ends.

        Returns:
            The exit code.
        """
        usual = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self.mainloop()
        finally:
            signal.signal(signal.SIGINT, usual)
            self._desktop.close()
        return EXIT_CODES["stopped"] if self._interrupted else 0

    def close(self) -> None:
        """Close once every key and button that is held is released."""
        if self._close_at_s is None:
            self._close_at_s = time.monotonic() + CLOSE_MAX_S
            self._input.end(self._released.set)

    def _poll(self) -> None:
        """Show what is new, and close when it is time."""
        now_s = time.monotonic()
        if now_s >= self._look_at_s:
            self._look_at_s, self._ended = now_s + OPEN_POLL_S, not self._kept.is_open
        if not self._failures.empty():
            self._message.configure(text=self._failures.get())
        self._view.refresh()
        if self._interrupted:
            self.close()
        if self._ended or self._released.is_set() or now_s >= (self._close_at_s or now_s + 1):
            self._watcher.close()
            self.destroy()
        else:
            self.after(POLL_MS, self._poll)

    def _fit(self) -> None:
        """Be as large as the desktop, and no larger than a part of the person's screen."""
        self.update_idletasks()
        scale, size = scale_of(self), self._kept.size
        below = self._message.winfo_reqheight() + round(2 * NEAR_PX * scale)
        room = (SCREEN_SHARE * self.winfo_screenwidth(), SCREEN_SHARE * self.winfo_screenheight() - below)
        factor = min(1.0, room[0] / size.width, room[1] / size.height)
        width, height = (round(factor * side) + 2 * FRAME_PX for side in (size.width, size.height))
        self.wm_geometry(f"{width}x{height + below}")

    def _wrap(self, _event: object) -> None:
        room = self.winfo_width() / scale_of(self) - 2 * EDGE_PX
        self._message.configure(wraplength=max(MIN_WRAP_PX, room))

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Leave a note for the next poll: a signal may come at any point."""
        self._interrupted = True
