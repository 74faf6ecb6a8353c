"""A window in which one thing moves by itself: `restless.py caret|clock|bar|list`. The button shows a dialog at once.

`list` moves nothing: it is a long list, to be scrolled.
"""

import sys
import time
import tkinter as tk

root = tk.Tk()
root.title("Restless")
root.geometry("600x400+100+100")
kind = sys.argv[1]
shown = tk.Label(root, font=("TkDefaultFont", 16), bg="white", width=20)
shown.place(x=20, y=120)
tk.Button(root, text="Show", width=10, command=lambda: shown.config(text="It is shown")).place(x=20, y=20)
if kind == "caret":
    entry = tk.Entry(root)
    entry.place(x=300, y=30)
    entry.focus_force()
if kind == "clock":
    clock = tk.Label(root)
    clock.place(x=500, y=10)

    def tick() -> None:
        clock["text"] = time.strftime("%H:%M:%S")
        root.after(1000, tick)

    tick()
if kind == "bar":
    bar = tk.Canvas(root, width=300, height=14, bg="white")
    bar.place(x=250, y=360)
    block = bar.create_rectangle(0, 0, 40, 16, fill="steelblue")

    def turn(turns: int = 0) -> None:
        bar.coords(block, turns * 8 % 260, 0, turns * 8 % 260 + 40, 16)
        root.after(40, turn, turns + 1)

    turn()
if kind == "list":
    rows = tk.Listbox(root, font=("TkDefaultFont", 14), width=40)
    rows.insert("end", *(f"Row number {number} of the list" for number in range(100)))
    rows.place(x=20, y=170)
root.mainloop()
