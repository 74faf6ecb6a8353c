"""What the run asks, as the newest card below the log: the log stays in sight, and the message box takes the answer."""

import tkinter as tk
from typing import Final

from gui.kit.style import CORNER_PX, GAP_PX, SURFACE, TONES
from gui.request.body import RequestBody, RequestCallbacks
from gui.request.quiet import Quiet
from gui.request.screen_crop import Seen
from gui.run.messages import Answered, Decided
from gui.run.requests import PendingApproval, PendingRequest
from gui.toolkit import ctk

HEIGHT_PART: Final = 0.38  # of the page, that it may take
WIDTH_PX: Final = 800  # until the real one is known


class RequestCard(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Takes no room while nothing is asked.

    It may come up while somebody types or clicks. So that this decides nothing, its buttons wait until keyboard and
    mouse have been quiet for a moment, and what is in the message box by then is no reply, until the box is empty.
    """

    def __init__(self, master: tk.Misc, callbacks: RequestCallbacks) -> None:
        super().__init__(
            master,
            fg_color=SURFACE,
            border_color=TONES["unverified"],
            border_width=1,
            corner_radius=CORNER_PX,
        )
        self.grid_propagate(False)  # noqa: FBT003 - Tk's own form
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._callbacks = callbacks
        self._quiet = Quiet(self)
        self._asked: PendingRequest | None = None
        self._takes_words = False
        self._body: RequestBody | None = None
        self._room = (WIDTH_PX, WIDTH_PX)

    @property
    def quiet(self) -> bool:
        """Whether what is asked can be answered by now."""
        return self._quiet.reached

    @property
    def answered(self) -> PendingRequest | None:
        """What the message box answers: None where it speaks to the run."""
        return self._asked if self._takes_words else None

    @property
    def pointed(self) -> bool:
        """Whether the person has pointed at something."""
        return bool(self._body and self._body.pointed)

    @property
    def large(self) -> bool:
        """Whether the picture takes the room of the log."""
        return bool(self._body and self._body.large)

    def message(self, words: str) -> Answered | Decided:
        """Return the reply that consists of what is written in the message box, and of a point."""
        assert self._body is not None  # noqa: S101 - something is asked
        return self._body.message(words)

    def draw(self, pending: PendingRequest | None, seen: Seen | None) -> None:
        """Show what is asked, or nothing, with what the agent saw last."""
        if pending is not self._asked:
            self._asked, self._takes_words = pending, False
            self._show(pending, seen)
        if self._body:
            words = self._callbacks.words()
            self._takes_words = self._takes_words or (self.quiet and not words)
            corrected = self.pointed or (self._takes_words and bool(words))
            is_approval = isinstance(pending, PendingApproval)
            self._body.enable(usable=self.quiet, corrected=is_approval and corrected)

    def shrink(self) -> bool:
        """Make a picture that takes the room of the log small again; return whether there was one."""
        if self._body is None or self._body.picture is None or not self._body.large:
            return False
        self._body.picture.enlarge()
        return True

    def fit(self, width: int, height: int) -> None:
        """Adapt to the room of the page."""
        self._room = (width, height)
        if self._body:
            self._body.fit(width - 2 * GAP_PX)
            self._resize()

    def _show(self, pending: PendingRequest | None, seen: Seen | None) -> None:
        if self._body:
            self._leave_focus()
            if self.large:
                self.shrink()
            self._body.destroy()
            self._body = None
        if pending is None:
            self._quiet.end()
            self.grid_remove()
            return
        self._quiet.begin()
        self._body = RequestBody(self, pending, seen, self._callbacks, self._resize)
        self._body.grid(row=0, column=0, sticky="nsew", padx=GAP_PX, pady=GAP_PX)
        self.grid()
        self.fit(*self._room)
        self.winfo_toplevel().lift()  # without the focus: keys go on where they went

    def _leave_focus(self) -> None:
        """Give the message box the focus back, so that the next key cannot press what comes next."""
        if str(self.tk.call("focus")).startswith(f"{self}."):
            self._callbacks.focus()

    def _resize(self) -> None:
        if self._body:
            height = round(self._body.height_px(HEIGHT_PART * self._room[1] - 2 * GAP_PX)) + 2 * GAP_PX
            if height != self.cget("height"):
                self.configure(height=height)
