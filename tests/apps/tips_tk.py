"""Buttons with a tooltip that is drawn so many pixels from the pointer, after so long: `tips_tk.py FILE DX DY MS`.

Each click is a letter in the file: `b` on a button, `t` on a tooltip.
"""

import sys
import tkinter as tk
from pathlib import Path

file, across, down, delay_ms = Path(sys.argv[1]), *map(int, sys.argv[2:])


def note(letter: str) -> None:
    with file.open("a") as clicks:
        clicks.write(letter)


class Tip:
    """The tooltip of one widget."""

    def __init__(self, of: tk.Widget, text: str) -> None:
        self.text, self.due = text, ""
        self.window: tk.Toplevel | None = None
        self.of = of
        of.bind("<Enter>", lambda _event: self.wait())
        of.bind("<Leave>", lambda _event: self.leave())

    def wait(self) -> None:
        self.hide()
        self.due = self.of.after(delay_ms, self.show)

    def show(self) -> None:
        self.window = tk.Toplevel(self.of)
        self.window.overrideredirect(boolean=True)
        x, y = self.of.winfo_pointerxy()
        self.window.geometry(f"+{x + across}+{y + down}")
        tk.Label(self.window, text=self.text, background="#ffffe0", justify="left").pack()
        self.window.bind("<ButtonPress-1>", lambda _event: note("t"))

    def leave(self) -> None:
        """Hide it once the pointer is outside the widget, also if it is on the tooltip."""
        x, y = self.of.winfo_pointerx() - self.of.winfo_rootx(), self.of.winfo_pointery() - self.of.winfo_rooty()
        if 0 <= x < self.of.winfo_width() and 0 <= y < self.of.winfo_height():
            self.of.after(20, self.leave)
        else:
            self.hide()

    def hide(self) -> None:
        if self.due:
            self.of.after_cancel(self.due)
        if self.window is not None:
            self.window.destroy()
        self.window, self.due = None, ""


root = tk.Tk()
root.title("Tips")
root.geometry("500x420+60+60")
for nth, height in enumerate((1, 8)):
    button = tk.Button(root, text=f"Button {nth + 1}", width=30, height=height, command=lambda: note("b"))
    button.pack(pady=30)
    Tip(button, f"What Button {nth + 1} does,\nin two lines of text\nor in three")
root.mainloop()
