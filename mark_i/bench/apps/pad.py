"""A pad to write on, which fills the screen: `pad.py [SENTENCE]` repeats a sentence all over it.

Its caret does not blink: in Tk one that is dark shows only 0.3 s later where it was put.
"""

import sys

LINES = 60


def main() -> None:
    """Until it is ended."""
    import tkinter as tk  # noqa: PLC0415 - importing a room loads no tk

    root = tk.Tk(className="pad")
    root.attributes("-fullscreen", 1)
    pad = tk.Text(root, font=("TkDefaultFont", 11), undo=False, insertofftime=0)
    pad.pack(expand=True, fill="both")
    for line in range(LINES if len(sys.argv) > 1 else 0):
        pad.insert("end", f"{line}: {sys.argv[1]}  {sys.argv[1]}\n")
    pad.focus_force()
    root.mainloop()


if __name__ == "__main__":
    main()
