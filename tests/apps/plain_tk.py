"""A Tk window of a fixed size that can be closed only after a question: `plain_tk.py TITLE WIDTHxHEIGHT`."""

import sys
import tkinter as tk

root = tk.Tk(className="plain")
root.title(sys.argv[1])
root.geometry(f"{sys.argv[2]}+60+70")
root.resizable(width=False, height=False)


def ask() -> None:
    question = tk.Toplevel(root)
    question.title("Really?")
    tk.Button(question, text="Yes", command=root.destroy).pack(padx=60, pady=30)


root.protocol("WM_DELETE_WINDOW", ask)
root.mainloop()
