"""A Tk application that runs only once: `lone_tk.py SOCKET`. Started again, it shows the window that is there."""

import socket
import sys
import tkinter as tk

door = socket.socket(socket.AF_UNIX)
if door.connect_ex(sys.argv[1]) == 0:
    sys.exit()
door.close()
door = socket.socket(socket.AF_UNIX)
door.bind(sys.argv[1])
door.listen()
root = tk.Tk(className="lone")
root.title("Loading")
root.geometry("300x200")
root.after(300, lambda: root.title("Alone"))


def visited(*_: object) -> None:
    door.accept()[0].close()
    root.deiconify()
    root.lift()
    root.focus_force()


root.createfilehandler(door, tk.READABLE, visited)
root.mainloop()
