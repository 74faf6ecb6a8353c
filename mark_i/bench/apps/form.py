"""A form of settings: `form.py FILE` writes the file as JSON on Apply, if the port is a number, and says so."""

import json
import sys
from pathlib import Path

BOXES = ("Newsletter", "Updates", "Sounds")


def main() -> None:
    """Run until it is killed."""
    import tkinter as tk  # noqa: PLC0415 - importing a package loads no Tk

    root = tk.Tk(className="form")
    root.title("Settings")
    font = ("TkDefaultFont", 12)
    texts, ticks = {}, {}
    for row, name in enumerate(("Name", "Port")):
        tk.Label(root, text=f"{name}:", font=font).grid(row=row, column=0, sticky="w", padx=12, pady=6)
        entry = tk.Entry(root, font=font, width=28)
        entry.grid(row=row, column=1, padx=12, pady=6)
        texts[name] = entry
    for row, name in enumerate(BOXES, len(texts)):
        ticks[name] = tk.BooleanVar(root)
        box = tk.Checkbutton(root, text=name, variable=ticks[name], font=font)
        box.grid(row=row, column=1, sticky="w", padx=12, pady=6)
    said = tk.Label(root, text="", font=font, width=48, anchor="w")
    said.grid(row=9, column=0, columnspan=2, padx=12, pady=12)

    def apply() -> None:
        port = texts["Port"].get()
        if port and not port.isdecimal():
            said.configure(text="The settings could not be saved: Port is not a number.")
            return
        found = {name: entry.get() for name, entry in texts.items()} | {name: one.get() for name, one in ticks.items()}
        Path(sys.argv[1]).write_text(json.dumps(found), encoding="utf-8")
        said.configure(text="The settings were saved.")

    tk.Button(root, text="Apply", font=font, command=apply).grid(row=8, column=1, sticky="e", padx=12, pady=6)
    texts["Name"].focus_force()
    root.mainloop()


if __name__ == "__main__":
    main()
