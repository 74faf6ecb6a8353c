"""A button over which a window comes, so many milliseconds after a line in the file `ask`: `popup.py KIND FOLDER`.

Each click is a letter in the file `clicks`: `b` on the button, `w` on the window, which is gone after a moment, a `g`.
"""

import sys
import tkinter as tk
from pathlib import Path

kind, folder = sys.argv[1], Path(sys.argv[2])
clicks, ask = folder / "clicks", folder / "ask"


def note(letter: str) -> None:
    """Once it has happened."""
    with clicks.open("a") as file:
        file.write(letter)


def over() -> None:
    """A window with a button that is larger than the one below."""
    window = tk.Toplevel(root)
    window.geometry("420x320+90+90")
    window.overrideredirect(kind == "bare")
    tk.Button(window, text="Delete everything", command=lambda: note("w")).pack(expand=True, fill="both")

    def gone() -> None:
        window.destroy()
        note("g")

    root.after(150, gone)


def watch() -> None:
    """Look for the next line."""
    if ask.exists():
        root.after(int(ask.read_text()), over)
        ask.unlink()
    root.after(20, watch)


root = tk.Tk()
root.geometry("400x300+100+100")
tk.Button(root, text="Press me", width=30, height=6, command=lambda: note("b")).pack(pady=60)
watch()
root.mainloop()
