"""A window that computes for a second of its processor time at a key, and shows its result only then.

At the key x it begins to compute on a thread without an end, and shows nothing.
"""

import threading
import time
import tkinter as tk


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def answer(event: "tk.Event[tk.Misc]") -> None:
    if event.char == "x":
        threading.Thread(target=compute, args=(1e9,), daemon=True).start()
    else:
        compute(1)
        label["text"] = "The sum is 4711"


root = tk.Tk()
root.title("Thinker")
root.geometry("400x200+50+50")
label = tk.Label(root, text="Press a key")
label.pack(expand=True)
root.bind("<KeyPress>", answer)
root.focus_force()
root.mainloop()
