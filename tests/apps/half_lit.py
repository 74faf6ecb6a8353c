"""A large button whose light stands still halfway the first time, as in a slow program: `half_lit.py FILE`.

Each click is a letter in the file.
"""

import sys
import tkinter as tk
from pathlib import Path

DARK, HALF, FULL = "#c0c0c0", "#d8d0a0", "#f0e080"
STANDS_MS = 300


def note() -> None:
    with Path(sys.argv[1]).open("a") as clicks:
        clicks.write("b")


class Light:
    """The light of one button."""

    def __init__(self, of: tk.Button) -> None:
        self.of, self.stands_ms, self.due = of, STANDS_MS, ""
        of.bind("<Enter>", lambda _event: self.enter())
        of.bind("<Leave>", lambda _event: self.leave())

    def enter(self) -> str:
        self.of.configure(background=HALF)
        self.of.update_idletasks()
        self.due = self.of.after(self.stands_ms, lambda: self.of.configure(background=FULL))
        self.stands_ms = 0
        return "break"  # Tk's own light comes at once

    def leave(self) -> None:
        self.of.after_cancel(self.due)
        self.of.configure(background=DARK)


root = tk.Tk()
root.title("Half lit")
root.geometry("500x420+60+60")
button = tk.Button(root, text="Button 1", width=30, height=12, background=DARK, activebackground=FULL)
button.bind("<Button-1>", lambda _event: note())
button.pack(pady=30)
Light(button)
root.mainloop()
