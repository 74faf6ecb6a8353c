"""An editor that changes what is typed, as office programs do, and drops a digit that is repeated at once."""

import tkinter as tk

CHANGES = {"teh": "the", "wednes": "wednesday"}
BOUNCE_MS = 500
last: dict[str, int] = {}
root = tk.Tk()
root.title("Corrector")
root.geometry("520x300+40+40")
text = tk.Text(root, font=("DejaVu Sans", 12), wrap="word")
text.pack(expand=True, fill="both")
text.focus_force()


def correct(_event: "tk.Event[tk.Misc]") -> None:
    """Change the word before the caret, if it is one of those."""
    start = text.index("insert-1c wordstart")
    word = text.get(start, "insert")
    if word in CHANGES:
        text.delete(start, "insert")
        text.insert("insert", CHANGES[word])


def drop_repeated(event: "tk.Event[tk.Misc]") -> str | None:
    """Ignore a digit that comes again within half a second, as programs do whose keys bounce."""
    before = last.get(event.char, event.time - BOUNCE_MS)
    last[event.char] = event.time
    return "break" if event.char.isdigit() and event.time - before < BOUNCE_MS else None


text.bind("<space>", correct)
text.bind("<Return>", correct)
text.bind("<Key>", drop_repeated)
root.mainloop()
