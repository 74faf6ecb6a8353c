"""A column of widgets that scrolls and follows its end, as long as nobody scrolled away from it.

Our own, because customtkinter's offers neither a way to know that a person scrolled nor the keys of the keyboard.
Not covered: X11 draws no widget taller than 32767 pixels, about 150 cards.
"""

import tkinter as tk
from typing import Any, Final

import customtkinter as ctk

from gui.style import BAR, GROUND, MUTED

NOTCH: Final = 60  # pixels that one notch of the wheel moves
AT_END: Final = 0.999  # the lower edge of what is seen, as a part of all; rounding keeps it from being 1


class ScrollArea(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Put widgets into `content`."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color=GROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._view = tk.Canvas(self, highlightthickness=0, borderwidth=0, yscrollincrement=1, height=1)
        self._view.grid(row=0, column=0, sticky="nsew")
        self._bar = ctk.CTkScrollbar(self, command=self._by_bar, fg_color=GROUND)
        self._bar.grid(row=0, column=1, sticky="ns")
        self._view.configure(yscrollcommand=self._bar.set)
        self.content = tk.Frame(self._view)
        self._window = self._view.create_window(0, 0, window=self.content, anchor="nw")
        self._following = True
        self._view.bind("<Configure>", self._fit)
        self.content.bind("<Configure>", self._fit)
        self._color_view()
        self._listen()

    def follow(self) -> None:
        """Go to the end, and stay there as it grows."""
        self._following = True
        self._fit()

    def _listen(self) -> None:
        """The wheel and the page keys, wherever in the window the pointer is over this area."""
        window = self.winfo_toplevel()
        for sequence in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            window.bind(sequence, self._by_wheel, add="+")
        window.bind("<Prior>", lambda _event: self._by_bar("scroll", -1, "pages"), add="+")
        window.bind("<Next>", lambda _event: self._by_bar("scroll", 1, "pages"), add="+")

    def _set_appearance_mode(self, mode_string: str) -> None:
        """Called by customtkinter when the desktop turns dark or light; plain Tk knows nothing of that."""
        super()._set_appearance_mode(mode_string)
        self._color_view()

    def _color_view(self) -> None:
        color = self._apply_appearance_mode(GROUND)
        self._view.configure(background=color)
        self.content.configure(background=color)

    def _fit(self, _event: object = None) -> None:
        """As wide as what is seen."""
        seen, height = self._view.winfo_height(), self.content.winfo_reqheight()
        self._view.itemconfigure(self._window, width=self._view.winfo_width())
        self._view.configure(scrollregion=(0, 0, 1, max(seen, height)))
        self._show_bar(height > seen)
        if self._following:
            self._view.yview_moveto(1.0)

    def _show_bar(self, needed: bool) -> None:  # noqa: FBT001 - what it is about
        """Its place stays: taking it away while the window is laid out makes Tk 8.6 lose the canvas."""
        color = BAR if needed else GROUND
        if self._bar.cget("button_color") != color:
            self._bar.configure(button_color=color, button_hover_color=MUTED if needed else GROUND)

    def _by_bar(self, *how: Any) -> None:  # noqa: ANN401 - Tk's own protocol between a bar and a view
        self._view.yview(*how)
        self._following = self._view.yview()[1] >= AT_END

    def _by_wheel(self, event: "tk.Event[tk.Misc]") -> None:
        if str(event.widget).startswith(str(self)):
            up = event.num == 4 or event.delta > 0  # noqa: PLR2004 - X11 calls the wheel buttons 4 and 5
            self._by_bar("scroll", -NOTCH if up else NOTCH, "units")
