"""Waits until keyboard and mouse have been quiet for a moment, so that what began before a question decides nothing."""

import tkinter as tk
from typing import Final

QUIET_MS: Final = 700  # without a key or a click
# A key that a widget keeps to itself is still seen when it is released.
INPUT: Final = ("<Map>", "<Key>", "<KeyRelease>", "<Button>", "<ButtonRelease>")


class Quiet:
    """`reached` tells whether the window of `part` has been quiet since `begin`."""

    def __init__(self, part: tk.Misc) -> None:
        self._part = part
        self.reached = False
        self._due: str | None = None
        for sequence in INPUT:
            part.winfo_toplevel().bind(sequence, lambda _event: self._disturb(), add="+")

    def begin(self) -> None:
        """Wait from now on."""
        self.end()
        self._wait()

    def end(self) -> None:
        """Wait no longer."""
        self.reached = False
        if self._due:
            self._part.after_cancel(self._due)
            self._due = None

    def _wait(self) -> None:
        self._due = self._part.after(QUIET_MS, self._settle)

    def _disturb(self) -> None:
        if self._due:
            self._part.after_cancel(self._due)
            self._wait()

    def _settle(self) -> None:
        self._due = None
        self.reached = True
