"""A window whose labels are wrapped; its title says what was used last."""

import tkinter as tk

root = tk.Tk()
root.title("Wrapped")
root.geometry("520x360+40+40")
root.option_add("*Font", ("DejaVu Sans", 12))


def used(name: str) -> None:
    root.title(f"used {name}")


tk.Button(root, text="Save all\nchanges", command=lambda: used("save")).place(x=20, y=20)
tk.Button(root, text="Discard all\nchanges", command=lambda: used("discard")).place(x=220, y=20)
tk.Checkbutton(
    root,
    text="Send me the weekly letter about new offers and old friends",
    wraplength=260,
    justify="left",
    command=lambda: used("letter"),
).place(x=20, y=110)
tk.Checkbutton(root, text="Remember me", command=lambda: used("remember")).place(x=20, y=190)
root.mainloop()
