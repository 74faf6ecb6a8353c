"""A canvas that shows a desktop live, and sends the person's mouse and keyboard there."""

import tkinter as tk
from collections.abc import Collection
from functools import partial
from typing import Final

from PIL import ImageTk

from gui.kit.style import FIELD_BORDER, SUNKEN, TONES, Color, scale_of
from gui.live.input_thread import RemoteInput
from gui.live.keymap import key_input, modifiers_in
from gui.live.screen_thread import LiveFrame, ScreenWatcher
from gui.toolkit import ctk
from toolbelt.desktops import Button as MouseButton, Direction
from world_model import Point, Size

FRAME_PX: Final = 3  # around the image; colored while the person controls it
BUTTONS: Final[dict[int, MouseButton]] = {1: "left", 2: "middle", 3: "right"}
WHEEL: Final[dict[int, Direction]] = {4: "up", 5: "down"}


class ScreenCanvas(tk.Canvas):
    """Shows what a watcher sees.

    Args:
        master: what it is in.
        kept_keys: Tk's names of the keys that belong to the window; with Shift, Escape is sent all the same.
    """

    def __init__(self, master: ctk.CTkBaseClass | ctk.CTk, kept_keys: Collection[str] = ()) -> None:
        super().__init__(master, highlightthickness=FRAME_PX, borderwidth=0, width=1, height=1, takefocus=False)
        self._master, self._kept_keys = master, kept_keys
        self._watcher: ScreenWatcher | None = None
        self._input: RemoteInput | None = None
        self._look: LiveFrame | None = None
        self._photo: ImageTk.PhotoImage | None = None
        self._focused = False
        self._image = self.create_image(0, 0, anchor="center")
        self.color()
        self._listen()

    def watch(self, watcher: ScreenWatcher | None) -> None:
        """Show what this watcher sees; None: nothing any longer."""
        self._watcher, self._look, self._photo = watcher, None, None
        self.itemconfigure(self._image, image="")

    def set_input(self, remote: RemoteInput | None) -> None:
        """Send the person's mouse and keyboard there; None: to nobody."""
        self._input = remote
        if remote:
            self.focus_set()
        self.color()

    def refresh(self) -> None:
        """Show the newest image; the screen is watched only while this is visible."""
        if self._watcher is None:
            return
        seen = self.winfo_viewable() and self.winfo_width() > 2 * FRAME_PX
        self._watcher.show(self._room() if seen else None, scale_of(self._master))
        if look := self._watcher.newest():
            self._show(look)

    def color(self) -> None:
        """Frame the image while the person controls it, brighter while their keys go there too."""
        frame: Color = SUNKEN if self._input is None else TONES["paused"] if self._focused else FIELD_BORDER
        ground = self._master._apply_appearance_mode(SUNKEN)  # noqa: SLF001 - how customtkinter's own parts choose
        color = self._master._apply_appearance_mode(frame)  # noqa: SLF001
        self.configure(background=ground, highlightbackground=color, highlightcolor=color)

    def _show(self, look: LiveFrame) -> None:
        if self._photo and (self._photo.width(), self._photo.height()) == look.picture.size:
            self._photo.paste(look.picture)
        else:
            self._photo = ImageTk.PhotoImage(look.picture, master=self)
            self.itemconfigure(self._image, image=self._photo)
        self._look = look
        self.coords(self._image, self.winfo_width() // 2, self.winfo_height() // 2)

    def _room(self) -> Size:
        return Size(self.winfo_width() - 2 * FRAME_PX, self.winfo_height() - 2 * FRAME_PX)

    def _place(self, event: "tk.Event[tk.Misc]") -> Point | None:
        """Map an event to a point of the agent's screen, clamped to its edge; None while nothing is shown."""
        if not self._look:
            return None
        (width, height), screen = self._look.picture.size, self._look.screen
        left, top = (self.winfo_width() - width) // 2, (self.winfo_height() - height) // 2
        across = min(max(0, event.x - left), width - 1) + 0.5
        down = min(max(0, event.y - top), height - 1) + 0.5
        return Point(int(across * screen.width / width), int(down * screen.height / height))

    def _listen(self) -> None:
        self.bind("<Motion>", self._moved)
        for number, button in BUTTONS.items():
            self.bind(f"<Button-{number}>", partial(self._pressed, button))
            self.bind(f"<ButtonRelease-{number}>", self._released)
        for number, direction in WHEEL.items():
            self.bind(f"<Button-{number}>", partial(self._turned, direction))
        self.bind("<KeyPress>", self._typed)
        self.bind("<FocusIn>", lambda _event: self._focus(here=True))
        self.bind("<FocusOut>", lambda _event: self._focus(here=False))

    def _moved(self, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self._input.move(place)

    def _pressed(self, button: MouseButton, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self.focus_set()
            self._input.down(place, button, tuple(modifiers_in(int(event.state))))

    def _released(self, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self._input.up(place)

    def _turned(self, direction: Direction, event: "tk.Event[tk.Misc]") -> str:
        if self._input and (place := self._place(event)):
            self._input.scroll(place, direction)
        return "break"

    def _typed(self, event: "tk.Event[tk.Misc]") -> str | None:
        """Send every key there, except those that belong to the window."""
        held = modifiers_in(int(event.state))
        if self._input is None or (event.keysym in self._kept_keys and not held):
            return None
        if event.keysym == "Escape" and held == ["shift"] and event.keysym in self._kept_keys:
            held, event.state = [], 0
        if stroke := key_input(event.keysym, event.keysym_num, event.char, int(event.state)):
            self._input.key(stroke)
        return "break"

    def _focus(self, *, here: bool) -> None:
        self._focused = here
        self.color()
