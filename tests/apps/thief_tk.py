"""A field that writes down what is typed into it: `thief_tk.py FOLDER`. A window takes its focus once `ask` is there.

The file `ask` says after how many characters in the field that happens; 0 is at once. Each window notes what it gets.
The file `left` comes when the field has drawn that it lost the focus.
"""

import sys
import tkinter as tk
from pathlib import Path

folder = Path(sys.argv[1])
ask = folder / "ask"
root = tk.Tk()
root.title("Letter")
root.geometry("400x200+50+50")
entry = tk.Entry(root)
entry.pack(expand=True, fill="x")
entry.focus_force()


def keep(window: tk.Misc, name: str) -> None:
    """Note each character that a window receives."""

    def note(event: "tk.Event[tk.Misc]") -> None:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(event.char)

    window.bind("<KeyPress>", note)


def steal() -> None:
    """Open the other window if it is time."""
    if ask.exists() and len(entry.get()) >= int(ask.read_text()):
        ask.unlink()
        other = tk.Toplevel(root)
        other.title("Delete all?")
        other.geometry("300x150+500+50")
        keep(other, "stolen")
        other.focus_force()


def watch() -> None:
    """Look now and then: a program that never rests is waited for at each key."""
    steal()
    root.after(50, watch)


keep(entry, "typed")
entry.bind("<KeyRelease>", lambda _event: steal())
entry.bind("<FocusOut>", lambda _event: root.after(1, lambda: root.after_idle((folder / "left").touch)))
watch()
root.mainloop()
