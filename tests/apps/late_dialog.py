"""An application that opens its dialog late: `late_dialog.py MILLISECONDS FILE`. Confirmed, it writes the file."""

import sys
import tkinter as tk
from pathlib import Path

late, file = int(sys.argv[1]), Path(sys.argv[2])
root = tk.Tk()
root.title("Orders")
root.geometry("420x260+80+80")
tk.Label(root, text="Nothing ordered yet").pack(pady=12)
tk.Label(root, text="Customer:").place(x=20, y=60)
customer = tk.Entry(root, width=24)
customer.place(x=110, y=58)


def confirm(dialog: tk.Toplevel) -> None:
    file.write_text(customer.get(), encoding="utf-8")
    dialog.destroy()
    tk.Label(root, text="Order placed", font=("DejaVu Sans", 14)).place(x=120, y=180)


def ask() -> None:
    dialog = tk.Toplevel(root)
    dialog.title("Question")
    dialog.geometry("300x140+560+200")
    tk.Label(dialog, text="Shall it be ordered?").pack(pady=12)
    tk.Button(dialog, text="Confirm", command=lambda: confirm(dialog)).pack()


tk.Button(root, text="Order now", command=lambda: root.after(late, ask)).place(x=150, y=110)
root.mainloop()
