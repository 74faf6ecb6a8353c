"""The base of the agent's dialogs: they come to the front, fit the screen, and ignore stray keys."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.dialogs.screenshot import MIN_HEIGHT_PX, Screenshot
from gui.kit.buttons import Button, ButtonStyle
from gui.kit.fields import text_field
from gui.kit.style import (
    BACKGROUND,
    BORDER,
    CORNER_PX,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    Color,
    scale_of,
    small_font,
)
from gui.toolkit import ctk
from world_model import Frame, Region

WIDTH_PX: Final = 720
PICTURE_PX: Final = 380  # preferred height of the image
MAX_WIDTH, MAX_HEIGHT = 0.94, 0.9  # of the screen; the window's own frame and a panel need room too
QUIET_MS: Final = 700  # without a key or a click before anything can be decided
FIELD_MIN_PX, FIELD_HEIGHT_PX = 140, 28
BOX_MIN_PX, BOX_MAX_PX = 96, 210  # height of a text that scrolls if it is longer
LINE_PX, LINE_CHARS = 20, 84  # of such a text


class Dialog(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """A dialog above its window. Closing it calls `leave`, and so does Esc.

    It may open while somebody types or clicks. So that these keys and clicks decide nothing, the buttons and Return
    wait until keyboard and mouse have been quiet for a moment. Until then Esc is meant for the run, and stops it.
    """

    def __init__(self, master: tk.Misc, title: str, stop: Callable[[], None], leave: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        self.title(title)
        scale = scale_of(self)
        self.width = min(WIDTH_PX, round(MAX_WIDTH * self.winfo_screenwidth() / scale))
        # From the start: with a content that wraps at its own width, it would never come to rest.
        self.wm_geometry(f"{round(self.width * scale)}x{round(PICTURE_PX * scale)}")
        self.picture: Screenshot | None = None
        self.above: list[tk.Widget] = []  # texts, top to bottom
        self.below: list[tk.Widget] = []  # what a person decides with, top to bottom
        self.caption = self.text("", small_font(), MUTED)  # of the field
        self._buttons: list[Button] = []
        self._barred: tuple[str, ...] = ()
        self._calm = False
        self._waiting = self.after(QUIET_MS, self._settle)
        for sequence in ("<Map>", "<Key>", "<Button>"):
            self.bind(sequence, lambda _event: self._wait_again())
        self.bind("<Escape>", lambda _event: leave() if self._calm else stop())
        self.protocol("WM_DELETE_WINDOW", leave)

    def text(self, words: str, font: ctk.CTkFont, color: Color = TEXT) -> ctk.CTkLabel:
        """Make a text that wraps."""
        room = self.width - 2 * EDGE_PX
        return ctk.CTkLabel(
            self, text=words, font=font, text_color=color, wraplength=room, height=0, justify="left", anchor="w"
        )

    def box(self, words: str, font: ctk.CTkFont) -> ctk.CTkTextbox:
        """Make a read-only text, which scrolls if it is long."""
        lines = sum(-(-len(line) // LINE_CHARS) for line in words.splitlines())
        box = ctk.CTkTextbox(
            self,
            height=min(BOX_MAX_PX, max(BOX_MIN_PX, LINE_PX * (lines + 1))),
            font=font,
            text_color=TEXT,
            fg_color=SURFACE,
            border_color=BORDER,
            border_width=1,
            corner_radius=CORNER_PX,
            wrap="word",
        )
        box.insert("1.0", words)
        box.configure(state="disabled")
        return box

    def show_screen(self, frame: Frame | None, place: Region | None, purpose: str) -> None:
        """Show the screen, where the agent has one."""
        self.picture = Screenshot(self, frame, place, purpose, self.arrange) if frame else None

    def field(self, caption: str, work: Callable[[], None]) -> ctk.CTkEntry:
        """Make a field with its caption below the image. Return calls `work`, once the buttons work too."""
        self.caption.configure(text=caption)
        entry = text_field(self, FIELD_MIN_PX, FIELD_HEIGHT_PX)
        entry.bind("<Return>", lambda _event: work() if self._calm else None)
        self.below += [self.caption, entry]
        return entry

    def choices(self, *buttons: tuple[str, ButtonStyle, Callable[[], None]]) -> None:
        """Add the row of buttons, disabled until keyboard and mouse have been quiet."""
        row = ctk.CTkFrame(self, fg_color="transparent")
        for text, look, work in buttons:
            button = Button(row, text, look, work)
            button.enable(usable=False)
            button.pack(side="left", padx=(NEAR_PX if self._buttons else 0, 0))
            self._buttons.append(button)
        self.below.append(row)

    def bar(self, *texts: str) -> None:
        """Disable the buttons with these texts."""
        if texts != self._barred:
            self._barred = texts
            self._enable()

    def arrange(self) -> None:
        """Pack everything, or the image alone. Where there is little room the image shrinks, and the buttons stay."""
        for one in self.pack_slaves():
            one.pack_forget()
        alone = bool(self.picture and self.picture.large)
        if not alone:
            *fields, choices = self.below
            choices.pack(side="bottom", anchor="e", padx=EDGE_PX, pady=(GAP_PX, EDGE_PX))
            for one in reversed(fields):
                one.pack(side="bottom", fill="x", padx=EDGE_PX, pady=(3, 0))
            for number, one in enumerate(self.above):
                one.pack(side="top", fill="x", padx=EDGE_PX, pady=(NEAR_PX if number else EDGE_PX, 0))
        if self.picture:
            self.picture.pack(
                side="top", fill="both", expand=True, padx=EDGE_PX, pady=(GAP_PX, EDGE_PX if alone else GAP_PX)
            )

    def appear(self, focus: tk.Misc) -> None:
        """Come to the front, even where the window is hidden, and focus `focus`.

        It is no transient of its window: some window managers would focus that window afterwards, instead of the
        application in which the agent continues.
        """
        self.arrange()
        self._place()
        self.attributes("-topmost", True)  # noqa: FBT003 - Tk's own form
        self.lift()
        self.after_idle(focus.focus_set)

    def _place(self) -> None:
        """Size it to its content and the screen, centred over its window as far as possible."""
        self.update_idletasks()
        scale, window = scale_of(self), self.master.winfo_toplevel()
        wanted = round((PICTURE_PX - MIN_HEIGHT_PX) * scale) if self.picture else 0
        across, down = self.winfo_screenwidth(), self.winfo_screenheight()
        width, height = round(self.width * scale), min(self.winfo_reqheight() + wanted, round(MAX_HEIGHT * down))
        x = window.winfo_rootx() + (window.winfo_width() - width) // 2
        y = window.winfo_rooty() + (window.winfo_height() - height) // 2
        x, y = max(0, min(x, across - width)), max(0, min(y, round(MAX_HEIGHT * down) - height))
        self.wm_geometry(f"{width}x{height}+{x}+{y}")

    def _wait_again(self) -> None:
        if not self._calm:
            self.after_cancel(self._waiting)
            self._waiting = self.after(QUIET_MS, self._settle)

    def _settle(self) -> None:
        self._calm = True
        self._enable()

    def _enable(self) -> None:
        for button in self._buttons:
            button.enable(usable=self._calm and button.cget("text") not in self._barred)
