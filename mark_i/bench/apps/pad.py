"""A full-screen text area: `pad.py [SENTENCE]` fills it with a sentence.

Its caret does not blink: a hidden Tk caret shows its new position only after 0.3 s.
"""

import sys

LINES = 60


def main() -> None:
    """Run until it is killed."""
    import tkinter as tk  # noqa: PLC0415 - importing a package loads no Tk

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
