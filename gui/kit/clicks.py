"""The clicks of a double click: all of them belong to what took the first, whatever has come there meanwhile."""

import tkinter as tk
from collections import deque
from dataclasses import dataclass, replace
from typing import Final

MAX_MS, NEAR_PX = 500, 5  # between two clicks of a double click, as Tk has it


@dataclass(frozen=True, slots=True)
class Press:
    """One press of the left button of the mouse.

    Attributes:
        time_ms: when, by the clock of the display.
        x, y: where on the screen.
        owner: the path of the widget that it belongs to; empty for none.
    """

    time_ms: int
    x: int
    y: int
    owner: str

    def after(self, last: "Press | None") -> "Press":
        """Return this press as it counts after the last one."""
        if last is None or not 0 <= self.time_ms - last.time_ms <= MAX_MS:
            return self
        near = abs(self.x - last.x) <= NEAR_PX and abs(self.y - last.y) <= NEAR_PX
        return replace(self, owner=last.owner) if near else self

    def is_for(self, widget: str) -> bool:
        """Whether it belongs to the widget of that path, or to one in it."""
        return f"{self.owner}.".startswith(f"{widget}.")


_last: Final[deque[Press]] = deque(maxlen=1)  # there is one pointer


def note_presses(window: tk.Misc) -> None:
    """Note each press in the program from now on."""
    window.bind_all("<ButtonPress-1>", _note, add="+")


def took_click(widget: tk.Misc, time_ms: int) -> bool:
    """Whether a click that ended then belongs to this widget."""
    return not _last or not 0 <= time_ms - _last[0].time_ms <= MAX_MS or _last[0].is_for(str(widget))


def end_clicks() -> None:
    """Give what else there is of a double click to nobody, since the widget stands for something else now."""
    if _last:
        _last.append(replace(_last[0], owner=""))


def _note(event: "tk.Event[tk.Misc]") -> None:
    press = Press(event.time, event.x_root, event.y_root, str(event.widget))
    _last.append(press.after(_last[0] if _last else None))
