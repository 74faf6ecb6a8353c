"""What the dialogs have in common in which the agent asks: they are seen, they fit, and no stray key decides."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

import customtkinter as ctk

from gui.dialogs.screenshot import LOWEST, Screenshot
from gui.kit.buttons import Button, ButtonStyle
from gui.kit.style import (
    BACKGROUND,
    BORDER,
    CORNER_PX,
    EDGE_PX,
    FIELD_BORDER,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    Color,
    highlight_on_focus,
    scale_of,
    small_font,
    text_font,
)
from world_model import Frame, Region

WIDTH: Final = 720
PICTURE: Final = 380  # height that is wanted for the picture
WIDEST, HIGHEST = 0.94, 0.9  # of the screen; the window's own frame and a panel need room too
CALM: Final = 700  # milliseconds without a key or a click before anything can be decided
BOX: Final = 96  # height of a text that scrolls


class Dialog(ctk.CTkToplevel):  # type: ignore[misc]  # customtkinter has no types
    """A dialog above its window. Esc stops the run, as everywhere; closing it calls `leave`.

    It may come up while somebody types or clicks. What was on its way then decides nothing: the buttons and Return wait
    until keyboard and mouse were quiet for a moment.
    """

    def __init__(self, master: tk.Misc, title: str, stop: Callable[[], None], leave: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND)
        self.title(title)
        scale = scale_of(self)
        self.width = min(WIDTH, round(WIDEST * self.winfo_screenwidth() / scale))
        # From the start: as wide as what is in it, which wraps at its width, it would never come to rest.
        self.wm_geometry(f"{round(self.width * scale)}x{round(PICTURE * scale)}")
        self.picture: Screenshot | None = None
        self.above: list[tk.Widget] = []  # texts, top to bottom
        self.below: list[tk.Widget] = []  # what a person decides with, top to bottom
        self.caption = self.text("", small_font(), MUTED)  # of the field
        self._buttons: list[Button] = []
        self._barred: tuple[str, ...] = ()
        self._calm = False
        self._waiting = self.after(CALM, self._settle)
        for sequence in ("<Map>", "<Key>", "<Button>"):
            self.bind(sequence, lambda _event: self._wait_again())
        self.bind("<Escape>", lambda _event: stop())
        self.protocol("WM_DELETE_WINDOW", leave)

    def text(self, words: str, font: ctk.CTkFont, color: Color = TEXT) -> ctk.CTkLabel:
        """A text that wraps."""
        room = self.width - 2 * EDGE_PX
        return ctk.CTkLabel(
            self, text=words, font=font, text_color=color, wraplength=room, height=0, justify="left", anchor="w"
        )

    def box(self, words: str, font: ctk.CTkFont) -> ctk.CTkTextbox:
        """A text that scrolls, and is not changed."""
        box = ctk.CTkTextbox(
            self,
            height=BOX,
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
        """The screen, where the agent has one."""
        self.picture = Screenshot(self, frame, place, purpose, self.arrange) if frame else None

    def field(self, caption: str, work: Callable[[], None]) -> ctk.CTkEntry:
        """A field with its caption, below the picture. Return in it does the work, and waits as the buttons do."""
        self.caption.configure(text=caption)
        entry = ctk.CTkEntry(
            self, font=text_font(), fg_color=SURFACE, text_color=TEXT, border_color=FIELD_BORDER, border_width=1
        )
        highlight_on_focus(entry)
        entry.bind("<Return>", lambda _event: work() if self._calm else None)
        self.below += [self.caption, entry]
        return entry

    def choices(self, *buttons: tuple[str, ButtonStyle, Callable[[], None]]) -> None:
        """What can be decided, at the bottom; it cannot as long as keys or clicks may be on their way."""
        row = ctk.CTkFrame(self, fg_color="transparent")
        for text, look, work in buttons:
            button = Button(row, text, look, work)
            button.enable(usable=False)
            button.pack(side="left", padx=(NEAR_PX if self._buttons else 0, 0))
            self._buttons.append(button)
        self.below.append(row)

    def bar(self, *texts: str) -> None:
        """Which of the choices make no sense now, whatever keyboard and mouse did."""
        if texts != self._barred:
            self._barred = texts
            self._enable()

    def arrange(self) -> None:
        """The picture between the rest, or alone. Where there is little room it shrinks, and what decides stays."""
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
        """To the front, also where its window is not seen, with the keyboard on `focus`.

        It is no transient of its window: some window managers would give that the focus afterwards, and not to the
        application in which the agent goes on.
        """
        self.arrange()
        self._place()
        self.attributes("-topmost", True)  # noqa: FBT003 - Tk's own form
        self.lift()
        self.after_idle(focus.focus_set)

    def _place(self) -> None:
        """As large as it needs to be and as fits on the screen, over the middle of its window as far as that goes."""
        self.update_idletasks()
        scale, window = scale_of(self), self.master.winfo_toplevel()
        wanted = round((PICTURE - LOWEST) * scale) if self.picture else 0
        across, down = self.winfo_screenwidth(), self.winfo_screenheight()
        width, height = round(self.width * scale), min(self.winfo_reqheight() + wanted, round(HIGHEST * down))
        x = window.winfo_rootx() + (window.winfo_width() - width) // 2
        y = window.winfo_rooty() + (window.winfo_height() - height) // 2
        x, y = max(0, min(x, across - width)), max(0, min(y, round(HIGHEST * down) - height))
        self.wm_geometry(f"{width}x{height}+{x}+{y}")

    def _wait_again(self) -> None:
        if not self._calm:
            self.after_cancel(self._waiting)
            self._waiting = self.after(CALM, self._settle)

    def _settle(self) -> None:
        self._calm = True
        self._enable()

    def _enable(self) -> None:
        for button in self._buttons:
            button.enable(usable=self._calm and button.cget("text") not in self._barred)
