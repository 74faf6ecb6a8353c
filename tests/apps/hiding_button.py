"""A window whose button hides itself at a click, once a line comes in, and prints each click: `hiding_button.py`."""

import sys

from gui.kit.buttons import PLAIN, Button
from gui.kit.clicks import note_presses
from gui.toolkit import ctk

window = ctk.CTk()
window.title("Hiding")
window.geometry("300x200+80+80")
note_presses(window)


def hide() -> None:
    sys.stdout.write("clicked\n")
    sys.stdout.flush()
    sys.stdin.readline()
    button.pack_forget()


button = Button(window, "Hide", PLAIN, hide)
button.pack(pady=60)
window.bind("<Return>", lambda _event: window.destroy())
window.focus_force()
window.mainloop()
