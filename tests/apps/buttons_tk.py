"""A Tk window with buttons that write down their names when they are pressed: `buttons_tk.py TITLE FILE NAME...`."""

import sys
import tkinter as tk
from functools import partial
from pathlib import Path

title, file, *names = sys.argv[1:]


def pressed(name: str) -> None:
    with Path(file).open("a", encoding="utf-8") as written:
        written.write(f"{name}\n")


root = tk.Tk(className="buttons")
root.title(title)
root.geometry("+60+70")
for name in names:
    tk.Button(root, text=name, width=16, font=("DejaVu Sans", 14), command=partial(pressed, name)).pack(
        padx=30, pady=12
    )
tk.Entry(root, font=("DejaVu Sans", 14)).pack(padx=30, pady=12)
root.mainloop()
