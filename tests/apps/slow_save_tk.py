"""A Tk application whose dialog closes 1.2 s after enter, and then saves: `slow_save_tk.py FILE`. Ctrl+S opens it."""

import sys
import tkinter as tk
from pathlib import Path

root = tk.Tk()
root.title("Notes")
root.geometry("420x200+80+80")
tk.Label(root, text="Press ctrl+s to save").pack(pady=20)


def save(dialog: tk.Toplevel) -> None:
    dialog.destroy()
    Path(sys.argv[1]).write_text("notes", encoding="utf-8")
    tk.Label(root, text="Saved").pack()


def ask(_event: object) -> None:
    dialog = tk.Toplevel(root)
    dialog.title("Save")
    dialog.transient(root)
    dialog.geometry("300x100+160+200")
    name = tk.Entry(dialog)
    name.pack(pady=20)
    name.focus_force()
    name.bind("<Return>", lambda _: root.after(1200, save, dialog))


root.bind("<Control-s>", ask)
root.focus_force()
root.mainloop()
