"""A Tk window after a description in JSON, which writes down what is done to it: `screen_tk.py FILE JSON`."""

import json
import sys
import tkinter as tk
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tkinter import ttk
from typing import Any

file, screen = Path(sys.argv[1]), json.loads(sys.argv[2])
EVENTS = {
    "<ButtonPress-1>": "down",
    "<ButtonRelease-1>": "pressed",
    "<ButtonRelease-2>": "middle",
    "<ButtonPress-3>": "right",
    "<Double-ButtonPress-1>": "double",
    "<Triple-ButtonPress-1>": "triple",
}


def say(text: str) -> None:
    with file.open("a", encoding="utf-8") as written:
        written.write(f"{text}\n")


def done(what: str, name: str, event: "tk.Event[tk.Misc]") -> None:
    over = root.winfo_containing(event.x_root, event.y_root)
    there = str(over.cget("text")) if isinstance(over, tk.Label | tk.Button) else name
    say(f"{what} {name}" if there == name else f"dropped {name} on {there}")


def telling(told: Callable[[], str]) -> Callable[..., None]:
    return lambda *_: say(told())


root = tk.Tk(className="screen")
root.title(screen["title"])
root.geometry("+60+70")
if screen.get("alone"):  # what is counted: a window behind it counts too
    root.attributes("-fullscreen", "1")
large: Any = ("DejaVu Sans", 14)
words = tk.Label(
    root,
    text=screen["words"],
    font=("DejaVu Sans", -screen.get("size", 16)),
    fg=screen.get("colour", "#111111"),
    bg=screen.get("back", root.cget("bg")),
    wraplength=520,
)
words.pack(padx=20, pady=16)
for name in screen.get("buttons", ()):
    button = tk.Button(root, text=name, width=18, font=large)
    button.pack(padx=30, pady=12)
    for sequence, what in EVENTS.items():
        button.bind(sequence, partial(done, what, name))
values = {}
for name in screen.get("fields", ()):
    row = tk.Frame(root)
    row.pack(padx=30, pady=12)
    tk.Label(row, text=f"{name}:", font=large).pack(side="left", padx=8)
    values[name] = tk.StringVar()
    values[name].trace_add("write", telling(lambda name=name: f"typed {name}: {values[name].get()}"))  # type: ignore[misc]
    tk.Entry(row, font=large, width=30, textvariable=values[name]).pack(side="left")
for name in screen.get("boxes", ()):
    tk.Checkbutton(root, text=name, font=large, command=telling(lambda name=name: f"ticked {name}")).pack(pady=12)  # type: ignore[misc]
if choices := screen.get("choices"):
    chosen = ttk.Combobox(root, values=choices, state="readonly")
    chosen.set(choices[0])
    chosen.pack(padx=30, pady=12)
    chosen.bind("<<ComboboxSelected>>", telling(lambda: f"chose {chosen.get()}"))
words.bind("<Map>", telling(lambda: f"shown {words.cget('text')}"))
root.mainloop()
