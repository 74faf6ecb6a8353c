"""A field in a program that says nothing of it, and keeps what is entered: `mute_tk.py FILE`."""

import sys
import tkinter as tk
from pathlib import Path

file = Path(sys.argv[1])
root = tk.Tk()
root.title("Mute")
entry = tk.Entry(root, width=30)
entry.pack(padx=40, pady=40)


def keep(_: object) -> None:
    file.write_text(entry.get(), encoding="utf-8")
    root.destroy()


entry.bind("<Return>", keep)
entry.bind("<FocusIn>", lambda _: Path(f"{file}.ready").touch())
entry.focus_force()
root.mainloop()
