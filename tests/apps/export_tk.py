"""A window and its dialog, each with a button Export that writes its name: `export_tk.py FILE`."""

import sys
import tkinter as tk
from pathlib import Path

file = Path(sys.argv[1])
root = tk.Tk()
root.title("Report")
root.geometry("500x300+40+40")
tk.Button(root, text="Export", command=lambda: file.write_text("window")).place(x=30, y=220)
dialog = tk.Toplevel(root)
dialog.title("Options")
dialog.geometry("260x120+240+120")
dialog.transient(root)
tk.Label(dialog, text="As a page").pack()
tk.Button(dialog, text="Export", command=lambda: file.write_text("dialog")).pack(side="bottom")
dialog.wait_visibility()
dialog.grab_set()
dialog.focus_force()
root.mainloop()
