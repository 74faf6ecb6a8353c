"""A form in Tk whose title says what was clicked last: `form_tk.py [dark]`."""

import sys
import tkinter as tk
from tkinter import ttk

root = tk.Tk(className="form")
root.title("Form Tk")
root.geometry("+40+40")
if "dark" in sys.argv:
    root.tk_setPalette(background="#2b2b2b", foreground="#e8e8e8")
    ttk.Style().configure("TCheckbutton", background="#2b2b2b", foreground="#e8e8e8")


def known(widget: tk.Misc, name: str) -> None:
    widget.bind("<Button-1>", lambda _event: root.title(f"clicked {name}"), add=True)


for row, name in enumerate(("Name", "Company")):
    tk.Label(root, text=f"{name}:").grid(row=row, column=0, sticky="w", padx=8, pady=6)
    entry = tk.Entry(root, width=28)
    entry.grid(row=row, column=1, padx=8, pady=6)
    known(entry, name.lower())
tk.Label(root, text="Address").grid(row=2, column=0, columnspan=2, sticky="w", padx=8)
below = ttk.Entry(root, width=40)
below.grid(row=3, column=0, columnspan=2, sticky="w", padx=8, pady=(0, 6))
known(below, "address")
tk.Label(root, text="Size:").grid(row=4, column=0, sticky="w", padx=8, pady=6)
size = ttk.Combobox(root, values=["Small", "Large"], state="readonly")
size.set("Small")
size.grid(row=4, column=1, padx=8, pady=6, sticky="w")
known(size, "size")
check = tk.Checkbutton(root, text="Gift wrap")
check.grid(row=5, column=0, sticky="w", padx=8)
known(check, "gift")
themed = ttk.Checkbutton(root, text="Express")
themed.state(["!alternate"])
themed.grid(row=5, column=1, sticky="w", padx=8)
known(themed, "express")
paid = tk.StringVar(value="now")
for column, (text, value) in enumerate((("Pay now", "now"), ("Pay later", "later"))):
    radio = tk.Radiobutton(root, text=text, variable=paid, value=value)
    radio.grid(row=6, column=column, sticky="w", padx=8)
    known(radio, value)
for column, text in enumerate(("Cancel", "OK")):
    button = tk.Button(root, text=text)
    button.grid(row=7, column=column, padx=8, pady=10)
    known(button, text.lower())
more = ttk.Button(root, text="More")
more.grid(row=8, column=0, padx=8, pady=10)
known(more, "more")
root.mainloop()
