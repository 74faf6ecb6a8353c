"""Large cards that light up under the pointer in so many steps: `cards_tk.py FOLDER STEPS`.

Each click is a letter in the file `clicks`: `c` on a card, `w` on what comes over it. That comes with the pointer
while there is a file `ask`, and stays as long. Beneath the cards are rows that light up at once.
"""

import sys
import tkinter as tk
from pathlib import Path

DARK, LIGHT, STEP_MS = 0xD0, 0xFA, 30

folder, steps = Path(sys.argv[1]), int(sys.argv[2])
clicks, ask = folder / "clicks", folder / "ask"


def note(letter: str) -> None:
    with clicks.open("a") as file:
        file.write(letter)


class Card(tk.Frame):
    """One card."""

    def __init__(self, parent: tk.Tk, name: str, height: int, steps: int) -> None:
        super().__init__(parent, width=220, height=height, background=f"#{DARK:02x}d8e0")
        self.step = self.goal = 0
        self.steps = steps
        self.name = tk.Label(self, text=name, background=self["background"])
        self.name.place(x=10, y=8)
        self.over = tk.Button(self, text="Delete everything", command=lambda: note("w"))
        for part in (self, self.name):
            part.bind("<ButtonPress-1>", lambda _event: note("c"))
        self.bind("<Enter>", lambda _event: self.light(self.steps))
        self.bind("<Leave>", lambda _event: self.light(0))

    def light(self, goal: int) -> None:
        """Go to so many steps of light."""
        if goal and ask.exists():
            self.over.place(x=0, y=0, relwidth=1, relheight=1)
            self.away()
        self.goal = goal
        self.fade()

    def fade(self) -> None:
        """Come one step nearer."""
        if self.step != self.goal:
            self.step += 1 if self.goal > self.step else -1
            colour = f"#{DARK + (LIGHT - DARK) * self.step // self.steps:02x}d8e0"
            self.configure(background=colour)
            self.name.configure(background=colour)
            self.after(STEP_MS, self.fade)

    def away(self) -> None:
        """Take away what is over it, once that is wanted."""
        if ask.exists():
            self.after(20, self.away)
        else:
            self.over.place_forget()


root = tk.Tk()
root.title("Cards")
root.geometry("700x600+50+50")
for nth in range(3):
    Card(root, f"Card {nth + 1}", 200, steps).place(x=10 + 230 * nth, y=10)
for nth in range(5):
    Card(root, f"Row {nth + 1}", 60, 1).place(x=10, y=220 + 60 * nth, width=680)
root.mainloop()
