"""The agent's screen, live, with the person's mouse and keyboard on it once they have taken over."""

import tkinter as tk
from collections.abc import Callable
from functools import partial
from typing import Final

from PIL import ImageTk

from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    FIELD_BORDER,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SUNKEN,
    TEXT,
    TONES,
    Color,
    scale_of,
    small_font,
)
from gui.live.input_thread import RemoteInput
from gui.live.keymap import key_input, modifiers_in
from gui.live.screen_thread import LiveFrame, ScreenWatcher
from gui.run.state import RunState
from gui.toolkit import ctk
from toolbelt.desktops import Button as MouseButton, Direction
from world_model import Point, Size

FRAME_PX: Final = 3  # around the image; colored while the person controls it
BUTTONS: Final[dict[int, MouseButton]] = {1: "left", 2: "middle", 3: "right"}
WHEEL: Final[dict[int, Direction]] = {4: "up", 5: "down"}
AGENTS: Final = "MARK-I is working here. Press F9 to take over its mouse and keyboard."
PENDING: Final = "You take over as soon as MARK-I has finished its step."
YOURS: Final = "Click and type in the picture. F6 gives control back, Esc stops the run, Shift+Esc sends Esc."
MIN_WRAP_PX: Final = 120
LEFT_TO_THE_WINDOW: Final = ("Escape", "F6")


class LiveView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows what a watcher sees. `take` and `give_back` are what its button calls."""

    def __init__(self, master: tk.Misc, take: Callable[[], None], give_back: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self._take, self._give_back = take, give_back
        self._watcher: ScreenWatcher | None = None
        self._input: RemoteInput | None = None
        self._look: LiveFrame | None = None
        self._photo: ImageTk.PhotoImage | None = None
        self._drawn: tuple[object, ...] = ()
        self._focused = False
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(1, weight=1)
        self._message = ctk.CTkLabel(
            self, text=AGENTS, font=small_font(), text_color=MUTED, anchor="w", justify="left", height=0
        )
        self._message.grid(row=0, column=0, sticky="ew", padx=(EDGE_PX, NEAR_PX))
        self._button = Button(self, "Take over", PLAIN, take)
        self._button.grid(row=0, column=1, sticky="e", padx=(0, EDGE_PX))
        self._view = tk.Canvas(self, highlightthickness=FRAME_PX, borderwidth=0, width=1, height=1, takefocus=False)
        self._view.grid(row=1, column=0, columnspan=2, sticky="nsew", padx=EDGE_PX, pady=(NEAR_PX, GAP_PX))
        self._image = self._view.create_image(0, 0, anchor="center")
        self.bind("<Configure>", self._fit)
        self._color()
        self._listen()

    def watch(self, watcher: ScreenWatcher | None) -> None:
        """Show what this watcher sees; None: nothing any longer."""
        self._watcher, self._look, self._photo = watcher, None, None
        self._view.itemconfigure(self._image, image="")

    def set_input(self, remote: RemoteInput | None) -> None:
        """Send the person's mouse and keyboard there; None: to nobody."""
        self._input = remote
        if remote:
            self._view.focus_set()
        self._color()

    def draw(self, state: RunState) -> None:
        """Say who controls the screen."""
        drawn = (state.taken_over, state.view.taking_over, bool(state.allowed_requests))
        if drawn == self._drawn:
            return
        self._drawn = drawn
        taking = state.view.taking_over and bool(state.allowed_requests)
        self._message.configure(text=YOURS if state.taken_over else PENDING if taking else AGENTS)
        self._message.configure(text_color=TEXT if taking else MUTED)
        self._button.configure(text="Give back" if taking else "Take over")
        self._button.change(PRIMARY if taking else PLAIN, self._give_back if taking else self._take)
        self._button.enable(usable=bool(state.allowed_requests))

    def refresh(self) -> None:
        """Show the newest image; the screen is watched only while this view is visible."""
        if self._watcher is None:
            return
        seen = self._view.winfo_viewable() and self._view.winfo_width() > 2 * FRAME_PX
        self._watcher.show(self._room() if seen else None, scale_of(self))
        if look := self._watcher.newest():
            self._show(look)

    def _show(self, look: LiveFrame) -> None:
        if self._photo and (self._photo.width(), self._photo.height()) == look.picture.size:
            self._photo.paste(look.picture)
        else:
            self._photo = ImageTk.PhotoImage(look.picture, master=self)
            self._view.itemconfigure(self._image, image=self._photo)
        self._look = look
        self._view.coords(self._image, self._view.winfo_width() // 2, self._view.winfo_height() // 2)

    def _room(self) -> Size:
        return Size(self._view.winfo_width() - 2 * FRAME_PX, self._view.winfo_height() - 2 * FRAME_PX)

    def _place(self, event: "tk.Event[tk.Misc]") -> Point | None:
        """Map an event to a point of the agent's screen, clamped to its edge; None while nothing is shown."""
        if not self._look:
            return None
        (width, height), screen = self._look.picture.size, self._look.screen
        left, top = (self._view.winfo_width() - width) // 2, (self._view.winfo_height() - height) // 2
        across = min(max(0, event.x - left), width - 1) + 0.5
        down = min(max(0, event.y - top), height - 1) + 0.5
        return Point(int(across * screen.width / width), int(down * screen.height / height))

    def _listen(self) -> None:
        view = self._view
        view.bind("<Motion>", self._moved)
        for number, button in BUTTONS.items():
            view.bind(f"<Button-{number}>", partial(self._pressed, button))
            view.bind(f"<ButtonRelease-{number}>", self._released)
        for number, direction in WHEEL.items():
            view.bind(f"<Button-{number}>", partial(self._turned, direction))
        view.bind("<KeyPress>", self._typed)
        view.bind("<FocusIn>", lambda _event: self._focus(here=True))
        view.bind("<FocusOut>", lambda _event: self._focus(here=False))

    def _moved(self, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self._input.move(place)

    def _pressed(self, button: MouseButton, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self._view.focus_set()
            self._input.down(place, button, tuple(modifiers_in(int(event.state))))

    def _released(self, event: "tk.Event[tk.Misc]") -> None:
        if self._input and (place := self._place(event)):
            self._input.up(place)

    def _turned(self, direction: Direction, event: "tk.Event[tk.Misc]") -> str:
        if self._input and (place := self._place(event)):
            self._input.scroll(place, direction)
        return "break"

    def _typed(self, event: "tk.Event[tk.Misc]") -> str | None:
        """Send every key there, except those that stop the run or give control back."""
        held = modifiers_in(int(event.state))
        if self._input is None or (event.keysym in LEFT_TO_THE_WINDOW and not held):
            return None
        if event.keysym == "Escape" and held == ["shift"]:
            held, event.state = [], 0
        if stroke := key_input(event.keysym, event.keysym_num, event.char, int(event.state)):
            self._input.key(stroke)
        return "break"

    def _fit(self, event: "tk.Event[tk.Misc]") -> None:
        room = event.width / scale_of(self) - self._button.winfo_reqwidth() / scale_of(self) - 2 * EDGE_PX - 2 * NEAR_PX
        self._message.configure(wraplength=max(MIN_WRAP_PX, room))

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._color()

    def _focus(self, *, here: bool) -> None:
        self._focused = here
        self._color()

    def _color(self) -> None:
        """Frame the image while the person controls it, brighter while their keys go there too."""
        frame: Color = SUNKEN if self._input is None else TONES["paused"] if self._focused else FIELD_BORDER
        ground = self._apply_appearance_mode(SUNKEN)
        color = self._apply_appearance_mode(frame)
        self._view.configure(background=ground, highlightbackground=color, highlightcolor=color)
