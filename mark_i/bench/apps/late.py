"""A window that answers a click late: `late.py FILE SEED`. It draws the answer after 0 to 1.5 s, and records when.

In turn, it is idle until then, like a program that waits for a server, or busy, like one that works. It also has a
blinking caret, a clock and a moving bar, none of which is an answer.
"""

import random
import sys
import time
from pathlib import Path

DELAY_MAX_S = 1.5
AT = (60, 60)  # the button within the window, in pixels
LABEL = (60, 240)  # where nothing reacts to a click


class Late:
    """The window and its animations."""

    def __init__(self, file: Path, seed: int) -> None:
        import tkinter as tk  # noqa: PLC0415 - importing a package loads no Tk

        self._file = file
        self._random = random.Random(seed)  # noqa: S311 - a benchmark repeats the same delays
        self._answers = 0
        self._root = tk.Tk(className="late")
        self._root.geometry("800x560+200+100")
        tk.Button(self._root, text="Ask", width=14, height=2, command=self._asked).place(x=20, y=30)
        self._answer = tk.Label(self._root, font=("TkDefaultFont", 40), width=16, bg="white")
        self._answer.place(x=20, y=200)
        self._clock = tk.Label(self._root)
        self._clock.place(x=600, y=20)
        self._bar = tk.Canvas(self._root, width=300, height=14, bg="white")
        self._block = self._bar.create_rectangle(0, 0, 40, 16, fill="steelblue")
        self._bar.place(x=400, y=500)
        entry = tk.Entry(self._root, width=30)
        entry.place(x=300, y=60)
        entry.focus_force()
        self._tick()
        self._turn(0)

    def run(self) -> None:
        """Run until it is killed."""
        self._root.mainloop()

    def _asked(self) -> None:
        seconds = self._random.uniform(0, DELAY_MAX_S)
        if self._answers % 2:
            time.sleep(seconds)
            self._draw()
        else:
            self._root.after(round(seconds * 1000), self._draw)

    def _draw(self) -> None:
        self._answers += 1
        self._answer["text"] = f"Answer {self._answers}"
        self._root.update_idletasks()
        self._root.winfo_pointerx()  # a round trip: the X server has drawn when it replies
        with self._file.open("a") as file:
            file.write(f"{time.monotonic()}\n")

    def _tick(self) -> None:
        self._clock["text"] = time.strftime("%H:%M:%S")
        self._root.after(1000, self._tick)

    def _turn(self, turns: int) -> None:
        left = turns * 8 % 260
        self._bar.coords(self._block, left, 0, left + 40, 16)
        self._root.after(50, self._turn, turns + 1)


if __name__ == "__main__":
    Late(Path(sys.argv[1]), int(sys.argv[2])).run()
