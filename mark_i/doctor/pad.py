"""The window in which the doctor tries mouse and keyboard: `pad.py FILE WORDS`.

It shows WORDS, and writes each input that it receives to FILE as a line of JSON. It closes when the file is deleted or
when the process that started it ends.
"""

import json
import os
import sys
from pathlib import Path

CHECK_MS = 200  # between two checks whether to close
SIZE = "560x300"


def main() -> None:
    """Show the window until it is closed."""
    import tkinter as tk  # noqa: PLC0415 - importing the package must not load Tk

    file, parent = Path(sys.argv[1]), os.getppid()
    root = tk.Tk(className="doctor")
    root.title("MARK-I doctor")
    root.geometry(SIZE)
    root.attributes("-topmost", 1)  # so that no other window receives the clicks
    words = tk.Label(root, text=sys.argv[2], font=("TkDefaultFont", -18), background="white", foreground="black")
    words.pack(fill="x", ipady=8)
    typed = tk.StringVar()
    field = tk.Entry(root, textvariable=typed, font=("TkTextFont", -16))
    field.pack(fill="x", padx=8, pady=8)
    pad = tk.Frame(root, background="#d8e4f0")
    pad.pack(fill="both", expand=True)

    def tell(name: str, told: object) -> None:
        with file.open("a", encoding="ascii") as lines:
            lines.write(json.dumps({name: told}) + "\n")

    def tell_places(_event: object) -> None:
        for name, part in (("words", words), ("pad", pad)):
            tell(name, [part.winfo_rootx(), part.winfo_rooty(), part.winfo_width(), part.winfo_height()])

    def stay() -> None:
        if file.exists() and os.getppid() == parent:
            root.after(CHECK_MS, stay)
        else:
            root.destroy()

    pad.bind("<ButtonPress-1>", lambda event: tell("click", [event.x_root, event.y_root]))
    for moved in ("<Enter>", "<Motion>"):
        pad.bind(moved, lambda event: tell("pointer", [event.x_root, event.y_root]))
    pad.bind("<Configure>", tell_places)
    root.bind("<Configure>", tell_places)
    field.bind("<FocusIn>", lambda _event: root.after_idle(tell, "focus", True))  # noqa: FBT003 - it is written
    field.bind("<FocusOut>", lambda _event: tell("focus", False))  # noqa: FBT003
    typed.trace_add("write", lambda *_: tell("text", typed.get()))
    root.after_idle(field.focus_force)
    stay()
    root.mainloop()


if __name__ == "__main__":
    main()
