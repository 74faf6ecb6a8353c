"""A Tk application that writes down what the mouse and the keyboard do to it: `watch_tk.py FILE`, a line an event."""

import json
import sys
import tkinter as tk
from pathlib import Path
from typing import Any

log = Path(sys.argv[1]).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - open as long as the application
root = tk.Tk(className="watch")
root.title("Watch Tk")
root.attributes("-fullscreen", 1)
field = tk.Frame(root, background="#d8e4f0", takefocus=True)
field.pack(fill="both", expand=True)
tk.Label(field, text="Handle", background="white", font=("DejaVu Sans", 14)).place(x=200, y=150)
tk.Label(field, text="Goal", background="white", font=("DejaVu Sans", 14)).place(x=700, y=500)


def told(kind: str) -> Any:
    def write(event: Any) -> None:
        key = event.keysym if kind.startswith("key") else event.num
        log.write(json.dumps([kind, key, event.x_root, event.y_root]) + "\n")

    return write


for sequence, kind in {
    "<ButtonPress>": "down",
    "<ButtonRelease>": "up",
    "<Motion>": "move",
    "<B1-Motion>": "drag",
    "<KeyPress>": "key down",
    "<KeyRelease>": "key up",
}.items():
    root.bind(sequence, told(kind))
for number, name in enumerate(("Double", "Triple"), 2):
    root.bind(f"<{name}-Button-1>", told(f"click {number}"), add=True)


def ready(_event: object) -> None:
    """Say it once: the focus comes again when the window manager gives it to the window."""
    field.unbind("<FocusIn>")
    log.write('["ready"]\n')


field.bind("<FocusIn>", ready)
field.focus_force()
root.mainloop()
