"""A window of one colour, which a click changes; clicks, keys and the wheel are told in a file: `paint_tk.py FILE`."""

import sys
import tkinter as tk

COLOURS = ["#e000e0", "#00b000"]

root = tk.Tk()
root.title("Paint")
root.geometry("1000x600+300+200")
root.configure(background=COLOURS[0])


def say(*words: object) -> None:
    print(*words, file=out, flush=True)


def clicked(event: "tk.Event[tk.Misc]") -> None:
    root.configure(background=COLOURS[1])
    say("down", event.x_root, event.y_root, int(event.state) & 1)


with open(sys.argv[1], "a", encoding="utf-8") as out:  # noqa: PTH123 - a few lines are enough here
    root.bind("<Button-1>", clicked)
    root.bind("<ButtonRelease-1>", lambda event: say("up", event.x_root, event.y_root))
    root.bind("<Button-4>", lambda _event: say("wheel up"))
    root.bind("<Key>", lambda event: say("key", event.keysym))
    root.mainloop()
